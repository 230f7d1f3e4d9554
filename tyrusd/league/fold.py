"""What the records of a journal add up to: the finished games, and those that were running when it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, NamedTuple, TypeVar

from tyrusd.league.framing import BadRecord
from tyrusd.league.schema import Payload

Kept = TypeVar("Kept")


class Running(NamedTuple):
    """A game without an end: the record of its beginning, those of its placements, who was refused others."""

    opened: Payload
    placed: list[Payload]
    refused: tuple[str, ...] = ()


class Followed(NamedTuple):
    """A drawn game that is to be followed by another one: that one's id, and the end, once it is there."""

    next: str
    end: Payload | None


class Folded(NamedTuple, Generic[Kept]):
    """All games of a journal by id: the finished in the order of their ends, the others of their starts.

    finished: what is kept of each, which `fold` lets be its record. players: the newest record of each
    player, by its name in lower case. events: the records of each club event, by its name in lower case; of
    those that had the same name one after the other, the newest. again: games that others follow, until those
    have begun.
    """

    finished: dict[str, Kept]
    running: dict[str, Running]
    players: dict[str, Payload]
    events: dict[str, list[Payload]]
    again: dict[str, Followed]

    def unfollowed(self) -> list[tuple[Payload, str]]:
        """Drawn games that are over, with the ids of those that were to follow them and have not begun."""
        return [
            (followed.end, followed.next)
            for followed in self.again.values()
            if followed.end is not None
            and followed.next not in self.running
            and followed.next not in self.finished
        ]


def fold(frames: Iterable[tuple[int, Payload]]) -> Folded[Payload]:
    """Return what the records of a journal add up to; a result that stands there twice counts once.

    Raises BadRecord where a record contradicts one before it, and whatever reading the frames raises.
    """
    folded: Folded[Payload] = Folded({}, {}, {}, {}, {})
    for offset, payload in frames:
        add(folded, offset, payload, _whole)
    return folded


def add(folded: Folded[Kept], offset: int, payload: Payload, keep: Callable[[Payload], Kept]) -> None:
    """Take the next record, which stands at this offset; raises BadRecord where it contradicts those before.

    keep: what is kept of a finished game; equal for equal records, and different for different ones.
    """
    kind = payload["kind"]
    fault = _add_game(folded, payload, keep) if kind == "game" else _ADD[kind](folded, payload)
    if fault:
        of = "event" if kind == "event" else "game"
        raise BadRecord(offset, f"{of} {payload['event' if of == 'event' else 'id']} {fault}")


def _whole(ended: Payload) -> Payload:
    return ended


def _add_opened(folded: Folded[Any], opened: Payload) -> str:
    game_id = opened["id"]
    if game_id in folded.finished or game_id in folded.running:
        return "begins a second time"
    folded.running[game_id] = Running(opened, [])
    for game in [game for game, followed in folded.again.items() if followed.next == game_id]:
        del folded.again[game]  # or every drawn game of a long journal would be remembered whole
    return ""


def _add_placed(folded: Folded[Any], placed: Payload) -> str:
    running = folded.running.get(placed["id"])
    if running is None:
        return "has a placement, but it is not running"
    running.placed.append(placed)
    return ""


def _add_refused(folded: Folded[Any], refused: Payload) -> str:
    running = folded.running.get(refused["id"])
    if running is None:
        return "has a refused placement, but it is not running"
    folded.running[refused["id"]] = running._replace(refused=(*running.refused, refused["side"]))
    return ""


def _add_game(folded: Folded[Kept], ended: Payload, keep: Callable[[Payload], Kept]) -> str:
    game_id, kept = ended["id"], keep(ended)
    if game_id in folded.finished:
        return "" if folded.finished[game_id] == kept else "ends a second time, and differently"
    # A record can also stand alone, without the steps that led to it.
    running = folded.running.pop(game_id, None)
    if running is not None and not _continues(running, ended):
        return "does not end as the game that was running under this id"
    folded.finished[game_id] = kept
    followed = folded.again.get(game_id)
    if followed is not None:
        folded.again[game_id] = followed._replace(end=ended)
    return ""


def _add_again(folded: Folded[Any], again: Payload) -> str:
    game_id = again["id"]
    if again["next"] is None:
        folded.again.pop(game_id, None)
    elif game_id not in folded.running:
        return "is followed by another one, but it is not running"
    else:
        folded.again[game_id] = Followed(again["next"], None)
    return ""


def _add_player(folded: Folded[Any], player: Payload) -> str:
    folded.players[player["name"].lower()] = player
    return ""


def _add_event(folded: Folded[Any], step: Payload) -> str:
    name = step["event"].lower()
    if step["what"] == "opened":
        folded.events.pop(name, None)  # the newest is the last
        folded.events[name] = []
    elif name not in folded.events:
        return "goes on, but it was never opened"
    folded.events[name].append(step)
    return ""


def _pass_over(folded: Folded[Any], payload: Payload) -> str:
    """What only a ladder wants to know changes no game."""
    return ""


_ADD = {
    "opened": _add_opened,
    "placed": _add_placed,
    "refused": _add_refused,
    "again": _add_again,
    "player": _add_player,
    "event": _add_event,
    "run": _pass_over,
    "unready": _pass_over,
    "dropped": _pass_over,
}


def _continues(running: Running, ended: Payload) -> bool:
    placed = [[step["side"], step["tile"], step["building"]] for step in running.placed]
    game, opened = ended["game"], running.opened
    return (
        game["placements"][: len(placed)] == placed
        and all(game.get(key) == value for key, value in opened["game"].items())
        and ended.get("rated") == opened.get("rated")
    )
