"""`tyrusd reindex`: makes the index of games of a data directory anew from its journal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tyrusd.host.game_index import Rebuilt


@click.command("reindex", short_help="Make a server's index of games anew from its journal.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Data directory of the server.  [default: the user's data directory]",
)
@click.option(
    "--new-store", is_flag=True, help="If there is no store, make one without accounts, with games only."
)
@click.option("--drop-games", is_flag=True, help="Give up games of the index that the journal does not have.")
def command(data: Path | None, new_store: bool, drop_games: bool) -> None:
    """Make the index of games in the store anew from the journal; the server must not be running.

    Accounts, tokens and merged versions stay as they are. All is done, or nothing. A server mends its index
    by itself when it starts; this is for whoever does not want to start one, or not to trust that, or has
    lost the store or the journal and has no copy.
    """
    from tyrusd.commands.running import Failure, usage
    from tyrusd.commands.serve import data_directory
    from tyrusd.host.journal import JOURNAL, DataDirectory, JournalError
    from tyrusd.host.store import STORE
    from tyrusd.host.store_file import StoreError

    directory = data_directory(data)
    if not directory.is_dir():
        usage(f"there is no data directory {directory}: say --data")
    store, journal = directory / STORE, directory / JOURNAL
    if not journal.exists() and not (drop_games and store.exists()):
        raise Failure(f"there is no journal {journal}, so there is nothing to make an index of")
    if new_store and store.exists():
        usage(f"there is a store {store}: --new-store is for a directory that has none")
    if not (new_store or store.exists()):
        raise Failure(
            f"there is no store {store}: restore it from a copy; or, if there is none, make one with "
            "--new-store, which holds games only: accounts, tokens and merged versions are in no journal"
        )
    try:
        held = DataDirectory(directory)
        try:
            found, running, tail = _rebuilt(directory, new_store, drop_games)
        finally:
            held.close()
    except (JournalError, StoreError) as error:
        raise Failure(str(error)) from error
    click.echo(f"{store}: {_count(found.games)} in the index, {found.rated} of them rated; from {journal}")
    click.echo(f"  {found.missing} were missing, {found.wrong} wrong, {found.strays} not in the journal")
    if running:
        click.echo(f"  {_count(running)} without an end: the next server goes on with them, or ends them")
    if tail:
        click.echo(f"  {tail} bytes of an unfinished record at the end were passed over")
    if new_store:
        click.echo(
            f"warning: there was no {store}, so it is new and holds games only: accounts, tokens and merged "
            "versions are in no journal. If a copy turns up, restore that and say `tyrusd reindex` again",
            err=True,
        )


def _rebuilt(directory: Path, new: bool, drop: bool) -> tuple[Rebuilt, int, int]:
    """Rebuild the index; also the games without an end, and the bytes of an unfinished record."""
    import sys
    import time

    from tyrusd.commands.progress import Progress
    from tyrusd.host.game_index import rebuild
    from tyrusd.host.journal import JOURNAL
    from tyrusd.host.journal_rows import PIECE, JournalRows
    from tyrusd.host.store import Store

    path = directory / JOURNAL
    if not path.exists():  # and whoever asks for that gives all games up
        with Store(directory) as store:
            return rebuild(store, (), drop), 0, 0
    pieces = -(-path.stat().st_size // PIECE) * (1 + new)
    progress = Progress(pieces, "MiB", sys.stderr, time.monotonic)
    rows = JournalRows(path, progress.step if sys.stderr.isatty() else lambda: None)
    try:
        if new:  # nothing is made because of a journal that cannot be read
            for _ in rows:
                pass
        with Store(directory) as store:
            found = rebuild(store, rows, drop)
    finally:
        progress.clear()
    return found, rows.running, rows.tail


def _count(games: int) -> str:
    return "1 game" if games == 1 else f"{games} games"
