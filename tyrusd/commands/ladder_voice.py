"""Where a ladder says what: results on one stream, notes on stderr, and progress that yields to both."""

from __future__ import annotations

import errno
import io
from typing import Final, Protocol, TextIO

from tyrusd.commands.ladder_events import silence
from tyrusd.host.logs import escaped

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class Display(Protocol):
    """Something that is drawn on stderr and must make room for lines."""

    def write(self, text: str) -> bool:
        """Put lines above what is drawn; False if nothing is drawn: then they are written plainly."""


class Voice:
    """Writes lines; a stream that nobody reads or that is full stops no game."""

    def __init__(self, out: TextIO, err: TextIO) -> None:
        self._out = out
        self._err = err
        self.display: Display | None = None
        self.full: str | None = None
        """Why results were lost on another stream than stderr, other than that nobody reads them."""

    def line(self, text: str = "") -> None:
        """Write a line of results; texts from outside were made safe before."""
        self._write(self._out, text)

    def lines(self, *texts: str) -> None:
        """Write several."""
        for text in texts:
            self.line(text)

    def note(self, text: str) -> None:
        """Write a note, whatever is in it, on stderr."""
        self._write(self._err, f"tyrusd: {escaped(text)}")

    def logged(self, line: str) -> None:
        """Write a line of the log, which is printable already."""
        self._write(self._err, line)

    def data(self, text: str, stream: TextIO) -> None:
        """Write what a program will read, to a stream that has nothing else."""
        self._write(stream, text)

    def _write(self, stream: TextIO, text: str) -> None:
        if self.display is not None and stream.isatty() and self.display.write(text):
            return
        try:
            stream.write(text + "\n")
            stream.flush()
        except (OSError, ValueError) as error:
            # A reader or a terminal that has gone wants no lines; a full disk was to hold them.
            if stream is not self._err and isinstance(error, OSError) and error.errno in _FULL:
                self.full = error.strerror or str(error)
            silence(stream)


class LogStream(io.StringIO):
    """A stream for the log whose lines scroll past what is drawn, as all others do."""

    def __init__(self, voice: Voice) -> None:
        super().__init__()
        self._voice = voice

    def write(self, text: str) -> int:
        """Write a record, which comes whole."""
        self._voice.logged(text.rstrip("\n"))
        return len(text)
