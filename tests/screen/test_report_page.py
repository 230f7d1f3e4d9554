"""The page of a run: whole, alone, the same for the same run, within bounds, and fit to be read."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256

import pytest

from tests.screen.ladder_games import ASSETS, BOTS, Ladder, facts_of, ladder, page, round_robin
from tests.screen.made_stats import made_stats
from tests.screen.page_reading import Page
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.screen.report.facts import Facts, Failure

LARGEST = 2**19  # bytes of a page of 1,200 games
LARGEST_FAULTY = 3 * 2**20  # of which 30 % are abnormal
MANY = tuple(f"bot-{number:03}" for number in range(200))

RUNS = {
    "two": TournamentPlan("roundrobin", BOTS[:2], "report", 12, sprt=SprtPlan(0, 50)),
    "six": round_robin(),
    "thirty": round_robin(MANY[:30], 1),
    "once": TournamentPlan("roundrobin", BOTS[:3], "report", 3, games=1),
    "gauntlet": TournamentPlan("gauntlet", BOTS, "report", 2),
    "swiss": TournamentPlan("swiss", MANY[:11], "report", 1),
    "knockout": TournamentPlan("knockout", MANY[:11], "report", 1, seeds=11),
}


@lru_cache(maxsize=16)
def facts_named(name: str) -> Facts:
    facts = facts_of(ladder(RUNS[name], 9))
    failures = [
        Failure(
            game["id"],
            "anna",
            "bert",
            "ivory",
            "crashed",
            "exit status 3",
            False,
            ["one", "two"],
            ["three"],
            "l",
        )
        for _, game in facts.games
        if game["game"]["reason"] == "crashed"
    ]
    manifest = {
        "tyrusd": "0.1.0",
        "bots": [{"name": "anna", "files": [{"path": "x", "sha256": "ab"}]}],
        "deals": None,
    }
    return facts._replace(
        failures=failures, manifests=[manifest], plans=[{"rounds": 4, "trust_memory": True}]
    )


@pytest.mark.parametrize("name", RUNS)
def test_a_page_is_whole(name: str) -> None:
    text = page(facts_named(name))
    read = Page(text)
    assert text.startswith('<!doctype html>\n<html lang="en">')
    identities = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(identities) == len(set(identities))
    assert {"standings", "tournament", "crosstable", "progress", "cycles", "endings", "time"} <= set(
        identities
    )
    assert {"failures", "replay", "model", "manifest"} <= set(identities)
    assert ("sprt" in identities, "pairs" in identities) == (name == "two", name == "two")
    # Every link within the page arrives.
    assert {link["href"] for link in read.all_of("a")} <= {f"#{identity}" for identity in identities}


@pytest.mark.parametrize("name", RUNS)
def test_a_page_refers_to_nothing_outside(name: str) -> None:
    read = Page(page(facts_named(name)))
    for tag, attributes in read.elements:
        assert not {"src", "srcset", "data", "action", "style", "background"} & attributes.keys(), tag
        assert not [key for key in attributes if key.startswith("on") or ":" in key]
        assert tag not in ("link", "iframe", "object", "embed", "img", "base", "form", "use", "image")
        for key, value in attributes.items():
            # A hash may hold any letters.
            told = re.sub("sha256-[^']+", "", value or "")
            assert "//" not in told and "url(" not in told, (tag, key)
    for code in (*read.styles, *(text for _, text in read.scripts)):
        assert not re.search(
            r"https?:|//|url\(|@import|\bimport\b|fetch\(|XMLHttpRequest|WebSocket|innerHTML|eval", code
        )


@pytest.mark.parametrize("name", ["two", "six"])
def test_the_policy_allows_its_own_style_and_scripts_only(name: str) -> None:
    read = Page(page(facts_named(name)))
    (told,) = [meta["content"] for meta in read.all_of("meta") if meta.get("http-equiv")]
    hashes = set(re.findall(r"'sha256-([^']+)'", str(told)))
    run = [text for attributes, text in read.scripts if attributes.get("type") is None]
    assert run == [ASSETS.sorting, ASSETS.viewer]
    assert hashes == {b64encode(sha256(text.encode()).digest()).decode() for text in (*run, *read.styles)}
    assert str(told).startswith("default-src 'none'; ")
    assert "unsafe" not in str(told)
    # The policy stands before everything that it is about.
    assert [tag for tag, _ in read.elements[:5]] == ["html", "head", "meta", "meta", "meta"]
    assert read.elements[3][1]["http-equiv"] == "Content-Security-Policy"


@pytest.mark.parametrize("name", RUNS)
def test_a_page_can_be_heard(name: str) -> None:
    text = page(facts_named(name))
    read = Page(text)
    drawings = re.findall(r"<svg[^>]*>(.{0,40})", text)
    assert len(drawings) >= 3
    assert all(drawing.startswith("<title>") for drawing in drawings)
    assert text.count("<desc>") == len(drawings)
    assert all(drawing.get("role") == "img" and drawing.get("aria-label") for drawing in read.all_of("svg"))
    assert text.count("<caption>") == len(read.all_of("table")) > 5
    assert all(head.get("scope") in ("col", "row") for head in read.all_of("th"))
    assert read.where("viewer")[1]["tabindex"] == "0"
    assert all(read.where(str(part["aria-labelledby"])) for part in read.all_of("section"))


def test_the_same_run_is_the_same_page() -> None:
    ladder_again = ladder.__wrapped__(RUNS["six"], 9)
    assert page(facts_of(ladder_again)) == page(facts_of(ladder(RUNS["six"], 9)))


def test_the_order_of_the_results_does_not_matter() -> None:
    found = ladder(RUNS["six"], 9)
    turned = Ladder(found.plan, tuple(reversed(found.records)))
    one, other = (page(facts_of(each)._replace(time={})) for each in (found, turned))
    assert one == other


def test_the_page_of_a_large_run_is_small() -> None:
    assert len(ladder(round_robin(rounds=40), 0).records) == 1200
    assert len(page(facts_of(ladder(round_robin(rounds=40), 0))).encode()) < LARGEST


def test_the_page_of_a_large_faulty_run_is_not_too_large() -> None:
    found = ladder(round_robin(rounds=40), 3)
    facts = facts_of(found)
    abnormal = [
        record for record in found.records if record["game"]["reason"] in ("crashed", "timeout", "illegal")
    ]
    line = "x" * 5000
    facts = facts._replace(
        failures=[
            Failure(
                record["id"], "anna", "bert", "ivory", "crashed", line, False, [line] * 50, [line] * 50, "l"
            )
            for record in found.records[:400]
        ]
    )
    assert len(abnormal) > 200
    assert len(facts.games) > 500
    assert len(page(facts).encode()) < LARGEST_FAULTY


def test_two_hundred_bots_have_a_page() -> None:
    text = page(Facts("large", made_stats(200)))
    read = Page(text)
    assert len(text.encode()) < LARGEST_FAULTY
    assert "Map of the crosstable" in text
    assert "All 19\u202f900 pairings" in text
    assert "17\u202f900 more pairings are in the JSON export." in read.text
    assert "192 bots further down in grey." in read.text
    assert read.text.count("bot-199") >= 3
    squares = [str(path["d"]).count("M") for path in read.all_of("path") if path.get("class") in ("h2", "h6")]
    assert sum(squares) == 200 * 199


def test_nothing_played_is_a_page_that_says_so() -> None:
    facts = facts_of(ladder(round_robin(), 0, games=0))
    read = Page(page(facts))
    assert "No game has a result yet." in read.text
    assert "No pair is complete yet, so no game can be shown." in read.text
    assert "None: every game was decided on the board." in read.text
    assert "crosstable" not in [attributes.get("id") for attributes in read.all_of("section")]
    assert not read.all_of("svg")


def test_the_games_in_the_page_are_the_records() -> None:
    facts = facts_named("six")
    read = Page(page(facts))
    (data,) = [json.loads(text) for attributes, text in read.scripts if attributes.get("id") == "games"]
    assert len(data["games"]) == len(facts.games) == 120
    for shown, (_, record) in zip(data["games"], facts.games, strict=True):
        game = record["game"]
        assert shown["id"] == record["id"]
        assert [data["bots"][seat] for seat in shown["seats"]] == list(game["seats"].values())
        assert shown["moves"].split() == [f"{tile}{building}" for _, tile, building in game["placements"]]
        assert (shown["ivory"].split(), shown["brown"].split()) == (
            game["deal"]["ivory"],
            game["deal"]["brown"],
        )
        assert shown["ms"] == record["timing"]["spent"]
    # Seeds of the seats are nobody's business.
    text = page(facts)
    assert not [record for _, record in facts.games if record["game"]["seeds"]["ivory"] in text]
