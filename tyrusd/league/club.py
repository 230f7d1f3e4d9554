"""A club event as its records leave it: who has entered, what is played, and what the results come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, cast

from tyrusd.league.schema import Payload
from tyrusd.league.tournament.happenings import Happening
from tyrusd.league.tournament.pair import Pair
from tyrusd.league.tournament.plan import Kind, TournamentPlan
from tyrusd.league.tournament.played import Played
from tyrusd.league.tournament.task import Place
from tyrusd.league.tournament.tournament import Tournament

KINDS: Final = ("knockout", "swiss", "roundrobin")
MOST_ROUNDS: Final = 16
ENDED: Final = frozenset({"over", "cancelled"})
_NEVER: Final = 10**6  # nobody is suspended on a club evening


class ClubTerms(NamedTuple):
    """What an event is played as; clock and cap as text, None for the default of each kind of player.

    rounds: of a Swiss event; games of each two in a round robin; games of each tie of a knock-out.
    """

    kind: str
    variant: str
    clock: str | None = None
    cap: str | None = None
    rounds: int | None = None


class Outcome(NamedTuple):
    """How a game of an event ended: who won, None for nobody, and the reason."""

    winner: str | None
    reason: str


class ClubEvent:
    """One event; `apply` takes its records in their order and nothing else changes it.

    state: open, closed (nobody enters any more), running, paused, over or cancelled. running: the games that
    have begun and have no result. latest: the newest game of each pair. leaving: who is withdrawn when its
    game is over. unmarked: results that were kept, but not counted yet when the journal ended. changes: how
    many records there were.
    """

    __slots__ = (
        "changes",
        "entrants",
        "latest",
        "leaving",
        "name",
        "running",
        "state",
        "terms",
        "tournament",
        "unmarked",
    )

    def __init__(self, name: str, terms: ClubTerms) -> None:
        self.name = name
        self.terms = terms
        self.state = "open"
        self.entrants: dict[str, str] = {}  # by lower-case name, in the order of entering
        self.tournament: Tournament | None = None
        self.running: dict[str, Place] = {}
        self.latest: dict[int, str] = {}
        self.leaving: set[str] = set()
        self.unmarked: dict[str, Outcome] = {}
        self.changes = 0

    def __repr__(self) -> str:
        return f"<ClubEvent {self.name}, {self.state}, {len(self.entrants)} entrants>"

    @property
    def ended(self) -> bool:
        """Whether nothing more will be played."""
        return self.state in ENDED

    def plays(self, name: str) -> bool:
        """Whether somebody has entered and may still have games to play."""
        own = self.entrants.get(name.lower())
        if own is None or self.ended:
            return False
        tournament = self.tournament
        return tournament is None or not (
            own in tournament.verdicts.gone or own in self.leaving or own in self.lost()
        )

    def lost(self) -> set[str]:
        """Who is out of a knock-out, also where others still play in the round in which that was decided."""
        tournament = self.tournament
        if tournament is None or self.terms.kind != "knockout":
            return set()
        ties: dict[frozenset[str], list[Pair]] = {}
        for pair in self.pairs_of(tournament.round):
            ties.setdefault(pair.names, []).append(pair)
        found = set(tournament.form.out)
        for names, pairs in ties.items():
            points = {name: sum(pair.score(name) for pair in pairs) for name in names}
            if all(pair.complete and pair.cut is None for pair in pairs) and len({*points.values()}) > 1:
                found.add(min(points, key=points.__getitem__))
        return found

    def pairs_of(self, round_: int) -> list[Pair]:
        """The pairs of a round."""
        pairs = [] if self.tournament is None else self.tournament.pairs
        return [pair for pair in pairs if pair.round == round_]

    def byes(self) -> Mapping[str, int]:
        """How many byes everybody has had; one of a round robin gives nothing, and counts after its round."""
        tournament = self.tournament
        if tournament is None:
            return {}
        if self.terms.kind != "roundrobin":
            return tournament.form.byes
        played: dict[int, set[str]] = {}
        for pair in tournament.pairs:
            played.setdefault(pair.round, set()).update(pair.names)
        now = tournament.round
        over = [number for number in played if number < now or (tournament.over and number == now)]
        return {name: sum(name not in played[number] for number in over) for name in self.entrants.values()}

    def resting(self) -> list[str]:
        """Who is in the round that is being played, but has nobody to play with."""
        if self.tournament is None or self.ended:
            return []
        paired = {name for pair in self.pairs_of(self.tournament.round) for name in pair.names}
        return [name for name in self.entrants.values() if name not in paired and self.plays(name)]

    def seats(self, place: Place) -> tuple[str, str]:
        """Who has Ivory and who has Brown in a game of this event."""
        return self.seats_of(place.pair)

    def seats_of(self, number: int) -> tuple[str, str]:
        """Who has Ivory and who has Brown in the games of a pair; ValueError for one that is not there."""
        pair = self._pair(number)
        return pair.first, pair.second

    def apply(self, record: Payload) -> list[Happening]:
        """Take one record; return what came of it. Raises ValueError where it contradicts those before."""
        self.changes += 1
        what = record["what"]
        name = record.get("name")
        match what:
            case "joined" if name is not None and self.tournament is None:
                self.entrants[name.lower()] = name
            case "withdrawn" if name is not None and self.tournament is None:
                self.entrants.pop(name.lower(), None)
            case "closed" if self.tournament is None:
                self.state = "closed"
            case "started" if self.tournament is None:
                return self._start(record["seed"])
            case "paused" | "resumed" if self.state in ("running", "paused"):
                self.state = "paused" if what == "paused" else "running"
            case "dropped" if name is not None and self.tournament is not None:
                return self._drop(name)
            case "game" if self.tournament is not None:
                place = _place(record)
                self._pair(place.pair)
                self.running[record["id"]] = place
                self.latest[place.pair] = record["id"]
            case "result" if self.tournament is not None:
                return self._take(record)
            case "cancelled" if not self.ended:
                self.state = "cancelled"
                self.running.clear()
            case _:
                # A game may end after its event was cancelled, and that changes nothing.
                if not self.ended:
                    raise ValueError(f"event {self.name} cannot be {what} now, when it is {self.state}")
        return []

    @staticmethod
    def outcome_of(record: Payload) -> Outcome:
        """What the record of a finished game comes to."""
        game = record["game"]
        winner = None if game["winner"] is None else game["seats"][game["winner"]]
        return Outcome(winner, game["reason"])

    # -- inside --------------------------------------------------------------------------------------------

    def _start(self, seed: str) -> list[Happening]:
        terms = self.terms
        swiss = terms.kind == "swiss"
        plan = TournamentPlan(
            cast("Kind", terms.kind),
            tuple(self.entrants.values()),
            seed,
            rounds=1 if swiss else terms.rounds or 1,
            games=1,
            seeds=0,
            swiss_rounds=terms.rounds if swiss else None,
            suspend_after=_NEVER,
        )
        self.tournament = Tournament(plan)
        self.state = "running"
        return list(self.tournament.opening)

    def _drop(self, name: str) -> list[Happening]:
        if any(name in self.seats(place) for place in self.running.values()):
            self.leaving.add(name)
            return []
        assert self.tournament is not None
        return self._settled(self.tournament.drop(name))

    def _take(self, record: Payload) -> list[Happening]:
        assert self.tournament is not None
        game = record.get("id", "")  # that of a walkover was not begun
        self.running.pop(game, None)
        self.unmarked.pop(game, None)
        place = _place(record)
        ivory, brown = self.seats(place)
        played = Played(place, ivory, brown, record.get("name"), record["reason"], "", ivory)
        leaving = [name for name in (ivory, brown) if name in self.leaving]
        self.leaving.difference_update(leaving)
        return self._settled(self.tournament.take(played, leaving))

    def _settled(self, told: list[Happening]) -> list[Happening]:
        if self.tournament is not None and self.tournament.over and not self.ended:
            self.state = "over"
        return told

    def _pair(self, number: int) -> Pair:
        try:
            if self.tournament is not None:
                return self.tournament.numbered(number)
        except ValueError as error:
            raise ValueError(f"event {self.name} has no pair {number}: {error}") from None
        raise ValueError(f"event {self.name} has no pair {number}, since it has not begun")


def _place(record: Payload) -> Place:
    return Place(record["pair"], record["attempt"], 1, record["round"])


def opened_event(record: Payload) -> ClubEvent:
    """Return the event that a record opens; ValueError for a record of something else."""
    if record["what"] != "opened" or record.get("terms") is None:
        raise ValueError(f"event {record['event']} does not begin with its opening")
    return ClubEvent(record["event"], ClubTerms(**record["terms"]))


def event_of(records: Iterable[Payload], finished: Mapping[str, Payload]) -> ClubEvent:
    """Return an event after its records.

    finished: the records of all finished games by id; those of this event that it does not count yet are
    `unmarked`. Raises ValueError, saying what, where the records contradict each other.
    """
    first, *others = records
    event = opened_event(first)
    for record in others:
        event.apply(record)
    for game in event.running:
        if game in finished:
            event.unmarked[game] = event.outcome_of(finished[game])
    return event
