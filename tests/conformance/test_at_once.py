"""A check that has nothing to do ends well, however the tasks of its host are scheduled."""

from __future__ import annotations

import trio

from tyrusd.core.conformance import STEP_NAMED, Result, Verdict
from tyrusd.core.conformance.desk import Desk
from tyrusd.core.seatspec import parse_seat
from tyrusd.host.assembly import Assembly
from tyrusd.host.journal import MemoryJournal


async def test_a_check_that_skips_all_its_steps_ends_at_once() -> None:
    told: list[Result | None] = []
    for _ in range(40):  # the order of tasks is drawn anew each time
        desk = Desk(
            "tested",
            parse_seat("exec:./nothing"),
            None,
            [STEP_NAMED["resume"]],
            bytes,
            trio.current_time(),
            1.0,
            told.append,
        )
        await Assembly(desk, MemoryJournal(), grace=0.0).run()
        assert desk.run.complete and desk.finished
    assert [result.verdict for result in told if result is not None] == [Verdict.SKIPPED] * 40
