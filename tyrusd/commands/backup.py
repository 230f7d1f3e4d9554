"""`tyrusd backup`: a copy of a server's data directory, also while it runs."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("backup", short_help="Copy the data of a server, also while it runs.")
@click.argument("target", metavar="DEST", type=click.Path(path_type=Path))
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Data directory of the server.  [default: the user's data directory]",
)
def command(target: Path, data: Path | None) -> None:
    """Copy the data directory of a server to the new directory DEST, on which a server can be started.

    It need not be stopped: whole records of its journal are copied, and its accounts as of one moment.
    """
    from tyrusd.commands.running import Failure, usage
    from tyrusd.commands.serve import data_directory
    from tyrusd.host.backup import BackupError, back_up

    directory = data_directory(data)
    if not directory.is_dir():
        usage(f"there is no data directory {directory}: say --data")
    try:
        copied = back_up(directory, target)
    except BackupError as error:
        raise Failure(str(error)) from error
    for entry in copied:
        click.echo(f"{target / entry.name}: {entry.what}")
