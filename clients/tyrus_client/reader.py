"""Reads lines from the standard input as they come, whatever it is: a terminal, a pipe or a file."""

import os
from typing import Final

import trio

_CHUNK: Final = 4096
_LONGEST: Final = 4096  # a longer line was not typed by a person, and no command is nearly that long


class LineReader:
    """Lines from a file descriptor, whose flags are left alone: a shell or the standard output shares them.

    `read_line` can be cancelled and loses nothing.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._kept = bytearray()
        self._ended = False

    async def read_line(self) -> str | None:
        """Return the next line without its end, None when there are no more."""
        while b"\n" not in self._kept and not self._ended:
            data = await self._read()
            self._ended = not data
            self._kept += data
            if b"\n" not in self._kept:
                del self._kept[_LONGEST:]
        if not self._kept and self._ended:
            return None
        line, _, rest = self._kept.partition(b"\n")
        self._kept = rest
        return line.removesuffix(b"\r").decode("utf-8", "replace")

    async def _read(self) -> bytes:
        while True:
            try:
                await trio.lowlevel.wait_readable(self._descriptor)
            except PermissionError:
                # A regular file cannot be waited for, and need not be: it is always ready.
                await trio.lowlevel.checkpoint()
            except OSError:
                return b""  # the input was closed before we started
            try:
                return os.read(self._descriptor, _CHUNK)
            except BlockingIOError:
                continue  # somebody else was quicker
            except OSError:
                return b""  # a terminal that was hung up
