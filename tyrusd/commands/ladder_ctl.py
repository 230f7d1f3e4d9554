"""`tyrusd ladder-ctl`: asks a ladder that is being played, and changes how it goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from tyrusd.host.ladder.control import Request

_ACTIONS: Final = ("concurrency", "pause", "resume", "drop", "status")
_WITH_VALUE: Final = {"concurrency": "how many games", "drop": "which bot"}
_PATIENCE: Final = 8.0  # seconds; a run that stands still would let its operator wait for ever


@click.command("ladder-ctl", short_help="Ask or change a ladder that is being played.")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.argument("action", type=click.Choice(_ACTIONS), metavar="ACTION")
@click.argument("value", required=False)
@click.option("--json", "as_json", is_flag=True, help="With status: one JSON object on stdout.")
def command(folder: Path, action: str, value: str | None, as_json: bool) -> None:
    """Ask or change the ladder that is being played in DIR, the directory of its --out.

    ACTION is concurrency N: so many games at a time; pause: no game begins; resume: games begin again;
    drop BOT: the bot plays no more; status: how it stands.
    """
    from tyrusd.commands.running import Failure, usage
    from tyrusd.host.ladder.control import ControlError, NobodyPlays, ask
    from tyrusd.host.logs import escaped

    if (value is None) == (action in _WITH_VALUE):
        usage(f"{action} wants {_WITH_VALUE.get(action, 'nothing behind it')}")
    if as_json and action != "status":
        usage(f"{action} prints nothing that could be JSON")
    try:
        answer = ask(folder, _request(action, value or ""), _PATIENCE)
    except NobodyPlays as refusal:
        from tyrusd.host.ladder.absent import nobody_plays

        raise Failure(escaped(nobody_plays(folder))) from refusal
    except ControlError as refusal:
        raise Failure(escaped(str(refusal))) from refusal
    if action == "status":
        if as_json:
            click.echo(json.dumps(answer["status"]))
        else:
            for line in _lines(answer["status"]):
                click.echo(escaped(line))
    else:
        click.echo(escaped(answer["said"]))


def _request(action: str, value: str) -> Request:
    from tyrusd.commands.running import usage
    from tyrusd.host.ladder.control import MOST_GAMES, Concurrency, Drop, Pause, Resume, Status

    if action == "concurrency":
        if not (value.isascii() and value.isdigit() and 1 <= int(value[:9]) <= MOST_GAMES):
            usage(f"concurrency wants 1 to {MOST_GAMES} games, not {value!r}")
        return Concurrency(int(value))
    if action == "drop":
        return Drop(value)
    plain: dict[str, Request] = {"pause": Pause(), "resume": Resume(), "status": Status()}
    return plain[action]


def _lines(status: dict[str, Any]) -> list[str]:
    """A status as people read it."""
    total = "unknown" if status["total"] is None else status["total"]
    left = "" if status["left"] is None else f", {_duration(status['left'])} left"
    pace = "unknown" if status["pace"] is None else f"{status['pace']:g} games a minute"
    lines = [
        f"games: {status['games']} of {total}, {status['handed']} handed out",
        f"pace: {pace}{left}",
        f"concurrency: {status['concurrency']}, workers: {status['workers']}, process {status['pid']}",
    ]
    points = [f"{bot['name']} {bot['points']:g} of {bot['games']}" for bot in status["bots"]]
    lines.append(f"points of complete pairs: {', '.join(points)}")
    if status["sprt"]:
        test = status["sprt"]
        lines.append(
            f"LLR: {test['llr']:.2f} ({test['lower']:.2f} to {test['upper']:.2f}) after {test['pairs']} pairs"
        )
    if status["rounds"]:
        lines.append(f"round: {status['round']} of {status['rounds']}")
    for key in ("suspended", "dropped", "paused"):
        if status[key]:
            lines.append(f"{key}: {', '.join(status[key])}")
    if status["halted"]:
        lines.append(f"halted: {', '.join(' against '.join(pair) for pair in status['halted'])}")
    if status["ending"]:
        lines.append(f"ending: {status['ending']}")
    return lines


def _duration(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}"
