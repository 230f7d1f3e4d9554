"""docs/check.md lists the steps as they are, and what it says of some of them by number is true."""

from __future__ import annotations

import re

from tests.wire.page import ROOT, anchors
from tyrusd.core.conformance import STEP_NAMED, STEPS, Need, Setting
from tyrusd.core.conformance.run import SILENT
from tyrusd.core.conformance.setting import ANSWER

PAGE = (ROOT / "docs" / "check.md").read_text("utf-8")


def test_every_step_has_its_row() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.splitlines()
        if re.match(r"\| \d", line)
    ]
    assert rows == [
        [
            str(step.number),
            f"`{step.name}`",
            f"[{step.section}](../protocol.md#{step.section})",
            step.sends,
            step.expects,
        ]
        for step in STEPS
    ]


def test_every_step_is_about_a_section_of_the_protocol() -> None:
    assert {step.section for step in STEPS} <= anchors()


def numbers(*names: str) -> list[int]:
    return [STEP_NAMED[name].number for name in names]


def test_the_numbers_in_the_text_are_those_of_the_steps() -> None:
    assert [step.number for step in STEPS if step.vital] == [1, 2, 3]
    apart = [step.number for step in STEPS if Need.CONNECTION in step.needs]
    assert apart == [1, 4, 5, 6, 41, 42, 43, 44]
    assert "Steps 1 and 4 to 6, 41 to 44 need connections of their own" in PAGE
    assert [step.number for step in STEPS if Need.LINES in step.needs] == [20]
    assert [step.number for step in STEPS if Need.TWO_GAMES in step.needs] == [31, 32]
    assert [step.number for step in STEPS if Need.SOCKET in step.needs] == [44]
    assert "Step 20 is skipped for plugins" in PAGE and "steps 31 and 32 for bots" in PAGE
    assert "step 44 for programs" in PAGE


def test_the_times_in_the_text_are_those_of_the_run() -> None:
    defaults = Setting._field_defaults
    assert ANSWER == 10 and "ten seconds, the clock that the bot is told (`cap=10`)" in PAGE
    assert defaults["leave"] == 5 and "ending has five" in PAGE
    assert defaults["again"] == 5 and "After `bye` it is waited\n  for five seconds" in PAGE
    assert defaults["quiet"] == 0.3 and "nothing may come for 0.3 seconds" in PAGE
    assert SILENT == 4 and "silent in four failed" in PAGE
