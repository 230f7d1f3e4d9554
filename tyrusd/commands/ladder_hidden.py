"""What bots in a sandbox must not see of a ladder, although it lies where they may read."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tyrusd.commands.ladder_options import Typed
    from tyrusd.host.ladder.directory import RunDirectory


def hidden_from_bots(wishes: Typed, directory: RunDirectory) -> list[Path]:
    """The files and directories: what tells a deal, and what one set of a bot could tell the other by.

    The last words of a program that crashed, which are its own, stand in the events and in our output.
    """
    found = [directory.path]
    if directory.manifest.deals_file is not None:  # also when the run is resumed, and nobody types it again
        found.append(Path(directory.manifest.deals_file))
    if wishes.events not in (None, "-"):
        found.append(Path(wishes.events))
    if wishes.report is not None:  # of the same run, as it was when it was interrupted
        found.append(wishes.report)
    return [*found, *_outputs()]


def _outputs() -> Iterator[Path]:
    """The files that our output goes to, as in `tyrusd ladder … > night.log 2>&1`."""
    for descriptor in (1, 2):
        try:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                yield Path(f"/proc/self/fd/{descriptor}").readlink()
        except OSError:  # it is closed, or this is not Linux, where there is no sandbox
            continue
