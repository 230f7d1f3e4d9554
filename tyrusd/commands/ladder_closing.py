"""The end of a sitting of a ladder: figures, report, seed, exit code, and as the last line how to go on."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from tyrusd.commands.ladder_ending import Verdict, resume_line
from tyrusd.commands.ladder_table import page_of, statistics_of
from tyrusd.commands.running import FAILURE, Failure

if TYPE_CHECKING:
    from tyrusd.commands.ladder_events import Events
    from tyrusd.commands.ladder_options import Typed
    from tyrusd.commands.ladder_voice import Voice
    from tyrusd.host.ladder.directory import RunDirectory
    from tyrusd.host.ladder.run import LadderRun

_log = logging.getLogger("tyrusd.ladder")


class Closing:
    """Says what a run has come to; whatever goes wrong with that, the last line is still printed."""

    def __init__(
        self,
        wishes: Typed,
        directory: RunDirectory,
        where: Path,
        voice: Voice,
        events: Events | None,
        out: TextIO,
    ) -> None:
        self._wishes = wishes
        self._directory = directory
        self._where = where
        self._voice = voice
        self._events = events
        self._out = out

    def finish(self, ladder: LadderRun, verdict: Verdict) -> int:
        """Print everything; the exit code."""
        plan = self._directory.plan
        codes = [verdict.code]
        statistics = self._figures(ladder)
        if statistics is None:
            codes.append(FAILURE)
        self._voice.lines(*verdict.lines)
        seed = plan.tournament.seed if verdict.complete else None
        if seed is not None:
            self._voice.line(f"seed {seed}{' (typed)' if plan.typed_seed else ''}")
        codes.append(self._report())
        again = None if verdict.complete else resume_line(self._wishes, self._where, verdict.why)
        if self._events is not None:
            self._events.tell(
                "end", complete=verdict.complete, why=verdict.why, seed=seed, exit=_first(codes), resume=again
            )
            codes.append(FAILURE if self._events.lost is not None else 0)
        if self._wishes.as_json and statistics is not None:
            self._voice.data(json.dumps(statistics, allow_nan=False), sys.stdout)
        if self._voice.full is not None:
            self._voice.note(f"the output cannot be written: {self._voice.full}")
            codes.append(FAILURE)
        if verdict.sentence is not None:
            self._voice.note(verdict.sentence)
        if again is not None:
            self._voice.line(again)
        return _first(codes)

    def _figures(self, ladder: LadderRun) -> dict[str, Any] | None:
        """Print the standings and all other figures; None where they cannot be computed."""
        from tyrusd.host.ladder.manifest import manifest_object

        try:
            statistics = statistics_of(ladder, progress=True)
            statistics["runs"] = [manifest_object(self._directory.manifest)]
            page = page_of(statistics, self._wishes.resultformat, self._out)
        except Exception:
            # The games are kept; a weekend shall not end without the line that goes on.
            _log.exception("the figures cannot be told; `tyrusd stats` computes them from the directory")
            return None
        self._voice.lines("", *page)
        return statistics

    def _report(self) -> int:
        """Write the page, if one is wanted; the exit code that this alone would have."""
        if self._wishes.report is None:
            return 0
        from tyrusd.commands.reporting import write_report

        try:
            write_report(self._directory.path, self._wishes.report)
        except Failure as failure:
            self._voice.note(f"--report: {failure.message}")
            return FAILURE
        except Exception:
            _log.exception("the report cannot be made; `tyrusd report` makes it from the directory")
            return FAILURE
        self._voice.line(f"report in {self._wishes.report}")
        return 0


def _first(codes: list[int]) -> int:
    """The code of the earliest trouble, 0 if there was none."""
    return next((code for code in codes if code), 0)
