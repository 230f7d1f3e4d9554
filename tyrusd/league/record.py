"""A match as records: its beginning, each placement, its end; docs/records.md tells what they hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tyrusd.league.framing import (
    HEADER,
    BadRecord,
    TruncatedTail,
    frame,
    placed_frame,
    read_frame,
    read_frames,
    whole_frames,
)
from tyrusd.league.match import Match
from tyrusd.league.schema import LONGEST_DETAIL, LONGEST_FILLING, Payload
from tyrusd.rules.deal import Deal
from tyrusd.rules.events import Tallied
from tyrusd.rules.pieces import SIDE_WORDS, Side, Tile
from tyrusd.rules.tally import Count

__all__ = [
    "HEADER",
    "BadRecord",
    "Payload",
    "TruncatedTail",
    "again_record",
    "frame",
    "game_record",
    "opened_record",
    "placed_frame",
    "read_frame",
    "read_frames",
    "refused_record",
    "whole_frames",
]

_LETTERS: Final = "CMT"


def opened_record(match: Match, *, started: str, repeats: str | None = None) -> Payload:
    """Return the record of a beginning; `started` is the time of day, ISO 8601 in UTC with a final Z.

    repeats: the game whose deal this one is played on, where that is another one.
    """
    record: Payload = {"kind": "opened", "id": match.game_id, "started": started, "game": _head(match)}
    if repeats is not None:
        record["repeats"] = repeats
    if match.rated is not None:
        record["rated"] = match.rated.payload()
    return record


def refused_record(game_id: str, side: str) -> Payload:
    """Return the record of a placement against the rules."""
    return {"kind": "refused", "id": game_id, "side": side}


def again_record(game_id: str, next_game: str | None) -> Payload:
    """Return the record of what is to follow a drawn game; None: nothing is any more."""
    return {"kind": "again", "id": game_id, "next": next_game}


def game_record(match: Match, *, started: str) -> Payload:
    """Return the record of a game that is over; `started` is the time of day, ISO 8601 in UTC with a final Z.

    Everything under "game" is the same for the same game, however long it took and whatever ran beside it.
    Raises ValueError while the game is running: it has no result to keep.
    """
    outcome, ended = match.game.outcome, match.ended
    if outcome is None or ended is None:
        raise ValueError(f"game {match.game_id} is still running; record it when it is over")
    placements = [
        [SIDE_WORDS[side], str(tile), building.name] for side, tile, building in match.game.placements
    ]
    record: Payload = {
        "kind": "game",
        "id": match.game_id,
        "game": {
            **_head(match),
            "placements": placements,
            "elections": [_election(tallied) for tallied in match.tallies],
            "winner": _word(outcome.winner),
            "reason": outcome.reason,
            "detail": _clean(outcome.detail),
        },
        "timing": {
            "started": started,
            "spent": list(match.spent),
            "cpu": list(match.cpu),
            "total": 0 if match.began is None else max(0, round((ended - match.began) * 1000)),
            "left": _pair(clock.time_ms for clock in match.clocks),
        },
    }
    if match.ladder is not None:
        place, host, cpu = match.ladder
        record["ladder"] = {**place._asdict(), "host": host, "cpu": cpu}
    if match.rated is not None:
        record["rated"] = match.rated.payload()
    return record


def _head(match: Match) -> Payload:
    return {
        "number": match.number,
        "variant": match.game.variant.name,
        "deal": _deal(match.game.deal),
        "seats": _pair(match.names),
        "fillings": _pair(_filling(filling) for filling in match.fillings),
        "seeds": _pair(match.seeds),
        "controls": _pair({"clock": c.clock_text, "cap": c.cap_text} for c in match.controls),
        "lenient": _pair(match.lenient),
    }


def _deal(deal: Deal) -> Payload:
    return {
        "cards": [_LETTERS[kind] for kind in deal.cards],
        "ivory": _names(deal.ivory),
        "brown": _names(deal.brown),
        "opener": deal.opener.word,
    }


def _election(tallied: Tallied) -> Payload:
    return {
        "kind": _LETTERS[tallied.kind],
        "ivory": _count(tallied.ivory),
        "brown": _count(tallied.brown),
        "winner": _word(tallied.winner),
    }


def _count(count: Count) -> Payload:
    return {"votes": count.votes, "blocks": count.blocks, "counters": count.counters, "score": count.score}


def _names(tiles: tuple[Tile, ...]) -> list[str]:
    return [str(tile) for tile in tiles]


def _word(side: Side | None) -> str | None:
    return None if side is None else side.word


def _pair(values: Iterable[object]) -> Payload:
    return dict(zip(SIDE_WORDS, values, strict=True))


def _filling(filling: str | None) -> str | None:
    return None if filling is None else _text(filling)[:LONGEST_FILLING] or None


def _clean(detail: str) -> str:
    return _text(detail)[:LONGEST_DETAIL]


def _text(words: str) -> str:
    # A detail may quote what a failing program printed: bytes that are no text must not lose the result.
    return words.encode("utf-8", "replace").decode("utf-8")
