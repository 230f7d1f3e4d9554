"""`tyrusd merge`: one ladder out of shares that were played apart, perhaps on different machines."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("merge", short_help="Join shares of a ladder into one run.")
@click.argument("out", type=click.Path(path_type=Path))
@click.argument(
    "directories", nargs=-1, required=True, metavar="DIR...", type=click.Path(exists=True, path_type=Path)
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout instead of text.")
def command(out: Path, directories: tuple[Path, ...], as_json: bool) -> None:
    """Join shares of one ladder, each of a `tyrusd ladder --shard K/N --out DIR`, in a new directory OUT.

    OUT is a run like any other, for stats and report; `tyrusd ladder --resume OUT` plays what is missing.
    Shares that overlap, or that differ in plan, seed, versions or bots, are refused, and nothing is written.
    """
    import json
    import shlex

    from tyrusd.commands.ladder_ending import command_line
    from tyrusd.commands.running import Failure
    from tyrusd.host.journal import JournalError
    from tyrusd.host.ladder.merging import merge_runs

    try:
        merged = merge_runs(out, directories)
    except JournalError as error:
        raise Failure(str(error)) from error
    for note in merged.notes:
        click.echo(f"tyrusd: {note}", err=True)
    pairs = merged.tournament.standing()["pairs"]["complete"]
    total, over = merged.tournament.total_pairs, merged.tournament.over
    again = None if over else f"{command_line()} {shlex.join(['ladder', '--resume', str(out)])}"
    if as_json:
        told = {"directory": str(out), "shares": len(directories), "pairs": pairs, "total": total}
        click.echo(json.dumps({**told, "complete": over, "notes": merged.notes, "resume": again}))
        return
    word = "share" if len(directories) == 1 else "shares"
    click.echo(f"{len(directories)} {word} in {out}: {pairs} of {total} pairs are complete")
    if again is not None:
        click.echo(again)
