#!/bin/sh
# A whole Tyrus bot in one file: `sh bot.sh` on stdin and stdout, or `sh bot.sh HOST PORT NAME [KEY]` over TCP with nc.
set -f # no file names: the ? of a hidden tile, unquoted, would be a pattern for them

# Chooses a tile and a building from what one `choose` line shows: it is complete, so nothing is remembered.
decide() { # its words, key=value each
    for word; do
        case $word in
        side=*) me=${word#*=} ;;
        kind=*) kind=${word#*=} ;;
        hand=*) hand=${word#*=} ;;  # like S4,M1,P10: a tile is a letter and a number
        board=*) board=${word#*=} ;; # like IC.2.3.B.?,BT.1.4.I.S10: building, election, turn, side, face
        esac
    done
    case $me in I) enemy=B ;; *) enemy=I ;; esac
    case $kind in # who votes there, and who blocks them
    C) voter=S blocker=M ;;
    M) voter=M blocker=P ;;
    *) voter=P blocker=S ;;
    esac
    votes=0 blocks=0 least=11 my_votes=0 enemy_is_there=
    IFS=, # what is not quoted is split at commas from here on
    for tile in $hand; do
        number=${tile#?}
        case $tile in
        $voter*) [ "$number" -gt "$votes" ] && votes=$number ;;
        $blocker*) [ "$number" -gt "$blocks" ] && blocks=$number ;;
        esac
        [ "$number" -lt "$least" ] && least=$number lowest=$tile
    done
    for entry in $board; do # an empty board is a lone dash, which matches nothing
        case $entry in
        $me$kind.?.?.$me.$voter*) my_votes=$((my_votes + ${entry##*."$voter"})) ;;
        $enemy$kind.?.?.$enemy.*) enemy_is_there=yes ;;
        esac
    done
    unset IFS
    if [ "$votes" -gt 0 ] && [ "$my_votes" -lt 15 ]; then
        choice="$voter$votes $me$kind" # my most votes, into my own building of this election
    elif [ "$blocks" -gt 0 ] && [ "$enemy_is_there" ]; then
        choice="$blocker$blocks $enemy$kind" # block what the enemy seems to have put there
    else # the lowest tile, where it will vote one day
        case $lowest in S*) choice="$lowest ${me}C" ;; M*) choice="$lowest ${me}M" ;; *) choice="$lowest ${me}T" ;; esac
    fi
}

talk() { # its words are what to say first
    printf '%s\n' "$@"
    while IFS= read -r line; do # read takes no byte beyond its line, so nothing is lost in a buffer
        set -- $line            # split at the spaces
        case $1 in
        greeting) greeted=yes ;;
        choose) decide "$@" && echo "place $2 $3 $choice" ;;
        ping) echo "pong $2" ;; # the word that came with it
        over) case $lobby$line in yes*\ next=*) ;; yes*) echo quit ;; esac ;; # a drawn game goes on; or `seek` again
        error) echo "$line" >&2 ;; # the sentence at its end tells what was wrong
        bye) return ;;
        esac
    done
    [ "$greeted" ] # else nobody was there at all
}

over_tcp() { # HOST PORT and what to say first: nc reads from a pipe with a name what we write into it
    host=$1 port=$2 folder=$(mktemp -d) && mkfifo "$folder/replies" || exit
    shift 2
    # Only -w makes nc leave when the other end has gone without a goodbye; the server pings after 30 seconds.
    { nc -w 60 "$host" "$port" || echo "cannot reach $host port $port any more" >&2; } <"$folder/replies" |
        { rm -r "$folder" && talk "$@"; } >"$folder/replies" # open at both ends now, so the name can go
}

case $# in
0) talk 'hello 0.1 sample-shell bot games=16' ;;
3) lobby=yes && over_tcp "$1" "$2" "hello 0.1 $3 bot" seek ;; # no key: ask the lobby for a game
*) over_tcp "$1" "$2" "hello 0.1 $3 bot games=16 key=$4" ;;
esac
