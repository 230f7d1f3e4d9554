"""Loads every installed plugin in a contained process of its own and tells which can be used."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import trio

from tyrusd.core.seatspec import SeatSpec
from tyrusd.host import children
from tyrusd.host.logs import escaped
from tyrusd.host.plugins import Listing, Plugin
from tyrusd.host.programs import Program, child_command, plugin_environment, plugin_of

LIMIT: Final = 10.0  # seconds that one plugin has
AT_ONCE: Final = 4
ANSWER: Final = 512 * 1024  # bytes of the answer that are read


class Checked(NamedTuple):
    """One plugin and whether it works; seat is how a command names it."""

    name: str
    seat: str
    distribution: str
    version: str
    ok: bool
    summary: str
    reason: str
    options: list[dict[str, Any]]  # as the plugin declares them, with the texts made safe to print


class Verdict(NamedTuple):
    """Whether a plugin can be used, what it says of itself and its options, and otherwise why not."""

    ok: bool
    summary: str = ""
    reason: str = ""
    options: list[dict[str, Any]] = []  # noqa: RUF012 -- never changed


async def check_seats(seats: Iterable[SeatSpec], listing: Listing | None = None) -> str | None:
    """Load the plugins of seats that have options; a sentence about the first that cannot take them.

    Raises NoProgram for a plugin that is not there.
    """
    for seat in seats:
        if seat.kind == "plugin" and "?" in seat.text:
            plugin, options = plugin_of(seat, listing)
            verdict = await check(plugin, options)
            if not verdict.ok:
                return f"{seat}: {escaped(verdict.reason)}"
    return None


async def check_all(listing: Listing) -> list[Checked]:
    """Check every plugin, some at once; those with broken metadata are told as they are."""
    limiter = trio.CapacityLimiter(AT_ONCE)
    conflicts = listing.conflicts()
    rows: dict[Plugin, Checked] = {}

    async def check_one(plugin: Plugin) -> None:
        async with limiter:
            verdict = await check(plugin)
        text = plugin.origin if plugin.name in conflicts else plugin.name
        rows[plugin] = Checked(
            plugin.name,
            f"plugin:{text}",
            plugin.distribution,
            plugin.version,
            verdict.ok,
            escaped(verdict.summary),
            escaped(verdict.reason),
            verdict.options,
        )

    async with trio.open_nursery() as nursery:
        for plugin in listing.plugins:
            nursery.start_soon(check_one, plugin)
    broken = []
    for origin, reason in listing.broken:
        distribution, _, name = origin.rpartition("/")
        broken.append(
            Checked(
                escaped(name),
                f"plugin:{escaped(origin)}",
                escaped(distribution),
                "",
                False,
                "",
                escaped(reason),
                [],
            )
        )
    return [rows[plugin] for plugin in listing.plugins] + broken


async def check(plugin: Plugin, options: tuple[tuple[str, str], ...] = ()) -> Verdict:
    """Load one plugin, with these options if it has them, and let it tell about itself."""
    command = child_command(plugin, options, check=True)
    program = Program(command, plugin_environment(plugin), None, frames=False)
    try:
        child = await children.start(program)
    except children.CannotStart as error:
        return Verdict(False, reason=str(error))
    try:
        with trio.fail_after(LIMIT):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_drop, child.errors)
                answer = await _read(child.outlet)
                ended = await child.ended()
                nursery.cancel_scope.cancel()
    except trio.TooSlowError:
        return Verdict(False, reason=f"it was not loaded after {LIMIT:g} s")
    finally:
        children.close_all((child.entry, child.outlet, child.errors))
        await child.close()
    try:
        told = json.loads(answer)
        options_told = [
            {str(key): _safe(value) for key, value in option.items()} for option in told["options"]
        ]
        return Verdict(bool(told["ok"]), str(told["summary"]), str(told["reason"]), options_told)
    except (ValueError, KeyError, TypeError, AttributeError):
        return Verdict(False, reason=f"its process ended without an answer ({ended})")


def _safe(value: object) -> object:
    """What a plugin told, fit for a terminal."""
    if isinstance(value, str):
        return escaped(value)
    return [_safe(each) for each in value] if isinstance(value, list) else value


async def _read(descriptor: int) -> bytes:
    answer = b""
    while len(answer) < ANSWER:
        await trio.lowlevel.wait_readable(descriptor)
        try:
            data = os.read(descriptor, ANSWER)
        except BlockingIOError:
            continue
        answer += data
        if not data or answer.endswith(b"\n"):
            break
    return answer


async def _drop(descriptor: int) -> None:
    # What it prints while it loads must not fill its pipe, or it would wait for ever.
    while True:
        await trio.lowlevel.wait_readable(descriptor)
        try:
            if not os.read(descriptor, ANSWER):
                return
        except BlockingIOError:
            continue
