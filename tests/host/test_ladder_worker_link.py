"""What coordinator and worker say to each other: it comes out as it went in, and nothing else comes in."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.host.ladders import plan, task
from tyrusd.core.seatspec import parse_seat
from tyrusd.host.confinement import Confinement
from tyrusd.host.ladder import link
from tyrusd.host.ladder.plan import LadderEntrant
from tyrusd.host.ladder.terms import (
    bot_of,
    bot_words,
    confinement_of,
    confinement_words,
    task_of,
    task_words,
)
from tyrusd.host.limits import Limits
from tyrusd.host.sandbox import Sandbox
from tyrusd.league.clock import TimeControl
from tyrusd.league.tournament.task import PairTask
from tyrusd.rules.deal import deal_from_bytes

SETUP = link.Setup(
    tuple([bot_words(entrant, {}) for entrant in plan().entrants]),
    "standard",
    4,
    confinement_words(Confinement()),
    "/",
)
TO_WORKER: list[link.ToWorker] = [
    SETUP,
    link.Play(task_words(task(2))),
    link.Kept(3),
    link.Limit(0),
    link.Withdraw(),
    link.Finish(),
    link.Abort(),
    link.Ask(4),
]
TO_COORDINATOR: list[link.ToCoordinator] = [
    link.Ready(12, "host", "cpu"),
    link.Result(1, "p1-1", b"123456789", "its last words \x1b"),
    link.Log("p1-1", b"lines\n"),
    link.Pondered("p1-1", None, 7),
    link.Unready(1, 2, "ann", "it did not start"),
    link.PairDone(1, 2),
    link.Returned(((1, 1, 2), (2, 1, 1))),
    link.Told("a sentence"),
    link.Alive(4),
    link.Bye(),
]


@given(st.data())
def test_every_message_comes_out_as_it_went_in_however_it_is_cut(data: st.DataObject) -> None:
    for messages, read in ((TO_WORKER, link.read_by_worker), (TO_COORDINATOR, link.read_by_coordinator)):
        stream = b"".join([link.framed(message) for message in messages])
        frames, found, at = link.Frames(), [], 0
        while at < len(stream):
            size = data.draw(st.integers(1, len(stream)))
            found += [read(body) for body in frames.feed(stream[at : at + size])]
            at += size
        assert found == messages
        assert not frames.partial


def test_every_kind_of_message_is_tried() -> None:
    assert {type(message) for message in TO_WORKER} == set(link.ToWorker.__args__)
    assert {type(message) for message in TO_COORDINATOR} == set(link.ToCoordinator.__args__)


@given(st.binary(max_size=200))
def test_garbage_gives_only_a_link_error(data: bytes) -> None:
    for read in (link.read_by_worker, link.read_by_coordinator):
        try:
            for body in link.Frames().feed(data):
                read(body)
        except link.LinkError as error:
            assert str(error).isprintable()


@pytest.mark.parametrize(
    "changed",
    [
        {"say": "unheard"},
        {"say": "kept"},
        {"say": "kept", "id": "1"},
        {"say": "kept", "id": 0},
        {"say": "kept", "id": 1, "more": 1},
        {"say": "limit", "games": -1},
        {"say": "limit", "games": 1 << 70},
        {"say": "play", "task": None},
        {"id": 1},
        [1],
        None,
    ],
    ids=str,
)
def test_what_is_not_exactly_a_message_is_refused(changed: object) -> None:
    body = msgspec.msgpack.encode(changed) if changed != {"say": "limit", "games": 1 << 70} else b"\xcf" * 9
    with pytest.raises(link.LinkError, match="a frame cannot be read"):
        link.read_by_worker(body)


@pytest.mark.parametrize("size", [0, link.LONGEST + 1, (1 << 32) - 1])
def test_a_frame_that_is_too_long_is_refused_before_it_comes(size: int) -> None:
    with pytest.raises(link.LinkError, match=f"a frame of {size} bytes is announced"):
        list(link.Frames().feed(size.to_bytes(4, "big")))


@given(st.binary(min_size=16, max_size=16), st.integers(1, 10**6), st.integers(1, 9), st.booleans())
def test_a_task_comes_out_as_it_went_in(secret: bytes, pair: int, attempt: int, twins: bool) -> None:
    games = (2,) if twins else (1,)
    seeds = (("0" * 32, "1" * 32), ("2" * 32, "3" * 32))
    sent = PairTask(pair, attempt, 3, "ann", "bob", games, twins, deal_from_bytes(secret), seeds)
    read = link.read_by_worker(link.framed(link.Play(task_words(sent)))[4:])
    assert isinstance(read, link.Play)
    assert task_of(read.task) == sent


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"second": "ANN"}, "cannot play itself"),
        ({"games": (1, 1)}, "are no games of that pair"),
        ({"games": (2,), "twins": False}, "are no games of that pair"),
    ],
)
def test_a_task_whose_parts_do_not_fit_is_refused(change: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        task_of(msgspec.structs.replace(task_words(task(1)), **change))


def test_a_task_with_a_wrong_deal_is_refused() -> None:
    words = task_words(task(1))
    with pytest.raises(ValueError, match="ivory must be each of the thirty tiles once"):
        task_of(msgspec.structs.replace(words, deal=msgspec.structs.replace(words.deal, ivory=30 * ["S1"])))


def test_no_deal_and_no_key_is_shown_by_accident() -> None:
    entrant = LadderEntrant("ann", parse_seat("tcp:ann"), TimeControl(None, 0, 1000))
    shown = repr(link.Play(task_words(task(1)))) + repr(bot_words(entrant, {"ann": "secret"}))
    assert "S10" not in shown
    assert "secret" not in shown


@pytest.mark.parametrize("seat", ["plugin:greedy?level=3", "exec:./a b 'c d'", "tcp:ann"])
def test_a_bot_comes_out_as_it_went_in(seat: str) -> None:
    entrant = LadderEntrant("ann", parse_seat(seat), TimeControl(60_000, 500, None))
    bot = bot_of(bot_words(entrant, {"ann": "secret"}))
    assert (bot.name, bot.spec, bot.control) == ("ann", entrant.seat, entrant.control)
    assert bot.key == ("secret" if seat.startswith("tcp") else None)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"seat": "tcp:ann"}, "a key is for a tcp bot"),
        ({"key": "secret"}, "a key is for a tcp bot"),
        ({"seat": "ftp:ann"}, "is not a seat"),
        ({"base": 5}, "."),
    ],
)
def test_a_bot_that_cannot_be_is_refused(change: dict[str, object], why: str) -> None:
    words = bot_words(plan().entrants[0], {})
    with pytest.raises(ValueError, match=why):
        bot_of(msgspec.structs.replace(words, **change))


@pytest.mark.parametrize(
    "confinement",
    [
        Confinement(),
        Confinement(Limits(memory=64, cpu=9)),
        Confinement(sandbox=Sandbox("/usr/bin/bwrap", (Path("/a run"), Path("/b")))),
    ],
)
def test_a_confinement_comes_out_as_it_went_in(confinement: Confinement) -> None:
    assert confinement_of(confinement_words(confinement)) == confinement
