"""Who stands where in a tournament, as it places its entrants: by points and tie rules, or by its bracket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from tyrusd.screen.clean import printable
from tyrusd.screen.names import shown_name

Data: TypeAlias = Mapping[str, Any]

_BY_ITSELF: Final = ("gauntlet", "swiss", "knockout")
_ENDS: Final = ("final", "semifinals", "quarterfinals")
_HOW: Final = {
    "won": "goes on",
    "walkover": "goes on, since the other cannot",
    "seed": "goes on as the better seed",
    "nobody": "nobody goes on",
    None: "not decided",
}


def placed(stats: Data) -> Sequence[Data]:
    """The entrants of the statistics in the order of their tournament, with its places and points.

    A round robin is ordered as the ratings are, and so are several runs together.
    """
    event = stats.get("tournament")
    if not event or event["kind"] not in _BY_ITSELF:
        found: Sequence[Data] = stats["entrants"]
        return found
    rows = {row["name"]: row for row in stats["entrants"]}
    return [
        {**rows[line["name"]], "rank": line["place"], "points": line["points"]}
        for line in event["table"]
        if line["name"] in rows
    ]


def placing_lines(event: Data | None) -> list[str]:
    """What decides between equal points, and byes, in a Swiss tournament; the bracket of a knock-out."""
    if not event:
        return []
    if event["kind"] == "swiss":
        return _swiss(event["table"])
    return _bracket(event["bracket"], event["rounds"]) if event["bracket"] else []


def winner_lines(event: Data | None) -> list[str]:
    """Who has won, or what is missing for that; nothing while it goes on or where nobody can win."""
    if not event:
        return []
    if event["champion"] is not None:
        finalists = " and ".join(map(printable, event["finalists"]))
        rest = f"; finalists: {finalists}" if finalists else ""
        return [f"winner: {printable(event['champion'])}{rest}"]
    return [] if event["no_winner"] is None else [f"no winner: {printable(event['no_winner'])}"]


def _swiss(rows: Sequence[Data]) -> list[str]:
    width = max(len(shown_name(row["name"])) for row in rows)
    return [
        "by points and tie rules:",
        *(
            f"{_place(row)}  {shown_name(row['name']):<{width}}  {row['points']:.1f} points, "
            + ", ".join(f"{rule.replace('_', '-')} {value:g}" for rule, value in row["tiebreaks"].items())
            + (f", {row['byes']} bye" if row["byes"] == 1 else f", {row['byes']} byes" if row["byes"] else "")
            for row in rows
        ),
    ]


def _place(row: Data) -> str:
    return f"{'-' if row['place'] is None else row['place']:>4}"


def _bracket(rounds: Sequence[Sequence[Data]], total: int | None) -> list[str]:
    lines = ["bracket:"]
    for number, ties in enumerate(rounds, 1):
        to_go = (total or len(rounds)) - number
        lines.append(f"  {_ENDS[to_go] if to_go < len(_ENDS) else f'round {number}'}")
        lines += [f"    {_tie(tie)}" for tie in ties if tie["first"] is not None]
    return lines


def _tie(tie: Data) -> str:
    first = shown_name(tie["first"])
    if tie["second"] is None:
        return f"{first}: bye"
    points = " : ".join(f"{each:g}" for each in tie["points"])
    winner = "" if tie["winner"] is None else f"{shown_name(tie['winner'])} "
    return f"{first} - {shown_name(tie['second'])}  {points}  {winner}{_HOW[tie['how']]}"
