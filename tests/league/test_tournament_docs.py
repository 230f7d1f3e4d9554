"""docs/tournaments.md is compared with the code: its schedule, bracket, tie rules, words and figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.league.arena import Arena, plan_of
from tyrusd.league.pairing.knockout import bracket
from tyrusd.league.statistics.pairs import REPLAYS
from tyrusd.league.tournament import tournament as module
from tyrusd.league.tournament.knockout_form import FURTHER
from tyrusd.league.tournament.plan import KINDS, TournamentPlan
from tyrusd.league.tournament.verdicts import FAILURES

PAGE = (Path(__file__).parents[2] / "docs" / "tournaments.md").read_text("utf-8")


def section(title: str) -> str:
    found = re.search(rf"^##+ {re.escape(title)}\n(.*?)(?=^##|\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found, f"docs/tournaments.md has no section {title!r}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_schedule_shown_is_the_schedule_played() -> None:
    arena = Arena(plan_of("roundrobin", ("A", "B", "C", "D", "E"), rounds=2)).run()
    tasks = sorted((task.pair, task.round, *task.seats(1)) for task in arena.tasks)
    assert rows(section("Round robin"))[1:] == [[str(cell) for cell in task] for task in tasks]


def test_the_bracket_shown_is_that_of_eleven() -> None:
    places = [str(place + 1) if place < 11 else "bye" for place in bracket(11)]
    ties = [
        sorted(tie, key=lambda place: (len(place), place))
        for tie in zip(places[::2], places[1::2], strict=True)
    ]
    assert rows(section("Knock-out"))[1:] == [[str(n), *tie] for n, tie in enumerate(ties, 1)]


def test_every_kind_is_told_and_its_tie_rules() -> None:
    assert [kind.strip("`") for kind, _ in rows(section("Kinds"))[1:]] == list(KINDS)
    told = {kind.strip("`"): re.findall(r"`(\w+)`", rules) for kind, rules in rows(section("Tie rules"))[1:]}
    assert list(told) == list(KINDS)
    for kind, rules in told.items():
        standing = Arena(plan_of(kind, 4)).tournament.standing()
        assert list(standing["table"][0]["tiebreaks"]) == rules


@pytest.mark.parametrize("kind", KINDS)
def test_the_keys_of_a_standing_are_told(kind: str) -> None:
    standing = Arena(plan_of(kind, 4)).run().tournament.standing()
    table, _, words = section("Standing").partition("`state` is")
    told = {key.strip("`"): value for key, value in rows(table)[1:]}
    assert list(told) == list(standing)
    assert re.findall(r"`(\w+)`", told["table"]) == list(standing["table"][0])
    assert re.findall(r"`(\w+)`", told["pairs"]) == list(standing["pairs"])
    if standing["bracket"]:
        assert re.findall(r"`(\w+)`", told["bracket"]) == list(standing["bracket"][0][0])
    reasons = [reason.strip("`") for reason, _ in rows(words)[1:]]
    assert reasons == [module.PLAYED, module.DECIDED, module.CRASH, module.NO_DEALS, module.NOBODY]


def test_the_figures_are_those_of_the_code() -> None:
    failures, _, _ = section("Failures").partition(", or when")
    assert re.findall(r"`(\w+)`", failures) == sorted(FAILURES)
    assert f"({TournamentPlan('swiss', ('a', 'b'), 's').suspend_after} unless" in section("Failures")
    assert f"repeated {REPLAYS - 1} times" in section("Failures")
    assert f"attempt {REPLAYS} is drawn" in section("Attempts")
    assert f"at most {FURTHER} of them" in section("Knock-out")
    assert Arena(plan_of("swiss", 9)).tournament.form.rounds == 4
    assert Arena(plan_of("swiss", 16)).tournament.form.rounds == 4
