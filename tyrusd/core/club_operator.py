"""What the operator's word `event` does to the club events of a lobby."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tyrusd.core.club import EventError
from tyrusd.league.club import ClubTerms
from tyrusd.rules.variants import STANDARD

if TYPE_CHECKING:
    from tyrusd.core.club import Club
    from tyrusd.core.operator_words import Event


def carry_out(club: Club, word: Event, now: float) -> dict[str, Any]:
    """Do a step and return what is to be told; raises EventError, and nothing has changed then."""
    if word.step == "list":
        return {"events": club.told()}
    if word.name is None:
        raise EventError(f"event {word.step} wants the name of an event")
    if word.step == "print":
        return club.told(word.name)[0]
    if word.step == "open":
        if word.what is None:
            raise EventError("event open wants a name and a kind: knockout, swiss or roundrobin")
        terms = ClubTerms(word.what, word.variant or STANDARD.name, word.clock, word.cap, word.rounds)
        event = club.open(word.name, terms, now)
    else:
        event = club.do(word.step, word.name, word.what, now)
    told: dict[str, Any] = {"event": event.name, "state": event.state, "entrants": len(event.entrants)}
    own = event.entrants.get((word.what or "").lower())
    if word.step == "drop" and own in event.leaving:
        told["leaving"] = own  # its game is played to its end, and counts
    return told
