"""Writes log lines to a descriptor without ever waiting or raising; what does not fit is counted and told."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import select
from typing import Final

from tyrusd.host.met import met

BACKLOG: Final = 256 * 1024  # bytes that wait for a reader
PIECE: Final = 4096  # a pipe that is ready takes that much (PIPE_BUF of Linux), so no write waits

_HAS_POLL: Final = hasattr(select, "poll")


class Sink(logging.Handler):
    """Lines for one descriptor, in order.

    A reader who does not read gets what is in the backlog and then a count of what was left out; a descriptor
    that is closed, broken or full loses lines, which are counted as well. A server never notices.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self.descriptor = descriptor
        self.lost = 0
        self._waiting = bytearray()
        self._inside = False  # a line has begun and not ended
        self._torn = False  # that line will never end

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or as much of it as the descriptor takes now."""
        try:
            data = f"{self.format(record)}\n".encode("utf-8", "backslashreplace")
        except Exception:  # a record that cannot be written must not end who wrote it
            self.lost += 1
            return
        self.push()
        if self.lost and not self._waiting:
            self._tell_lost(record)
        if len(self._waiting) + len(data) > BACKLOG:
            self.lost += 1
            met("log_backlog")
            return
        self._waiting += data
        self.push()

    def push(self) -> None:
        """Write what waits, as far as that needs no waiting."""
        while self._waiting:
            try:
                if not self._is_ready():
                    return
                piece = bytes(self._waiting[:PIECE])
                if self._torn:
                    os.write(self.descriptor, b"\n")
                    self._torn = False
                written = os.write(self.descriptor, piece)
            except OSError as error:
                if error.errno in (errno.EAGAIN, errno.EINTR):
                    return
                self._give_up()
                return
            self._inside = not piece[:written].endswith(b"\n")
            del self._waiting[:written]

    def flush(self) -> None:
        """Nothing waits in here that could be written."""
        self.push()

    def _give_up(self) -> None:
        """Nobody will ever read what waits, or there is no room for it: later lines may have more luck."""
        self.lost += self._waiting.count(b"\n")
        self._waiting.clear()
        self._torn = self._torn or self._inside
        self._inside = False

    def _is_ready(self) -> bool:
        if not _HAS_POLL:
            return True
        poll = select.poll()
        poll.register(self.descriptor, select.POLLOUT)
        return any(mask & (select.POLLOUT | select.POLLERR | select.POLLNVAL) for _, mask in poll.poll(0))

    def _tell_lost(self, record: logging.LogRecord) -> None:
        count, self.lost = self.lost, 0
        told = logging.LogRecord(
            record.name, logging.WARNING, "", 0, "%d log lines were lost: nobody took them", (count,), None
        )
        with contextlib.suppress(Exception):
            self._waiting += f"{self.format(told)}\n".encode("utf-8", "backslashreplace")
        before = self.lost
        self.push()
        if self.lost > before:  # not even that can be said now
            self.lost = count


def occupy_standard_streams() -> None:
    """Open the null device where stdin, stdout or stderr is closed.

    Else the next file or socket would get that number, and what is meant for stderr would be written to it.
    """
    with contextlib.suppress(OSError):
        while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
            os.set_inheritable(descriptor, True)
        os.close(descriptor)
