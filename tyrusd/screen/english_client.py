"""Holds every English sentence of the client itself: connection, lobby, help, refusals; by its code."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_CONNECTION: Final = {
    "link.connected": "Connected to {server} at {address}.",
    "link.unreachable": "No server at {address} ({why}). Check the address, or start one with: tyrusd serve",
    "link.lost": "The connection broke. Trying to take your seat again, for {time} at most; Ctrl-C ends it.",
    "link.again": "No way in yet{why}. The next attempt is in {pause} s.",
    "link.every": "No way in yet{why}. From now on an attempt every {pause} s; Ctrl-C ends it.",
    "link.because": " ({why})",
    "link.left": "You leave. The server was not told; your seat is lost when nobody takes it again in time.",
    "link.gone": "The server ended the connection before you were in. Try again later.",
    "link.not-found": "The server was not found again. Your seat is lost; start tyrus again to play.",
    "link.not-found-key": "The server was not found again. If your game still runs, you come back to it by: "
    "tyrus --name {name} --key",
    "link.resumed": "You are back.",
    "link.not-resumed": "The server no longer keeps your seat.",
    "link.welcome": "You are {name}. Type help for the commands, or: play NAME, seek, who, games.",
    "link.name-taken": "Somebody else is {name} now; trying {other}.",
    "link.name-reserved": "The server gives nobody the name {name}; trying {other}. Your own: --name NAME.",
    "link.name-keyed": "The server wants a key for the name {name}; trying {other}. If it is yours, say: "
    "tyrus --name {name} --key",
    "link.nonsense": "The server sent something that makes no sense in a game; it was passed over.",
    "link.foreign": "What answers at {address} does not speak the Tyrus protocol.",
}

_TYPED: Final = {
    "typed.unknown": "{word}: no such command. Type help for the list.",
    "typed.no-tile": "There is no tile {word}. Tiles are S1 to S10, M1 to M10 and P1 to P10.",
    "typed.no-building": "There is no building {word}. Buildings are IC, IM, IT, BC, BM and BT.",
    "typed.wrong": "That is not clear. Write it like this: {usage}",
    "typed.no-game": "You are in no game. Start one with: play NAME, or seek",
    "typed.not-asked": "It is not your turn.",
    "typed.already": "Your tile is on its way; wait for the answer.",
    "typed.not-in-hand": "You do not hold {tile}. Your hand: {hand}",
    "typed.too-much": "Too much was typed before the server has answered; the rest is left out.",
    "typed.no-past": "No election is over yet.",
    "typed.no-hand": "You play in no game, so you hold no tiles.",
    "past.election": "Election {number}, {representative}, won by: {winner}",
}

_LOBBY: Final = {
    "lobby.player": "  {name} ({kind}, {state})",
    "lobby.seeker": "  {name} ({kind}, {state}: {accept})",
    "lobby.called": '{line} called "{display}"',
    "lobby.enemy-called": '{enemy} is called "{display}".',
    "lobby.table": "  {game}: {ivory} (Ivory) against {brown} (Brown), election {number}, won so far: {won}",
    "lobby.table-rated": "  {game}: {ivory} (Ivory) against {brown} (Brown), rated, election {number}, "
    "won so far: {won}",
    "lobby.table-flagged": "  {game}: {ivory} (Ivory) against {brown} (Brown), of one owner, so it does not "
    "count, election {number}, won so far: {won}",
    "lobby.nobody": "Nobody is here.",
    "lobby.no-games": "No game is running.",
    "lobby.in-a-game": "You are in a game already: play it to its end first, or resign it.",
    "lobby.asked": "Asked for. The game begins as soon as the other is ready.",
    "lobby.seeking": "Waiting for an opponent. Take it back with: cancel",
    "lobby.cancelled": "Taken back.",
    "lobby.unwatched": "You look on no more.",
    "lobby.start": "Game {game}: you play {side} against {enemy}. {clock}",
    "lobby.start-rated": "Game {game}, rated: you play {side} against {enemy}. {clock}",
    "lobby.start-flagged": "Game {game}, which does not count, since one owner is behind both of you: you "
    "play {side} against {enemy}. {clock}",
    "lobby.next": "The next game begins: {game}.",
    "lobby.again": "For another game: play NAME, or seek.",
    "lobby.left": "Time for this placement: {left}.",
    "lobby.away": "{side} has lost the connection; the seat is kept for {time}.",
    "lobby.back": "{side} is back.",
    "kind-of-player.bot": "bot",
    "kind-of-player.human": "person",
    "state.free": "free",
    "state.playing": "playing",
    "state.full": "busy",
    "state.seeking": "seeks a game",
    "state.checking": "is being checked",
    "state.away": "away",
    "state.house": "always ready",
    "lobby.on-ladder": "{state}, on the ladder",
    "clock.none": "No clock.",
    "clock.time": "Clock: {base} seconds, and {more} more after each placement.",
    "clock.cap": "At most {cap} seconds for each placement.",
    "clock.both": "Clock: {base} seconds, and {more} more after each placement; at most {cap} for each.",
}

_OFFERS: Final = {
    "offer.made": "Offered to {name}{terms}: {games}. Take it back with: cancel {challenge}",
    "offer.got": "{name} offers you {games}{terms}. Type: accept {challenge}, or: decline {challenge}",
    "offer.games.one": "a game",
    "offer.games.many": "{number} games",
    "offer.terms": " (you: {terms})",
    "offer.rated": "rated",
    "offer.flagged": "does not count, since one owner is behind both of you",
    "offer.accepted": "The offer {challenge} is accepted.",
    "offer.declined": "Nothing comes of the offer {challenge}: {why}",
    "offer.no": "the other does not want to.",
    "offer.busy": "the other has no room for another game now.",
    "offer.terms-declined": "the other would play on other terms.",
    "offer.later": "the other would play later.",
    "offer.withdrawn": "it was taken back.",
    "offer.expired": "nobody answered in time.",
    "offer.gone": "the other has left.",
    "offer.played": "The offer {challenge} is done: all its games are played, or one had no result.",
    "offer.shutdown": "the server is closing.",
    "event": "  {event} ({kind}, {state}): {entrants} players",
    "event.round": "  {event} ({kind}, {state}, round {round} of {rounds}): {entrants} players",
    "event.won": "  {event} ({kind}, {state}): {champion} has won; second: {finalist}",
    "event.won-final": "  {event} ({kind}, {state}): {champion} has won; the other finalist: {finalist}",
    "event.none": "There is no event.",
    "event.open": "open, type: join with its name",
    "event.closed": "closed",
    "event.running": "running",
    "event.paused": "paused",
    "event.over": "over",
    "event.cancelled": "cancelled",
    "event.standing": "  {rank}. {name}, {points} points ({state})",
    "event.encounter": "  round {round}: {one} against {two}",
    "event.winner": ", won by {winner}",
    "event.walkover": ", won by {winner} without a game",
    "event.drawn": ", drawn",
    "event.void": ", not played: neither has come",
    "event.leaving": "  {rank}. {name}, {points} points ({state}, leaves after this game)",
    "event.game": ", they play {game}",
    "event.asked": "Done.",
}

_STANDING: Final = {
    "rating": "  {rank}. {version}: {elo}{range}, {score}{notes}",
    "rating.unranked": "  -  {version}: {elo}{range}, {score}{notes}",
    "rating.no-elo": "no rating yet",
    "rating.range": " ({low} to {high})",
    "rating.open": "?",
    "rating.score": "{games}: {won} won, {drawn} drawn, {lost} lost",
    "rating.anchor": "; fixed",
    "rating.provisional": "; provisional",
    "rating.forfeits": "; {number} lost by forfeit",
    "rating.forfeited": "; {number} won by forfeit",
    "rating.flagged": "; {number} within one host or owner",
    "rating.none": "There are no ratings yet.",
    "versus": "  {version} against {enemy}: {score}{notes}",
}

_LEAVING: Final = {
    "quit.running": "Game {game} against {enemy} still runs.",
    "quit.kept": "When you leave, your seat is kept for a minute as a rule, then the game is lost. "
    "Only a lost connection is taken up again; who has left and has no account cannot come back.",
    "quit.kept-key": "When you leave, your seat is kept for a minute as a rule, then the game is lost. "
    "Until then you come back to it by: tyrus --name {name} --key",
    "quit.again": "Type quit once more to leave, or resign to give the game up.",
}

_LOGIN: Final = {
    "login.auth": "The server lets nobody in as {name} without a key. If the account is yours, add --key; "
    "if not, choose another name with --name, or ask the operator of the server for an account.",
    "login.auth-key": "The key does not open {name}: one of the two is mistyped, the code was used before, "
    "or the key was taken back. Try again, or ask the operator of the server for a new key.",
    "login.taken": "Somebody else is {name} now. Choose another name with --name, or try again later.",
    "login.taken-key": "Somebody is {name} now without a key. Try again when they have left.",
    "login.name": "The server gives nobody the name {name}. Choose another with --name.",
    "login.busy": "The server is full. Try again later.",
    "login.version": "The server does not speak version {version} of the protocol. "
    "Install a tyrus that does.",
    "login.unavailable": "The server cannot let you in now. Try again in a minute.",
    "login.shutdown": "The server is closing. Try again when it has been started again.",
    "login.says": "The server says: {sentence}",
}

_REFUSALS: Final = {
    "error.slow-down": "Too many lines in too short a time.",
    "error.version": "The server speaks another version of the protocol; a newer or older client is needed.",
    "error.state": "That is not possible now.",
    "error.auth": "The server does not accept this. {sentence}",
    "error.busy": "The server is full. Try again later.",
    "error.no-game": "There is no such game.",
    "error.no-player": "Nobody of that name is here. The command who lists the players.",
    "error.unavailable": "That cannot be had now. {sentence}",
    "error.not-your-turn": "It is not your turn.",
    "error.stale": "That came too late; it changed nothing. {sentence}",
    "error.illegal": "The rules do not allow that placement. Choose another.",
    "error.illegal.not-in-hand": "You do not hold that tile. Choose another.",
    "error.illegal.over": "That game is over.",
    "error.illegal.not-your-turn": "It is not your turn.",
    "error.too-many-games": "That would be one game too many. {sentence}",
    "error.expired": "Nobody came; your wish for a game was taken back.",
    "error.config": "This server does not offer that. {sentence}",
    "error.storage": "The server cannot store results now, so it starts no game.",
    "error.shutdown": "The server is closing and starts no more games.",
    "error.timeout": "The server waited too long for a line.",
    "error.internal": "The server failed at that; it had no effect.",
    "error": "The server says {word}: {sentence}",
    "bye.bye": "Goodbye.",
    "bye.slow-down": "The server ended the connection: too many lines.",
    "bye.too-slow": "The server ended the connection: what it sent was not read.",
    "bye.replaced": "Your seat was taken over from another connection.",
    "bye.kicked": "The operator of the server has ended the connection.",
    "bye.revoked": "The operator has taken back your key, or disabled your account.",
    "bye.shutdown": "The server has closed.",
    "bye.busy": "The server has no room for this connection. Try again later.",
    "bye.timeout": "The server ended the connection: it waited too long.",
    "bye.protocol": "The server ended the connection: too many errors.",
    "bye.version": "The server speaks another version of the protocol.",
    "bye": "The server ended the connection ({word}): {sentence}",
    "notice.shutdown": "The server closes in {time}; no more games start.",
    "notice.storage": "The server cannot store results now; running games go on.",
    "notice.announce": "The operator says: {sentence}",
    "notice.called": "You are called to your game. {sentence}",
    "notice.ladder": "You are off the ladder. {sentence}",
    "notice.event": "Of an event: {sentence}",
    "notice": "The server says: {sentence}",
}

_HELP: Final = {
    "usage.place": "s10 ic (a tile and a building)",
    "usage.play": "play NAME [ivory|brown] [replay-ties] [clock=300+5|none] [cap=60|none] [rated]",
    "usage.seek": "seek [ivory|brown] [replay-ties] [clock=300+5|none] [cap=60|none] [rated]",
    "usage.challenge": "challenge NAME [ivory|brown] [replay-ties] [clock=300+5] [cap=60] [rated] [games=3]",
    "usage.accept": "accept OFFER",
    "usage.decline": "decline OFFER [busy|terms|later|no]",
    "usage.cancel": "cancel [OFFER]",
    "usage.rematch": "rematch GAME",
    "usage.join": "join EVENT",
    "usage.withdraw": "withdraw EVENT",
    "usage.bracket": "bracket EVENT",
    "usage.ratings": "ratings [NAME]",
    "usage.merge": "merge BOT OLD NEW (words of its versions; - for the one without)",
    "usage.watch": "watch GAME",
    "usage.unwatch": "unwatch GAME",
    "usage.word": "{word} (nothing more)",
    "help": """\
Placing a tile: the tile and the building, in any order, for example: s10 ic
  tiles      s1 to s10 soldiers, m1 to m10 merchants, p1 to p10 priests
  buildings  ic im it: Ivory's Citadel, Market, Temple; bc bm bt: Brown's
Finding a game
  play NAME  start a game with a player or a bot     seek    with whoever seeks
  who        who is here                             cancel  take a wish back
  games      running games      watch GAME, unwatch GAME     look on
  challenge NAME     offer a game; the answer: accept OFFER, or decline OFFER
  rematch GAME       the same once more, with the sides exchanged
  events     join EVENT, withdraw EVENT, bracket EVENT       club evenings
  ratings    the standing ladder                     ratings NAME    of one
In a game
  board      the position       hand   your tiles    past    tiles turned up
  resign     give the game up
Always
  rules      the game in short  help   this list     quit    leave
play, seek, challenge also take: ivory or brown, replay-ties, cap=60 (seconds
for each placement), clock=300+5 (seconds, and more for each) or clock=none,
and rated: the game counts on the ladder.""",
    "rules": """\
Tyrus in short
Nine elections are held: three Generals, three Merchant Guildmasters and three
High Priests, in an order that only the cards know. Each player has a Citadel,
a Market and a Temple. A General is elected in the Citadels by soldiers (S), a
Guildmaster in the Markets by merchants (M), a High Priest in the Temples by
priests (P). Each player has tiles 1 to 10 of the three: nine in hand at first.
In an election the players place three tiles each, in turn and face down, each
into any of the six buildings, also those of elections to come. Then all tiles
in the two buildings of this election are turned up, counted and taken away:
  votes     your voters in your own building, added up
  blocks    the enemy's blockers in your building take votes away: a merchant
            blocks a soldier, a soldier a priest, a priest a merchant
  counters  what blocks those blockers, yours, in your own building, takes
            blocks away (a priest counters a merchant that blocks a soldier)
  score     votes - (blocks - counters); neither part falls below zero
Any other tile there counts nothing. The higher score wins the election; equal
scores make it null. After elections 1 to 7 each player draws three new tiles.
Three elections won in a row win the game at once. Otherwise more elections won
after nine win it; if equal, the higher sum of the three tiles left in hand.""",
}

ENGLISH_CLIENT: Final[Mapping[str, str]] = MappingProxyType(
    _CONNECTION | _TYPED | _LOBBY | _OFFERS | _STANDING | _LEAVING | _LOGIN | _REFUSALS | _HELP
)
