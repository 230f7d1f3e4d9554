"""A tournament in progress: results go in, in any order, and the pairs that may be played next come out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tyrusd.league.tournament.check import check_plan
from tyrusd.league.tournament.dealing import Deals, task_of
from tyrusd.league.tournament.happenings import (
    Champion,
    DealtAgain,
    Happening,
    RoundBegun,
    StoppedByCrash,
)
from tyrusd.league.tournament.kinds import form_of
from tyrusd.league.tournament.pair import Ending, Pair
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.league.tournament.played import Played
from tyrusd.league.tournament.share import share_of
from tyrusd.league.tournament.standing import standing_of
from tyrusd.league.tournament.task import PairTask
from tyrusd.league.tournament.verdicts import CRASHES, Verdicts, failed
from tyrusd.league.tournament.waiting import Waiting

__all__ = ["CRASH", "DECIDED", "NOBODY", "NO_DEALS", "PLAYED", "Deals", "Tournament"]

PLAYED: Final = "played"  # all pairs are settled
DECIDED: Final = "decided"  # the sequential test has accepted a hypothesis
CRASH: Final = "crash"  # a program was not there any more, and that is to end it
NO_DEALS: Final = "deals"  # the file of deals is used up
NOBODY: Final = "nobody"  # no two are left that may play each other

_FARTHEST: Final = 100_000  # pairs that a result may be ahead of the first unsettled one


class Tournament:
    """A tournament of a plan (docs/tournaments.md); the same results in whatever order have the same outcome.

    deals: the deals of first attempts, where they come from a file; further attempts derive from the seed.
    Raises ValueError, saying what to change, for a plan that cannot be played or too few deals.
    """

    def __init__(self, plan: TournamentPlan, deals: Deals | None = None) -> None:
        check_plan(plan)
        self.plan = plan
        self.form = form_of(plan)
        self.verdicts = Verdicts(plan, self.twins)
        self.pairs: list[Pair] = []
        self.stops = plan.stop_on_crash
        """Whether a crash ends it; `stop_on_crash` changes that."""
        self._deals = deals
        self._entrants = frozenset(plan.entrants)
        self._waiting = Waiting(plan)
        self._frontier = 0  # how many pairs, from the first, are settled
        self._batch = 0  # where the latest batch begins
        self._used_up = False  # no further pairs will be made
        self._short = False  # because the deals are used up
        self._why: str | None = None
        self._told: list[Happening] = []
        if deals is not None and deals(self.form.total or self.form.least) is None:
            needed = self.form.total or self.form.least
            raise ValueError(f"{needed} deals are needed and the file has fewer; make one that has enough")
        self._advance()
        self.opening = tuple(self._collect())
        """What happened before the first result: the first round has begun."""

    # -- what is to be played ------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether nothing more will be handed out; games that are running may still end."""
        return self._why is not None

    @property
    def why_over(self) -> str | None:
        """One of the words above or what `stop` was told, None while the tournament goes on."""
        return self._why

    @property
    def total_pairs(self) -> int | None:
        """How many pairs will be played (of this share), None where nobody knows."""
        if self.form.total is None or self.plan.shard is None:
            return self.form.total
        share, shares = self.plan.shard
        return len(range(share, self.form.total + 1, shares))

    @property
    def round(self) -> int:
        """The round of the first pair that is not settled; at the end, of the last that counts."""
        if not self.over:
            return self.pairs[self._frontier].round
        counting = (pair.round for pair in reversed(self.pairs) if self.verdicts.cut_of(pair) is None)
        return next(counting, 0)

    def next(self) -> PairTask | None:
        """Hand out one pair; None while nothing can be started, or ever again (see `over`).

        Where several can be, it is the first in the schedule. The task is to end in `take` for each of its
        games, in `unready`, or in `returned`.
        """
        while not self.over:
            pair = self._next_pair()
            if pair is not None:
                return task_of(pair, self.plan.seed, self._deals)
            if self.form.waits or self._hopeless() or self._waiting.crowded or not self._generate():
                return None
        return None

    def returned(self, task: PairTask) -> None:
        """Take back a task that nobody is playing any more: what has no result is handed out again."""
        pair = self.pairs[task.pair - 1]
        if task.attempt == pair.current.number:
            pair.out.difference_update(task.games)
            self._waiting.add(task.pair)

    def in_vain(self, number: int) -> bool:
        """Whether nothing of a pair counts, whatever comes of what is running."""
        return self.verdicts.cut_of(self.pairs[number - 1]) is not None

    def stop(self, why: str) -> None:
        """Hand nothing out any more; results of what is running are still taken."""
        self._why = self._why or why

    def numbered(self, number: int) -> Pair:
        """Return a pair of the schedule, also one that nobody has been told of yet; ValueError as take."""
        if not self.mine(number):
            raise ValueError(f"pair {number} is not of this share of the tournament; use the plan it is of")
        while len(self.pairs) < number:
            if self.form.waits or number - self._frontier > _FARTHEST or not self._generate():
                raise ValueError(f"there is no pair {number} in this tournament yet; use the plan it is of")
        if number < 1:
            raise ValueError(f"pairs are numbered from 1, so there is no pair {number}")
        return self.pairs[number - 1]

    # -- what has happened ---------------------------------------------------------------------------------

    def take(self, played: Played, leaving: Sequence[str] = ()) -> list[Happening]:
        """Take a durable result, once or several times; one of an aborted game changes nothing.

        leaving: who is taken out with it, after the result counts and before what follows from it is paired.
        Raises ValueError where it contradicts the plan or another result: it is not of this tournament.
        """
        if played.reason == "aborted":
            return [happening for bot in leaving for happening in self.drop(bot)]
        pair = self.numbered(played.place.pair)
        known, counts = pair.has(played.place), self.verdicts.cut_of(pair) is None
        ending = pair.take(played)
        if not known and played.counts:
            fault = failed(played)
            for name in (played.ivory, played.brown):
                self._waiting.heard(name, name == fault)
            if fault is not None and counts and played.reason in CRASHES:
                self._crash(StoppedByCrash(fault, played.place.game_id, played.reason))
        if leaving:
            self._strike(leaving)
            told = self._ended(pair, ending, "two games in a row were void")
            self._advance()
            return told + self._collect()
        return self._ended(pair, ending, "two games in a row were void")

    def unready(self, pair: int, attempt: int, bot: str, why: str) -> list[Happening]:
        """Learn, durably, that a bot never became ready for a pair; ValueError as take."""
        where = self.numbered(pair)
        counts = self.verdicts.cut_of(where) is None
        ending = where.unready(attempt, bot, why)
        if ending is not None:
            self._waiting.heard(bot, True)
            if counts:
                self._crash(StoppedByCrash(bot, None, "unready"))
        return self._ended(where, ending, f"{bot} was not ready twice in a row: {why}")

    def drop(self, bot: str) -> list[Happening]:
        """Take an entrant out, durably: only its pairs that are complete count. ValueError for a stranger."""
        if bot not in self._entrants:
            raise ValueError(f"{bot} is not in this tournament; its bots are {', '.join(self.plan.entrants)}")
        if bot not in self.verdicts.dropped:
            self._strike([bot])
            self._advance()
        return self._collect()

    def stop_on_crash(self, choice: bool) -> list[Happening]:
        """Let a crash end the tournament from now on, or not; with False it goes on after one that did."""
        self.stops = choice
        if not choice and self._why == CRASH:
            self._why = None
            self._advance()
        return self._collect()

    def counted_games(self) -> list[Played]:
        """Return the games that count, in the order of the schedule: those of complete pairs only."""
        return [
            played
            for pair in self.pairs
            if pair.complete and self.verdicts.cut_of(pair) is None
            for played in pair.results()
        ]

    def never_ready(self) -> list[str]:
        """Return who, not being ready, is why a pair was not played, in the order of the entrants."""
        absent = {
            attempt.unready[0]
            for pair in self.pairs
            if self.verdicts.cut_of(pair) in ("halted", "suspended") and not pair.complete
            for attempt in pair.attempts
            if attempt.unready is not None
        }
        return [name for name in self.plan.entrants if name in absent]

    def standing(self) -> dict[str, Any]:
        """Return where everybody stands as plain JSON data (docs/tournaments.md#standing)."""
        return standing_of(self)

    # -- inside --------------------------------------------------------------------------------------------

    def twins(self, names: Sequence[str]) -> bool:
        """Whether two entrants play each deal twice, with the seats swapped."""
        return self.plan.games == 2 and self.plan.unswapped.isdisjoint(names)

    def mine(self, number: int) -> bool:
        """Whether a pair belongs to this share of the tournament."""
        if self.plan.shard is None or self.form.total is None:
            return True
        share, shares = self.plan.shard
        return share_of(number, self.form.total, self.plan.rounds or 1, shares) == share

    def _next_pair(self) -> Pair | None:
        # The first unsettled pair is what every verdict waits for, so it is never held back.
        if self._frontier < len(self.pairs):
            pair = self.pairs[self._frontier]
            if pair.missing and self.verdicts.cut_of(pair) is None:
                return pair
        return self._waiting.first(self.pairs, self.verdicts)

    def _strike(self, bots: Sequence[str]) -> None:
        self.verdicts.dropped += [bot for bot in bots if bot not in self.verdicts.dropped]
        for pair in self.pairs:
            pair.cut = pair.cut if pair.names.isdisjoint(bots) else self.verdicts.cut_of(pair)

    def _crash(self, crash: StoppedByCrash) -> None:
        if self.stops and not self.over:
            self._why = CRASH
            self._told.append(crash)

    def _ended(self, pair: Pair, ending: Ending | None, why: str) -> list[Happening]:
        if ending is not None:
            if pair.halted:
                self.verdicts.halt(pair, why, self._told.append)
            elif ending != "complete" and self.verdicts.cut_of(pair) is None:
                self._told.append(DealtAgain(pair.number, pair.current.number, ending))
            self._waiting.add(pair.number)
            self._advance()
        self._waiting.release()
        return self._collect()

    def _advance(self) -> None:
        """Settle what can be settled, and begin the next rounds as far as that allows."""
        while True:
            while self._frontier < len(self.pairs):
                pair = self.pairs[self._frontier]
                if self.mine(pair.number) and not self.verdicts.settle(pair, self._told.append):
                    return
                self._frontier += 1
            why = self._finished()
            if why is not None or self._why is not None:
                self._end(why)
                return
            self._generate()

    def _finished(self) -> str | None:
        """Why there is nothing after the last pair, all pairs being settled; None if there may be more."""
        if self.verdicts.decided is not None:
            return DECIDED
        if self._used_up:
            return NO_DEALS if self._short else PLAYED
        return NOBODY if self._hopeless() else None

    def _hopeless(self) -> bool:
        """Whether a schedule without an end has come to one, since its two bots may not meet again."""
        endless = self.form.total is None and not self.form.waits
        return endless and bool(self.verdicts.gone or self.verdicts.halted)

    def _end(self, why: str | None) -> None:
        if self._why is None:
            self._why = why
            if why == PLAYED:
                standing = self.standing()
                if standing["champion"] is not None:
                    self._told.append(Champion(standing["champion"], tuple(standing["finalists"])))

    def _generate(self) -> bool:
        """Append the next batch of pairs; False when there is none."""
        if self._used_up:
            return False
        batch = self.form.next(self.pairs[self._batch :], self.verdicts.gone, self._told.append)
        if batch is None:
            self._used_up = True
            return False
        self._batch = len(self.pairs)
        if batch.opens and self.form.waits:
            self._told.append(RoundBegun(batch.round, batch.meetings, batch.byes))
        for deal in range(batch.deals):
            for meeting in batch.meetings:
                if not self._append(batch.round, meeting.swapped if deal % 2 else meeting):
                    self._used_up = self._short = True
                    return len(self.pairs) > self._batch
        return True

    def _append(self, round_: int, names: Sequence[str]) -> bool:
        number = len(self.pairs) + 1
        if self._deals is not None and self._deals(number) is None:
            return False
        first, second = names
        replays = self.plan.draws == "replay" or self.plan.kind == "knockout"
        pair = Pair(number, round_, first, second, self.twins(names), replays)
        pair.cut = self.verdicts.cut_of(pair)
        self.pairs.append(pair)
        if self.mine(number):
            self._waiting.add(number)
        return True

    def _collect(self) -> list[Happening]:
        told, self._told = self._told, []
        return told
