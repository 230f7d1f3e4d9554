"""No byte that leaves the server to anyone but a tile's owner depends on a face that has not been shown.

Two worlds differ only in hidden faces; everybody but the owner gets the same bytes at the same times.
"""

from __future__ import annotations

import itertools
import random

import pytest

from tests.secrecy.pairs import Pair, random_face_pair, twin_of
from tests.secrecy.scripts import Seat, Setting, any_seat, random_script
from tests.secrecy.stage import Stage
from tyrusd.rules.pieces import Side
from tyrusd.wire import Codec

PAIRS = 320
BLOCK = 40
WANTS = ((), ("events",), ("events", "full"))


@pytest.mark.parametrize("start", range(0, PAIRS, BLOCK))
def test_d1_outsiders_cannot_tell_two_worlds_apart(start: int) -> None:
    seen_by_owner = 0
    for seed in range(start, start + BLOCK):
        pair = random_face_pair(seed)
        assert pair.alarms == [], (seed, pair.first.script.setting)
        seen_by_owner += pair.differs_for_the_owner
    # The worlds do differ: their owner sees it, except where a script is cut before he has seen anything.
    assert seen_by_owner > BLOCK * 0.8


def _settings() -> list[Setting]:
    """Every codec and every subscription in each seat, against some other seat; lobby and match."""
    chance = random.Random(3)
    found = []
    for codec, want, side in itertools.product(Codec, WANTS, Side):
        seats = (Seat(codec, chance.choice(("human", "bot")), want), any_seat(chance))
        found.append(Setting(*(seats if side is Side.IVORY else seats[::-1])))
    program = Seat(Codec.FRAME, "bot", ("events",), program=True)
    found.append(Setting(program, Seat(want=("events",))))
    found.append(Setting(Seat(kind="bot"), program, lobby=False))
    found.append(Setting(program, program._replace(want=()), lobby=False))
    return found


def _called(setting: Setting) -> str:
    seats = (setting.ivory, setting.brown)
    words = [f"{seat.codec.value}-{'-'.join(seat.want) or 'plain'}" for seat in seats]
    return f"{'lobby' if setting.lobby else 'match'}-{'-and-'.join(words)}"


@pytest.mark.parametrize("setting", _settings(), ids=_called)
def test_d1_outsiders_cannot_tell_them_apart_at_any_moment(setting: Setting) -> None:
    """The same at every prefix of one script, each with all that is hidden at its end exchanged."""
    chance = random.Random(str(setting))
    script = random_script(chance, setting)
    owner = Side(chance.randrange(2))
    first = Stage(script, script.deals, owner).perform()
    for cut in range(1, len(script.acts) + 1):
        pair = Pair(first, twin_of(script, first, owner, cut, chance), cut)
        assert pair.alarms == [], (cut, script.acts[cut - 1])


def test_the_scripts_come_by_everything_that_is_told() -> None:
    """A proof by example is worth as much as its examples: they hold every kind of line and refusal."""
    verbs, words = set(), set()
    for seed in range(0, 240, 2):
        stage = random_face_pair(seed).first
        for number in stage.outsiders():
            for message in stage.messages(number):
                verbs.add(message.verb)
                words |= {getattr(message, name) for name in ("code", "reason") if hasattr(message, name)}
    assert verbs >= {
        "greeting", "welcome", "start", "choose", "turn", "snapshot", "election", "placed", "revealed",
        "tallied", "drew", "remaining", "over", "away", "back", "table", "player", "ok", "error", "help",
        "pong",
    }  # fmt: skip
    assert words >= {
        "stale", "not-your-turn", "illegal", "no-game", "unavailable", "syntax", "state",
        "three-in-a-row", "majority", "drawn", "remaining-tiles",
    }  # fmt: skip
