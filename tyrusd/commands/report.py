"""`tyrusd report`: what one or more runs of a ladder come to, as a page, as JSON, as CSV."""

from __future__ import annotations

from pathlib import Path

import click

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
    from tyrusd.commands.reporting import gather, html_of
    from tyrusd.commands.running import usage
    from tyrusd.screen.report.exports import report_json, standings_csv

    named = [file for file in (html, as_json, csv) if file is not None]
    if not named:
        usage("choose what to write: --html FILE, --json FILE or --csv FILE")
    if len({file.absolute() for file in named}) < len(named):
        usage("two of the outputs have the same name: give each its own file")
    facts = gather(directories)
    if html is not None:
        _put(html, html_of(facts))
    if as_json is not None:
        _put(as_json, report_json(facts))
    if csv is not None:
        _put(csv, standings_csv(facts))


def _put(file: Path, text: str) -> None:
    from tyrusd.commands.reporting import write_text

    if str(file) == "-":
        click.echo(text.encode("utf-8"), nl=False)
    else:
        write_text(file, text)
        click.echo(f"written: {file}", err=True)
