"""Matches for the tests of this room: small ones made to order, and golden games played through."""

import json
from pathlib import Path
from typing import Any

from tyrusd.league.clock import BOTS, TimeControl
from tyrusd.league.match import Match
from tyrusd.rules.deal import Deal, deal_from_bytes
from tyrusd.rules.events import Event
from tyrusd.rules.pieces import BUILDING_NAMED, KIND_OF_LETTER, SIDE_OF_WORD, TILE_NAMED, Building
from tyrusd.rules.variants import STANDARD, VARIANTS, Variant

GOLDEN_FILE = Path(__file__).parents[1] / "records" / "golden.jsonl"
GOLDEN: list[dict[str, Any]] = [json.loads(line) for line in GOLDEN_FILE.read_text("ascii").splitlines()]
STARTED = "2031-05-06T07:08:09Z"


def new_match(
    game_id: str = "g1",
    number: int = 1,
    deal: Deal | None = None,
    variant: Variant = STANDARD,
    controls: tuple[TimeControl, TimeControl] = (BOTS, BOTS),
    lenient: tuple[int | None, int | None] = (0, 0),
    names: tuple[str, str] = ("anna", "bert"),
) -> Match:
    return Match(
        game_id,
        number,
        deal or deal_from_bytes(b"a deal for tests"),
        variant,
        controls,
        lenient,
        names,
        ("0" * 32, "f" * 32),
    )


def golden_deal(game: dict[str, Any]) -> Deal:
    deal = game["deal"]
    return Deal(
        tuple(KIND_OF_LETTER[letter] for letter in deal["cards"]),
        tuple(TILE_NAMED[name] for name in deal["ivory"]),
        tuple(TILE_NAMED[name] for name in deal["brown"]),
        SIDE_OF_WORD[deal["opener"]],
    )


def golden_match(
    game: dict[str, Any],
    steps: int | None = None,
    pace_ms: int = 1000,
    controls: tuple[TimeControl, TimeControl] = (BOTS, BOTS),
) -> Match:
    """A golden game, or its first steps, played with each placement taking the same time."""
    variant = VARIANTS[game["variant"]]
    match = new_match(
        f"g{game['game']}", game["game"], golden_deal(game), variant, controls, lenient=(0, None)
    )
    now = 0.0
    for side, tile, building in game["placements"][:steps]:
        number = match.issue(now).number
        now += pace_ms / 1000
        match.place(SIDE_OF_WORD[side], number, TILE_NAMED[tile], BUILDING_NAMED[building], now)
    return match


def answer(match: Match, now: float) -> tuple[Event, ...]:
    """Answer the open request with the lowest tile."""
    request = match.open_request
    assert request is not None
    tile = match.game.hand(request.side)[0]
    return match.place(request.side, request.number, tile, Building.IC, now)
