"""Tells that something was done which shows in no other way: what an `ok` of the server means to a person."""

from typing import Final

from tyrusd.screen.texts import Texts
from tyrusd.wire import messages as wire

# A game that begins at once says it better.
_ASKED_FOR: Final = {"play": "lobby.asked", "seek": "lobby.seeking"}
_DONE: Final = {
    "cancel": "lobby.cancelled",
    "unwatch": "lobby.unwatched",
    **dict.fromkeys(("decline", "join", "withdraw", "merge"), "event.asked"),
}
_EMPTY: Final = {
    "who": "lobby.nobody",
    "games": "lobby.no-games",
    "events": "event.none",
    "ratings": "rating.none",
}


def tell_ok(message: wire.Ok, playing: bool, texts: Texts) -> list[str]:
    """Return the line for an answer that nothing else tells of; playing: whether the person is in a game."""
    verb = message.re or ""
    codes = [_DONE.get(verb)]
    codes += [] if playing else [_ASKED_FOR.get(verb)]
    codes += [_EMPTY.get(verb)] if message.count == 0 else []
    return [texts.say(code) for code in codes if code is not None]
