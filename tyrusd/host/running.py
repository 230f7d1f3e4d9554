"""Runs an asynchronous main to its end; of the trouble that comes out of its tasks one exception is left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from tyrusd.host.journal import JournalError
from tyrusd.host.store_file import StoreError
from tyrusd.host.storekeeper import StorageLost

_Result = TypeVar("_Result")


class TroubleError(Exception):
    """The server could not start or go on; the text is a sentence for whoever runs it."""


def run_to_end(main: Callable[[], Awaitable[_Result]]) -> _Result:
    """Run main under trio; raises TroubleError for trouble with storage, KeyboardInterrupt for Ctrl-C."""
    results: list[_Result] = []

    async def collected() -> None:
        results.append(await main())

    told: BaseException | None = None
    try:
        trio.run(collected)
    except* (JournalError, StorageLost, StoreError) as group:
        told = TroubleError(str(first_of(group)))
    except* KeyboardInterrupt:
        told = KeyboardInterrupt()
    if told is not None:
        raise told
    return results[0]


def first_of(group: BaseException) -> BaseException:
    """The first exception in a group, at any depth."""
    while isinstance(group, BaseExceptionGroup):
        group = group.exceptions[0]
    return group
