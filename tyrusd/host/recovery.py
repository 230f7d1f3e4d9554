"""What a journal that was left behind means for the next server: games that go on, ids that are taken."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

from tyrusd.core.restoring import Recovered
from tyrusd.core.seatspec import SeatSpec
from tyrusd.host.journal import FileJournal, JournalError
from tyrusd.league.club import event_of
from tyrusd.league.fold import Folded, Running, fold
from tyrusd.league.record import BadRecord, frame
from tyrusd.league.replay import interrupted, resumed

_TOLD: Final = 10  # games that the log names

_log = logging.getLogger("tyrusd.journal")


def recover(journal: FileJournal, houses: Mapping[str, SeatSpec]) -> Recovered:
    """Return what goes on: every game that was running, if both of its players may come back.

    A game of which one cannot, such as one against a bot that this server has no more, is recorded as
    aborted. Raises JournalError when the records contradict each other; nothing is changed then.
    """
    try:
        folded = fold(journal.found)
    except BadRecord as bad:
        raise JournalError(f"{journal.path}: {bad}; nothing was changed. Restore it from a copy") from bad
    journal.found.clear()  # everything that a server needs of it is known now
    names = {name.lower(): spec for name, spec in houses.items()}
    try:
        events = tuple(event_of(records, folded.finished) for records in folded.events.values())
    except ValueError as error:
        raise JournalError(f"{journal.path}: {error}; nothing was changed. Restore it from a copy") from error
    going_on, aborted = [], {}
    for game, running in folded.running.items():
        try:
            if _may_go_on(running, folded, names):
                resumed(running)
                going_on.append(running)
            else:
                aborted[game] = frame(interrupted(running))
        except ValueError as error:
            raise JournalError(f"{journal.path}: the records of game {game} are wrong: {error}") from error
    if aborted:
        try:
            journal.append(list(aborted.values()))
            journal.sync()
        except OSError as error:
            raise JournalError(f"{journal.path} cannot be written: {error.strerror}") from error
        _log.warning("cut off by the last end, and now recorded as aborted: %s", _list(list(aborted)))
    if going_on:
        _log.warning("games that go on: %s", _list([running.opened["id"] for running in going_on]))
    highest = max((_number(game) for game in (*folded.finished, *folded.running)), default=0)
    return Recovered(tuple(going_on), folded.players, names, highest, events)


def _may_go_on(running: Running, folded: Folded, houses: Mapping[str, SeatSpec]) -> bool:
    """Tell whether this server has, or may get back, the players of both seats."""
    head = running.opened["game"]
    fillings = head.get("fillings", {"ivory": None, "brown": None})
    return all(
        name.lower() in (folded.players if fillings[side] is None else houses)
        for side, name in head["seats"].items()
    )


def _list(games: list[str]) -> str:
    return ", ".join(games[:_TOLD]) + (", and more" if len(games) > _TOLD else "")


def _number(game: str) -> int:
    digits = game[1:]
    return int(digits) if game.startswith("g") and digits.isascii() and digits.isdigit() else 0
