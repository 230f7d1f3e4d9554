"""How a club event is told: its state, its table and its encounters as lines of the protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from tyrusd.core.failures import plain
from tyrusd.league.club import ClubEvent
from tyrusd.league.tournament.pair import Pair
from tyrusd.wire import messages as wire


class Lines:
    """All lines of an event, worked out once after a change, however often they are asked for."""

    def __init__(self, event: ClubEvent) -> None:
        self._event = event
        self._known: dict[str, Any] = {}
        self._of = (-1, 0)

    def event(self) -> wire.EventState:
        """The line of the event."""
        return cast("wire.EventState", self._found("event", event))

    def standings(self) -> list[wire.Standing]:
        """As `standings`."""
        return cast("list[wire.Standing]", self._found("standings", standings))

    def encounters(self) -> list[wire.Encounter]:
        """As `encounters`."""
        return cast("list[wire.Encounter]", self._found("encounters", encounters))

    def _found(self, what: str, told: Callable[[ClubEvent], object]) -> object:
        tournament = self._event.tournament
        # A tournament grows by pairs without a record where the next ones can begin.
        of = self._event.changes, 0 if tournament is None else len(tournament.pairs)
        if of != self._of:
            self._of, self._known = of, {}
        if what not in self._known:
            self._known[what] = told(self._event)
        return self._known[what]


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
    lost, byes = event.lost(), event.byes()
    return [
        wire.Standing(
            event.name,
            rank,
            row["name"],
            points_text(row["points"]),
            "out" if row["state"] == "playing" and row["name"] in lost else row["state"],
            games=row["games"],
            byes=byes.get(row["name"], 0),
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
