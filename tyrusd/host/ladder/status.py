"""How a run stands, as `tyrusd ladder-ctl DIR status` tells it, and what its operator may change."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import trio

from tyrusd.host.ladder.control import Concurrency, ControlError, Drop, Pause, Request, Resume, Status
from tyrusd.league.tournament.remaining import games_left

if TYPE_CHECKING:
    from tyrusd.host.ladder.coordinator import Coordinator


class Desk:
    """Carries out what comes over the control socket of one run."""

    def __init__(self, coordinator: Coordinator) -> None:
        self._coordinator = coordinator

    async def carry_out(self, request: Request) -> dict[str, Any]:
        """Do it, and say what is to be answered; raises ControlError for what cannot be done."""
        coordinator = self._coordinator
        match request:
            case Concurrency():
                return {"said": self._limit(request.games)}
            case Pause():
                return {"said": self._pause()}
            case Resume():
                return {"said": self._resume()}
            case Drop():
                return {"said": await self._drop(request.bot)}
            case Status():
                return {"status": status_of(coordinator, trio.current_time())}

    def _limit(self, games: int) -> str:
        before = self._coordinator.concurrency
        self._coordinator.limit(games)
        return f"{_at_a_time(games)} from now on; before: {before}"

    def _pause(self) -> str:
        coordinator = self._coordinator
        again = "operator" in coordinator.pauses
        coordinator.pause("operator", "the operator wants it")
        handed = coordinator.crewing.outstanding
        running = f"{handed} handed out {'is' if handed == 1 else 'are'} played to the end"
        return f"{'it was paused already' if again else 'paused'}: no game begins, {running}"

    def _resume(self) -> str:
        pauses = self._coordinator.pauses
        if "operator" in pauses:
            self._coordinator.unpause("operator")
            if pauses:
                return "games begin again when the disk has room"
            return "games begin again"
        if pauses:
            raise ControlError("it is paused since the disk is full; it goes on by itself when there is room")
        raise ControlError("it is not paused")

    async def _drop(self, typed: str) -> str:
        tournament = self._coordinator.tournament
        names = tournament.plan.entrants
        bot = next((name for name in names if name.lower() == typed.lower()), None)
        if bot is None:
            raise ControlError(f"there is no bot {typed!r} in it; its bots are {', '.join(names)}")
        if bot in tournament.verdicts.dropped:
            raise ControlError(f"{bot} is dropped already")
        done = trio.Event()
        self._coordinator.drop(bot, done.set)
        await done.wait()
        return f"{bot} plays no more: what is handed out is finished, and only its complete pairs count"


def _at_a_time(games: int) -> str:
    return "1 game at a time" if games == 1 else f"{games} games at a time"


def status_of(coordinator: Coordinator, now: float) -> dict[str, Any]:
    """Return the object that docs/ladder.md describes; now: seconds of trio's clock."""
    standing = coordinator.tournament.standing()
    games, to_come = coordinator.run.results, games_left(coordinator.tournament)
    total = None if to_come is None else games + to_come
    pace = coordinator.pace(now)
    left = None if pace is None or total is None else max(0, round(60 * (total - games) / pace))
    return {
        "pid": os.getpid(),
        "games": games,
        "total": total,
        "handed": coordinator.crewing.outstanding,
        "concurrency": coordinator.concurrency,
        "workers": coordinator.workers,
        "pace": None if pace is None else round(pace, 2),
        "left": left,
        "paused": sorted(coordinator.pauses),
        "ending": coordinator.ending,
        "round": standing["round"],
        "rounds": standing["rounds"],
        "suspended": standing["suspended"],
        "dropped": standing["dropped"],
        "halted": [halt["pairing"] for halt in standing["halted"]],
        "bots": [{key: row[key] for key in ("name", "points", "games")} for row in standing["table"]],
        "sprt": standing["sprt"],
    }
