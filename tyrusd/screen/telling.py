"""Tells what happens in a game, one line an event, to a player or to a spectator."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from tyrusd.rules.events import Drew, ElectionOpened, Event, Over, Placed, Remaining
from tyrusd.rules.game import ELECTIONS
from tyrusd.rules.pieces import Side
from tyrusd.screen.texts import Texts


def tell_event(event: Event, viewer: Side | None, texts: Texts) -> str | None:
    """Return the line for one event, or None for those that only the count of the election tells about."""
    tell = _TELLERS.get(type(event))
    return None if tell is None else tell(event, viewer, texts)


def tell_end(over: Over, viewer: Side | None, names: Sequence[str], texts: Texts) -> list[str]:
    """Return how a game ended: who won, and why; `names` are the players', Ivory's first.

    A reason that has no sentence is shown as the word it is, so that a newer server is still understood.
    """
    return [_result(over, viewer, names, texts), _reason(over, texts)]


def _opened(event: ElectionOpened, viewer: Side | None, texts: Texts) -> str:
    letter = event.kind.letter
    return texts.say(
        "told.election",
        number=event.number,
        of=ELECTIONS,
        representative=texts.say(f"representative.{letter}"),
        voters=texts.say(f"voters.{letter}"),
        kind=texts.kind(event.kind),
        opener=_who(event.opener, viewer, texts),
    )


def _placed(event: Placed, viewer: Side | None, texts: Texts) -> str:
    building = texts.building(event.building)
    if event.tile is None:
        return texts.say("told.placed-hidden", side=texts.side(event.side), building=building)
    code = "told.placed-own" if event.side is viewer else "told.placed"
    return texts.say(code, side=texts.side(event.side), tile=event.tile, building=building)


def _drew(event: Drew, viewer: Side | None, texts: Texts) -> str:
    if event.tiles is None:
        return texts.counted("told.drew-hidden", event.count, side=texts.side(event.side))
    code = "told.drew-own" if event.side is viewer else "told.drew"
    return texts.say(code, side=texts.side(event.side), tiles=texts.listed(map(str, event.tiles)))


def _remaining(event: Remaining, viewer: Side | None, texts: Texts) -> str:
    return texts.say(
        "told.remaining",
        side=texts.side(event.side),
        tiles=texts.listed(map(str, event.tiles)),
        sum=sum(tile.number for tile in event.tiles),
    )


def _who(side: Side, viewer: Side | None, texts: Texts) -> str:
    return texts.say("you-as-side" if side is viewer else "other-as-side", side=texts.side(side))


def _result(over: Over, viewer: Side | None, names: Sequence[str], texts: Texts) -> str:
    if over.winner is None:
        return texts.say("over.drawn" if over.reason == "drawn" else "over.nobody")
    if viewer is None:
        return texts.say("over.won", side=texts.side(over.winner), name=names[over.winner])
    return texts.say("over.you-won" if over.winner is viewer else "over.you-lost")


def _reason(over: Over, texts: Texts) -> str:
    code = f"reason.{over.reason}"
    if not texts.knows(code):
        return texts.say("reason", reason=over.reason, detail=over.detail or texts.say("nothing"))
    if over.winner is None:
        return texts.say(code, winner=texts.say("nobody"), loser=texts.say("somebody"))
    return texts.say(code, winner=texts.side(over.winner), loser=texts.side(over.winner.other))


_TELLERS: Final[dict[type[Event], Callable[[Any, Side | None, Texts], str]]] = {
    ElectionOpened: _opened,
    Placed: _placed,
    Drew: _drew,
    Remaining: _remaining,
}
