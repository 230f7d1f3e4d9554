"""The hub with the pipes of programs: served like sockets, but only an exit ends them."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import pytest
import trio

from tests.host.places import Place, placed
from tyrusd.core.requests import Transport
from tyrusd.wire import Codec


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    async with placed() as found:
        yield found


class Pipes:
    """A pretended program: what it reads, and where it writes."""

    def __init__(self) -> None:
        self.reads, entry = os.pipe()
        outlet, self.writes = os.pipe()
        for descriptor in (entry, outlet):
            os.set_blocking(descriptor, False)
        self.ours = (outlet, entry)
        self.ended: list[str] = []


@pytest.fixture
def pipes() -> Pipes:
    return Pipes()


PROGRAM = Transport("pipe", Codec.LINE, "pipe", 7)


async def test_a_program_is_served_over_its_pipes(place: Place, pipes: Pipes) -> None:
    link = place.hub.adopt(*pipes.ours, PROGRAM, pipes.ended.append)
    place.engine.flush()
    assert os.read(pipes.reads, 100) == b"hi\n"
    os.write(pipes.writes, b"line\n")
    await place.until("receive", link.peer)
    place.core.say(link.peer, b"x" * 300_000)
    place.engine.answers([])
    place.engine.flush()
    got = b""
    with trio.fail_after(5):
        while len(got) < 300_005:
            await trio.lowlevel.wait_readable(pipes.reads)
            got += os.read(pipes.reads, 65536)
    assert got == b"line\n" + b"x" * 300_000
    assert place.core.transports[link.peer] == PROGRAM
    os.close(pipes.reads)
    os.close(pipes.writes)


async def test_the_end_of_a_program_s_output_is_told_and_the_peer_is_not_lost_yet(
    place: Place, pipes: Pipes
) -> None:
    link = place.hub.adopt(*pipes.ours, PROGRAM, pipes.ended.append)
    os.write(pipes.writes, b"last\n")
    os.close(pipes.writes)
    await place.until("receive", link.peer)
    with trio.fail_after(5):
        while not pipes.ended:  # noqa: ASYNC110
            await trio.sleep(0.002)
    assert pipes.ended == ["it closed its output"]
    assert place.core.lost_peers() == []
    place.core.say(link.peer, b"anyone there?\n")
    os.close(pipes.reads)
    place.engine.answers([])
    place.engine.flush()
    assert place.core.outbox[link.peer] == b""  # dropped: nobody reads it
    place.engine.lost(link.peer, "exit status 1", "tail")
    assert place.core.calls[-1] == ("lost", link.peer, "exit status 1", "tail")
    assert pipes.ended == ["it closed its output"]


async def test_a_program_that_closed_its_input_is_told_once(place: Place, pipes: Pipes) -> None:
    link = place.hub.adopt(*pipes.ours, PROGRAM, pipes.ended.append)
    os.close(pipes.reads)
    for _ in range(2):
        place.core.say(link.peer, b"hello?\n")
        place.engine.answers([])
        place.engine.flush()
    assert pipes.ended == ["it closed its input"]
    os.close(pipes.writes)


async def test_what_an_ended_program_left_in_its_pipe_is_fed_up_to_a_limit(
    place: Place, pipes: Pipes
) -> None:
    link = place.hub.adopt(*pipes.ours, PROGRAM, pipes.ended.append)
    place.core.greeting = b""
    os.write(pipes.writes, b"answer\n" * 5000)
    link.drain()
    assert place.core.heard[link.peer] == b"answer\n" * 5000
    os.close(pipes.writes)
    os.close(pipes.reads)


async def test_a_goodbye_closes_the_input_of_a_program(place: Place, pipes: Pipes) -> None:
    link = place.hub.adopt(*pipes.ours, PROGRAM, pipes.ended.append)
    place.core.close(link.peer, b"bye\n")
    place.engine.flush()
    assert os.read(pipes.reads, 100) == b"hi\nbye\n"
    assert os.read(pipes.reads, 100) == b""
    assert pipes.ended == ["the server said goodbye"]
    os.close(pipes.writes)
    os.close(pipes.reads)
