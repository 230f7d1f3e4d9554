"""What a match comes to: who won how often, on which side, how games ended, and what faults lost some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

SIDES: Final = ("ivory", "brown")
RESULTS: Final = ("wins", "losses", "draws")
# A side lost without the board saying so; whoever runs the match wants to know why.
FORFEITS: Final = frozenset({"crashed", "timeout", "illegal", "protocol", "disconnected"})
WITHOUT_RESULT: Final = frozenset({"aborted", "void"})
_QUOTED: Final = 1000  # signs of a line of error output that are told


class Tally:
    """Adds up the records of a match's games; names are those of seat 1 and seat 2."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.games = 0
        self.endings: Counter[str] = Counter()
        self.pondered: dict[str, int] = {}  # ms of processor time beside the decisions, where it is known
        self._counts: Counter[tuple[str, str, str]] = Counter()  # name, side, result

    def add(self, record: Mapping[str, Any]) -> None:
        """Count one finished game."""
        game = record["game"]
        self.games += 1
        self.endings[game["reason"]] += 1
        if game["reason"] in WITHOUT_RESULT:
            return
        for side in SIDES:
            result = "draws" if game["winner"] is None else "wins" if game["winner"] == side else "losses"
            self._counts[game["seats"][side], side, result] += 1

    def ponder(self, record: Mapping[str, Any], pondered: Sequence[int | None]) -> None:
        """Add what the programs of a game used while they owed no decision; Ivory's first, in ms."""
        for side, used in zip(SIDES, pondered, strict=True):
            if used is not None:
                name = record["game"]["seats"][side]
                self.pondered[name] = self.pondered.get(name, 0) + used

    @property
    def finished(self) -> int:
        """Games that have a result."""
        return self.games - sum(self.endings[reason] for reason in WITHOUT_RESULT)

    def counted(self, games: int) -> str:
        """How many of the games that were asked for are finished, and what else has ended."""
        others = [
            f"{self.endings[reason]} {reason}" for reason in sorted(WITHOUT_RESULT) if self.endings[reason]
        ]
        return ", ".join([f"{self.finished} of {games} finished", *others])

    def pondering(self) -> list[str]:
        """What each seat used beside its decisions, as lines of text."""
        return [
            f"{name} used {self.pondered[name]} ms of processor time while it owed no decision"
            if name in self.pondered
            else f"it is not known what {name} used while it owed no decision"
            for name in self.names
        ]

    def count(self, name: str, result: str, *sides: str) -> int:
        """How often a seat had a result, on these sides (default: both)."""
        return sum(self._counts[name, side, result] for side in sides or SIDES)

    def points(self, name: str, *sides: str) -> float:
        """A win counts 1, a draw a half."""
        return self.count(name, "wins", *sides) + self.count(name, "draws", *sides) / 2

    def of_seat(self, name: str) -> dict[str, Any]:
        """One seat's results as plain data."""
        found: dict[str, Any] = {result: self.count(name, result) for result in RESULTS}
        found["points"] = self.points(name)
        for side in SIDES:
            found[side] = {result: self.count(name, result, side) for result in RESULTS}
            found[side]["points"] = self.points(name, side)
        return found

    def table(self, fillings: Sequence[str]) -> list[str]:
        """The results as lines of text."""
        width = max(len(name) for name in (*self.names, "seat"))
        head = f"{'seat':<{width}}  {'side':<5}  points   wins  losses  draws"
        lines = [head]
        for name, filling in zip(self.names, fillings, strict=True):
            for label, sides in (("both", SIDES), *((side, (side,)) for side in SIDES)):
                counts = [self.count(name, result, *sides) for result in RESULTS]
                shown = name if label == "both" else ""
                note = f"  {filling}" if label == "both" else ""
                lines.append(
                    f"{shown:<{width}}  {label:<5}  {self.points(name, *sides):6.1f} {counts[0]:6d} "
                    f"{counts[1]:7d} {counts[2]:6d}{note}".rstrip()
                )
        endings = ", ".join(f"{reason} {count}" for reason, count in self.endings.most_common()) or "none"
        lines.append(f"endings: {endings}")
        return lines


def forfeit_sentence(record: Mapping[str, Any], note: str, name: str | None = None) -> str | None:
    """Tell who lost a game by which fault, with the ends of its error output; None for other ends.

    name: what the game is called, if not by its number.
    """
    game = record["game"]
    if game["reason"] not in FORFEITS or game["winner"] is None:
        return None
    loser = SIDES[1 - SIDES.index(game["winner"])]
    detail = f" ({game['detail']})" if game["detail"] else ""
    said = f"; its error output: {_ends(note)}" if note.strip() else ""
    who = f"{game['seats'][loser]} ({loser})"
    return f"game {name or game['number']}: {who} lost, {game['reason']}{detail}{said}"


def _ends(note: str) -> str:
    """The first and the last line of an error output: one tells what was wrong, the other what came of it."""
    lines = [line.strip() for line in note.splitlines() if line.strip()]
    first, last = (line if len(line) <= _QUOTED else f"{line[:_QUOTED]}..." for line in (lines[0], lines[-1]))
    return first if len(lines) == 1 else f"{first} {'/' if len(lines) == 2 else '...'} {last}"
