"""Games of a check: one question in a true position, and whole games against a simple opponent."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from tyrusd.core.conformance.exam import Exam
from tyrusd.core.conformance.positions import CAP, fresh, match_at, simple_placement
from tyrusd.core.conformance.step import Failed, Script
from tyrusd.core.conformance.talk import Talk
from tyrusd.league.clock import TimeControl
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import STANDARD, Variant
from tyrusd.wire import messages as wire

LAST_ELECTION: Final = 49  # the number of its first request
LATEST: Final = 53  # the last request at which either side may be to move


def exam(
    talk: Talk,
    side: Side = Side.IVORY,
    request: int = 1,
    variant: Variant = STANDARD,
    control: TimeControl = CAP,
    lenient: int = 0,
    suffix: str = "",
) -> Exam:
    """A game in which the bot has to answer request number `request` or the next one after it."""
    names = talk.names(side is Side.IVORY)
    game = talk.setting.new_game() + suffix
    deal = talk.step.number * 8 + request % 8
    return Exam(match_at(game, names, side, request, deal, variant, control, lenient), side)


def examine(talk: Talk, one: Exam | None = None) -> Generator[float, None, wire.Place]:
    """Ask for one placement in a game, take it, end the game."""
    one = one or exam(talk)
    talk.begin(one)
    talk.send(talk.request(one))
    place = yield from talk.answer(one)
    if not one.over:
        talk.stop(one, None, "aborted", "operator")
    return place


def question(side: Side = Side.IVORY, request: int = 1, variant: Variant = STANDARD) -> Script:
    """A script: one placement in one position."""

    def script(talk: Talk) -> Generator[float, None, None]:
        yield from examine(talk, exam(talk, side, request, variant))

    return script


def legal(talk: Talk) -> Generator[float, None, None]:
    """Placements from all parts of a game, on both sides."""
    for number, request in enumerate((3, 12, 22, 31, 41)):
        yield from examine(talk, exam(talk, Side(number % 2), request))


def last_election(talk: Talk) -> Generator[float, None, None]:
    """All three placements of the last election, from six tiles."""
    for side in Side:
        one = exam(talk, side, LAST_ELECTION)
        talk.begin(one)
        yield from play_on(talk, one)


def whole_game(side: Side) -> Script:
    """A script: a game from its first placement to its end."""

    def script(talk: Talk) -> Generator[float, None, None]:
        names = talk.names(side is Side.IVORY)
        one = Exam(fresh(talk.setting.new_game(), names, talk.step.number), side)
        talk.begin(one)
        yield from play_on(talk, one)

    return script


def play_on(talk: Talk, one: Exam) -> Generator[float, None, None]:
    """Play a game to its end."""
    while not one.over:
        if one.enemy_to_move:
            talk.tell(one, one.enemy_places(simple_placement(one.match), talk.now))
            continue
        talk.send(talk.request(one))
        try:
            yield from talk.answer(one)
        except Failed as failed:
            number = one.match.game.placed_count + 1
            raise Failed(f"at request {number} of a whole game: {failed}") from failed
