"""`tyrusd check`: what a bot does wrong, step by step."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from tyrusd.commands.options import SEAT, SecondsRange
from tyrusd.commands.running import tell

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

    from tyrusd.core.conformance import Result, Step
    from tyrusd.core.seatspec import SeatSpec
    from tyrusd.host.conformance import CheckEnd, CheckPlan

PAGE = "protocol.md#"


@click.command(
    "check",
    short_help="Tell what a bot does wrong, step by step.",
    epilog="Exit codes: 0 no step failed, 1 it could not start, 2 usage, 5 a step failed, 130 interrupted.",
)
@click.argument("seat", type=SEAT)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout instead of lines.")
@click.option(
    "--listen",
    default="127.0.0.1:0",
    show_default=True,
    metavar="HOST:PORT",
    help="Where a tcp: seat connects.",
)
@click.option("--only", metavar="STEP,...", help="Numbers or names of the steps to do, instead of all.")
@click.option(
    "--wait", type=SecondsRange(0.1, 86_400), default=60.0, show_default=True, metavar="SECONDS",
    help="How long to wait for a tcp: seat.",
)  # fmt: skip
@click.option(
    "--allow-plaintext", is_flag=True, help="Accept unencrypted traffic on addresses other than loopback."
)
def command(
    seat: SeatSpec, as_json: bool, listen: str, only: str | None, wait: float, allow_plaintext: bool
) -> None:
    """Play the server for one bot and check that it does all that protocol.md asks of it.

    SEAT is as for `tyrusd match`. Each step is told when it is done; a failed one with what was sent, what
    came, what was expected, and the section of protocol.md that says so.
    """
    import logging

    from tyrusd.commands.listening import open_port
    from tyrusd.commands.running import FAILED_STEPS, Failure, Interruption, run
    from tyrusd.host import logs
    from tyrusd.host.conformance import CheckBroken

    logs.configure(logging.WARNING, stamped=False)
    plan = _plan(seat, only, wait)
    sockets = open_port(listen, allow_plaintext) if plan.key is not None else []
    report = _Report(plan, as_json)

    async def main() -> CheckEnd:
        from tyrusd.host.conformance import run_check

        return await run_check(plan, sockets, report.take, lambda: report.ready(sockets))

    try:
        end = run(main)
    except CheckBroken as broken:
        raise Failure(str(broken)) from broken
    finally:
        for listener in sockets:
            listener.close()
    report.finish(complete=end.complete)
    if not end.complete:
        raise Interruption("interrupted: the check was broken off")
    if end.absent:
        raise Failure(f"{plan.name} could not be checked: {end.absent}")
    if report.count("failed"):
        sys.exit(FAILED_STEPS)


class _Report:
    """What a check prints, while it runs and at its end."""

    def __init__(self, plan: CheckPlan, as_json: bool) -> None:
        self._plan = plan
        self._as_json = as_json
        self._results: list[Result] = []
        self._unheard = False  # nobody reads our output any more
        self._waits = 0

    def ready(self, listeners: Sequence[socket.socket]) -> None:
        """Tell where a tcp seat connects, and with which key."""
        from tyrusd.host.addresses import bound_addresses

        for address in bound_addresses(listeners):
            tell(f"listening {address.host} {address.port}", err=self._as_json)
        if self._plan.key is not None:
            tell(f"seat {self._plan.name} key {self._plan.key}", err=self._as_json)

    def take(self, result: Result | None) -> None:
        """Tell one result at once, or that the bot is waited for once more."""
        if result is None:
            self._waits += 1
            if self._waits > 1:
                tell(f"tyrusd: waiting for {self._plan.name} to connect again: start the bot again", err=True)
            return
        self._results.append(result)
        if not self._as_json:
            for line in _lines(result):
                self._say(line)

    def _say(self, line: str) -> None:
        """Print a line; who reads only the first ones does not break the check."""
        if self._unheard:
            return
        try:
            tell(line)
        except BrokenPipeError:
            self._unheard = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python complains at its end

    def count(self, verdict: str) -> int:
        """How many steps ended so."""
        return sum(result.verdict.value == verdict for result in self._results)

    def finish(self, *, complete: bool) -> None:
        """Print the summary."""
        from tyrusd.core.conformance import STEPS

        left_out = STEPS[-1] not in self._plan.steps
        counts = {verdict: self.count(verdict) for verdict in ("passed", "failed", "skipped")}
        if not self._as_json:
            self._say(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
            if left_out:
                self._say(
                    f"left out by --only: {STEPS[-1].number} {STEPS[-1].name}, which looks at every line"
                )
            return
        found = {
            "name": self._plan.name,
            "seat": str(self._plan.seat),
            "complete": complete,
            **counts,
            "steps": [_object(result) for result in self._results],
        }
        self._say(json.dumps(found))


def _lines(result: Result) -> list[str]:
    from tyrusd.host.logs import escaped

    step = result.step
    head = f"{step.number:2d} {step.name:<16} {result.verdict.value}"
    if result.verdict.value == "passed":
        return [head]
    if result.verdict.value == "skipped":
        return [f"{head}: {escaped(result.sentence)}"]
    lines = [f"{head}: {escaped(result.sentence)}"]
    for label, said in (("sent", result.sent), ("came", result.came)):
        for line in said[-4:] or ("nothing",):
            lines.append(f"     {label:<8} {escaped(line)}")
    lines.append(f"     expected {step.expects}")
    lines.append(f"     see      {PAGE}{step.section}")
    return lines


def _object(result: Result) -> dict[str, Any]:
    step = result.step
    return {
        "number": step.number,
        "name": step.name,
        "section": f"{PAGE}{step.section}",
        "verdict": result.verdict.value,
        "sentence": result.sentence,
        "sends": step.sends,
        "expects": step.expects,
        "sent": list(result.sent),
        "came": list(result.came),
    }


def _plan(seat: SeatSpec, only: str | None, wait: float) -> CheckPlan:
    import secrets

    from tyrusd.commands.running import check_options, usage
    from tyrusd.host.conformance import CheckPlan
    from tyrusd.host.programs import NoProgram, program_for, seat_name

    steps = _chosen(only)
    if seat.kind != "tcp":
        try:
            program_for(seat)
        except NoProgram as error:
            usage(str(error))
        check_options([seat])
    key = secrets.token_urlsafe(32) if seat.kind == "tcp" else None
    return CheckPlan(seat_name(seat), seat, key, steps, wait)


def _chosen(only: str | None) -> tuple[Step, ...]:
    """The steps of `--only`, in the order of their numbers."""
    from tyrusd.commands.running import usage
    from tyrusd.core.conformance import STEPS

    if only is None:
        return STEPS
    named = {text: step for step in STEPS for text in (step.name, str(step.number))}
    wanted = [word.strip() for word in only.split(",")]
    for word in wanted:
        if word not in named:
            usage(
                f"--only {word!r} is no step: give numbers from 1 to {len(STEPS)} or names of docs/check.md"
            )
    numbers = {named[word].number for word in wanted}
    return tuple(step for step in STEPS if step.number in numbers)
