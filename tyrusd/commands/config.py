"""`tyrusd config`: what a server would run with, where each value comes from, and the memory that makes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tyrusd.host.configuration.reading import Configuration


@click.command("config", short_help="Check a configuration and print what it comes to.")
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The configuration in TOML that `tyrusd serve --config` would get.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(file: Path | None, as_json: bool) -> None:
    """Check a configuration and print every effective value with where it comes from.

    The environment counts as it does for `tyrusd serve`, and what that would refuse is refused. No address is
    taken, and the data directory not looked at. The last line is the memory that the server needs at most, if
    every limit is reached at once.
    """
    from tyrusd.commands.configured import Reread, prepared

    config = Reread(file)()
    prepared(config)
    text = _json(config) if as_json else "\n".join(_lines(config))
    encoding = sys.stdout.encoding or "utf-8"  # the name of a file may have letters that a terminal lacks
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding))


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def _lines(config: Configuration) -> list[str]:
    from tyrusd.host.configuration.keys import BY_PATH
    from tyrusd.host.configuration.memory import told

    cells = []
    for path, (value, origin) in config.values.items():
        key = BY_PATH[path]
        unit = f" {key.unit}" if key.unit and value is not None else ""
        cells.append((path, f"{_shown(value)}{unit}", origin))
    widths = [max(len(row[column]) for row in cells) for column in (0, 1)]
    lines = [f"{path:{widths[0]}}  {value:{widths[1]}}  {origin}" for path, value, origin in cells]
    return [*lines, "", told(_memory(config), config.settings())]


def _shown(value: Any) -> str:
    """A value as it could stand in a file; none is what no file can say."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(_quoted(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name} = {_quoted(seat)}' for name, seat in value.items())}}}"
    return f"{value:.12g}" if isinstance(value, float) else _quoted(value)


def _quoted(value: Any) -> str:
    import json

    return str(value) if isinstance(value, int) else json.dumps(str(value))


def _memory(config: Configuration) -> Any:
    from tyrusd.host.configuration.checking import houses_of
    from tyrusd.host.configuration.memory import worst_case

    houses = houses_of(config)
    encrypted = config["tls.listen"] is not None
    return worst_case(config.settings(), len(houses), config["bots.memory"], encrypted)


def _json(config: Configuration) -> str:
    import json

    memory = _memory(config)
    found = {
        "values": {
            path: {"value": _plain(value), "from": origin} for path, (value, origin) in config.values.items()
        },
        "memory": {**memory._asdict(), "server": memory.server},
    }
    return json.dumps(found, ensure_ascii=False)
