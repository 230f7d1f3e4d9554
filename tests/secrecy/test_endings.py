"""The two worlds at every kind of ending, and at every moment of the way there: nothing more is shown."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Final

import pytest

from tests.secrecy.games import PEOPLE, beginning, mover, played_out
from tests.secrecy.pairs import Pair, twin_of
from tests.secrecy.scripts import (
    Act,
    Drain,
    Lose,
    Resume,
    Say,
    Script,
    Seat,
    Setting,
    Store,
    Wait,
    after,
    illegal,
)
from tests.secrecy.stage import Stage
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Side
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

FOLLOWS: Final = ("events",)
BOTS: Final = Setting(Seat(kind="bot", want=FOLLOWS), Seat(kind="bot"), clock="30+1")
HOUSE: Final = Setting(Seat(Codec.FRAME, "bot", FOLLOWS, program=True), Seat(), clock="30+1")
MATCH: Final = Setting(HOUSE.ivory, Seat(kind="bot", want=FOLLOWS), lobby=False, clock="30+1")

Ending = Callable[[Game, random.Random], Iterable[Act]]


def _garbage(who: Side) -> list[Act]:
    return [act for _ in range(24) for act in (Say(who, "nonsense"), Wait(0.1))]


# How a running game is cut short: the setting, what happens, the word and detail of the ending.
CUT_SHORT: Final[dict[str, tuple[Setting, Ending, str, str | None]]] = {
    "resigned on the move": (
        PEOPLE, lambda game, chance: [Say(mover(game), "resign g1")], "resigned", None,
    ),
    "resigned off the move": (
        BOTS, lambda game, chance: [Say(mover(game).other, "resign g1")], "resigned", None,
    ),
    "timeout": (PEOPLE, lambda game, chance: [Wait(100.0)], "timeout", "clock"),
    "timeout of a match": (MATCH, lambda game, chance: [Wait(100.0)], "timeout", "clock"),
    "illegal, once too often": (
        BOTS, lambda game, chance: [illegal(game, 1, chance) for _ in range(3)], "illegal", "not-in-hand",
    ),
    "illegal in a match": (MATCH, lambda game, chance: [illegal(game, 1, chance)], "illegal", "not-in-hand"),
    "abandoned": (
        PEOPLE._replace(clock="none"), lambda game, chance: [Lose(Side.BROWN, 0), Wait(70.0)],
        "disconnected", "abandoned",
    ),
    "both away": (
        PEOPLE, lambda game, chance: [Lose(Side.BROWN), Lose(Side.IVORY), Wait(70.0)],
        "void", "abandoned-both",
    ),
    "crashed": (
        HOUSE, lambda game, chance: [Lose(Side.IVORY, 0, "exit status 3")], "crashed", "exit-status-3",
    ),
    "crashed in a match": (
        MATCH, lambda game, chance: [Lose(Side.IVORY, 0, "killed by signal 9")],
        "crashed", "killed-by-signal-9",
    ),
    "protocol": (BOTS, lambda game, chance: _garbage(Side.IVORY), "protocol", "error-budget"),
    "drained": (PEOPLE, lambda game, chance: [Drain(5.0), Wait(6.0)], "aborted", "shutdown"),
    "drained at once": (HOUSE, lambda game, chance: [Drain(0.0), Wait(0.1)], "aborted", "shutdown"),
    "never stored": (
        PEOPLE, lambda game, chance: [Store("failing"), Say(Side.IVORY, "resign g1"), Wait(20.0)],
        "aborted", "storage",
    ),
}  # fmt: skip


def assert_secret(script: Script, owner: Side, chance: random.Random, begin: int) -> Stage:
    """Compare two worlds at each act from `begin` on; return the first."""
    first = Stage(script, script.deals, owner).perform()
    for cut in range(begin, len(script.acts) + 1):
        pair = Pair(first, twin_of(script, first, owner, cut, chance), cut)
        assert pair.alarms == [], (cut, script.acts[cut - 1])
    return first


def over_lines(stage: Stage) -> set[tuple[str, str | None]]:
    """The endings that the peers of a stage were told."""
    return {
        (message.reason, message.detail)
        for number in stage.world.peers
        for message in stage.messages(number)
        if isinstance(message, wire.Over)
    }


@pytest.mark.parametrize("owner", Side, ids=lambda side: side.word)
@pytest.mark.parametrize("name", CUT_SHORT)
def test_d1_a_game_cut_short_shows_no_more(name: str, owner: Side) -> None:
    setting, ending, reason, detail = CUT_SHORT[name]
    chance = random.Random(name)
    for placements in (5, 18, 33):
        script, game = beginning(setting, placements, chance)
        if game.outcome is not None:
            continue
        begin = len(script.acts)
        script = script._replace(acts=(*script.acts, *ending(game, chance), *after(setting)))
        stage = assert_secret(script, owner, chance, begin)
        assert {(found, detail or told) for found, told in over_lines(stage)} <= {
            (reason, detail or word) for word in ("ivory", "brown")
        }
        assert stage.games["g1"].outcome is not None


PLAYED_OUT: Final = [
    ("three-in-a-row", "standard"), ("majority", "standard"), ("remaining-tiles", "standard"),
    ("drawn", "standard"), ("drawn", "replay-ties"),
]  # fmt: skip


@pytest.mark.parametrize("owner", Side, ids=lambda side: side.word)
@pytest.mark.parametrize(("reason", "variant"), PLAYED_OUT)
def test_d1_a_game_played_out_shows_what_its_end_needs(reason: str, variant: str, owner: Side) -> None:
    script, begin, chance = played_out(reason, variant, PEOPLE)
    stage = assert_secret(script._replace(acts=(*script.acts, *after(script.setting))), owner, chance, begin)
    assert over_lines(stage) == {(reason, None)}
    told = [
        message for number in stage.outsiders() for message in stage.messages(number)
        if isinstance(message, wire.Remaining)
    ]  # fmt: skip
    # The last three tiles are shown only where they decide.
    assert bool(told) == (reason in ("remaining-tiles", "drawn") and variant == "standard")
    assert ("g2" in stage.games) == (reason == "drawn")


@pytest.mark.parametrize("owner", Side, ids=lambda side: side.word)
@pytest.mark.parametrize("ending", ["at-once", "failing"])
def test_an_ending_that_waits_for_its_record_shows_no_more(ending: str, owner: Side) -> None:
    script, begin, chance = played_out("remaining-tiles", "standard", PEOPLE)
    meanwhile: list[Act] = [
        Say(0, "look g1"), Say(2, "watch g1"), Say(1, "games"), Say(Side.IVORY, "look g1"),
        Lose(Side.BROWN), Wait(0.5), Resume(Side.BROWN), Store(ending), Wait(120.0),
    ]  # fmt: skip
    acts = (*script.acts[:-1], Store("later"), script.acts[-1], *meanwhile, *after(script.setting))
    stage = assert_secret(script._replace(acts=acts), owner, chance, begin)
    # A result that cannot be kept is tried again for ever, and told to nobody meanwhile.
    assert over_lines(stage) == ({("remaining-tiles", None)} if ending == "at-once" else set())
