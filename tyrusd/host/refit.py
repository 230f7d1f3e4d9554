"""Fits the ratings of a store: `python -m tyrusd.host.refit` is the process in which a server has that done.

A process of its own, since what a fit computes would make all connections wait (docs/performance.md).
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sqlite3
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgpack
import trio

from tyrusd.host.ladder.process import search_path
from tyrusd.host.limits import MIB
from tyrusd.host.met import met
from tyrusd.host.store import PATIENCE
from tyrusd.host.store_file import StoreError, failure
from tyrusd.host.store_ratings import Known, begun, known, rated_games
from tyrusd.league.rated import Version
from tyrusd.league.standing_table import RatingRow, RatingTable, Versus, rating_table

LIMIT: Final = 600.0  # seconds that a fit may take
MEMORY: Final = 1024  # MiB of addresses that it may have
TOO_LARGE: Final = 3  # the exit status of a process that wanted more
NICE: Final = 10  # games come first
COMMAND: Final = (sys.executable, "-P", "-m", "tyrusd.host.refit")
_LONGEST: Final = 1000  # characters of its error output
_SHOWN: Final = 300


class RefitError(Exception):
    """The ratings could not be fitted; the text is a sentence."""


def fit(
    path: Path, anchors: Mapping[str, int], provisional: int, most: int | None = None
) -> tuple[RatingTable, Known]:
    """Rate all games of the store at `path`, which is only read, and tell what they were.

    most: as in rating_table.

    Raises StoreError, RefitError for what cannot be rated, ImportError without numpy.
    """
    try:
        database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=PATIENCE, uri=True)
        try:
            database.execute("BEGIN")
            found = known(database)
            table = rating_table(rated_games(database), found.merges, anchors, provisional, most)
            table = replace(table, begun=begun(database))
        finally:
            database.close()
    except sqlite3.Error as error:
        raise failure(path, error) from error
    except ValueError as error:
        raise RefitError(f"{path}: {error}") from error
    return table, found


async def fit_beside(
    path: Path, anchors: Mapping[str, int], provisional: int, most: int | None = None
) -> tuple[RatingTable, Known]:
    """Do the same in a process of its own, killed when this is cancelled; raises RefitError."""
    wanted = {"path": str(path), "anchors": dict(anchors), "provisional": provisional, "most": most}
    try:
        with trio.fail_after(LIMIT):
            done = await trio.run_process(
                COMMAND,
                stdin=json.dumps(wanted).encode(),
                capture_stdout=True,
                capture_stderr=True,
                check=False,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(search_path()), "OPENBLAS_NUM_THREADS": "1"},
            )
    except trio.TooSlowError:
        met("fit")
        raise RefitError(f"fitting the ratings took more than {LIMIT:g} s") from None
    except OSError as error:
        raise RefitError(f"the process that fits the ratings cannot start: {error.strerror}") from error
    if done.returncode == TOO_LARGE:
        met("fit_memory")
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace")[-_LONGEST:].strip().splitlines()
        why = said[-1][:_SHOWN] if said else f"exit status {done.returncode}"
        raise RefitError(f"the ratings cannot be fitted: {why}")
    try:
        return await trio.to_thread.run_sync(read, done.stdout)
    except (ValueError, TypeError, LookupError, msgpack.UnpackException) as error:
        raise RefitError(f"what the process that fits the ratings said cannot be read: {error}") from error


def write(table: RatingTable, found: Known) -> bytes:
    """Pack what `read` reads."""
    packed: bytes = msgpack.packb(
        {
            "rows": [[*row.version, *row[1:]] for row in table.rows],
            "versus": table.versus.packed,
            "sides": table.sides,
            "games": table.games,
            "begun": table.begun,
            "rated": found.rated,
            "merges": [[*old, *new] for old, new in found.merges.items()],
        }
    )
    return packed


def read(packed: bytes) -> tuple[RatingTable, Known]:
    """Unpack a table, in a thread: who met whom stays packed, and the rows are found by name from here on."""
    found = msgpack.unpackb(packed, use_list=False, strict_map_key=False)
    rows = tuple(RatingRow(Version(row[0], row[1]), *row[2:]) for row in found["rows"])
    versus = Versus(tuple(row.version for row in rows), found["versus"])
    merges = {Version(*row[:2]): Version(*row[2:]) for row in found["merges"]}
    table = RatingTable(rows, versus, found["sides"], found["games"], found["begun"])
    return table, Known(found["rated"], merges)


def bound() -> None:
    """Let this process have so much memory and no more: the server's machine is not for ratings alone."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY * MIB, MEMORY * MIB))


def main() -> int:
    """Read what is wanted from stdin, write the table to stdout; one sentence on stderr when it fails."""
    bound()
    wanted = json.load(sys.stdin)
    with contextlib.suppress(OSError):  # a unit of systemd may forbid it
        os.nice(NICE)
    try:
        packed = write(*fit(Path(wanted["path"]), wanted["anchors"], wanted["provisional"], wanted["most"]))
    except MemoryError:
        sys.stderr.write(f"that takes more than {MEMORY} MiB of memory; lower limits.ladder-versions\n")
        return TOO_LARGE
    except (StoreError, RefitError, ImportError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.buffer.write(packed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
