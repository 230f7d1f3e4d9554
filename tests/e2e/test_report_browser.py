"""A report in a real browser: it asks nobody for anything, its viewer steps, and scripts are not needed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.browser import Browser, browser
from tests.screen.ladder_games import FAULTS, facts_of, ladder, page, round_robin
from tyrusd.league.replay import deal_of
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import BUILDING_NAMED, SIDE_OF_WORD, TILE_NAMED, Side
from tyrusd.screen.report.facts import Facts, Failure

# What is to be seen of the board: Brown's hand, six buildings, Ivory's hand.
SEEN = """
Array.from(document.querySelectorAll("#viewer .hand .chips, #viewer .house .chips")).map(
  (row) => Array.from(row.querySelectorAll(".chip")).map((chip) => chip.textContent))
"""
SHOWN_ORDER = ("BC", "BM", "BT", "IC", "IM", "IT")


@pytest.fixture(scope="module")
def facts() -> Facts:
    found = facts_of(ladder(round_robin(rounds=2), 9))
    failures = [
        Failure(game["id"], "anna", "bert", "ivory", game["game"]["reason"], "", False, ["place x"])
        for _, game in found.games
        if game["game"]["reason"] in FAULTS
    ]
    return found._replace(failures=failures)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture
def file(tmp_path: Path, facts: Facts) -> Path:
    path = tmp_path / "report.html"
    path.write_text(page(facts), encoding="utf-8")
    return path


def complaints(shown: Browser) -> list[dict[str, Any]]:
    return [*shown.told("Runtime.exceptionThrown"), *shown.told("Log.entryAdded")]


def test_a_report_asks_for_nothing_and_breaks_nothing(shown: Browser, file: Path) -> None:
    shown.open(file)
    assert [event["request"]["url"] for event in shown.told("Network.requestWillBeSent")] == [file.as_uri()]
    assert complaints(shown) == []
    assert shown.value("document.getElementById('viewer').classList.contains('ready')")
    # The policy is at work: nothing could be fetched, and no other script would run.
    tried = "fetch('data:text/plain,x').then(() => 'fetched', () => 'refused')"
    assert shown.value(tried) == "refused"
    shown.value(
        "{ const more = document.createElement('script'); more.textContent = 'window.ran = 1';"
        " document.body.appendChild(more); }"
    )
    assert shown.value("typeof window.ran") == "undefined"


def board(game: Game) -> list[list[str]]:
    """What should be seen: Brown's hand, the buildings, Ivory's hand."""
    houses = [
        [str(seen.tile) for seen in game.board if seen.building is BUILDING_NAMED[name]]
        for name in SHOWN_ORDER
    ]
    hands = {side: [str(tile) for tile in game.hand(side)] for side in Side}
    return [hands[Side.BROWN], *houses, hands[Side.IVORY]]


def test_the_keys_step_through_a_game_as_it_was(shown: Browser, file: Path, facts: Facts) -> None:
    shown.open(file)
    shown.value("document.getElementById('viewer').focus()")
    record = facts.games[0][1]["game"]
    game = Game(deal_of(dict(record)))
    assert shown.value(SEEN) == board(game)
    for side, tile, building in record["placements"]:
        game.place(SIDE_OF_WORD[side], TILE_NAMED[tile], BUILDING_NAMED[building])
        shown.press("ArrowRight")
        assert shown.value(SEEN) == board(game)
        assert f" placed {tile} in " in shown.value("document.querySelector('.told').textContent")
    total = len(record["placements"])
    assert record["reason"] in shown.value("document.querySelector('.told').textContent")
    where = "document.querySelector('.where').textContent"
    for key, place in (("ArrowRight", total), ("Home", 0), ("ArrowLeft", 0), ("PageDown", 6), ("End", total)):
        shown.press(key)
        assert shown.value(where) == f"Placement {place} of {total}"
    shown.press("PageUp")
    assert shown.value(where) == f"Placement {(total - 1) // 6 * 6} of {total}"
    # The sixth placement of an election is shown with its count.
    assert shown.value("document.querySelectorAll('#viewer .tally tbody tr').length") == 2
    assert complaints(shown) == []


def test_a_failure_leads_to_its_game(shown: Browser, file: Path, facts: Facts) -> None:
    shown.open(file)
    shown.value("document.querySelector('.failures a').click()")
    chosen = shown.value("document.querySelector('#viewer select').selectedOptions[0].textContent")
    assert chosen.startswith(f"{facts.failures[0].game}: ")
    assert shown.value("document.activeElement.id") == "viewer"
    number = [game["id"] for _, game in facts.games].index(facts.failures[-1].game)
    shown.open(file.with_name(file.name))
    shown.value(f"window.location.hash = 'game-{number}'")
    chosen = "document.querySelector('#viewer select').value"
    assert shown.value(f"new Promise((done) => setTimeout(() => done({chosen}), 50))") == str(number)


def test_a_table_is_sorted_by_the_head_that_is_chosen(shown: Browser, file: Path) -> None:
    shown.open(file)
    table = "document.querySelector('#standings table')"
    column = f"Array.from({table}.tBodies[0].rows).map((row) => Number(row.cells[2].dataset.order))"
    before = shown.value(column)
    assert before == sorted(before, reverse=True)
    click = f"{table}.tHead.rows[0].cells[2].querySelector('button').click()"
    shown.value(click)
    assert shown.value(column) == before
    assert shown.value(f"{table}.tHead.rows[0].cells[2].getAttribute('aria-sort')") == "descending"
    shown.value(click)
    assert shown.value(column) == sorted(before)
    names = f"Array.from({table}.tBodies[0].rows).map((row) => row.cells[1].textContent)"
    shown.value(f"{table}.tHead.rows[0].cells[1].querySelector('button').click()")
    assert shown.value(names) == sorted(shown.value(names), reverse=True)


@pytest.mark.parametrize("width", [320, 390, 1200])
def test_a_report_fits_its_reader(shown: Browser, file: Path, width: int) -> None:
    shown.ask(
        "Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 500
    )
    try:
        shown.open(file)
        assert shown.value("document.documentElement.scrollWidth") <= width
        assert shown.value("document.querySelector('#viewer').getBoundingClientRect().right") <= width
    finally:
        shown.ask("Emulation.clearDeviceMetricsOverride")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_in_dark(shown: Browser, file: Path, scheme: str) -> None:
    shown.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    try:
        shown.open(file)
        colours = shown.value(
            "(() => { const style = getComputedStyle(document.body);"
            " return [style.color, style.backgroundColor]; })()"
        )
        light = [sum(int(part) for part in colour[4:-1].split(",")) for colour in colours]
        assert abs(light[0] - light[1]) > 500
        assert (light[0] < light[1]) == (scheme == "light")
    finally:
        shown.ask("Emulation.setEmulatedMedia", features=[])


def test_without_scripts_everything_but_the_viewer_is_there(shown: Browser, file: Path) -> None:
    shown.ask("Emulation.setScriptExecutionDisabled", value=True)
    try:
        shown.open(file)
        tree = shown.ask("DOM.getDocument", depth=-1)
        text = shown.ask("DOM.getOuterHTML", nodeId=tree["root"]["nodeId"])["outerHTML"]
    finally:
        shown.ask("Emulation.setScriptExecutionDisabled", value=False)
    assert "Stepping through a game needs JavaScript" in text
    assert text.count("<svg") >= 3
    assert "Games of the viewer" in text
    assert '<select aria-label="Game"' not in text


def test_a_report_can_be_printed(shown: Browser, file: Path) -> None:
    shown.open(file)
    pages = shown.ask("Page.printToPDF", printBackground=True)["data"]
    assert len(pages) > 20_000
