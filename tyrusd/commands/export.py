"""`tyrusd export`: the finished games of a record file or journal, one JSON object a line."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("export", short_help="Print the games of a record file.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object a line and game (the only format for now)."
)
def command(file: Path, as_json: bool) -> None:
    """Print the finished games of FILE, a record of `tyrusd match --record` or a server's journal.

    A file that ends in the middle of a record, as after a power cut, is printed up to there (exit code 1).
    """
    from tyrusd.commands.running import Failure, usage
    from tyrusd.league.export import export_lines
    from tyrusd.league.record import BadRecord, whole_frames

    if not as_json:
        usage("choose a format: --json")
    try:
        data = file.read_bytes()
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}") from error
    try:
        frames, tail = whole_frames(data)
        for line in export_lines(frames):
            click.echo(line)
    except BadRecord as bad:
        raise Failure(f"{file}: {bad}") from bad
    if tail is not None:
        raise Failure(f"{file}: {tail}")
