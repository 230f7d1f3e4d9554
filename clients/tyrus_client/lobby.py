"""Tells what the lobby answers: players, running games, the terms of a new game."""

from typing import Final

from tyrusd.rules.pieces import SIDE_OF_LETTER
from tyrusd.rules.variants import STANDARD
from tyrusd.screen.names import shown_name
from tyrusd.screen.texts import Texts
from tyrusd.wire import messages as wire

_TABLES: Final = {"no": "lobby.table", "yes": "lobby.table-rated", "flagged": "lobby.table-flagged"}
_STARTS: Final = {"no": "lobby.start", "yes": "lobby.start-rated", "flagged": "lobby.start-flagged"}


def tell_player(message: wire.Player, texts: Texts) -> str:
    """Return the line for one player; a state that has no word is shown as it is."""
    code = f"state.{message.state}"
    state = texts.say(code) if texts.knows(code) else message.state
    accept = _acceptance(message)
    line = texts.say(
        "lobby.player" if accept is None else "lobby.seeker",
        name=message.name,
        kind=texts.say(f"kind-of-player.{message.kind}"),
        state=state if message.ladder != "yes" else texts.say("lobby.on-ladder", state=state),
        accept=accept,
    )
    if message.text is None:
        return line
    return texts.say("lobby.called", line=line, display=_quoted(message.text))


def tell_enemy(message: wire.Start, texts: Texts) -> list[str]:
    """Return the line that tells what the enemy is called beside its name, if it is called anything."""
    if message.text is None:
        return []
    return [texts.say("lobby.enemy-called", enemy=message.enemy, display=_quoted(message.text))]


def _quoted(display: str) -> str:
    """Return a display name as it stands between quotation marks: somebody else has chosen it."""
    return shown_name(display).replace('"', "'")


def _acceptance(message: wire.Player) -> str | None:
    """Return what to type to accept an open seek; None without one, and for one that cannot be typed."""
    if message.state != "seeking" or message.variant is None or message.deal is not None:
        return None
    words = ["play", message.name]
    if message.side is not None:
        words.append(SIDE_OF_LETTER[message.side].other.word)
    if message.variant != STANDARD.name:
        words.append(message.variant)
    words += [f"{key}={value}" for key, value in (("clock", message.clock), ("cap", message.cap)) if value]
    words += ["rated"] if message.rated == "yes" else []
    return " ".join(words)


def tell_table(message: wire.Table, texts: Texts) -> str:
    """Return the line for one running game."""
    winners = [texts.winner(SIDE_OF_LETTER.get(letter)) for letter in message.won if letter != "-"]
    return texts.say(
        _TABLES[message.rated],
        game=message.game,
        ivory=message.ivory,
        brown=message.brown,
        number=message.election,
        won=texts.listed(winners),
    )


def tell_start(message: wire.Start, texts: Texts) -> str:
    """Return the line for a game that begins with the person in a seat."""
    return texts.say(
        _STARTS[message.rated],
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
