"""The store: accounts and their keys in one SQLite file that several processes may use at a time."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.host.store_file import StoreError, checked, failure
from tyrusd.host.store_place import Place

STORE: Final = "store.sqlite"
PATIENCE: Final = 10.0  # seconds that a locked store is waited for


class KeyEntry(NamedTuple):
    """What the store tells of a token or a seat code; times are ISO 8601 in UTC."""

    account: str
    sort: str
    label: str | None
    created: str
    used: str | None
    revoked: str | None


class Store:
    """The open store of a data directory; one thread at a time works on it.

    patience: seconds to wait while others write; make: make the store if it is not there, which hides that
    one was lost (see `lost_store`). Every method raises StoreError, whose text is a sentence; a file that is
    damaged, of another version, or not ours is left as it is. StoreGoneError: another file, or none,
    is at its place now; `reopen` is for that.
    """

    def __init__(self, data: Path, patience: float = PATIENCE, make: bool = True) -> None:
        self.path = data / STORE
        self._turn = threading.RLock()  # one connection for all: what we change ourselves is no news to us
        self._patience = patience
        self._database, self._place = self._open(make)
        self._seen = self._changes()

    def _open(self, make: bool) -> tuple[sqlite3.Connection, Place]:
        checked(self.path, self._patience, make)
        try:
            database = sqlite3.connect(
                self.path, timeout=self._patience, isolation_level=None, check_same_thread=False
            )
            try:
                before = Place(self.path)
                database.execute("PRAGMA synchronous = FULL")
                database.execute("PRAGMA foreign_keys = ON")
                database.execute("SELECT 1 FROM account LIMIT 1").fetchone()  # opens all of its files
                before.check()
                return database, Place(self.path)
            except BaseException:
                database.close()
                raise
        except sqlite3.Error as error:
            raise failure(self.path, error) from error

    def reopen(self) -> None:
        """After StoreGoneError: take the store that is there now; raises StoreError if that is no good one.

        What SQLite left there of the store before would be read as if it belonged to the new one. It is
        removed if nobody has written into it since our last look; else it is for a person to decide.
        """
        with self._turn:
            if not self.path.exists():
                self._place.check()
            try:
                left = self._place.left()
                if left and self._changes() != self._seen:
                    raise StoreError(
                        f"{self.path} was replaced while others wrote into it, and may be mixed up: remove "
                        f"{' and '.join(map(str, left))}, and restore the copy again"
                    )
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()  # of the one before
                self._place.clear()
            except sqlite3.Error as error:
                raise failure(self.path, error) from error
            except OSError as error:
                raise StoreError(f"{self.path} cannot be opened again: {error.strerror}") from error
            database, place = self._open(make=False)
            self.close()
            self._database, self._place = database, place
            self._seen = self._changes()

    def close(self) -> None:
        """Give the file back."""
        with contextlib.suppress(sqlite3.Error):
            self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- reading -------------------------------------------------------------------------------------------

    def version(self) -> int:
        """Return a number that changes whenever somebody else has changed the store."""
        with self._failures():
            self._seen = self._changes()
            return self._seen

    def fold(self) -> None:
        """Bring what was written into the file itself, unless others are at work.

        Then nothing is beside it that would be mixed up with a copy that somebody puts into its place.
        """
        with self._failures():
            if not self._place.has_log():
                return
            before = self._changes()
            self._database.execute("PRAGMA busy_timeout = 0")
            try:
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                self._database.execute(f"PRAGMA busy_timeout = {int(self._patience * 1000)}")
            if self._seen == before:
                self._seen = self._changes()

    def accounts(self) -> Accounts:
        """Return all that decides who may come in."""
        with self._failures(), self._transaction("BEGIN"):
            accounts = self.list_accounts()
            keys = self._database.execute(
                "SELECT digest, account, sort, used IS NOT NULL FROM key WHERE revoked IS NULL"
            ).fetchall()
        return Accounts(accounts, [Key(bytes(row[0]), row[1], row[2], bool(row[3])) for row in keys])

    def list_accounts(self) -> list[Account]:
        """Return all accounts in the order of their names."""
        with self._failures():
            rows = self._database.execute(
                "SELECT name, kind, display, owner, disabled FROM account ORDER BY name COLLATE NOCASE"
            ).fetchall()
        return [Account(row[0], row[1], row[2], row[3], bool(row[4])) for row in rows]

    def list_keys(self) -> list[KeyEntry]:
        """Return what is known of all keys, the oldest first."""
        with self._failures():
            rows = self._database.execute(
                "SELECT account, sort, label, created, used, revoked FROM key ORDER BY rowid"
            ).fetchall()
        return [KeyEntry(*row) for row in rows]

    def houses(self) -> list[str]:
        """Return the names that bots of the server had when it was last started."""
        with self._failures():
            return [row[0] for row in self._database.execute("SELECT name FROM house")]

    # -- writing -------------------------------------------------------------------------------------------

    def add(self, account: Account) -> bool:
        """Add an account; False if the name is taken, ignoring case, by an account or a house bot."""
        with self._failures(), self._transaction():
            taken = self._database.execute(
                "SELECT 1 FROM account WHERE name = ?1 UNION SELECT 1 FROM house WHERE name = ?1",
                (account.name,),
            ).fetchone()
            if taken:
                return False
            self._database.execute(
                "INSERT INTO account (name, kind, display, owner, disabled, created)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (account.name, account.kind, account.display, account.owner, int(account.disabled), _now()),
            )
        return True

    def add_key(self, key: Key, label: str | None = None) -> bool:
        """Add a token or seat code; False if there is no such account."""
        with self._failures(), self._transaction():
            row = self._database.execute("SELECT name FROM account WHERE name = ?", (key.account,)).fetchone()
            if row is None:
                return False
            self._database.execute(
                "INSERT INTO key (digest, account, sort, label, created) VALUES (?, ?, ?, ?, ?)",
                (key.digest, row[0], key.sort, label, _now()),
            )
        return True

    def revoke(self, account: str, label: str | None = None) -> int:
        """Revoke the keys of an account, or those with a label; return how many that were."""
        with self._failures(), self._transaction():
            return self._database.execute(
                "UPDATE key SET revoked = ?1 WHERE account = ?2 AND revoked IS NULL"
                " AND (?3 IS NULL OR label = ?3)",
                (_now(), account, label),
            ).rowcount

    def disable(self, account: str, disabled: bool) -> bool:
        """Disable or enable an account; False if there is none of that name."""
        with self._failures(), self._transaction():
            changed = self._database.execute(
                "UPDATE account SET disabled = ? WHERE name = ?", (int(disabled), account)
            )
            return changed.rowcount == 1

    def set_display(self, account: str, display: str | None) -> bool:
        """Give an account another display name, or none; False if there is no account of that name."""
        with self._failures(), self._transaction():
            changed = self._database.execute(
                "UPDATE account SET display = ? WHERE name = ?", (display, account)
            )
            return changed.rowcount == 1

    def use_code(self, digest: bytes) -> bool:
        """Mark a seat code as used, durably; False if it was used before, or is worth nothing."""
        with self._failures(), self._transaction():
            changed = self._database.execute(
                "UPDATE key SET used = ? WHERE digest = ? AND sort = 'code' AND used IS NULL"
                " AND revoked IS NULL AND account IN (SELECT name FROM account WHERE NOT disabled)",
                (_now(), digest),
            )
            return changed.rowcount == 1

    def keep_houses(self, names: Iterable[str]) -> list[str]:
        """Remember the names of the server's bots; if some are accounts, return those and change nothing."""
        with self._failures(), self._transaction():
            wanted = sorted(names, key=str.lower)
            known = {row[0].lower() for row in self._database.execute("SELECT name FROM account")}
            taken = [name for name in wanted if name.lower() in known]
            if not taken and wanted != sorted(self.houses(), key=str.lower):
                self._database.execute("DELETE FROM house")
                self._database.executemany(
                    "INSERT INTO house (name) VALUES (?)", [(name,) for name in wanted]
                )
            return taken

    # -- for the other tables ------------------------------------------------------------------------------

    @contextmanager
    def transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[sqlite3.Connection]:
        """Work on the tables of whoever asks, all or nothing; `BEGIN` is enough for reading."""
        with self._failures(), self._transaction(begin):
            yield self._database

    # -- inside --------------------------------------------------------------------------------------------

    def _changes(self) -> int:
        return int(self._database.execute("PRAGMA data_version").fetchone()[0])

    @contextmanager
    def _failures(self) -> Iterator[None]:
        with self._turn:
            self._place.check()
            try:
                yield
            except sqlite3.Error as error:
                raise failure(self.path, error) from error

    @contextmanager
    def _transaction(self, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
        self._database.execute(begin)
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            raise
        self._place.check()  # or what was kept was kept in a file that nobody will find


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def open_to_owner_only(data: Path) -> None:
    """Make a data directory that only its owner can read, if there is none; raises StoreError."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"the data directory {data} cannot be used: {error.strerror}") from error
