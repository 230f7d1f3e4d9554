"""What a journal that was left behind means for the next server: games that go on, ids that are taken."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from tyrusd.core.archive import NAMES
from tyrusd.core.earlier import Finished
from tyrusd.core.newest import Newest
from tyrusd.core.restoring import Recovered
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.host.journal import FileJournal, JournalError, damaged, lacking
from tyrusd.league.club import event_of
from tyrusd.league.fold import Folded, Running, add
from tyrusd.league.framing import as_frame
from tyrusd.league.game_row import GameRow, row_of
from tyrusd.league.record import BadRecord, Payload, again_record, frame
from tyrusd.league.replay import interrupted, played, resumed

_TOLD: Final = 10  # games that the log names
_LONG: Final = 64 << 20  # bytes of a journal that is worth a word before it is read
_BESIDE: Final = 2048  # bytes of memory that a finished game takes beside its record

_log = logging.getLogger("tyrusd.journal")


class Found(NamedTuple):
    """The open journal, what the core gets of it, and the rows that the index lacks, or has otherwise."""

    journal: FileJournal
    recovered: Recovered
    missing: list[GameRow]


def recover(
    path: Path,
    houses: Mapping[str, SeatSpec],
    settings: Settings = DEFAULTS,
    indexed: Mapping[str, int] | None = None,
) -> Found:
    """Open a journal; return what goes on: every game that was running, if both players may come back.

    A game of which one cannot, such as one against a bot that this server has no more, is recorded as
    aborted. However long the journal is, of a finished game only its id stays in memory, unless it is one of
    those that its players may still ask about, or its row is missing in the index.

    indexed: the hash of each row of the index by the game's id; None if nobody wants to know what is missing.
    Raises JournalError when the journal is damaged or its records contradict each other, and nothing is
    changed then; also when it lacks games that the index has: their ids would be given out again.
    """
    reading = _Reading(settings, indexed)

    def take(offset: int, payload: Payload) -> None:
        try:
            reading.take(offset, payload)
        except BadRecord as bad:
            raise JournalError(damaged(path, bad)) from bad
        except Exception as error:
            raise unforeseen(path, error) from error

    size = path.stat().st_size if path.exists() else 0
    if size > _LONG:
        _log.info("reading %s, which has %d MiB", path, size >> 20)
    journal = FileJournal(path, take=take)
    try:
        if reading.strays:
            raise JournalError(lacking(path, len(reading.strays)))
        return _sum_up(journal, reading, houses)
    except BaseException as error:
        journal.close()
        if isinstance(error, JournalError) or not isinstance(error, Exception):
            raise
        raise unforeseen(path, error) from error


def unforeseen(path: Path, error: Exception) -> JournalError:
    """What to raise when a journal cannot be taken up for a reason that nobody has thought of."""
    _log.debug("while %s was taken up", path, exc_info=error)
    return JournalError(
        f"{path}: the games and events of it cannot be taken up ({type(error).__name__}: {error}): this is a "
        "fault of tyrusd, and no record was lost. Keep the file, start with another --data, and report it "
        "with what --log-level debug tells"
    )


class _Reading:
    """Takes the records of a journal one by one and remembers what is needed of them."""

    def __init__(self, settings: Settings, indexed: Mapping[str, int] | None) -> None:
        self.folded: Folded[bytes] = Folded({}, {}, {}, {}, {})
        self.newest: Newest[Finished] = Newest(settings.own_results, settings.kept_bytes, NAMES)
        self.results: dict[str, Payload] = {}  # of games of events, as far as these may not count them yet
        self.highest = 0
        self.missing: list[GameRow] = []
        self.strays = dict(indexed or {})
        self._indexes = indexed is not None
        self._of_events: set[str] = set()

    def take(self, offset: int, payload: Payload) -> None:
        """Take the next record; raises BadRecord where it contradicts those before it."""
        kind = payload["kind"]
        if kind == "game":
            self._take_game(offset, payload)
            return
        add(self.folded, offset, payload, _never)
        if kind == "event" and payload["what"] == "game":
            self._of_events.add(payload["id"])
            self.highest = max(self.highest, _number(payload["id"]))  # it stands before the game's beginning
        elif kind == "event" and payload["what"] == "result":
            game = payload.get("id", "")  # a walkover is the result of a game that was not begun
            self._of_events.discard(game)
            self.results.pop(game, None)
        elif kind == "again":
            self.highest = max(self.highest, _number(payload["next"] or ""))
        elif kind == "opened":
            self.highest = max(self.highest, _number(payload["id"]))

    def _take_game(self, offset: int, payload: Payload) -> None:
        game, framed = payload["id"], as_frame(payload)
        again, running = game in self.folded.finished, self.folded.running.get(game)
        add(self.folded, offset, payload, lambda _: blake2b(framed, digest_size=8).digest())
        if not again:
            self.end(payload, framed, None if running is None else running.opened.get("repeats"))

    def end(self, record: Payload, framed: bytes, repeats: str | None) -> None:
        """A game has this result, after all that were taken before."""
        game, head = record["id"], record["game"]
        self.highest = max(self.highest, _number(game))
        if game in self._of_events:
            self.results[game] = {"game": {key: head[key] for key in ("winner", "seats", "reason")}}
        self.newest.add(game, head["seats"].values(), len(framed) + _BESIDE, Finished(game, framed, repeats))
        if self._indexes:
            row = row_of(record, repeats)
            if self.strays.pop(game, None) != hash(row):
                self.missing.append(row)


def _sum_up(journal: FileJournal, reading: _Reading, houses: Mapping[str, SeatSpec]) -> Found:
    folded = reading.folded
    names = {name.lower(): spec for name, spec in houses.items()}
    try:
        events = tuple(event_of(records, reading.results) for records in folded.events.values())
    except ValueError as error:
        raise JournalError(damaged(journal.path, error)) from error
    going_on: list[Running] = []
    aborted: dict[str, bytes] = {}
    ended: list[tuple[Payload, bytes, str | None]] = []
    for game, running in folded.running.items():
        try:
            if _may_go_on(running, folded, names):
                resumed(running)
                going_on.append(running)
            else:
                record = interrupted(running)
                aborted[game] = frame(record)
                ended.append((record, aborted[game], running.opened.get("repeats")))
        except ValueError as error:
            raise JournalError(f"{journal.path}: the records of game {game} are wrong: {error}") from error
    again: list[tuple[Payload, str]] = []
    never: list[bytes] = []
    for end, following in folded.unfollowed():
        if _may_go_on(Running(end, []), folded, names):
            try:
                played(end)
            except ValueError as error:
                raise JournalError(f"{journal.path}: the record of {end['id']} is wrong: {error}") from error
            again.append((end, following))
        else:
            never.append(frame(again_record(end["id"], None)))
    if aborted or never:
        try:
            journal.append([*aborted.values(), *never])
            journal.sync()
        except OSError as error:
            raise JournalError(f"{journal.path} cannot be written: {error.strerror}") from error
    if aborted:
        _log.warning("cut off by the last end, and now recorded as aborted: %s", _list(list(aborted)))
        for each in ended:
            reading.end(*each)
    if going_on:
        _log.warning("games that go on: %s", _list([running.opened["id"] for running in going_on]))
    awaited = {name for event in events for name in event.entrants}
    heads = [running.opened["game"] for running in going_on] + [end["game"] for end, _ in again]
    awaited |= {name.lower() for head in heads for name in head["seats"].values()}
    awaited |= {name for name, record in folded.players.items() if record.get("ladder")}
    players = {name: record for name, record in folded.players.items() if name in awaited}
    told_later = {end["id"] for end, _ in again}
    newest = tuple(item for item in reading.newest.items() if item.game not in told_later)
    recovered = Recovered(tuple(going_on), players, names, reading.highest, events, tuple(again), newest)
    return Found(journal, recovered, reading.missing)


def _may_go_on(running: Running, folded: Folded[bytes], houses: Mapping[str, SeatSpec]) -> bool:
    """Tell whether this server has, or may get back, the players of both seats."""
    head = running.opened["game"]
    fillings = head.get("fillings", {"ivory": None, "brown": None})
    return all(
        name.lower() in (folded.players if fillings[side] is None else houses)
        for side, name in head["seats"].items()
    )


def _never(ended: Payload) -> bytes:
    raise AssertionError("only finished games are kept")


def _list(games: list[str]) -> str:
    return ", ".join(games[:_TOLD]) + (", and more" if len(games) > _TOLD else "")


def _number(game: str) -> int:
    digits = game[1:]
    return int(digits) if game.startswith("g") and digits.isascii() and digits.isdigit() else 0
