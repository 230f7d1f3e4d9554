"""What one worker holds: its tasks, which of their games have results, and whether what it says can be so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from tyrusd.host.ladder import link
from tyrusd.host.ladder.crewing import ResultIn
from tyrusd.host.ladder.process import WorkerProcess
from tyrusd.host.ladder.terms import task_words
from tyrusd.league.record import HEADER, BadRecord, read_frames
from tyrusd.league.schema import Payload
from tyrusd.league.tournament.task import PairTask, Place

_NEVER: Final = 1 << 62


class _Held(NamedTuple):
    task: PairTask
    order: int  # of its handing out
    left: set[int]  # games without a result


class Hand:
    """One worker, from its start to its end."""

    def __init__(self, number: int, slot: int, process: WorkerProcess) -> None:
        self.number = number
        self.slot = slot
        self.process = process
        self.share = 0  # games at a time
        self.heard = False  # since somebody last looked
        self.ready = False
        self.over = False  # it has said goodbye
        self.finishing = False  # it has been told that no more will come
        self.games = 0  # of its tasks that have no result yet
        self._held: dict[tuple[int, int], _Held] = {}
        self._unkept: set[int] = set()

    @property
    def tasks(self) -> tuple[PairTask, ...]:
        """All that it has been given and has not done with."""
        return tuple([held.task for held in self._held.values()])

    @property
    def oldest(self) -> int:
        """When its oldest task was handed out; a number above all others when it has none."""
        return min([held.order for held in self._held.values()], default=_NEVER)

    def play(self, task: PairTask, order: int) -> None:
        """Hand a task to it."""
        self._held[task.pair, task.attempt] = _Held(task, order, set(task.games))
        self.games += len(task.games)
        self.process.send(link.Play(task_words(task)))

    def finish(self) -> None:
        """Tell it, once, that no more will come."""
        if not self.finishing:
            self.finishing = True
            self.process.send(link.Finish())

    def limit(self, share: int) -> None:
        """Let it play so many games at a time."""
        if share != self.share:
            self.share = share
            self.process.send(link.Limit(share))

    def kept(self, result: int) -> None:
        """Tell it that its result is durable."""
        if result in self._unkept:
            self._unkept.remove(result)
            self.process.send(link.Kept(result))

    def result(self, said: link.Result) -> ResultIn:
        """Take a result; raises LinkError for one that it cannot have."""
        record = _record(said)
        place = Place(*[record["ladder"][name] for name in Place._fields])
        held = self._held.get((place.pair, place.attempt))
        seats = record["game"]["seats"]
        if (
            held is None
            or place.game not in held.left
            or place.round != held.task.round
            or place.game_id != said.game
            or (seats["ivory"], seats["brown"]) != held.task.seats(place.game)
        ):
            raise link.LinkError(f"the result of {said.game}, which it was not to play")
        held.left.remove(place.game)
        self.games -= 1
        self._unkept.add(said.id)
        return ResultIn(self.number, said.id, record, said.record, said.note)

    def unready(self, said: link.Unready) -> None:
        """Take a task back that cannot be played; raises LinkError for one that it does not hold."""
        held = self._held.pop((said.pair, said.attempt), None)
        if held is None or said.bot not in (held.task.first, held.task.second):
            raise link.LinkError(f"{said.bot} was not ready for pair {said.pair}, which it does not have")
        self.games -= len(held.left)

    def done(self, said: link.PairDone) -> None:
        """A task is over; raises LinkError for one that cannot be."""
        held = self._held.pop((said.pair, said.attempt), None)
        if held is None or held.left:
            raise link.LinkError(f"pair {said.pair} is over, which it cannot be")

    def returned(self, said: link.Returned) -> tuple[PairTask, ...]:
        """Take games back that it has not begun; raises LinkError for those that it does not have."""
        found: dict[tuple[int, int], list[int]] = {}
        for pair, attempt, game in said.games:
            held = self._held.get((pair, attempt))
            if held is None or game not in held.left:
                raise link.LinkError(f"game {game} of pair {pair} is given back, which it does not have")
            held.left.remove(game)
            self.games -= 1
            found.setdefault((pair, attempt), []).append(game)
        tasks = [replace(self._held[key].task, games=tuple(games)) for key, games in found.items()]
        for key, games in found.items():
            if len(games) == len(self._held[key].task.games):
                del self._held[key]
        return tuple(tasks)


def shares(concurrency: int, hands: Sequence[Hand]) -> list[int]:
    """How many games each worker may play at a time.

    Where there are more workers than games, those with the oldest tasks come first, so that none waits for
    ever with half a pair in its hands.
    """
    least, more = divmod(concurrency, max(1, len(hands)))
    if least:
        return [least + (at < more) for at in range(len(hands))]
    first = sorted(range(len(hands)), key=lambda at: (hands[at].oldest, at))[:more]
    return [int(at in first) for at in range(len(hands))]


def _record(said: link.Result) -> Payload:
    """The record of a game's result, its shape checked; raises LinkError."""
    try:
        payloads = [payload for _, payload in read_frames(HEADER + said.record)]
    except BadRecord as bad:
        raise link.LinkError(f"the record of {said.game}: {bad.what}") from None
    if len(payloads) != 1 or payloads[0]["kind"] != "game" or "ladder" not in payloads[0]:
        raise link.LinkError(f"the record of {said.game} is none of a game of a ladder")
    [record] = payloads
    if record["id"] != said.game or record["game"]["reason"] == "aborted":
        raise link.LinkError(f"the record of {said.game} is none of its result")
    return record
