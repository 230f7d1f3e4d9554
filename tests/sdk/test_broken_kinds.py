"""What is wrong with a function, a class or an object is told in one sentence before it plays."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.sdk.peer import Peer, ask, check, start, write_bot
from tests.sdk.test_broken_bots import last_line
from tyrusd.rules.deal import deal_from_bytes, game_secret
from tyrusd.rules.game import Game

HEAD = "from tyrusd.sdk import Building, Option, Placement, hookimpl\n"
CHOOSE = "def choose(request):\n    return Placement(request.view.hand[0], Building.IC)\n"
BOT = "class Bot:\n    def choose(self, view):\n        return Placement(view.hand[0], Building.IC)\n"


def options(text: str) -> str:
    return f"@hookimpl\ndef tyrusd_options():\n    return {text}\n"


# The module, and the reason that the check gives after its name (`*` stands for any text).
UNUSABLE = {
    "both a class and a function": (CHOOSE + BOT, "it has both Bot and choose: name one of them, *"),
    "nothing to ask": ("x = 1\n", "there is no hook tyrusd_choose, no class Bot and no function *"),
    "a class that cannot choose": ("class Bot:\n    pass\n", "Bot has no method choose"),
    "a choose without an argument": (
        "def choose():\n    pass\n", "choose must take one argument: view, request or turn"
    ),
    "a choose with two": (
        "def choose(view, clock):\n    pass\n", "choose must take one argument: view, request or turn"
    ),
    "a constructor that wants more": (
        BOT + "    def __init__(self, level):\n        pass\n", "Bot() needs 'level', which is no option"
    ),
    "a constructor that raises": (
        BOT + "    def __init__(self):\n        raise LookupError('no weights')\n",
        "raised LookupError: no weights",
    ),
    "a turn without events": (
        "def choose(turn):\n    pass\n", "choose takes a turn, but there is no method event"
    ),
    "an async event": (
        BOT + "    async def event(self, event):\n        pass\n",
        "event must not be async: only choose may be",
    ),
    "an option that reaches nothing": (
        CHOOSE + options("[Option('level', int, 1, 'how deep')]"),
        "the option level reaches nothing: there is no such keyword argument, *tyrusd_configure is *",
    ),
    "options that are none": (
        CHOOSE + options("['level']"), "tyrusd_options returned str among the options"
    ),
    "options of another type": (
        CHOOSE + options("None"), "tyrusd_options returned NoneType instead of a list of Option"
    ),
    "options that raise": (CHOOSE + options("1 // 0"), "tyrusd_options raised ZeroDivisionError: *"),
    "a configure that raises": (
        CHOOSE + "@hookimpl\ndef tyrusd_configure(options):\n    raise LookupError('no')\n",
        "raised LookupError: no",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", UNUSABLE)
def test_the_check_tells_it(tmp_path: Path, fault: str) -> None:
    source, reason = UNUSABLE[fault]
    status, output, _ = check(write_bot(tmp_path, HEAD + source), tmp_path)
    found = json.loads(output)
    assert (status, found["ok"], found["summary"]) == (0, False, "")
    assert fnmatchcase(found["reason"], f"tried_bot: {reason}"), found["reason"]


@pytest.mark.parametrize("fault", UNUSABLE)
def test_the_process_ends_with_70_and_tells_it(tmp_path: Path, fault: str) -> None:
    source, reason = UNUSABLE[fault]
    with Peer(write_bot(tmp_path, HEAD + source), tmp_path) as peer:
        assert peer.receive(1) == []
        status, _, log = peer.end()
    assert status == 70
    # What raised while the options were declared is told by the hook's name in the check only.
    shown = reason.replace("tyrusd_options raised", "raised")
    assert fnmatchcase(last_line(log), f"tyrusd-bot: tried_bot: {shown}"), log


@pytest.mark.parametrize(
    ("attribute", "reason"),
    [
        ("nobody", "tried_bot:nobody: tried_bot has no 'nobody'"),
        ("number", "tried_bot:number: int is no function, no class and has no method choose"),
        ("Bot.nobody", "tried_bot:Bot.nobody: tried_bot has no 'Bot.nobody'"),
        ("thing", "tried_bot:thing: an object for all games cannot have event: name its class instead"),
    ],
)
def test_an_attribute_that_is_no_bot_is_told(tmp_path: Path, attribute: str, reason: str) -> None:
    event = "    def event(self, event):\n        pass\n"
    source = HEAD + BOT + event + "number = 3\nthing = Bot()\n"
    _, output, _ = check(f"{write_bot(tmp_path, source)}:{attribute}", tmp_path)
    assert json.loads(output)["reason"] == reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("None", "tried_bot: choose returned None, not a Placement"),
        ("'S10 IC'", "tried_bot: choose returned str, not a Placement"),
        ("('S10', 'IC')", "tried_bot: choose returned ('S10', 'IC'), not (Tile, Building)"),
        ("request.view.hand[0]", "tried_bot: choose returned <*>, not (Tile, Building)"),
        ("1 // 0", "tried_bot raised ZeroDivisionError: integer division or modulo by zero"),
        ("exit(0)", "tried_bot raised SystemExit: 0"),
    ],
)
@pytest.mark.parametrize("word", ["def", "async def"])
def test_a_wrong_answer_ends_with_70_and_says_why(
    tmp_path: Path, word: str, answer: str, reason: str
) -> None:
    game = Game(deal_from_bytes(game_secret("broken", 1)))
    source = f"{HEAD}import sys\nexit = sys.exit\n{word} choose(request):\n    return {answer}\n"
    with Peer(write_bot(tmp_path, source), tmp_path) as peer:
        peer.greet()
        peer.send(start("g1", game.opener_now), ask("g1", game, game.opener_now))
        assert peer.receive(1) == [] and peer.ended
        status, _, log = peer.end()
    assert status == 70
    assert fnmatchcase(last_line(log), "tyrusd-bot: " + reason), log
