"""Loads every installed plugin in a contained process of its own and tells which can be used."""

from __future__ import annotations

import json
import os
from typing import Final, NamedTuple

import trio

from tyrusd.host import children
from tyrusd.host.logs import escaped
from tyrusd.host.plugins import Listing, Plugin
from tyrusd.host.programs import Program, child_command, plugin_environment

LIMIT: Final = 10.0  # seconds that one plugin has
AT_ONCE: Final = 4
ANSWER: Final = 64 * 1024  # bytes of the answer that are read


class Checked(NamedTuple):
    """One plugin and whether it works; seat is how a command names it."""

    name: str
    seat: str
    distribution: str
    version: str
    ok: bool
    summary: str
    reason: str


async def check_all(listing: Listing) -> list[Checked]:
    """Check every plugin, some at once; those with broken metadata are told as they are."""
    limiter = trio.CapacityLimiter(AT_ONCE)
    conflicts = listing.conflicts()
    rows: dict[Plugin, Checked] = {}

    async def check_one(plugin: Plugin) -> None:
        async with limiter:
            ok, summary, reason = await check(plugin)
        text = plugin.origin if plugin.name in conflicts else plugin.name
        rows[plugin] = Checked(
            plugin.name,
            f"plugin:{text}",
            plugin.distribution,
            plugin.version,
            ok,
            escaped(summary),
            escaped(reason),
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
            )
        )
    return [rows[plugin] for plugin in listing.plugins] + broken


async def check(plugin: Plugin) -> tuple[bool, str, str]:
    """Load one plugin; whether it can be used, what it says of itself, and otherwise why not."""
    program = Program(child_command(plugin, "--check"), plugin_environment(plugin), None, frames=False)
    try:
        child = await children.start(program)
    except children.CannotStart as error:
        return False, "", str(error)
    try:
        with trio.fail_after(LIMIT):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_drop, child.errors)
                answer = await _read(child.outlet)
                ended = await child.ended()
                nursery.cancel_scope.cancel()
    except trio.TooSlowError:
        return False, "", f"it was not loaded after {LIMIT:g} s"
    finally:
        children.close_all((child.entry, child.outlet, child.errors))
        await child.close()
    try:
        told = json.loads(answer)
        return bool(told["ok"]), str(told["summary"]), str(told["reason"])
    except (ValueError, KeyError, TypeError):
        return False, "", f"its process ended without an answer ({ended})"


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
