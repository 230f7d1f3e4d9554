"""`tyrusd match`: so many games between two seats, and what they come to."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tyrusd.commands.options import (
    SEAT,
    SecondsRange,
    WholeRange,
    bot_options,
    confinement,
    settings,
)
from tyrusd.commands.running import tell

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

    from tyrusd.core.requests import News
    from tyrusd.core.schedule import Entry
    from tyrusd.core.seatspec import SeatSpec
    from tyrusd.host.daemon import MatchPlan

_SEED_LENGTH = 64


@click.command("match", short_help="Play games between two seats and tell the results.")
@click.argument("seats", nargs=2, type=SEAT, metavar="SEAT SEAT")
@click.option(
    "--games",
    type=WholeRange(1, 1_000_000),
    default=1,
    show_default=True,
    metavar="N",
    help="Games to play.",
)
@click.option("--seed", metavar="S", help="Text that decides all chance.  [default: 128 random bits]")
@click.option(
    "--variant",
    type=click.Choice(["standard", "replay-ties"]),
    default="standard",
    show_default=True,
    help="Rules of a tie.",
)
@click.option(
    "--clock",
    default="none",
    show_default=True,
    metavar="BASE+INC|none",
    help="Seconds for each side, and per placement.",
)
@click.option(
    "--move-cap", default="60", show_default=True, metavar="SECONDS|none", help="Seconds for one placement."
)
@click.option(
    "--concurrency",
    type=WholeRange(1, 1024),
    default=1,
    show_default=True,
    metavar="N",
    help="Games at a time.",
)
@click.option(
    "--ponder",
    type=click.Choice(["on", "off"]),
    default="on",
    show_default=True,
    help="Whether seats may think on the other side's time; off: tell how much local bots did.",
)
@click.option(
    "--max-restarts",
    type=WholeRange(1, 1000),
    default=10,
    show_default=True,
    metavar="N",
    help="Crashes of a bot in a row that end the match.",
)
@bot_options()
@click.option(
    "--listen",
    default="127.0.0.1:0",
    show_default=True,
    metavar="HOST:PORT",
    help="Where tcp: seats connect.",
)
@click.option(
    "--wait", type=SecondsRange(0.1, 86_400), default=60.0, show_default=True, metavar="SECONDS",
    help="How long to wait for a tcp: seat.",
)  # fmt: skip
@click.option(
    "--allow-plaintext", is_flag=True, help="Accept unencrypted traffic on addresses other than loopback."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout instead of a table.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the games to a new file.",
)
def command(
    seats: tuple[SeatSpec, SeatSpec],
    games: int,
    seed: str | None,
    variant: str,
    clock: str,
    move_cap: str,
    concurrency: int,
    ponder: str,
    max_restarts: int,
    bot_memory: int,
    bot_cpu: int | None,
    sandbox: str,
    bot_start: float,
    listen: str,
    wait: float,
    allow_plaintext: bool,
    as_json: bool,
    record: Path | None,
) -> None:
    """Play games between two seats; seat 1 has Ivory in odd games, and every game has its own deal.

    A SEAT is plugin:NAME (or plugin:DIST/NAME), perhaps with options as in plugin:NAME?level=3&x=y;
    exec:COMMAND LINE; or tcp:NAME for a bot that connects: then `listening HOST PORT` and
    `seat NAME key KEY` are printed first (on stderr with --json).
    """
    import logging
    from dataclasses import replace

    from tyrusd.commands.listening import open_port
    from tyrusd.commands.running import Failure, Interruption, run, warn_of_root
    from tyrusd.host import logs

    logs.configure(logging.WARNING, stamped=False)
    plan = _plan(seats, games, seed, variant, clock, move_cap, concurrency, wait, record)
    plan = replace(
        plan,
        confinement=confinement(sandbox, bot_memory, bot_cpu),
        max_restarts=max_restarts,
        ponder=ponder == "on",
        settings=settings(bot_start),
    )
    warn_of_root()
    with_tcp = any(entry.key is not None for entry in plan.entries)
    listeners = open_port(listen, allow_plaintext) if with_tcp else []
    report = _Report(plan, as_json)

    async def main() -> bool:
        from tyrusd.host.daemon import run_match

        return await run_match(plan, listeners, report.take, lambda: report.ready(listeners))

    keys = [(entry.name, entry.key) for entry in plan.entries if entry.key is not None]
    report.keys.extend(keys)
    try:
        played_out = run(main)
    finally:
        for listener in listeners:
            listener.close()
    report.finish(complete=played_out and report.halted is None)
    if report.halted is not None:
        raise Failure(report.halted)
    if not played_out:
        raise Interruption("interrupted: running games were aborted")


class _Report:
    """What a match prints, while it is played and at its end."""

    def __init__(self, plan: MatchPlan, as_json: bool) -> None:
        import time

        from tyrusd.commands.progress import Progress
        from tyrusd.commands.summary import Tally

        self._plan = plan
        self._as_json = as_json
        self._tally = Tally([entry.name for entry in plan.entries])
        self._progress = Progress(plan.games, "games", sys.stderr, time.monotonic)
        self.keys: list[tuple[str, str]] = []
        self.halted: str | None = None

    def ready(self, listeners: Sequence[socket.socket]) -> None:
        """Tell where tcp seats connect, and with which keys."""
        from tyrusd.host.addresses import bound_addresses

        for address in bound_addresses(listeners):
            tell(f"listening {address.host} {address.port}", err=self._as_json)
        for name, key in self.keys:
            tell(f"seat {name} key {key}", err=self._as_json)

    def take(self, news: News) -> None:
        """Count a game, and tell at once what went wrong in it."""
        from tyrusd.commands.summary import forfeit_sentence
        from tyrusd.core.requests import GameOver, Halted, Knocked
        from tyrusd.host.logs import escaped

        if isinstance(news, Halted):
            self.halted = news.sentence
        elif isinstance(news, Knocked):
            self._progress.line(f"tyrusd: {escaped(news.sentence)}")
        elif isinstance(news, GameOver):
            self._tally.add(news.record)
            self._tally.ponder(news.record, news.pondered)
            sentence = forfeit_sentence(news.record, news.note)
            if sentence is not None:
                self._progress.line(f"tyrusd: {escaped(sentence)}")
            self._progress.step()

    def finish(self, *, complete: bool) -> None:
        """Print the results."""
        from tyrusd.commands.summary import FORFEITS

        self._progress.clear()
        plan, tally = self._plan, self._tally
        fillings = [str(entry.spec) for entry in plan.entries]
        if self._as_json:
            click.echo(json.dumps(self._object(fillings, complete)))
            return
        if tally.games:
            for line in tally.table(fillings):
                click.echo(line)
        if not plan.ponder:
            for line in tally.pondering():
                click.echo(line)
        click.echo(f"games: {tally.counted(plan.games)}, variant {plan.variant.name}, seed {plan.seed}")
        if plan.record is not None:
            click.echo(f"recorded in {plan.record}")
        if FORFEITS & tally.endings.keys():
            way = "add --record FILE to keep what was said"
            if plan.record is not None:
                way = f"tyrusd why GAME --record {plan.record}"
            click.echo(f"why a game was lost: {way}")

    def _object(self, fillings: list[str], complete: bool) -> dict[str, Any]:
        plan, tally = self._plan, self._tally
        return {
            "games": plan.games,
            "played": tally.games,
            "complete": complete,
            "seed": plan.seed,
            "variant": plan.variant.name,
            "clock": plan.control.clock_text,
            "move_cap": plan.control.cap_text,
            "ponder": "on" if plan.ponder else "off",
            "seats": [
                {
                    "name": entry.name,
                    "seat": filling,
                    **tally.of_seat(entry.name),
                    "pondered": tally.pondered.get(entry.name),
                }
                for entry, filling in zip(plan.entries, fillings, strict=True)
            ],
            "endings": dict(sorted(tally.endings.items())),
        }


def _plan(
    seats: tuple[SeatSpec, SeatSpec],
    games: int,
    seed: str | None,
    variant: str,
    clock: str,
    move_cap: str,
    concurrency: int,
    wait: float,
    record: Path | None,
) -> MatchPlan:
    """Look at all that was typed before anything is started."""
    import secrets

    from tyrusd.commands.running import usage
    from tyrusd.host.daemon import MatchPlan
    from tyrusd.league.clock import TimeControl
    from tyrusd.rules.variants import VARIANTS

    if seed is None:
        seed = secrets.token_hex(16)
    if not (0 < len(seed) <= _SEED_LENGTH and seed.isascii() and seed.isprintable()):
        usage(f"--seed wants 1 to {_SEED_LENGTH} printable ASCII characters")
    try:
        control = TimeControl.parse(clock, move_cap)
    except ValueError as error:
        usage(f"--clock {clock} --move-cap {move_cap}: {error}")
    if record is not None and record.exists():
        usage(f"--record {record} exists already: choose another file, records never overwrite")
    return MatchPlan(
        _entries(seats), games, seed, VARIANTS[variant], control, min(concurrency, games), wait, record
    )


def _entries(seats: tuple[SeatSpec, SeatSpec]) -> tuple[Entry, Entry]:
    """Name both seats, draw keys, and make sure that what is to be started exists."""
    import secrets

    from tyrusd.commands.running import check_options, usage
    from tyrusd.core.schedule import Entry
    from tyrusd.host.programs import NoProgram, program_for, seat_name

    first, second = seat_name(seats[0]), seat_name(seats[1])
    if first.lower() == second.lower():
        second = f"{second[:30]}-2"
    keys = [secrets.token_urlsafe(32) if seat.kind == "tcp" else None for seat in seats]
    for seat in seats:
        if seat.kind != "tcp":
            try:
                program_for(seat)
            except NoProgram as error:
                usage(str(error))
    check_options(seats)
    return Entry(first, seats[0], keys[0]), Entry(second, seats[1], keys[1])
