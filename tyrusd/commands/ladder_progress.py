"""How far a ladder is: its pace, the time and the disk it still wants, as one line or drawn by rich."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress

PARTS: Final = 10
EVERY: Final = 100  # games, where nobody knows how many there will be
BETWEEN: Final = 0.25  # seconds between two drawings
_UNITS: Final = ("B", "kB", "MB", "GB", "TB")


class Meter:
    """Counts games, failures and bytes; clock gives seconds. total is None where nobody knows it."""

    def __init__(self, total: int | None, played: int, clock: Callable[[], float]) -> None:
        self.total = total
        self.done = played
        self.forfeits = 0
        self.journal = 0
        self.begun = played
        self._clock = clock
        self._start = clock()

    def step(self, *, forfeit: bool, journal: int) -> None:
        """One more game is kept; journal: bytes that the journal has now."""
        self.done += 1
        self.forfeits += forfeit
        self.journal = journal

    @property
    def pace(self) -> float | None:
        """Games a minute in this process, None before there is one."""
        spent = self._clock() - self._start
        games = self.done - self.begun
        return 60 * games / spent if games and spent > 0 else None

    @property
    def left(self) -> float | None:
        """Seconds until the end, None where nobody knows."""
        if self.total is None or self.pace is None:
            return None
        return 60 * max(0, self.total - self.done) / self.pace

    @property
    def wanted(self) -> int | None:
        """Bytes that the journal will still want, None where nobody knows."""
        if self.total is None or not self.done or not self.journal:
            return None
        return max(0, self.total - self.done) * self.journal // self.done

    def parts(self) -> list[str]:
        """What is told, in the order in which it is left out on a narrow terminal, last first."""
        # What was running when fewer became of all is played in vain, and beyond them.
        of_all = "" if self.total is None else f" of {max(self.total, self.done)}"
        found = [f"{self.done}{of_all} games"]
        if self.pace is not None:
            found.append(f"{self.pace:.0f} a minute" if self.pace >= 10 else f"{self.pace:.1f} a minute")
        if self.left:
            found.append(f"{duration(self.left)} left")
        found.append(f"{self.forfeits} lost by a fault")
        if self.wanted:
            found.append(f"{size(self.wanted)} of disk wanted")
        return found


def duration(seconds: float) -> str:
    """Seconds as people read them."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def size(count: int) -> str:
    """Bytes as people read them."""
    amount, unit = float(count), 0
    while amount >= 1000 and unit < len(_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{amount:.0f} {_UNITS[unit]}" if unit == 0 or amount >= 10 else f"{amount:.1f} {_UNITS[unit]}"


class PlainProgress:
    """A line for each tenth of the games, or for each hundred where nobody knows how many there will be."""

    def __init__(self, meter: Meter, tell: Callable[[str], None]) -> None:
        self._meter = meter
        self._tell = tell

    def step(self) -> None:
        """A game has been counted."""
        done, total = self._meter.done, self._meter.total
        if total is None:
            due = done % EVERY == 0
        else:
            due = total > 1 and done <= total and done * PARTS // total > (done - 1) * PARTS // total
        if due:
            self._tell(", ".join(self._meter.parts()))

    def write(self, text: str) -> bool:
        """Nothing is drawn that would be in the way."""
        return False

    def close(self) -> None:
        """Nothing is left on the screen."""


class RichProgress:
    """A bar at the foot of the terminal, which lines scroll past."""

    def __init__(self, meter: Meter, stream: TextIO, clock: Callable[[], float], **console: Any) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        self._meter = meter
        self._clock = clock
        self._next_at = clock()
        self._dead = False
        self._console = Console(file=stream, highlight=False, markup=False, emoji=False, **console)
        self._progress: Progress = Progress(
            BarColumn(bar_width=20),
            TextColumn("{task.fields[told]}", markup=False),
            console=self._console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._progress.add_task("", total=meter.total, completed=meter.done, told="")
        self._safely(self._progress.start)
        self._draw()

    def step(self) -> None:
        """A game has been counted; it is drawn a few times a second at most."""
        if self._clock() >= self._next_at:
            self._draw()

    def write(self, text: str) -> bool:
        """Put a line above the bar."""
        from rich.text import Text

        return self._safely(lambda: self._console.print(Text(text), soft_wrap=True))

    def close(self) -> None:
        """Take the bar away."""
        self._safely(self._progress.stop)
        self._dead = True

    def _draw(self) -> None:
        self._next_at = self._clock() + BETWEEN
        parts = self._meter.parts()
        room = self._console.width - 22
        while len(parts) > 1 and len(", ".join(parts)) > room:
            parts.pop()
        told = ", ".join(parts)[: max(room, 10)]
        self._safely(
            lambda: self._progress.update(
                self._task, completed=self._meter.done, total=self._meter.total, told=told, refresh=True
            )
        )

    def _safely(self, act: Callable[[], object]) -> bool:
        """Draw, unless the terminal has gone: that stops no game."""
        if self._dead:
            return False
        try:
            act()
        except (OSError, ValueError):
            self._dead = True
            return False
        return True
