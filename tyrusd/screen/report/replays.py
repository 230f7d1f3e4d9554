"""Puts games into the page: a list that anybody can read, and data from which a script shows each step."""

from __future__ import annotations

from typing import Any, Final

from tyrusd.screen.clean import printable
from tyrusd.screen.report.facts import Data, Facts
from tyrusd.screen.report.markup import Markup, data_block, short, tag
from tyrusd.screen.report.numbers import counted
from tyrusd.screen.report.selection import ABNORMAL
from tyrusd.screen.report.tables import Cell, folded, name, section, table, words

DATA: Final = "games"
_LETTER: Final = {"ivory": "I", "brown": "B", None: "-"}
_LETTERS: Final = 400  # of a detail


def replays(facts: Facts) -> Markup:
    """Return the viewer with the games that it shows."""
    if not facts.games:
        return section("replay", "Games", tag("p", "No pair is complete yet, so no game can be shown."))
    abnormal = sum(game["game"]["reason"] in ABNORMAL for _, game in facts.games)
    others = counted(len(facts.games) - abnormal, "other")
    told = (
        f"{counted(abnormal, 'game')} that ended abnormally and {others}, the games of a deal together. "
        "They are shown when all on their deal have ended."
    )
    more = f" {counted(facts.left_out, 'more abnormal game')} had no room." if facts.left_out else ""
    viewer = tag(
        "div",
        tag("noscript", tag("p", "Stepping through a game needs JavaScript; the list below does not.")),
        id="viewer",
        tabindex=0,
        role="group",
        aria_label="Replay of a game; arrow keys step",
    )
    columns = words("game", "round", "Ivory", "Brown", "elections", "won by", "how", "deal")
    rows = [_row(number, run, game) for number, (run, game) in enumerate(facts.games)]
    games = folded("All games that can be replayed", table("Games of the viewer", columns, rows))
    return section("replay", "Games", tag("p", told, more), viewer, games, data_block(embedded(facts), DATA))


def called(run: int, record: Data) -> str:
    """Return what a game is called in a report; run: its number where there are several, else 0."""
    return f"{run}:{record['id']}" if run else str(record["id"])


def embedded(facts: Facts) -> dict[str, Any]:
    """Return all games as the viewer wants them, each as short as it can be."""
    bots: dict[str, int] = {}
    games = [_game(run, record, bots) for run, record in facts.games]
    return {"bots": [short(printable(bot)) for bot in bots], "games": games}


def _game(run: int, record: Data, bots: dict[str, int]) -> dict[str, Any]:
    game, place = record["game"], record["ladder"]
    deal = game["deal"]
    return {
        "id": called(run, record),
        "pair": place["pair"],
        "round": place["round"],
        "seats": [bots.setdefault(game["seats"][side], len(bots)) for side in ("ivory", "brown")],
        "variant": game["variant"],
        "cards": "".join(deal["cards"]),
        "ivory": " ".join(deal["ivory"]),
        "brown": " ".join(deal["brown"]),
        "opener": _LETTER[deal["opener"]],
        "moves": " ".join(f"{tile}{building}" for _, tile, building in game["placements"]),
        "ms": record["timing"]["spent"],
        "winner": _LETTER[game["winner"]],
        "reason": game["reason"],
        "detail": printable(game["detail"][:_LETTERS]),
    }


def _row(number: int, run: int, record: Data) -> list[Any]:
    game, place = record["game"], record["ladder"]
    winner = game["winner"]
    won = "".join("N" if each["winner"] is None else _LETTER[each["winner"]] for each in game["elections"])
    link = tag("a", called(run, record), href=f"#game-{number}", id=f"game-{number}", class_="game")
    return [
        Cell(link, number),
        place["round"],
        name(game["seats"]["ivory"]),
        name(game["seats"]["brown"]),
        won or "–",
        "nobody" if winner is None else name(game["seats"][winner]),
        Cell(game["reason"], None, "bad" if game["reason"] in ABNORMAL else None),
        f"pair {place['pair']}" + (f", attempt {place['attempt']}" if place["attempt"] > 1 else ""),
    ]
