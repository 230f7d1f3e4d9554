"""`tyrusd admin`: asks a running server through the socket in its data directory, and changes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tyrusd.commands.admin_event import event_lines, typed_event
from tyrusd.commands.admin_typed import AdminCommand, wrong_field
from tyrusd.core.operator_words import ARGUMENTS

if TYPE_CHECKING:
    from tyrusd.core.operator_words import Word

_PATIENCE: Final = 30.0  # seconds for an answer
_OPTIONAL: Final = {"ban": 1}  # arguments that may be left out


@click.command("admin", cls=AdminCommand, short_help="Ask or change a server that runs.")
@click.argument("word", type=click.Choice(list(ARGUMENTS)), metavar="WORD")
@click.argument("arguments", nargs=-1, metavar="[ARGUMENTS]...")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Data directory of the server.  [default: the user's data directory]",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout; of watch one a line.")
def command(word: str, arguments: tuple[str, ...], data: Path | None, as_json: bool) -> None:
    """Ask or change the server that runs on a data directory.

    WORD is status, who, games, bans; watch GAME; abort GAME; adjudicate GAME I|B|draw; kick NAME; ban
    HOST|NAME [MINUTES]; unban HOST|NAME; announce TEXT; pause, resume (new games); reload (as SIGHUP does);
    drain (as SIGTERM does); event open|close|start|pause|go-on|drop|cancel|print|list (club events).
    """
    import msgspec

    from tyrusd.commands.running import Failure
    from tyrusd.commands.serve import data_directory
    from tyrusd.host.console import DOOR
    from tyrusd.host.local_socket import LocalSocketError, ask_door
    from tyrusd.host.logs import escaped

    request = msgspec.json.encode(_word(word, arguments))
    show = _SHOW.get(word, _lines)
    try:
        for answer in ask_door(data_directory(data), DOOR, request, _PATIENCE):
            if "error" in answer:
                raise Failure(escaped(str(answer["error"])))
            if as_json:
                click.echo(json.dumps(answer.get("ok", answer)))
                continue
            for line in [str(answer["line"])] if "line" in answer else show(answer["ok"]):
                click.echo(escaped(line))
    except LocalSocketError as error:
        raise Failure(escaped(str(error))) from error


def _word(word: str, arguments: tuple[str, ...]) -> Word:
    """The value of what was typed; refused if it cannot be one."""
    import msgspec

    from tyrusd.commands.running import usage

    kind, shown = ARGUMENTS[word]
    if word == "event":
        try:
            return msgspec.convert({"do": word, **typed_event(arguments)}, kind)
        except msgspec.ValidationError as error:
            usage(f"admin event wants {shown}: {wrong_field(str(error), typed_event(arguments))}")
        except ValueError as error:
            usage(f"admin event wants {shown}: {error}")
    names = kind.__struct_fields__
    typed = (" ".join(arguments),) if word == "announce" and arguments else arguments
    if not len(names) - _OPTIONAL.get(word, 0) <= len(typed) <= len(names):
        usage(f"admin {word} wants {shown or 'nothing behind it'}")
    values: dict[str, Any] = dict(zip(names, typed, strict=False))
    if "minutes" in values:
        minutes = values["minutes"]
        if not (minutes.isascii() and minutes.isdigit() and len(minutes) < 10):
            usage(f"a ban lasts a whole number of minutes, not {minutes!r}")
        values["minutes"] = int(minutes)
    try:
        return msgspec.convert({"do": word, **values}, kind)
    except msgspec.ValidationError as error:
        usage(f"admin {word} wants {shown}: {wrong_field(str(error), values)}")


def _lines(told: Mapping[str, Any]) -> Iterable[str]:
    """An answer as `key: value` lines."""
    return [f"{key}: {_told(key, value)}" for key, value in told.items()]


def _told(key: str, value: Any) -> str:
    """A value under its name; a ban without an end is one that lasts until somebody lifts it."""
    return "lifted" if key == "until" and value is None else _text(value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(map(str, value)) or "-"
    return "-" if value is None else str(value)


def _table(rows: list[Mapping[str, Any]], columns: tuple[str, ...]) -> list[str]:
    """Rows under the names of their columns."""
    cells = [columns, *[tuple(_told(column, row[column]) for column in columns) for row in rows]]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]


def _who(told: Mapping[str, Any]) -> list[str]:
    lines = _table(
        told["players"], ("name", "kind", "state", "host", "account", "agent", "games", "silent", "away")
    )
    if told["new"]:
        hosts = ", ".join(sorted({entry["host"] for entry in told["new"]}))
        lines.append(f"without a hello: {len(told['new'])} from {hosts}")
    return lines


def _games(told: Mapping[str, Any]) -> list[str]:
    return _table(
        told["games"],
        ("game", "ivory", "brown", "state", "election", "won", "placed", "move", "watchers", "seconds"),
    )


def _bans(told: Mapping[str, Any]) -> list[str]:
    return _table(told["bans"], ("who", "until"))


def _event(told: Mapping[str, Any]) -> Iterable[str]:
    return event_lines(told, _table)


def _watching(told: Mapping[str, Any]) -> list[str]:
    return []  # the lines of the game follow


_SHOW: Final[Mapping[str, Callable[[Mapping[str, Any]], Iterable[str]]]] = {
    "who": _who,
    "games": _games,
    "bans": _bans,
    "watch": _watching,
    "event": _event,
}
