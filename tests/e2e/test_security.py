"""What a bot gets that spies, as a user without rights: with every protection, and as control without it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.unprivileged import NOBODY, as_user, own_directory, require_bwrap
from tests.host.daemons import ROOT
from tyrusd.host.limits import DEFAULT

HERE = Path(__file__).parent
PLAIN = "from tyrusd.commands import main; main()"
# The same program without the one call that closes its memory.
OPEN = f"import tyrusd.host.daemon as daemon; daemon.hide_memory = lambda: None; {PLAIN}"
YAMA = Path("/proc/sys/kernel/yama/ptrace_scope")


@contextmanager
def listener() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as found:
        yield found.getsockname()[1]


@cache
def spied(*options: str, program: str = PLAIN) -> dict[str, Any]:
    """Let the spy play a match and return what it got."""
    with own_directory() as directory, listener() as port:
        record, file = directory / "record.tyrus", directory / "written"
        spy = f"exec:{sys.executable} -I -S {HERE / 'spy_bot.py'} {record} {port} {file}"
        good = f"exec:{sys.executable} -I -S {HERE / 'bad_bot.py'} none none"
        words = as_user(sys.executable, "-c", program, "match", spy, good, "--record", str(record), *options)
        found = subprocess.run(
            words,
            cwd=directory,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(directory), "HOME": str(directory)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert found.returncode == 0, found.stderr
        line = next(line for line in found.stderr.splitlines() if "spy_bot (ivory) lost, crashed" in line)
        told: dict[str, Any] = json.loads(line[line.index("{") :])
        told["written"] = file.exists()
        return told


def foreign_memory_is_open() -> bool:
    """Whether this kernel lets processes of one user read each other at all."""
    return not YAMA.exists() or YAMA.read_text().strip() == "0"


def boxed() -> dict[str, Any]:
    require_bwrap()
    return spied("--sandbox", "bwrap")


def test_the_daemon_and_its_bots_run_without_rights() -> None:
    assert spied()["user"] == (NOBODY if os.geteuid() == 0 else os.geteuid()) != 0


def test_d3_without_a_sandbox_the_memory_of_tyrusd_is_closed() -> None:
    found = spied()
    assert found["servers"] == 1  # it is seen
    assert found["server memory"] == ["PermissionError"]
    assert found["server attach"] == ["Operation not permitted"]


def test_d3_control_without_that_protection_a_bot_reads_all_hands() -> None:
    if not foreign_memory_is_open():
        pytest.skip("this kernel closes the memory of all processes")
    found = spied(program=OPEN)
    assert found["server memory"] == [True]
    assert found["server attach"] == ["attached"]


def test_d3_in_the_sandbox_no_other_process_is_seen() -> None:
    found = boxed()
    assert (found["servers"], found["opponents"]) == (0, 0)


def test_d3_control_without_a_sandbox_the_other_bot_is_open() -> None:
    found = spied()
    assert found["opponents"] == 1
    if foreign_memory_is_open():
        assert found["opponent memory"] == [True]  # the opponent's hand is in it
        assert found["opponent attach"] == ["attached"]
    assert len(found["others' files"]) == 1  # its private directory


def test_d3_in_the_sandbox_no_file_of_the_other_bot_is_seen() -> None:
    assert boxed()["others' files"] == []


def test_d3_in_the_sandbox_the_record_is_closed() -> None:
    # Though it lies in the directory where tyrusd was started, which bots may read.
    assert boxed()["record"] == "PermissionError"


def test_d3_control_without_a_sandbox_the_record_is_open() -> None:
    assert spied()["record"] > 500  # the deal is in it


def test_d3_in_the_sandbox_there_is_no_network() -> None:
    assert boxed()["network"] in ("OSError", "ConnectionRefusedError")


def test_d3_control_without_a_sandbox_there_is() -> None:
    assert spied()["network"] == "connected"


def test_d3_in_the_sandbox_no_file_can_be_written() -> None:
    found = boxed()
    assert (found["file"], found["written"]) == ("OSError", False)


def test_d3_control_without_a_sandbox_it_can() -> None:
    found = spied()
    assert (found["file"], found["written"]) == (5, True)


def test_row_41_a_bot_cannot_start_processes_without_end() -> None:
    # Not for root, whom the system does not limit; and all processes of the user count together.
    found = spied()["processes"]
    assert found["refused"] == "BlockingIOError"
    assert DEFAULT.processes / 2 < found["started"] < DEFAULT.processes + 2000
