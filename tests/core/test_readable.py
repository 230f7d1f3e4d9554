"""A display name shows something on every screen, in every script, and stays in its line."""

from __future__ import annotations

import unicodedata

import pytest

from tyrusd.core.accounts import display_fault, label_fault
from tyrusd.core.readable import MOST_ACCENTS, MOST_MARKS

NAMES = (
    "Ada", "Ада", "أدا 王", "é" * 64, "e\u0301" * 32, "Nguyễn",
    unicodedata.normalize("NFD", "Nguyễn Thị Hường"), unicodedata.normalize("NFD", "ᾇ"),
    "မျှော်လင့်", "မြို့", "ที่รัก ก้ำกึ่ง", "ज़ों क्षि", "བསྒྲུབས", "שׁלּוֹם", "مُحَمَّدٌ", "ស្ត្រី",
    "한국어", "ひらがな", "O'Brien-Smith, jr. :)", "7", "Ada 🦊"
)  # fmt: skip


@pytest.mark.parametrize("text", NAMES)
def test_names_of_people_in_many_scripts(text: str) -> None:
    assert display_fault(text) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\u3164", "nobody sees"), ("\u2800\u2800", "nobody sees"), ("\u115f", "nobody sees"),
        ("\uffa0", "nobody sees"), ("\u17b4", "nobody sees"), ("\u034f", "nobody sees"),
        ("Ada\u3164", "nobody sees"), ("A\u034fda", "nobody sees"), ("Ada\ufe0f", "nobody sees"),
        ("A\u2800da", "nobody sees"), ("\U0001d159", "nobody sees"), ("\U000e0100x", "nobody sees"),
        ("A\u00adda", "control"), ("A\u200dda", "control"), ("\ufeffAda", "control"),
        ("...", "one letter or digit"), ("\u0301", "one letter or digit"),
        ("🦊", "one letter or digit"),
        ("- -", "one letter or digit"),
        ("\u0301Ada", "without a letter under"), ("Ada \u0308x", "without a letter under"),
        ("a" + "\u0301\u0302\u0303" * 20, "on one letter"), ("b" + "\u0301\u0302\u0303", "on one letter"),
        ("b\u20dd\u20de\u20df", "on one letter"), ("b\u0301\u0301", "twice"), ("ก" + "\u0e49" * 2, "twice"),
        ("ก" + "\u0e49\u0e34" * 3, "on one letter"),
    ],
)  # fmt: skip
def test_what_is_unseen_or_heaped(text: str, said: str) -> None:
    for fault in (display_fault(text), label_fault(text)):
        assert fault is not None and said in fault


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_the_edges_of_accents_and_marks(more: int) -> None:
    accents = "".join(chr(0x0316 + number) for number in range(MOST_ACCENTS + more))
    marks = "".join(chr(0x0E34 + number) for number in range(MOST_MARKS + more))
    for text in (f"x{accents}", f"ก{marks}", f"x{accents}x{accents}"):
        assert (display_fault(text) is None) is (more <= 0), ascii(text)


@pytest.mark.parametrize(
    "wide", ["\u3164", "\u1160", "\u180b", "\u2065", "\ufff8", "\U000e0fff", "\U0001d17a"]
)
def test_the_table_has_both_ends_of_its_ranges(wide: str) -> None:
    assert display_fault(f"Ada{wide}da") is not None
