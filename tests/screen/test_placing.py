"""Places as the tournament gives them, what decides between equal points, byes, brackets, and the winner."""

from __future__ import annotations

from typing import Any

import pytest

from tests.league.arena import Arena, Readiness, Rule, always_drawn, always_ready, by_number, plan_of
from tyrusd.league.statistics.runs import stats_of
from tyrusd.league.tournament.task import PairTask
from tyrusd.screen.placing import placed, placing_lines, winner_lines
from tyrusd.screen.standings import columns_of, standings
from tyrusd.screen.stats_table import whole


def played(
    kind: str, count: int, rule: Rule = by_number, readiness: Readiness = always_ready, **terms: Any
) -> dict[str, Any]:
    arena = Arena(plan_of(kind, count, **terms), rule, readiness).run()
    return stats_of(arena.tournament, progress=False)


def test_a_round_robin_is_ordered_by_rating_and_says_who_has_won() -> None:
    stats = played("roundrobin", 3)
    assert placed(stats) is stats["entrants"]
    assert placing_lines(stats["tournament"]) == []
    assert whole(stats)[-1] == "winner: bot1"


@pytest.mark.parametrize("kind", ["swiss", "knockout", "gauntlet"])
def test_others_are_ordered_as_they_place(kind: str) -> None:
    stats = played(kind, 7)
    rows = placed(stats)
    assert [row["name"] for row in rows] == [line["name"] for line in stats["tournament"]["table"]]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5, 6, 7]
    assert [row["points"] for row in rows] == [line["points"] for line in stats["tournament"]["table"]]
    table = standings(rows, columns_of("minimal"), 80)
    assert [line.split()[1] for line in table[1:]] == [row["name"] for row in rows]
    assert [line.split()[1] for line in whole(stats)[1:8]] == [row["name"] for row in rows]


def test_a_swiss_tournament_tells_its_tie_rules_and_byes() -> None:
    stats = played("swiss", 3)
    lines = placing_lines(stats["tournament"])
    assert lines[0] == "by points and tie rules:"
    assert lines[1].startswith("   1  bot1  4.0 points, buchholz ")
    assert sum("1 bye" in line for line in lines) >= 2
    assert set(lines) <= set(whole(stats))
    assert whole(stats)[-1] == "winner: bot1"


def test_a_knock_out_has_a_bracket() -> None:
    stats = played("knockout", 5, seeds=5)
    assert placing_lines(stats["tournament"]) == [
        "bracket:",
        "  quarterfinals",
        "    bot1: bye",
        "    bot4 - bot5  2 : 0  bot4 goes on",
        "    bot2: bye",
        "    bot3: bye",
        "  semifinals",
        "    bot1 - bot4  2 : 0  bot1 goes on",
        "    bot2 - bot3  2 : 0  bot2 goes on",
        "  final",
        "    bot1 - bot2  2 : 0  bot1 goes on",
    ]
    assert whole(stats)[-1] == "winner: bot1; finalists: bot1 and bot2"


def test_how_a_tie_ended_is_said() -> None:
    drawn = placing_lines(played("knockout", 2, always_drawn)["tournament"])
    assert drawn[-1].endswith("goes on as the better seed")
    absent = played("knockout", 2, readiness=lambda task: "bot2")
    assert placing_lines(absent["tournament"])[-1].endswith("0 : 0  bot1 goes on, since the other cannot")
    assert winner_lines(absent["tournament"]) == ["no winner: no game was played that counts"]
    going = stats_of(Arena(plan_of("knockout", 16, seeds=16)).tournament, progress=False)
    lines = placing_lines(going["tournament"])
    assert lines[1:3] == ["  round 1", "    bot1 - bot16  0 : 0  not decided"]
    assert winner_lines(going["tournament"]) == []
    assert (placing_lines(None), winner_lines(None)) == ([], [])


def absent(task: PairTask) -> str | None:
    return "bot2" if "bot2" in (task.first, task.second) else None


@pytest.mark.parametrize("kind", ["roundrobin", "gauntlet", "swiss", "knockout"])
def test_who_has_no_game_has_no_rank_and_stands_last_everywhere(kind: str) -> None:
    stats = played(kind, 5, readiness=absent)
    for rows in (stats["entrants"], placed(stats)):
        assert [row["name"] for row in rows if row["rank"] is None] == ["bot2"]
        assert rows[-1]["name"] == "bot2"
    assert stats["tournament"]["table"][-1]["name"] == "bot2"
    assert standings(placed(stats), columns_of("rank,name,elo,nelo"), 80)[-1].split() == [
        "-",
        "bot2",
        "-",
        "-",
    ]
    assert whole(stats)[5].split()[:4] == ["-", "bot2", "-", "-"]


def test_games_that_do_not_count_are_said() -> None:
    arena = Arena(plan_of("roundrobin", 3, rounds=2), by_number)
    arena.fill(1)
    task, _ = arena.running.pop()
    arena.play(task, 1)
    arena.drop(task.first)
    lines = whole(stats_of(arena.run().tournament, progress=False))
    assert "1 game was played that does not count: of pairs that were left out or dealt again" in lines
    assert not any("not count" in line for line in whole(played("roundrobin", 3)))
