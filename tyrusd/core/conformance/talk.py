"""What the scripts of the steps say and wait for: one conversation with the bot, in the caller's time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from typing import Final, TypeVar

from tyrusd.core.conformance.exam import Exam
from tyrusd.core.conformance.items import Action, Ended, Fault, Item, Open, Write
from tyrusd.core.conformance.ledger import Ledger
from tyrusd.core.conformance.setting import EXAMINER, Setting, Where
from tyrusd.core.conformance.step import Failed, Need, Skipped, Step
from tyrusd.core.conformance.transcript import Transcript
from tyrusd.wire import Codec, Connection, Role
from tyrusd.wire import messages as wire
from tyrusd.wire.later import Parts, put_together, take_apart

_MOST: Final = 256  # things that wait to be looked at; a bot that floods is told so
_Wanted = TypeVar("_Wanted", bound=Item)


class Talk:
    """The conversation of one run; `now` is the time in seconds, moved by the run only."""

    def __init__(self, setting: Setting, now: float) -> None:
        self.setting = setting
        self.now = now
        self.step: Step
        self.actions: list[Action] = []
        self.inbox: deque[Item] = deque()
        self.ledger = Ledger()
        self.transcript = Transcript()
        self.connection = Connection(Role.SERVER)
        self.codec = Codec.LINE
        self.alive = setting.where is Where.LOBBY
        self.met = self.alive  # whether the bot was ever there
        self.left = False  # whether it was waited for in vain
        self.absent = ""  # why it never came at all
        self.hello: wire.Hello | None = None
        self.introduced = self.alive  # whether hello and welcome have been said on this connection
        self.secret = ""
        self.features: frozenset[str] = frozenset()  # how the last greeting was special
        self.rubbish: list[str] = []  # why what the bot wrote is no line of the protocol, or not here
        self.strange: list[str] = []  # those lines, as they can be shown
        self.line = b""  # the line that is being read, where there are lines
        self.after_bye: list[str] | None = None  # what it wrote after the goodbye, once there was one
        self.ending: Ended | None = None  # how it ended after that

    # -- what is known of the bot --------------------------------------------------------------------------

    @property
    def events(self) -> bool:
        """Whether the bot follows the events."""
        return self.hello is not None and "events" in self.hello.want

    @property
    def full(self) -> bool:
        """Whether the bot gets complete requests."""
        return not self.events or (self.hello is not None and "full" in self.hello.want)

    def lacks(self, needs: frozenset[Need]) -> Need | None:
        """The first need that this bot or connection does not meet."""
        for need in Need:
            if need in needs and not self._meets(need):
                return need
        return None

    def _meets(self, need: Need) -> bool:
        where = self.setting.where
        if need is Need.LINES:
            return self.codec is Codec.LINE
        if need is Need.TWO_GAMES:
            return self.hello is not None and self.hello.games > 1
        if need is Need.CONNECTION:
            return where is not Where.LOBBY
        return where is Where.SOCKET

    @property
    def can_open(self) -> bool:
        """Whether the bot can be had on a new connection."""
        return self.setting.where is not Where.LOBBY

    @property
    def can_restart(self) -> bool:
        """Whether a new connection can be had at any time: the bot is a program that we start."""
        return self.setting.where is Where.PROGRAM

    def open(self) -> None:
        """Give the connection up, if there is one, and ask for a new one."""
        self.alive = self.introduced = False
        self.inbox.clear()
        self.after_bye = None
        self.actions.append(Open())

    # -- saying --------------------------------------------------------------------------------------------

    def send(self, *messages: wire.ServerMessage) -> None:
        """Send messages in one write."""
        self.write(b"".join([self.encoded(message) for message in messages]))

    def send_parts(self, *parts: Parts) -> None:
        """Send messages that no encoder would write, in one write."""
        self.write(b"".join(map(self.together, parts)))

    def parts(self, message: wire.ServerMessage) -> Parts:
        """A message taken apart, in the codec of this bot."""
        return take_apart(message, self.codec)

    def encoded(self, message: wire.ServerMessage) -> bytes:
        """The bytes of a message, in the codec of this bot."""
        return self.connection.encode(message)

    def write(self, *pieces: bytes) -> None:
        """Send pieces in writes of their own."""
        self.transcript.sent(b"".join(pieces), self.codec)
        self.actions += [Write(piece) for piece in pieces]

    def write_piece(self, piece: bytes) -> None:
        """Send a piece of something that was noted already."""
        self.actions.append(Write(piece))

    def together(self, parts: Parts) -> bytes:
        """The bytes of parts, in the codec of this bot."""
        return put_together(parts, self.codec)

    # -- waiting -------------------------------------------------------------------------------------------

    def pause(self, seconds: float) -> Generator[float, None, None]:
        """Wait; what comes meanwhile is kept."""
        until = self.now + seconds
        while self.now < until:
            yield until

    def find(
        self, kind: type[_Wanted], what: str, wanted: Callable[[_Wanted], bool], limit: float | None = None
    ) -> Generator[float, None, _Wanted]:
        """Wait for something of a kind; raises Failed when it does not come or something forbidden does."""
        limit = self.step.limit if limit is None else limit
        until = self.now + limit
        while True:
            for at, item in enumerate(self.inbox):
                if isinstance(item, kind) and wanted(item):
                    del self.inbox[at]
                    return item
                self.refuse(item)
            if self.now >= until:
                raise Failed(f"{what} did not come within {limit:g} s{self._instead()}")
            yield until

    def refuse(self, item: Item) -> None:
        """Raise what an item that nobody waits for means, if it means something."""
        if isinstance(item, Fault):
            raise Failed(item.sentence)
        if isinstance(item, Ended):
            raise Failed(f"it ended or closed the connection ({item})")
        if isinstance(item, wire.Resign):
            raise Skipped(f"it resigned {item.game}; that is allowed, but nothing can be seen then")

    def out_of_place(self, sentence: str, line: str) -> None:
        """Note a line that is none of the protocol, or not here, for the last step."""
        self.rubbish.append(sentence)
        self.strange.append(line)

    def _instead(self) -> str:
        return (
            f"; instead it wrote what is no line of the protocol: {self.rubbish[-1]}" if self.rubbish else ""
        )

    def quiet(self, seconds: float, why: str) -> Generator[float, None, None]:
        """Wait in the expectation that nothing comes; raises Failed when an answer does."""
        until = self.now + seconds
        while True:
            for item in self.inbox:
                self.refuse(item)
                if isinstance(item, wire.Place):
                    raise Failed(f"it answered {why}")
            if self.now >= until:
                return
            yield until

    def ended(self, limit: float) -> Generator[float, None, Ended | None]:
        """Wait for the bot to end or to close the connection; None when it does not."""
        until = self.now + limit
        while True:
            for item in self.inbox:
                if isinstance(item, Ended):
                    self.inbox.clear()
                    return item
            if self.now >= until:
                return None
            yield until

    def pong(self, word: str) -> Generator[float, None, None]:
        """Wait for the answer to a ping."""
        try:
            yield from self.find(wire.Pong, f"pong {word}", lambda pong: pong.word == word)
        except Failed as failed:
            other = next((item for item in self.inbox if isinstance(item, wire.Pong)), None)
            if other is None:
                raise
            raise Failed(f"it sent pong {other.word}, not pong {word}") from failed

    # -- games ---------------------------------------------------------------------------------------------

    def names(self, own_is_ivory: bool) -> tuple[str, str]:
        """Who plays Ivory and who Brown."""
        pair = (self.setting.name, EXAMINER)
        return pair if own_is_ivory else (pair[1], pair[0])

    def begin(self, exam: Exam) -> None:
        """Tell the bot that it plays."""
        self.ledger.exams[exam.game] = exam
        self.send(*exam.beginning(self.events, self.now))

    def request(self, exam: Exam) -> wire.Choose | wire.Turn:
        """The request that is due in a game; whoever takes it sends it."""
        message = exam.request(self.full, self.now)
        self.ledger.asked(exam)
        return message

    def answer(self, exam: Exam, *, keep: bool = False) -> Generator[float, None, wire.Place]:
        """Wait for the answer to the newest request, judge it, do it (keep: leave the request as it is)."""
        number = exam.asked
        place = yield from self.find(
            wire.Place,
            f"an answer to request {number} of {exam.game}",
            lambda place: place.game == exam.game and place.request == number,
        )
        fault = exam.fault_in(place)
        if fault is not None:
            raise Failed(fault)
        if not keep:
            self.tell(exam, exam.place(place, self.now))
        return place

    def tell(self, exam: Exam, told: int) -> None:
        """Tell what has happened in a game since `told` events, to a bot that follows them; `over` to any."""
        messages = exam.events_after(told)
        if not self.events:
            messages = [message for message in messages if isinstance(message, wire.Over)]
        if messages:
            self.send(*messages)
        if exam.over:
            self.ledger.closed(exam)

    def stop(self, exam: Exam, winner_is_bot: bool | None, reason: str, detail: str = "") -> None:
        """End a game from outside."""
        told = exam.match.game.event_count
        winner = None if winner_is_bot is None else exam.side if winner_is_bot else exam.side.other
        exam.match.stop(winner, reason, detail, self.now)
        self.tell(exam, told)

    def tidy(self) -> None:
        """End what a step has left open, so that the next one begins afresh."""
        for exam in list(self.ledger.exams.values()):
            if self.alive and not exam.over:
                self.stop(exam, None, "aborted", "operator")
            self.ledger.closed(exam)
        # A hello that has not been looked at is all that a later step may want.
        kept = [item for item in self.inbox if isinstance(item, wire.Hello) and not self.introduced]
        self.inbox = deque(kept)

    # -- hearing -------------------------------------------------------------------------------------------

    def keep(self, item: Item) -> None:
        """Keep something that has come until somebody looks for it."""
        if len(self.inbox) < _MOST:
            self.inbox.append(item)
        elif len(self.inbox) == _MOST:
            self.inbox.append(Fault(f"it sent more than {_MOST} lines that nobody asked for"))

    def gone(self, ended: Ended) -> None:
        """The bot has ended or closed the connection."""
        self.alive = False
        self.keep(ended)
