"""How a bot's process reads and writes: blocking, all that is there at once, the bot's own output apart."""

from __future__ import annotations

import os
import select
import sys
from typing import Final, NoReturn, Protocol

READ_SIZE: Final = 65_536  # bytes; a Linux pipe holds as much
READS_A_ROUND: Final = 16  # then the bot is asked, even if more keeps coming


class Stream(Protocol):
    """A connection with the server."""

    def read(self) -> bytes:
        """Wait for bytes and return all that are there; none at the end of the stream."""

    def write(self, data: bytes) -> None:
        """Write everything; BrokenPipeError when the server is gone."""


class Descriptors:
    """Two descriptors of pipes, one for each way."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd

    def read(self) -> bytes:
        """Wait for bytes and return all that are there; none at the end of the stream."""
        chunks = [os.read(self._read_fd, READ_SIZE)]
        # The bot should see every decision that waits in one call, so the pipe is emptied before it is asked.
        while chunks[-1] and len(chunks) < READS_A_ROUND and readable(self._read_fd):
            chunks.append(os.read(self._read_fd, READ_SIZE))
        return b"".join(chunks)

    def write(self, data: bytes) -> None:
        """Write everything; BrokenPipeError when the server is gone."""
        view = memoryview(data)
        while view:
            view = view[os.write(self._write_fd, view) :]


def readable(descriptor: int) -> bool:
    """Tell whether more can be read at once."""
    try:
        return bool(select.select([descriptor], [], [], 0)[0])
    except (OSError, ValueError):
        return False  # where select is for sockets only, the next round reads the rest


def give_standard_streams_to_the_bot() -> None:
    """Let the bot read nothing from standard input, and have what it prints go to standard error."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    # Line by line, or a crash would lose what the bot printed last.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]


def leave(status: int) -> NoReturn:
    """End the process at once."""
    sys.stdout.flush()
    sys.stderr.flush()
    # A thread or exit handler of the bot must not keep the process, nor change its exit status.
    os._exit(status)
