"""The verbs that mean the same under every director: hello, resume, placing, resigning, looking, leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from tyrusd.core import own
from tyrusd.core.failures import Refused, refuse
from tyrusd.core.keys import digest
from tyrusd.core.names import RESERVED
from tyrusd.core.player import Player
from tyrusd.core.seatspec import is_name
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.rules.pieces import Side
from tyrusd.wire import PROTOCOL_VERSION, encode_line
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.server import Server

NO_NAME: Final = "A name is 1 to 32 letters, digits, _ or -, and no word of the protocol."
_MAJOR: Final = PROTOCOL_VERSION.partition(".")[0]

HELP: Final = (
    "who - players who are here",
    "games - running games",
    "play NAME - start a game with a player of `who`; side=I|B clock=600+5 cap=60 are possible",
    "seek - start a game with whoever seeks one; cancel takes it back",
    "place GAME REQUEST TILE BUILDING - answer a request, as in: place g1 7 S10 IC",
    "results - your finished games; why GAME - why one ended so; record GAME and log GAME tell all of it",
    "ratings - how strong everybody is; ratings name=NAME - of one; play NAME rated=yes - a game that counts",
    "look GAME - see a game of yours again; watch GAME - see somebody else's; unwatch GAME",
    "resign GAME - give up; quit - leave; all else is in protocol.md",
)


def hello(server: Server, session: Session, message: wire.Hello, now: float) -> None:
    """Let a peer in under a name (protocol.md#hello)."""
    if message.version.partition(".")[0] != _MAJOR:
        sentence = f"This server speaks version {PROTOCOL_VERSION}; get a client of the same major version."
        session.send(wire.Error("version", "fatal", sentence, message.tag, message.verb))
        server.presence.dismiss(session, "version", sentence, now)
        raise Answered
    bot = server.bots.get(session.transport.bot) if session.transport.bot is not None else None
    if bot is None and session.transport.bot is not None:
        server.presence.dismiss(session, "bye", "This program is not waited for any more.", now)
        raise Answered
    if bot is None:
        server.presence.check_name(message.name)
        if message.key is None:
            server.closing_down.check_return(session, None)
    name = server.director.bot_name(bot) if bot is not None else server.director.name_for(session, message)
    # Whoever runs the server names its programs and the seats of a match; guests are looked at by the lobby.
    if not is_name(name):
        raise Refused("name", NO_NAME)
    games = min(message.games, session.settings.games_per_connection)
    player = server.players.get(name.lower())
    if player is None:
        kind = "bot" if bot is not None else message.kind
        player = Player(name, kind, session, games, message.want, message.agent, session.transport.bot)
        server.players[name.lower()] = player
    elif bot is not None and player.bot == bot.id and player.missing:
        player.arrive(session, games, message.want, message.agent)
    else:
        raise Refused("taken", f"Somebody is here as {name}; choose another name.")
    if bot is not None:
        bot.player = player
        server.timers.clear(("bot", bot.id))
    _come(server, session, player, message, now)
    raise Answered


def _take_seats(server: Server, session: Session, player: Player, now: float) -> None:
    """Show a player who has come back the games that it has."""
    server.presence.back(player, now)
    for table, side in list(player.seats.values()):
        # The start may have been lost with the old connection, and nothing else tells the seed and the terms.
        table.introduce(session, side, now)
        table.show(session, side, now, new=True)


def _enter(server: Server, session: Session, player: Player, now: float) -> None:
    secret = server.secret()
    player.add_secret(secret)
    server.record_player(player)
    session.player = player
    session.phase = server.director.phase_of(player)
    session.open_room(player.games, now)
    if player.allowances is not None:  # coming back buys nobody new lines or new errors
        session.rate, session.errors = player.allowances
    player.allowances = (session.rate, session.errors)
    session.send(wire.Welcome(player.name, player.kind, secret, player.games, player.want))
    server.presence.welcomed(session, now)


def resume(server: Server, session: Session, message: wire.Resume, now: float) -> None:
    """Give a returning peer its seats back (protocol.md#resume)."""
    secret = digest(message.secret)
    player = next((player for player in list(server.players.values()) if player.knows(secret)), None)
    if player is None or player.bot is not None or not server.presence.may_resume(session, now):
        server.presence.wrong_secret(session, message, now)
        raise Answered
    server.presence.check_name(player.name)
    server.closing_down.check_return(session, player)
    server.presence.check_rate(player, now)
    _replace(server, session, player, now)
    player.use_secret(secret)
    _come(server, session, player, message, now)
    raise Answered


def log_in(
    server: Server, session: Session, message: wire.Hello, name: str, kind: str, key: bytes, now: float
) -> None:
    """Let the owner of an account in; if its player is here or its seats are kept, it comes back to them.

    key: the digest of what it came with.
    """
    games = min(message.games, session.settings.games_per_connection)
    player = server.players.get(name.lower())
    server.closing_down.check_return(session, player)
    if player is None:
        player = Player(name, kind, session, games, message.want, message.agent)
        server.players[name.lower()] = player
    else:
        _replace(server, session, player, now)
        player.arrive(session, games, message.want, message.agent)
        player.use_newest_secret()
    player.account, player.key = name, key
    _come(server, session, player, message, now)


def take_over(server: Server, session: Session, message: wire.Hello, player: Player, now: float) -> None:
    """Let in whoever has the key of a seat that is taken: it comes back to that, and the holder has to go."""
    server.closing_down.check_return(session, player)
    _replace(server, session, player, now)
    games = min(message.games, session.settings.games_per_connection)
    player.arrive(session, games, message.want, message.agent)
    player.use_newest_secret()
    _come(server, session, player, message, now)


def _replace(server: Server, session: Session, player: Player, now: float) -> None:
    """Give a player's seats to a newer connection and say so to the old one, if there still is one."""
    old = player.session
    player.session = session  # so that parting from the old session touches no seat
    if old is not None:
        server.presence.dismiss(old, "replaced", "You have come back on another connection.", now)
        player.session = session


def _come(
    server: Server, session: Session, player: Player, message: wire.Hello | wire.Resume, now: float
) -> None:
    _enter(server, session, player, now)
    if message.tag is not None:
        session.send(wire.Ok(message.tag, message.verb))
    _take_seats(server, session, player, now)
    server.closing_down.tell(session, now)
    server.director.ready(player, now)


class Answered(Refused):
    """The verb has sent its own answer; nothing more is due."""

    def __init__(self) -> None:
        super().__init__("", "")


def place(server: Server, session: Session, message: wire.Place, now: float) -> None:
    """Refuse a placement that answers no open request; one that does never comes here."""
    player = _player(session)
    seat = player.seats.get(message.game)
    if seat is not None:
        seat[0].place(session, seat[1], message, now)
    elif server.has_opened(message.game):
        server.archive.too_late(player, message.game, message.request, encode_line(message)[:-1], now)
        refuse(session, message, "stale", "That request is not open to you; nothing has changed.")
    else:
        refuse(session, message, "no-game", f"There is no game {message.game}; `games` lists them.", now)
    raise Answered


def resign(server: Server, session: Session, message: wire.Resign, now: float) -> None:
    """Give a running game up."""
    table, side = _seat(server, _player(session), message.game)
    if table.ending is not None:
        raise Refused("stale", "That game is over already.")
    table.resign(side, now)


def look(server: Server, session: Session, message: wire.Look, now: float) -> None:
    """Show a game once more to somebody who sees it."""
    player = _player(session)
    table = session.watching.get(message.game)
    if table is not None:
        table.show(session, None, now)
        return
    table, side = _seat(server, player, message.game)
    table.show(session, side, now)


def watch(server: Server, session: Session, message: wire.Watch, now: float) -> None:
    """Make a spectator of a peer (protocol.md#watching)."""
    player = _player(session)
    table = server.tables.get(message.game)
    if table is None and server.has_opened(message.game):
        raise Refused("stale", "That game is over already.")
    if table is None:
        raise Refused("no-game", f"There is no running game {message.game}; `games` lists them.")
    if message.game in player.seats:
        raise Refused("unavailable", "You play this game yourself; `look` shows it.")
    if message.game in session.watching:
        raise Refused("unavailable", "You watch this game already; `look` shows it.")
    limit = server.settings.spectators_per_game
    if len(table.watchers) >= limit:
        sentence = f"This game has its {limit} spectators; try another."
        raise Refused("unavailable", sentence, "spectators_per_game")
    if len(session.watching) >= server.settings.watching_per_connection:
        sentence = "You watch as many games as one connection may; unwatch one first."
        raise Refused("unavailable", sentence, "watching_per_connection")
    session.watching[message.game] = table
    table.watchers[session.number] = session
    table.show(session, None, now, new=True)


def unwatch(server: Server, session: Session, message: wire.Unwatch, now: float) -> None:
    """Stop being a spectator."""
    table = session.watching.pop(message.game, None)
    if table is None and server.has_opened(message.game) and message.game not in server.tables:
        raise Refused("stale", "That game is over already.")
    if table is None:
        raise Refused("no-game", f"You do not watch {message.game}.")
    table.watchers.pop(session.number, None)
    table.late.pop(session.number, None)


def ping(server: Server, session: Session, message: wire.Ping, now: float) -> None:
    """Answer a ping."""
    session.send(wire.Pong(word=message.word))


def pong(server: Server, session: Session, message: wire.Pong, now: float) -> None:
    """Take a sign of life; having been received is all it is for."""


def help_(server: Server, session: Session, message: wire.Help, now: float) -> int:
    """List the verbs for a person."""
    for line in HELP:
        session.send(wire.HelpText(line))
    return len(HELP)


def quit_(server: Server, session: Session, message: wire.Quit, now: float) -> None:
    """Let a peer go."""
    if message.tag is not None:
        session.send(wire.Ok(message.tag, message.verb))
    server.presence.dismiss(session, "bye", "Good-bye.", now)
    raise Answered


def _player(session: Session) -> Player:
    if session.player is None:
        raise Refused("state", "Say hello first.")
    return session.player


def _seat(server: Server, player: Player, game: str) -> tuple[Table, Side]:
    seat = player.seats.get(game)
    if seat is None and game not in server.tables and server.has_opened(game):
        raise Refused("stale", "That game is over already.")
    if seat is None:
        raise Refused("no-game", f"You have no seat in a running game {game}.")
    return seat


Verb = Callable[["Server", Session, Any, float], int | None]

VERBS: Final[dict[type[wire.ClientMessage], Verb]] = {
    wire.Hello: hello,
    wire.Resume: resume,
    wire.Place: place,
    wire.Resign: resign,
    wire.Look: look,
    wire.Watch: watch,
    wire.Unwatch: unwatch,
    wire.Results: own.results,
    wire.Record: own.record,
    wire.Log: own.log,
    wire.Why: own.why,
    wire.Ping: ping,
    wire.Pong: pong,
    wire.Help: help_,
    wire.Quit: quit_,
}
__all__ = ["RESERVED", "VERBS", "Answered", "log_in"]
