"""A disk that keeps nothing any more: everyone gets a goodbye, and nobody is told what was not kept."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence

import pytest
import trio

from tests.core.stage import Stage, begin
from tyrusd.core.lobby import Lobby
from tyrusd.core.server import Server
from tyrusd.host.addresses import open_listeners
from tyrusd.host.assembly import Assembly
from tyrusd.host.journal import MemoryJournal
from tyrusd.host.storekeeper import StorageLost
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

SENTENCE = "The disk is gone."


class Disk(MemoryJournal):
    """Keeps what it gets until it is told to fail."""

    durable = True

    def __init__(self) -> None:
        self.full = False
        self.broken = False

    def append(self, frames: Sequence[bytes]) -> None:
        if self.full:
            raise OSError(errno.ENOSPC, "full")

    def sync(self) -> None:
        if self.broken:
            raise OSError(errno.EIO, "broken")


class Client:
    """One connection over a real socket, line by line."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self.read = b""

    async def say(self, line: str) -> None:
        await self.stream.send_all(f"{line}\n".encode())

    async def until(self, first: str) -> str:
        while True:
            while b"\n" in self.read:
                line, self.read = self.read.split(b"\n", 1)
                if line.decode().split(" ", 1)[0] == first:
                    return line.decode()
            data = await self.stream.receive_some()
            assert data, f"the connection ended before {first}"
            self.read += data

    async def rest(self) -> list[str]:
        async for data in self.stream:
            self.read += data
        await self.stream.aclose()
        return self.read.decode().splitlines()


async def _join(address: tuple[str, int], name: str) -> Client:
    client = Client(await trio.open_tcp_stream(*address))
    await client.until("greeting")
    await client.say(f"hello 0.1 {name} human")
    await client.until("welcome")
    return client


@pytest.mark.parametrize("use_epoll", [True, False])
@pytest.mark.parametrize("trouble", ["sync", "full"])
async def test_row_49_when_storage_is_lost_nobody_is_dropped_silently(
    trouble: str, use_epoll: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tyrusd.host.clockwork.GIVE_UP", 0.05)
    monkeypatch.setattr("tyrusd.host.clockwork.RETRY", 0.02)
    disk, lobby = Disk(), Lobby({})
    server = Server(lobby, os.urandom, trio.current_time(), 0.0)
    listeners = open_listeners(["127.0.0.1"], 0)
    address = listeners[0].getsockname()[:2]
    assembly = Assembly(server, disk, listeners, grace=0.0, use_epoll=use_epoll)

    async def play() -> None:
        ada, bob, eve = [await _join(address, name) for name in ("ada", "bob", "eve")]
        await ada.say("seek clock=none")
        await ada.until("ok")
        await bob.say("seek clock=none")
        starts = {await client.until("start"): client for client in (ada, bob)}
        [mover] = [starts[start] for start in starts if start.split()[2] == start.split("opener=")[1]]
        asked = await mover.until("choose")
        if trouble == "sync":
            disk.broken = True
            await ada.say("resign g1")
        else:
            disk.full = True
            await eve.say("seek")  # nothing of this is in the journal
            await eve.until("ok")
            await mover.say(f"place g1 1 {asked.split('hand=')[1].split(',')[0]} IC")
        for client in (ada, bob, eve):
            *before, last = await client.rest()
            assert last.startswith("bye shutdown :The server cannot keep"), (before, last)
            assert not any(line.startswith(("over ", "choose g1 2 ")) for line in before)

    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play)
            with pytest.RaisesGroup(StorageLost, flatten_subgroups=True):
                await assembly.run()


def test_row_49_what_was_not_given_to_a_stream_is_not_told_any_more() -> None:
    stage = Stage()
    mover, other, game = begin(stage, extra="want=events,full")
    stage.deaf |= {mover.number, other.number}
    mover.say(f"look {game}")
    server = stage.server
    given = server.output(mover.number)
    assert given.endswith(b"\n") and server.output(mover.number) == given
    server.sent(mover.number, 10, stage.now)  # its stream has taken a part of a line
    mover.say(f"resign {game}")
    assert b"\nover " in server.sessions[mover.number].outbox
    server.part(SENTENCE)
    goodbye = f"bye shutdown :{SENTENCE}\n".encode()
    assert server.output(mover.number) == given[10:] + goodbye
    assert server.output(other.number) == goodbye
    assert server.closing(mover.number) and server.closing(other.number)


def test_row_49_a_long_output_is_given_in_whole_lines() -> None:
    stage = Stage()
    peer = stage.join("ada", "bot", "games=256")
    stage.deaf.add(peer.number)
    for _ in range(120):
        peer.send_bytes(b"help\n")
    server = stage.server
    assert len(server.sessions[peer.number].outbox) > 64 * 1024
    given = server.output(peer.number)
    assert 60 * 1024 < len(given) <= 64 * 1024 and given.endswith(b"\n")
    server.sent(peer.number, len(given), stage.now)
    server.part(SENTENCE)
    assert server.output(peer.number) == f"bye shutdown :{SENTENCE}\n".encode()


def test_a_goodbye_is_never_put_into_a_frame_that_was_given_in_part() -> None:
    stage = Stage()
    peer = stage.connect(codec=Codec.FRAME)
    peer.send(wire.Hello("0.1", "ada", "bot", games=256))
    stage.deaf.add(peer.number)
    for _ in range(120):
        peer.send(wire.Help())
    server = stage.server
    given = server.output(peer.number)
    assert len(given) == 64 * 1024
    server.sent(peer.number, 100, stage.now)
    server.part(SENTENCE)
    assert server.output(peer.number) == given[100:] and server.closing(peer.number)


def test_who_was_told_goodbye_before_gets_no_second_one() -> None:
    stage = Stage()
    peer = stage.join("ada")
    stage.deaf.add(peer.number)
    peer.say("quit")
    given = stage.server.output(peer.number)
    stage.server.part(SENTENCE)
    assert stage.server.output(peer.number) == given and given.startswith(b"bye bye ")
