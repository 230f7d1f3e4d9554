"""A cluster behind the coordinator: what is counted, what is played again, who may not play, how it ends."""

from __future__ import annotations

import pytest
import trio
import trio.testing
from msgspec.structs import replace

from tests.host.cluster_stage import FakeClient, Stage, report_of
from tests.host.ladder_crew import played_game
from tests.host.ladder_plans import plan_of
from tyrusd.host.ladder.cluster_manifest import differences, found_here
from tyrusd.host.ladder.cluster_report import Report, write
from tyrusd.host.ladder.cluster_task import CLOSE, GO, HOLD, WITHDRAW
from tyrusd.host.ladder.crewing import CrewLost, Ended, GivenBack, Lost, ResultIn, UnreadyIn
from tyrusd.host.ladder.manifest import read_manifest, write_manifest
from tyrusd.league.tournament.task import PairTask

PLAN = plan_of("anna", "bert", rounds=6)


async def played(stage: Stage) -> None:
    with trio.fail_after(200):
        await stage.cluster.run()


async def test_every_pair_is_played_and_told_once(autojump_clock: trio.testing.MockClock) -> None:
    client = FakeClient({"a": report_of, "b": report_of})
    stage = Stage(PLAN, client)
    await played(stage)
    assert stage.done() == [(pair, 1) for pair in range(1, 7)]
    assert stage.count(ResultIn) == 12
    assert isinstance(stage.events[-1], Ended)
    assert {address for _, address, _ in client.tasks} == {"a", "b"}
    assert client.closed
    assert ("a", CLOSE) in client.obeyed


async def test_no_pair_is_done_before_its_results_are_kept(autojump_clock: trio.testing.MockClock) -> None:
    stage = Stage(PLAN, FakeClient({"a": report_of}))
    stage.keeping = False
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stage.cluster.run)
        await trio.sleep(5)
        results = [event for event in stage.events if isinstance(event, ResultIn)]
        assert len(results) == 12
        assert stage.done() == []
        for event in results[1:]:
            stage.cluster.kept(event.worker, event.id)
        await trio.sleep(1)
        assert len(stage.done()) == 5
        stage.cluster.kept(results[0].worker, results[0].id)
    assert len(stage.done()) == 6


async def test_a_machine_that_goes_has_its_pairs_played_again_and_counted_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    client = FakeClient({"a": report_of, "dead": lambda task: None})
    stage = Stage(PLAN, client)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stage.cluster.run)
        await trio.sleep(2.5)
        held = [(key, task) for key, address, task in client.tasks if address == "dead"]
        assert held
        assert stage.count(Lost) == 0
        del client.there["dead"]
        await trio.sleep(2.5)
        assert stage.count(Lost) == 1
        for key, task in held:  # its answers come after all
            client.end(key, write(report_of(task)))
    assert stage.done() == [(pair, 1) for pair in range(1, 7)]
    assert stage.count(ResultIn) == 12


async def test_a_pair_that_ends_what_plays_it_four_times_is_not_ready(
    autojump_clock: trio.testing.MockClock,
) -> None:
    def poisoned(task: PairTask) -> Report:
        if (task.pair, task.attempt) == (3, 1):
            return Report("died", why="the playing process ended with status -9")
        return report_of(task)

    client = FakeClient({"a": poisoned, "b": poisoned})
    stage = Stage(PLAN, client)
    await played(stage)
    assert [(event.pair, event.attempt) for event in stage.events if isinstance(event, UnreadyIn)] == [(3, 1)]
    assert sum((task.pair, task.attempt) == (3, 1) for _, _, task in client.tasks) == 4
    assert (3, 2) in stage.done()


async def test_a_task_that_dask_itself_gave_up_is_not_tried_again(
    autojump_clock: trio.testing.MockClock,
) -> None:
    client = FakeClient({"a": lambda task: None if (task.pair, task.attempt) == (1, 1) else report_of(task)})
    stage = Stage(PLAN, client)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stage.cluster.run)
        await trio.sleep(2)
        client.end(next(key for key, _, task in client.tasks if task.pair == 1), None, deadly=True)
    assert stage.count(UnreadyIn) == 1
    assert stage.done() == [(1, 2), *((pair, 1) for pair in range(2, 7))]


async def test_a_machine_with_another_version_gets_nothing(autojump_clock: trio.testing.MockClock) -> None:
    client = FakeClient({"old": report_of, "here": report_of})
    stage = Stage(PLAN, client)
    client.looks["old"] = write_manifest(replace(stage.manifest, tyrusd="0.0.7"))
    await played(stage)
    assert {address for _, address, _ in client.tasks} == {"here"}
    told = [sentence for sentence in stage.sentences if "old" in sentence]
    assert told == ["tower (old) may not play: tyrusd is 0.1.0 here and 0.0.7 there"]


async def test_a_machine_that_says_nothing_of_use_gets_nothing(
    autojump_clock: trio.testing.MockClock,
) -> None:
    client = FakeClient({"odd": report_of, "mute": report_of, "here": report_of})
    stage = Stage(PLAN, client)
    client.looks |= {"odd": b"{}", "mute": "ModuleNotFoundError: No module named 'tyrusd'\x1b[2J"}
    await played(stage)
    assert {address for _, address, _ in client.tasks} == {"here"}
    assert any("tower (mute)" in one and "No module named 'tyrusd'\\x1b[2J" in one for one in stage.sentences)


async def test_a_machine_that_lies_is_believed_no_more(autojump_clock: trio.testing.MockClock) -> None:
    client = FakeClient({"liar": lambda task: b"\xc1", "here": report_of})
    stage = Stage(PLAN, client)
    await played(stage)
    lies = [task for _, address, task in client.tasks if address == "liar"]
    assert 1 <= len(lies) <= 2
    assert stage.done() == [(pair, 1) for pair in range(1, 7)]
    assert any("returned what was not asked for" in sentence for sentence in stage.sentences)


async def test_nobody_who_may_play_ends_the_run_with_a_sentence(
    autojump_clock: trio.testing.MockClock,
) -> None:
    stage = Stage(PLAN, FakeClient({"odd": report_of}))
    stage.client.looks["odd"] = b"cannot: there is no plugin x"
    with pytest.raises(CrewLost, match=r"nobody in the cluster of .* for 5 s: .* there is no plugin x"):
        await played(stage)
    assert stage.client.closed


async def test_a_scheduler_that_cannot_be_reached_ends_the_run() -> None:
    client = FakeClient(gone=True)
    with pytest.raises(CrewLost, match="the Dask scheduler cannot be reached"):
        await played(Stage(PLAN, client))


async def test_a_scheduler_that_goes_ends_the_run(autojump_clock: trio.testing.MockClock) -> None:
    client = FakeClient({"a": lambda task: None})
    stage = Stage(PLAN, client)
    with trio.CancelScope(), pytest.RaisesGroup(pytest.RaisesExc(CrewLost, match="scheduler is gone")):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(played, stage)
            await trio.sleep(2)
            client.gone = True
    assert stage.count(Lost) == 1
    assert client.closed


async def test_what_cannot_be_fetched_is_played_again(autojump_clock: trio.testing.MockClock) -> None:
    client = FakeClient({"a": report_of, "b": report_of}, stumbles=2)
    stage = Stage(PLAN, client)
    await played(stage)
    assert stage.count(Lost) == 2
    assert stage.done() == [(pair, 1) for pair in range(1, 7)]
    assert stage.count(ResultIn) == 12


async def test_withdrawn_pairs_come_back_and_a_begun_one_keeps_its_first_game(
    autojump_clock: trio.testing.MockClock,
) -> None:
    client = FakeClient({"a": lambda task: None})
    stage = Stage(PLAN, client)
    stage.keeping = False
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stage.cluster.run)
        await trio.sleep(2)
        stage.playing = False
        stage.cluster.withdraw()
        stage.cluster.finish()
        assert stage.cluster.room == 0
        await trio.sleep(1)
        assert ("a", WITHDRAW) in client.obeyed
        (begun, _, first), (queued, _, second) = client.tasks
        half = report_of(first, played_game(first, 1))
        client.end(begun, write(Report("returned", half.said)))
        client.end(queued, write(Report("returned")))
        await trio.sleep(1)
        assert not isinstance(stage.events[-1], Ended)  # a result is not kept yet
        (result,) = [event for event in stage.events if isinstance(event, ResultIn)]
        stage.cluster.kept(result.worker, result.id)
    back = [task for event in stage.events if isinstance(event, GivenBack) for task in event.tasks]
    assert [(task.pair, task.games) for task in back] == [(first.pair, (2,)), (second.pair, (1, 2))]
    assert stage.count(ResultIn) == 1


async def test_a_pause_reaches_the_machines(autojump_clock: trio.testing.MockClock) -> None:
    client = FakeClient({"a": report_of})
    stage = Stage(PLAN, client)
    stage.playing = False
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stage.cluster.run)
        await trio.sleep(2)
        stage.cluster.limit(0)
        assert stage.cluster.room == 0
        await trio.sleep(1)
        stage.cluster.limit(4)
        await trio.sleep(1)
        assert client.obeyed == [("a", HOLD), ("a", GO)]
        assert stage.cluster.room > 0
        stage.cluster.abort()
    assert isinstance(stage.events[-1], Ended)


async def test_after_abort_nothing_is_told(autojump_clock: trio.testing.MockClock) -> None:
    client = FakeClient({"a": lambda task: None})
    stage = Stage(PLAN, client)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stage.cluster.run)
        await trio.sleep(2)
        key, _, task = client.tasks[0]
        stage.cluster.abort()
        client.end(key, write(report_of(task)))
    assert (stage.count(ResultIn), stage.count(Lost)) == (0, 0)
    assert isinstance(stage.events[-1], Ended)
    assert ("a", CLOSE) in client.obeyed


@pytest.mark.parametrize(("concurrency", "at_once"), [(1, 1), (2, 2), (3, 3), (4, 6), (64, 6)])
async def test_so_many_games_at_a_time(
    concurrency: int, at_once: int, autojump_clock: trio.testing.MockClock
) -> None:
    # Two machines of two slots; one pair a machine in reserve, but only where that begins no game.
    client = FakeClient({"a": lambda task: None, "b": lambda task: None}, slots=2)
    stage = Stage(PLAN, client, concurrency=concurrency)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stage.cluster.run)
        await trio.sleep(2)
        assert len(client.tasks) == at_once
        assert stage.cluster.outstanding == 2 * at_once
        stage.cluster.abort()


def test_what_a_machine_has_is_compared_wherever_its_files_lie() -> None:
    stage = Stage(PLAN, FakeClient())
    found = found_here(write_manifest(stage.manifest))
    assert differences(stage.manifest, found) is None
    here = read_manifest(found)
    elsewhere = [
        replace(bot, files=[replace(one, path=f"/opt{one.path}") for one in bot.files]) for bot in here.bots
    ]
    assert differences(stage.manifest, write_manifest(replace(here, bots=elsewhere))) is None
    changed = [replace(bot, files=[replace(one, sha256="0" * 64) for one in bot.files]) for bot in here.bots]
    other = differences(stage.manifest, write_manifest(replace(here, bots=changed)))
    assert other is not None
    assert "the bot anna has changed" in other
