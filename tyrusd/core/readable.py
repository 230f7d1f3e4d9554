"""Which texts people can read on any screen: nothing unseen, and no heap of marks on one letter."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import Final

MOST_MARKS: Final = 5  # in a row: a Burmese syllable has as many (မျှော်), and no script in daily use more
MOST_ACCENTS: Final = 2  # of those that go on letters of every script, and pile up: as in Vietnamese

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SEEN: Final = frozenset({"L", "N", "S"})  # letters, numbers, pictures: what a mark can stand on

# Default_Ignorable_Code_Point of https://www.unicode.org/Public/16.0.0/ucd/DerivedCoreProperties.txt, with
# its ranges joined: what is not shown where it is not supported. `unicodedata` does not tell it.
_IGNORABLE: Final = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip

# Shown as nothing although they are letters or symbols by their category: the blank of braille, the empty
# head of a note, the filler of Khitan, and the blanks of hieroglyphs (names in UnicodeData.txt).
_BLANK: Final = frozenset("\u2800\U0001d159\U00016fe4\U00013441\U00013442")

# Blocks.txt: Combining Diacritical Marks, Extended, Supplement, for Symbols, and Half Marks.
_ACCENTS: Final = (
    (0x0300, 0x036F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F),
)  # fmt: skip


def unreadable(text: str) -> str | None:
    """Return what is wrong with a text, to be said after its name and `has`; None: people can read it."""
    if text != text.strip() or any(unicodedata.category(letter) in _UNSEEN for letter in text):
        return "no control or direction characters, and no blanks at its ends"
    if any(letter in _BLANK or _within(letter, _IGNORABLE) for letter in text):
        return "no characters that nobody sees"
    composed = unicodedata.normalize("NFC", text)
    if not any(unicodedata.category(letter)[0] in "LN" for letter in composed):
        return "at least one letter or digit"
    return _heap(composed)


def _heap(text: str) -> str | None:
    marks = accents = 0
    for before, letter in pairwise(f" {text}"):
        if unicodedata.category(letter)[0] != "M":
            marks = accents = 0
            continue
        if not marks and unicodedata.category(before)[0] not in _SEEN:
            return "no marks without a letter under them"
        if letter == before:
            return "no mark twice on one letter"
        marks += 1
        accents += _within(letter, _ACCENTS)
        if marks > MOST_MARKS or accents > MOST_ACCENTS:
            return f"at most {MOST_ACCENTS} accents and {MOST_MARKS} marks on one letter"
    return None


def _within(letter: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(low <= ord(letter) <= high for low, high in ranges)
