"""What to say, and what can be typed, where nobody plays the ladder of a directory."""

from __future__ import annotations

import fcntl
import os
import shlex
from pathlib import Path

from tyrusd.host.journal import JournalError
from tyrusd.host.ladder.past import read_run
from tyrusd.host.ladder.refusals import LOCK_FILE


def is_running(directory: Path) -> bool:
    """Whether a process plays the run."""
    try:
        lock = os.open(directory / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False  # if it is the directory of a run at all, nobody has it
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(lock)
    return False


def nobody_plays(directory: Path) -> str:
    """Say in a sentence why nobody can be asked in a directory, and what to do."""
    try:
        over = read_run(directory).tournament.over
    except JournalError as error:
        return str(error)  # it is no directory of a run, or one that cannot be read
    where = shlex.quote(str(directory))
    if is_running(directory):
        return f"the ladder in {directory} cannot be asked yet, or not any more: try again in a moment"
    if over:
        return (
            f"no ladder is played in {directory} now, that one is over: `tyrusd stats {where}` tells its "
            "figures"
        )
    return (
        f"no ladder is played in {directory} now, that one is not over: `tyrusd ladder --resume {where}` "
        "goes on with it"
    )
