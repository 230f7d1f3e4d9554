"""How a club event is told: its state, its table and its encounters as lines of the protocol."""

from __future__ import annotations

from typing import Any

from tyrusd.core.failures import plain
from tyrusd.league.club import ClubEvent
from tyrusd.league.tournament.pair import Pair
from tyrusd.wire import messages as wire


def event(event: ClubEvent) -> wire.EventState:
    """The line of an event."""
    terms, tournament = event.terms, event.tournament
    champion, finalist = winners(event)
    return wire.EventState(
        event.name,
        terms.kind,
        event.state,
        len(event.entrants),
        variant=terms.variant,
        clock=terms.clock,
        cap=terms.cap,
        round=None if tournament is None else tournament.round or None,
        rounds=terms.rounds if tournament is None else tournament.form.rounds,
        champion=champion,
        finalist=finalist,
    )


def winners(event: ClubEvent) -> tuple[str | None, str | None]:
    """The champion, and who lost the final of a knock-out or is second in the table; None where nobody is."""
    tournament = event.tournament
    if tournament is None or event.state != "over":
        return None, None
    standing = tournament.standing()
    champion = standing["champion"]
    others = standing["finalists"] or [row["name"] for row in standing["table"]]
    second = next((name for name in others if name != champion), None)
    return champion, None if champion is None else second


def verdict(event: ClubEvent) -> str:
    """The sentence that ends an event."""
    champion, finalist = winners(event)
    if champion is None:
        why = None if event.tournament is None else event.tournament.standing()["no_winner"]
        return plain(f"{event.name} is over: nobody has won it{f', since {why}' if why else ''}.")
    if finalist is None:
        return f"{event.name} is over: {champion} has won it."
    place = "the other finalist" if event.terms.kind == "knockout" else "the second"
    return f"{event.name} is over: {champion} has won it, and {place} is {finalist}."


def standings(event: ClubEvent) -> list[wire.Standing]:
    """The table of an event, or who has entered in the order of entering."""
    tournament = event.tournament
    if tournament is None:
        return [
            wire.Standing(event.name, rank, name, "0", "playing")
            for rank, name in enumerate(event.entrants.values(), 1)
        ]
    rows: list[dict[str, Any]] = tournament.standing()["table"]
    if event.terms.kind != "knockout":
        rows.sort(key=lambda row: -row["points"])  # also where they were given for a bye, without a game yet
    lost = event.lost()
    return [
        wire.Standing(
            event.name,
            rank,
            row["name"],
            points_text(row["points"]),
            "out" if row["state"] == "playing" and row["name"] in lost else row["state"],
            games=row["games"],
            byes=event.byes(row["name"]),
            leaving="yes" if row["name"] in event.leaving else "no",
        )
        for rank, row in enumerate(rows, 1)
    ]


def points_text(points: float) -> str:
    """Points as they are told: whole numbers, or with a half."""
    whole = int(points)
    return f"{whole}.5" if points != whole else str(whole)


def encounters(event: ClubEvent) -> list[wire.Encounter]:
    """The encounters of all rounds that have begun, in the order of the schedule."""
    tournament = event.tournament
    if tournament is None:
        return []
    begun = [pair for pair in tournament.pairs if tournament.over or pair.round <= tournament.round]
    return [encounter(event, pair) for pair in begun]


def encounter(event: ClubEvent, pair: Pair) -> wire.Encounter:
    """One encounter as it stands."""
    winner, reason = next(((played.winner, played.reason) for played in pair.results()), (None, None))
    if pair.halted:
        reason = "void"
    if pair.cut is not None and event.tournament is not None:
        ties = (tie for ties in event.tournament.form.bracket() for tie in ties)
        tie: dict[str, Any] = next((tie for tie in ties if pair.number in tie["pairs"]), {})
        winner = tie.get("winner")
        reason = "walkover" if tie.get("how") == "walkover" else reason
    return wire.Encounter(
        event.name,
        pair.round,
        pair.first,
        pair.second,
        _state(event, pair),
        game=event.latest.get(pair.number),
        winner=winner,
        reason=reason,
    )


def _state(event: ClubEvent, pair: Pair) -> str:
    if any(place.pair == pair.number for place in event.running.values()):
        return "playing"
    if pair.complete:
        return "over"
    if event.ended or pair.cut is not None:
        return "unplayed"
    return "called"
