"""The machines of a cluster that may play, what each has in its hands, and which is given the next pair."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tyrusd.host.ladder.cluster_client import Machine
from tyrusd.league.tournament.task import PairTask

AHEAD: Final = 1  # pairs that a machine has in reserve, so that it need not wait for the next
DEATHS: Final = 4  # times that a pair may end what plays it; then it counts as one whose bot is not ready


class Held(NamedTuple):
    """A pair in the hands of a machine; key: the name of its task in the cluster."""

    key: str
    task: PairTask
    address: str


@dataclass(slots=True)
class _Playing:
    machine: Machine
    number: int
    held: dict[str, Held] = field(default_factory=dict)


class Fleet:
    """Who plays what. concurrency: games at a time, all machines together."""

    def __init__(self, concurrency: int) -> None:
        self.concurrency = concurrency
        self._playing: dict[str, _Playing] = {}
        self._deaths: Counter[tuple[int, int]] = Counter()
        self._numbers = 0

    def __contains__(self, address: object) -> bool:
        return address in self._playing

    def __len__(self) -> int:
        return len(self._playing)

    @property
    def addresses(self) -> list[str]:
        """Of all machines that may play."""
        return list(self._playing)

    @property
    def held(self) -> list[Held]:
        """All that is handed out."""
        return [held for playing in self._playing.values() for held in playing.held.values()]

    @property
    def free(self) -> int:
        """How many more pairs may be handed out: each slot of a machine plays one game at a time."""
        slots = sum(playing.machine.slots for playing in self._playing.values())
        places = min(self.concurrency, slots)
        if 0 < slots <= self.concurrency:
            places += AHEAD * len(self._playing)
        return max(0, places - len(self.held))

    def number(self, address: str) -> int:
        """The number of a machine, which no other ever has."""
        return self._playing[address].number

    def host(self, address: str) -> str:
        """What a machine is called when it is spoken of."""
        playing = self._playing.get(address)
        return address if playing is None else f"{playing.machine.host} ({address})"

    def accept(self, machine: Machine) -> None:
        """Let a machine play from now on."""
        self._numbers += 1
        self._playing[machine.address] = _Playing(machine, self._numbers)

    def remove(self, address: str) -> list[Held]:
        """Let a machine play no more; what it had."""
        playing = self._playing.pop(address, None)
        return [] if playing is None else list(playing.held.values())

    def choose(self, task: PairTask) -> str | None:
        """The machine that has most to spare, None without any.

        A pair that has ended what played it before is kept from others, lest they are blamed with it.
        """
        suspect = self._suspect(task)
        return min(
            self._playing,
            key=lambda address: self._burden(self._playing[address], suspect),
            default=None,
        )

    def hold(self, held: Held) -> None:
        """A machine has a pair in its hands."""
        self._playing[held.address].held[held.key] = held

    def find(self, key: str) -> Held | None:
        """The pair of a task, None where it is not handed out (any more)."""
        return next(
            (playing.held[key] for playing in self._playing.values() if key in playing.held),
            None,
        )

    def release(self, held: Held) -> None:
        """A machine has done with a pair."""
        playing = self._playing.get(held.address)
        if playing is not None:
            playing.held.pop(held.key, None)

    def died(self, task: PairTask, times: int = 1) -> bool:
        """Count that what played a pair has ended; whether that was once too often."""
        key = (task.pair, task.attempt)
        self._deaths[key] += times
        if self._deaths[key] < DEATHS:
            return False
        del self._deaths[key]
        return True

    def played(self, task: PairTask) -> None:
        """A pair was played through, so nothing is wrong with it."""
        self._deaths.pop((task.pair, task.attempt), None)

    def _suspect(self, task: PairTask) -> bool:
        return (task.pair, task.attempt) in self._deaths

    def _burden(self, playing: _Playing, suspect: bool) -> tuple[bool, float]:
        apart = bool(playing.held) and (
            suspect or any(self._suspect(held.task) for held in playing.held.values())
        )
        return apart, len(playing.held) / playing.machine.slots
