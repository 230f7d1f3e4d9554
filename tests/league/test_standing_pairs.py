"""One round of the standing ladder: what may be paired, what comes first, and what is left to chance."""

from __future__ import annotations

import itertools
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tyrusd.league.standing import ANCHOR_EVERY, Entry, Meeting, choose
from tyrusd.rules.pieces import Side

NOW, REMATCH = 1000.0, 5.0
DUE = ANCHOR_EVERY - 1


def pairs(*entries: Entry, now: float = NOW, chance: bytes = b"") -> list[Meeting]:
    return choose(entries, now, REMATCH, chance)


def who(*entries: Entry, now: float = NOW, chance: bytes = b"") -> set[frozenset[str]]:
    return {frozenset(meeting[:2]) for meeting in pairs(*entries, now=now, chance=chance)}


def bot(key: str, since: float = 0.0, **keys: object) -> Entry:
    return Entry(key, since)._replace(**keys)  # type: ignore[arg-type]


def test_two_who_wait_meet() -> None:
    assert who(bot("a"), bot("b")) == {frozenset("ab")}
    assert not pairs() and not pairs(bot("a")) and not pairs(bot("a"), bot("b", room=0))


def test_nobody_waits_twice() -> None:
    with pytest.raises(ValueError, match="waits twice"):
        pairs(bot("a"), bot("a"))


@pytest.mark.parametrize(("ones", "others"), [("ao", "bo"), ("ab", "b"), ("a", "ba"), ("ab", "bo")])
def test_one_owner_behind_both_never_meets_itself(ones: str, others: str) -> None:
    one, other = bot("a", backers=frozenset(ones)), bot("b", backers=frozenset(others))
    assert not pairs(one, other)
    assert who(one, other, bot("c"), bot("d", backers=frozenset("de"))) in (
        {frozenset("ac"), frozenset("bd")},
        {frozenset("ad"), frozenset("bc")},
    )


def test_different_owners_meet() -> None:
    assert pairs(bot("a", backers=frozenset("ao")), bot("b", backers=frozenset("bp")))


def test_two_play_one_game_at_a_time() -> None:
    one, other = bot("a", room=3, playing=frozenset("b")), bot("b", room=3, playing=frozenset("a"))
    assert not pairs(one, other)
    assert who(one, other, bot("c", room=3)) == {frozenset("ac"), frozenset("bc")}


@pytest.mark.parametrize("seconds", [REMATCH - 0.001, REMATCH, REMATCH + 1])
def test_who_has_just_met_waits_for_somebody_else_first(seconds: float) -> None:
    one, other = (bot(key, NOW, last=enemy, ended=NOW) for key, enemy in ("ab", "ba"))
    assert bool(pairs(one, other, now=NOW + seconds)) is (seconds >= REMATCH)
    assert who(one, other, bot("c", NOW), now=NOW + seconds) != {frozenset("ab")}


@pytest.mark.parametrize("ended", [(NOW, 0.0), (0.0, NOW)])
def test_a_rematch_of_one_of_them_is_one(ended: tuple[float, float]) -> None:
    one = bot("a", last="b" if ended[0] else "x", ended=ended[0])
    other = bot("b", last="a" if ended[1] else "x", ended=ended[1])
    assert not pairs(one, other, now=NOW + REMATCH - 0.001)
    assert pairs(one, other, now=NOW + REMATCH)


def test_who_waits_longest_is_served_first() -> None:
    assert who(
        bot("a", 3.0),
        bot("b", 1.0, backers=frozenset("b")),
        bot("c", 2.0),
        bot("d", 1.5, backers=frozenset("b")),
    ) == {
        frozenset("bc"),
        frozenset("ad"),
    }


def test_who_has_met_least_often_relative_to_the_rest_comes_first() -> None:
    met = {"b": 9, "c": 10, "x": 100}
    # b has met a in every second game of its own, c only now and then.
    b, c = bot("b", met={"a": 9, "x": 9}), bot("c", met={"a": 10, "x": 190})
    assert who(bot("a", met=met), b._replace(since=2), c._replace(since=3)) == {frozenset("ac")}


def test_then_the_closest_rating() -> None:
    one = bot("a", rating=1500.0)
    rest = [bot("b", 1, rating=1600.0), bot("c", 2, rating=1450.0), bot("d", 3), bot("e", 4, rating=1000.0)]
    assert frozenset("ac") in who(one, *rest)
    assert frozenset("ab") in who(one, rest[0], rest[2])


def test_then_who_waits_longest() -> None:
    assert frozenset("ac") in who(bot("a"), bot("b", 2.0), bot("c", 1.0))


def test_then_chance() -> None:
    found: Counter[frozenset[str]] = Counter(
        frozenset(*who(bot("a"), bot("b", 1.0), bot("c", 1.0), chance=bytes([toss]))) for toss in range(200)
    )
    assert set(found) == {frozenset("ab"), frozenset("ac")} and min(found.values()) > 60
    seats = Counter(pairs(bot("a"), bot("b"), chance=bytes([toss]))[0] for toss in range(200))
    assert len(seats) == 4 and min(seats.values()) > 25


def test_sides_and_openers_are_given_by_balance() -> None:
    one, other = bot("a", sides=1, openers=-1), bot("b", sides=-1, openers=1)
    assert pairs(one, other) == [Meeting("b", "a", Side.BROWN)]
    assert {meeting.brown for meeting in pairs(bot("a", sides=1), bot("b"))} == {"a"}
    assert pairs(bot("a", sides=1, openers=1), bot("b", sides=-1, openers=-1)) == [
        Meeting("b", "a", Side.IVORY)
    ]


@pytest.mark.parametrize("what", ["sides", "openers"])
def test_who_would_leave_the_balance_meets_somebody_else_if_there_is_one(what: str) -> None:
    a, b, c, d = (
        bot(key, at, **{what: even}) for at, (key, even) in enumerate(zip("abcd", (1, 1, 0, 0), strict=True))
    )
    assert who(a, b, c, d) == {frozenset("ac"), frozenset("bd")}
    assert who(a, b) == {frozenset("ab")}


@pytest.mark.parametrize("what", ["sides", "openers"])
@pytest.mark.parametrize("even", [2, -2])
def test_nobody_goes_beyond_two(what: str, even: int) -> None:
    assert not pairs(bot("a", **{what: even}), bot("b", **{what: even}))
    assert pairs(bot("a", **{what: even}), bot("b", **{what: even // 2}))
    # What a game without a result has left only gets better.
    (meeting,) = pairs(bot("a", sides=3), bot("b"))
    assert meeting.brown == "a"


def test_an_anchor_is_for_who_finds_nobody() -> None:
    anchor = Entry("rock", 0.0, 256, anchor=True, rating=1000.0)
    assert who(bot("a"), bot("b"), anchor) == {frozenset("ab")}
    assert who(bot("a"), bot("b"), bot("c"), anchor) == {frozenset("ab"), frozenset({"c", "rock"})}


@pytest.mark.parametrize("seconds", [REMATCH - 0.001, REMATCH])
def test_who_has_just_come_waits_for_a_bot_first(seconds: float) -> None:
    anchor = Entry("rock", 0.0, 256, anchor=True)
    assert bool(pairs(bot("a", NOW), anchor, now=NOW + seconds)) is (seconds >= REMATCH)


def test_anchors_never_meet_each_other() -> None:
    assert not pairs(*(Entry(key, 0.0, 9, anchor=True, unanchored=DUE) for key in ("rock", "stone")))


@pytest.mark.parametrize("unanchored", [DUE - 1, DUE, DUE + 1])
def test_the_tenth_game_is_against_an_anchor(unanchored: int) -> None:
    anchor = Entry("rock", 0.0, 256, anchor=True)
    due = unanchored >= DUE
    found = who(bot("a", unanchored=unanchored), bot("b"), anchor)
    assert (frozenset({"a", "rock"}) in found) is due
    # Nobody waits for an anchor that plays all that it can.
    assert who(bot("a", unanchored=unanchored), bot("b"), anchor._replace(room=0)) == {frozenset("ab")}


def test_many_games_at_once_do_not_pass_an_anchor_by() -> None:
    anchor = Entry("rock", 0.0, 256, anchor=True)
    rest = [bot(f"b{number}") for number in range(20)]
    found = pairs(bot("a", 99.0, room=20, unanchored=DUE - 1), *rest, anchor)
    assert sum("a" in meeting[:2] for meeting in found) == 1


KEYS = "abcdefghij"


@st.composite
def rounds(draw: st.DrawFn) -> list[Entry]:
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True))
    return [
        Entry(
            key,
            draw(st.sampled_from([0.0, 990.0, 996.0, 999.0])),
            draw(st.integers(0, 3)),
            frozenset(key + draw(st.sampled_from(["", "", "", "a", "o"]))),
            draw(st.integers(-2, 2)),
            draw(st.integers(-2, 2)),
            draw(st.sampled_from([None, *KEYS])),
            draw(st.sampled_from([0.0, 990.0, 996.0])),
            draw(st.dictionaries(st.sampled_from(KEYS), st.integers(1, 5), max_size=4)),
            draw(st.frozensets(st.sampled_from(KEYS), max_size=2)),
            draw(st.sampled_from([None, 0.0, 1000.0, 1400.0])),
            draw(st.integers(0, 9)) == 0,
            draw(st.integers(0, 12)),
        )
        for key in keys
    ]


@settings(max_examples=150)
@given(rounds(), st.binary(max_size=2))
def test_what_holds_of_every_round(entries: list[Entry], chance: bytes) -> None:
    met = pairs(*entries, chance=chance)
    known = {entry.key: entry for entry in entries}
    assert pairs(*entries, chance=chance) == met
    assert pairs(*reversed(entries), chance=chance) == met  # whoever stands first in a list has no advantage
    assert len({frozenset(meeting[:2]) for meeting in met}) == len(met)
    games: Counter[str] = Counter()
    sides: Counter[str] = Counter({entry.key: entry.sides for entry in entries})
    openers: Counter[str] = Counter({entry.key: entry.openers for entry in entries})
    for ivory, brown, opener in met:
        one, other = known[ivory], known[brown]
        assert ivory != brown and not (one.anchor and other.anchor)
        assert brown not in one.playing and ivory not in other.playing
        assert one.backers.isdisjoint(other.backers)
        for key, side in ((ivory, 1), (brown, -1)):
            games[key] += 1
            sides[key] += side
            openers[key] += side * (1 if opener is Side.IVORY else -1)
    for key, entry in known.items():
        assert games[key] <= entry.room
        if not entry.anchor:
            assert abs(sides[key]) <= 2 and abs(openers[key]) <= 2
    left = [entry for entry in entries if entry.room and not games[entry.key] and not entry.anchor]
    for one, other in itertools.combinations(left, 2):
        assert not _could_meet(one, other), "two are left who could have met"
    for meeting in met:
        one, other = known[meeting.ivory], known[meeting.brown]
        anchored = one.anchor or other.anchor
        at_once = games[one.key] == games[other.key] == 1  # else it has begun another game in between
        if at_once and not anchored and (one.last == other.key or other.last == one.key):
            for somebody in left:  # no rematch while there was somebody else
                assert not _could_meet(one, somebody) and not _could_meet(other, somebody)


def _could_meet(one: Entry, other: Entry) -> bool:
    if other.key in one.playing or one.key in other.playing or other.anchor or one.anchor:
        return False
    if not one.backers.isdisjoint(other.backers):
        return False
    if one.last == other.key or other.last == one.key:
        return False
    return all(
        mine * theirs != 4 for mine, theirs in ((one.sides, other.sides), (one.openers, other.openers))
    )


def test_three_hundred_who_wait_cost_little() -> None:
    keys = [f"bot{number}" for number in range(300)]
    met = {key: 1 + number % 7 for number, key in enumerate(keys)}
    entries = [
        bot(key, float(number % 50), met=met, last=keys[number - 1]) for number, key in enumerate(keys)
    ]
    began = time.process_time()
    found = pairs(*entries)
    spent = time.process_time() - began
    assert len(found) == 150
    assert spent < 1.0, f"{spent:.3f} s of processor time"  # 0.01 s where this was written
