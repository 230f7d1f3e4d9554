"""The golden games: 200 whole games from an independent implementation, and the check that replays them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from tests.rules.rows import check, only

GOLDEN = Path(__file__).resolve().parents[1] / "records" / "golden.jsonl"


@cache
def golden_games() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in GOLDEN.read_text("ascii").splitlines())


def golden_deal(rules: Any, game: dict[str, Any]) -> Any:
    deal = game["deal"]
    return rules.Deal(
        tuple(rules.KIND_OF_LETTER[letter] for letter in deal["cards"]),
        tuple(rules.TILE_NAMED[name] for name in deal["ivory"]),
        tuple(rules.TILE_NAMED[name] for name in deal["brown"]),
        rules.SIDE_OF_WORD[deal["opener"]],
    )


def golden_placements(rules: Any, game: dict[str, Any]) -> list[tuple[Any, Any, Any]]:
    return [
        (rules.SIDE_OF_WORD[side], rules.TILE_NAMED[tile], rules.BUILDING_NAMED[building])
        for side, tile, building in game["placements"]
    ]


def word_of(side: Any) -> str | None:
    return None if side is None else str(side.word)


def replay(rules: Any, game: dict[str, Any], variant: Any) -> tuple[Any, list[Any]]:
    """The finished game, and all events, under a variant."""
    played = rules.Game(golden_deal(rules, game), variant)
    events: list[Any] = []
    for placement in golden_placements(rules, game):
        assert played.outcome is None, f"game {game['game']} ended early: {played.outcome}"
        events += played.place(*placement)
    return played, events


def compare(rules: Any, game: dict[str, Any]) -> None:
    """Replay one golden game and compare every figure."""
    number = game["game"]
    played, events = replay(rules, game, rules.VARIANTS[game["variant"]])
    assert played.outcome is not None, f"game {number} did not end"
    assert (word_of(played.outcome.winner), played.outcome.reason) == (game["winner"], game["reason"]), number
    told = [
        {
            "kind": tallied.kind.letter,
            "ivory": tallied.ivory._asdict(),
            "brown": tallied.brown._asdict(),
            "winner": word_of(tallied.winner),
        }
        for tallied in only(events, rules.Tallied)
    ]
    assert told == game["elections"], f"game {number}"
    shown = len(only(events, rules.Remaining))
    assert shown == (2 if game["reason"] in ("remaining-tiles", "drawn") else 0), f"game {number}"


def compare_replay_ties(rules: Any, game: dict[str, Any]) -> None:
    """Under replay-ties the games that the last tiles decided are drawn, and all others end as they did."""
    played, events = replay(rules, game, rules.VARIANTS["replay-ties"])
    tied = game["reason"] in ("remaining-tiles", "drawn")
    expected = (None, "drawn") if tied else (game["winner"], game["reason"])
    assert played.outcome is not None
    assert (word_of(played.outcome.winner), played.outcome.reason) == expected, game["game"]
    assert only(events, rules.Remaining) == []


@check(4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
def golden_games_give_every_figure(rules: Any) -> None:
    for game in golden_games():
        compare(rules, game)
        compare_replay_ties(rules, game)
