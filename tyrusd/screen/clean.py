"""Decides which characters of somebody else's text may reach a person's terminal."""

import unicodedata
from typing import Final

REPLACEMENT: Final = "?"


def printable(text: str) -> str:
    """Return the text with every control, format, private or unassigned character as a question mark.

    Escape sequences could recolour or rewrite a terminal, direction marks could reorder a line.
    """
    # The first letter of a category says what it is for: C is everything that is not there to be seen.
    # Line and paragraph separators (Zl, Zp) would break the line on some terminals.
    return "".join(REPLACEMENT if _is_hidden(unicodedata.category(letter)) else letter for letter in text)


def _is_hidden(category: str) -> bool:
    return category[0] == "C" or category in ("Zl", "Zp")
