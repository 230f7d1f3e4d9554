"""What a journal that was left behind means for the next server: games to be closed, ids that are taken."""

from __future__ import annotations

import logging
from typing import Final

from tyrusd.host.journal import FileJournal, JournalError
from tyrusd.league.fold import fold
from tyrusd.league.record import BadRecord, frame
from tyrusd.league.replay import interrupted

_TOLD: Final = 10  # games that the log names

_log = logging.getLogger("tyrusd.journal")


def close_running(journal: FileJournal) -> int:
    """Record every game that was running at the end as aborted; return the highest number of a game id.

    Games are not continued yet. Raises JournalError when the records contradict each other.
    """
    try:
        folded = fold(journal.found)
    except BadRecord as bad:
        raise JournalError(f"{journal.path}: {bad}; nothing was changed. Restore it from a copy") from bad
    journal.found.clear()  # everything that a server needs of it is known now
    aborted = []
    for game, running in folded.running.items():
        try:
            aborted.append(frame(interrupted(running)))
        except ValueError as error:
            raise JournalError(f"{journal.path}: the records of game {game} are wrong: {error}") from error
    if aborted:
        try:
            journal.append(aborted)
            journal.sync()
        except OSError as error:
            raise JournalError(f"{journal.path} cannot be written: {error.strerror}") from error
        told = ", ".join(list(folded.running)[:_TOLD]) + (", and more" if len(aborted) > _TOLD else "")
        _log.warning("cut off by the last end, and now recorded as aborted: %s", told)
    return max((_number(game) for game in (*folded.finished, *folded.running)), default=0)


def _number(game: str) -> int:
    digits = game[1:]
    return int(digits) if game.startswith("g") and digits.isascii() and digits.isdigit() else 0
