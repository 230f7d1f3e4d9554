"""How far a long command is, on stderr: a line a second that is overwritten, or each tenth part on a pipe."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Final, TextIO

SECOND: Final = 1.0
PARTS: Final = 10


class Progress:
    """Tells how many of `total` are done; clock gives seconds. Nothing is said of a single one."""

    def __init__(self, total: int, what: str, stream: TextIO, clock: Callable[[], float]) -> None:
        self._total = total
        self._what = what
        self._stream = stream
        self._clock = clock
        self._terminal = stream.isatty()
        self._next_at = clock() + SECOND
        self._width = 0
        self._done = 0

    def step(self) -> None:
        """One more is done."""
        self._done += 1
        if self._total < 2:
            return
        if self._terminal:
            if self._clock() >= self._next_at:
                self._next_at = self._clock() + SECOND
                self._overwrite(self._text())
        elif self._done * PARTS // self._total > (self._done - 1) * PARTS // self._total:
            self._write(self._text() + "\n")

    def line(self, text: str) -> None:
        """Print a line of its own."""
        self.clear()
        self._write(text + "\n")

    def clear(self) -> None:
        """Take the overwritten line away."""
        if self._width:
            self._overwrite("")

    def _text(self) -> str:
        return f"{self._done} of {self._total} {self._what}"

    def _overwrite(self, text: str) -> None:
        self._write("\r" + text.ljust(self._width) + ("" if text else "\r"))
        self._width = len(text)

    def _write(self, text: str) -> None:
        # A full disk or a closed terminal costs what would have been told, never the games.
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()
