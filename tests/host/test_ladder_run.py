"""The coordinator: pairs go out, results are on the disk before they count, runs are taken up again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.host.ladder_crew import played_game
from tests.host.ladder_plans import plan_of
from tests.host.ladder_stage import PLAN, records, stage_in, table, whole
from tyrusd.host.journal import JournalError
from tyrusd.host.ladder import coordinator as coordinating
from tyrusd.host.ladder.crewing import CrewLost, Lost, PonderedIn, ResultIn, Said, WorkerEvent
from tyrusd.host.ladder.directory import RunDirectory, look
from tyrusd.host.ladder.manifest import Machine
from tyrusd.host.ladder.news import (
    Continued,
    Ending,
    GameKept,
    Happened,
    News,
    PairUnready,
    Paused,
    Pondered,
    RunEnd,
    Told,
)
from tyrusd.host.ladder.run import open_run
from tyrusd.league.framing import frame
from tyrusd.league.schema import Payload
from tyrusd.league.tournament.happenings import DealtAgain, PairingHalted
from tyrusd.league.tournament.tournament import Tournament


async def test_a_run_plays_every_game_once_and_keeps_it(tmp_path: Path) -> None:
    stage = await whole(tmp_path / "run")
    assert len(stage.games) == len(set(stage.games)) == 36
    assert sorted(stage.crew.told) == sorted(stage.games)
    first, *games = records(tmp_path / "run")
    assert first["kind"] == "run"
    assert [record["id"] for record in games] == stage.games
    assert len(stage.run.tournament.counted_games()) == 36
    assert look(tmp_path / "run")[1].machines == [
        Machine(first["host"], first["cpu"]), Machine("tower", "a processor")
    ]  # fmt: skip


async def test_nothing_is_told_before_it_is_on_the_disk(tmp_path: Path) -> None:
    stage = stage_in(tmp_path / "run")
    synced: set[str] = set()
    journal = stage.run.journal
    sync = journal.sync

    def noted_sync() -> None:
        found = {record["id"] for record in records(tmp_path / "run") if record["kind"] == "game"}
        sync()
        synced.update(found)

    journal.sync = noted_sync  # type: ignore[method-assign]
    stage.on_news = lambda news: check()

    def check() -> None:
        assert set(stage.games) <= synced
        assert set(stage.crew.told) <= synced

    await stage.play()
    assert len(stage.games) == 36


async def test_the_order_of_results_changes_nothing(tmp_path: Path) -> None:
    tables = [table(await whole(tmp_path / str(chance), chance=chance)) for chance in range(3)]
    assert tables[0] == tables[1] == tables[2]


async def test_row_56_after_one_signal_running_games_end_and_the_rest_is_played_later(tmp_path: Path) -> None:
    expected = table(await whole(tmp_path / "whole"))
    stage = stage_in(tmp_path / "run")
    stage.after(7, lambda: stage.coordinator.interrupt("SIGINT"))
    end = await stage.play()
    stage.run.close()
    assert end == RunEnd(False, True, None, None)
    (ending,) = [news for news in stage.news if isinstance(news, Ending)]
    assert ending.signal == "SIGINT"
    assert not ending.at_once
    assert 0 < ending.awaited <= 4
    assert 7 < len(stage.games) <= 7 + 4 + 1
    again = await whole(tmp_path / "run")
    assert again.run.games == len(stage.games)
    assert sorted(stage.games + again.games) == sorted({*stage.games, *again.games})
    assert len(again.games) + len(stage.games) == 36
    assert table(again) == expected
    assert [record["kind"] for record in records(tmp_path / "run")].count("run") == 2


async def test_row_56_after_two_signals_running_games_are_stopped(tmp_path: Path) -> None:
    stage = stage_in(tmp_path / "run")

    def twice() -> None:
        stage.crew.stuck = True
        for _ in range(3):
            stage.coordinator.interrupt("SIGTERM")

    stage.after(7, twice)
    end = await stage.play()
    stage.run.close()
    assert end.interrupted
    assert [news.at_once for news in stage.news if isinstance(news, Ending)] == [False, True]
    assert 7 <= len(stage.games) <= 9  # those that were on their way to the disk
    assert table(await whole(tmp_path / "run")) == table(await whole(tmp_path / "whole"))


async def test_workers_that_do_not_end_are_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tyrusd.host.ladder.coordinator.END_LIMIT", 0.05)
    stage = stage_in(tmp_path / "run")

    def deaf() -> None:
        stage.crew.stuck = True
        stage.crew.abort = lambda: None  # type: ignore[method-assign]
        for _ in range(2):
            stage.coordinator.interrupt("SIGTERM")

    stage.after(7, deaf)
    assert (await stage.play()).interrupted
    stage.run.close()


async def test_what_a_lost_worker_had_is_played_again_and_its_results_count(tmp_path: Path) -> None:
    expected = table(await whole(tmp_path / "whole"))
    stage = stage_in(tmp_path / "run")
    losses = []

    def lose(news: News) -> None:
        if isinstance(news, GameKept) and len(stage.games) in (5, 6, 17):
            losses.append(len(stage.games))
            stage.crew.lose()

    stage.on_news = lose
    assert (await stage.play()).complete
    stage.run.close()
    assert losses == [5, 6, 17]
    assert Told("a worker was killed by signal 9") in stage.news
    assert len(stage.games) == len(set(stage.games)) == 36
    assert table(stage) == expected
    assert sum(len(task.games) for task in stage.crew.handed) > 36


async def test_a_late_second_result_of_a_game_is_passed_over(tmp_path: Path) -> None:
    stage = stage_in(tmp_path / "run")
    seen: list[ResultIn] = []
    hear = stage.coordinator._hear
    answered: list[tuple[int, int]] = []

    def twice(event: WorkerEvent) -> None:
        hear(event)
        if isinstance(event, ResultIn):
            seen.append(event)
            record = {**event.record, "timing": {**event.record["timing"], "total": 77}}
            hear(ResultIn(2, event.id, record, frame(record), ""))

    stage.crew._tell = twice
    kept = stage.crew.kept

    def note(worker: int, result: int) -> None:
        answered.append((worker, result))
        if worker == 1:
            kept(worker, result)

    stage.crew.kept = note  # type: ignore[method-assign]
    assert (await stage.play()).complete
    assert len(stage.games) == 36
    assert len(answered) == 72  # the second worker need not keep it either
    stage.run.close()
    assert table(stage) == table(await whole(tmp_path / "whole"))


async def test_results_that_nobody_asked_for_are_left_out(tmp_path: Path) -> None:
    stage = stage_in(tmp_path / "run")
    strange: list[Payload] = []

    def intrude() -> None:
        task = stage.crew.handed[-1]
        stranger = replace(task, pair=10_000)
        swapped = replace(task, first=task.second, second=task.first)
        reseeded = replace(task, seeds=(("0" * 32, "1" * 32), ("0" * 32, "1" * 32)))
        for number, wrong in enumerate((stranger, swapped, reseeded)):
            assert wrong.place(1) not in stage.run.known
            record = played_game(wrong, 1)
            strange.append(record)
            stage.coordinator._hear(ResultIn(1, 900 + number, record, frame(record), ""))
        for spoiled in (
            {"ladder": None},
            {"game": {**strange[0]["game"], "reason": "aborted", "winner": None}},
        ):
            record = {key: value for key, value in {**strange[0], **spoiled}.items() if value is not None}
            stage.coordinator._hear(ResultIn(1, 950, record, frame(record), ""))

    stage.after(3, intrude)
    assert (await stage.play()).complete
    told = [news.sentence for news in stage.news if isinstance(news, Told)]
    assert [sentence.rpartition(": ")[2] for sentence in told] == [
        "nobody was asked to play it", "it was not played as it was handed out",
        "it was not played as it was handed out",
    ]  # fmt: skip
    stage.run.close()
    assert table(stage) == table(await whole(tmp_path / "whole"))


async def test_a_run_whose_workers_answer_for_nothing_ends_in_a_sentence(tmp_path: Path) -> None:
    stage = stage_in(tmp_path / "run")
    hear = stage.coordinator._hear

    def spoil(event: WorkerEvent) -> None:
        if isinstance(event, ResultIn) and event.record["ladder"]["pair"] == 3:
            stage.coordinator.crewing.kept(event.worker, event.id)  # the pair is done, and nothing came of it
        else:
            hear(event)

    stage.crew._tell = spoil
    end = await stage.play()
    stage.run.close()
    assert not end.complete
    assert end.failure is not None and "resume to try again" in end.failure
    assert len(stage.games) == 34
    assert table(await whole(tmp_path / "run")) == table(await whole(tmp_path / "whole"))


async def test_a_bot_that_never_gets_ready_is_dealt_again_and_then_halted(tmp_path: Path) -> None:
    tournament = Tournament(PLAN.tournament)
    first, second = [task.first for task in (tournament.next(), tournament.next()) if task is not None]
    unready = {(1, 1): first, (2, 1): second, (2, 2): second}
    stage = await whole(tmp_path / "run", unready=unready)
    found = [news for news in stage.news if isinstance(news, PairUnready)]
    assert sorted(found) == [
        PairUnready(*key, bot, "it could not be started") for key, bot in unready.items()
    ]
    happenings = [news.happening for news in stage.news if isinstance(news, Happened)]
    assert sum(isinstance(happening, PairingHalted) for happening in happenings) == 1
    assert [record["kind"] for record in records(tmp_path / "run")].count("unready") == 3
    assert not {game for game in stage.games if game.startswith("p2-")}
    again = stage_in(tmp_path / "run")
    assert table(again) == table(stage)
    assert again.run.tournament.over
    assert await again.play() == RunEnd(True, False, None, "played")
    assert again.games == []
    assert again.crew.handed == []
    again.run.close()


async def test_a_pause_begins_no_game_and_ends_none(tmp_path: Path) -> None:
    stage = stage_in(tmp_path / "run")
    coordinator = stage.coordinator

    def pause() -> None:
        coordinator.pause("operator", "the operator wants it")
        coordinator.pause("operator", "the operator wants it")
        coordinator.limit(2)
        assert stage.crew.limits == [0]
        handed = len(stage.crew.handed)
        coordinator._advance()
        assert len(stage.crew.handed) == handed
        coordinator.unpause("operator")
        assert stage.crew.limits == [0, 2]
        coordinator.limit(3)
        assert stage.crew.limits == [0, 2, 3]

    stage.after(5, pause)
    assert (await stage.play()).complete
    assert [news for news in stage.news if isinstance(news, Paused | Continued)] == [
        Paused("operator", "the operator wants it"), Continued("operator")
    ]  # fmt: skip
    assert len(stage.games) == 36
    stage.run.close()


async def test_a_bot_that_is_dropped_plays_no_more(tmp_path: Path) -> None:
    stage = stage_in(tmp_path / "run")
    done: list[int] = []
    stage.after(5, lambda: stage.coordinator.drop("anna", lambda: done.append(len(stage.crew.handed))))
    assert (await stage.play()).complete
    stage.run.close()
    assert all("anna" not in (task.first, task.second) for task in stage.crew.handed[done[0] :])
    assert [record["bot"] for record in records(tmp_path / "run") if record["kind"] == "dropped"] == ["anna"]
    again = stage_in(tmp_path / "run")
    assert table(again) == table(stage)
    again.run.close()


async def test_what_cannot_count_any_more_is_stopped_and_not_awaited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coordinating, "IN_VAIN", 0.0)
    stage = stage_in(tmp_path / "run", plan_of("anna", "bert", rounds=9))

    def drop() -> None:
        stage.crew.stuck = True  # what runs would never end
        stage.coordinator.drop("bert", lambda: None)

    stage.after(5, drop)
    assert await stage.play() == RunEnd(True, False, None, "played")
    assert stage.crew.running
    stage.run.close()
    assert not any(
        isinstance(news.happening, DealtAgain) for news in stage.news if isinstance(news, Happened)
    )
    again = stage_in(tmp_path / "run")
    assert table(again) == table(stage)
    again.run.close()


async def test_workers_that_cannot_go_on_end_the_run_in_a_sentence(tmp_path: Path) -> None:
    def fail(number: int) -> None:
        if number == 30:
            raise CrewLost("workers end again and again: exit status 1")

    stage = stage_in(tmp_path / "run", hurdle=fail)
    end = await stage.play()
    stage.run.close()
    assert end == RunEnd(False, False, "workers end again and again: exit status 1", None)
    assert table(await whole(tmp_path / "run")) == table(await whole(tmp_path / "whole"))


async def test_sentences_and_thinking_are_passed_on(tmp_path: Path) -> None:
    stage = stage_in(tmp_path / "run")

    def say() -> None:
        stage.coordinator._hear(Said("a bot wrote a line that is none"))
        stage.coordinator._hear(PonderedIn("p1-1", (12, None)))

    stage.after(1, say)
    await stage.play()
    stage.run.close()
    assert Told("a bot wrote a line that is none") in stage.news
    assert Pondered("p1-1", (12, None)) in stage.news


async def test_a_journal_of_another_plan_is_refused(tmp_path: Path) -> None:
    await whole(tmp_path / "run")
    other = RunDirectory.begin(tmp_path / "other", plan_of("anna", "emil", "carl", "dora", rounds=3))
    (tmp_path / "other" / "journal.tyrus").write_bytes((tmp_path / "run" / "journal.tyrus").read_bytes())
    before = (tmp_path / "other" / "journal.tyrus").read_bytes()
    with pytest.raises(JournalError, match="nothing was changed"):
        open_run(other)
    assert (tmp_path / "other" / "journal.tyrus").read_bytes() == before
    other.close()


async def test_a_run_without_any_pair_is_over_at_once(tmp_path: Path) -> None:
    plan = plan_of("anna", "bert")
    stage = stage_in(tmp_path / "run", replace(plan, tournament=replace(plan.tournament, shard=(2, 2))))
    end = await stage.play()
    assert end.complete
    assert stage.games == []
    stage.run.close()


def test_what_is_told_shows_no_tile() -> None:
    task_repr = repr(Lost((), "x"))
    assert "tile" not in task_repr
