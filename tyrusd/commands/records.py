"""`tyrusd records`: whether a record file is whole, and a new file of what is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tyrusd.league.salvage import Salvaged


@click.command("records", short_help="Check a record file or journal; repair a damaged one.")
@click.argument("action", type=click.Choice(["check"]), metavar="ACTION")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--repair",
    type=click.Path(path_type=Path),
    metavar="NEW",
    help="Write all whole records to this new file.",
)
def command(action: str, file: Path, repair: Path | None) -> None:
    """Check that all records of FILE are whole and true; FILE itself is never changed.

    ACTION is check. FILE is a record of `tyrusd match --record`, or the journal of a server or a ladder.
    """
    from tyrusd.commands.running import Failure, usage
    from tyrusd.league.record import HEADER, BadRecord
    from tyrusd.league.salvage import salvage

    if repair is not None and repair.exists():
        usage(f"{repair} exists already: choose another name, a repair never overwrites")
    try:
        data = file.read_bytes()
        if repair is None:
            click.echo(f"{file}: {_checked(data)}")
            return
        found = salvage(data)
        _write(repair, data, found)
    except OSError as error:
        raise Failure(f"{error.filename or file}: {error.strerror}") from error
    except BadRecord as bad:
        # Of a file that is no record at all, nothing could be kept.
        hint = f"; {_repairing(file)}" if repair is None and bad.offset >= len(HEADER) else ""
        raise Failure(f"{file}: {bad}{hint}") from bad
    for line in _told(found):
        click.echo(line)
    click.echo(f"{repair}: {len(found.frames)} records")


def _checked(data: bytes) -> str:
    """Say what a file holds; raises BadRecord at the first record that is not whole or not true."""
    from tyrusd.league.fold import fold
    from tyrusd.league.record import BadRecord, read_frames
    from tyrusd.league.replay import resumed, verify

    frames = list(read_frames(data))
    folded = fold(frames)
    offsets = {payload["id"]: at for at, payload in frames if payload["kind"] in ("opened", "game")}
    for game, offset in offsets.items():
        try:
            if game in folded.finished:
                verify(folded.finished[game])
            else:
                resumed(folded.running[game])
        except ValueError as error:
            raise BadRecord(offset, f"game {game}: {error}") from error
    games = f"{len(folded.finished)} games finished, {len(folded.running)} running"
    return f"{len(frames)} records, {games}; all is well"


def _repairing(file: Path) -> str:
    import shlex

    return f"`tyrusd records check {shlex.quote(str(file))} --repair NEW` writes all that is whole to NEW"


def _write(path: Path, data: bytes, found: Salvaged) -> None:
    import os

    from tyrusd.league.record import HEADER
    from tyrusd.league.salvage import framed

    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as new:
        new.write(HEADER)
        new.writelines(framed(data, at) for at, _ in found.frames)
        new.flush()
        os.fsync(new.fileno())


def _told(found: Salvaged) -> list[str]:
    """Say what a repair has left out."""
    lines = [f"left out: {gap.size} bytes at byte {gap.offset}: {gap.what}" for gap in found.gaps]
    for game, count in found.left_out.items():
        records = "1 record" if count == 1 else f"{count} records"
        lines.append(f"left out: {records} of game {game}, which contradict what is left of it")
    return lines
