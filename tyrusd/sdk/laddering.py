"""What a bot says on a server's ladder: it comes onto it, and leaves when it has played enough or must."""

from __future__ import annotations

from typing import Final

from tyrusd.wire import ClientMessage, Error, Ladder, Notice, Over, Pong, Quit, ServerMessage, Start, Welcome

_VERB: Final = "ladder"  # also the notice of being taken off


class Laddering:
    """Plays up to `games` games at once, whomever the server pairs it with; `once`: so many in all.

    `refusal` is the server's sentence if it does not let the bot onto the ladder, or takes it off; the games
    that run are played to their ends.
    """

    def __init__(self, games: int, once: bool) -> None:
        self._games = games
        self._once = once
        self._said: str | None = None  # the last switch of this connection
        self._begun = 0
        self.refusal: str | None = None

    def anew(self) -> None:
        """Come in again: saying it twice does no harm, and the server may have been started anew."""
        self._said = None

    def begun_unheard(self) -> None:
        """A game has begun while the connection was lost."""
        self._begun += 1

    def heard(self, message: ServerMessage, running: int) -> list[ClientMessage]:
        """Return what to say after a message; `running` is how many games the bot is in now."""
        match message:
            case Welcome() | Pong() | Over():
                pass
            case Start():
                self._begun += 1
            case Error(re=verb, text=sentence) if verb == _VERB and self._said == "on":
                self.refusal = sentence
            case Notice(code=code, text=sentence) if code == _VERB:
                self.refusal = sentence
            case _:
                return []
        return self._next(running)

    def _next(self, running: int) -> list[ClientMessage]:
        if self.refusal is not None:
            return [] if running else [Quit()]
        enough = self._once and self._begun >= self._games
        switch = "off" if enough else "on"
        said: list[ClientMessage] = [] if self._said == switch else [Ladder(switch)]
        self._said = switch
        return [*said, Quit()] if enough and not running else said
