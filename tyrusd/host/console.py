"""The socket in the data directory by which `tyrusd admin` asks and changes a running server."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import trio

from tyrusd.core import operator_words as words
from tyrusd.core.onlooker import Onlooker
from tyrusd.core.operator import Operator, OperatorError
from tyrusd.host.ban_file import BanFile
from tyrusd.host.engine import Engine
from tyrusd.host.local_socket import LONGEST, PATIENCE, Door, open_door, send_line, serve_open_door
from tyrusd.host.met import met

DOOR: Final = Door(
    "console.sock",
    "tyrusd.console",
    "the server on {}",
    "no server runs on {} now: `tyrusd serve` starts one, and --data says which is meant",
)
WATCHES: Final = 8  # at once: the other callers stay free for other words
BEHIND: Final = 256  # steps of a game that wait for a reader
_TELLING: Final = (words.Who, words.Games, words.Status, words.Bans, words.Watch)

_log = logging.getLogger("tyrusd.console")


class Console:
    """Works beside a server; what the operator changes is logged.

    drain: begins what SIGTERM does; reload: does what SIGHUP does, False if some of it is bad; waiting: what
    was changed, but is used only after a restart. All are set by who has them.
    """

    def __init__(self, data: Path, operator: Operator, bans: BanFile) -> None:
        self._data = data
        self._operator = operator
        self._bans = bans
        self.drain: Callable[[], object] = lambda: None
        self.reload: Callable[[], bool] = lambda: True
        self.waiting: Callable[[], Iterable[str]] = tuple
        self._watches = 0
        self._began = trio.current_time()
        self._keeping = trio.Lock()
        self._writer = trio.CapacityLimiter(1)  # one that hangs has it until it is done: never two at once
        self._engine: Engine
        self._listener: socket.socket | None = None

    def attach(self, engine: Engine) -> None:
        """Learn the engine, and let callers wait; a server that cannot be asked serves all the same."""
        self._engine = engine
        try:
            self._listener = open_door(self._data, DOOR)
        except OSError as error:
            _log.warning("`tyrusd admin` cannot reach this server: %s", error.strerror)

    async def run(self) -> None:
        """Answer until cancelled."""
        if self._listener is not None:
            await serve_open_door(self._listener, self._data, DOOR, self._converse)

    async def _converse(self, line: bytes, stream: trio.SocketStream) -> None:
        try:
            if len(line) > LONGEST:
                raise OperatorError(f"a request has at most {LONGEST} bytes")
            word = words.read_word(line)
            if not isinstance(word, _TELLING):
                _log.info("the operator says: %s", line.decode("utf-8"), extra={"source": "console"})
            if isinstance(word, words.Watch):
                await self._watch(word.game, stream)
                return
            answer = {"ok": await self._do(word)}
        except (OperatorError, ValueError) as refusal:
            answer = {"error": str(refusal)}
        except Exception:
            _log.exception("the console failed at a request")
            answer = {"error": "the server failed at this; its log says more"}
        await send_line(stream, answer)
        if "ok" in answer and isinstance(word, words.Drain):
            self.drain()  # only now: a server without games is gone at once

    async def _do(self, word: words.Word) -> Any:
        match word:
            case words.Drain():
                status = self._carried_out(words.Status())
                if status["closing"]:
                    raise OperatorError("it is closing already; a second SIGTERM ends it at once")
                return {"closing": True, "games": status["games"]}
            case words.Reload():
                if not self.reload():
                    raise OperatorError("some of it is bad and stays as it was; the log says what")
                waiting = list(self.waiting())
                return {"reloaded": True, "needs_restart": waiting} if waiting else {"reloaded": True}
            case words.Status():
                up = int(trio.current_time() - self._began)
                return {"pid": os.getpid(), "up": up, **self._carried_out(word)}
        told = self._carried_out(word)
        if self._operator.bans_changed:
            told["kept"] = await self._keep_bans()
        return told

    def _carried_out(self, word: words.Word) -> dict[str, Any]:
        told: dict[str, Any] = {}
        self._engine.act(lambda now: told.update(self._operator.do(word, now)))
        return told

    async def _keep_bans(self) -> bool:
        """Make the bans durable before the operator hears of them; whether that worked."""
        async with self._keeping:
            self._operator.bans_changed = False
            bans = self._operator.bans()
            try:
                with trio.fail_after(PATIENCE):
                    await trio.to_thread.run_sync(
                        self._bans.save, bans, limiter=self._writer, abandon_on_cancel=True
                    )
            except (OSError, trio.TooSlowError) as error:
                self._operator.bans_changed = True
                why = f"not within {PATIENCE:g} s" if isinstance(error, trio.TooSlowError) else error.strerror
                _log.error("bans hold only until the server ends: %s: %s", self._bans.path, why)
                return False
        return True

    # -- watching ------------------------------------------------------------------------------------------

    async def _watch(self, game: str, stream: trio.SocketStream) -> None:
        if self._watches >= WATCHES:
            met("console_watches")
            raise OperatorError(f"{WATCHES} games are watched here already: end one of those first")
        lines_in, lines = trio.open_memory_channel[bytes](BEHIND)
        slow = False

        def take(data: bytes) -> None:
            nonlocal slow
            try:
                lines_in.send_nowait(data)
            except trio.WouldBlock:  # nobody's game waits for a reader
                if not slow:
                    met("console_behind")
                slow = True

        onlooker = self._operator.watch(game, take)
        self._watches += 1
        try:
            await send_line(stream, {"ok": {"game": game}})
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_until_gone, stream, nursery.cancel_scope)
                while not slow and await self._passed_on(lines, stream) and not _told_all(onlooker, lines):
                    pass
                nursery.cancel_scope.cancel()
            if slow:
                await send_line(stream, {"error": f"{game} went on faster than it was read"})
        finally:
            onlooker.leave()
            self._watches -= 1

    async def _passed_on(self, lines: trio.MemoryReceiveChannel[bytes], stream: trio.SocketStream) -> bool:
        """Pass one step on; False if its reader does not take it."""
        data = await lines.receive()
        await self._engine.flowing()  # what is not in the journal is not told
        for line in data.decode("ascii").splitlines():
            if not await send_line(stream, {"line": line}):
                return False
        return True


def _told_all(onlooker: Onlooker, lines: trio.MemoryReceiveChannel[bytes]) -> bool:
    return onlooker.over and not lines.statistics().current_buffer_used


async def _until_gone(stream: trio.SocketStream, scope: trio.CancelScope) -> None:
    with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        while await stream.receive_some(64):
            pass
    scope.cancel()
