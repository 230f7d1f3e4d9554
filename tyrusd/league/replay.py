"""A record played again: to close a game that was cut off, and to check that a record tells the truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tyrusd.league.clock import TimeControl
from tyrusd.league.fold import Running
from tyrusd.league.match import IllegalAnswer, Match, NotYourTurn
from tyrusd.league.rated import Rated
from tyrusd.league.record import game_record
from tyrusd.league.schema import Payload
from tyrusd.rules.deal import Deal
from tyrusd.rules.game import PLAYED_OUT
from tyrusd.rules.pieces import BUILDING_NAMED, KIND_OF_LETTER, SIDE_OF_WORD, TILE_NAMED
from tyrusd.rules.variants import VARIANTS

_Value = TypeVar("_Value")


def interrupted(running: Running) -> Payload:
    """Return the record of a game that was cut off: aborted, without a result, up to its last placement.

    Raises ValueError when its records tell of a game that cannot have been played.
    """
    match = resumed(running)
    if match.game.outcome is None:
        match.stop(None, "aborted", "interrupted", 0.0)
    record = game_record(match, started=running.opened["started"])
    record["timing"]["total"] = sum(match.spent)
    return record


def resumed(running: Running) -> Match:
    """Return the match of a game that was cut off, with its clocks as they were after the last placement.

    No request is open; the match is over if that placement ended it, or one against the rules, of which its
    side had been forgiven as many as it may. Raises ValueError as `interrupted`.
    """
    opened = running.opened
    steps = [(step["side"], step["tile"], step["building"]) for step in running.placed]
    match = _play(opened["id"], opened["game"], steps, [step["spent"] for step in running.placed])
    match.rated = Rated.of(opened.get("rated"))
    for word in running.refused:
        side = SIDE_OF_WORD[word]
        match.refused[side] += 1
        lenient = match.lenient[side]
        if lenient is not None and match.refused[side] > lenient and match.game.outcome is None:
            match.forfeit(side, "illegal", "not-in-hand", 0.0)
    return match


def played(record: Payload) -> Match:
    """Return the match of a finished game, played again up to its last placement; ValueError as `verify`."""
    game = record["game"]
    match = _play(record["id"], game, game["placements"], record["timing"]["spent"])
    match.rated = Rated.of(record.get("rated"))
    return match


def verify(record: Payload) -> None:
    """Play the record of a finished game again; raises ValueError, saying what is not as the record says."""
    game, timing = record["game"], record["timing"]
    match = _play(record["id"], game, game["placements"], timing["spent"])
    if (match.game.outcome is not None) != (game["reason"] in PLAYED_OUT):
        raise ValueError(f"the placements do not lead to an end by {game['reason']!r}")
    if match.game.outcome is None:
        winner = None if game["winner"] is None else SIDE_OF_WORD[game["winner"]]
        match.stop(winner, game["reason"], game["detail"], 0.0)
    for key, told in game_record(match, started=timing["started"])["game"].items():
        if key != "fillings" and game[key] != told:
            raise ValueError(f"{key!r} is not what the deal and the placements lead to")


def _play(game_id: str, head: Payload, steps: Sequence[Sequence[str]], spent: Sequence[int]) -> Match:
    if len(steps) != len(spent):
        raise ValueError(f"{len(steps)} placements, but {len(spent)} times spent on them")
    match = new_match(game_id, head)
    for (side, tile, building), milliseconds in zip(steps, spent, strict=True):
        number = match.issue(0.0).number
        try:
            match.place(
                SIDE_OF_WORD[side], number, TILE_NAMED[tile], BUILDING_NAMED[building], milliseconds / 1000
            )
        except (IllegalAnswer, NotYourTurn) as fault:
            raise ValueError(f"placement {number} cannot have been made: {fault}") from None
    return match


def deal_of(head: Payload) -> Deal:
    """Return the deal of a record's head."""
    deal = head["deal"]
    return Deal(
        tuple(KIND_OF_LETTER[letter] for letter in deal["cards"]),
        tuple(TILE_NAMED[name] for name in deal["ivory"]),
        tuple(TILE_NAMED[name] for name in deal["brown"]),
        SIDE_OF_WORD[deal["opener"]],
    )


def new_match(game_id: str, head: Payload) -> Match:
    """Return the match of a record's head, before its first placement."""
    controls = _both(head["controls"])
    return Match(
        game_id,
        head["number"],
        deal_of(head),
        VARIANTS[head["variant"]],
        (TimeControl.parse(**controls[0]), TimeControl.parse(**controls[1])),
        _both(head["lenient"]),
        _both(head["seats"]),
        _both(head["seeds"]),
        _both(head["fillings"]) if "fillings" in head else (None, None),
    )


def _both(pair: dict[str, _Value]) -> tuple[_Value, _Value]:
    return pair["ivory"], pair["brown"]
