"""Bots in bubblewrap, the real one: what they see, how they end, and what is said where it is missing."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from tests.e2e.unprivileged import require_bwrap
from tests.host.daemons import run as tyrusd
from tests.host.test_host_children import alive, exists, gone, read
from tyrusd.core.seatspec import parse_seat
from tyrusd.host import children, sandbox
from tyrusd.host.confinement import Confinement
from tyrusd.host.programs import program_for

SH = "/bin/sh"


@pytest.fixture(autouse=True)
def bwrap() -> None:
    require_bwrap()


@asynccontextmanager
async def boxed(seat: str, directory: Path, *hidden: Path) -> AsyncIterator[children.Child]:
    confinement = Confinement(sandbox=sandbox.find()).hiding(*hidden)
    child = await children.start(program_for(parse_seat(seat), directory), confinement)
    try:
        yield child
    finally:
        children.close_all((child.entry, child.outlet, child.errors))
        await child.close()


async def told(code: str, directory: Path, *hidden: Path) -> list[str]:
    """What a shell in the sandbox prints."""
    file = directory / "script"
    file.write_text(f"exec 2>&1\n{code}\n")
    async with boxed(f"exec:sh {file}", directory, *hidden) as child:
        with trio.fail_after(10):
            await child.ended()
        return os.read(child.outlet, 65536).decode().splitlines()


async def test_only_its_own_pipes_and_processes_are_there(tmp_path: Path) -> None:
    shown = await told(
        "ls /proc/self/fd | wc -l; ls /proc | grep -c '^[0-9]'; cat /proc/net/dev | wc -l", tmp_path
    )
    # Its three pipes and the directory that ls reads; init, the shell, ls and grep; two lines of head and lo.
    assert [int(line) for line in shown] == [4, 4, 3]


async def test_a_private_tmp_is_there_and_is_removed(tmp_path: Path) -> None:
    async with boxed(
        "exec:sh -c 'echo $HOME $TMPDIR; ls -A /tmp; touch /tmp/file; cat'", Path("/usr")
    ) as child:
        assert await read(child.outlet) == ["/tmp /tmp"]
        private = child._private
        os.write(child.entry, b"end\n")
        assert await read(child.outlet) == ["end"]
        assert exists(f"{private}/file")
    assert not exists(private)


@pytest.mark.parametrize("place", ["/usr/spied", "/etc/spied", "/spied", "./spied"])
async def test_nothing_outside_of_it_can_be_written(tmp_path: Path, place: str) -> None:
    shown = await told(f"echo x > {place} && echo written; echo y > /tmp/file && cat /tmp/file", tmp_path)
    assert len(shown) == 2
    assert "Read-only file system" in shown[0]
    assert shown[1] == "y"  # control
    assert not exists(place)


async def test_what_is_hidden_is_not_seen_though_it_lies_where_a_bot_may_read(tmp_path: Path) -> None:
    data, record, other = tmp_path / "data", tmp_path / "record", tmp_path / "other"
    data.mkdir()
    for file in (data / "journal", record, other):
        file.write_text("secret\n")
    code = f"ls {data}; cat {record}; cat {other}"
    shown = await told(code, tmp_path, data, record)
    assert len(shown) == 2
    assert "Permission denied" in shown[0]
    assert shown[1] == "secret"  # what is not hidden
    assert await told(code, tmp_path) == ["journal", "secret", "secret"]  # control
    assert "Read-only" in (await told(f"touch {data}/x", tmp_path, data))[0]


async def test_other_homes_are_not_there(tmp_path: Path) -> None:
    shown = await told("ls -d /home /root /var /run /srv /etc/shadow", tmp_path)
    assert all("No such file" in line for line in shown), shown


async def test_a_plugin_plays_in_the_sandbox() -> None:
    found = tyrusd("match", "plugin:random", "plugin:greedy", "--games", "2", "--sandbox", "bwrap")
    assert found.returncode == 0, found.stderr
    assert "games: 2 of 2" in found.stdout
    assert "lost" not in found.stderr


@pytest.mark.parametrize(
    ("code", "end"),
    [
        ("exit 3", "exit status 3"),
        ("kill -SEGV $$", "killed by signal 11 (SIGSEGV)"),
        ("kill -KILL $$", "killed by signal 9 (SIGKILL)"),
    ],
)
async def test_row_35_its_end_is_told_as_without(tmp_path: Path, code: str, end: str) -> None:
    async with boxed(f"exec:sh -c '{code}'", tmp_path) as child:
        with trio.fail_after(10):
            assert await child.ended() == end


async def test_row_37_nothing_is_left_of_it(tmp_path: Path) -> None:
    code = """if True:
        import os, signal, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for _ in range(3):
            os.fork()
        if os.getpid() % 2:
            os.setsid()
        print(1, flush=True)
        time.sleep(1000)
    """
    file = tmp_path / "bot.py"
    file.write_text(code)
    async with boxed(f"exec:{sys.executable} -I -S {file}", tmp_path) as child:
        await read(child.outlet, 8)
        tree = _tree(child.pid)
        assert len(tree) >= 10  # bubblewrap, its init, eight bots
        child.stop()
        with trio.fail_after(10):
            await child.ended()
        await gone(*tree)


def _tree(process: int) -> list[int]:
    children_of = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *[found for child in children_of for found in _tree(int(child))]]


async def test_f008_it_dies_with_its_keeper(tmp_path: Path) -> None:
    """Disservin/fastchess#94: of a manager that was killed the engines stayed."""
    async with boxed("exec:sh -c 'echo ready; exec sleep 1000'", tmp_path) as child:
        await read(child.outlet)
        tree = _tree(child.pid)
        assert len(tree) == 3
        assert all(map(alive, tree))
        os.kill(child._keeper.pid, signal.SIGKILL)
        await gone(*tree)


async def test_its_clock_is_the_bot_s_and_not_bubblewrap_s(tmp_path: Path) -> None:
    code = "import time\nwhile time.process_time() < 0.3: pass\nprint(1, flush=True)\ntime.sleep(1000)"
    file = tmp_path / "bot.py"
    file.write_text(code)
    async with boxed(f"exec:{sys.executable} -I -S {file}", tmp_path) as child:
        await read(child.outlet)
        assert (child.clock()() or 0) >= 300_000


def test_where_it_is_missing_one_sentence_says_what_to_do(tmp_path: Path) -> None:
    found = tyrusd("match", "plugin:random", "plugin:greedy", "--sandbox", "bwrap", PATH=str(tmp_path))
    assert found.returncode == 3
    [line] = found.stderr.splitlines()
    assert line.startswith("tyrusd: --sandbox bwrap needs bubblewrap, which is not installed: install ")
    assert "--sandbox none" in line
    assert found.stdout == ""


def test_where_it_cannot_work_one_sentence_says_why(tmp_path: Path) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    for command in (("match", "plugin:random", "plugin:greedy"), ("serve", "--data", str(tmp_path / "data"))):
        found = tyrusd(*command, "--sandbox", "bwrap", PATH=f"{tmp_path}:{os.environ['PATH']}")
        assert found.returncode == 3
        [line] = found.stderr.splitlines()
        assert "No permissions to create a new namespace" in line
        assert "--sandbox none" in line
