"""What the records of a journal add up to: the finished games, and those that were running when it ended."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tyrusd.league.framing import BadRecord
from tyrusd.league.schema import Payload


class Running(NamedTuple):
    """A game without an end: the record of its beginning and those of its placements, in order."""

    opened: Payload
    placed: list[Payload]


class Folded(NamedTuple):
    """All games of a journal by id: the finished in the order of their ends, the others of their starts.

    players: the newest record of each player, by its name in lower case. events: the records of each club
    event, by its name in lower case; of those that had the same name one after the other, the newest.
    """

    finished: dict[str, Payload]
    running: dict[str, Running]
    players: dict[str, Payload]
    events: dict[str, list[Payload]]


def fold(frames: Iterable[tuple[int, Payload]]) -> Folded:
    """Return what the records of a journal add up to; a result that stands there twice counts once.

    Raises BadRecord where a record contradicts one before it, and whatever reading the frames raises.
    """
    folded = Folded({}, {}, {}, {})
    for offset, payload in frames:
        fault = _ADD[payload["kind"]](folded, payload)
        if fault:
            of = "event" if payload["kind"] == "event" else "game"
            raise BadRecord(offset, f"{of} {payload['event' if of == 'event' else 'id']} {fault}")
    return folded


def _add_opened(folded: Folded, opened: Payload) -> str:
    game_id = opened["id"]
    if game_id in folded.finished or game_id in folded.running:
        return "begins a second time"
    folded.running[game_id] = Running(opened, [])
    return ""


def _add_placed(folded: Folded, placed: Payload) -> str:
    running = folded.running.get(placed["id"])
    if running is None:
        return "has a placement, but it is not running"
    running.placed.append(placed)
    return ""


def _add_game(folded: Folded, ended: Payload) -> str:
    game_id = ended["id"]
    if game_id in folded.finished:
        return "" if folded.finished[game_id] == ended else "ends a second time, and differently"
    # A record can also stand alone, without the steps that led to it.
    running = folded.running.pop(game_id, None)
    if running is not None and not _continues(running, ended["game"]):
        return "does not end as the game that was running under this id"
    folded.finished[game_id] = ended
    return ""


def _add_player(folded: Folded, player: Payload) -> str:
    folded.players[player["name"].lower()] = player
    return ""


def _add_event(folded: Folded, step: Payload) -> str:
    name = step["event"].lower()
    if step["what"] == "opened":
        folded.events.pop(name, None)  # the newest is the last
        folded.events[name] = []
    elif name not in folded.events:
        return "goes on, but it was never opened"
    folded.events[name].append(step)
    return ""


def _pass_over(folded: Folded, payload: Payload) -> str:
    """What only a ladder wants to know changes no game."""
    return ""


_ADD = {
    "opened": _add_opened,
    "placed": _add_placed,
    "game": _add_game,
    "player": _add_player,
    "event": _add_event,
    "run": _pass_over,
    "unready": _pass_over,
    "dropped": _pass_over,
}


def _continues(running: Running, game: Payload) -> bool:
    placed = [[step["side"], step["tile"], step["building"]] for step in running.placed]
    head = running.opened["game"]
    return game["placements"][: len(placed)] == placed and all(game[key] == head[key] for key in head)
