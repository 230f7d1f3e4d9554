"""The worker's end of the link: frames in, frames out, on two descriptors of its own."""

from __future__ import annotations

import os
import stat
from typing import Final

import trio

from tyrusd.host.ladder.link import Frames, LinkError, Log, ToCoordinator, ToWorker, framed, read_by_worker

READ: Final = 64 * 1024
MUCH: Final = 8 << 20  # bytes that wait for the coordinator: more logs are left out
TOO_MUCH: Final = 128 << 20  # far above the results of all games that may run


class Ending(Exception):  # noqa: N818 -- it is not an error
    """The coordinator is gone: so must we be."""


class Wires:
    """What a worker hears and says. Nothing that it says waits; what the pipe does not take is kept here."""

    def __init__(self, entry: int, outlet: int) -> None:
        self._entry = entry
        self._outlet = outlet
        self._frames = Frames()
        self._unsent = bytearray()
        self._work = trio.Event()
        os.set_blocking(entry, False)
        os.set_blocking(outlet, False)

    def send(self, message: ToCoordinator) -> None:
        """Say something, soon."""
        if isinstance(message, Log) and len(self._unsent) > MUCH:
            return
        self._unsent += framed(message)
        self._work.set()

    async def run(self) -> None:
        """Write what there is to say; for ever. Raises Ending, and LinkError when it is not read."""
        while True:
            await self._work.wait()
            self._work = trio.Event()
            await self.flush()

    async def flush(self) -> None:
        """Write all that waits. Raises Ending, and LinkError."""
        while self._unsent:
            if len(self._unsent) > TOO_MUCH:
                raise LinkError("the coordinator does not read")
            try:
                count = os.write(self._outlet, memoryview(self._unsent)[:READ])
            except BlockingIOError:
                await trio.lowlevel.wait_writable(self._outlet)
            except OSError as error:
                raise Ending from error
            else:
                del self._unsent[:count]

    async def heard(self) -> list[ToWorker]:
        """Wait for what the coordinator says, all that comes at once. Raises Ending at its end, LinkError."""
        while True:
            await trio.lowlevel.wait_readable(self._entry)
            try:
                data = os.read(self._entry, READ)
            except BlockingIOError:
                continue
            except OSError as error:
                raise Ending from error
            if not data:
                raise Ending
            found = [read_by_worker(body) for body in self._frames.feed(data)]
            if found:
                return found


def own_descriptors() -> tuple[int, int]:
    """Take stdin and stdout for the link alone: whatever else is printed goes to stderr."""
    entry, outlet = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.dup2(2, 1)
    os.close(empty)
    if stat.S_ISFIFO(os.fstat(2).st_mode):
        os.set_blocking(2, False)  # a line for a coordinator that does not read is lost; games go on
    return entry, outlet
