"""A worker's process as its coordinator sees it: starts it, carries frames, and tells how it ended."""

from __future__ import annotations

import contextlib
import os
import site
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import trio

from tyrusd.host.children import signal_name
from tyrusd.host.ladder.link import Frames, LinkError, ToCoordinator, ToWorker, framed, read_by_coordinator
from tyrusd.host.logs import escaped

COMMAND: Final = (sys.executable, "-P", "-m", "tyrusd.host.ladder.worker")
READ: Final = 64 * 1024
LONGEST_LINE: Final = 1000  # characters of its error output
MUCH: Final = 256 << 20  # bytes that wait for a worker; far above all that it may be told
EXIT_FOLLOWS: Final = 5.0  # seconds between the end of its output and its exit
CLOSE_LIMIT: Final = 5.0  # seconds from the end of its input to its exit


class WorkerProcess:
    """One running worker. `run` is its task; nothing else waits.

    said: what it says, frame by frame; line: what it prints on its error output, printable. descriptors: what
    it inherits. Raises OSError when it cannot be started. Make it in the thread that runs trio, and keep that
    thread: the worker is killed when it ends.
    """

    def __init__(
        self,
        said: Callable[[ToCoordinator], None],
        line: Callable[[str], None],
        descriptors: Sequence[int] = (),
    ) -> None:
        self._said = said
        self._line = line
        self._unsent = bytearray()
        self._work = trio.Event()
        # Not trio's: it would start it in a thread that ends soon, and that would be the parent's death.
        self._process = subprocess.Popen(
            [*COMMAND, "--parent", str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=descriptors,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(search_path())},
        )
        self.pid = self._process.pid
        self.last_line = ""
        self.trouble: str | None = None  # why it was ended by us
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._entry: int | None = os.dup(self._process.stdin.fileno())
        self._outlet = os.dup(self._process.stdout.fileno())
        self._errors = os.dup(self._process.stderr.fileno())
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            stream.close()
        for descriptor in (self._entry, self._outlet, self._errors):
            os.set_blocking(descriptor, False)

    def send(self, message: ToWorker) -> None:
        """Say something, soon; to one that is gone, nothing."""
        self._unsent += framed(message)
        if len(self._unsent) > MUCH:
            self.kill("it does not read what it is told")
        self._work.set()

    def kill(self, why: str) -> None:
        """End it at once; its keepers end its bots."""
        self.trouble = self.trouble or why
        if self._process.returncode is None:
            self._process.kill()

    async def run(self) -> str:
        """Serve it until it has ended; how it ended, as a clause. All it has said is told by then.

        Cancelled, it ends the worker and returns when that is gone.
        """
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._write)
                nursery.start_soon(self._read_errors)
                await self._read()
                with trio.move_on_after(EXIT_FOLLOWS):
                    await self._gone()
                nursery.cancel_scope.cancel()
            if self._process.poll() is None:
                self.kill("it closed its output")
            return self._end()
        finally:
            await self._close()

    async def _close(self) -> None:
        with trio.CancelScope(shield=True):
            if self._entry is not None:
                os.close(self._entry)
                self._entry = None
            with trio.move_on_after(CLOSE_LIMIT):
                await self._gone()
            if self._process.returncode is None:
                self._process.kill()
                self._process.wait()
            os.close(self._outlet)
            os.close(self._errors)

    async def _gone(self) -> None:
        while self._process.poll() is None:
            if not hasattr(os, "pidfd_open"):
                await trio.sleep(0.02)  # not Linux
                continue
            descriptor = os.pidfd_open(self.pid)
            try:
                await trio.lowlevel.wait_readable(descriptor)
            finally:
                os.close(descriptor)

    def _end(self) -> str:
        code = self._process.wait()
        if self.trouble is not None:
            return self.trouble
        end = f"killed by signal {-code} ({signal_name(-code)})" if code < 0 else f"exit status {code}"
        return f"{end}; its last words: {self.last_line}" if self.last_line and code else end

    async def _read(self) -> None:
        frames = Frames()
        while True:
            try:
                data = os.read(self._outlet, READ)
            except BlockingIOError:
                await trio.lowlevel.wait_readable(self._outlet)
                continue
            except OSError:
                return
            if not data:
                return
            try:
                for body in frames.feed(data):
                    self._said(read_by_coordinator(body))
            except LinkError as error:
                self.kill(f"it said what cannot be understood ({error})")
                return
            # A worker with much to say must not keep the others from being heard.
            await trio.lowlevel.checkpoint()

    async def _write(self) -> None:
        while True:
            await self._work.wait()
            self._work = trio.Event()
            while self._unsent and self._entry is not None:
                try:
                    count = os.write(self._entry, memoryview(self._unsent)[:READ])
                except BlockingIOError:
                    await trio.lowlevel.wait_writable(self._entry)
                except OSError:
                    self._unsent.clear()  # it has closed its input: its end is seen elsewhere
                else:
                    del self._unsent[:count]

    async def _read_errors(self) -> None:
        rest = b""
        while True:
            await trio.lowlevel.wait_readable(self._errors)
            with contextlib.suppress(BlockingIOError):
                data = os.read(self._errors, READ)
                if not data:
                    break
                *lines, rest = (rest + data).split(b"\n")
                rest = rest[: 4 * LONGEST_LINE]
                for line in lines:
                    self._print(line)
        self._print(rest)

    def _print(self, line: bytes) -> None:
        text = escaped(line.decode("utf-8", "replace").strip())[:LONGEST_LINE]
        if text:
            self.last_line = text
            self._line(text)


def search_path() -> list[str]:
    """Where a fresh Python finds the same tyrusd as we do."""
    ours = str(Path(__file__).resolve().parents[3])
    searched = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), site.getusersitepackages()}
    given = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    return given if ours in searched else list(dict.fromkeys([ours, *given]))
