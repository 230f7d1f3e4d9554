"""What becomes of each thing the bot says: kept for the step, answered at once, or noted as out of place."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from tyrusd.core.conformance.items import End, Fault
from tyrusd.wire import Refusal
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.conformance.talk import Talk


def hear(talk: Talk, item: wire.Message | wire.Refusal) -> None:
    """Take one thing that the bot has said."""
    shown = talk.transcript.came(item, talk.line)
    if isinstance(item, Refusal):
        _refused(talk, item, shown)
    elif talk.after_bye is not None and isinstance(item, wire.Message):
        talk.after_bye.append(item.verb)
    elif isinstance(item, wire.ClientMessage):
        _ANSWERS.get(type(item), _misplaced)(talk, item)


def _refused(talk: Talk, refusal: wire.Refusal, shown: str) -> None:
    talk.out_of_place(refusal.sentence, shown)
    if talk.after_bye is not None:
        talk.after_bye.append("what is no line")
    if refusal.fatal:
        talk.keep(Fault(f"it sent {refusal.sentence}"))
        talk.actions.append(End())


def _placed(talk: Talk, place: wire.Place) -> None:
    entered = talk.ledger.entered(place)
    if entered is None:
        sentence = "That request is not open any more; nothing has changed."
        talk.send(wire.Error("stale", "ignored", sentence, place.tag, "place", place.game, place.request))
        return
    talk.keep(entered)
    _acknowledge(talk, place)


def _introduced(talk: Talk, item: wire.Hello | wire.Resume) -> None:
    talk.keep(item)  # `welcome` and the `ok` are for whoever lets it in


def _kept(talk: Talk, item: wire.ClientMessage) -> None:
    talk.keep(item)
    _acknowledge(talk, item)


def _acknowledge(talk: Talk, item: wire.ClientMessage) -> None:
    if item.tag is not None:
        talk.send(wire.Ok(item.tag, item.verb))


def _pinged(talk: Talk, ping: wire.Ping) -> None:
    talk.send(wire.Pong(ping.word))
    _acknowledge(talk, ping)


def _looked(talk: Talk, look: wire.Look) -> None:
    exam = talk.ledger.exams.get(look.game)
    if exam is None:
        talk.send(wire.Error("stale", "ignored", "That game is over.", look.tag, "look", look.game))
        return
    again = [talk.request(exam)] if exam.owed is not None else []
    talk.send(exam.snapshot(talk.now), *again, wire.Ok(look.tag, "look"))


def _quitted(talk: Talk, item: wire.Quit) -> None:
    _acknowledge(talk, item)
    talk.send(wire.Bye("bye", "Good-bye."))
    talk.actions.append(End())
    talk.keep(Fault("it said quit, although it is wanted for more"))


def _misplaced(talk: Talk, item: wire.ClientMessage) -> None:
    sentence = f"{item.verb} is not for the seat of a match: only its games are here."
    talk.send(wire.Error("state", "retry", sentence, item.tag, item.verb))
    talk.out_of_place(sentence, item.verb)


_ANSWERS: Final[dict[type[wire.ClientMessage], Callable[[Talk, Any], None]]] = {
    wire.Place: _placed,
    wire.Hello: _introduced,
    wire.Resume: _introduced,
    wire.Pong: _kept,
    wire.Resign: _kept,
    wire.Ping: _pinged,
    wire.Look: _looked,
    wire.Quit: _quitted,
}
