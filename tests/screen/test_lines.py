"""What is shown cannot command a terminal, and fits it."""

from __future__ import annotations

import pytest

from tyrusd.screen.clean import printable
from tyrusd.screen.lines import WIDTH, fitted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ann", "ann"),
        ("Ève 北 é", "Ève 北 é"),
        ("\x1b[31mred", "?[31mred"),
        ("\x9b31m", "?31m"),
        ("a\rb\nc\td\x00e\x7f", "a?b?c?d?e?"),
        ("\u202egnp.exe", "?gnp.exe"),
        ("\u2066x\u2069", "?x?"),
        ("a\u2028b\u2029c", "a?b?c"),
        ("\ud800", "?"),
        ("\u200b", "?"),
        ("\ue000", "?"),
        ("", ""),
    ],
)
def test_only_what_can_be_seen_is_shown(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_no_control_character_passes() -> None:
    every = "".join(map(chr, [*range(32), *range(127, 160)]))
    assert printable(every) == "?" * len(every)


def test_a_line_that_fits_stays_as_it_is() -> None:
    exact = "x  " * 26 + "x"
    assert len(exact) == WIDTH
    assert fitted([exact, "", "   two  spaces"]) == [exact, "", "   two  spaces"]


def test_a_long_line_is_broken_between_words_and_goes_on_indented() -> None:
    first, *rest = fitted(["  " + "word " * 40])
    assert first.startswith("  word")
    assert all(line.startswith("      word") for line in rest)
    assert all(len(line) <= WIDTH for line in [first, *rest])
    assert " ".join([first, *rest]).split() == ["word"] * 40


def test_a_word_longer_than_a_line_is_cut() -> None:
    lines = fitted(["y" * 200])
    assert all(len(line) <= WIDTH for line in lines)
    assert "".join(line.strip() for line in lines) == "y" * 200
