"""A finished game as others read it: one JSON object in a published schema, one object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final

from tyrusd.league.fold import fold
from tyrusd.league.schema import Payload

SCHEMA: Final = 1
_PLACE: Final = ("pair", "attempt", "game", "round")


def distinct_names(first: str, second: str) -> tuple[str, str]:
    """Return two names that tell two seats apart: the second of equal names gets "-2"."""
    return first, f"{second}-2" if second == first else second


def export_object(record: Payload) -> Payload:
    """Return the export of the record of a finished game; only `timing` differs when the game is repeated.

    Raises ValueError for the record of something else.
    """
    if record["kind"] != "game":
        raise ValueError(f"only a finished game can be exported, not a record of kind {record['kind']!r}")
    game = record["game"]
    ivory, brown = distinct_names(game["seats"]["ivory"], game["seats"]["brown"])
    exported = {
        "schema": SCHEMA,
        "game": game["number"],
        "variant": game["variant"],
        "deal": game["deal"],
        "placements": game["placements"],
        "elections": game["elections"],
        "winner": game["winner"],
        "reason": game["reason"],
        "detail": game["detail"],
        "seeds": game["seeds"],
        "seats": {"ivory": ivory, "brown": brown},
        "fillings": game.get("fillings", {"ivory": None, "brown": None}),
        "timing": record["timing"],
    }
    place = record.get("ladder")
    if place is not None:
        # The number does not tell the two games of a pair apart; the id names them to other commands.
        exported["ladder"] = {"id": record["id"], **{key: place[key] for key in _PLACE}}
    if record.get("rated") is not None:
        exported["rated"] = record["rated"]
    return exported


def export_line(record: Payload) -> str:
    """Return the export of a finished game as a line of ASCII without its end; ValueError as above."""
    return json.dumps(export_object(record), separators=(",", ":"))


def export_lines(frames: Iterable[tuple[int, Payload]]) -> Iterator[str]:
    """Yield a line for each finished game of a journal, in the order of the schedule.

    Raises BadRecord where a record contradicts one before it, and whatever reading the frames raises.
    """
    finished = fold(frames).finished.values()
    return (export_line(record) for record in sorted(finished, key=_when))


def _when(record: Payload) -> tuple[int, ...]:
    place = record.get("ladder")
    if place is None:
        return (record["game"]["number"],)
    return place["pair"], place["attempt"], place["game"]
