"""The rows of the index as a journal has them: for `tyrusd reindex`, and where a server left rows out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Final

import trio

from tyrusd.host.game_index import hashes, put
from tyrusd.host.journal import JOURNAL, JournalError, damaged
from tyrusd.host.ladder.process import search_path
from tyrusd.host.store import Store
from tyrusd.host.store_file import StoreError
from tyrusd.league.fold import Folded, add
from tyrusd.league.framing import as_frame, read_pieces
from tyrusd.league.game_row import GameRow, row_of
from tyrusd.league.record import BadRecord, Payload

PIECE: Final = 1 << 20  # bytes of a journal that are read at once
NICE: Final = 10  # games come first
_COMMAND: Final = (sys.executable, "-P", "-m", "tyrusd.host.journal_rows")
_LONGEST: Final = 300  # characters of its error output


class JournalRows:
    """The finished games of a journal, a row each in the order of their ends; they can be read again.

    An unfinished record at the end, such as a killed server leaves, is passed over: `tail` tells its bytes.
    running: games without an end. read: hears of each piece that was read. Reading raises JournalError for a
    journal that is missing, damaged, or contradicts itself.
    """

    def __init__(self, path: Path, read: Callable[[], None] = lambda: None) -> None:
        self.path = path
        self.running = 0
        self.tail = 0
        self._read = read

    def __iter__(self) -> Iterator[GameRow]:
        """Read the journal from its beginning."""
        folded: Folded[bytes] = Folded({}, {}, {}, {}, {})
        self.tail = 0
        try:
            with self.path.open("rb") as file:
                for offset, payload in read_pieces(self._pieces(partial(file.read, PIECE))):
                    game, repeats = payload.get("id", ""), None
                    is_end = payload["kind"] == "game" and game not in folded.finished
                    if is_end and game in folded.running:
                        repeats = folded.running[game].opened.get("repeats")
                    add(folded, offset, payload, _digest)
                    if is_end:
                        yield row_of(payload, repeats)
        except BadRecord as bad:
            if not bad.last:
                raise JournalError(damaged(self.path, bad)) from bad
            self.tail = self.path.stat().st_size - bad.offset
        except FileNotFoundError as error:
            raise JournalError(f"there is no journal {self.path}: nothing was changed") from error
        except OSError as error:
            raise JournalError(f"{self.path} cannot be read: {error.strerror}") from error
        self.running = len(folded.running)

    def _pieces(self, read: Callable[[], bytes]) -> Iterator[bytes]:
        while piece := read():
            yield piece
            self._read()


def _digest(record: Payload) -> bytes:
    return blake2b(as_frame(record), digest_size=8).digest()


def compare(data: Path) -> int:
    """Mend the index, also while a server writes it and the journal; return how many rows were not right.

    Games that only the index has stay in it: the next start tells of them.

    Raises JournalError and StoreError.
    """
    with Store(data, make=False) as store:
        # The index first: whatever is in it by now is in the journal already.
        known = hashes(store)
        missing = [row for row in JournalRows(data / JOURNAL) if known.get(row.id) != hash(row)]
        put(store, missing)
    return len(missing)


async def compare_beside(data: Path) -> None:
    """Do the same in a process of its own, since it may take a minute; raises StoreError if that fails."""
    try:
        done = await trio.run_process(
            [*_COMMAND, str(data)],
            capture_stdout=True,
            capture_stderr=True,
            check=False,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(search_path())},
        )
    except OSError as error:
        raise StoreError(f"the index cannot be compared with the journal: {error.strerror}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit {done.returncode}"]
        raise StoreError(f"the index cannot be compared with the journal: {said[-1][:_LONGEST]}")


def main() -> int:
    """Compare the index of the data directory that is the only argument; a sentence on stderr if it fails."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    try:
        compare(Path(sys.argv[1]))
    except (StoreError, JournalError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
