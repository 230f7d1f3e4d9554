"""What a cluster has to tell its coordinator, in order, and which results are not kept yet."""

from __future__ import annotations

from collections.abc import Callable

from tyrusd.host.ladder.cluster_report import Checked
from tyrusd.host.ladder.crewing import LogIn, PairDoneIn, PonderedIn, ResultIn, Said, WorkerEvent
from tyrusd.host.logs import escaped
from tyrusd.league.tournament.task import PairTask


class Outbox:
    """Events wait here until `tell`, so that none is told from within a call; `wake` asks for that."""

    def __init__(self, on_event: Callable[[WorkerEvent], None], wake: Callable[[], None]) -> None:
        self._on_event = on_event
        self._wake = wake
        self._unsaid: list[WorkerEvent] = []
        self._results = 0
        self._unkept: dict[int, tuple[int, int]] = {}  # results, and the pair and attempt of each
        self._done: list[tuple[int, int]] = []  # pairs that are over when all their results are kept

    @property
    def empty(self) -> bool:
        """Whether everything is told, and kept."""
        return not (self._unsaid or self._unkept)

    def say(self, event: WorkerEvent) -> None:
        """Tell an event soon."""
        self._unsaid.append(event)
        self._wake()

    def report(self, task: PairTask, number: int, host: str, checked: Checked) -> None:
        """Tell the games of a report, and what else it says; number: that of the machine."""
        for game in checked.games:
            self._results += 1
            self._unkept[self._results] = (task.pair, task.attempt)
            self.say(ResultIn(number, self._results, game.record, game.framed, game.note))
        for log in checked.logs:
            self.say(LogIn(log.game, log.text))
        for one in checked.pondered:
            self.say(PonderedIn(one.game, (one.ivory, one.brown)))
        for sentence in checked.told:
            self.say(Said(f"{host}: {escaped(sentence)}"))

    def done(self, task: PairTask) -> None:
        """A pair is over: tell it when all its results are kept."""
        pair = (task.pair, task.attempt)
        if pair in self._unkept.values():
            self._done.append(pair)
        else:
            self.say(PairDoneIn(*pair))

    def kept(self, result: int) -> None:
        """A result is durable."""
        pair = self._unkept.pop(result, None)
        if pair in self._done and pair not in self._unkept.values():
            self._done.remove(pair)
            self.say(PairDoneIn(*pair))
        self._wake()

    def tell(self) -> None:
        """Tell everything that waits."""
        while self._unsaid:
            self._on_event(self._unsaid.pop(0))
