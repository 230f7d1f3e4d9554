"""Whatever goes wrong with the figures or the report, the last line that is printed goes on with the run."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.commands.test_ladder_plan import A, B, bots, typed
from tyrusd.commands import ladder_closing, reporting
from tyrusd.commands.ladder_closing import Closing
from tyrusd.commands.ladder_ending import Verdict
from tyrusd.commands.ladder_plan import plan_of
from tyrusd.commands.ladder_voice import Voice
from tyrusd.host.ladder.directory import RunDirectory
from tyrusd.host.ladder.run import open_run


def broken(*_: object, **__: object) -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize("trouble", [False, True])
@pytest.mark.parametrize("code", [0, 4, 130])
def test_the_last_line_is_printed_in_any_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: bool, code: int
) -> None:
    if trouble:
        monkeypatch.setattr(ladder_closing, "statistics_of", broken)
        monkeypatch.setattr(reporting, "write_report", broken)
    wishes = typed(*bots(A, B), "--sandbox", "none", "--report", str(tmp_path / "page.html"))
    out, err = io.StringIO(), io.StringIO()
    directory = RunDirectory.begin(tmp_path / "run", plan_of(wishes))
    ladder = open_run(directory)
    try:
        closing = Closing(wishes, directory, tmp_path / "run", Voice(out, err), None, out)
        found = closing.finish(ladder, Verdict(code, complete=False, why=None, sentence="it ended"))
    finally:
        ladder.close()
    assert found == (code or int(trouble))
    assert err.getvalue() == "tyrusd: it ended\n"
    lines = out.getvalue().splitlines()
    assert lines[-1].endswith(f"ladder --resume {tmp_path / 'run'} --report {tmp_path / 'page.html'}")
    assert ("rank" in out.getvalue()) is ("report in" in out.getvalue()) is not trouble
