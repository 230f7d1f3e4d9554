"""The control socket: what the operator asks is carried out, and nobody else can ask anything."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest
import trio

from tests.host.ladder_crew import UNKEPT
from tests.host.ladder_plans import plan_of
from tests.host.ladder_stage import PLAN, Stage, stage_in
from tyrusd.host.ladder.control import (
    Concurrency,
    ControlError,
    Drop,
    Pause,
    Request,
    Resume,
    Status,
    ask,
)
from tyrusd.host.ladder.news import Continued, Dropped, Limited, Paused, Told
from tyrusd.league.tournament.remaining import games_left
from tyrusd.league.tournament.tournament import Tournament


async def asked(path: Path, request: Request) -> dict[str, Any]:
    return await trio.to_thread.run_sync(ask, path, request, 5.0)


async def said_no(path: Path, request: Request) -> str:
    with pytest.raises(ControlError) as refusal:
        await asked(path, request)
    return str(refusal.value)


class Going:
    """A run that goes on in the background, with its games held back until `go`."""

    def __init__(self, stage: Stage, nursery: trio.Nursery, games: int) -> None:
        self.stage = stage
        self._reached = trio.Event()
        stage.after(games, self._hold)
        self.over = trio.Event()
        nursery.start_soon(self._play)

    async def _play(self) -> None:
        await self.stage.play()
        self.stage.run.close()
        self.over.set()

    def _hold(self) -> None:
        self.stage.crew.stuck = True
        self._reached.set()

    async def reached(self) -> None:
        with trio.fail_after(10):
            await self._reached.wait()

    async def go(self) -> None:
        self.stage.crew.stuck = False
        self.stage.crew.work.set()
        with trio.fail_after(20):
            await self.over.wait()


async def going(path: Path, nursery: trio.Nursery) -> Going:
    run = Going(stage_in(path), nursery, games=4)
    await run.reached()
    return run


async def test_the_socket_is_the_owner_s_and_goes_with_the_run(tmp_path: Path, nursery: trio.Nursery) -> None:
    path = tmp_path / "run"
    run = await going(path, nursery)
    assert (path / "control.sock").stat().st_mode & 0o777 == 0o600
    await run.go()
    assert not (path / "control.sock").exists()
    assert "no ladder is played in" in await said_no(path, Status())
    assert "no ladder is played in" in await said_no(path / "nothing", Status())


async def test_a_socket_that_a_killed_run_left_is_replaced(tmp_path: Path, nursery: trio.Nursery) -> None:
    path = tmp_path / "run"
    stage_in(path).run.close()
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path / "control.sock"))
    assert "no ladder is played in" in await said_no(path, Status())
    run = await going(path, nursery)
    assert (await asked(path, Status()))["ok"]
    await run.go()


async def test_a_path_that_is_too_long_for_a_socket_is_reached_all_the_same(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    path = tmp_path / ("x" * 100) / ("y" * 100)
    run = await going(path, nursery)
    assert (await asked(path, Status()))["ok"]
    await run.go()
    assert not (path / "control.sock").exists()


async def test_a_run_that_cannot_be_asked_is_played_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: object, address: str) -> None:
        raise OSError(1, "Operation not permitted")

    stage = stage_in(tmp_path / "run")
    monkeypatch.setattr("tyrusd.host.local_socket._bind", fail)
    assert (await stage.play()).complete
    stage.run.close()
    assert Told("`tyrusd ladder-ctl` cannot reach this run: Operation not permitted") in stage.news


async def test_status_tells_how_the_run_stands(tmp_path: Path, nursery: trio.Nursery) -> None:
    path = tmp_path / "run"
    run = await going(path, nursery)
    status = (await asked(path, Status()))["status"]
    games, pace, left = status.pop("games"), status.pop("pace"), status.pop("left")
    assert 4 <= games <= 4 + UNKEPT
    assert pace > 0
    assert left == pytest.approx(60 * (36 - games) / pace, rel=0.5, abs=2)
    points = status.pop("bots")
    assert {bot["name"] for bot in points} == {"anna", "bert", "carl", "dora"}
    counted = run.stage.run.tournament.counted_games()
    assert sum(bot["games"] for bot in points) == 2 * len(counted)
    assert sum(bot["points"] for bot in points) == len(counted)
    assert status == {
        "pid": os.getpid(), "total": 36, "handed": run.stage.crew.outstanding,
        "concurrency": 4, "workers": 1, "paused": [], "ending": None, "round": 1, "rounds": 9,
        "suspended": [], "dropped": [],
        "halted": [], "sprt": None,
    }  # fmt: skip
    run.stage.coordinator.interrupt("SIGINT")
    assert (await asked(path, Status()))["status"]["ending"] == "finishing"
    run.stage.crew.abort = lambda: None  # type: ignore[method-assign]
    run.stage.coordinator.interrupt("SIGINT")
    assert (await asked(path, Status()))["status"]["ending"] == "stopping"
    await run.go()


async def test_pause_resume_and_concurrency(tmp_path: Path, nursery: trio.Nursery) -> None:
    path = tmp_path / "run"
    run = await going(path, nursery)
    assert await said_no(path, Resume()) == "it is not paused"
    assert (await asked(path, Pause()))["said"].startswith("paused: no game begins, ")
    assert (await asked(path, Pause()))["said"].startswith("it was paused already: no game begins, ")
    assert (await asked(path, Concurrency(2)))["said"] == "2 games at a time from now on; before: 4"
    assert run.stage.crew.limits == [0]
    assert (await asked(path, Status()))["status"]["paused"] == ["operator"]
    assert (await asked(path, Resume()))["said"] == "games begin again"
    assert run.stage.crew.limits == [0, 2]
    assert (await asked(path, Concurrency(1)))["said"] == "1 game at a time from now on; before: 2"
    run.stage.crew.limits.remove(1)
    await asked(path, Concurrency(7))
    assert run.stage.crew.limits == [0, 2, 7]
    run.stage.coordinator.storage_full("the disk is full")
    assert "goes on by itself" in await said_no(path, Resume())
    await asked(path, Pause())
    assert (await asked(path, Resume()))["said"] == "games begin again when the disk has room"
    run.stage.coordinator.storage_back()
    await run.go()
    assert [news.concurrency for news in run.stage.news if isinstance(news, Limited)] == [2, 1, 7]
    told = [type(news) for news in run.stage.news if isinstance(news, Paused | Continued)]
    assert told == [Paused, Continued, Paused, Paused, Continued, Continued]


async def test_a_dropped_bot_is_on_the_disk_when_the_answer_comes(
    tmp_path: Path, nursery: trio.Nursery
) -> None:
    path = tmp_path / "run"
    run = await going(path, nursery)
    strange = await said_no(path, Drop("emil"))
    assert strange == "there is no bot 'emil' in it; its bots are anna, bert, carl, dora"
    said = (await asked(path, Drop("BERT")))["said"]
    assert said == "bert plays no more: what is handed out is finished, and only its complete pairs count"
    assert Dropped("bert") in run.stage.news
    assert b"dropped" in (path / "journal.tyrus").read_bytes()
    assert (await asked(path, Status()))["status"]["dropped"] == ["bert"]
    assert await said_no(path, Drop("bert")) == "bert is dropped already"
    await run.go()


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (b"", "that is no request"),
        (b"what\n", "that is no request"),
        (b"\xff\n", "that is no request"),
        (b'{"do":"dance"}\n', "that is no request"),
        (b'{"do":"concurrency","games":0}\n', "that is no request"),
        (b'{"do":"concurrency","games":2000}\n', "that is no request"),
        (b'{"do":"pause","more":1}\n', "that is no request"),
        (b"x" * 5000 + b"\n", "at most 4096 bytes"),
    ],
)
async def test_what_is_no_request_is_answered(
    tmp_path: Path, nursery: trio.Nursery, request_: bytes, words: str
) -> None:
    path = tmp_path / "run"
    run = await going(path, nursery)
    async with await trio.open_unix_socket(str(path / "control.sock")) as stream:
        await stream.send_all(request_)
        await stream.send_eof()
        answer = json.loads(b"".join([part async for part in stream]))
    assert not answer["ok"]
    assert words in answer["why"]
    await run.go()


async def test_callers_that_say_nothing_do_not_keep_others_out(
    tmp_path: Path, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tyrusd.host.local_socket.PATIENCE", 0.05)
    path = tmp_path / "run"
    run = await going(path, nursery)
    silent = [await trio.open_unix_socket(str(path / "control.sock")) for _ in range(20)]
    assert (await asked(path, Status()))["ok"]
    for stream in silent:
        await stream.aclose()
    await run.go()


def test_games_in_all_are_counted_where_some_deals_are_played_once() -> None:
    plan = plan_of("anna", "bert", "carl", rounds=2, unswapped=frozenset({"carl"}))
    tournament = Tournament(plan.tournament)
    while tournament.next() is not None:
        pass
    assert games_left(tournament) == 2 * (2 + 1 + 1)
    assert games_left(Tournament(PLAN.tournament)) == 36
    assert games_left(Tournament(plan_of("anna", "bert", kind="knockout").tournament)) is None
