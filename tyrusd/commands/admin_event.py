"""How the word `event` of `tyrusd admin` is typed, and how events, tables and encounters are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

STEPS: Final = {
    "open": "NAME KIND",
    "close": "NAME",
    "start": "NAME",
    "pause": "NAME",
    "go-on": "NAME",
    "drop": "NAME PLAYER",
    "cancel": "NAME",
    "print": "NAME",
    "list": "",
}
"""Each step of an event, and what is typed behind it."""

_PLACES: Final = ("step", "name", "what")  # what: the kind of an event that is opened, or a player
_HOW: Final = {"walkover": " by walkover", "void": ": neither came"}
_KEYS: Final = ("clock", "cap", "rounds", "variant")

Table = Callable[[list[Mapping[str, Any]], tuple[str, ...]], list[str]]


def typed_event(arguments: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of the word; ValueError with what is wrong in it."""
    pairs = [argument.partition("=") for argument in arguments if "=" in argument]
    places = [argument for argument in arguments if "=" not in argument]
    values: dict[str, Any] = dict(zip(_PLACES, places, strict=False))
    step = places[0] if places else ""
    if step not in STEPS:
        raise ValueError(f"there is no step {step[:64]!r}; there are {', '.join(STEPS)}")
    if len(places) != 1 + len(STEPS[step].split()):
        raise ValueError(f"event {step} wants {STEPS[step] or 'nothing behind it'}")
    if pairs and step != "open":
        raise ValueError(f"only event open takes {'=, '.join(_KEYS)}=")
    for key, _, value in pairs:
        if key not in _KEYS:
            raise ValueError(f"there is no {key}=; there are {'=, '.join(_KEYS)}=")
        values[key] = value
    rounds = values.get("rounds")
    if rounds is not None:
        if not (rounds.isascii() and rounds.isdigit() and len(rounds) < 4):
            raise ValueError(f"rounds= is a whole number, not {rounds!r}")
        values["rounds"] = int(rounds)
    return values


def event_lines(told: Mapping[str, Any], table: Table) -> Iterable[str]:
    """An answer as lines: all events, one with its table and its encounters, or what was done."""
    if "events" in told:
        columns = ("event", "kind", "state", "entrants", "round", "rounds", "champion", "finalist")
        return table(told["events"], columns)
    if "table" not in told:
        pending = f"; {told['leaving']} is out when its game is over" if told.get("leaving") else ""
        return [f"{told['event']} is {told['state']}, with {told['entrants']} entrants{pending}"]
    return _printed(told, table)


def _printed(told: Mapping[str, Any], table: Table) -> list[str]:
    lines = [f"{told['event']}: {told['kind']}, {told['state']}"]
    if told["champion"] is not None:
        second = "" if told["finalist"] is None else f", before {told['finalist']}"
        lines.append(f"won by {told['champion']}{second}")
    rows = [
        row | {"state": f"{row['state']}, leaves after its game"} if row["leaving"] == "yes" else row
        for row in told["table"]
    ]
    lines += ["", *table(rows, ("rank", "name", "points", "games", "byes", "state"))]
    number = None
    for encounter in told["encounters"]:
        if encounter["round"] != number:
            number = encounter["round"]
            lines += ["", f"round {number}"]
        winner = encounter["winner"]
        end = {"over": "drawn" if winner is None else f"{winner} has won"}.get(
            encounter["state"], encounter["state"] if winner is None else f"{winner} goes on"
        )
        end += _HOW.get(encounter["reason"], "")
        game = "" if encounter["game"] is None else f" ({encounter['game']})"
        lines.append(f"  {encounter['one']} - {encounter['two']}: {end}{game}")
    return lines
