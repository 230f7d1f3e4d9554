"""`tyrusd report`: what one or more runs of a ladder come to, as a page, as JSON, as CSV."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tyrusd.screen.report.facts import Facts

_FILE = click.Path(dir_okay=False, path_type=Path, allow_dash=True)


@click.command("report", short_help="Write a page, JSON or CSV about runs of a ladder.")
@click.argument(
    "directories",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR...",
)
@click.option("--html", type=_FILE, metavar="FILE", help="One page that needs no network; - is stdout.")
@click.option("--json", "as_json", type=_FILE, metavar="FILE", help="All figures, with the manifests.")
@click.option("--csv", type=_FILE, metavar="FILE", help="The standings as a table.")
def command(directories: tuple[Path, ...], html: Path | None, as_json: Path | None, csv: Path | None) -> None:
    """Tell what the runs in these directories (`tyrusd ladder --out DIR`) come to, all together.

    A run may still be going on: then the games of complete pairs are told, and its seed is not. Files are
    replaced.
    """
    from tyrusd.commands.reporting import gather, html_of, write_text
    from tyrusd.commands.running import usage
    from tyrusd.screen.report.exports import report_json, standings_csv

    wanted: list[tuple[Path | None, Callable[[Facts], str]]] = [
        (html, html_of),
        (as_json, report_json),
        (csv, standings_csv),
    ]
    if not any(file for file, _ in wanted):
        usage("choose what to write: --html FILE, --json FILE or --csv FILE")
    named = [file for file, _ in wanted if file is not None]
    if len({file.absolute() for file in named}) < len(named):
        usage("two of the outputs have the same name: give each its own file")
    facts = gather(directories)
    for file, text_of in wanted:
        if file is None:
            continue
        if str(file) == "-":
            click.get_binary_stream("stdout").write(text_of(facts).encode("utf-8"))
        else:
            write_text(file, text_of(facts))
            click.echo(f"written: {file}", err=True)
