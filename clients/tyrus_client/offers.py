"""Tells of offers between players, and of club events: who enters, who meets whom, how it stands."""

from collections.abc import Callable
from typing import Any, Final

from tyrusd.rules.pieces import SIDE_OF_LETTER
from tyrusd.rules.variants import STANDARD
from tyrusd.screen.texts import Texts
from tyrusd.wire import messages as wire

_PLAYED: Final = frozenset({"running", "paused"})


def tell_offer(message: wire.Offer, own: str, texts: Texts) -> str:
    """Return the line for an offer, to who made it or to who got it; own: the reader's name."""
    words = [] if message.side is None else [texts.side(SIDE_OF_LETTER[message.side])]
    words += [] if message.variant == STANDARD.name else [message.variant]
    words += [f"{key}={value}" for key, value in (("clock", message.clock), ("cap", message.cap)) if value]
    words += [texts.say("offer.rated")] if message.rated == "yes" else []
    words += [texts.say("offer.flagged")] if message.rated == "flagged" else []
    made = message.from_name.lower() == own.lower()
    return texts.say(
        "offer.made" if made else "offer.got",
        challenge=message.challenge,
        name=message.to_name if made else message.from_name,
        games=texts.counted("offer.games", message.rounds),
        terms=texts.say("offer.terms", terms=", ".join(words)) if words else "",
    )


def tell_accepted(message: wire.Accepted, texts: Texts) -> str:
    """Return the line for an offer whose game begins."""
    return texts.say("offer.accepted", challenge=message.challenge)


def tell_declined(message: wire.Declined, texts: Texts) -> str:
    """Return the line for an offer of which nothing comes; a reason without a sentence is shown as it is."""
    if message.why == "played":
        return texts.say("offer.played", challenge=message.challenge)
    code = "offer.terms-declined" if message.why == "terms" else f"offer.{message.why}"
    why = texts.say(code) if texts.knows(code) else message.why
    return texts.say("offer.declined", challenge=message.challenge, why=why)


def tell_event(message: wire.EventState, texts: Texts) -> str:
    """Return the line for a club event."""
    code = f"event.{message.state}"
    line = "event"
    if message.champion is not None:
        line = "event.won-final" if message.kind == "knockout" else "event.won"
    elif message.state in _PLAYED and message.round is not None:
        line = "event.round"
    return texts.say(
        line,
        event=message.event,
        kind=message.kind,
        state=texts.say(code) if texts.knows(code) else message.state,
        entrants=message.entrants,
        round=message.round,
        rounds=message.rounds or "?",
        champion=message.champion,
        finalist=message.finalist or texts.say("nothing"),
    )


def tell_standing(message: wire.Standing, texts: Texts) -> str:
    """Return one line of the table of a club event."""
    return texts.say(
        "event.leaving" if message.leaving == "yes" else "event.standing",
        rank=message.rank,
        name=message.name,
        points=message.points,
        state=message.state,
    )


def tell_encounter(message: wire.Encounter, texts: Texts) -> str:
    """Return the line for two who meet in a club event."""
    told = texts.say("event.encounter", round=message.round, one=message.one, two=message.two)
    if message.winner is not None:
        how = "event.walkover" if message.reason == "walkover" else "event.winner"
        return told + texts.say(how, winner=message.winner)
    if message.reason == "void":
        return told + texts.say("event.void")
    if message.state == "over":
        return told + texts.say("event.drawn")
    return told + (texts.say("event.game", game=message.game) if message.state == "playing" else "")


TELL: Final[dict[type, Callable[[Any, Texts], str]]] = {
    wire.Accepted: tell_accepted,
    wire.Declined: tell_declined,
    wire.EventState: tell_event,
    wire.Standing: tell_standing,
    wire.Encounter: tell_encounter,
}
