"""Drives the steps: bytes of the bot and the time go in, bytes for the bot and the next deadline come out."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import Final

from tyrusd.core.conformance.arrival import reach
from tyrusd.core.conformance.hearing import hear
from tyrusd.core.conformance.items import Action, Connected, Done, Ended
from tyrusd.core.conformance.setting import Setting
from tyrusd.core.conformance.step import Failed, Result, Skipped, Step, Verdict
from tyrusd.core.conformance.talk import Talk
from tyrusd.core.conformance.transcript import LONGEST, shown_bytes
from tyrusd.wire import Codec, Connection, Role
from tyrusd.wire import messages as wire

_PIECES: Final = re.compile(rb"[^\n]*\n|[^\n]+")  # whole lines, and the beginning of one
SILENT: Final = 4  # steps in a row without a single line from the bot, after which it is taken for dead


class Run:
    """One run over some steps; `results` grow as they are done.

    The caller hands on what happens (`connected`, `receive` or `take`, `ended`, `tick`), then carries out
    `actions()` and calls `tick` at `deadline()`. Times are seconds of one monotonic clock.
    """

    def __init__(self, setting: Setting, steps: Sequence[Step], now: float) -> None:
        self.results: list[Result] = []
        self.finished = False
        self._steps = steps
        self._talk = Talk(setting, now)
        self._silent = 0
        self._until: float | None = None
        self._script = self._all()

    def join(self, hello: wire.Hello, codec: Codec) -> None:
        """Take over a bot whose hello has been accepted elsewhere; call it before `start`."""
        talk = self._talk
        talk.hello, talk.codec = hello, codec
        talk.connection = Connection(Role.SERVER, codec)

    def start(self, now: float) -> None:
        """Begin with the first step."""
        self._go_on(now)

    @property
    def step(self) -> Step | None:
        """The step that is being done."""
        done = len(self.results)
        return self._steps[done] if done < len(self._steps) else None

    @property
    def absent(self) -> str:
        """Why the bot never came at all; empty if it did, or was never waited for."""
        return self._talk.absent

    @property
    def complete(self) -> bool:
        """Whether there is a result of every step."""
        return len(self.results) == len(self._steps)

    # -- what happens --------------------------------------------------------------------------------------

    def connected(self, codec: Codec, now: float) -> None:
        """The new connection that an Open asked for is there."""
        talk = self._talk
        talk.codec = codec
        talk.connection = Connection(Role.SERVER, codec)
        talk.alive = True
        talk.line = b""
        talk.inbox.append(Connected())
        self._go_on(now)

    def receive(self, data: bytes, now: float) -> None:
        """Take a chunk of the bot's bytes."""
        talk = self._talk
        talk.now = now
        if talk.codec is Codec.LINE:
            for piece in _PIECES.findall(data):
                talk.line = talk.line[:LONGEST] + piece
                for item in talk.connection.receive(piece):
                    hear(talk, item)
                if piece.endswith(b"\n"):
                    talk.line = b""
        else:
            for item in talk.connection.receive(data):
                hear(talk, item)
        self._go_on(now)

    def take(self, item: wire.Message | wire.Refusal, now: float) -> None:
        """Take one thing that the bot has said, decoded elsewhere."""
        self._talk.now = now
        hear(self._talk, item)
        self._go_on(now)

    def ended(self, cause: str, note: str, now: float) -> None:
        """The bot has ended, or closed its connection, or could not be started."""
        self._talk.now = now
        if self._talk.connection.end():
            self._talk.out_of_place("its last line was not ended with LF", shown_bytes(self._talk.line))
        self._talk.gone(Ended(cause, note))
        self._go_on(now)

    def tick(self, now: float) -> None:
        """Let the time pass."""
        self._go_on(now)

    # -- what follows --------------------------------------------------------------------------------------

    def deadline(self) -> float | None:
        """When `tick` is due; None when the run is finished."""
        return self._until

    def actions(self) -> list[Action]:
        """What is to be done now, in order."""
        actions, self._talk.actions = self._talk.actions, []
        return actions

    def owes(self, place: wire.Place) -> bool:
        """Tell whether a placement answers an open request."""
        return self._talk.ledger.owes(place)

    def goodbye(self) -> bytes:
        """The last line for a bot that is still there."""
        return self._talk.encoded(wire.Bye("bye", "The check is over."))

    def _go_on(self, now: float) -> None:
        self._talk.now = now
        if self.finished:
            return
        try:
            self._until = next(self._script)
        except StopIteration:
            self._until = None
            self.finished = True
        except Exception:
            # A fault of ours: what has not been done by now is not done at all, and the caller is told.
            self._until = None
            self.finished = True
            raise

    def _all(self) -> Generator[float, None, None]:
        reason = ""
        for step in self._steps:
            if reason:
                result = Result(step, Verdict.SKIPPED, reason)
            else:
                result = yield from self._one(step)
            self.results.append(result)
            self._talk.actions.append(Done(result))
            if result.verdict is Verdict.FAILED:
                reason = self._end_all(result)
            elif result.verdict is Verdict.PASSED:
                self._silent = 0

    def _end_all(self, failed: Result) -> str:
        """Why nothing after a failed step can be judged; empty if it can."""
        self._silent = 0 if failed.came else self._silent + 1
        if failed.step.vital:
            return f"step {failed.step.number} {failed.step.name} failed, and without it nothing can be seen"
        if self._silent >= SILENT:
            return f"the bot was silent in {SILENT} steps in a row"
        return ""

    def _one(self, step: Step) -> Generator[float, None, Result]:
        talk = self._talk
        talk.step = step
        talk.transcript.clear()
        verdict, sentence = Verdict.PASSED, ""
        try:
            if not step.opens:
                yield from reach(talk)
                talk.transcript.clear()
            lack = talk.lacks(step.needs)
            if lack is not None:
                raise Skipped(lack.value)
            yield from step.script(talk)
            yield from self._settle()
        except Failed as failed:
            verdict, sentence = Verdict.FAILED, str(failed)
        except Skipped as skipped:
            verdict, sentence = Verdict.SKIPPED, str(skipped)
        sent, came = talk.transcript.both()
        talk.tidy()
        if verdict is Verdict.FAILED and talk.can_restart:
            talk.alive = False  # a fresh start, so that one fault is not blamed on several steps
        return Result(step, verdict, sentence, sent, came)

    def _settle(self) -> Generator[float, None, None]:
        """What still comes belongs to the step that has just been passed."""
        talk = self._talk
        if talk.alive:
            yield from talk.quiet(talk.setting.settle, "once more than it was asked")
