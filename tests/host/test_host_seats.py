"""Bots as real processes: how each end of theirs reaches the core, and that nothing of them is left."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from tests.host.fakecore import FakeCore
from tests.host.test_host_children import alive, gone
from tyrusd.core.requests import BotFailed, StartBot, StopBot
from tyrusd.core.seatspec import parse_seat
from tyrusd.host import seats as seat_room
from tyrusd.host.clockwork import Clockwork
from tyrusd.host.engine import Engine
from tyrusd.host.hub import Hub
from tyrusd.host.journal import MemoryJournal
from tyrusd.host.seats import Adopt, Seats
from tyrusd.host.streams import Streams

BOTS = Path(__file__).with_name("bots")


class Place:
    def __init__(self, core: FakeCore, engine: Engine, seats: Seats) -> None:
        self.core = core
        self.engine = engine
        self.seats = seats

    async def start(self, command: str, number: int = 1) -> None:
        self.ask(StartBot(number, f"bot{number}", parse_seat(command)))
        await self.until(lambda: any(bot == number for bot in self.bots()))

    def bots(self) -> list[int | None]:
        """The programs that were connected, or could not be."""
        failed = [call[1].id for call in self.core.calls if isinstance(call[-1], BotFailed)]  # type: ignore[attr-defined]
        return [transport.bot for transport in self.core.transports.values()] + failed

    def ask(self, *requests: StartBot | StopBot) -> None:
        self.core.requests.extend(requests)
        self.engine.answers([])
        self.engine.flush()

    async def until(self, condition: object) -> None:
        assert callable(condition)
        with trio.fail_after(8):
            while not condition():  # noqa: ASYNC110 -- other processes set no event
                await trio.sleep(0.005)

    async def lost(self, peer: int = 1) -> tuple[str, str]:
        """Wait for a peer's end; its cause and detail."""
        await self.until(lambda: peer in self.core.lost_peers())
        [call] = [call for call in self.core.calls if call[:2] == ("lost", peer)]
        assert isinstance(call[2], str)
        assert isinstance(call[3], str)
        return call[2], call[3]

    async def heard(self, data: bytes, peer: int = 1) -> None:
        await self.until(lambda: data in self.core.heard[peer])


@asynccontextmanager
async def place_on(use_epoll: bool, directory: Path | None = None) -> AsyncIterator[Place]:
    core = FakeCore()
    core.greeting = b""
    engine = Engine(core, MemoryJournal(), trio.current_time)
    hub = Hub(engine)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hub.run)
            nursery.start_soon(Clockwork(engine).run)
            adopt: Adopt = hub.adopt if use_epoll else Streams(engine, nursery).adopt
            seats = Seats(engine, adopt, nursery, directory)
            yield Place(core, engine, seats)
            await seats.close()
            nursery.cancel_scope.cancel()
    finally:
        engine.close()
        hub.close()


@pytest.fixture(params=[True, False], ids=["epoll", "tasks"])
async def place(request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    async with place_on(request.param, BOTS) as found:
        yield found


@pytest.mark.parametrize(
    ("code", "cause"),
    [
        ("exit 0", "exit status 0"),
        ("exit 1", "exit status 1"),
        ("kill -SEGV $$", "killed by signal 11 (SIGSEGV)"),
        ("kill -KILL $$", "killed by signal 9 (SIGKILL)"),
    ],
)
async def test_row_35_exit_is_noticed_at_once_with_its_status_and_last_words(
    place: Place, code: str, cause: str
) -> None:
    # F001: there is no clock here that could notice it instead.
    await place.start(f"exec:sh -c 'read line; echo answer; echo its last words >&2; {code}'")
    place.core.say(1, b"your turn\n")
    place.engine.answers([])
    place.engine.flush()
    before = trio.current_time()
    assert await place.lost() == (cause, "its last words\n")
    assert trio.current_time() - before < 1.0
    assert place.core.heard[1] == b"answer\n"  # what it said before it ended counts


async def test_row_35_a_grandchild_that_holds_the_pipe_hides_nothing(place: Place) -> None:
    await place.start("exec:sh -c 'sleep 1000 & echo $!; exit 3'")
    assert (await place.lost())[0] == "exit status 3"
    await gone(int(place.core.heard[1]))


async def test_row_35_a_bot_killed_from_outside_is_noticed(place: Place) -> None:
    await place.start("exec:sh -c 'echo $$; exec sleep 1000'")
    await place.heard(b"\n")
    os.kill(int(place.core.heard[1]), 9)
    assert (await place.lost())[0] == "killed by signal 9 (SIGKILL)"


@pytest.mark.parametrize(
    ("seat", "why"),
    [
        ("exec:./nosuch", "'./nosuch' was not found"),
        ("exec:nosuch-program", "'nosuch-program' was not found on PATH"),
        ("plugin:nosuch", "no plugin 'nosuch'"),
    ],
)
async def test_row_36_a_bot_that_cannot_start_is_told_in_a_sentence(
    place: Place, seat: str, why: str
) -> None:
    await place.start(seat)
    [failed] = [call[1] for call in place.core.calls if call[0] == "answer"]
    assert isinstance(failed, BotFailed)
    assert (failed.id, why in failed.why) == (1, True)
    assert not place.core.transports


async def test_row_36_a_plugin_that_cannot_be_imported_says_so_in_its_last_words(place: Place) -> None:
    # What `plugin:` starts, for a module that does not exist.
    command = f"{sys.executable} -m tyrusd.sdk.child --module no.such.module --name x"
    await place.start(f"exec:{command}")
    cause, detail = await place.lost()
    assert cause == "exit status 70"
    assert detail.strip().splitlines()[-1].startswith("tyrusd-bot: no.such.module: the import failed")


async def test_row_37_a_bot_that_ignores_its_end_is_killed_and_nothing_is_left(place: Place) -> None:
    await place.start("exec:./stubborn.sh")
    await place.heard(b"ready")
    place.ask(StopBot(1))
    before = trio.current_time()
    assert (await place.lost())[0] == "it was stopped"
    assert 1.5 < trio.current_time() - before < 4


async def test_row_37_control_an_ordinary_bot_ends_at_once(place: Place) -> None:
    await place.start("exec:sh -c 'echo ready; exec sleep 1000'")
    await place.heard(b"ready")
    place.ask(StopBot(1))
    before = trio.current_time()
    await place.lost()
    assert trio.current_time() - before < 1.5


async def test_row_37_one_hanging_bot_delays_no_other(place: Place) -> None:
    await place.start("exec:./stubborn.sh", 1)
    await place.start("exec:cat", 2)
    await place.heard(b"ready")
    place.ask(StopBot(1))
    place.core.say(2, b"first\n")
    place.engine.answers([])
    place.engine.flush()
    await place.heard(b"first\n", 2)
    assert 1 not in place.core.lost_peers()  # control: it is still being ended


async def test_after_a_goodbye_a_bot_may_end_by_itself(place: Place, tmp_path: Path) -> None:
    # Without that a bot that saves what it learned would be killed in the middle of it.
    file = tmp_path / "saved"
    await place.start(f"exec:sh -c 'trap \"exit 9\" TERM; cat >/dev/null; sleep 0.3; echo learned > {file}'")
    place.core.close(1, b"bye\n")
    place.engine.answers([])
    place.engine.flush()
    place.ask(StopBot(1))
    assert (await place.lost())[0] == "exit status 0"
    assert file.read_text() == "learned\n"


async def test_a_bot_that_closes_its_output_and_stays_is_ended(place: Place) -> None:
    await place.start("exec:sh -c 'echo $$; exec >&-; exec sleep 1000'")
    await place.heard(b"\n")
    assert (await place.lost())[0] == "it closed its output"
    await gone(int(place.core.heard[1]))


async def test_row_38_a_partial_line_at_the_end_is_handed_on_as_it_is(place: Place) -> None:
    await place.start("exec:printf 'place g1 1 S'")
    await place.lost()
    assert place.core.heard[1] == b"place g1 1 S"


async def test_row_39_a_flood_of_error_output_delays_nothing_and_is_bounded(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    # F012: a megabyte before its first reply, which would block it if nobody read.
    caplog.set_level(logging.CRITICAL)
    flood = "dd if=/dev/zero bs=1024 count=1024 2>/dev/null | tr '\\\\0' x >&2"
    await place.start(f'exec:sh -c "{flood}; echo; echo reply; echo end >&2; cat"')
    await place.heard(b"reply\n")
    place.ask(StopBot(1))
    detail = (await place.lost())[1]
    assert len(detail) == seat_room.TAIL
    assert detail.endswith("xxxend\n")


async def test_row_39_what_a_bot_prints_is_logged_under_its_name_and_escaped(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tyrusd.bots")
    await place.start("exec:sh -c 'printf \"thinking \\\\033[2J\\\\nhalf\" >&2'")
    await place.lost()
    assert caplog.messages == ["bot1: thinking \\x1b[2J"]
    assert [getattr(record, "source", None) for record in caplog.records] == ["bot bot1"]


async def test_a_bot_that_is_stopped_while_it_starts_never_appears(place: Place) -> None:
    place.ask(StartBot(1, "bot1", parse_seat("exec:sleep 1000")), StopBot(1))
    await place.until(lambda: not place.seats._seats)
    assert not place.core.transports


async def test_row_36_an_exec_bot_runs_where_tyrusd_was_started(place: Place) -> None:
    await place.start("exec:pwd")
    await place.lost()
    assert place.core.heard[1] == f"{BOTS}\n".encode()


@pytest.mark.parametrize("use_epoll", [True, False])
async def test_f009_closing_ends_all_bots_and_only_ours(use_epoll: bool) -> None:
    """AndyGrant/OpenBench#162: engines were ended by name, whoever had started them."""
    other = await trio.lowlevel.open_process(["sleep", "1000"])  # another daemon's bot of the same name
    processes = []
    async with place_on(use_epoll, BOTS) as place:
        for number in (1, 2, 3):
            await place.start("exec:sh -c 'echo $$; exec sleep 1000'", number)
            await place.heard(b"\n", number)
            processes.append(int(place.core.heard[number]))
        assert all(alive(process) for process in processes)
    assert not any(alive(process) for process in processes)
    assert other.poll() is None
    other.kill()
    await other.wait()


@pytest.mark.parametrize("use_epoll", [True, False])
async def test_cancelling_everything_leaves_nothing(use_epoll: bool) -> None:
    process = 0
    with trio.move_on_after(30) as scope:
        async with place_on(use_epoll, BOTS) as place:
            await place.start("exec:sh -c 'trap \"\" TERM; echo $$; exec sleep 1000'")
            await place.heard(b"\n")
            process = int(place.core.heard[1])
            scope.cancel()
            await trio.sleep_forever()
    assert process
    assert not alive(process)


def test_the_tail_keeps_the_last_bytes() -> None:
    tail = seat_room.Tail("bot")
    for number in range(1000):
        tail.add(b"%04d" % number * 100)
    text = tail.text()
    assert len(text) == seat_room.TAIL
    assert text.endswith("0999" * 100)
    assert tail._size < 2 * seat_room.TAIL
