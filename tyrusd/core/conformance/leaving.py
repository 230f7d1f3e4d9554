"""Steps about the end: a goodbye, the end of the input, a lost connection, and what was said all along."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from tyrusd.core.conformance.arrival import connect, reach, welcome
from tyrusd.core.conformance.games import exam, examine
from tyrusd.core.conformance.items import End, Ended
from tyrusd.core.conformance.setting import Where
from tyrusd.core.conformance.step import Failed, Skipped
from tyrusd.core.conformance.talk import Talk
from tyrusd.wire import messages as wire

WELL: Final = "exit status 0"
STRANGE: Final = 4  # lines that are none which are shown, the first ones
BEFORE_THE_END: Final = 0.5  # seconds between the goodbye and the end of the input


def goodbye(talk: Talk) -> Generator[float, None, None]:
    """`bye`, then the end of the input: the bot ends by itself, and well."""
    yield from _say_goodbye(talk)
    if talk.ending is None:
        raise Failed(f"it had not ended {talk.setting.leave:g} s after bye and the end of its input")
    if talk.setting.where is Where.PROGRAM and talk.ending.cause != WELL:
        raise Failed(f"it ended with {talk.ending}; after a goodbye it should be {WELL}")


def _say_goodbye(talk: Talk) -> Generator[float, None, None]:
    yield from reach(talk)
    talk.inbox.clear()
    talk.send(wire.Bye("bye", "The check of goodbyes: your part is over."))
    talk.after_bye = []
    talk.ending = yield from talk.ended(BEFORE_THE_END)
    if talk.ending is None:
        talk.actions.append(End())
        talk.ending = yield from talk.ended(talk.setting.leave - BEFORE_THE_END)
    talk.alive = False


def after_goodbye(talk: Talk) -> Generator[float, None, None]:
    """Nothing is written after the goodbye has come."""
    if talk.after_bye is None:
        yield from _say_goodbye(talk)
    if talk.after_bye:
        raise Failed(f"after bye it wrote {', '.join(talk.after_bye)}")


def end_of_input(talk: Talk) -> Generator[float, None, None]:
    """The input ends without a goodbye: the bot ends too."""
    yield from reach(talk)
    talk.actions.append(End())
    ending = yield from talk.ended(talk.setting.leave)
    talk.alive = False
    if ending is None:
        what = "ended" if talk.setting.where is Where.PROGRAM else "closed the connection"
        raise Failed(f"it had not {what} {talk.setting.leave:g} s after the end of its input")


def resume(talk: Talk) -> Generator[float, None, None]:
    """The connection is lost while an answer is due: the bot comes again with its secret and answers."""
    yield from reach(talk)
    one = exam(talk, request=18)
    talk.begin(one)
    talk.send(talk.request(one))
    yield from talk.answer(one, keep=True)
    talk.actions.append(End())
    try:
        yield from connect(talk, frozenset())
        first = yield from talk.find(
            wire.ClientMessage, "its first line", lambda item: isinstance(item, wire.Hello | wire.Resume)
        )
    except Failed as failed:
        raise Skipped(f"it does not resume: {failed}") from failed
    if not isinstance(first, wire.Resume):
        raise Skipped("it came again with hello, not with resume: its running games would be lost")
    if first.secret != talk.secret:
        sentence = "There is nothing to resume with this secret."
        talk.send(wire.Error("auth", "retry", sentence, first.tag, "resume"))
        raise Failed("it resumed with another secret than that of its last welcome")
    welcome(talk, first)
    talk.send(one.snapshot(talk.now))
    talk.send(talk.request(one))
    yield from talk.answer(one)


def only_protocol(talk: Talk) -> Generator[float, None, None]:
    """Nothing it wrote in this whole run was anything but lines of the protocol, each in its place."""
    if not talk.met:  # no other step was wanted
        yield from reach(talk)
        yield from examine(talk)
    if talk.rubbish:
        talk.transcript.clear()
        for line in talk.strange[:STRANGE]:
            talk.transcript.note(line)
        first = f"the first of {len(talk.rubbish)}: " if len(talk.rubbish) > 1 else ""
        raise Failed(f"it wrote what is no line of the protocol, or not here; {first}{talk.rubbish[0]}")


__all__ = ["Ended", "after_goodbye", "end_of_input", "goodbye", "only_protocol", "resume"]
