"""Whatever bots are called, and whatever they print, is text in a report and nothing else."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from tests.screen.ladder_games import BOTS, facts_of, ladder, page, round_robin
from tests.screen.page_reading import Page
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.screen.report.exports import report_json, standings_csv
from tyrusd.screen.report.facts import Facts, Failure

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    '"onmouseover="alert(1)" x=\'',
    "\x1b[31mred\x1b[0m\x07\x00",
    "evil\u202egnp.exe\u2066\ufeff",
    "<!--<script>\u2028\u2029]]>&amp;&#60;",
    "x" * 10_000,
    "=cmd|' /C calc'!A0",
    '+1,"2"\r\n@SUM(1)',
    "&lt;b&gt;{{7*7}}${7*7}`",
    "ünïcödé 棋手",
    "__proto__",
)


def renamed(value: Any, names: dict[str, str]) -> Any:
    """Plain data with other names wherever a name stands, as a key or as a value."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(item, names) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [renamed(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def hostile_facts(kind: str) -> Facts:
    bots = tuple(f"bot-{number:02}" for number in range(len(HOSTILE)))
    plan = round_robin(bots, 1)
    if kind == "knockout":
        plan = TournamentPlan("knockout", bots, "report", 1, seeds=len(bots))
    facts = facts_of(ladder(plan, 8))
    names = dict(zip(bots, HOSTILE, strict=True))
    games = [(run, renamed(game, names)) for run, game in facts.games]
    for _, game in games:
        game["game"]["detail"] = HOSTILE[game["ladder"]["pair"] % len(HOSTILE)][:4096]
    failures = [
        Failure(bot, bot, bot, "ivory", "crashed", bot, False, [bot, bot], [bot], f"logs/{number}.log")
        for number, bot in enumerate(HOSTILE)
    ]
    manifest = {"bots": [{"name": bot, "seat": f"exec:{bot}"} for bot in HOSTILE], HOSTILE[0]: HOSTILE[1]}
    return Facts(
        HOSTILE[1],
        renamed(facts.stats, names),
        manifests=[manifest],
        plans=[{"unswapped": list(HOSTILE), "seed": HOSTILE[0]}],
        games=games,
        failures=failures,
        time=renamed(facts.time, names),
    )


@pytest.mark.parametrize("kind", ["roundrobin", "knockout"])
def test_a_page_with_hostile_names_has_the_elements_of_one_with_others(kind: str) -> None:
    facts = hostile_facts(kind)
    text = page(facts)
    read = Page(text)
    # One for the data, two of our own; nobody's else.
    assert len(read.scripts) == 3
    assert not read.all_of("img")
    for _, attributes in read.elements:
        assert not [key for key in attributes if key.startswith("on") or key in ("src", "style")]
    for letter in "\x1b\x07\x00\u202e\u2066\u2028\u2029\ufeff\r":
        assert letter not in text
    assert text.count("x" * 401) == 0
    assert "<script>alert(1)" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "ünïcödé 棋手" in text


def test_a_page_with_hostile_names_is_no_longer_than_one_with_others() -> None:
    assert len(page(hostile_facts("roundrobin")).encode()) < 2**20


def test_the_games_of_hostile_names_can_be_read() -> None:
    read = Page(page(hostile_facts("roundrobin")))
    (text,) = [code for attributes, code in read.scripts if attributes.get("id") == "games"]
    assert not set("<>&\u2028\u2029") & set(text)
    assert text.isascii()
    data = json.loads(text)
    assert len(data["bots"]) == len(HOSTILE)
    assert "<script>alert(1)</script>" in data["bots"]
    assert all(len(bot) <= 48 for bot in data["bots"])


def test_json_with_hostile_names_is_the_same_data_and_no_markup() -> None:
    facts = hostile_facts("roundrobin")
    text = report_json(facts)
    assert text.isascii() and text.endswith("}\n")
    assert not set("<>&\x1b\x00\x7f\r") & set(text)
    data = json.loads(text)
    assert data["runs"] == list(facts.manifests)
    assert data["plans"] == list(facts.plans)
    assert {key: value for key, value in data.items() if key not in ("runs", "plans")} == {
        key: value for key, value in facts.stats.items() if key != "runs"
    }
    assert {entrant["name"] for entrant in data["entrants"]} == set(HOSTILE)


def test_csv_with_hostile_names_has_a_row_for_each_and_no_formula() -> None:
    text = standings_csv(hostile_facts("roundrobin"))
    assert text.count("\r\n") == len(HOSTILE) + 1 == len(text.splitlines())
    assert not set("\x1b\x00\u202e") & set(text)
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert len({len(row) for row in rows}) == 1
    names = {row[rows[0].index("name")] for row in rows[1:]}
    assert "'=cmd|' /C calc'!A0" in names
    assert '\'+1,"2"??@SUM(1)' in names
    assert not [name for name in names if name[:1] in ("=", "+", "-", "@")]


def test_csv_is_the_standings() -> None:
    facts = facts_of(ladder(round_robin(), 10))
    rows = list(csv.DictReader(io.StringIO(standings_csv(facts), newline="")))
    assert [row["name"] for row in rows] == [entrant["name"] for entrant in facts.stats["entrants"]]
    assert {row["name"] for row in rows} == set(BOTS)
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    assert float(rows[0]["elo"]) == facts.stats["entrants"][0]["rating"]["elo"]


def test_a_sealed_failure_tells_the_word_alone() -> None:
    secret = "what nobody may see"
    failure = Failure("p1-1", "anna", "bert", "brown", "illegal", secret, True, [secret], [secret], secret)
    text = page(facts_of(ladder(round_robin(), 0))._replace(failures=[failure]))
    assert secret not in text
    assert "Its pair has not ended" in text
    assert secret in page(
        facts_of(ladder(round_robin(), 0))._replace(failures=[failure._replace(sealed=False)])
    )
