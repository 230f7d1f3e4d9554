"""Starts a bot's process under its keeper, hands out its pipes, tells how it ended, and ends it."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import trio

from tyrusd.host import sandbox
from tyrusd.host.confinement import USUAL, Confinement
from tyrusd.host.cpuclock import CpuClock
from tyrusd.host.limits import Usage
from tyrusd.host.programs import Program

KEEPER: Final = str(Path(__file__).with_name("keeper.py"))
START_LIMIT: Final = 10.0  # seconds for the keeper to run and to start the program
_HINTS: Final = {
    errno.ENOENT: " (does its first line, after #!, name an interpreter that exists?)",
    errno.ENOEXEC: " (a script needs a first line such as #!/usr/bin/env python3)",
}
END_LIMIT: Final = 5.0  # seconds for TERM, the keeper's two seconds of grace, KILL and the sweep


class CannotStart(Exception):  # noqa: N818 -- it is not our error
    """The program could not be started; the text is a sentence that names it and the reason."""


class Child:
    """One running bot: descriptors of its pipes (ours to close), and its end.

    entry: what the bot reads; outlet: what it writes; errors: its error output (for a plugin, all it prints).
    depth: how many processes of a sandbox stand between the one that was started and the bot.
    """

    def __init__(
        self,
        keeper: trio.Process,
        private: str,
        depth: int,
        control: int,
        status: int,
        entry: int,
        outlet: int,
        errors: int,
    ) -> None:
        self._keeper = keeper
        self._control: int | None = control
        self._status = status
        self._told = b""
        self._private = private
        self._depth = depth
        self.pid = 0
        self.usage = Usage()  # of the process and all it waited for; known after the end
        self.entry = entry
        self.outlet = outlet
        self.errors = errors

    async def started(self) -> None:
        """Wait until the program runs; raises CannotStart otherwise."""
        word, number, *_ = await self._line()
        if word == "started":
            self.pid = int(number)
            return
        if word != "failed":
            raise CannotStart("its keeper ended before it began")
        raise CannotStart(os.strerror(int(number)) + _HINTS.get(int(number), ""))

    async def ended(self) -> str:
        """Wait for the end of the program and tell it: `exit status 3`, `killed by signal 11 (SIGSEGV)`."""
        word, number, *used = await self._line()
        if used:
            self.usage = Usage(int(used[0]), int(used[1]) * 1024)
        if word == "exited":
            end = f"exit status {number}"
            return sandbox.told_through(end) if self._depth else end
        if word == "killed":
            return f"killed by signal {number} ({signal_name(int(number))})"
        return "its keeper was killed"

    def clock(self) -> CpuClock:
        """A clock of the processor time that the bot's process uses."""
        return CpuClock(self.pid, self._depth)

    async def _line(self) -> list[str]:
        while b"\n" not in self._told:
            await trio.lowlevel.wait_readable(self._status)
            data = os.read(self._status, 256)
            if not data:
                return ["", "0"]
            self._told += data
        line, _, self._told = self._told.partition(b"\n")
        return line.decode("ascii").split()

    def stop(self) -> None:
        """Ask the program to end: TERM to its group, KILL two seconds later."""
        if self._control is not None:
            with contextlib.suppress(OSError):
                os.write(self._control, b"T")

    def kill(self) -> None:
        """End the program and all it started at once."""
        if self._control is not None:
            os.close(self._control)
            self._control = None

    async def close(self) -> None:
        """Kill what is still there, reap the keeper, close its pipes; in a bounded time, even cancelled."""
        if self._status < 0:
            return
        with trio.CancelScope(shield=True):
            self.kill()
            with trio.move_on_after(END_LIMIT):
                await self._keeper.wait()
            if self._keeper.returncode is None:
                # Somebody stopped the keeper itself; the bot dies with it by its parent-death signal.
                self._keeper.kill()
                if self.pid:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.killpg(self.pid, signal.SIGKILL)
                with trio.move_on_after(END_LIMIT):  # a process that waits for a disk cannot even be killed
                    await self._keeper.wait()
            if self._keeper.returncode != 0:  # it could not clean up
                with trio.move_on_after(END_LIMIT):
                    await trio.to_thread.run_sync(_remove, self._private, abandon_on_cancel=True)
            os.close(self._status)
            self._status = -1


def signal_name(number: int) -> str:
    """The name of a signal, or its number where it has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


async def start(program: Program, confinement: Confinement = USUAL) -> Child:
    """Start a program under a keeper; raises CannotStart with one sentence when it cannot run."""
    name = program.command[0]
    try:
        private = await trio.to_thread.run_sync(_private_directory)
    except OSError as error:
        raise CannotStart(f"{name} could not be started: no private directory: {error}") from error
    pipes: _Pipes | None = None
    try:
        pipes = _Pipes()
        child = await _launch(program, pipes, private, confinement)
    except BaseException as error:
        if pipes is not None:
            pipes.close()
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(_remove, private)
        if isinstance(error, OSError):
            raise CannotStart(f"{name} could not be started: {error}") from error
        raise
    try:
        with trio.fail_after(START_LIMIT):
            await child.started()
    except BaseException as error:
        close_all((child.entry, child.outlet, child.errors))
        await child.close()
        if isinstance(error, CannotStart):
            raise CannotStart(f"{name} could not be started: {error}") from error
        if isinstance(error, trio.TooSlowError):
            raise CannotStart(f"{name} could not be started in {START_LIMIT:g} s") from error
        raise
    return child


async def _launch(program: Program, pipes: _Pipes, private: str, confinement: Confinement) -> Child:
    options = [str(pipes.control[0]), str(pipes.status[1])]
    boxed = confinement.sandbox
    command = [*(program.command if boxed is None else boxed.wrap(program, private))]
    inherited = [pipes.control[0], pipes.status[1]]
    if program.frames:
        # The protocol has descriptors of its own: what a plugin prints must not end up in it.
        kept = [pipes.entry[0], pipes.outlet[1]]
        command += ["--read-fd", str(kept[0]), "--write-fd", str(kept[1])]
        inherited += kept
        options.append(",".join(map(str, kept)))
        standard = (subprocess.DEVNULL, pipes.errors[1], pipes.errors[1])
    else:
        options.append("")
        standard = (pipes.entry[0], pipes.outlet[1], pipes.errors[1])
    limits = confinement.limits.words(reserving=not program.frames)
    options += [program.directory or private, private, limits]
    environment = dict(program.environment)
    environment["TMPDIR"] = private
    if not program.frames:
        environment["HOME"] = private
    keeper = await trio.lowlevel.open_process(
        [sys.executable, "-I", "-S", KEEPER, *options, *command],
        stdin=standard[0],
        stdout=standard[1],
        stderr=standard[2],
        pass_fds=inherited,
        start_new_session=True,
        env=environment,
        cwd=program.directory or private,
    )
    return pipes.child(keeper, private, sandbox.DEPTH if boxed else 0)


class _Pipes:
    """The pipes between us, the keeper and the bot; each is (read end, write end)."""

    def __init__(self) -> None:
        self._open: set[int] = set()
        try:
            self.control, self.status = self._pipe(), self._pipe()
            self.entry, self.outlet, self.errors = self._pipe(), self._pipe(), self._pipe()
        except BaseException:
            self.close()
            raise

    def _pipe(self) -> tuple[int, int]:
        pair = os.pipe()
        self._open.update(pair)
        return pair

    def child(self, keeper: trio.Process, private: str, depth: int) -> Child:
        """Close the far ends and hand our ends to the child."""
        ours = (self.control[1], self.status[0], self.entry[1], self.outlet[0], self.errors[0])
        for descriptor in ours:
            os.set_blocking(descriptor, False)
            self._open.discard(descriptor)
        self.close()
        return Child(keeper, private, depth, *ours)

    def close(self) -> None:
        close_all(self._open)
        self._open.clear()


def close_all(descriptors: set[int] | tuple[int, ...]) -> None:
    """Close descriptors, whatever happens to one of them."""
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)


def _private_directory() -> str:
    return tempfile.mkdtemp(prefix="tyrusd-bot-")


def _remove(directory: str) -> None:
    shutil.rmtree(directory, ignore_errors=True)
