"""Keeps account of requests: which are open, which were answered, which were taken back with their game."""

from __future__ import annotations

from tyrusd.core.conformance.exam import Exam
from tyrusd.core.conformance.items import Fault
from tyrusd.wire import encode_line
from tyrusd.wire import messages as wire


class Ledger:
    """The games of a run by id, and what became of each request."""

    __slots__ = ("_answered", "_withdrawn", "exams")

    def __init__(self) -> None:
        self.exams: dict[str, Exam] = {}
        self._answered: set[tuple[str, int]] = set()
        self._withdrawn: set[tuple[str, int]] = set()

    def asked(self, exam: Exam) -> None:
        """A request was sent, perhaps once more."""
        if exam.owed is not None:
            self._answered.discard((exam.game, exam.owed))

    def owes(self, place: wire.Place) -> bool:
        """Tell whether a placement answers an open request."""
        exam = self.exams.get(place.game)
        return exam is not None and exam.owed == place.request

    def entered(self, place: wire.Place) -> wire.Place | Fault | None:
        """Take a placement; None for one that comes too late, which is no fault."""
        exam, which = self.exams.get(place.game), (place.game, place.request)
        if exam is not None and exam.owed == place.request:
            exam.owed = None
            self._answered.add(which)
            return place
        if which in self._withdrawn:
            self._withdrawn.discard(which)  # one is late, the next would be one too many
            return None
        said = f"`{encode_line(place).decode('ascii').strip()}`"
        if which in self._answered:
            return Fault(f"it sent {said}, but had answered that request already")
        open_now = [f"`{other.game} {other.owed}`" for other in self.exams.values() if other.owed is not None]
        if open_now:
            return Fault(f"it sent {said}, but what was asked is {' and '.join(open_now)}")
        return Fault(f"it sent {said}, but nothing was asked")

    def forgive(self, place: wire.Place) -> None:
        """A second answer to this request would be no fault: it is only late."""
        self._withdrawn.add((place.game, place.request))

    def closed(self, exam: Exam) -> None:
        """A game is over: an answer that is still on its way is late."""
        self.exams.pop(exam.game, None)
        if exam.owed is not None:
            self._withdrawn.add((exam.game, exam.owed))
            exam.owed = None
