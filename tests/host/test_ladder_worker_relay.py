"""Results and logs on their way to the coordinator: answered when kept, bounded; nothing of aborted games."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import trio
import trio.testing

from tests.core.owners import begin, pair
from tests.core.world import World
from tests.host.test_host_shelf import played
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import Answer, DropLog, GameOver, KeepLog, Store, Stored, StoreFailed
from tyrusd.host.ladder import link, relay
from tyrusd.host.ladder.machine import LONGEST, machine
from tyrusd.host.ladder.relay import KEEP_LIMIT, RelayedLogs, RelayedResults
from tyrusd.host.shelf import log_text
from tyrusd.host.storekeeper import StorageLost
from tyrusd.league.record import frame, read_frame


class Ends:
    """What a relay says to the coordinator and answers to the core."""

    def __init__(self) -> None:
        self.said: list[link.ToCoordinator] = []
        self.answers: list[Answer] = []
        self.results = RelayedResults(self.said.append, lambda game: f"note of {game}", self.answered)

    def answered(self, answers: Sequence[Answer]) -> None:
        self.answers += answers


@pytest.fixture(scope="module")
def record() -> bytes:
    """The framed record of a game that somebody has resigned."""
    world = World(Lobby({}))
    anna, bob = pair(world, "bot")
    bob.say(f"resign {begin(anna, bob, 'clock=none cap=1')}")
    [news] = [news for news in world.news if isinstance(news, GameOver)]
    return frame(dict(news.record))


def aborted(record: bytes) -> bytes:
    payload = read_frame(record)
    payload["game"].update(reason="aborted", winner=None)
    return frame(payload)


async def test_a_result_is_answered_when_the_coordinator_has_kept_it(record: bytes) -> None:
    ends = Ends()
    ends.results.store(Store(1, "g1", record))
    ends.results.store(Store(2, "g2", record))
    ends.results.answer()
    assert ends.answers == []
    assert ends.said == [
        link.Result(1, "g1", record, "note of g1"),
        link.Result(2, "g2", record, "note of g2"),
    ]
    for number in (2, 1, 1, 3):
        ends.results.kept(number)
    assert ends.answers == []
    ends.results.answer()
    assert ends.answers == [Stored(2), Stored(1)]


async def test_what_is_aborted_is_nobody_s_to_keep(record: bytes) -> None:
    ends = Ends()
    ends.results.store(Store(1, "g1", aborted(record)))
    assert ends.answers == [Stored(1)]
    assert ends.said == []


async def test_a_name_does_not_make_a_game_aborted(record: bytes) -> None:
    payload = read_frame(record)
    payload["game"]["detail"] = "aborted"
    ends = Ends()
    ends.results.store(Store(1, "g1", frame(payload)))
    assert ends.answers == []
    assert len(ends.said) == 1


async def test_a_coordinator_that_keeps_nothing_is_given_up(
    record: bytes, autojump_clock: trio.testing.MockClock
) -> None:
    ends = Ends()
    ends.results.store(Store(1, "g1", record))
    begun = trio.current_time()
    with pytest.raises(StorageLost, match="the coordinator has not kept a result for 86400 s"):
        await ends.results.run()
    assert trio.current_time() - begun == KEEP_LIMIT
    assert ends.answers == []


async def test_kept_in_time_nothing_is_given_up(
    record: bytes, autojump_clock: trio.testing.MockClock
) -> None:
    ends = Ends()
    with trio.move_on_after(10 * KEEP_LIMIT):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ends.results.run)
            for number in range(1, 4):
                ends.results.store(Store(number, "g1", record))
                await trio.sleep(KEEP_LIMIT * 0.9)
                ends.results.kept(number)
    assert [said.id for said in ends.said if isinstance(said, link.Result)] == [1, 2, 3]


async def test_after_an_abort_what_was_sent_has_a_moment_and_nothing_is_sent(
    record: bytes, autojump_clock: trio.testing.MockClock
) -> None:
    ends = Ends()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ends.results.run)
        for number in (1, 2):
            ends.results.store(Store(number, f"g{number}", record))
        await trio.sleep(5)
        ends.results.abort()
        ends.results.store(Store(3, "g3", record))
        assert ends.answers == [StoreFailed(3, "the run is aborted")]
        ends.results.kept(1)
        ends.results.answer()
        await trio.sleep(relay.FAREWELL + 1)
        nursery.cancel_scope.cancel()
    assert ends.answers[1:] == [Stored(1), StoreFailed(2, "the run is aborted")]
    assert len(ends.said) == 2


async def test_logs_of_games_that_the_board_did_not_decide_are_sent() -> None:
    said: list[link.ToCoordinator] = []
    logs = RelayedLogs(said.append)
    logs.last_words = lambda bot: f"last words of {bot}"
    [timeout], [resigned] = played(timeout=True), played()
    logs.keep(KeepLog(resigned, (1, 2)))
    logs.keep(KeepLog(timeout, (1, 2)))
    logs.keep(KeepLog(timeout._replace(game="g7", reason="aborted", winner=None), (1, 2)))
    logs.drop(DropLog("g1"))
    await logs.close()
    [log] = said
    assert isinstance(log, link.Log)
    assert log.game == "g1"
    assert b"last words of" in log.text
    assert log.text.startswith(next(log_text(timeout)))


async def test_games_go_on_between_two_logs() -> None:
    said: list[link.ToCoordinator] = []
    logs = RelayedLogs(said.append)
    [timeout] = played(timeout=True)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while len(said) < 10:
            turns += 1
            await trio.lowlevel.checkpoint()

    async with trio.open_nursery() as nursery:
        for number in range(10):
            logs.keep(KeepLog(timeout._replace(game=f"g{number}"), (None, None)))
        nursery.start_soon(logs.run)
        await others()
        nursery.cancel_scope.cancel()
    assert turns >= 5


async def test_too_many_logs_are_left_out_and_that_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    said: list[link.ToCoordinator] = []
    logs = RelayedLogs(said.append)
    [timeout] = played(timeout=True)
    for number in range(relay.LOGS_WAITING + 50):
        logs.keep(KeepLog(timeout._replace(game=f"g{number}"), (None, None)))
    await logs.close()
    assert [log.game for log in said if isinstance(log, link.Log)] == [
        f"g{number}" for number in range(50, relay.LOGS_WAITING + 50)
    ]
    assert len(caplog.records) == 1


async def test_a_log_that_is_too_long_is_cut_at_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay, "LONGEST_LOG", 200)
    said: list[link.ToCoordinator] = []
    logs = RelayedLogs(said.append)
    logs.keep(KeepLog(played(timeout=True)[0], (None, None)))
    await logs.close()
    [log] = said
    assert isinstance(log, link.Log)
    assert len(log.text) <= 200
    assert log.text.endswith(relay.CUT)


def test_a_machine_has_names_that_records_take() -> None:
    for name in machine():
        assert 0 < len(name) <= LONGEST
        assert name.isprintable()
