"""What a worker may say about its tasks: only what can be so; and how games are shared out among workers."""

from __future__ import annotations

from typing import Any, cast

import pytest

from tests.core.crew_world import CrewWorld, bot, crew
from tests.host.ladders import task
from tyrusd.core.requests import GameOver
from tyrusd.host.ladder import link
from tyrusd.host.ladder.hand import Hand, shares
from tyrusd.host.ladder.process import WorkerProcess
from tyrusd.league.record import frame, read_frame


class Pipe:
    """Stands for a worker's process."""

    def __init__(self) -> None:
        self.told: list[link.ToWorker] = []

    def send(self, message: link.ToWorker) -> None:
        self.told.append(message)


def hand(*tasks: int) -> tuple[Hand, Pipe]:
    pipe = Pipe()
    found = Hand(1, 0, cast(WorkerProcess, pipe))
    for order, pair in enumerate(tasks):
        found.play(task(pair), order)
    pipe.told.clear()
    return found, pipe


@pytest.fixture(scope="module")
def records() -> dict[str, bytes]:
    """The framed records of pair 1."""
    world = CrewWorld(crew((bot("ann"), bot("bob")), concurrency=2))
    world.give(task(1))
    world.finish()
    world.play_all()
    games = [dict(news.record) for news in world.news if isinstance(news, GameOver)]
    found = {record["id"]: frame(record) for record in games}
    assert found.keys() == {"p1-1", "p1-2"}
    return found


def changed(framed: bytes, part: str, **values: Any) -> bytes:
    """A record with other values in one of its parts."""
    record = read_frame(framed)
    record[part].update(values)
    return frame(record)


def test_a_result_counts_once_and_is_kept_once(records: dict[str, bytes]) -> None:
    found, pipe = hand(1, 2)
    assert (found.games, found.tasks) == (4, (task(1), task(2)))
    event = found.result(link.Result(7, "p1-2", records["p1-2"], "a note"))
    assert (event.worker, event.id, event.framed, event.note) == (1, 7, records["p1-2"], "a note")
    assert event.record == read_frame(records["p1-2"])
    assert found.games == 3
    found.kept(7)
    found.kept(7)
    found.kept(8)
    assert pipe.told == [link.Kept(7)]
    with pytest.raises(link.LinkError, match="the result of p1-2, which it was not to play"):
        found.result(link.Result(8, "p1-2", records["p1-2"]))
    found.result(link.Result(9, "p1-1", records["p1-1"]))
    found.done(link.PairDone(1, 1))
    assert (found.games, found.tasks) == (2, (task(2),))
    with pytest.raises(link.LinkError, match="pair 1 is over, which it cannot be"):
        found.done(link.PairDone(1, 1))


def test_a_result_that_cannot_be_is_refused(records: dict[str, bytes]) -> None:
    good = records["p1-1"]
    for game, record, why in [
        ("p1-1", b"\0" * 20, "the record of p1-1: "),
        ("p1-1", good[:-1] + bytes([good[-1] ^ 1]), "the record of p1-1: the checksum does not match"),
        ("p1-1", good + good, "is none of a game of a ladder"),
        ("p1-2", good, "the record of p1-2 is none of its result"),
        ("p1-1", changed(good, "game", reason="aborted", winner=None), "is none of its result"),
        ("p1-1", changed(good, "ladder", pair=2), "which it was not to play"),
        ("p1-1", changed(good, "ladder", round=2), "which it was not to play"),
        ("p1-1", changed(good, "ladder", attempt=2), "which it was not to play"),
        ("p1-1", changed(good, "game", seats={"ivory": "bob", "brown": "ann"}), "which it was not to play"),
    ]:
        found, _ = hand(1)
        with pytest.raises(link.LinkError) as raised:
            found.result(link.Result(1, game, record))
        assert why in str(raised.value)
        assert found.games == 2
    found, _ = hand(2)
    with pytest.raises(link.LinkError, match="which it was not to play"):
        found.result(link.Result(1, "p1-1", good))


def test_a_pair_is_over_only_with_all_its_results(records: dict[str, bytes]) -> None:
    found, _ = hand(1)
    found.result(link.Result(1, "p1-1", records["p1-1"]))
    with pytest.raises(link.LinkError, match="pair 1 is over, which it cannot be"):
        found.done(link.PairDone(1, 1))


def test_a_pair_is_not_ready_for_want_of_one_of_its_bots() -> None:
    found, _ = hand(1)
    found.unready(link.Unready(1, 1, "bob", "it did not start"))
    assert (found.tasks, found.games) == ((), 0)
    found, _ = hand(1)
    with pytest.raises(link.LinkError, match="was not ready for pair 1"):
        found.unready(link.Unready(1, 1, "cid", "it did not start"))


def test_what_comes_back_is_what_was_not_begun(records: dict[str, bytes]) -> None:
    found, _ = hand(1, 2)
    back = found.returned(link.Returned(((1, 1, 2), (2, 1, 1), (2, 1, 2))))
    assert [(task.pair, task.games) for task in back] == [(1, (2,)), (2, (1, 2))]
    assert (found.tasks, found.games) == ((task(1),), 1)
    found.result(link.Result(1, "p1-1", records["p1-1"]))
    found.done(link.PairDone(1, 1))
    with pytest.raises(link.LinkError, match="game 1 of pair 1 is given back, which it does not have"):
        found.returned(link.Returned(((1, 1, 1),)))


def test_a_share_and_an_end_are_told_once() -> None:
    found, pipe = hand()
    for share in (2, 2, 0):
        found.limit(share)
    found.finish()
    found.finish()
    assert pipe.told == [link.Limit(2), link.Limit(0), link.Finish()]


def test_games_are_shared_out_evenly_and_the_oldest_tasks_come_first() -> None:
    hands = [hand()[0], hand(1)[0], hand(2, 3)[0]]
    hands[1].play(task(9), 5)
    hands[2] = Hand(3, 2, cast(WorkerProcess, Pipe()))
    hands[2].play(task(4), 3)
    assert shares(8, hands) == [3, 3, 2]
    assert shares(3, hands) == [1, 1, 1]
    assert shares(2, hands) == [0, 1, 1]
    assert shares(1, hands) == [0, 1, 0]  # order 0 is older than 3
    assert shares(0, hands) == [0, 0, 0]
    assert shares(5, []) == []
