"""Exit codes and advice at the end of a ladder, for whatever its games came to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.commands.test_ladder_plan import A, B, bots, typed
from tests.league.arena import Arena, Readiness, Rule, always_ready, by_number, plan_of
from tyrusd.commands.ladder_ending import Verdict, resume_line, verdict_of
from tyrusd.host.ladder.news import RunEnd
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.tournament.task import PairTask

WIDE = SprtPlan(0, 5)


def verdict(
    rule: Rule = by_number, readiness: Readiness = always_ready, *, drop: str | None = None, **terms: Any
) -> Verdict:
    """The verdict on a tournament of two, or as many as `count` says."""
    plan = plan_of(terms.pop("kind", "roundrobin"), terms.pop("count", 2), **terms)
    arena = Arena(plan, rule, readiness)
    if drop is not None:
        arena.drop(drop)
    arena.run()
    end = RunEnd(complete=True, interrupted=False, failure=None, why=arena.tournament.why_over)
    return verdict_of(end, None, plan, arena.tournament)


def test_a_winner_is_named() -> None:
    assert verdict(rounds=2) == Verdict(0, True, "played", ("winner: bot1",))
    found = verdict(kind="knockout", count=4, seeds=4)
    assert (found.code, found.lines) == (0, ("winner: bot1; finalists: bot1 and bot2",))
    assert verdict(kind="gauntlet", count=3).lines == ()


def never(task: PairTask) -> str | None:
    return "bot2" if "bot2" in (task.first, task.second) else None


@pytest.mark.parametrize("kind", ["roundrobin", "gauntlet", "swiss", "knockout"])
@pytest.mark.parametrize("count", [2, 4])
def test_a_bot_that_never_starts_is_a_failure(kind: str, count: int) -> None:
    found = verdict(readiness=never, kind=kind, count=count)
    assert (found.code, found.complete) == (1, True)
    assert found.sentence is not None and found.sentence.startswith("bot2 did not start, or did not come")


@pytest.mark.parametrize("rounds", [None, 5])
def test_so_it_is_where_a_test_was_to_decide(rounds: int | None) -> None:
    found = verdict(readiness=never, rounds=rounds, sprt=WIDE)
    assert found.code == 1
    assert not any("undecided" in line for line in found.lines)


def test_a_start_that_failed_once_is_none() -> None:
    once = verdict(readiness=lambda task: "bot2" if task.attempt == 1 else None, rounds=2)
    assert (once.code, once.sentence) == (0, None)


def test_nothing_played_is_a_failure() -> None:
    found = verdict(drop="bot2", rounds=2)
    assert (found.code, found.sentence) == (1, "no game was played that counts")
    assert "no winner: no game was played that counts" in found.lines


def test_the_advice_for_an_undecided_test_fits_its_end() -> None:
    short = verdict(rounds=2, sprt=WIDE)
    assert (short.code, short.lines[-1]) == (
        4, "the test ended undecided: begin a run with more --rounds, or with none"
    )  # fmt: skip
    arena = Arena(plan_of("roundrobin", 2, rounds=None, sprt=WIDE))
    arena.fill(1)
    task, games = arena.running.pop()
    for game in games:
        arena.play(task, game)
    arena.drop("bot2")
    end = RunEnd(complete=True, interrupted=False, failure=None, why=arena.tournament.why_over)
    dropped = verdict_of(end, None, arena.plan, arena.tournament)
    assert (dropped.code, dropped.lines[-1]) == (4, "the test ended undecided")
    used_up = verdict_of(end._replace(why="deals"), None, arena.plan, arena.tournament)
    assert used_up.lines[-1].endswith(
        "begin a run with more deals (`tyrusd deals --count`), or without --deals"
    )


def test_a_crash_that_stops_a_run_can_be_gone_on_with() -> None:
    found = verdict(lambda task, game: (task.first, "crashed"), stop_on_crash=True)
    assert (found.code, found.complete, found.why) == (1, False, "crash")
    assert found.sentence is not None and found.sentence.startswith("a bot crashed, which stops this run")
    line = resume_line(typed(*bots(A, B)), Path("run"), found.why)
    assert line.endswith("ladder --resume run --no-stop-on-crash")
    assert "--no-stop-on-crash" not in resume_line(typed(*bots(A, B)), Path("run"), "interrupted")
