"""What `tyrusd report` and `tyrusd ladder --report` have in common: a run's files in, a report out."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tyrusd.commands.reporting_runs import ShownRun
    from tyrusd.league.statistics.runs import Source
    from tyrusd.screen.report.facts import Facts


def write_report(directory: Path, file: Path) -> None:
    """Write the page of a run that this process has played, whole or not at all.

    Raises Failure, in a sentence, where the run cannot be read or the file cannot be written, and Missing
    where something must be installed for it.
    """
    write_text(file, html_of(gather([directory], ours=True)))


def html_of(facts: Facts) -> str:
    """Return the page."""
    from tyrusd.screen.report.page import Assets, report_page

    folder = files("tyrusd.screen.report")
    texts = [folder.joinpath(name).read_text("utf-8") for name in ("page.css", "viewer.js", "sorting.js")]
    return report_page(facts, Assets(*texts))


def gather(directories: Sequence[Path], *, ours: bool = False) -> Facts:
    """Read everything that a report tells of these runs; raises Failure, Missing. ours: as in shown_run."""
    from tyrusd.commands.reporting_runs import shown_run
    from tyrusd.commands.running import Failure, Missing
    from tyrusd.host.ladder.directory import DirectoryError
    from tyrusd.host.ladder.past import refuse_mixture, stats_of_runs
    from tyrusd.league.statistics.runs import Overlap

    try:
        runs = [shown_run(directory, ours=ours) for directory in directories]
        past = [run.past for run in runs]
        refuse_mixture(past)
        return _facts(runs, stats_of_runs(past))
    except (DirectoryError, Overlap) as error:
        raise Failure(str(error)) from error
    except ImportError as error:
        raise Missing("statistics of more than two bots: needs: pip install 'tyrusd[ladder]'") from error


def _facts(runs: Sequence[ShownRun], stats: dict[str, Any]) -> Facts:
    from tyrusd.commands.reporting_runs import failures_of
    from tyrusd.host.ladder.past import sources_of
    from tyrusd.league.statistics.runs import new_names
    from tyrusd.screen.report.facts import Facts, Failure
    from tyrusd.screen.report.selection import choose, opened
    from tyrusd.screen.report.timing import time_use

    sources = sources_of([run.past for run in runs])
    failures: list[Failure] = []
    games, timed, left_out = [], [], 0
    for number, (run, names) in enumerate(zip(runs, new_names(sources), strict=True), 1):
        label = number if len(runs) > 1 else 0
        prefix = f"{number}:" if label else ""
        shown = opened(run.games, run.once)
        chosen = choose(shown, *_room(len(runs)))
        games += [(label, game) for game in chosen.games]
        left_out += chosen.left_out
        failures += failures_of(run, {game["id"] for game in shown}, prefix)
        timed += [(f"{prefix}{game['id']}", _renamed(game, names)) for game in run.games]
    return Facts(
        title=" + ".join(source.name for source in sources),
        stats=stats,
        manifests=[run.manifest_data() for run in runs],
        plans=[run.plan_data() for run in runs],
        games=games,
        left_out=left_out,
        failures=failures,
        machines=_machines(runs),
        time=time_use(timed),
        course=_course(runs[0], sources[0]) if len(runs) == 1 else None,
        open_seed=all(run.over for run in runs),
    )


def write_text(file: Path, text: str) -> None:
    """Replace a file by this text at once, so that nobody ever sees half of it; raises Failure."""
    from tyrusd.commands.running import Failure

    beside = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        try:
            beside.write_text(text, encoding="utf-8", newline="")
            beside.replace(file)
        finally:
            with contextlib.suppress(OSError):
                beside.unlink()
    except OSError as error:
        raise Failure(f"{file} cannot be written: {error.strerror}; choose another file") from error


def _course(run: ShownRun, source: Source) -> list[tuple[int, float]] | None:
    from tyrusd.league.statistics.course import course_of
    from tyrusd.league.statistics.runs import run_of

    plan = run.past.plan.tournament
    if plan.sprt is None or len(plan.entrants) != 2:
        return None
    return course_of(run_of(run.past.tournament, source.unready), plan.entrants[0], plan.sprt)


def _machines(runs: Sequence[ShownRun]) -> list[tuple[str, str, int]]:
    from collections import Counter

    places = (game["ladder"] for run in runs for game in run.games)
    found = Counter((place["host"], place["cpu"]) for place in places)
    return [(*machine, found[machine]) for machine in sorted(found)]


def _room(runs: int) -> Iterator[int]:
    """How many other and how many abnormal games of each run are shown: a page has room for one run's."""
    from tyrusd.screen.report.selection import MOST_ABNORMAL, OTHERS

    return (max(1, room // runs) for room in (OTHERS, MOST_ABNORMAL))


def _renamed(record: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """A record under the names that its bots have among several runs."""
    seats = {side: names.get(name, name) for side, name in record["game"]["seats"].items()}
    return {**record, "game": {**record["game"], "seats": seats}}
