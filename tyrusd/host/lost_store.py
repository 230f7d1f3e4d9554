"""Notices that a store was lost: there is a journal of people with accounts, and no store that has these."""

from __future__ import annotations

import logging
import os
import shlex
from functools import partial
from pathlib import Path
from typing import Final

from tyrusd.host.journal import JOURNAL, damaged
from tyrusd.host.store import STORE
from tyrusd.host.store_file import StoreError
from tyrusd.league.framing import read_pieces
from tyrusd.league.record import BadRecord, Payload

_PIECE: Final = 1 << 20  # bytes of a journal that are read at once

_log = logging.getLogger("tyrusd.accounts")


def refuse_lost(data: Path) -> None:
    """Raise StoreError where a new store would hide that the accounts were lost; call it before one is made.

    Where the journal has games, but nobody in them is known to have had an account, only the log tells it. A
    journal that is damaged is refused here already: an empty store must not be there when it is repaired.
    """
    store, journal = data / STORE, data / JOURNAL
    if os.path.lexists(store) or not journal.is_file():
        return
    records = 0
    try:
        with journal.open("rb") as file:
            for _, payload in read_pieces(iter(partial(file.read, _PIECE), b"")):
                records += 1
                if _tells_of_account(payload):
                    raise StoreError(
                        f"there is no store {store}, but players of {journal} had accounts: restore a copy "
                        "of it; or, if there is none, make one without accounts: `tyrusd reindex --new-store "
                        f"--data {shlex.quote(str(data))}`"
                    )
    except BadRecord as bad:
        if not bad.last:
            raise StoreError(damaged(journal, bad)) from bad
    except OSError as error:
        raise StoreError(f"{journal} cannot be read: {error.strerror}") from error
    if records:
        _log.warning(
            "there is no store %s, although %s has games: a new one is made. If there were accounts, stop "
            "the server and restore the store from a copy, before anybody adds new ones",
            store,
            journal,
        )


def _tells_of_account(payload: Payload) -> bool:
    """Only accounts and bots of the server play rated games, and never two of the latter."""
    if payload["kind"] == "player":
        return payload.get("account") is not None
    return payload["kind"] in ("opened", "game") and payload.get("rated") is not None
