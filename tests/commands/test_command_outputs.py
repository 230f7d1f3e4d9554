"""Every command: an output that nobody reads or that is full, and Ctrl-C before anything is at work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner

from tests.host.daemons import ROOT
from tests.host.test_host_recovery import ended
from tyrusd import __main__ as entry
from tyrusd import commands
from tyrusd.commands.admin import _bans, _lines
from tyrusd.league.record import HEADER

FULL = Path("/dev/full")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A record that is longer than a pipe holds."""
    found = tmp_path / "games"
    found.write_bytes(HEADER + b"".join(frame for number in range(1, 400) for frame in ended(f"g{number}")))
    return found


def test_who_reads_only_the_first_line_ends_it_quietly(file: Path) -> None:
    words = [sys.executable, "-m", "tyrusd", "export", str(file), "--json"]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().startswith(b"{")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 0


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", [("export", "--json"), ("plugins", "--json"), ("why", "g1", "--record")])
def test_a_full_output_is_one_sentence(words: tuple[str, ...], file: Path) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tyrusd", *words, *([] if words[0] == "plugins" else [str(file)])],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "tyrusd: the output cannot be written: No space left on device\n"


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_ctrl_c_while_a_command_begins_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    command = click.command("serve")(interrupted)
    monkeypatch.setattr(commands, "import_module", lambda name: SimpleNamespace(command=command))
    done = CliRunner().invoke(commands.main, ["serve"])
    assert (done.exit_code, done.output) == (130, "tyrusd: interrupted\n")


def test_ctrl_c_while_a_command_is_read_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "import_module", interrupted)
    done = CliRunner().invoke(commands.main, ["match", "a", "b"])
    assert (done.exit_code, done.output) == (130, "tyrusd: interrupted\n")


def test_ctrl_c_before_that_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "main", interrupted)
    with pytest.raises(SystemExit) as end:
        entry.main()
    assert end.value.code == 130


def test_a_ban_without_an_end_lasts_until_it_is_lifted() -> None:
    """A dash would say that nobody knows, or that it is over."""
    assert list(_lines({"banned": "eve", "until": None, "ended": 0})) == [
        "banned: eve", "until: lifted", "ended: 0",
    ]  # fmt: skip
    assert _bans({"bans": [{"who": "eve", "until": None}]}) == ["who  until", "eve  lifted"]
