"""What a coordinator sends to a machine of a cluster, and what it believes of the answer."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from tyrusd.host.ladder.link import Frames, LinkError, Log, Pondered, Result, Setup, Told, Unready
from tyrusd.host.ladder.link import read_by_coordinator as read
from tyrusd.host.ladder.plan import LadderEntrant
from tyrusd.host.ladder.terms import Sentence, TaskWords
from tyrusd.league.framing import HEADER, read_frames
from tyrusd.league.replay import deal_of, verify
from tyrusd.league.schema import LONGEST_FILLING, Payload
from tyrusd.league.tournament.task import PairTask

LONGEST_REPORT: Final = 16 << 20  # bytes of what one task returns

Fate: TypeAlias = Literal["over", "returned", "died", "differs"]


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """One task: a pair to be played in a run, on the terms of that run.

    run: a word of its own for each coordinator. manifest: what the machine must be equal to.
    """

    run: Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
    manifest: bytes
    setup: Setup
    task: TaskWords


class Report(Struct, frozen=True, forbid_unknown_fields=True):
    """What became of a task.

    over: it was played, or a bot of it was not ready; returned: it was withdrawn, perhaps after its first
    game; died: the process that played it ended; differs: this machine may not play it. said: frames of what
    the playing process said, as they came. why: a sentence where it is not over.
    """

    fate: Fate
    said: Annotated[bytes, Meta(max_length=LONGEST_REPORT)] = b""
    why: Sentence = ""


class Finished(NamedTuple):
    """A game of a report: its record, its frame, and the last words of a program that crashed."""

    record: Payload
    framed: bytes
    note: str


class Checked(NamedTuple):
    """A report that is what it should be; games that were aborted are not in it."""

    fate: Fate
    why: str
    games: list[Finished]
    logs: list[Log]
    pondered: list[Pondered]
    unready: Unready | None
    told: list[str]


_order = msgspec.msgpack.Decoder(Order)
_report = msgspec.msgpack.Decoder(Report)


def write(message: Order | Report) -> bytes:
    """Return a message as it travels."""
    return msgspec.msgpack.encode(message)


def read_order(data: bytes) -> Order:
    """Read what `write` wrote; raises msgspec.MsgspecError."""
    return _order.decode(data)


def read_report(
    data: bytes,
    task: PairTask,
    entrants: Mapping[str, LadderEntrant],
    variant: str,
    earlier: Container[str] = (),
) -> Checked:
    """Read and check the report of a task; raises ValueError with a clause that says what cannot be.

    Records must be of the games that were asked for, on their deals, seeds and terms, and their placements
    must lead to the result that they claim. earlier: games of which something may come late.
    """
    if len(data) > LONGEST_REPORT:
        raise ValueError(f"{len(data)} bytes, at most {LONGEST_REPORT} are allowed")
    try:
        report = _report.decode(data)
    except (msgspec.MsgspecError, RecursionError) as problem:
        raise ValueError(f"it cannot be read: {problem}") from None
    found = Checked(report.fate, report.why, [], [], [], None, [])
    places = {task.place(game).game_id: game for game in task.games}
    ended: set[str] = set()
    for message in _messages(report.said):
        if isinstance(message, Result):
            if message.game not in places or message.game in ended:
                raise ValueError(f"a result of the game {message.game}, which was not asked for")
            ended.add(message.game)
            record = _record(message.record)
            check_record(record, task, places[message.game], entrants, variant)
            if record["game"]["reason"] != "aborted":
                found.games.append(Finished(record, message.record, message.note))
        elif isinstance(message, Told):
            found.told.append(message.sentence)
        elif isinstance(message, Log | Pondered):
            if message.game not in places and message.game not in earlier:
                raise ValueError(f"something of the game {message.game}, which was not asked for")
            if isinstance(message, Log):
                found.logs.append(message)
            else:
                found.pondered.append(message)
        elif isinstance(message, Unready):
            if (message.pair, message.attempt) != (task.pair, task.attempt):
                raise ValueError(f"the pair {message.pair} is not ready, which was not asked for")
            if message.bot not in (task.first, task.second):
                raise ValueError(f"{message.bot} is not ready, which is not of that pair")
            found = found._replace(unready=message)
    if report.fate == "over" and found.unready is None and len(found.games) < len(places):
        raise ValueError("it is over without a result of each game")
    return found


def _messages(said: bytes) -> Iterator[object]:
    frames = Frames()
    try:
        for body in frames.feed(said):
            yield read(body)
    except LinkError as problem:
        raise ValueError(str(problem)) from None
    if frames.partial:
        raise ValueError("it ends inside a frame")


def _record(framed: bytes) -> Payload:
    records = list(read_frames(HEADER + framed))
    if len(records) != 1:
        raise ValueError(f"{len(records)} records where one belongs")
    return records[0][1]


def check_record(
    record: Payload, task: PairTask, number: int, entrants: Mapping[str, LadderEntrant], variant: str
) -> None:
    """Raise ValueError, with a clause, unless it is the record of that game of the task, and can be true."""
    place = task.place(number)
    if record["kind"] != "game" or record["id"] != place.game_id:
        raise ValueError(f"the record of {place.game_id} is of something else")
    game, part = record["game"], record.get("ladder") or {}
    ivory, brown = (entrants[name] for name in task.seats(number))
    seeds = task.seeds[number - 1]
    for what, told, asked in (
        ("place", {key: part.get(key) for key in place._fields}, place._asdict()),
        ("deal", deal_of(game), task.deal),
        ("variant", game["variant"], variant),
        ("seats", game["seats"], {"ivory": ivory.name, "brown": brown.name}),
        ("fillings", game.get("fillings"), {"ivory": _filling(ivory), "brown": _filling(brown)}),
        ("seeds", game["seeds"], {"ivory": seeds[0], "brown": seeds[1]}),
        ("controls", game["controls"], {"ivory": _control(ivory), "brown": _control(brown)}),
    ):
        if told != asked:
            raise ValueError(f"the {what} of {place.game_id} is not what was asked for")
    try:
        verify(record)
    except ValueError as fault:
        raise ValueError(f"the record of {place.game_id} contradicts itself: {fault}") from None


def _filling(entrant: LadderEntrant) -> str:
    return str(entrant.seat)[:LONGEST_FILLING]


def _control(entrant: LadderEntrant) -> dict[str, str]:
    return {"clock": entrant.control.clock_text, "cap": entrant.control.cap_text}
