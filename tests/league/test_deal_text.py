"""Deals as text: what is written is read back, and nothing that differs is taken for a deal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.wire.abnf import Grammar
from tyrusd.league.deal_text import KEYS, read_deal, read_deals, write_deal
from tyrusd.rules.deal import deal_from_bytes

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "deals.md").read_text("utf-8")
LINE = write_deal(deal_from_bytes(b"one"))
OTHER = write_deal(deal_from_bytes(b"two"))


@given(st.binary(min_size=1, max_size=40))
def test_a_deal_is_read_back(secret: bytes) -> None:
    deal = deal_from_bytes(secret)
    assert read_deal(write_deal(deal)) == deal


def test_the_line_is_that_of_the_page() -> None:
    [shown] = re.findall(r"```deal\n(.*?)\n```", PAGE)
    assert [word.partition("=")[0] for word in shown.split(" ")] == list(KEYS)
    assert [word.partition("=")[0] for word in LINE.split(" ")] == list(KEYS)


def test_the_grammar_of_the_page_is_that_of_the_lines() -> None:
    [text] = re.findall(r"```deal-abnf\n(.*?)```", PAGE, re.DOTALL)
    grammar = Grammar(text)
    assert grammar.matches("deal", LINE) and grammar.matches("file", f"# x\n\n{LINE}\n")
    for wrong in (LINE + " ", LINE[:-1], LINE.lower(), LINE.replace("opener=", "opener=X")):
        assert not grammar.matches("deal", wrong)
    assert grammar.rules.keys() - grammar.used == {"file"}


def swapped(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "four words"),
        (LINE + " ", "four words"),
        (" " + LINE, "four words"),
        (swapped(LINE, " opener", "  opener"), "four words"),
        (swapped(LINE, "cards=", "Cards="), "four words"),
        (" ".join(reversed(LINE.split(" "))), "four words"),
        (LINE + " " + LINE, "four words"),
        (re.sub("opener=.", "opener=b", LINE), "opener=b: write opener=I or opener=B"),
        (re.sub("opener=.", "opener=", LINE), "opener=: write"),
        (re.sub("cards=.", "cards=X", LINE), "'X' is no card"),
        (re.sub("cards=.", "cards=", LINE), "three of each kind"),
        (re.sub("cards=[CMT]{9}", "cards=CCCCMMTTT", LINE), "three of each kind"),
        (re.sub("ivory=[^,]+,", "ivory=", LINE), "ivory must be each of the thirty tiles once"),
        (re.sub("brown=[^,]+,", "brown=S11,", LINE), "'S11' is no tile"),
        (re.sub("brown=[^,]+,", "brown=,", LINE), "'' is no tile"),
        (re.sub("brown=[^,]+,", "brown=S01,", LINE), "'S01' is no tile"),
        (re.sub("brown=([^,]+),([^,]+),", r"brown=\1,\1,", LINE), "brown must be each"),
        (LINE + "\r", r"'[SMP]\d+\\r' is no tile"),
    ],
)
def test_anything_else_is_refused_with_what_is_wrong(line: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read_deal(line)


def test_a_file_has_comments_and_empty_lines() -> None:
    deals = read_deals(f"# two deals\n{LINE}\n\n#{LINE}\n{OTHER}\n")
    assert [write_deal(deal) for deal in deals] == [LINE, OTHER]
    assert read_deals("") == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"{LINE}\n{OTHER}", "line 2: it has no end"),
        (f"{LINE}\nnonsense\n", "line 2: a deal is four words"),
        (f"# x\n{LINE}\n{OTHER}\n{LINE}\n", "line 4: the deal of line 2 again"),
    ],
)
def test_a_file_is_refused_with_its_line(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read_deals(text)
