"""docs/accounts.md: its commands work, and its numbers are those of the program."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from tests.core.accounts_world import Door
from tyrusd.commands import main
from tyrusd.core.accounts import LONGEST_DISPLAY
from tyrusd.core.keys import CODE_BYTES, key_digest
from tyrusd.host.configuration.keys import BY_PATH
from tyrusd.host.doorkeeper import INTERVAL
from tyrusd.host.store import PATIENCE, STORE, Store
from tyrusd.wire import messages as wire

PAGE = (Path(__file__).parents[2] / "docs" / "accounts.md").read_text(encoding="utf-8")


def test_the_commands_of_the_page_give_ada_a_code_that_lets_her_in(tmp_path: Path) -> None:
    runner, code = CliRunner(), ""
    lines = re.findall(r"^    tyrusd (account .*)$", PAGE, re.MULTILINE)
    for line in lines:
        done = runner.invoke(main, [*shlex.split(line), "--data", str(tmp_path)])
        assert done.exit_code == 0, done.stderr
        code = done.stdout.strip()
    assert len(lines) == 2
    (hello,) = re.findall(r"^    (hello .*)$", PAGE, re.MULTILINE)
    with Store(tmp_path) as store:
        door = Door(store.accounts())
    peer = door.connect()
    peer.say(hello.replace("ABCD-EFGH-JKLM-NPQR", code))
    assert peer.last(wire.Welcome).name == "Ada" and door.used == {key_digest(code)}


def test_the_limits_of_the_page_are_the_defaults_of_the_server() -> None:
    rows = re.findall(r"^\| .* \| ([0-9]+)(?: s)? \| `([a-z.-]+)` \|$", PAGE, re.MULTILINE)
    assert len(rows) == 4
    for value, path in rows:
        assert BY_PATH[path].default == float(value), path


def test_the_other_numbers_of_the_page_are_those_of_the_program() -> None:
    assert f"1 to {LONGEST_DISPLAY} letters" in PAGE and f"`{STORE}`" in PAGE
    assert f"{CODE_BYTES * 8} random bits, {CODE_BYTES * 8 // 5} letters" in PAGE
    assert PATIENCE == 10 and "waits ten seconds" in PAGE
    assert INTERVAL == 2 and "within two seconds" in PAGE
    actions = {"add", "token", "revoke", "disable", "enable", "display", "list"}
    assert actions <= set(re.findall(r"(?<=account )[a-z]+|(?<=`)[a-z]+(?= NAME)", PAGE))
