"""Runs a check of a bot in memory: bytes are handed over at once, time is a number."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from tests.conformance.bots import Bot
from tyrusd.core.conformance import STEPS, Result, Run, Setting, Step, Verdict, Where
from tyrusd.core.conformance.items import End, Open, Write
from tyrusd.wire import Codec, Hello

LONGEST = 5000.0  # seconds of virtual time that a run may take


class Bench:
    """One run; `make` gives the bot of each connection, None for one that does not come."""

    def __init__(
        self,
        make: Callable[[int], Bot | None],
        where: Where = Where.PROGRAM,
        steps: Sequence[Step] = STEPS,
        *,
        key: str | None = None,
        codec: Codec = Codec.LINE,
    ) -> None:
        games, secrets = itertools.count(1), itertools.count(1)
        setting = Setting(
            where, "tested", lambda: f"c{next(games)}", lambda: f"secret-{next(secrets)}", "tyrusd/0", key=key
        )
        self.now = 0.0
        self.run = Run(setting, steps, self.now)
        self.connections = 0
        self.written: list[bytes] = []
        self.bot: Bot | None = None
        self._make = make
        self._codec = codec

    def results(self) -> list[Result]:
        """Do all steps and return what came of them."""
        if self.run.deadline() is None and not self.run.finished:
            self.run.start(self.now)
        while not self.run.finished:
            self._act()
            deadline = self.run.deadline()
            if self.run.finished or deadline is None:
                break
            said = self.bot.next_said() if self.bot is not None else None
            if said is None or said > deadline:
                self.now = max(self.now, deadline)
                self.run.tick(self.now)
            else:
                self.now = max(self.now, said)
                self._hear()
            assert self.now < LONGEST
        self._act()
        return self.run.results

    def verdicts(self) -> dict[str, Verdict]:
        """What came of each step, by its name."""
        return {result.step.name: result.verdict for result in self.results()}

    def failed(self) -> set[str]:
        """The names of the steps that failed."""
        return {name for name, verdict in self.verdicts().items() if verdict is Verdict.FAILED}

    def join(self, bot: Bot, hello: Hello) -> None:
        """Check a bot whose hello was accepted before."""
        self.bot = bot
        bot.attach(self)
        self.run.join(hello, self._codec)

    def _act(self) -> None:
        while actions := self.run.actions():
            for action in actions:
                match action:
                    case Write(data):
                        self.written.append(data)
                        if self.bot is not None:
                            self.bot.read(data)
                    case End():
                        if self.bot is not None:
                            self.bot.input_ended()
                    case Open():
                        self._open()

    def _open(self) -> None:
        self.bot = self._make(self.connections)
        self.connections += 1
        if self.bot is not None:
            self.bot.attach(self)
            self.run.connected(self._codec, self.now)
            self.bot.begin()

    def _hear(self) -> None:
        assert self.bot is not None
        what = self.bot.take_said()
        if isinstance(what, bytes):
            self.run.receive(what, self.now)
        else:
            self.bot = None
            self.run.ended(what, "its\nlast words\n", self.now)


def check(make: Callable[[], Bot], where: Where = Where.PROGRAM, steps: Sequence[Step] = STEPS) -> Bench:
    """A bench whose bot comes again as often as it is wanted."""
    return Bench(lambda _: make(), where, steps)
