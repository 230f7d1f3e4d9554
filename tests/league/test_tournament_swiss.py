"""Swiss tournaments: rounds by results, byes, tie rules, and what becomes of those whose enemy is gone."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.league.arena import Arena, by_chance, by_number, plan_of
from tyrusd.league.pairing.ranking import Row, Score, ranked, table
from tyrusd.league.tournament.happenings import Champion, PairingHalted, RoundBegun
from tyrusd.league.tournament.task import PairTask


@pytest.mark.parametrize("rule", [by_chance, by_number])
@pytest.mark.parametrize("concurrency", [1, 9])
def test_twelve_over_seven_rounds_meet_nobody_twice_and_have_a_winner(rule: object, concurrency: int) -> None:
    arena = Arena(plan_of("swiss", 12, swiss_rounds=7), rule).run(concurrency)  # type: ignore[arg-type]
    rounds = arena.heard(RoundBegun)
    assert [(begun.number, len(begun.meetings), begun.byes) for begun in rounds] == [
        (number, 6, ()) for number in range(1, 8)
    ]
    met = Counter(frozenset(meeting) for begun in rounds for meeting in begun.meetings)
    assert set(met.values()) == {1}
    assert arena.tournament.total_pairs == 42
    assert len(arena.tournament.counted_games()) == 84
    standing = arena.tournament.standing()
    assert arena.heard(Champion) == [Champion(standing["table"][0]["name"], ())]
    keys = [(-line["points"], *(-line["tiebreaks"][rule] for rule in line["tiebreaks"]))
            for line in standing["table"]]  # fmt: skip
    assert keys == sorted(keys)
    assert list(standing["table"][0]["tiebreaks"]) == ["buchholz", "sonneborn_berger", "wins"]
    if rule is by_number:
        assert arena.champion == "bot1"
        assert standing["table"][0]["points"] == 14


@pytest.mark.parametrize("count", [3, 5, 7, 11, 13])
def test_an_odd_count_has_one_bye_a_round_worth_a_win(count: int) -> None:
    arena = Arena(plan_of("swiss", count, rounds=2)).run(4)
    rounds = arena.heard(RoundBegun)
    assert len(rounds) == (count - 1).bit_length()
    byes = [name for begun in rounds for name in begun.byes]
    assert len(byes) == len(set(byes)) == len(rounds)
    table_ = {line["name"]: line for line in arena.tournament.standing()["table"]}
    assert {name for name, line in table_.items() if line["byes"]} == set(byes)
    assert sum(line["points"] for line in table_.values()) == len(rounds) * 4 * (count + 1) / 2
    for name, line in table_.items():
        assert line["games"] == 4 * (len(rounds) - (name in byes))


def test_a_round_begins_when_the_one_before_is_settled() -> None:
    arena = Arena(plan_of("swiss", 4), by_number)
    arena.fill(10)
    assert [task.round for task, _ in arena.running] == [1, 1]
    (one, _), (two, _) = arena.running
    for task, game in ((one, 1), (one, 2), (two, 1)):
        arena.play(task, game)
        assert arena.tournament.next() is None
    arena.play(two, 2)
    assert [begun.number for begun in arena.heard(RoundBegun)] == [1, 2]
    winners = arena.tournament.next()
    assert winners is not None
    assert set(winners.seats(1)) == {"bot1", "bot2"}


def test_who_has_no_enemy_left_is_given_the_points() -> None:
    arena = Arena(plan_of("swiss", 4, rounds=3), by_number)
    arena.fill(1)
    (task, _) = arena.running.pop()
    for game in (1, 2):
        arena.play(task, game)
    gone, other = task.first, task.second
    arena.drop(gone)
    arena.run()
    table_ = {line["name"]: line for line in arena.tournament.standing()["table"]}
    assert table_[gone]["state"] == "dropped"
    first_round = 2 * (by_number(task, 1)[0] == other) + 4
    # In the second round there are three: either a bye, or six games.
    later = sum(game.score(other) for game in arena.tournament.counted_games() if game.place.pair > 6)
    assert table_[other]["points"] == first_round + (6 if table_[other]["byes"] else later)
    assert arena.tournament.why_over == "played"


def test_a_halted_pairing_gives_its_points_to_the_one_who_was_ready() -> None:
    arena = Arena(
        plan_of("swiss", 4, rounds=2),
        by_number,
        lambda task: "bot4" if "bot4" in task.seats(1) and task.round == 1 else None,
    ).run()
    (halt,) = arena.heard(PairingHalted)
    (ready,) = {halt.first, halt.second} - {"bot4"}
    assert arena.tournament.form.given == {ready: 4}
    second = arena.heard(RoundBegun)[1]
    assert frozenset((ready, "bot4")) not in {frozenset(meeting) for meeting in second.meetings}


def test_two_games_that_are_void_give_nobody_anything() -> None:
    def rule(task: PairTask, game: int) -> tuple[str | None, str]:
        return (None, "void") if task.round == 1 and task.pair == 1 else by_number(task, game)

    arena = Arena(plan_of("swiss", 4), rule).run()
    assert arena.tournament.form.given == {}
    assert arena.tournament.why_over == "played"


def test_it_ends_when_nobody_is_left_to_pair() -> None:
    arena = Arena(plan_of("swiss", 4, suspend_after=1), readiness=lambda task: task.first).run()
    assert arena.tournament.why_over == "played"
    assert len(arena.tournament.standing()["suspended"]) >= 3


def score(first: str, second: str, points: float, wins: tuple[int, int] = (0, 0)) -> Score:
    return Score(first, second, (points, 2 - points), wins, 2)


def test_the_tie_rules_by_hand() -> None:
    scores = [score("a", "b", 2, (2, 0)), score("c", "d", 1), score("a", "c", 0, (0, 2)), score("b", "d", 1)]
    rows = {row.name: row for row in table("abcde", scores, {"e": 2.0}, {"e": 1})}
    assert [rows[name].points for name in "abcde"] == [2, 1, 3, 2, 2]
    # a met b and c: 1 + 3; e only had a bye, which counts as somebody with its own points.
    assert [rows[name].buchholz for name in "abcde"] == [4, 4, 4, 4, 2]
    # a took 2 from b, who has 1; c took 2 from a, who has 2, and 1 from d, who has 2.
    assert [rows[name].sonneborn_berger for name in "abcde"] == [2, 2, 6, 4, 0]
    assert [rows[name].wins for name in "abcde"] == [2, 0, 2, 0, 0]
    assert [row.name for row in ranked(list(rows.values()))] == ["c", "d", "a", "e", "b"]


def test_each_rule_decides_only_what_those_before_left_equal() -> None:
    rows = [
        Row("last", 4, 8, 9, 9, 9),
        Row("order-1", 5, 8, 3, 3, 3),
        Row("order-2", 5, 8, 3, 3, 3),
        Row("wins", 5, 8, 3, 3, 4),
        Row("sonneborn", 5, 8, 3, 4, 0),
        Row("buchholz", 5, 8, 4, 0, 0),
        Row("few", 4.9, 4, 0, 0, 0),
    ]
    order = ["buchholz", "sonneborn", "wins", "order-1", "order-2", "few", "last"]
    assert [row.name for row in ranked(rows)] == order
    assert [row.name for row in ranked(rows, buchholz=False)][:2] == ["sonneborn", "wins"]
    assert ranked(rows, by_share=True)[0].name == "few"
