"""A broken plugin breaks itself, and is told in one line that names its module and the cause."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.sdk.peer import GOOD_BOT, Peer, ask, check, start, write_bot
from tyrusd.rules.deal import deal_from_bytes, game_secret
from tyrusd.rules.game import Game

ANSWER = "    return [choose(request) for request in requests]"
HEAD = "def tyrusd_choose(requests):"


def replaced(old: str, new: str) -> str:
    assert old in GOOD_BOT
    return GOOD_BOT.replace(old, new)


# What is wrong with the module, and what is said about it when it is loaded (`*` stands for any text).
UNUSABLE = {
    "its import raises": (
        GOOD_BOT + "raise LookupError('no weights here')",
        "tried_bot: the import failed: LookupError: no weights here",
    ),
    "it needs what is not installed": (
        "import a_library_nobody_has\n" + GOOD_BOT,
        "tried_bot: the import failed: ModuleNotFoundError: No module named 'a_library_nobody_has'",
    ),
    "it is no Python": (
        "def (:\n",
        "tried_bot: the import failed: SyntaxError: invalid syntax (tried_bot.py, line 1)",
    ),
    "its import leaves": (GOOD_BOT + "raise SystemExit(0)", "tried_bot: the import failed: SystemExit: 0"),
    # What pluggy finds it tells in its own words: only the parts that matter are held here.
    "a hook's name is misspelt": (
        GOOD_BOT + "@hookimpl\ndef tyrusd_chose(requests): ...\n",
        "tried_bot: *'tyrusd_chose'*(the hooks are tyrusd_choose, tyrusd_about, *)",
    ),
    "a hook has another argument": (
        replaced(HEAD, "def tyrusd_choose(requests, clock):"),
        "tried_bot: *'tyrusd_choose'*'clock'*(the hooks are tyrusd_choose, tyrusd_about, *)",
    ),
    "a hook is not there": (
        replaced("tyrusd_choose", "best_choice")
        .replace("@hookimpl\ndef best", "def best")
        .replace("choose(", "decide("),
        "tried_bot: there is no hook tyrusd_choose, no class Bot and no function choose",
    ),
    "a hook is not marked": (
        replaced(f"@hookimpl\n{HEAD}", HEAD),
        "tried_bot: tyrusd_choose lacks @hookimpl",
    ),
}

# What the bot does instead of answering one request, and the last line of its log.
FAILING = {
    "raises": (
        replaced(ANSWER, "    return 1 // 0"),
        "tried_bot raised ZeroDivisionError: integer division or modulo by zero",
    ),
    "leaves": (replaced(ANSWER, "    raise SystemExit(0)"), "tried_bot raised SystemExit: 0"),
    "returns nothing": (
        replaced(ANSWER, "    choose(requests[0])"),
        "tried_bot: tyrusd_choose returned None, not a list of Placement",
    ),
    "returns a text": (
        replaced(ANSWER, "    return 'S10 IC'"),
        "tried_bot: tyrusd_choose returned str, not a list of Placement",
    ),
    "returns a generator": (
        replaced(ANSWER, "    return (choose(request) for request in requests)"),
        "tried_bot: tyrusd_choose returned generator, not a list of Placement",
    ),
    "returns too many": (
        replaced(ANSWER, "    return [choose(request) for request in requests] * 2"),
        "tried_bot: tyrusd_choose returned 2 placements for 1 requests",
    ),
    "returns too few": (
        replaced(ANSWER, "    return []"),
        "tried_bot: tyrusd_choose returned 0 placements for 1 requests",
    ),
    "returns something else in the list": (
        replaced(ANSWER, "    return ['S10 IC']"),
        "tried_bot: tyrusd_choose returned str among its placements",
    ),
    "returns a placement of texts": (
        replaced(ANSWER, "    return [Placement('S10', 'IC')]"),
        "tried_bot: tyrusd_choose returned Placement(tile='S10', building='IC'), not (Tile, Building)",
    ),
}


def last_line(log: str) -> str:
    return log.rstrip("\n").rpartition("\n")[2]


@pytest.mark.parametrize("fault", UNUSABLE)
def test_a_module_that_cannot_be_used_ends_before_hello(tmp_path: Path, fault: str) -> None:
    source, reason = UNUSABLE[fault]
    with Peer(write_bot(tmp_path, source), tmp_path) as peer:
        assert peer.receive(1) == [] and peer.ended
        status, output, log = peer.end()
    assert (status, output) == (70, "")
    assert fnmatchcase(last_line(log), "tyrusd-bot: " + reason)


@pytest.mark.parametrize("fault", UNUSABLE)
def test_the_check_tells_the_same(tmp_path: Path, fault: str) -> None:
    source, reason = UNUSABLE[fault]
    status, output, _ = check(write_bot(tmp_path, source), tmp_path)
    assert status == 0
    found = json.loads(output)
    assert fnmatchcase(found["reason"], reason)
    assert found == {"ok": False, "reason": found["reason"], "summary": "", "options": []}


@pytest.mark.parametrize("fault", FAILING)
def test_a_bot_that_fails_ends_with_70_and_says_why(tmp_path: Path, fault: str) -> None:
    source, reason = FAILING[fault]
    game = Game(deal_from_bytes(game_secret("broken", 1)))
    with Peer(write_bot(tmp_path, source), tmp_path) as peer:
        peer.greet()
        peer.send(start("g1", game.opener_now), ask("g1", game, game.opener_now))
        assert peer.receive(1) == [] and peer.ended
        status, output, log = peer.end()
    assert (status, output) == (70, "")
    assert last_line(log) == "tyrusd-bot: " + reason


def test_what_a_bot_raises_leaves_its_traceback_in_the_log(tmp_path: Path) -> None:
    source, _ = FAILING["raises"]
    game = Game(deal_from_bytes(game_secret("broken", 1)))
    with Peer(write_bot(tmp_path, source), tmp_path) as peer:
        peer.greet()
        peer.send(start("g1", game.opener_now), ask("g1", game, game.opener_now))
        _, _, log = peer.end()
    assert "Traceback (most recent call last):" in log
    assert f'File "{tmp_path}/tried_bot.py", line 9, in tyrusd_choose' in log


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("no_such_bot", "no_such_bot: the import failed: ModuleNotFoundError: No module named 'no_such_bot'"),
        (
            "tried_bot:bot",
            "tried_bot:bot: the import failed: ModuleNotFoundError: No module named 'tried_bot'",
        ),
        ("tried_bot:", "tried_bot:: a bot is named by its module, like package.module or package.module:Bot"),
        ("", ": a bot is named by its module, like package.module or package.module:Bot"),
    ],
)
def test_a_module_that_is_not_there_is_told(tmp_path: Path, module: str, reason: str) -> None:
    status, output, _ = check(module, tmp_path)
    assert (status, json.loads(output)["reason"]) == (0, reason)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("None", "tried_bot: tyrusd_about returned None, not a text"),
        ("'two\\nlines'", "tried_bot: tyrusd_about must return one printable line of 1 to 200 characters"),
        ("' '", "tried_bot: tyrusd_about must return one printable line of 1 to 200 characters"),
        ("'x' * 201", "tried_bot: tyrusd_about must return one printable line of 1 to 200 characters"),
        ("1 // 0", "tried_bot: tyrusd_about raised ZeroDivisionError: integer division or modulo by zero"),
    ],
)
def test_what_a_bot_says_about_itself_is_checked(tmp_path: Path, line: str, reason: str) -> None:
    source = replaced("'the first tile into one building'".replace("'", '"'), line)
    status, output, _ = check(write_bot(tmp_path, source), tmp_path)
    assert (status, json.loads(output)) == (0, {"ok": False, "reason": reason, "summary": "", "options": []})


def test_the_check_of_a_good_bot_gives_its_line_and_nothing_that_it_prints(tmp_path: Path) -> None:
    source = GOOD_BOT.replace("the first tile", "la première tuile") + "print('loud')\n"
    status, output, log = check(write_bot(tmp_path, source), tmp_path)
    summary = "la première tuile into one building"
    assert (status, json.loads(output)) == (0, {"ok": True, "reason": "", "summary": summary, "options": []})
    assert log == "loud\n"


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (b"hello\r\n" * 9, "the server sent something else than the protocol: a frame of more than "),
        (b"\0\0\0\1\xc1", "the server sent something else than the protocol: the frame is not "),
    ],
)
def test_a_server_that_speaks_otherwise_is_told_apart_from_the_bot(
    tmp_path: Path, sent: bytes, reason: str
) -> None:
    with Peer(write_bot(tmp_path), tmp_path) as peer:
        peer.send_bytes(sent)
        status, _, log = peer.end()
    assert status == 76
    assert log.startswith(f"tyrusd-bot: {reason}") and log.count("\n") == 1


def test_a_request_for_a_game_that_never_started_is_the_servers_fault(tmp_path: Path) -> None:
    game = Game(deal_from_bytes(game_secret("broken", 1)))
    with Peer(write_bot(tmp_path), tmp_path) as peer:
        peer.greet()
        peer.send(ask("g1", game, game.opener_now))
        assert peer.end() == (76, "", "tyrusd-bot: the server asked for game g1 before it started\n")
