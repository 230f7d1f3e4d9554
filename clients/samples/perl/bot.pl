#!/usr/bin/env perl
# A whole Tyrus bot in one file: `perl bot.pl` on stdin and stdout, or `perl bot.pl HOST PORT NAME [KEY]` over TCP.
use strict;
use warnings;
use IO::Handle;
use IO::Socket::IP;

my %votes_in = (C => 'S', M => 'M', T => 'P');      # soldiers vote in a Citadel, merchants in a Market
my %at_home_in = reverse %votes_in;
my %blocked_by = (S => 'M', P => 'S', M => 'P');    # a merchant blocks a soldier, and so on

# The number of a tile, which is a letter and a number: S10.
sub number { return substr $_[0], 1 }

# Chooses a tile and a building from what one `choose` line shows: it is complete, so nothing is remembered.
sub decide {
    my %seen = @_;
    my ($me, $kind) = @seen{qw(side kind)};
    my $enemy = $me eq 'I' ? 'B' : 'I';
    my $voter = $votes_in{$kind};
    my @hand = sort { number($a) <=> number($b) } split /,/, $seen{hand};
    my %highest = map { substr($_, 0, 1) => $_ } @hand;    # of each profession: the last one stays
    my ($vote, $block) = @highest{ $voter, $blocked_by{$voter} };
    my ($my_votes, $enemy_is_there) = (0, 0);
    for my $entry (grep { $_ ne '-' } split /,/, $seen{board}) {    # an empty list is a lone dash
        my ($place, undef, undef, $side, $face) = split /\./, $entry;    # building, election, turn, side, face
        $my_votes += number($face) if $place eq "$me$kind" && $side eq $me && $face =~ /^$voter/;
        $enemy_is_there = 1 if $place eq "$enemy$kind" && $side eq $enemy;
    }
    return "$vote $me$kind" if $vote && $my_votes < 15;    # into my own building of this election
    return "$block $enemy$kind" if $block && $enemy_is_there;    # block what the enemy has put there
    return "$hand[0] $me$at_home_in{ substr $hand[0], 0, 1 }";    # the lowest, where it will vote one day
}

my ($host, $port, $name, $key) = @ARGV;
my ($in, $out) = (\*STDIN, \*STDOUT);
if ($host) {
    $in = $out = IO::Socket::IP->new(PeerHost => $host, PeerPort => $port, Type => SOCK_STREAM)
        or die "cannot connect to $host port $port: $@\n";
}
$out->autoflush(1);    # each line leaves at once; without it a line may wait in a buffer for ever

if ($key) { print $out "hello 0.1 $name bot games=16 key=$key\n" }
elsif ($host) { print $out "hello 0.1 $name bot\nseek\n" }    # no key: ask the lobby for a game
else { print $out "hello 0.1 sample-perl bot games=16\n" }

while (my $line = <$in>) {
    chomp $line;
    my ($verb, $game, $request, @words) = split / /, $line;
    if ($verb eq 'choose') {
        my $choice = decide(map { split /=/, $_, 2 } @words);
        print $out "place $game $request $choice\n";
    }
    elsif ($verb eq 'ping') { print $out "pong $game\n" }    # the word that came with it
    elsif ($verb eq 'over' && $host && !$key && $line !~ / next=/) {    # a drawn game goes on
        print $out "quit\n";    # one game from the lobby is enough here; `seek` again to play on
    }
    elsif ($verb eq 'error') { print STDERR "$line\n" }    # the sentence at its end tells what was wrong
    elsif ($verb eq 'bye') { last }
}
