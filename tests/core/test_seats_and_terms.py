"""What fills a seat, and on what terms two players agree."""

from __future__ import annotations

import itertools

import pytest

from tyrusd.core.failures import Refused, plain
from tyrusd.core.seatspec import SeatSpec, is_name, parse_seat
from tyrusd.core.terms import Terms, agree
from tyrusd.league.clock import BOTS, PEOPLE, TimeControl
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire
from tyrusd.wire.fields import check_text


@pytest.mark.parametrize(
    ("text", "kind", "rest"),
    [
        ("plugin:random", "plugin", "random"),
        ("plugin:some-dist/random", "plugin", "some-dist/random"),
        ("exec:./mybot --level 3", "exec", "./mybot --level 3"),
        ("exec:a:b", "exec", "a:b"),
        ("tcp:Ada_1", "tcp", "Ada_1"),
        (f"tcp:{'a' * 32}", "tcp", "a" * 32),
    ],
)
def test_seats_are_read_and_written_alike(text: str, kind: str, rest: str) -> None:
    assert parse_seat(text) == SeatSpec(kind, rest) and str(parse_seat(text)) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "plugin:NAME"), ("random", "plugin:NAME"), ("plugin", "plugin:NAME"), ("human:x", "plugin:NAME"),
        ("plugin:", "tyrusd plugins"), ("plugin:/x", "tyrusd plugins"), ("plugin:x/", "tyrusd plugins"),
        ("exec:", "command line"), ("exec:   ", "command line"),
        ("tcp:", "1 to 32"), (f"tcp:{'a' * 33}", "1 to 32"), ("tcp:ä", "1 to 32"), ("tcp:a b", "1 to 32"),
        ("TCP:ada", "plugin:NAME"),
    ],
)  # fmt: skip
def test_what_is_no_seat_is_told_with_what_is_allowed(text: str, told: str) -> None:
    with pytest.raises(ValueError, match="is not a seat") as refusal:
        parse_seat(text)
    assert told in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "good"),
    [("a", True), ("a" * 32, True), ("a" * 33, False), ("", False), ("A-b_9", True), ("a.b", False),
     ("a b", False), ("ａ", False), ("Тyrus", False), ("a\n", False)],
)  # fmt: skip
def test_names(text: str, good: bool) -> None:
    assert is_name(text) is good


def terms(
    side: str | None = None, variant: str | None = None, clock: str | None = None, cap: str | None = None
) -> Terms:
    return Terms.of(wire.Seek(side=side, variant=variant, clock=clock, cap=cap))


def test_terms_of_a_verb() -> None:
    assert terms() == Terms(None, "standard", None)
    assert terms("B", "replay-ties", "5+1", "3") == Terms(
        Side.BROWN, "replay-ties", TimeControl(5000, 1000, 3000)
    )
    assert terms(clock="5+1") == Terms(None, "standard", TimeControl(5000, 1000, None))
    assert terms(cap="3") == Terms(None, "standard", TimeControl(None, 0, 3000))
    assert terms(clock="none", cap="none").time == TimeControl(None, 0, None)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [({"variant": "chess"}, "standard, replay-ties"), ({"clock": "0+0"}, "base"), ({"cap": "0"}, "cap")],
)
def test_terms_that_are_not_offered(wrong: dict[str, str], told: str) -> None:
    with pytest.raises(Refused) as refusal:
        terms(**wrong)
    assert refusal.value.code == "config" and told in refusal.value.sentence


def test_without_a_time_each_kind_of_player_has_its_own() -> None:
    assert terms().control("human") == PEOPLE and terms().control("bot") == BOTS
    assert terms(cap="3").control("human") == terms(cap="3").control("bot") == TimeControl(None, 0, 3000)


def test_two_agree_about_all_but_the_same_colour() -> None:
    sides = {None: None, "I": Side.IVORY, "B": Side.BROWN}
    for one, other in itertools.product(sides, sides):
        assert agree(terms(one), terms(other)) is (one is None or one != other)
    assert not agree(terms(), terms(variant="replay-ties"))
    assert not agree(terms(), terms(clock="5+0")) and not agree(terms(cap="3"), terms(cap="4"))
    assert agree(terms(clock="5+0"), terms(clock="5+0"))


def test_mirrored_terms_always_agree() -> None:
    for side in (None, "I", "B"):
        own = terms(side, "replay-ties", "5+0", "3")
        assert agree(own, own.mirrored())
        assert own.mirrored().side == (None if own.side is None else own.side.other)


@pytest.mark.parametrize(
    "text",
    ["plain", "tab\tand\nline\r\n", "\x1b[2J\x1b]0;title\x07", "\x00\x7f\x9b", "\u2028\u2029\ufeff", "\ud800",
     "🂡" * 5000, "é" * 5000, ""],
)  # fmt: skip
def test_whatever_a_program_said_last_fits_into_a_line(text: str) -> None:
    assert check_text(plain(text)) == plain(text)
    assert len(plain(text)) <= 250


@pytest.mark.parametrize(
    ("sought", "offer"),
    [
        (terms(), "; `play bob` agrees"),
        (terms(side="I"), "; `play bob side=B` agrees"),
        (terms(variant="replay-ties", cap="5"), "; `play bob variant=replay-ties clock=none cap=5` agrees"),
        (terms(clock="300+2"), "; `play bob clock=300+2 cap=none` agrees"),
    ],
)
def test_who_is_refused_is_told_the_words_that_agree(sought: Terms, offer: str) -> None:
    assert sought.offer("bob") == offer
    keys = dict(word.split("=") for word in offer.split("`")[1].split()[2:])
    assert agree(Terms.of(wire.Play("bob", **keys)), sought)
