"""`tyrusd plugins`: which bots are installed, and which of them can be used."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tyrusd.host.checking import Checked


@click.command("plugins", short_help="List the installed bots and what is wrong with them.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array instead of a table.")
def command(as_json: bool) -> None:
    """List every installed bot plugin.

    Each is loaded in a process of its own, which has ten seconds; a broken one is listed with the reason and
    takes nothing else with it. Exit code 0 also when some are broken.
    """
    from tyrusd.commands.running import run
    from tyrusd.host import plugins
    from tyrusd.host.checking import check_all

    listing = plugins.installed()
    rows = run(lambda: check_all(listing))
    if as_json:
        click.echo(json.dumps([row._asdict() for row in rows]))
        return
    if not rows:
        click.echo("no bot plugins are installed")
    width = max((len(row.seat) for row in rows), default=0)
    for row in rows:
        click.echo(f"{row.seat:<{width}}  {_told(row)}")


def _told(row: Checked) -> str:
    origin = f"({row.distribution} {row.version})" if row.version else f"({row.distribution})"
    return f"{row.summary}  {origin}" if row.ok else f"broken: {row.reason}  {origin}"
