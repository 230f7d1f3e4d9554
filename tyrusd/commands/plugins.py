"""`tyrusd plugins`: which bots are installed, which of them can be used, and what options they have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tyrusd.host.checking import Checked


@click.command("plugins", short_help="List the installed bots, what is wrong with them, and their options.")
@click.argument("name", required=False, metavar="[NAME]")
@click.option(
    "--json", "as_json", is_flag=True, help="JSON instead of a table: an array; with NAME one object."
)
def command(name: str | None, as_json: bool) -> None:
    """List every installed bot plugin, or tell of one (NAME or DIST/NAME) which options its seats can set.

    Each is loaded in a process of its own, which has ten seconds; a broken one is listed with the reason and
    takes nothing else with it. Exit code 0 also when some are broken; 1 if the one of NAME is.
    """
    from tyrusd.commands.running import Failure, run, usage
    from tyrusd.host import plugins
    from tyrusd.host.checking import check_all

    listing = plugins.installed()
    if name is not None:
        try:
            listing = plugins.Listing((plugins.resolve(name, listing),), ())
        except plugins.UnknownPlugin as error:
            usage(str(error))
    rows = run(lambda: check_all(listing))
    if as_json:
        told = [row._asdict() for row in rows]
        click.echo(json.dumps(told if name is None else told[0]))
    elif name is not None:
        click.echo("\n".join(_page(rows[0], name)))
    elif not rows:
        click.echo("no bot plugins are installed")
    else:
        width = max(len(row.seat) for row in rows)
        for row in rows:
            click.echo(f"{row.seat:<{width}}  {_told(row)}")
    if name is not None and not rows[0].ok:
        raise Failure(f"the plugin {name} cannot be used")


def _told(row: Checked) -> str:
    origin = f"({row.distribution} {row.version})" if row.version else f"({row.distribution})"
    return f"{row.summary}  {origin}" if row.ok else f"broken: {row.reason}  {origin}"


def _page(row: Checked, name: str) -> list[str]:
    lines = [f"plugin:{name}  {_told(row)}"]
    if not row.options:
        return [*lines, "it has no options"] if row.ok else lines
    words = [f"{option['name']}={_value(option['default'])}" for option in row.options]
    width = max(map(len, words))
    for word, option in zip(words, row.options, strict=True):
        lines.append(f"  {word:<{width}}  {option['help']} ({option['allowed']})")
    return [*lines, f"set them as in 'plugin:{name}?{words[0]}'"]


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
