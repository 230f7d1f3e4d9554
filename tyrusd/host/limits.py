"""What a bot's process may use, and in which word its end is told when that was not enough."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

MIB: Final = 1024 * 1024
_ENOUGH: Final = 0.9  # of a limit: whoever used that much was ended by it


class Usage(NamedTuple):
    """What an ended process used: milliseconds of processor time, bytes of memory at its peak."""

    cpu_ms: int = 0
    memory: int = 0


class Limits(NamedTuple):
    """The limits of one bot process, set before its program begins (docs/security.md#limits).

    memory: MiB; cpu: seconds of processor time in its whole life, None for no limit; file_size: MiB of a
    single file; files: open at a time; processes: that this user may have beyond what the system ran when the
    bot was started (the system counts all of a user's together, and never limits root).
    """

    memory: int = 512
    cpu: int | None = None
    file_size: int = 256
    files: int = 512
    processes: int = 256

    def words(self, *, reserving: bool) -> str:
        """Write them as the keeper reads them.

        reserving: the program is of a kind (node, java) that reserves far more addresses than it uses, so
        that only the memory which it can write to is limited, not its addresses.
        """
        memory = self.memory * MIB
        found = {
            "CORE": "0",
            "DATA": str(memory),
            "FSIZE": str(self.file_size * MIB),
            "NOFILE": str(self.files),
            "NPROC": f"+{self.processes}",
        }
        if not reserving:
            found["AS"] = str(memory)
        if self.cpu is not None:
            found["CPU"] = f"{self.cpu}:{self.cpu + 1}"  # SIGXCPU, and SIGKILL for who ignores that
        return ",".join(f"{name}={value}" for name, value in found.items())

    def ended_by(self, end: str, usage: Usage, last_words: str) -> str | None:
        """Tell by which limit a process ended, as `limit-memory`; None when it was none of them.

        end: how it ended, as the keeper's words; last_words: the end of its error output. A program that is
        refused memory, files or processes ends by its own decision, so what it used and said must tell.
        """
        if end == "exit status 0":
            return None
        for sign, word in _SIGNALS:
            if sign in end:
                return word
        if self.cpu is not None and usage.cpu_ms >= self.cpu * 1000 and "SIGKILL" in end:
            return "limit-cpu"
        if usage.memory >= self.memory * MIB * _ENOUGH:
            return "limit-memory"
        for pattern, word in _SENTENCES:
            if pattern.search(last_words):
                return word
        return None


_SIGNALS: Final = (("SIGXCPU", "limit-cpu"), ("SIGXFSZ", "limit-file-size"))
_SENTENCES: Final = (
    (
        re.compile(r"MemoryError|bad_alloc|[Oo]ut of memory|Cannot allocate memory|OutOfMemoryError"),
        "limit-memory",
    ),
    (re.compile(r"File too large"), "limit-file-size"),
    (re.compile(r"Too many open files"), "limit-files"),
    (re.compile(r"can't start new thread|Resource temporarily unavailable"), "limit-processes"),
)

DEFAULT: Final = Limits()
