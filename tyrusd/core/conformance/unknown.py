"""Steps about what a later version may add, and about lines that need no answer."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from tyrusd.core.conformance.games import exam, examine
from tyrusd.core.conformance.talk import Talk
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire
from tyrusd.wire.later import Parts

# Names that hold the names of known keys: only whole names count.
MORE_KEYS: Final = (("x-hand", "S1"), ("old-side", "B"), ("mood", "fine"))


def types(talk: Talk) -> Generator[float, None, None]:
    """Messages of types that nobody knows, in a game and outside."""
    talk.send_parts(Parts("weather", ("rome",), (("sky", "blue"), ("text", "no cloud – until noon"))))
    one = exam(talk, request=8)
    talk.begin(one)
    talk.send_parts(Parts("omen", (one.game, talk_number(talk, 8)), (("birds", "left"),)))
    talk.send(talk.request(one))
    yield from talk.answer(one)
    yield from talk.quiet(talk.setting.quiet, "a message of a type that it cannot know")


def talk_number(talk: Talk, number: int) -> str | int:
    """A number as the codec of this bot has it."""
    return talk.parts(wire.Away("g1", "I", number)).core[2]


def keys_of_start(talk: Talk) -> Generator[float, None, None]:
    """Keys that nobody knows in `start`."""
    one = exam(talk, Side.BROWN)
    talk.ledger.exams[one.game] = one
    first, *rest = one.beginning(talk.events, talk.now)
    talk.send_parts(talk.parts(first).with_keys(*MORE_KEYS))
    if rest:
        talk.send(*rest)
    talk.send(talk.request(one))
    yield from talk.answer(one)


def keys_of_request(talk: Talk) -> Generator[float, None, None]:
    """Keys that nobody knows in a request, in front of the others and behind them."""
    one = exam(talk, request=23)
    talk.begin(one)
    talk.send_parts(talk.parts(talk.request(one)).with_keys(*MORE_KEYS))
    yield from talk.answer(one)


def words(talk: Talk) -> Generator[float, None, None]:
    """A reason, an error code and a notice that no table has."""
    one = exam(talk, request=3)
    talk.begin(one)
    over = talk.parts(wire.Over(one.game, one.match.game.event_count + 1, "-", "aborted", "omens"))
    one.match.stop(None, "aborted", "omens", talk.now)
    talk.ledger.closed(one)
    error = talk.parts(wire.Error("stale", "ignored", "A code of a later version.", re="place"))
    notice = talk.parts(wire.Notice("storage", "A notice of a later version."))
    talk.send_parts(
        over._replace(core=(*over.core[:-1], "ides-of-march")),
        error._replace(core=("out-of-toga", *error.core[1:])),
        notice._replace(core=("saturnalia",)),
    )
    yield from talk.quiet(talk.setting.quiet, "although it was asked for nothing")
    yield from examine(talk, exam(talk, request=4))


def notices(talk: Talk) -> Generator[float, None, None]:
    """Notices between a request and its answer, and before."""
    one = exam(talk, request=10)
    talk.send(wire.Notice("storage", "Results cannot be stored now; running games go on."))
    talk.begin(one)
    talk.send(wire.Notice("end-lines-with-lf", "End lines with LF and flush."))
    yield from talk.quiet(talk.setting.quiet, "a notice")
    talk.send(talk.request(one), wire.Notice("storage", "Results can be stored again soon."))
    yield from talk.answer(one)


def presence(talk: Talk) -> Generator[float, None, None]:
    """The other player's connection is lost and comes back."""
    one = exam(talk, request=16)
    enemy = one.side.other.letter
    talk.begin(one)
    talk.send(wire.Away(one.game, enemy, 60_000))
    yield from talk.quiet(talk.setting.quiet, "`away`")
    talk.send(wire.Back(one.game, enemy))
    yield from talk.quiet(talk.setting.quiet, "`back`")
    talk.send(talk.request(one), wire.Away(one.game, enemy, 60_000), wire.Back(one.game, enemy))
    yield from talk.answer(one)
