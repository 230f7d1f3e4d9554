"""A worker's end of the link when the other side does not read, or is gone: bounded, and never a hang."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

import pytest
import trio
import trio.testing

from tyrusd.host.ladder import link, wires
from tyrusd.host.ladder.wires import Ending, Wires

LONG = link.Log("p1-1", b"x" * 100_000)


class Pipes:
    """A worker's link, and the coordinator's ends of it."""

    def __init__(self) -> None:
        entry, self.say = os.pipe()
        self.hear, outlet = os.pipe()
        self.wires = Wires(entry, outlet)
        self._open = {entry, self.say, self.hear, outlet}

    def close(self, *descriptors: int) -> None:
        for descriptor in descriptors or tuple(self._open):
            self._open.discard(descriptor)
            with suppress(OSError):
                os.close(descriptor)

    async def read(self, count: int) -> list[link.ToCoordinator]:
        frames, found = link.Frames(), list[link.ToCoordinator]()
        while len(found) < count:
            await trio.lowlevel.wait_readable(self.hear)
            found += map(link.read_by_coordinator, frames.feed(os.read(self.hear, 65536)))
        return found


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    found = Pipes()
    yield found
    found.close()


async def test_what_the_pipe_does_not_take_waits_and_comes_whole(pipes: Pipes) -> None:
    said: list[link.ToCoordinator] = [LONG, link.Alive(1), LONG, link.Bye()]
    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pipes.wires.run)
            for message in said:
                pipes.wires.send(message)
            await trio.testing.wait_all_tasks_blocked()  # the pipe is full
            assert await pipes.read(len(said)) == said
            nursery.cancel_scope.cancel()


async def test_a_coordinator_that_does_not_read_loses_logs_and_then_its_worker(
    pipes: Pipes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wires, "MUCH", 150_000)
    monkeypatch.setattr(wires, "TOO_MUCH", 300_000)
    for _ in range(10):
        pipes.wires.send(LONG)
    waiting = len(pipes.wires._unsent)
    assert 150_000 < waiting < 250_000  # only two of them
    while waiting <= 300_000:
        pipes.wires.send(link.Told("x" * 4000))
        waiting += 4000
    with trio.fail_after(10), pytest.raises(link.LinkError, match="the coordinator does not read"):
        await pipes.wires.run()


async def test_a_coordinator_that_is_gone_is_the_end(pipes: Pipes) -> None:
    pipes.close(pipes.hear)
    pipes.wires.send(link.Bye())
    with trio.fail_after(10), pytest.raises(Ending):
        await pipes.wires.run()
    os.write(pipes.say, link.framed(link.Ask(1)) + link.framed(link.Ask(2)) + b"\0\0\0\x09half")
    pipes.close(pipes.say)
    with trio.fail_after(10):
        assert await pipes.wires.heard() == [link.Ask(1), link.Ask(2)]
        with pytest.raises(Ending):
            await pipes.wires.heard()
