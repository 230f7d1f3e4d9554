"""What must hold of servers that are killed and started again: told is told, and nothing stands twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sized
from typing import Any

from tests.core.lives.place import Place
from tests.core.test_rows_memory import held
from tyrusd.commands.records import _checked
from tyrusd.core import club_lines
from tyrusd.host.journal_rows import JournalRows
from tyrusd.league.club import ClubEvent, event_of
from tyrusd.league.fold import Folded, fold
from tyrusd.league.framing import HEADER
from tyrusd.league.record import Payload, read_frame
from tyrusd.league.replay import verify

_WINNERS = {"I": "ivory", "B": "brown", "-": None}
_CHECKED = "c"  # begins the ids of games that check a bot: nobody hears of them again
_INNER = frozenset({"internal", "syntax", "state", "bad-encoding"})


class Truth:
    """Raises AssertionError at the first broken promise; told: of each game, as anybody was told it."""

    def __init__(self) -> None:
        self.told: dict[str, tuple[str, str]] = {}
        self.seats: dict[tuple[str, str], tuple[str, ...]] = {}  # by game and side
        self.counts: Counter[str] = Counter()
        self._verified: set[str] = set()
        self._read: dict[bytes, Payload] = {}
        self._events: dict[tuple[str, int], list[object]] = {}  # by name, and which of that name
        self._pairs: dict[tuple[str, int, int], object] = {}

    # -- what is told --------------------------------------------------------------------------------------

    def start(self, game: str, side: str, own: str, enemy: str, seed: str) -> None:
        """Somebody is told that a game begins, or goes on."""
        if game.startswith(_CHECKED):
            return
        assert own != enemy, f"{own} plays itself in {game}"
        known = self.seats.setdefault((game, side), (own, enemy, seed))
        assert known == (own, enemy, seed), f"two games are {game}: {known} and {(own, enemy, seed)}"
        other = self.seats.get((game, "B" if side == "I" else "I"))
        assert other is None or other[:2] == (enemy, own), f"{game} has the seats {known} and {other}"
        self.counts["starts"] += 1

    def over(self, game: str, winner: str, reason: str) -> None:
        """Somebody is told a result."""
        if game.startswith(_CHECKED):
            return
        known = self.told.setdefault(game, (winner, reason))
        assert known == (winner, reason), f"{game} was told as {known}, and now as {winner} {reason}"
        self.counts[f"told {reason}"] += 1

    def error(self, name: str, code: str, line: str) -> None:
        """Somebody is told off."""
        assert code not in _INNER, f"{name} is told {line}"
        self.counts[f"error {code}"] += 1

    # -- what the journal says -----------------------------------------------------------------------------

    def journal(self, place: Place) -> Folded[Payload]:
        """Check the whole journal; return what it adds up to."""
        records = self._records(place.frames)
        folded = fold(enumerate(records))
        for game, (winner, reason) in self.told.items():
            assert game in folded.finished, f"the result of {game} was told, and it is not in the journal"
            head = folded.finished[game]["game"]
            assert (head["winner"], head["reason"]) == (_WINNERS[winner], reason), f"{game} is {head}"
        for game, record in folded.finished.items():
            if game not in self._verified:
                verify(record)
                self._verified.add(game)
        counted = Counter(
            (record["event"].lower(), record["id"])
            for record in records
            if record["kind"] == "event" and record["what"] == "result" and record.get("id")
        )
        assert all(times == 1 for times in counted.values()), f"counted twice: {counted}"
        self._check_events(records, folded)
        return folded

    def _check_events(self, records: list[Payload], folded: Folded[Payload]) -> None:
        """Decided is decided: no pair, no table of an event changes once it is complete."""
        times = Counter(
            record["event"].lower()
            for record in records
            if record["kind"] == "event" and record["what"] == "opened"
        )
        for name, steps in folded.events.items():
            event = event_of(steps, folded.finished)
            key = name, times[name]
            for pair in event.tournament.pairs if event.tournament is not None else ():
                if pair.complete:
                    shown = pair.first, pair.second, pair.score(pair.first), pair.score(pair.second)
                    known = self._pairs.setdefault((*key, pair.number), shown)
                    assert known == shown, f"{name}: {known} has become {shown}"
            if event.state == "over":
                shown_now = shown_as(event)
                assert self._events.setdefault(key, shown_now) == shown_now, f"{name} has changed"

    def power_lost(self, place: Place) -> None:
        """What was not durable may never have been: those games are nobody's any more."""
        left = {record["id"] for record in self._records(place.frames) if record["kind"] == "opened"}
        self.seats = {key: seat for key, seat in self.seats.items() if key[0] in left}
        for name, number in list(self._events):
            self._events.pop((name, number))
        self._pairs.clear()

    def tally(self, place: Place) -> None:
        """Have all records checked as the command does; count what there was of events and rated games."""
        _checked(HEADER + b"".join(place.frames))
        for record in self._records(place.frames):
            if record["kind"] == "event" and record["what"] == "result":
                self.counts[f"event {record['reason']}"] += 1
            elif record["kind"] == "again" and record["next"]:
                self.counts["dealt again"] += 1
            elif record["kind"] == "opened":
                rated, fillings = record.get("rated"), record["game"].get("fillings")
                self.counts["rated by the " + rated["by"] if rated is not None else "not rated"] += 1
                self.counts["on a deal of before"] += record.get("repeats") is not None
                self.counts["with a bot of the house"] += any((fillings or {}).values())

    def _records(self, frames: list[bytes]) -> list[Payload]:
        """Read records; each once only, since they are looked at after every restart."""
        for entry in frames:
            if entry not in self._read:
                self._read[entry] = read_frame(entry)
        return [self._read[entry] for entry in frames]

    # -- what a new server does ----------------------------------------------------------------------------

    def as_replayed(self, place: Place) -> None:
        """The journal says of the events what the server that runs says of them."""
        folded = fold(enumerate(self._records(place.frames)))
        evenings = place.lobby.club.evenings
        for name, steps in folded.events.items():
            if name in evenings:
                live, replayed = evenings[name].event, event_of(steps, folded.finished)
                assert whole(live) == whole(replayed), f"{whole(live)} is replayed as {whole(replayed)}"

    def restarted(self, place: Place) -> None:
        """A server was started on a journal: whoever plays goes on, and no game is counted otherwise."""
        before = fold(enumerate(self._records(place.read.frames)))
        after = self.journal(place)
        tables = place.server.tables
        for game, running in before.running.items():
            head = running.opened["game"]
            names = head["seats"].values()
            fillings = head.get("fillings") or {}
            known = all(
                name in place.houses if fillings.get(side) else name.lower() in before.players
                for side, name in head["seats"].items()
            )
            if known:
                match = tables[game].match
                assert [*match.names] == [*names] and match.game.placed_count >= len(running.placed)
                self.counts["games that go on"] += 1
            else:
                assert after.finished[game]["game"]["reason"] == "aborted"
                self.counts["games cut off"] += 1
        rows = list(JournalRows(place.path))
        assert len({row.id for row in rows}) == len(rows)
        assert {row.id: hash(row) for row in rows} == place.index, "the index is not what the journal says"
        twice = [row.id for row in place.missing if row.id in place.read.rows]
        assert not twice, f"the server itself has written other rows of {twice}"
        for player in place.server.players.values():
            assert all(tables[game] is table for game, (table, _) in player.seats.items())
        for name, steps in before.events.items():
            evening = place.lobby.club.evenings.get(name)
            if evening is not None:
                event = event_of(steps, before.finished)
                assert evening.event.entrants == event.entrants
                assert evening.event.state in (event.state, "over"), f"{event} is now {evening.event}"
                self.counts[f"events {event.state} at a restart"] += 1

    def at_the_end(self, place: Place) -> None:
        """Everybody has left, and all deadlines are over."""
        server, lobby = place.server, place.lobby
        left: dict[str, Sized] = {
            "sessions": server.sessions, "players": server.players, "tables": server.tables,
            "bots": server.bots, "sealed": server.sealed, "terms": lobby.terms, "storing": server.storing,
            "open": lobby.challenges.open, "series": lobby.challenges.series, "seeks": lobby.seeking.seeks,
            "waiting": lobby.houses.waiting, "running": lobby.standing.book.running, "timers": server.timers,
        }  # fmt: skip
        assert not any(len(one) for one in left.values()), {
            name: one for name, one in left.items() if len(one)
        }
        for evening in lobby.club.evenings.values():
            assert not (evening.tasks or evening.event.running or evening.event.unmarked), evening.event
        deep = {where: count for where, count in held(server).items() if count and "asked" in where}
        assert not deep, deep


def shown_as(event: ClubEvent) -> list[object]:
    """What everybody is told of an event."""
    return [club_lines.verdict(event), *club_lines.standings(event)]


def whole(event: ClubEvent) -> dict[str, Any]:
    """All that is to survive a restart of an event."""
    return {
        "state": event.state, "entrants": event.entrants, "running": event.running, "leaving": event.leaving,
        "latest": event.latest, "lost": event.lost(), "shown": shown_as(event) if event.tournament else [],
    }  # fmt: skip
