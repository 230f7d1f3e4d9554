"""`tyrusd stats`: what the games of ladders, or counts of results, tell of strength, without playing."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tyrusd.commands.ladder_words import SprtType

if TYPE_CHECKING:
    from tyrusd.league.statistics.pentanomial import Counts
    from tyrusd.league.statistics.plan import SprtPlan

    _CountsBase = click.ParamType[tuple[int, ...]]
else:  # older versions of click have no type arguments
    _CountsBase = click.ParamType

_WHOLE: Final = re.compile(r"[0-9]{1,9}")
_HINT: Final = "needs: pip install 'tyrusd[ladder]'"


class CountsType(_CountsBase):
    """So many whole numbers with commas between them."""

    name = "counts"

    def __init__(self, *words: str) -> None:
        self.words = words

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Read counts."""
        if isinstance(value, tuple):
            return value
        parts = [part.strip() for part in value.split(",")]
        if len(parts) != len(self.words) or not all(map(_WHOLE.fullmatch, parts)):
            self.fail(
                f"{value!r} is not {','.join(self.words)}: {len(self.words)} whole numbers are wanted",
                param,
                ctx,
            )
        return tuple(map(int, parts))


@click.command("stats", short_help="Tell the statistics of ladders, or of counts of results.")
@click.argument("directories", nargs=-1, metavar="[DIR]...", type=click.Path(path_type=Path))
@click.option(
    "--ptnml",
    type=CountsType("LL", "LD", "WLDD", "WD", "WW"),
    metavar="LL,LD,WLDD,WD,WW",
    help="Instead of DIR: how many pairs of games came to which sum.",
)
@click.option(
    "--wld",
    type=CountsType("W", "L", "D"),
    metavar="W,L,D",
    help="Instead of DIR: how many independent games were won, lost and drawn.",
)
@click.option(
    "--sprt",
    type=SprtType(),
    metavar="WORDS",
    help='A sequential test, as in "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized". '
    "[default: that of the ladder]",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout instead of text.")
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated values, one line for each bot.")
def command(
    directories: tuple[Path, ...],
    ptnml: tuple[int, ...] | None,
    wld: tuple[int, ...] | None,
    sprt: SprtPlan | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Tell what the games of one or more ladders say of their bots' strength; nothing is played.

    DIR is what `tyrusd ladder --out DIR` made, of a run that is over, goes on, or was interrupted. Several
    are put together; a pair of games that stands in two of them is refused. --ptnml and --wld take counts.
    """
    from tyrusd.commands.running import usage

    if as_json and as_csv:
        usage("choose one of --json and --csv")
    if sum((bool(directories), ptnml is not None, wld is not None)) != 1:
        usage("name the directory of a ladder, or give counts with --ptnml or --wld")
    if not directories:
        if as_csv:
            usage("--csv is a table of bots; counts have --json")
        _tell_counts(_counts(ptnml, wld), sprt, as_json)
        return
    stats = _stats(directories, sprt)
    if as_json:
        click.echo(json.dumps(stats, allow_nan=False))
        return
    if as_csv:
        from tyrusd.screen.stats_csv import csv_lines

        click.echo("".join(f"{line}\r\n" for line in csv_lines(stats)), nl=False)
        return
    from tyrusd.screen.stats_table import whole

    for line in whole(stats):
        click.echo(line)


def _counts(ptnml: tuple[int, ...] | None, wld: tuple[int, ...] | None) -> Counts:
    from tyrusd.league.statistics.pentanomial import Pentanomial, Trinomial

    if ptnml is not None:
        return Pentanomial(*ptnml)
    assert wld is not None
    wins, losses, draws = wld
    return Trinomial(losses, draws, wins)


def _tell_counts(counts: Counts, sprt: SprtPlan | None, as_json: bool) -> None:
    from tyrusd.league.statistics.figures import counts_data
    from tyrusd.screen.stats_table import counts_lines

    found = counts_data(counts, sprt)
    for line in [json.dumps(found, allow_nan=False)] if as_json else counts_lines(found):
        click.echo(line)


def _stats(directories: Sequence[Path], sprt: SprtPlan | None) -> dict[str, Any]:
    """The statistics of the runs; whatever prevents them is a sentence."""
    from tyrusd.commands.running import Failure, Missing
    from tyrusd.host.ladder.directory import DirectoryError
    from tyrusd.host.ladder.past import read_run, refuse_mixture, stats_of_runs
    from tyrusd.league.statistics.runs import Overlap

    try:
        runs = [read_run(directory) for directory in directories]
        refuse_mixture(runs)
        found = stats_of_runs(runs, sprt)
    except (DirectoryError, Overlap) as error:
        raise Failure(str(error)) from error
    except ImportError as error:
        raise Missing(f"statistics of more than two bots: {_HINT}") from error
    for note in (note for run in runs for note in run.notes):
        click.echo(f"tyrusd: {note}", err=True)
    return found
