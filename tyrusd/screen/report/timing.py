"""Adds up how bots used their time, from the records of their games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from tyrusd.screen.report.facts import Data

_SIDES: Final = ("ivory", "brown")


@dataclass(slots=True)
class _Use:
    placements: int = 0
    total: int = 0
    slowest: int = 0
    game: str | None = None
    processor: int = 0
    metered: int = 0
    share: float = 0.0
    budgeted: int = 0
    fullest: float = 0.0

    def add(self, game: str, spent: list[int], cpu: list[int | None], budget: float | None) -> None:
        if spent and (self.game is None or max(spent) > self.slowest):
            self.slowest, self.game = max(spent), game
        self.placements += len(spent)
        self.total += sum(spent)
        known = [used for used in cpu if used is not None]
        self.processor += sum(known)
        self.metered += len(known)
        if budget and spent:
            share = sum(spent) / budget
            self.share += share
            self.budgeted += 1
            self.fullest = max(self.fullest, share)

    def told(self) -> dict[str, Any]:
        return {
            "placements": self.placements,
            "total_ms": self.total,
            "mean_ms": self.total / self.placements if self.placements else None,
            "slowest_ms": self.slowest if self.game else None,
            "slowest_game": self.game,
            "cpu_mean_ms": self.processor / self.metered if self.metered else None,
            "budget_share": self.share / self.budgeted if self.budgeted else None,
            "budget_most": self.fullest if self.budgeted else None,
        }


def time_use(records: Iterable[tuple[str, Data]]) -> dict[str, dict[str, Any]]:
    """Return for each bot what its placements cost, in milliseconds.

    records: of games, each with what to call it. The budget of a game is its bank with all increments,
    without a bank the cap of each placement.
    """
    uses: dict[str, _Use] = {}
    for called, record in records:
        game, timing = record["game"], record["timing"]
        for side in _SIDES:
            spent, cpu = [], []
            for (mover, _, _), cost, used in zip(
                game["placements"], timing["spent"], timing["cpu"], strict=True
            ):
                if mover == side:
                    spent.append(cost)
                    cpu.append(used)
            budget = budget_ms(game["controls"][side], len(spent))
            uses.setdefault(game["seats"][side], _Use()).add(called, spent, cpu, budget)
    return {bot: uses[bot].told() for bot in sorted(uses)}


def budget_ms(control: Data, placements: int) -> float | None:
    """Return the milliseconds that so many placements could have taken, None for as long as one likes."""
    if control["clock"] != "none":
        base, _, increment = control["clock"].partition("+")
        return 1000 * (float(base) + float(increment or 0) * placements)
    return None if control["cap"] == "none" else 1000 * float(control["cap"]) * placements
