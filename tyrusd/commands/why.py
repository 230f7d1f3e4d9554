"""`tyrusd why`: why a finished game ended as it did, from its record and the logs of its seats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tyrusd.host.accounts import Account, SeatAccount

_WIDE = 150  # signs of a line that are shown; --log shows all


@click.command("why", short_help="Tell why a finished game ended as it did.")
@click.argument("game")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Data directory of a server.  [default: the user's data directory]",
)
@click.option(
    "--record",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Record of a match, instead.",
)
@click.option("--log", "whole", is_flag=True, help="Show every line of the logs.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object with everything.")
def command(game: str, data: Path | None, record: Path | None, whole: bool, as_json: bool) -> None:
    """Tell why GAME (g12, p3-1 of a ladder, or a number) ended so: the lines, the clock, the last words.

    The server may be running meanwhile. Logs are kept of games that the board did not decide, and for a
    server's bots of their last hundred games.
    """
    from tyrusd.commands.running import Failure, usage
    from tyrusd.host.accounts import NoAccount, game_id, read_account

    if data is not None and record is not None:
        usage("--data and --record cannot both be given: a game is either a server's or a match's")
    hint = ""
    if data is None and record is None:
        import platformdirs

        data = platformdirs.user_data_path("tyrusd")
        hint = "; that is the server of this user: give --data DIR for another, --record FILE for a match"
    try:
        account = read_account(game_id(game), data=data, record=record)
    except NoAccount as error:
        raise Failure(f"{error}{hint}") from error
    source = str(data if record is None else record)
    if as_json:
        click.echo(json.dumps({"source": source, **_object(account)}))
        return
    for line in _lines(account, source, whole):
        click.echo(line)


def _object(account: Account) -> dict[str, Any]:
    head = None if account.record is None else account.record["game"]
    told = {"game": account.game, "number": None if head is None else head["number"]}
    for key in ("variant", "winner", "reason", "detail"):
        told[key] = None if head is None else head[key]
    told["names"] = None if head is None else head["seats"]
    told["placed"] = None if head is None else len(head["placements"])
    told["seats"] = {side: seat.as_object() for side, seat in account.seats.items()}
    return told


def _lines(account: Account, source: str, whole: bool) -> Iterator[str]:
    from tyrusd.host.logs import escaped
    from tyrusd.wire import REASONS

    if account.record is None:
        yield f"game {account.game} of {escaped(source)}: its result could not be stored"
    else:
        head = account.record["game"]
        names = head["seats"]
        yield (
            f"game {account.game} of {escaped(source)}: {names['ivory']} (ivory) against "
            f"{names['brown']} (brown), {head['variant']}, tiles placed: {len(head['placements'])}"
        )
        winner = head["winner"]
        detail = f" ({head['detail']})" if head["detail"] else ""
        won = "nobody won" if winner is None else f"{names[winner]} ({winner}) won"
        yield f"{won}: {head['reason']}{detail}"
        if not account.seats:
            yield REASONS[head["reason"]]
    if not account.seats:
        yield "no log of this game was kept"
    for side, seat in account.seats.items():
        yield ""
        yield from _seat(side, seat, whole)


def _seat(side: str, seat: SeatAccount, whole: bool) -> Iterator[str]:
    verdict = seat.verdict
    at_fault = verdict.outcome != "won" and bool(seat.lines or seat.last_words)
    yield f"{side}: {verdict.outcome}"
    if verdict.outcome != "won" or whole:
        yield f"  {seat.reason}"
    facts = [f"clock {verdict.clock}", f"cap {verdict.cap}"]
    if verdict.time is not None:
        facts.append(f"{verdict.time} ms left on the clock")
    facts += [f"illegal placements: {verdict.refused or 0}", f"error lines: {verdict.errors or 0}"]
    yield f"  {', '.join(facts)}"
    lines = seat.lines if whole else seat.broken if at_fault else []
    if lines:
        yield (
            "  every line of the seat:" if whole else "  the last request and what followed (ms, who, line):"
        )
    for line in lines:
        text = line.text if whole or len(line.text) <= _WIDE else f"{line.text[: _WIDE - 1]}…"
        yield f"  {line.ms:8d} {line.direction} {text}"
    if seat.last_words:
        yield "  the end of its error output:"
    for text in seat.last_words:
        yield f"           {text}"
