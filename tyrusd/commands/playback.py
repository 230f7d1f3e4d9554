"""`tyrusd playback`: a bot is asked what a seat of a recorded game was asked; does it decide the same?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tyrusd.commands.options import SEAT

if TYPE_CHECKING:
    from tyrusd.core.playback import Playback
    from tyrusd.core.seatspec import SeatSpec


@click.command("playback", short_help="Ask a bot again what it was asked in a recorded game.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("game")
@click.argument("seat", type=SEAT)
@click.option(
    "--as", "side", type=click.Choice(["ivory", "brown"]), required=True, help="The seat that the bot takes."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout instead of lines.")
def command(file: Path, game: str, seat: SeatSpec, side: str, as_json: bool) -> None:
    """Ask SEAT (plugin: or exec:) what a seat of GAME in FILE was asked, request by request.

    FILE is a record of `tyrusd match --record` or a server's journal, GAME an id such as g12, a number, or,
    of a ladder, p3-1. The bot gets the recorded view, seed and clock. It ends at the first decision that
    differs from the record, at an illegal one, a timeout or a crash (exit code 5), or at its end (code 0).
    """
    import logging

    from tyrusd.commands.running import FAILED_STEPS, Failure, Interruption, run, usage
    from tyrusd.host import logs
    from tyrusd.host.accounts import NoAccount, game_id, read_record
    from tyrusd.host.programs import NoProgram, program_for
    from tyrusd.rules.pieces import SIDE_OF_WORD

    logs.configure(logging.WARNING, stamped=False)
    if seat.kind == "tcp":
        usage("a playback starts the bot itself: SEAT is plugin:NAME or exec:COMMAND LINE")
    try:
        program_for(seat)
        record = read_record(file, game_id(game))
    except NoProgram as error:
        usage(str(error))
    except NoAccount as error:
        raise Failure(str(error)) from error

    async def main() -> tuple[Playback, str, bool]:
        from tyrusd.host.playing_back import run_playback

        return await run_playback(record, SIDE_OF_WORD[side], seat)

    playback, words, ended = run(main)
    if playback.failure is not None:
        raise Failure(playback.failure)
    if not ended:
        raise Interruption("interrupted")
    found = _found(playback, words)
    if as_json:
        click.echo(json.dumps(found))
    else:
        for line in _lines(found):
            click.echo(line)
    if found["result"] != "same":
        click.get_current_context().exit(FAILED_STEPS)


def _found(playback: Playback, words: str) -> dict[str, Any]:
    """What came of a playback, as plain data."""
    from tyrusd.core.playback import DIFFERENT

    table, head = playback.table, playback.record["game"]
    assert table is not None
    outcome, decisions = table.match.game.outcome, table.decisions
    assert outcome is not None
    result = "same"
    if outcome.detail == DIFFERENT:
        result = "different"
    elif outcome.reason in ("illegal", "timeout", "crashed", "protocol"):
        result = outcome.reason
    open_one = table.open_at_end
    last = decisions[-1]._asdict() if decisions else None
    if result in ("timeout", "crashed", "protocol") and open_one is not None:
        number = open_one.number
        last = {"request": number, "sight": table.sight, "recorded": table.recorded(number)}
    agreed = sum(decision.recorded == decision.placed for decision in decisions)
    return {
        "game": playback.record["id"],
        "side": playback.side.word,
        "seat": str(playback.spec),
        "result": result,
        "detail": outcome.detail if result not in ("same", "different") else "",
        "agreed": agreed,
        "decisions": len(decisions),
        "recorded_end": head["reason"],
        "last": last,
        "error_output": words.splitlines()[-20:],
    }


def _lines(found: dict[str, Any]) -> Iterator[str]:
    last, result = found["last"], found["result"]
    yield f"game {found['game']}, {found['side']}: {found['seat']} was asked as in the record"
    yield f"decisions that are the same: {found['agreed']}"
    if result == "same":
        if last is not None and last["recorded"] is None:
            yield (
                f"request {last['request']} has no answer in the record, which ends by "
                f"{found['recorded_end']}; now it is answered: {last['placed']} ({last['waited']} ms)"
            )
        else:
            yield "all the same"
        return
    if last is None:
        yield f"{result} ({found['detail']}) before the first decision"
    else:
        recorded = last["recorded"] or f"nothing (the record ends by {found['recorded_end']})"
        what = f"{result} ({found['detail']})" if found["detail"] else result
        yield f"request {last['request']}: {what}"
        yield f"  recorded: {recorded}"
        if "placed" in last:
            yield f"  now:      {last['placed']} ({last['waited']} ms)"
        yield f"  it saw:   {last['sight']}"
    if found["error_output"]:
        yield "  the end of its error output:"
    for line in found["error_output"]:
        yield f"    {''.join(sign if sign.isprintable() else ' ' for sign in line)}"
