"""The parts of a report: how numbers are written, what charts show, what the head of the page says."""

from __future__ import annotations

from copy import deepcopy
from itertools import pairwise
from typing import Any

import pytest

from tests.screen.ladder_games import BOTS, CLOCK, facts_of, ladder, page, round_robin
from tests.screen.made_stats import made_stats
from tests.screen.page_reading import Page
from tests.screen.test_report_page import facts_named
from tyrusd.screen.report import numbers
from tyrusd.screen.report.charts import Scale, scale
from tyrusd.screen.report.crosstable import heat
from tyrusd.screen.report.facts import Facts
from tyrusd.screen.report.markup import Markup, data_block, join, short, tag, text
from tyrusd.screen.report.timing import budget_ms, time_use


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        (numbers.plain(1234567), "1\u202f234\u202f567"),
        (numbers.plain(-0.4), "0"),
        (numbers.plain(-12.34, 1), "−12.3"),
        (numbers.plain(None), "–"),
        (numbers.plain(float("inf")), "–"),
        (numbers.signed(12.4), "+12"),
        (numbers.signed(-12.4), "−12"),
        (numbers.signed(0.2), "0"),
        (numbers.signed(0.2, 1), "+0.2"),
        (numbers.signed(float("nan")), "–"),
        (numbers.between(-1, 2), "−1 to +2"),
        (numbers.interval({"elo": 5, "low": -1, "high": 11}), "+5 (−1 to +11)"),
        (numbers.interval(None), "–"),
        (numbers.percent(0.5), "50.0\u202f%"),
        (numbers.percent(None), "–"),
        (numbers.chance(0.975), "97.5\u202f%"),
        (numbers.chance(0.99999), "> 99.9\u202f%"),
        (numbers.chance(0.00001), "< 0.1\u202f%"),
        (numbers.chance(0.999, 0), "> 99\u202f%"),
        (numbers.chance(1), "100.0\u202f%"),
        (numbers.chance(None), "–"),
        (numbers.points(0), "0"),
        (numbers.points(0.5), "½"),
        (numbers.points(41.5), "41½"),
        (numbers.points(4.0), "4"),
        (numbers.points(1.25), "1.25"),
        (numbers.points(None), "–"),
        (numbers.duration(0.25), "0.2\u202fms"),
        (numbers.duration(25), "25\u202fms"),
        (numbers.duration(1500), "1.5\u202fs"),
        (numbers.duration(45_000), "45\u202fs"),
        (numbers.duration(125_000), "2\u202fmin 05\u202fs"),
        (numbers.duration(7_500_000), "2\u202fh 05\u202fmin"),
        (numbers.duration(None), "–"),
        (numbers.counted(1, "pair"), "1 pair"),
        (numbers.counted(2, "pair"), "2 pairs"),
        (numbers.counted(0, "bye", "byes"), "0 byes"),
    ],
)
def test_numbers_are_written_for_people(shown: str, wanted: str) -> None:
    assert shown == wanted


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (-1000, 1000), (3.1, 3.2), (-0.001, 0.001), (0, 123456), (-7, -6)]
)
def test_scales_have_some_round_marks_within_them(low: float, high: float) -> None:
    found = scale([low, high], 100, 500)
    marks = found.marks()
    assert 3 <= len(marks) <= 8
    assert all(found.low <= mark <= found.high for mark in marks)
    assert len({round(after - before, 9) for before, after in pairwise(marks)}) == 1
    assert 100 <= found.at(low) < found.at(high) <= 500
    assert found.at(low - 1e9) == 100


def test_scales_of_one_value_or_none_have_room() -> None:
    assert scale([5], 0, 10).at(5) == 5
    assert scale([], 0, 10).at(0.5) == 5
    assert scale([1e9, 0], 0, 10, most=2000).high < 2200
    assert Scale(0, 10, 10, 0).at(10) == 0


def test_heat_is_symmetric() -> None:
    assert [heat(score) for score in (0, 0.5, 1, None)] == ["h0", "h4", "h8", "none"]
    assert all(int(heat(share / 100)[1]) + int(heat(1 - share / 100)[1]) == 8 for share in range(0, 101, 7))


def test_what_is_not_markup_is_text() -> None:
    assert tag("p", "<b>", Markup("<i></i>"), 3, None) == "<p>&lt;b&gt;<i></i>3</p>"
    assert tag("p", title='a"b', hidden=True, lang=None, dir=False, data_x=1.5, class_="c") == (
        '<p title="a&quot;b" hidden data-x="1.5" class="c"></p>'
    )
    assert tag("br") == "<br>"
    assert join(["a", "<"], "&") == "a&amp;&lt;"
    assert text("a\tb") == "a?b"
    assert short("x" * 49) == "x" * 47 + "…"
    assert "</script><" not in data_block(["</script><!--"], "d")[20:-9]


def test_time_is_added_up_for_each_bot() -> None:
    records = ladder(round_robin(BOTS[:2], 3), 0).records
    found = time_use((record["id"], record) for record in records)
    assert list(found) == ["anna", "bert"]
    spent = [
        (cost, record["id"])
        for record in records
        for (side, _, _), cost in zip(record["game"]["placements"], record["timing"]["spent"], strict=True)
        if record["game"]["seats"][side] == "anna"
    ]
    anna = found["anna"]
    assert (anna["placements"], anna["total_ms"]) == (len(spent), sum(cost for cost, _ in spent))
    assert anna["slowest_ms"] == max(spent)[0]
    assert (anna["slowest_ms"], anna["slowest_game"]) in spent
    assert 0 < anna["budget_share"] <= anna["budget_most"] < 0.2
    assert anna["cpu_mean_ms"] is None


@pytest.mark.parametrize(
    ("clock", "cap", "budget"),
    [("60+1", "30", 80_000), ("10", "none", 10_000), ("none", "2.5", 50_000), ("none", "none", None)],
)
def test_the_budget_is_the_bank_or_the_caps(clock: str, cap: str, budget: float | None) -> None:
    assert budget_ms({"clock": clock, "cap": cap}, 20) == budget
    assert CLOCK.clock_text == "60+1"


def test_processor_time_is_told_where_it_is_known() -> None:
    record = deepcopy(ladder(round_robin(BOTS[:2], 1), 0).records[0])
    record["timing"]["cpu"] = [None, *(2 for _ in record["timing"]["cpu"][1:])]
    found = time_use([("g", record)])
    assert [use["cpu_mean_ms"] for use in found.values()] == [2, 2]


def head(stats: dict[str, Any]) -> str:
    return Page(page(Facts("run", stats))).text.split("Standings")[0]


def test_the_head_says_who_leads_and_whether_that_means_anything() -> None:
    stats = made_stats(6)
    assert "not significant: more games may turn it. It is significantly ahead of 0 of 5 others." in head(
        stats
    )
    stats["differences"][0][1] |= {"elo": 60.0, "low": 5.0, "high": 115.0, "los": 0.983}
    told = head(stats)
    assert (
        "by 60 Elo (95 % interval +5 to +115, likelihood of superiority 98.3\u202f%); that is significant."
        in told
    )
    assert "It is significantly ahead of 1 of 5 others." in told


def test_of_two_that_are_level_nobody_leads() -> None:
    stats = made_stats(6)
    stats["differences"][0][1] |= {"elo": -0.2, "low": -50.0, "high": 50.0, "los": 0.5}
    told = " ".join(head(stats).split())
    assert "bot-000 and bot-001 are level: 0 Elo (95 % interval −50 to +50, " in told
    assert "bot-000 is significantly ahead of 0 of 5 others." in told
    assert "leads" not in told


def test_the_time_table_says_that_requests_without_an_answer_are_left_out() -> None:
    stats = made_stats(3)
    use = {"placements": 9, "mean_ms": 1.0, "slowest_ms": 2, "slowest_game": "p1-1", "total_ms": 9}
    left_out = "a request that was left without one, by a timeout, a crash"
    for entrant in stats["entrants"]:
        entrant["lost_by"] = {"majority": 3}
    times = {entrant["name"]: use for entrant in stats["entrants"][:2]}
    told = Page(page(Facts("run", stats, time=times))).text
    assert "most in one game" in told and left_out not in told
    stats["entrants"][2]["lost_by"] = {"timeout": 7}
    assert left_out in Page(page(Facts("run", stats, time=times))).text


def test_the_table_of_a_knock_out_says_what_its_places_mean() -> None:
    stats = made_stats(3)
    a, b, _ = (entrant["name"] for entrant in stats["entrants"])
    rows = [
        {"name": a, "place": 1, "points": 0.0, "tiebreaks": {}, "byes": 0, "state": "playing"},
        {"name": b, "place": None, "points": 3.0, "tiebreaks": {}, "byes": 0, "state": "out"},
    ]
    stats["tournament"] = {
        "kind": "knockout", "round": 2, "rounds": 2, "over": "played", "champion": a, "finalists": [],
        "bracket": [], "table": rows, "suspended": [], "dropped": [], "halted": [],
    }  # fmt: skip
    told = Page(page(Facts("run", stats))).text
    assert "who came farther stands higher, whatever the points" in told
    assert "with what decides between equal points" not in told


@pytest.mark.parametrize(
    ("decision", "told"),
    [
        ("H1", "The sequential test accepts H1 (at least 50.0 Elo) after 12 pairs"),
        ("H0", "The sequential test accepts H0 (at most 0.0 Elo) after 12 pairs"),
        (None, "The sequential test has not decided after 12 pairs"),
    ],
)
def test_the_head_says_how_a_sequential_test_stands(decision: str | None, told: str) -> None:
    stats = deepcopy(dict(facts_named("two").stats))
    stats["two"]["sprt"] |= {"decision": decision, "elo0": 0.0, "elo1": 50.0, "pairs": 12}
    assert told in head(stats)


def test_the_course_of_a_sequential_test_is_drawn_to_its_end() -> None:
    facts = facts_named("two")
    assert facts.course is not None
    assert [pairs for pairs, _ in facts.course] == list(range(len(facts.course)))
    assert facts.course[-1][1] == pytest.approx(facts.stats["two"]["sprt"]["llr"], abs=1e-6)
    assert "accept H0" in page(facts) and "accept H1" in page(facts)


def test_what_two_bots_took_from_each_other_is_told_pair_by_pair_and_game_by_game() -> None:
    facts = facts_named("two")
    two = facts.stats["two"]
    assert len({two["wins"], two["losses"], two["draws"]}) == 3
    read = Page(page(facts))
    wins, draws, losses = two["wins"], two["draws"], two["losses"]
    assert f"Games by themselves: {wins} won, {draws} drawn, {losses} lost." in read.text
    told = zip(("0", "½", "1", "1½", "2"), two["pentanomial"], strict=True)
    (drawing,) = [each for each in read.all_of("svg") if "Points of a pair" in str(each["aria-label"])]
    for head, count in told:
        assert f"{numbers.counted(count, 'pair')} gave {head}" in str(drawing["aria-label"])


def test_a_bot_alone_leads_nobody() -> None:
    stats = made_stats(6)
    stats |= {"entrants": stats["entrants"][:1], "crosstable": [[None]], "differences": [[None]]}
    assert "played alone" in head(stats)


def test_circles_are_told_with_how_clear_they_are() -> None:
    stats = made_stats(3)
    names = [entrant["name"] for entrant in stats["entrants"]]
    edge = {"value": 30.0, "low": -20.0, "high": 80.0, "los": 0.88}
    stats["cycles"] = [{"names": names, "edges": [edge] * 3, "los": 0.88, "significant": False}]
    told = Page(page(Facts("run", stats))).text
    assert "+30 (−20 to +80), 88\u202f%" in told
    assert "No three bots" not in told


def test_a_tournament_tells_who_was_stopped() -> None:
    stats = made_stats(3)
    a, b, c = (entrant["name"] for entrant in stats["entrants"])
    row = {"name": a, "points": 1.5, "tiebreaks": {"buchholz": 2.5}, "byes": 1, "state": "suspended"}
    stats["tournament"] = {
        "kind": "swiss", "round": 2, "rounds": 3, "over": None, "champion": None, "finalists": [],
        "bracket": [], "table": [row], "suspended": [a], "dropped": [b],
        "halted": [{"pairing": [a, c], "why": "not ready"}],
    }  # fmt: skip
    told = " ".join(Page(page(Facts("run", stats))).text.split())
    assert "Swiss system, round 2 of 3; it is not over" in told
    assert f"stopped after too many failures: {a}" in told
    assert f"taken out by the operator: {b}" in told
    assert f"not played on: {a} against {c} (not ready)" in told
    assert "Buchholz" in told and "1½" in told and "byes" in told


def test_a_bracket_has_every_meeting_and_its_byes() -> None:
    facts = facts_named("knockout")
    read = Page(page(facts))
    event = facts.stats["tournament"]
    ties = [tie for ties in event["bracket"] for tie in ties]
    assert len([rect for rect in read.all_of("rect") if "box" in str(rect.get("class"))]) == 2 * len(ties)
    assert read.text.count("bye") >= sum(tie["how"] == "bye" for tie in ties) > 0
    assert f"the winner is {event['champion']}." in read.text
    assert "quarterfinals" in read.text and "final" in read.text


def test_a_trusted_memory_and_an_opened_seed_are_told() -> None:
    plan = {"seed": "abc", "sandbox": "bwrap", "trust_memory": True, "unswapped": ["anna"]}
    told = Page(page(facts_of(ladder(round_robin(), 0))._replace(plans=[plan, plan], open_seed=True))).text
    assert "--trust-memory" in told
    assert "sandboxes of their own (bubblewrap)" in told
    assert "without a sandbox" not in told
    assert "Deals were played once only for:" in told
    assert "The run is over, so its seed is shown" in told
    assert "Plan of run 2" in told
    assert "The run is over" not in Page(page(facts_of(ladder(round_robin(), 0))._replace(plans=[plan]))).text
