"""What the operator's log is told of a club event: one sentence for each step, call, round and the end."""

from __future__ import annotations

from typing import Any

from tyrusd.core.requests import EventNews
from tyrusd.league.club import ClubEvent
from tyrusd.league.schema import Payload

_STEPS = {
    "joined": "{name} has joined {event}: entrants: {entrants}",
    "withdrawn": "{name} has withdrawn from {event}: entrants: {entrants}",
    "closed": "{event} is closed: nobody enters it any more",
    "started": "{event} has started: {kind}, entrants: {entrants}",
    "paused": "{event} is paused",
    "resumed": "{event} goes on",
    "dropped": "{name} is out of {event}{pending}",
    "cancelled": "{event} is cancelled",
}
_ENDS = {
    "walkover": "{winner} has won by walkover, {loser} did not come or had no room",
    "void": "void, nobody came to it or both were away",
    "aborted": "{game} was aborted and is played again",
}


def opened(event: ClubEvent) -> EventNews:
    """An event is open."""
    return EventNews(event.name, "steps", f"{event.name} is open: {event.terms.kind}")


def step(event: ClubEvent, record: Payload) -> EventNews:
    """A step has been taken; the event is as it is after it."""
    what, name = record["what"], record.get("name")
    if what in _STEPS:
        words: dict[str, Any] = {
            "event": event.name,
            "kind": event.terms.kind,
            "name": name,
            "entrants": len(event.entrants),
            "pending": " when its game is over" if name in event.leaving else "",
        }
        return EventNews(event.name, "steps", _STEPS[what].format_map(words))
    one, other = event.seats_of(record["pair"])
    where, game = f"{event.name}, round {record['round']}: {one} against {other}", record.get("id", "")
    if what == "game":
        return EventNews(event.name, "games", f"{where}: {game} begins")
    reason = record["reason"]
    decided = "drawn ({game}, {reason})" if name is None else "{winner} has won ({game}, {reason})"
    loser = other if name == one else one
    said = _ENDS.get(reason, decided).format(winner=name, loser=loser, game=game, reason=reason)
    return EventNews(event.name, "results", f"{where}: {said}")


def called(event: ClubEvent, round_: int, one: str, other: str) -> EventNews:
    """Two are called to their game."""
    return EventNews(event.name, "calls", f"{event.name}, round {round_}: {one} and {other} are called")


def round_begins(event: ClubEvent, number: int, byes: list[str]) -> EventNews:
    """A round begins; byes: who has nobody to play with in it."""
    rest = f"; bye: {', '.join(byes)}" if byes else ""
    count = len(event.pairs_of(number))
    return EventNews(event.name, "steps", f"{event.name}, round {number} begins: encounters: {count}{rest}")


def over(event: ClubEvent, verdict: str) -> EventNews:
    """An event is over; the sentence says who has won it."""
    return EventNews(event.name, "steps", verdict)
