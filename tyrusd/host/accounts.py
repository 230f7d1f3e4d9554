"""Reads what is kept of a finished game: its record, and the file of its log; reading changes nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tyrusd.core.story import broken_lines, joined
from tyrusd.host.daemon import logs_of
from tyrusd.host.journal import JOURNAL
from tyrusd.host.ladder.files import open_plain, read_plain
from tyrusd.host.shelf import LOGS, log_file
from tyrusd.league.fold import fold
from tyrusd.league.record import BadRecord, Payload, whole_frames
from tyrusd.rules.pieces import SIDE_OF_LETTER
from tyrusd.wire import decode_server_line
from tyrusd.wire import messages as wire

_NUMBER: Final = re.compile(r"[1-9][0-9]{0,11}")
_LONGEST: Final = 1 << 20  # bytes of a log's file; ours are much shorter


class NoAccount(Exception):  # noqa: N818 - it is not our error
    """Nothing can be told of that game; the text is a sentence that says what to do."""


@dataclass(slots=True)
class SeatAccount:
    """What one seat's part of a log's file says; `lines` are whole, however long."""

    verdict: wire.Verdict
    lines: list[wire.Logged] = field(default_factory=list)
    last_words: list[str] = field(default_factory=list)
    reason: str = ""

    @property
    def broken(self) -> list[wire.Logged]:
        """The last request and all that followed it."""
        return broken_lines(self.lines)

    def as_object(self) -> dict[str, Any]:
        """The same as plain data."""
        told = {name: getattr(self.verdict, name) for name in self.verdict.__struct_fields__}
        del told["game"], told["side"]
        told["lines"] = [[line.ms, line.direction, line.text] for line in self.lines]
        told["error_output"] = self.last_words
        told["words"] = self.reason
        return told


@dataclass(frozen=True, slots=True)
class Account:
    """A finished game; record None: it was never stored. seats: by "ivory" and "brown", if it has a log."""

    game: str
    record: Payload | None
    seats: dict[str, SeatAccount]


def game_id(text: str) -> str:
    """Return the id of a game as somebody typed it; a bare number is that game of a file."""
    return f"g{text}" if _NUMBER.fullmatch(text) else text


def read_records(file: Path) -> dict[str, Payload]:
    """Return the finished games of a record file or journal by id, also while a server writes it.

    Raises NoAccount.
    """
    try:
        frames, _ = whole_frames(read_plain(file))
        return fold(frames).finished
    except OSError as error:
        raise NoAccount(f"{file} cannot be read: {error.strerror}") from error
    except BadRecord as bad:
        raise NoAccount(f"{file}: {bad}") from bad


def read_record(file: Path, game: str) -> Payload:
    """Return the record of one game of a file; raises NoAccount."""
    records = read_records(file)
    found = records.get(game)
    if found is None:
        raise NoAccount(_missing(file, game, records))
    return found


def _missing(file: Path, game: str, records: dict[str, Payload]) -> str:
    """Say that a file does not have a game, and by what words it knows those it has."""
    last = next(reversed(records.values()), None)
    known = ""
    if last is not None and "ladder" in last:
        known = f"; the games of a ladder have ids such as {last['id']}"
    return f"{file} has no finished game {game}{known}; `tyrusd export {file} --json` prints those it has"


def read_account(game: str, *, data: Path | None = None, record: Path | None = None) -> Account:
    """Return what is kept of a game, in a server's data directory or beside the record of a match.

    Raises NoAccount when neither a record nor a log of that game is there.
    """
    file = data / JOURNAL if data is not None else record
    assert file is not None
    try:
        path = log_file(file.parent / LOGS if data is not None else logs_of(file), game)
    except ValueError as error:
        raise NoAccount(str(error)) from error
    records = read_records(file)
    seats = read_log(path) if path.exists() else {}
    if game not in records and not seats:
        raise NoAccount(_missing(file, game, records))
    return Account(game, records.get(game), seats)


def read_log(path: Path) -> dict[str, SeatAccount]:
    """Return what the log of a game says, by "ivory" and "brown"; raises NoAccount."""
    try:
        with open_plain(path) as log:
            data = log.read(_LONGEST)
    except OSError as error:
        raise NoAccount(f"{path} cannot be read: {error.strerror}") from error
    seats: dict[str, SeatAccount] = {}
    seat: SeatAccount | None = None
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        message = decode_server_line(line)
        if isinstance(message, wire.Verdict):
            seat = SeatAccount(message)
            seats[SIDE_OF_LETTER[message.side].word] = seat
        elif seat is None or not isinstance(message, wire.Logged | wire.Stderr | wire.Reason):
            raise NoAccount(f"{path}, line {number}, is no line of a log; move the file away")
        elif isinstance(message, wire.Logged):
            seat.lines.append(message)
        elif isinstance(message, wire.Stderr):
            seat.last_words.append(message.text)
        else:
            seat.reason = message.text
    for seat in seats.values():
        seat.lines = joined(seat.lines)
    return seats
