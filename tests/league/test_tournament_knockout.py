"""Knock-outs: byes, ties that go on, walkovers, the higher seed as a last resort, winner and finalists."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.league.arena import Arena, Result, always_drawn, by_chance, by_number, ivory_wins, plan_of
from tyrusd.league.tournament.happenings import Advanced, Champion, DealtAgain, RoundBegun
from tyrusd.league.tournament.knockout_form import FURTHER
from tyrusd.league.tournament.task import PairTask


@pytest.mark.parametrize("concurrency", [1, 6])
@pytest.mark.parametrize("rule", [by_number, by_chance])
def test_eleven_entrants(rule: Any, concurrency: int) -> None:
    arena = Arena(plan_of("knockout", 11, seeds=11), rule).run(concurrency)
    rounds = arena.heard(RoundBegun)
    assert [(begun.number, len(begun.meetings), len(begun.byes)) for begun in rounds] == [
        (1, 3, 5), (2, 4, 0), (3, 2, 0), (4, 1, 0),
    ]  # fmt: skip
    assert rounds[0].byes == ("bot1", "bot4", "bot5", "bot2", "bot3")
    standing = arena.tournament.standing()
    assert (standing["round"], standing["rounds"]) == (4, 4)
    assert [len(ties) for ties in standing["bracket"]] == [8, 4, 2, 1]
    (final,) = standing["bracket"][3]
    (champion,) = arena.heard(Champion)
    assert champion == Champion(final["winner"], (final["first"], final["second"]))
    assert standing["champion"] == champion.name == standing["table"][0]["name"]
    assert set(standing["finalists"]) == {line["name"] for line in standing["table"][:2]}
    states = [line["state"] for line in standing["table"]]
    assert states == ["playing"] + ["out"] * 10
    assert len(arena.heard(Advanced)) == 10
    if rule is by_number:
        assert champion == Champion("bot1", ("bot1", "bot2"))
        assert [set(meeting) for meeting in rounds[0].meetings] == [
            {"bot8", "bot9"}, {"bot7", "bot10"}, {"bot6", "bot11"},
        ]  # fmt: skip
        assert {tie["how"] for ties in standing["bracket"] for tie in ties} == {"bye", "won"}


def test_unseeded_entrants_are_drawn_by_the_seed() -> None:
    def first_round(**terms: Any) -> Any:
        return Arena(plan_of("knockout", 16, **terms)).told[0]

    assert first_round(seeds=1) == first_round(seeds=1)
    assert first_round(seeds=1) != first_round(seeds=1, seed="another")
    assert first_round(seeds=16) == first_round(seeds=16, seed="another")


def test_a_drawn_game_is_dealt_again_until_somebody_wins() -> None:
    def rule(task: PairTask, game: int) -> Result:
        return (None, "drawn") if task.attempt < 3 else ("bot2", "majority")

    arena = Arena(plan_of("knockout", 2), rule).run()
    assert arena.heard(DealtAgain) == [DealtAgain(1, 2, "drawn"), DealtAgain(1, 3, "drawn")]
    assert arena.champion == "bot2"
    assert {game.place.attempt for game in arena.tournament.counted_games()} == {3}


@pytest.mark.parametrize("games", [1, 2])
def test_the_final_of_two_that_always_draw_ends_and_the_higher_seed_wins(games: int) -> None:
    arena = Arena(plan_of("knockout", 4, seeds=4, games=games), always_drawn).run(3)
    assert arena.heard(Champion) == [Champion("bot1", ("bot1", "bot2"))]
    assert {advanced.how for advanced in arena.heard(Advanced)} == {"seed"}
    assert len(arena.tournament.counted_games()) == 3 * (1 + FURTHER) * games
    assert len(arena.games()) == 3 * (1 + FURTHER) * 4 * games


def test_a_tie_that_stays_level_goes_on_pair_by_pair() -> None:
    def rule(task: PairTask, game: int) -> Result:
        level = task.pair < 8
        return (task.seats(game)[0] if level else "bot2"), "majority"

    arena = Arena(plan_of("knockout", 2, rounds=3), rule).run(9)
    assert [task.pair for task in arena.tasks] == list(range(1, 9))
    assert {task.round for task in arena.tasks} == {1}
    assert len(arena.heard(RoundBegun)) == 1
    firsts = [task.first for task in arena.tasks]
    assert all(one != other for one, other in pairwise(firsts))
    (tie,) = arena.tournament.standing()["bracket"][0]
    assert tie == {
        "first": "bot1", "second": "bot2", "points": [7, 9], "pairs": list(range(1, 9)),
        "winner": "bot2", "how": "won",
    }  # fmt: skip


def test_only_the_ties_that_are_level_go_on() -> None:
    def rule(task: PairTask, game: int) -> Result:
        if task.pair == 1 or "bot2" not in task.seats(1):
            return by_number(task, game)
        return ivory_wins(task, game) if task.round == 1 and task.pair < 4 else by_number(task, game)

    arena = Arena(plan_of("knockout", 4, seeds=4), rule).run(5)
    tasks = sorted((task.pair, task.round, sorted(task.seats(1))) for task in arena.tasks)
    assert tasks == [
        (1, 1, ["bot1", "bot4"]),
        (2, 1, ["bot2", "bot3"]),
        (3, 1, ["bot2", "bot3"]),
        (4, 1, ["bot2", "bot3"]),
        (5, 2, ["bot1", "bot2"]),
    ]


def test_who_is_suspended_loses_by_walkover() -> None:
    def rule(task: PairTask, game: int) -> Result:
        if "bot1" in task.seats(1):
            return (task.second if task.first == "bot1" else task.first), "crashed"
        return by_number(task, game)

    arena = Arena(plan_of("knockout", 4, rounds=4, seeds=4, suspend_after=3), rule).run()
    assert arena.heard(Advanced)[0] == Advanced("bot4", "bot1", "walkover")
    assert arena.champion == "bot2"
    assert {line["name"]: line["state"] for line in arena.tournament.standing()["table"]}[
        "bot1"
    ] == "suspended"


def test_who_does_not_start_loses_by_walkover() -> None:
    arena = Arena(
        plan_of("knockout", 2, rounds=2), by_number, lambda task: "bot1" if task.pair == 2 else None
    ).run()
    assert arena.heard(Advanced) == [Advanced("bot2", "bot1", "walkover")]
    assert arena.heard(Champion) == []
    assert arena.tournament.standing()["no_winner"] == (
        "bot2, who is the last, has won no tie by playing (halted: bot2 - bot1)"
    )


def test_who_is_dropped_leaves_its_next_enemy_a_bye() -> None:
    arena = Arena(plan_of("knockout", 4, seeds=4), by_number)
    arena.fill(1)
    (task, _) = arena.running.pop()
    for game in (1, 2):
        arena.play(task, game)
    arena.drop("bot1")
    arena.run()
    assert arena.heard(Advanced) == [Advanced("bot1", "bot4", "won"), Advanced("bot2", "bot3", "won")]
    bracket = arena.tournament.standing()["bracket"]
    assert bracket[1] == [
        {"first": "bot2", "second": None, "points": [0, 0], "pairs": [], "winner": "bot2", "how": "bye"}
    ]
    assert arena.heard(Champion) == [Champion("bot2", ("bot2",))]


def test_void_games_leave_a_tie_to_the_points_and_then_to_the_seed() -> None:
    def rule(task: PairTask, game: int) -> Result:
        return (None, "void") if task.pair == 2 else ("bot2", "majority")

    points = Arena(plan_of("knockout", 2, rounds=2, seeds=2), rule).run()
    assert points.heard(Advanced) == [Advanced("bot2", "bot1", "won")]
    nothing = Arena(plan_of("knockout", 2, seeds=2), lambda task, game: (None, "void")).run()
    assert nothing.heard(Advanced) == [Advanced("bot1", "bot2", "seed")]


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8])
def test_the_last_who_is_left_has_won_nothing(count: int) -> None:
    arena = Arena(plan_of("knockout", count, seeds=count))
    for name in arena.plan.entrants[:-1]:
        assert not arena.tournament.over
        arena.drop(name)
    assert arena.tournament.why_over == "played"
    assert arena.tournament.standing()["bracket"][-1][0]["winner"] == arena.plan.entrants[-1]
    assert (arena.champion, arena.heard(Champion)) == (None, [])
    assert arena.games() == []


@pytest.mark.parametrize("count", [2, 3, 4])
def test_where_everybody_is_suspended_nobody_wins(count: int) -> None:
    arena = Arena(
        plan_of("knockout", count, rounds=2, suspend_after=1),
        lambda task, game: (task.seats(game)[0], "crashed"),
    ).run(2)
    standing = arena.tournament.standing()
    assert standing["bracket"][0][-1]["how"] == "nobody"
    assert arena.tournament.why_over == "played"
    if count != 3:
        assert len(standing["suspended"]) == count
        assert (standing["champion"], arena.heard(Champion), arena.heard(Advanced)) == (None, [], [])
