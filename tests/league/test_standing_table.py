"""The table of a standing ladder: known strengths are found, versions merged, forfeits apart."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, count
from typing import Literal

import pytest

from tyrusd.league.merges import merge_fault
from tyrusd.league.rated import Arranged, RatedGame, Version
from tyrusd.league.standing_table import RatingRow, RatingTable, VersusRow, rating_table
from tyrusd.league.statistics.scale import score_of

_SIDES: tuple[Literal["ivory", "brown"], Literal["ivory", "brown"]] = ("ivory", "brown")
ANCHORS = {"random": 0, "greedy": 300}
_ids = count(1)


def game(
    ivory: Version,
    brown: Version,
    winner: int | None = 0,
    reason: str = "majority",
    *,
    opener: int = 0,
    by: Arranged = "ladder",
    flags: tuple[str, ...] = (),
) -> RatedGame:
    """A rated game; winner and opener: 0 for Ivory, 1 for Brown."""
    won = None if winner is None else _SIDES[winner]
    return RatedGame(f"g{next(_ids)}", ivory, brown, won, reason, _SIDES[opener], by, flags)


def simulated(
    strengths: Mapping[Version, float], games: int, chances: random.Random, draws: float = 0.05
) -> list[RatedGame]:
    """So many games of each two whose chances are those of Elo's curve; draws take as much off both."""
    found = []
    for one, other in combinations(strengths, 2):
        promised = score_of(strengths[one] - strengths[other])
        share = draws * 4 * promised * (1 - promised)
        for number in range(games):
            luck = chances.random()
            won = None if luck < share else luck < share + promised - share / 2
            ivory, brown = (one, other) if number % 2 else (other, one)
            found.append(game(ivory, brown, None if won is None else (one, other)[not won] != ivory))
    return found


def table(
    games: Iterable[RatedGame],
    merges: Mapping[Version, Version] | None = None,
    anchors: Mapping[str, int] = ANCHORS,
    provisional: int = 20,
) -> RatingTable:
    return rating_table(games, merges or {}, anchors, provisional)


def row(found: RatingTable, version: Version) -> RatingRow:
    [only] = [row for row in found.rows if row.version == version]
    return only


def elo(found: RatingTable, version: Version) -> float:
    value = row(found, version).elo
    assert value is not None
    return value


BOTS = {
    Version("deep", "deep/1"): 620.0,
    Version("deep", "deep/2"): 700.0,
    Version("shallow"): 110.0,
    Version("ada"): 340.0,
}
KNOWN = {Version("random"): 0.0, Version("greedy"): 300.0, **BOTS}


def test_known_strengths_are_inside_their_intervals_about_as_often_as_these_promise() -> None:
    """95 % intervals of 60 simulated ladders of four versions and two anchors, 20 games for each two.

    The versions are some 290 Elo better than the anchors, to whose mean the prior draws them by about 14.
    """
    inside, total, off = 0, 0, 0.0
    for seed in range(60):
        found = table(simulated(KNOWN, 20, random.Random(seed)))
        for version, strength in BOTS.items():
            rated = row(found, version)
            assert rated.elo is not None and rated.low is not None and rated.high is not None
            inside += rated.low <= strength <= rated.high
            total += 1
            off += rated.elo - strength
    print(f"{inside} of {total} inside; mean error {off / total:+.1f}")
    assert 0.92 <= inside / total <= 0.99
    assert -30 < off / total < 5


def test_anchors_stay_where_they_were_put_and_without_any_the_mean_is_0() -> None:
    games = simulated(KNOWN, 12, random.Random(5))
    for anchors in ({"random": 0, "greedy": 300}, {"Random": -1000}, {"random": 700, "greedy": 1000}):
        found = table(games, anchors=anchors)
        for name, given in anchors.items():
            [anchor] = found.of(name)
            assert (anchor.elo, anchor.low, anchor.high) == (given, given, given)
            assert anchor.anchor and not anchor.provisional and anchor.rank
    shift = elo(table(games, anchors={"random": 700, "greedy": 1000}), Version("ada")) - elo(
        table(games), Version("ada")
    )
    assert shift == pytest.approx(700, abs=0.01)
    free = table(games, anchors={})
    assert sum(row.elo or 0 for row in free.rows) == pytest.approx(0, abs=1e-6)
    assert not any(row.anchor for row in free.rows)


def test_an_anchor_is_one_whatever_its_program_says_and_is_there_before_it_has_played() -> None:
    ada = Version("ada")
    found = table(
        [game(Version("random", "tyrusd/1"), ada), game(ada, Version("RANDOM", "tyrusd/2"))],
        anchors={"random": 50, "greedy": 300},
    )
    assert [row.version for row in found.rows] == [Version("greedy"), ada, Version("random")]
    assert row(found, Version("random")).games == 2 and row(found, Version("greedy")).games == 0
    assert table([], anchors={}).rows == ()


def test_the_halves_of_one_bot_are_one_bot_when_they_are_merged() -> None:
    whole = Version("deep", "2")
    games = simulated({**KNOWN, whole: 500.0}, 10, random.Random(8))
    old, middle = Version("deep", "2-rc1"), Version("deep")

    def renamed(version: Version, number: int) -> Version:
        return (old, whole, middle)[number % 3] if version == whole else version

    halves = [
        played._replace(ivory=renamed(played.ivory, number), brown=renamed(played.brown, number))
        for number, played in enumerate(games)
    ]
    # One after the other, so that it takes two steps from the first to the last; the case does not matter.
    merged = table(halves, {Version("Deep", "2-rc1"): middle, middle: Version("DEEP", "2")})
    expected = table(games)
    assert {row.version.key for row in merged.rows} == {row.version.key for row in expected.rows}
    for one, other in zip(merged.rows, expected.rows, strict=True):
        assert one[1:] == other[1:]
    assert merged.sides == expected.sides
    assert len(table(halves).rows) == len(expected.rows) + 2


def test_merges_in_a_circle_are_refused() -> None:
    one, two, three = (Version("deep", word) for word in "123")
    with pytest.raises(ValueError, match=r"the merges of deep/1 go round in a circle"):
        table([], {one: two, two: three, three: Version("DEEP", "1")})
    merges = {one: two, two: three}
    assert merge_fault(merges, three, one) == (
        "deep/1 counts for deep/3 already, so this would go round in a circle"
    )
    assert merge_fault(merges, one, three) == (
        "deep/1 counts for deep/2 already; "
        "`tyrusd ratings split deep/1` takes that back, which is the operator's"
    )
    assert merge_fault({}, one, Version("DEEP", "1")) == "deep/1 is the same version"
    assert merge_fault({}, one, Version("other", "1")) == "deep/1 and other/1 are not versions of one account"
    assert merge_fault(merges, three, Version("deep")) is None


def test_the_order_of_the_games_does_not_matter() -> None:
    games = simulated(KNOWN, 8, random.Random(2))
    games += [game(Version("ADA"), Version("Shallow")), game(Version("shalloW"), Version("aDa"), None)]
    first = table(games)
    for seed in range(5):
        shuffled = random.Random(seed).sample(games, len(games))
        found = table(shuffled)
        assert found == first
        assert [row.version for row in found.rows] == [row.version for row in first.rows]


def test_few_games_are_a_provisional_rating_without_a_rank() -> None:
    ada, bob, greedy = Version("ada"), Version("bob"), Version("greedy")
    found = table([game(ada, greedy)] * 19 + [game(bob, greedy, 1)] * 20)
    assert (row(found, ada).provisional, row(found, ada).rank) == (True, 0)
    assert (row(found, bob).provisional, row(found, bob).rank) == (False, 3)
    assert [row.rank for row in found.rows] == [0, 1, 2, 3]
    assert elo(found, ada) > 300 > 0 > elo(found, bob)


def test_forfeits_are_counted_as_losses_and_stand_apart() -> None:
    ada, bob = Version("ada"), Version("bob")
    games = [
        game(ada, bob, 0), game(ada, bob, 1, "timeout"), game(bob, ada, 0, "crashed"),
        game(bob, ada, 1, "walkover"), game(bob, ada, None, "drawn"), game(ada, bob, 1, "resigned"),
        game(ada, bob, None, "aborted"), game(ada, bob, None, "void"),
    ]  # fmt: skip
    found = table(games)
    assert found.games == 6
    assert row(found, ada)[4:10] == (6, 2, 1, 3, 2, 1)
    assert row(found, bob)[4:10] == (6, 3, 1, 2, 1, 2)
    assert found.versus[ada, bob] == VersusRow(6, 2, 1, 3, 2, 1)
    assert dict(found.met(bob)) == {ada: VersusRow(6, 3, 1, 2, 1, 2)}


def test_games_of_one_owner_are_shown_and_not_rated_those_of_one_host_are_both() -> None:
    ada, bob, cleo = Version("ada"), Version("bob"), Version("cleo")
    bad = [game(ada, bob, 0, flags=("host", "owner"), by="lobby")] * 30
    fair = [game(cleo, Version("greedy"), number % 2, flags=("host",)) for number in range(4)]
    found = table([*bad, *fair])
    assert row(found, ada)[1:11] == (None, None, None, 0, 0, 0, 0, 0, 0, 30)
    assert row(found, cleo)[4:11] == (4, 2, 0, 2, 0, 0, 4)
    assert found.games == 4 and found.versus[ada, bob] == VersusRow(0, 0, 0, 0, flagged=30)
    assert [row.version for row in found.rows[-2:]] == [ada, bob]
    assert elo(found, cleo) == elo(table(fair), cleo)
    assert table([game(Version("ada", "1"), Version("Ada", "2"))], anchors={}).rows == ()


def test_who_never_met_the_rest_is_held_by_the_prior() -> None:
    """Two that met each other alone are about the mean of the anchors, with an interval that says so."""
    lone, other = Version("lone"), Version("other")
    games = simulated(KNOWN, 10, random.Random(4)) + [game(lone, other, number % 2) for number in range(40)]
    found = table(games)
    for version in (lone, other):
        rated = row(found, version)
        assert rated.elo == pytest.approx(150, abs=1)
        assert rated.high is not None and rated.low is not None and rated.high - rated.low > 900
    won = table([game(lone, other)] * 200)
    assert 150 < elo(won, lone) < 1500 and elo(won, other) < 150


def test_sides_are_those_of_games_that_the_ladder_has_paired() -> None:
    ada, bob = Version("Ada", "x"), Version("bob")
    games = [
        game(ada, bob, opener=0), game(ada, bob, opener=1), game(Version("ADA", "y"), bob, opener=1),
        game(bob, ada, opener=1, by="lobby"), game(ada, bob, None, "aborted"),
    ]  # fmt: skip
    assert table(games).sides == {"ada": (3, -1), "bob": (-3, 1)}


@pytest.mark.parametrize(
    "names",
    [
        ("('a', None)", "a", "None"),
        ("a/b", "a", "b"),
        ("\x1b[31mred", "\u202eabc", "{0}%s$(x)'\"; DROP TABLE game;--"),
        ("", " ", "-"),
    ],
)
def test_hostile_names_and_agents_are_versions_like_others(names: Sequence[str]) -> None:
    agents = dict.fromkeys((None, "", "-", "None", *names))
    versions = [Version(name, agent) for name in names for agent in agents]
    games = [
        game(one, other, number % 2)
        for number, (one, other) in enumerate(combinations(versions, 2))
        if one.name != other.name
    ]
    found = table(games)
    assert sorted(map(repr, versions)) == sorted(repr(row.version) for row in found.rows if not row.anchor)
    assert sum(row.games for row in found.rows) == 2 * len(games) == 2 * found.games
