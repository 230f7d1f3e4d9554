"""Secrets that people and programs come with, and what is kept of them: digests."""

from __future__ import annotations

import hashlib
import re
from typing import Final

CODE_BYTES: Final = 10  # 80 random bits are sixteen letters of base32

_CODE: Final = re.compile(r"[A-Z2-7]{16}")
_GROUP: Final = 4
# What a person may type instead of a letter; base32 has none of these digits.
_MISREAD: Final = str.maketrans("018", "OIB", "-_")


def digest(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8")).digest()


def key_digest(typed: str) -> bytes:
    """What is kept of a key as somebody typed it: groups and case of a seat code do not matter."""
    letters = typed.upper().translate(_MISREAD)
    return digest(letters if _CODE.fullmatch(letters) else typed)


def write_code(letters: str) -> str:
    """Write the sixteen letters of a seat code in groups, as people type them."""
    return "-".join(letters[start : start + _GROUP] for start in range(0, len(letters), _GROUP))
