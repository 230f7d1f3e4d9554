"""What players may ask about their finished games: results, record, log, why (protocol.md#why-did-i-lose)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from tyrusd.core.failures import Refused
from tyrusd.core.player import Player
from tyrusd.core.session import LATER, Session
from tyrusd.core.story import ABNORMAL, Dossier, log_of, result_of, whole_story
from tyrusd.core.translate import detail_word
from tyrusd.league.record import Payload, read_frame
from tyrusd.rules.pieces import SIDE_OF_WORD, Side
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.server import Server

_LETTER: Final = {None: "-"} | {word: side.letter for word, side in SIDE_OF_WORD.items()}


def results(server: Server, session: Session, message: wire.Results, now: float) -> int:
    """List a player's finished games, newest first."""
    player = _player(session)
    known = [game for game in server.archive.games_of(player.known_as) if game.deal not in server.sealed]
    games = known[message.start : message.start + message.max]
    return _send(session, [result_of(dossier, _side(dossier, player)) for dossier in games])


def record(server: Server, session: Session, message: wire.Record, now: float) -> int:
    """Tell everything of a finished game."""
    dossier, _ = _published(server, session, message.game)
    if dossier.record is None:
        raise Refused("unavailable", f"{dossier.game} could not be stored: it has no record.")
    return _send(session, list(recorded(dossier.game, read_frame(dossier.record))))


def log(server: Server, session: Session, message: wire.Log, now: float) -> int:
    """Tell a page of the wire log of a player's own seat."""
    dossier, side = _published(server, session, message.game)
    story = dossier.stories[side]
    if dossier.earlier:
        raise Refused(
            "unavailable",
            f"The log of {dossier.game} is not in memory: it was played before this server was started. "
            "The operator may have it in a file; `why` and `record` still answer.",
        )
    if story.steps is None:
        raise Refused(
            "unavailable",
            f"No log of {dossier.game} is kept, which ended as {dossier.reason}: of people's games those are "
            f"kept that end as {', '.join(sorted(ABNORMAL))}; of bots all.",
        )
    lines = log_of(story)[message.start :]
    return _send(session, lines, server.settings.log_page)


def why(server: Server, session: Session, message: wire.Why, now: float) -> int:
    """Tell why a game ended as it did."""
    dossier, side = _published(server, session, message.game)
    return _send(session, list(whole_story(dossier, side, full=False)))


def _player(session: Session) -> Player:
    if session.player is None:
        raise Refused("state", "Say hello first.")
    return session.player


def _side(dossier: Dossier, player: Player) -> Side:
    name = player.known_as.lower()
    return next(story.side for story in dossier.stories if story.name.lower() == name)


def _published(server: Server, session: Session, game: str) -> tuple[Dossier, Side]:
    """A finished game of a player's own about which everything may be told; raises Refused.

    Somebody else's game gets the same answer as one that never was.
    """
    player = _player(session)
    if game in player.seats:
        raise Refused("unavailable", f"{game} is still running; ask when it is over.")
    found = server.archive.find(game, player.known_as)
    if found is None:
        raise Refused("no-game", f"There is no finished game {game} of yours here; `results` lists yours.")
    why = server.archive.played_on(found[0].deal)
    if why is not None:
        raise Refused("unavailable", why)
    return found


def _send(session: Session, messages: Sequence[wire.ServerMessage], page: int | None = None) -> int:
    """Send messages as far as the page goes; how many. Never more than the peer's queue takes."""
    room = session.room - len(session.outbox)
    told, count = b"", 0
    for message in messages:
        data = session.encode(message)
        if page is not None and len(told) + len(data) > page:
            session.counts.limits["log_page"] += 1
            break
        told, count = told + data, count + 1
    # Half of what is left stays free for the player's games.
    if len(told) > room // 2 and told:
        raise Refused("unavailable", LATER)
    session.write(told)
    return count


def recorded(game: str, payload: Payload) -> Iterator[wire.Recorded]:
    """Yield a record as lines."""
    head, timing = payload["game"], payload["timing"]
    deal = head["deal"]
    yield wire.Recorded(
        game,
        "deal",
        variant=head["variant"],
        cards="".join(deal["cards"]),
        opener=_LETTER[deal["opener"]],
    )
    for word, side in SIDE_OF_WORD.items():
        yield wire.Recorded(
            game,
            "seat",
            side=side.letter,
            name=head["seats"][word],
            seed=head["seeds"][word],
            clock=head["controls"][word]["clock"],
            cap=head["controls"][word]["cap"],
            lenient=head["lenient"][word],
            tiles=",".join(deal[word]),
        )
    steps = zip(head["placements"], timing["spent"], strict=True)
    for number, ((mover, tile, building), spent) in enumerate(steps, 1):
        yield wire.Recorded(
            game, "placed", side=_LETTER[mover], number=number, tile=tile, building=building, spent=spent
        )
    for number, election in enumerate(head["elections"], 1):
        yield wire.Recorded(
            game,
            "tallied",
            number=number,
            kind=election["kind"],
            won="N" if election["winner"] is None else _LETTER[election["winner"]],
            ivory=_sums(election["ivory"].values()),
            brown=_sums(election["brown"].values()),
        )
    yield wire.Recorded(
        game,
        "over",
        winner=_LETTER[head["winner"]],
        reason=head["reason"],
        detail=detail_word(head["detail"]),
        spent=timing["total"],
    )


def _sums(values: Iterable[int]) -> str:
    return ",".join(map(str, values))
