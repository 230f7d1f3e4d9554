"""Holds the signals that end a run back from its first line until somebody obeys them."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

ENDINGS: Final = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def held_back() -> Iterator[None]:
    """Let these signals wait, or else one in between would end the run without a word of how to go on."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def let_through() -> None:
    """Somebody listens now: what has waited comes in, and programs that are started get it, too."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)
