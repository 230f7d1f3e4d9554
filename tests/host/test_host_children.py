"""Real processes under their keeper: nothing of them is left, however things end."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from tyrusd.host import children
from tyrusd.host.programs import Program, clean_environment

BOTS = Path(__file__).with_name("bots")
SH = "/bin/sh"


def program(*command: str, directory: str | None = "/", frames: bool = False) -> Program:
    return Program(command, clean_environment(), directory, frames)


@asynccontextmanager
async def running(
    *command: str, directory: str | None = "/", frames: bool = False
) -> AsyncIterator[children.Child]:
    child = await children.start(program(*command, directory=directory, frames=frames))
    try:
        yield child
    finally:
        children.close_all((child.entry, child.outlet, child.errors))
        await child.close()


async def read(descriptor: int, count: int = 1) -> list[str]:
    """Read that many lines."""
    data = b""
    with trio.fail_after(10):
        while data.count(b"\n") < count:
            await trio.lowlevel.wait_readable(descriptor)
            piece = os.read(descriptor, 65536)
            if not piece:
                break
            data += piece
    return data.decode().splitlines()


def alive(process: int) -> bool:
    """Tell whether a process runs (a zombie that waits for its reaper does not)."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def children_of(process: int) -> list[str]:
    """The children of all threads of a process."""
    return [
        child
        for task in Path(f"/proc/{process}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]


def exists(path: str) -> bool:
    return Path(path).exists()


def mode(path: str) -> int:
    return Path(path).stat().st_mode & 0o777


async def gone(*processes: int, within: float = 5.0) -> None:
    with trio.fail_after(within):
        while any(alive(process) for process in processes):  # noqa: ASYNC110 -- other processes set no event
            await trio.sleep(0.01)


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("exit 0", "exit status 0"),
        ("exit 3", "exit status 3"),
        ("kill -SEGV $$", "killed by signal 11 (SIGSEGV)"),
        ("kill -KILL $$", "killed by signal 9 (SIGKILL)"),
        ("kill -PIPE $$", "killed by signal 13 (SIGPIPE)"),
    ],
)
async def test_row_35_how_a_process_ended_is_told(code: str, cause: str) -> None:
    async with running(SH, "-c", code) as child:
        with trio.fail_after(5):
            assert await child.ended() == cause


async def test_row_35_exit_is_noticed_though_a_grandchild_holds_the_pipe() -> None:
    began = time.monotonic()
    async with running(SH, "-c", "sleep 1000 & exit 5") as child:
        with trio.fail_after(5):
            assert await child.ended() == "exit status 5"
        assert time.monotonic() - began < 3
        # Control: the group was swept, so the pipe that the sleeper held has ended too.
        assert await read(child.outlet) == []


@pytest.mark.parametrize("way", ["it is killed", "it is stopped", "it is closed"])
async def test_f010_nothing_is_left_of_a_process_that_ended(way: str) -> None:
    """python-trio/trio#3237: with the shell that had started them its children were not ended."""
    async with running(str(BOTS / "helper.sh")) as child:
        helpers = [int(line) for line in await read(child.outlet, 3)]
        assert len(helpers) == 3
        assert all(alive(helper) for helper in helpers)  # control
        # One has left the group, and is found all the same.
        assert sorted(os.getpgid(helper) == child.pid for helper in helpers) == [False, True, True]
        with trio.fail_after(5):
            if way == "it is closed":
                await child.close()
            else:
                child.stop() if way == "it is stopped" else os.kill(child.pid, signal.SIGKILL)
                await child.ended()
        await gone(*helpers)


async def test_f010_control_killing_the_shell_alone_leaves_its_children() -> None:
    """python-trio/trio#3237: with the shell that had started them its children were not ended."""
    shell = await trio.lowlevel.open_process([SH, "-c", "sleep 1000 & echo $!; wait"], stdout=subprocess.PIPE)
    assert shell.stdout is not None
    helper = int(await shell.stdout.receive_some(99))
    shell.kill()
    await shell.wait()
    assert alive(helper)
    os.kill(helper, signal.SIGKILL)
    await shell.stdout.aclose()


async def test_row_37_stop_is_term_then_kill_and_nothing_is_left() -> None:
    async with running(str(BOTS / "stubborn.sh")) as child:
        assert await read(child.outlet) == ["ready"]
        began = time.monotonic()
        child.stop()
        with trio.fail_after(5):
            assert await child.ended() == "killed by signal 9 (SIGKILL)"
        assert 1.5 < time.monotonic() - began < 4
        await gone(child.pid)


async def test_row_37_control_an_ordinary_process_ends_at_term() -> None:
    async with running(SH, "-c", "echo ready; exec sleep 1000") as child:
        await read(child.outlet)
        began = time.monotonic()
        child.stop()
        with trio.fail_after(5):
            assert await child.ended() == "killed by signal 15 (SIGTERM)"
        assert time.monotonic() - began < 1.5


async def test_row_37_a_stopped_process_ends_too() -> None:
    async with running(SH, "-c", "echo ready; exec sleep 1000") as child:
        await read(child.outlet)
        os.kill(child.pid, signal.SIGSTOP)
        child.stop()
        with trio.fail_after(5):
            await child.ended()


async def test_closing_kills_at_once_and_leaves_no_zombie() -> None:
    async with running(str(BOTS / "stubborn.sh")) as child:
        await read(child.outlet)
        keeper = child._keeper.pid
        began = time.monotonic()
        await child.close()
        assert time.monotonic() - began < 1.5
        assert not exists(f"/proc/{child.pid}")
        assert not exists(f"/proc/{keeper}")


async def test_a_stopped_keeper_does_not_keep_its_bot_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "END_LIMIT", 0.2)
    async with running(str(BOTS / "stubborn.sh")) as child:
        await read(child.outlet)
        os.kill(child._keeper.pid, signal.SIGSTOP)
        with trio.fail_after(5):
            await child.close()
        await gone(child.pid)


async def test_a_killed_keeper_takes_its_bot_along_and_is_told() -> None:
    async with running(str(BOTS / "stubborn.sh")) as child:
        await read(child.outlet)
        os.kill(child._keeper.pid, signal.SIGKILL)
        with trio.fail_after(5):
            assert await child.ended() == "its keeper was killed"
        await gone(child.pid)


def test_f008_after_kill_9_of_the_daemon_nothing_is_left(tmp_path: Path) -> None:
    """Disservin/fastchess#94: of a manager that was killed the engines stayed."""
    code = (
        "import sys, trio; from tyrusd.host import children; from tyrusd.host.programs import Program\n"
        "async def main():\n"
        "    child = await children.start(Program((sys.argv[1],), {'PATH': '/usr/bin:/bin'}, None, False))\n"
        "    import os; told = b''\n"
        "    while told.count(b'\\n') < 3:\n"
        "        await trio.lowlevel.wait_readable(child.outlet)\n"
        "        told += os.read(child.outlet, 999)\n"
        "    print(child.pid, child._keeper.pid, *map(int, told.split()), flush=True)\n"
        "    await trio.sleep_forever()\n"
        "trio.run(main)\n"
    )
    command = [sys.executable, "-c", code, str(BOTS / "helper.sh")]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as daemon:
        assert daemon.stdout is not None
        processes = [int(word) for word in daemon.stdout.readline().split()]
        assert len(processes) == 5
        assert all(alive(process) for process in processes)  # control
        assert len(list(tmp_path.glob("tyrusd-bot-*"))) == 1
        daemon.kill()
    until = time.monotonic() + 5
    while time.monotonic() < until and (
        any(alive(process) for process in processes) or list(tmp_path.glob("tyrusd-bot-*"))
    ):
        time.sleep(0.02)
    assert not any(alive(process) for process in processes)
    assert not list(tmp_path.glob("tyrusd-bot-*"))


async def test_trap_a_bot_outlives_the_idle_threads_of_trio(monkeypatch: pytest.MonkeyPatch) -> None:
    # A parent-death signal set in the thread that starts the process would fire when trio drops that thread.
    import trio._core._thread_cache as threads

    monkeypatch.setattr(threads, "IDLE_TIMEOUT", 0.05)
    async with running(SH, "-c", "echo ready; exec sleep 1000") as child:
        await read(child.outlet)
        await trio.sleep(0.5)
        assert alive(child.pid)


async def test_f015_a_bot_is_in_a_session_of_its_own() -> None:
    """notnil/chess#114, lichess-org/fishnet#54: a Ctrl-C went to the engines first."""
    async with running(SH, "-c", "echo ready; exec sleep 1000") as child:
        await read(child.outlet)
        assert os.getsid(child.pid) == child.pid != os.getsid(0)
        # The keeper too: Ctrl-C in our terminal reaches neither.
        assert os.getpgid(child._keeper.pid) != os.getpgid(0)


async def test_d3_no_descriptor_and_no_secret_is_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TYRUSD_TOKEN", "secret")
    read_end, write_end = os.pipe()
    os.set_inheritable(write_end, True)
    try:
        async with running(SH, "-c", "ls -l /proc/self/fd; echo; env; echo end") as child:
            shown = await read(child.outlet, 12)
            await child.ended()
            with contextlib.suppress(BlockingIOError):
                shown += os.read(child.outlet, 65536).decode().splitlines()
    finally:
        os.close(read_end)
        os.close(write_end)
    descriptors = [line.split()[8] for line in shown if " -> " in line]
    assert sorted(descriptors) == ["0", "1", "2", "3"]  # 3 is the directory that ls reads
    assert not any("TYRUSD" in line or line.startswith("PYTHON") for line in shown)
    assert any(line.startswith("PATH=") for line in shown)  # control


async def test_d3_a_plugin_s_protocol_is_not_on_its_standard_streams() -> None:
    code = (
        "import os, sys; print('printed', flush=True); print('shouted', file=sys.stderr)\n"
        "assert sys.argv[1::2] == ['--read-fd', '--write-fd'], sys.argv\n"
        "while data := os.read(int(sys.argv[2]), 99): os.write(int(sys.argv[4]), data)\n"
    )
    async with running(sys.executable, "-S", "-c", code, frames=True) as child:
        os.write(child.entry, b"frame\n")
        assert await read(child.outlet) == ["frame"]
        assert sorted(await read(child.errors, 2)) == ["printed", "shouted"]
        os.close(child.entry)
        child.entry = -1
        with trio.fail_after(5):
            assert await child.ended() == "exit status 0"  # nobody else holds the other end of its input


async def test_a_private_directory_is_given_and_removed() -> None:
    async with running(SH, "-c", "pwd; echo $TMPDIR; touch file; mkdir -p a/b; cat", directory=None) as child:
        where, temporary = await read(child.outlet, 2)
        assert where == temporary
        assert mode(where) == 0o700
    assert not exists(where)


async def test_a_bot_leaves_no_core_file_and_gains_no_privileges() -> None:
    async with running(SH, "-c", "ulimit -c; grep NoNewPrivs /proc/self/status") as child:
        limit, privileges = await read(child.outlet, 2)
        assert limit == "0"
        assert privileges.split() == ["NoNewPrivs:", "1"]


async def test_signals_are_at_their_defaults_in_a_bot() -> None:
    async with running(SH, "-c", "grep SigIgn /proc/self/status") as child:
        [line] = await read(child.outlet)
        assert int(line.split()[1], 16) == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, errno.ENOENT),
        ("no first line\n", errno.ENOEXEC),
        ("#!/nosuch/interpreter\n", errno.ENOENT),
    ],
)
async def test_f003_a_file_that_cannot_run_is_named_with_the_reason(
    tmp_path: Path, text: str | None, reason: int
) -> None:
    """Disservin/fastchess#634: with a wrong path of an engine every game was recorded as a draw."""
    file = tmp_path / "bot"
    if text is not None:
        file.write_text(text)
        file.chmod(0o755)
    with pytest.raises(children.CannotStart, match=os.strerror(reason)) as told:
        await children.start(program(str(file)))
    assert str(file) in str(told.value)
    assert "#!" in str(told.value)


async def test_failed_starts_leak_no_descriptor() -> None:
    def count() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    with contextlib.suppress(children.CannotStart):
        await children.start(program("/nosuch"))  # the first one also warms trio up
    before = count()
    for _ in range(3):
        with pytest.raises(children.CannotStart):
            await children.start(program("/nosuch"))
        async with running(SH, "-c", "exit 0") as child:
            await child.ended()
    assert count() == before


async def test_orphans_that_end_early_are_reaped_while_the_bot_lives() -> None:
    code = "for i in 1 2 3 4 5; do (sleep 0 &) ; done; sleep 0.3; echo ready; exec sleep 1000"
    async with running(SH, "-c", code) as child:
        await read(child.outlet)
        assert children_of(child._keeper.pid) == [str(child.pid)]
