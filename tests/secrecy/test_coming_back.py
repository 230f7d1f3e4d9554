"""The two worlds in every phase, for who comes back, looks or begins to watch: no old state comes along."""

from __future__ import annotations

import os
import random
from typing import Final

import pytest

from tests.secrecy.games import beginning, mover
from tests.secrecy.leaks import faces_in_snapshots
from tests.secrecy.pairs import Pair, twin_of
from tests.secrecy.scripts import Act, Lose, Resume, Say, Script, Seat, Setting, Wait, placed, random_choice
from tests.secrecy.stage import Stage
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import VARIANTS
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

EACH: Final = 1 if os.environ.get("TYRUSD_FULL_SIZE") == "1" else 4  # phases from one comparison to the next
SETTINGS: Final = (
    Setting(Seat(want=("events", "full")), Seat(Codec.FRAME, want=("events",)), clock="30+1"),
    Setting(Seat(Codec.FRAME, "bot", ("events", "full")), Seat(kind="bot"), clock="none"),
    Setting(Seat(want=("events",)), Seat(want=("events", "full")), variant="replay-ties"),
)


def _again(enemy: Side) -> list[Act]:
    """The enemy of whose tiles are hidden comes back and looks, guests look, watch and stop watching.

    It is away for so long that it comes back less often than the limit of logins allows.
    """
    return [
        Lose(enemy), Wait(1.0), Resume(enemy), Say(enemy, "look g1"), Say(0, "look g1"),
        Say(1, "watch g1"), Say(1, "unwatch g1"), Say(2, "watch g1"), Say(2, "look g1"), Say(2, "unwatch g1"),
    ]  # fmt: skip


def whole_game(setting: Setting, owner: Side, chance: random.Random) -> tuple[Script, list[int]]:
    """A game in which all that is done after each placement; where those phases end in the script."""
    script, game = beginning(setting, 0, chance)
    acts, ends = [*script.acts, *_again(owner.other)], []
    game = Game(script.deals[0], VARIANTS[setting.variant])
    while game.outcome is None:
        ends.append(len(acts))
        acts += placed(game, 1, *random_choice(game, chance))
        if game.outcome is None:
            acts += _again(owner.other)
            assert mover(game) in Side
    return script._replace(acts=tuple(acts)), [*ends[chance.randrange(EACH) :: EACH], len(acts)]


def pairs(setting: Setting, owner: Side) -> list[Pair]:
    """The pair of worlds at the end of each phase."""
    chance = random.Random(f"{setting} {owner}")
    script, ends = whole_game(setting, owner, chance)
    first = Stage(script, script.deals, owner).perform()
    pictures = [
        message
        for number in first.outsiders()
        for message in first.messages(number)
        if isinstance(message, wire.Snapshot)
    ]
    assert len(pictures) >= 4 * (len(ends) - 1) * EACH - 16
    return [Pair(first, twin_of(script, first, owner, cut, chance), cut) for cut in ends]


@pytest.mark.parametrize("owner", Side, ids=lambda side: side.word)
@pytest.mark.parametrize("setting", SETTINGS, ids=["people", "bots", "replay-ties"])
def test_f099_a_picture_in_any_phase_is_the_same_in_both_worlds(setting: Setting, owner: Side) -> None:
    """boardgameio/boardgame.io#399: old states that were sent along held what the new one hid."""
    found = pairs(setting, owner)
    assert len(found) > 18 / EACH
    for pair in found:
        assert pair.alarms == [], pair.cut


def test_f099_control_pictures_with_all_faces_are_found_in_nearly_every_phase() -> None:
    """boardgameio/boardgame.io#399: old states that were sent along held what the new one hid."""
    with pytest.MonkeyPatch.context() as patch:
        faces_in_snapshots(patch)
        found = pairs(SETTINGS[0], Side.IVORY)
    assert sum(bool(pair.alarms) for pair in found) > 0.8 * len(found)
