"""Tells what the lobby answers: players, running games, the terms of a new game."""

from tyrusd.rules.pieces import SIDE_OF_LETTER
from tyrusd.screen.texts import Texts
from tyrusd.wire import messages as wire


def tell_player(message: wire.Player, texts: Texts) -> str:
    """Return the line for one player; a state that has no word is shown as it is."""
    code = f"state.{message.state}"
    return texts.say(
        "lobby.player",
        name=message.name,
        kind=texts.say(f"kind-of-player.{message.kind}"),
        state=texts.say(code) if texts.knows(code) else message.state,
    )


def tell_table(message: wire.Table, texts: Texts) -> str:
    """Return the line for one running game."""
    winners = [texts.winner(SIDE_OF_LETTER.get(letter)) for letter in message.won if letter != "-"]
    return texts.say(
        "lobby.table",
        game=message.game,
        ivory=message.ivory,
        brown=message.brown,
        number=message.election,
        won=texts.listed(winners),
    )


def tell_start(message: wire.Start, texts: Texts) -> str:
    """Return the line for a game that begins with the person in a seat."""
    return texts.say(
        "lobby.start",
        game=message.game,
        side=texts.side(SIDE_OF_LETTER[message.side]),
        enemy=message.enemy,
        clock=_terms(message.clock, message.cap, texts),
    )


def _terms(clock: str, cap: str, texts: Texts) -> str:
    codes = {(False, False): "clock.none", (True, False): "clock.time", (False, True): "clock.cap"}
    code = codes.get((clock != "none", cap != "none"), "clock.both")
    base, _, more = clock.partition("+")
    return texts.say(code, base=base, more=more, cap=cap)
