"""Finds a name to play under when the person gives none."""

import re
from collections.abc import Callable
from typing import Final

LONGEST_NAME: Final = 32
_ALLOWED: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
_FORBIDDEN: Final = re.compile(r"[^A-Za-z0-9_-]+")


def is_name(text: str) -> bool:
    """Tell whether the server can take this as a name: 1 to 32 letters, digits, `_` or `-`."""
    return _ALLOWED.fullmatch(text) is not None


def name_from(login: str, below: Callable[[int], int]) -> str:
    """Return the login name with everything else taken out, or a guest name when nothing is left of it."""
    return _FORBIDDEN.sub("", login)[:LONGEST_NAME] or guest_name(below)


def guest_name(below: Callable[[int], int]) -> str:
    """Return a name like guest-0042; `below(n)` gives a random number from 0 to n - 1."""
    return f"guest-{below(10_000):04}"
