"""Runs bots whose `choose` is async: every decision is a task of its own under trio, in the bot's process."""

from __future__ import annotations

from collections.abc import Sequence

import trio

from tyrusd.sdk.brains import Asked, Brain
from tyrusd.sdk.request import Placement
from tyrusd.sdk.streams import Stream
from tyrusd.sdk.talk import Talk


def serve(talk: Talk, brain: Brain, stream: Stream) -> None:
    """Play until the server or its stream ends; raises what the bot raises."""
    failures: list[BaseException] = []
    trio.run(_Serving(talk, brain, stream, failures).run)
    if failures:
        raise failures[0]


def choose_all(brain: Brain, asked: Sequence[Asked]) -> list[Placement]:
    """Ask for several decisions at once, outside of any connection."""
    placements: list[Placement | None] = [None] * len(asked)
    failures: list[BaseException] = []

    async def decide(at: int, one: Asked, everything: trio.CancelScope) -> None:
        try:
            placements[at] = await brain.choose_one(one)
        except (Exception, SystemExit) as error:
            failures.append(error)
            everything.cancel()

    async def decide_all() -> None:
        async with trio.open_nursery() as nursery:
            for at, one in enumerate(asked):
                nursery.start_soon(decide, at, one, nursery.cancel_scope)

    trio.run(decide_all)
    if failures:
        raise failures[0]
    return [placement for placement in placements if placement is not None]


class _Serving:
    """One connection: a task reads, and one for each decision answers."""

    def __init__(self, talk: Talk, brain: Brain, stream: Stream, failures: list[BaseException]) -> None:
        self._talk = talk
        self._brain = brain
        self._stream = stream
        self._failures = failures
        self._decisions: dict[str, trio.CancelScope] = {}

    async def run(self) -> None:
        """Play until the server or its stream ends."""
        async with trio.open_nursery() as nursery:
            try:
                await self._read(nursery)
            except Exception as error:  # the bot's or the server's: told apart by whoever called
                self._failures.append(error)
            nursery.cancel_scope.cancel()

    async def _read(self, nursery: trio.Nursery) -> None:
        talk = self._talk
        while not talk.finished:
            # A thread reads any kind of stream on any platform; it may stay behind when we leave.
            data = await trio.to_thread.run_sync(self._stream.read, abandon_on_cancel=True)
            if not data:
                return
            talk.receive(data)
            for game in [game for game in self._decisions if not talk.runs(game)]:
                self._decisions.pop(game).cancel()
            for asked in talk.due():
                if asked.game in self._decisions:
                    self._decisions[asked.game].cancel()
                scope = self._decisions[asked.game] = trio.CancelScope()
                nursery.start_soon(self._decide, asked, scope, nursery.cancel_scope)
            if not self._write():
                return

    async def _decide(self, asked: Asked, scope: trio.CancelScope, everything: trio.CancelScope) -> None:
        with scope:
            try:
                placement = await self._brain.choose_one(asked)
            except (Exception, SystemExit) as error:
                self._failures.append(error)
                everything.cancel()
                return
            if self._decisions.get(asked.game) is scope:
                del self._decisions[asked.game]
                self._talk.answer(asked, placement)
                if not self._write():
                    everything.cancel()

    def _write(self) -> bool:
        data = self._talk.output()
        try:
            if data:
                self._stream.write(data)
        except BrokenPipeError:
            return False
        return True
