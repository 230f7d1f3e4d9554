"""The link between session and network: two tasks, one stream, one attempt after a break; virtual time."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
import trio
import trio.testing

from tests.clients.test_client_messages import GREETING, WELCOME
from tyrus_client.link import Link, UnreachableError
from tyrus_client.session import DONE, FAILED, Session
from tyrus_client.wishes import Wishes
from tyrusd.screen.texts import LANGUAGES

Side = trio.StapledStream[trio.testing.MemorySendStream, trio.testing.MemoryReceiveStream]
LOST = "The connection broke. Trying to take your seat again, for 5:00 at most; Ctrl-C"
HELLO = "hello 0.1 ann human agent=tyrus/0.1.0 want=events,full"


class Server:
    """The other end of one connection."""

    def __init__(self, stream: Side) -> None:
        self.stream = stream
        self._kept = b""

    async def say(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def line(self) -> str:
        """The next line the client sends, `` at the end."""
        while b"\n" not in self._kept:
            data = await self.stream.receive_some()
            if not data:
                return ""
            self._kept += data
        line, self._kept = self._kept.split(b"\n", 1)
        return line.decode()

    async def close(self) -> None:
        await self.stream.aclose()


class Stage:
    """A client that runs, its connections as they are dialled, and the keyboard of the person."""

    def __init__(self, nursery: trio.Nursery, failures: Iterable[int] = ()) -> None:
        self.shown: list[str] = []
        self.status: int | None = None
        self.over = trio.Event()
        self.unreachable: UnreachableError | None = None
        self.dialled = 0
        self._failures = set(failures)
        self._typed, self._read = trio.open_memory_channel[str | None](10)
        self._offer, self._servers = trio.open_memory_channel[Server](10)
        nursery.start_soon(self._run)

    async def _run(self) -> None:
        session = Session(Wishes("here", "ann", None, None), LANGUAGES["en"])
        link = Link(session, self._dial, self, self.shown.extend)
        try:
            self.status = await link.run()
        except UnreachableError as error:
            self.unreachable = error
        self.over.set()

    async def _dial(self) -> trio.abc.Stream:
        self.dialled += 1
        await trio.lowlevel.checkpoint()
        if self.dialled in self._failures:
            raise UnreachableError("nobody there")
        near, far = trio.testing.memory_stream_pair()
        self._offer.send_nowait(Server(far))
        return near

    async def read_line(self) -> str | None:
        return await self._read.receive()

    def type(self, line: str | None) -> None:
        self._typed.send_nowait(line)

    async def server(self) -> Server:
        return await self._servers.receive()

    async def greeted(self) -> Server:
        """The server of the next connection, once its client is welcome."""
        server = await self.server()
        await server.say(GREETING)
        assert await server.line() == HELLO
        await server.say(WELCOME)
        return server


async def test_quit_is_said_and_the_goodbye_waited_for(nursery: trio.Nursery) -> None:
    stage = Stage(nursery)
    server = await stage.greeted()
    stage.type("who")
    assert await server.line() == "who"
    await server.say(b"player ann human free\nok re=who count=1\n")
    stage.type("quit")
    assert await server.line() == "quit"
    await server.say(b"bye bye :Good-bye.\n")
    await stage.over.wait()
    assert stage.status == DONE
    assert stage.shown[-2:] == ["  ann (person, free)", "Goodbye."]
    assert await server.line() == "", "the connection is closed"


async def test_f025_the_client_ends_lines_as_the_server_does(nursery: trio.Nursery) -> None:
    """emersion/go-smtp#243: two ends disagreed on what ends a line, and a second one was smuggled in."""
    stage = Stage(nursery)
    server = await stage.greeted()
    await server.say(b"notice fire :one\r\nnotice fire :two\n")
    await server.say(b"notice fire :three\rbye bye :smuggled\n")
    await server.say(b"notice fire :four\r\r\nnotice fire :five\n")
    stage.type("who")
    assert await server.line() == "who"  # it is still here
    told = [line.removeprefix("The server says: ") for line in stage.shown]
    assert told[-3:] == ["one", "two", "five"]
    stage.type("quit")
    assert await server.line() == "quit"
    await server.say(b"bye bye :x\n")
    await stage.over.wait()


async def test_a_server_that_says_no_goodbye_is_left(nursery: trio.Nursery, autojump_clock: object) -> None:
    stage = Stage(nursery)
    server = await stage.greeted()
    stage.type(None)
    assert await server.line() == "quit"
    began = trio.current_time()
    await stage.over.wait()
    assert stage.status == DONE
    assert 4.9 < trio.current_time() - began < 5.1


async def test_input_that_ends_at_once_still_gets_its_answers(nursery: trio.Nursery) -> None:
    stage = Stage(nursery)
    stage.type("games")
    stage.type(None)
    server = await stage.greeted()
    assert await server.line() == "games"
    assert await server.line() == "quit"
    await server.say(b"ok re=games count=0\nbye bye :x\n")
    await stage.over.wait()
    assert stage.status == DONE
    assert stage.shown[-2:] == ["No game is running.", "Goodbye."]


async def test_a_broken_connection_is_resumed_and_again_after_a_pause(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    stage = Stage(nursery)
    server = await stage.greeted()
    await server.close()
    second = await stage.server()
    await second.say(GREETING)
    assert await second.line() == "resume s3cr3t"
    stage.type("who")  # not before the welcome
    await second.say(WELCOME.replace(b"s3cr3t", b"n3w"))
    assert await second.line() == "who"
    assert LOST in stage.shown and stage.shown[-1] == "You are back."
    began = trio.current_time()
    await second.close()
    third = await stage.server()
    assert 0.9 < trio.current_time() - began < 1.1, "what breaks again so soon is not hammered at"
    assert stage.shown[-1] == "No way in yet. The next attempt is in 1 s."
    await third.say(GREETING)
    assert await third.line() == "resume n3w"
    assert "s3cr3t" not in " ".join(stage.shown)


async def test_a_later_break_is_resumed_with_the_newest_secret(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    stage = Stage(nursery)
    await (await stage.greeted()).close()
    second = await stage.server()
    await second.say(GREETING)
    assert await second.line() == "resume s3cr3t"
    await second.say(WELCOME.replace(b"s3cr3t", b"n3w"))
    await trio.sleep(60)
    await second.close()
    third = await stage.server()
    await third.say(GREETING)
    assert await third.line() == "resume n3w"


async def test_a_refused_resume_ends_the_client(nursery: trio.Nursery) -> None:
    stage = Stage(nursery)
    await (await stage.greeted()).close()
    second = await stage.server()
    await second.say(GREETING)
    assert await second.line() == "resume s3cr3t"
    await second.say(b"error auth retry re=resume :no\n")
    await stage.over.wait()
    assert stage.status == FAILED
    assert stage.shown[-1] == "The server no longer keeps your seat."


async def test_a_server_that_is_gone_for_good_is_told(nursery: trio.Nursery, autojump_clock: object) -> None:
    stage = Stage(nursery, failures=range(2, 1000))
    await (await stage.greeted()).close()
    began = trio.current_time()
    await stage.over.wait()
    assert stage.status == FAILED
    assert 280 < trio.current_time() - began <= 300
    assert 30 < stage.dialled < 40
    assert "The next attempt is in 8 s." in " ".join(stage.shown)
    assert len([line for line in stage.shown if "From now on an attempt every 10 s" in line]) == 1
    assert stage.shown[-1] == "The server was not found again. Your seat is lost; start tyrus again to play."


async def test_a_server_that_is_started_again_is_found(nursery: trio.Nursery, autojump_clock: object) -> None:
    stage = Stage(nursery, failures=range(2, 20))
    await (await stage.greeted()).close()
    second = await stage.server()
    assert "No way in yet (nobody there). The next attempt is in 1 s." in stage.shown
    await second.say(GREETING)
    assert await second.line() == "resume s3cr3t"
    stage.type("who")  # said after the welcome
    await second.say(WELCOME)
    assert await second.line() == "who"
    stage.type("quit")
    assert await second.line() == "quit"
    await second.say(b"bye bye :x\n")
    await stage.over.wait()
    assert stage.status == DONE


async def test_who_has_enough_of_waiting_leaves(nursery: trio.Nursery, autojump_clock: object) -> None:
    stage = Stage(nursery, failures=range(2, 1000))
    await (await stage.greeted()).close()
    await trio.sleep(20)
    stage.type("quit")
    await stage.over.wait()
    assert trio.current_time() < 21
    assert stage.status == DONE


async def test_a_connection_that_brings_nothing_is_left_for_another(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    stage = Stage(nursery)
    await (await stage.greeted()).close()
    silent = await stage.server()
    full = await stage.server()
    assert await silent.line() == "", "ten seconds without a greeting are enough"
    await full.say(b"bye busy :The server is full.\n")
    closing = await stage.server()
    await closing.say(GREETING)
    assert await closing.line() == "resume s3cr3t"
    await closing.say(b"error storage retry re=resume :Not now.\n")
    assert await closing.line() == "", "the client does not wait for the server to close"
    last = await stage.server()
    assert "(Not now.)" in " ".join(stage.shown) and "(The server is full.)" in " ".join(stage.shown)
    await last.say(GREETING)
    assert await last.line() == "resume s3cr3t"


async def test_a_server_that_cannot_be_reached_is_an_error_of_its_own(nursery: trio.Nursery) -> None:
    stage = Stage(nursery, failures=[1])
    await stage.over.wait()
    assert stage.unreachable is not None
    assert stage.shown == []


async def test_silence_instead_of_a_greeting_is_not_waited_for(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    stage = Stage(nursery)
    await stage.server()
    await stage.over.wait()
    assert 9.9 < trio.current_time() < 10.1
    assert stage.status == FAILED
    assert stage.shown == ["What answers at here does not speak the Tyrus protocol."]


async def test_a_line_without_end_is_a_broken_connection(nursery: trio.Nursery) -> None:
    stage = Stage(nursery)
    server = await stage.greeted()
    await server.say(b"x" * 5000)
    second = await stage.server()
    await second.say(GREETING)
    assert await second.line() == "resume s3cr3t"


@pytest.mark.parametrize("size", [1, 7, 64])
async def test_lines_may_come_in_pieces(nursery: trio.Nursery, size: int) -> None:
    stage = Stage(nursery)
    server = await stage.greeted()
    data = b"away g1 B 60000\r\nback g1 B\nbye bye :x\n"
    for start in range(0, len(data), size):
        await server.say(data[start : start + size])
    await stage.over.wait()
    assert stage.shown[-3:] == [
        "Brown has lost the connection; the seat is kept for 1:00.",
        "Brown is back.",
        "Goodbye.",
    ]
