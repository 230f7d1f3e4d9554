"""Why a directory is no place for a run, or a run cannot be continued: sentences, and nothing is touched."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Final

from tyrusd.host.journal import JOURNAL, JournalError
from tyrusd.host.ladder.files import NEW
from tyrusd.host.ladder.plan import PLAN_FILE, LadderPlan
from tyrusd.host.ladder.plan_text import write_plan
from tyrusd.league.framing import HEADER

MANIFEST_FILE: Final = "manifest.json"
LOCK_FILE: Final = "lock"
CONTROL: Final = "control.sock"

# What can be there of a run that ended before its plan was in place, so before its first game.
_BEGINNING: Final = frozenset(
    {LOCK_FILE, JOURNAL, MANIFEST_FILE, f"{MANIFEST_FILE}{NEW}", f"{PLAN_FILE}{NEW}", CONTROL}
)


class DirectoryError(JournalError):
    """The directory cannot be used; the text is a sentence that says why and what to do."""


class Changed(DirectoryError):  # noqa: N818 -- what happened
    """The run cannot be continued, since what it was played with is not what is here now."""


def refuse_others(path: Path) -> None:
    """Refuse a directory that holds what is not the beginning of a run; it stays as it is."""
    names = {entry.name for entry in path.iterdir()}
    if PLAN_FILE in names:
        raise DirectoryError(
            f"{path} holds a ladder already: continue it with `tyrusd ladder --resume {path}`, or choose "
            "another directory"
        )
    if names - _BEGINNING:
        raise DirectoryError(f"{path} holds other files, such as {min(names - _BEGINNING)}: choose another")
    with contextlib.suppress(OSError):
        if (path / JOURNAL).stat().st_size > len(HEADER):
            raise DirectoryError(f"{path} holds a journal with records, but no {PLAN_FILE}: choose another")


def refuse_foreign(path: Path) -> None:
    """Refuse what is no directory of a run, saying what it is instead."""
    try:
        names = {entry.name for entry in path.iterdir()}
    except NotADirectoryError:
        raise DirectoryError(f"{path} is not a directory: name the one that --out made") from None
    except FileNotFoundError:
        raise DirectoryError(f"there is no directory {path}: name the one that --out made") from None
    except OSError as error:
        raise DirectoryError(f"the directory {path} cannot be read: {error.strerror}") from error
    if PLAN_FILE in names:
        return
    if not names:
        raise DirectoryError(f"{path} is empty: there is no ladder to continue; begin one with --out {path}")
    if names <= _BEGINNING and LOCK_FILE in names:
        raise DirectoryError(
            f"the ladder in {path} ended before its first game: begin it again, with --out {path}"
        )
    raise DirectoryError(f"{path} is not the directory of a ladder: it has no {PLAN_FILE}")


def plan_changes(before: LadderPlan, wanted: LadderPlan) -> list[str]:
    """Tell, as parts of a sentence, in what a plan that was given again differs from that of the run."""
    old, new = (json.loads(write_plan(plan)) for plan in (before, wanted))
    found = []
    for plan in (old, new):
        del plan["stop_on_crash"]  # how a run is played; its journal has what holds
    if old.pop("deals_hash") != new.pop("deals_hash"):
        found.append(
            f"the file of deals had the SHA-256 {_short(before.deals_hash)} and has "
            f"{_short(wanted.deals_hash)}"
        )
    if old.pop("deals") != new.pop("deals") and not found:
        found.append("the deals are others")
    if len(old["bots"]) == len(new["bots"]):
        for bot, other in zip(old.pop("bots"), new.pop("bots"), strict=True):
            found += [
                f"the {key} of the bot {bot['name']} was {bot[key]} and is {other[key]}"
                for key in bot
                if bot[key] != other[key]
            ]
    elif old["bots"] != new["bots"]:
        found.append(f"it was played by {len(old.pop('bots'))} bots and {len(new.pop('bots'))} are given")
    found += [f"{key} was {_told(old[key])} and is {_told(new[key])}" for key in old if old[key] != new[key]]
    return found


def _told(value: object) -> str:
    return json.dumps(value)


def _short(hash_text: str | None) -> str:
    return "none" if hash_text is None else f"{hash_text[:16]}…"
