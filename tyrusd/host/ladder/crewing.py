"""Who plays the pairs of a ladder: what its coordinator asks of workers, and what it hears of them."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from tyrusd.league.schema import Payload
from tyrusd.league.tournament.task import PairTask


class CrewLost(Exception):  # noqa: N818 -- it is not the program's error
    """Workers end again and again, so that the run cannot go on; the text is a sentence that says why."""


class ResultIn(NamedTuple):
    """A game is over and not kept yet: append `framed`, sync it, then call `kept` with worker and id.

    Until then nobody is told who has won. worker: its number, never that of another one. record: what is
    framed, its shape checked and its place one of a task that this worker holds; never an aborted game.
    note: the last words that a crashed program left on its error output. It comes once for each game.
    """

    worker: int
    id: int
    record: Payload
    framed: bytes
    note: str

    def __repr__(self) -> str:
        # The record names every tile of a game whose twin may still be running.
        return f"ResultIn(worker={self.worker}, id={self.id}, game={self.record.get('id')!r})"


class LogIn(NamedTuple):
    """The log of a game that the board did not decide, as its file is to hold it."""

    game: str
    text: bytes

    def __repr__(self) -> str:
        return f"LogIn(game={self.game!r}, {len(self.text)} bytes)"


class PonderedIn(NamedTuple):
    """Milliseconds of processor time that Ivory's and Brown's programs used while they owed no decision."""

    game: str
    pondered: tuple[int | None, int | None]


class UnreadyIn(NamedTuple):
    """A pair cannot be played as it was dealt: a program never became ready; why is one sentence.

    The task is over with that: nobody holds it any more.
    """

    pair: int
    attempt: int
    bot: str
    why: str


class PairDoneIn(NamedTuple):
    """All games of a task are over, kept and told."""

    pair: int
    attempt: int


class GivenBack(NamedTuple):
    """Games that have not begun, after `withdraw`: tasks as they were, or with only their second game.

    Of the latter the first game is running; it ends with PairDoneIn.
    """

    tasks: tuple[PairTask, ...]


class Lost(NamedTuple):
    """A worker has ended, perhaps with tasks in its hands; why is one clause, printable.

    It comes after every result that this worker sent: what of these tasks has one is played, the rest is
    to be handed out again.
    """

    tasks: tuple[PairTask, ...]
    why: str


class Said(NamedTuple):
    """Something the operator should know, printable and of one line."""

    sentence: str


class Ended(NamedTuple):
    """All workers have ended after `finish` or `abort`; nothing follows."""


WorkerEvent = ResultIn | LogIn | PonderedIn | UnreadyIn | PairDoneIn | GivenBack | Lost | Said | Ended


class Crewing(Protocol):
    """A source of workers. Events are told to the callable that it was made with, never from within a call.

    None of these methods waits, or fails for what a worker does; call them where trio runs.
    """

    async def run(self) -> None:
        """Play until `finish` or `abort` has been carried out, then tell `Ended` and return.

        Raises CrewLost with a sentence when it cannot go on. Cancelled, it leaves no process behind.
        """

    @property
    def room(self) -> int:
        """How many more games may be handed out now; look again after every event."""

    @property
    def outstanding(self) -> int:
        """How many games of the tasks that are handed out have no result yet."""

    def play(self, task: PairTask) -> None:
        """Hand out a pair; it comes back as results and PairDoneIn, UnreadyIn, GivenBack or Lost."""

    def kept(self, worker: int, result: int) -> None:
        """The result is durable: it may be told. A worker that is gone does not matter."""

    def limit(self, concurrency: int) -> None:
        """Play so many games at a time from now on; 0: begin none until it is raised again."""

    def withdraw(self) -> None:
        """Begin no game any more, for good; what has not begun comes as GivenBack. Running games finish."""

    def finish(self) -> None:
        """No more tasks will come: end when everything that is handed out is over.

        What is lost from now on is not played by this crew any more.
        """

    def abort(self) -> None:
        """End at once: running games are stopped, and nothing of them is reported."""
