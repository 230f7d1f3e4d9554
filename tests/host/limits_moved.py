"""Shows which limits of the host a piece of a test has met."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tyrusd.host.met import counted

AROUND = (-1, 0, 1)
"""One below a limit, at it, and one above."""


@contextmanager
def moved(*words: str, times: int = 1) -> Iterator[None]:
    """Make sure that what is done here counts these limits, each so often, and no other."""
    before = counted()
    yield
    now = counted()
    assert {word: now[word] - before[word] for word in now if now[word] != before[word]} == dict.fromkeys(
        words, times
    )
