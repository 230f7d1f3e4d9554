"""What a bot's process may use: limits set before it begins, and the word for an end by one of them."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest
import trio

from tests.host.test_host_children import SH, exists, mode, read
from tyrusd.host import children
from tyrusd.host.confinement import Confinement
from tyrusd.host.cpuclock import CpuClock
from tyrusd.host.limits import Limits, Usage
from tyrusd.host.programs import Program, clean_environment

PYTHON = (sys.executable, "-I", "-S", "-c")


async def run(
    limits: Limits, *command: str, frames: bool = False, directory: str | None = "/"
) -> tuple[str, str | None, str]:
    """Run a program to its end: how it ended, the word for the limit that it met, its error output."""
    program = Program(command, clean_environment(), directory, frames)
    child = await children.start(program, Confinement(limits))
    try:
        with trio.fail_after(20):
            end = await child.ended()
        with open(child.errors, closefd=False) as errors:  # noqa: ASYNC230 -- it has ended
            words = errors.read()
        return end, limits.ended_by(end, child.usage, words), words
    finally:
        children.close_all((child.entry, child.outlet, child.errors))
        await child.close()


# One below and one above each limit: what is done, the limit that allows it, the one that does not.
MIB = 1 << 20
CASES = [
    ("x = bytearray(100 << 20)", Limits(memory=160), Limits(memory=90), "limit-memory"),
    ("open('file', 'wb').write(bytes(2 << 20))", Limits(file_size=2), Limits(file_size=1), "limit-file-size"),
    (
        "import os; files = [os.open('/dev/null', 0) for _ in range(40)]",
        Limits(files=46),
        Limits(files=42),
        "limit-files",
    ),
]


@pytest.mark.parametrize(("code", "enough", "little", "word"), CASES)
@pytest.mark.parametrize("frames", [False, True], ids=["exec", "plugin"])
async def test_row_41_a_limit_is_met_just_above_and_not_just_below(
    code: str, enough: Limits, little: Limits, word: str, frames: bool
) -> None:
    end, found, words = await run(enough, *PYTHON, code, frames=frames, directory=None)
    assert (end, found) == ("exit status 0", None), words
    end, found, words = await run(little, *PYTHON, code, frames=frames, directory=None)
    assert (end, found) == ("exit status 1", word), words


async def test_row_41_processor_time_ends_a_bot_by_a_signal() -> None:
    end, found, _ = await run(Limits(cpu=1), *PYTHON, "while True: pass")
    assert (end, found) == (f"killed by signal {int(signal.SIGXCPU)} (SIGXCPU)", "limit-cpu")


async def test_row_41_processor_time_ends_a_bot_that_ignores_the_signal() -> None:
    code = "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
    end, found, _ = await run(Limits(cpu=1), *PYTHON, code)
    assert (end, found) == ("killed by signal 9 (SIGKILL)", "limit-cpu")


async def test_control_with_enough_processor_time_a_bot_ends_by_itself() -> None:
    code = "import time\nwhile time.process_time() < 0.7: pass"
    assert (await run(Limits(cpu=2), *PYTHON, code))[0] == "exit status 0"


async def test_row_41_a_file_that_grows_too_long_ends_a_bot_by_a_signal() -> None:
    end, found, _ = await run(Limits(file_size=1), SH, "-c", "exec cat /dev/zero >file", directory=None)
    assert (end, found) == (f"killed by signal {int(signal.SIGXFSZ)} (SIGXFSZ)", "limit-file-size")


async def test_row_41_the_limits_of_every_kind_are_there() -> None:
    program = Program((SH, "-c", "cat /proc/self/limits"), clean_environment(), "/", frames=False)
    child = await children.start(program, Confinement(Limits(cpu=7)))
    shown = {line[:26].strip(): line[26:].split() for line in await read(child.outlet, 17)}
    await child.close()
    children.close_all((child.entry, child.outlet, child.errors))
    assert shown["Max cpu time"][:2] == ["7", "8"]
    assert shown["Max file size"][:2] == [str(256 * MIB)] * 2
    assert shown["Max data size"][:2] == [str(512 * MIB)] * 2
    assert shown["Max address space"][0] == "unlimited"  # of a program; a plugin's is limited, as above
    assert shown["Max open files"][:2] == ["512", "512"]
    assert shown["Max core file size"][:2] == ["0", "0"]
    assert 256 < int(shown["Max processes"][0]) < 10_000


@pytest.mark.parametrize(
    ("end", "usage", "words", "word"),
    [
        ("exit status 0", Usage(0, 600 * MIB), "MemoryError", None),
        ("exit status 1", Usage(), "it cannot go on", None),
        ("exit status 1", Usage(), "MemoryError", "limit-memory"),
        ("killed by signal 6 (SIGABRT)", Usage(), "what():  std::bad_alloc", "limit-memory"),
        ("killed by signal 11 (SIGSEGV)", Usage(0, 500 * MIB), "", "limit-memory"),
        ("killed by signal 11 (SIGSEGV)", Usage(0, 400 * MIB), "", None),
        ("killed by signal 9 (SIGKILL)", Usage(99_000), "", None),  # nobody limited its processor time
        ("exit status 1", Usage(), "can't start new thread", "limit-processes"),
        ("killed by signal 24 (SIGXCPU)", Usage(), "", "limit-cpu"),
    ],
)
def test_the_word_for_an_end(end: str, usage: Usage, words: str, word: str | None) -> None:
    assert Limits().ended_by(end, usage, words) == word


async def test_a_program_has_a_home_of_its_own_that_is_removed_and_runs_where_it_should(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/root/somewhere")
    program = Program(
        (SH, "-c", 'pwd; echo "$HOME"; echo "$TMPDIR"; touch "$HOME/file"; cat'),
        clean_environment(),
        str(tmp_path),
        frames=False,
    )
    child = await children.start(program)
    where, home, temporary = await read(child.outlet, 3)
    assert where == str(tmp_path)
    assert home == temporary != where
    assert mode(home) == 0o700
    await child.close()
    children.close_all((child.entry, child.outlet, child.errors))
    assert not exists(home)


async def test_the_clock_of_a_process_counts_what_it_uses() -> None:
    busy = Program((*PYTHON, "while True: pass"), clean_environment(), "/", frames=False)
    lazy = Program((SH, "-c", "exec sleep 1000"), clean_environment(), "/", frames=False)
    clocks = []
    for program in (busy, lazy):
        child = await children.start(program)
        clock = child.clock()
        clocks.append(clock)
        begun, until = clock() or 0, time.monotonic() + 5
        while program is busy and (clock() or 0) < begun + 100_000:
            assert time.monotonic() < until
            await trio.sleep(0.01)
        used = (clock() or 0) - begun
        assert used >= 100_000 if program is busy else used < 50_000
        children.close_all((child.entry, child.outlet, child.errors))
        await child.close()
    assert [clock() for clock in clocks] == [None, None]  # they have ended


def test_the_clock_of_this_process_is_that_of_the_system() -> None:
    clock = CpuClock(os.getpid())
    before, told, after = time.process_time(), clock(), time.process_time()
    assert told is not None
    assert before - 0.01 <= told / 1e6 <= after + 0.01
