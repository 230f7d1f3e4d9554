"""All that is asked of Dask: who plays, one task for one of them, what it returned, and to forget it."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Collection
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import trio

from tyrusd.host.ladder import cluster_task

CONNECTING: Final = 15.0  # seconds until a scheduler that says nothing is given up
ANSWERING: Final = 30.0  # seconds for a scheduler or a worker to answer a question
_LONGEST_WORDS: Final = 300

Answers: TypeAlias = dict[str, bytes | str]
"""By address: what was returned, or words of what went wrong."""

_Client: TypeAlias = Any  # Dask's calls have no types that could be checked
_Future: TypeAlias = Any
_Answer = TypeVar("_Answer")


class NoCluster(Exception):  # noqa: N818 -- it is not the program's error
    """The scheduler cannot be reached, or is not there any more; the text is a sentence."""


class Machine(NamedTuple):
    """One Dask worker process: where it listens, on what host, and how many tasks it runs at a time."""

    address: str
    host: str
    slots: int


class Returned(NamedTuple):
    """The end of one task: what its function returned, or why there is nothing.

    deadly: every worker that had the task died.
    """

    key: str
    data: bytes | None
    why: str = ""
    deadly: bool = False


class ClusterClient:
    """A connection to one Dask scheduler; `finished` is called, under trio, with the key of each ended task.

    All that may block runs in threads of its own, so that no other slow thread delays it.
    """

    def __init__(self, address: str, finished: Callable[[str], None]) -> None:
        self.address = address
        self._finished = finished
        self._client: _Client | None = None
        self._futures: dict[str, _Future] = {}
        self._threads = trio.CapacityLimiter(8)
        self._token: trio.lowlevel.TrioToken | None = None

    async def connect(self) -> None:
        """Connect; raises NoCluster when the scheduler cannot be reached."""
        self._token = trio.lowlevel.current_trio_token()

        def connected() -> _Client:
            from distributed import Client

            # What is lost or fails is told in our words; each part of Dask has a level of its own.
            for name in list(logging.root.manager.loggerDict):
                if name.partition(".")[0] == "distributed":
                    logging.getLogger(name).setLevel(logging.CRITICAL)
            make: Any = Client
            return make(
                self.address, asynchronous=False, set_as_default=False, timeout=CONNECTING, name="tyrusd"
            )

        try:
            self._client = await trio.to_thread.run_sync(connected, limiter=self._threads)
        except (OSError, ValueError, TypeError, ImportError, RuntimeError) as error:
            raise NoCluster(
                f"the Dask scheduler {self.address} cannot be reached ({_words(error)}): "
                "is it running, and is this its address?"
            ) from error

    async def machines(self) -> list[Machine]:
        """The workers that the scheduler knows now; raises NoCluster when it does not answer."""
        client = self._connected()
        info = await self._answered(lambda: client.scheduler_info(n_workers=-1))
        workers: dict[str, Any] | None = info.get("workers")
        if workers is None:  # so a client answers that has lost its scheduler
            raise NoCluster(f"the Dask scheduler {self.address} is gone")
        return [
            Machine(str(address), str(worker["host"]), int(worker["nthreads"]))
            for address, worker in workers.items()
        ]

    async def ask(
        self, function: Callable[..., object], addresses: Collection[str], *words: bytes
    ) -> Answers:
        """Call a function on workers at once, beside their tasks; raises NoCluster as machines()."""
        client = self._connected()
        wanted = list(addresses)
        found = await self._answered(lambda: client.run(function, *words, workers=wanted, on_error="return"))
        return {
            address: answer if isinstance(answer, bytes) else _words(answer)
            for address, answer in found.items()
        }

    def submit(self, key: str, address: str, *words: bytes) -> None:
        """Hand a task to one worker; `finished` will be called with its key."""
        token, finished = self._token, self._finished

        def ended(_: _Future) -> None:
            with contextlib.suppress(trio.RunFinishedError):
                if token is not None:
                    token.run_sync_soon(finished, key)

        # Bytes in and bytes out: Dask pickles only the name of the function.
        try:
            future = self._connected().submit(
                cluster_task.play, *words, key=key, workers=[address], pure=False, retries=0
            )
        except _gone() as error:
            raise NoCluster(f"the Dask scheduler {self.address} is gone ({_words(error)})") from error
        self._futures[key] = future
        future.add_done_callback(ended)

    async def fetch(
        self, keys: Collection[str], read: Callable[[Returned], _Answer]
    ) -> list[tuple[Returned, _Answer]]:
        """Fetch what ended tasks returned, have it read in the same thread, and forget those tasks.

        Keys that are not known are left out. Raises NoCluster, and the tasks are forgotten then as well.
        """
        futures = {key: self._futures[key] for key in keys if key in self._futures}
        client = self._connected()

        def fetched() -> list[tuple[Returned, _Answer]]:
            whole = {key: future for key, future in futures.items() if future.status == "finished"}
            # One worker may have died with what it had: its task is then dropped, which ends this wait.
            data = client.gather(whole, errors="skip") if whole else {}
            found = [_returned(key, future, data.get(key)) for key, future in futures.items()]
            return [(one, read(one)) for one in found]

        try:
            # It may wait for a machine that is gone, and must not keep the end of a run waiting.
            return await trio.to_thread.run_sync(fetched, limiter=self._threads, abandon_on_cancel=True)
        except _gone() as error:
            raise NoCluster(f"the Dask scheduler {self.address} is gone ({_words(error)})") from error
        finally:
            for key in futures:
                self._futures.pop(key, None)

    def drop(self, keys: Collection[str]) -> None:
        """Forget tasks; one that is already being played goes on, unless its worker is told otherwise."""
        futures = [self._futures.pop(key) for key in keys if key in self._futures]
        client = self._client
        if futures and client is not None and client.status in ("running", "connecting"):
            with contextlib.suppress(*_gone()):
                client.cancel(futures, force=True, reason="tyrusd", msg="not wanted any more")

    async def close(self) -> None:
        """Leave the scheduler; whatever is still there of ours is forgotten by it."""
        client, self._client = self._client, None
        if client is None:
            return
        self._futures.clear()
        with trio.move_on_after(ANSWERING, shield=True):
            await trio.to_thread.run_sync(client.close, limiter=self._threads, abandon_on_cancel=True)

    def _connected(self) -> _Client:
        if self._client is None or self._client.status == "closed":
            raise NoCluster(f"the Dask scheduler {self.address} is gone")
        return self._client

    async def _answered(self, question: Callable[[], _Answer]) -> _Answer:
        with trio.move_on_after(ANSWERING):
            try:
                return await trio.to_thread.run_sync(question, limiter=self._threads, abandon_on_cancel=True)
            except _gone() as error:
                raise NoCluster(f"the Dask scheduler {self.address} is gone ({_words(error)})") from error
        raise NoCluster(f"the Dask scheduler {self.address} has not answered for {ANSWERING:g} s")


def _gone() -> tuple[type[Exception], ...]:
    """What Dask raises where there is no scheduler any more."""
    from distributed.client import ClosedClientError

    return (ClosedClientError, OSError, RuntimeError, AttributeError)


def _returned(key: str, future: _Future, data: object) -> Returned:
    if isinstance(data, bytes):
        return Returned(key, data)
    if future.status == "error":
        from distributed.scheduler import KilledWorker

        error = future.exception(timeout=ANSWERING)  # it is there already
        if isinstance(error, KilledWorker):
            return Returned(key, None, "every worker that had it died", deadly=True)
        return Returned(key, None, _words(error))
    if future.status == "finished" and data is not None:
        return Returned(key, None, f"it returned {type(data).__name__}, not bytes")
    return Returned(key, None, "its worker was lost")


def _words(error: object) -> str:
    """What somebody else's error says, on one line of bounded length."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return "".join(sign if sign.isprintable() else "?" for sign in text[:_LONGEST_WORDS])
