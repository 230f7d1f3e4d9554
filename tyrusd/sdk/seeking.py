"""What a bot says in a lobby: it seeks games as long as it has room, and leaves when it has played enough."""

from __future__ import annotations

from typing import Final

from tyrusd.wire import ClientMessage, Error, Ok, Over, Pong, Quit, Seek, ServerMessage, Start, Welcome

# Refusals of a seek after which the same seek may find somebody; the others will come again.
_AGAIN: Final = frozenset({"expired"})
_LATER: Final = frozenset({"too-many-games", "unavailable"})


class Seeking:
    """Plays up to `games` games at once; `once`: so many in all, and then says goodbye."""

    def __init__(self, games: int, once: bool) -> None:
        self._games = games
        self._once = once
        self._open = False  # a seek is open, or asked for and not answered
        self._begun = 0

    def anew(self) -> None:
        """Come in again: the older seek is forgotten there too."""
        self._open = False

    def begun_unheard(self) -> None:
        """A game has begun while the connection was lost."""
        self._begun += 1

    def heard(self, message: ServerMessage, running: int) -> list[ClientMessage]:
        """Return what to say after a message; `running` is how many games the bot is in now."""
        match message:
            case Welcome() | Pong():
                pass  # the only pong is the one that follows our games after a resume
            case Start():
                self._begun += 1
                self._open = False
            case Over():
                if message.next is not None:
                    self._begun -= 1  # a drawn game is played again, and begins at once
                    return []
            case Error(re="seek"):
                self._open = False
                if message.code not in _AGAIN | _LATER:
                    return [Quit()]
                if message.code in _LATER:
                    return []
            case Ok() | Error():
                return []
            case _:
                return []
        return self._next(running)

    def _next(self, running: int) -> list[ClientMessage]:
        if self._once and self._begun >= self._games:
            return [] if running else [Quit()]
        if self._open or running >= self._games:
            return []
        self._open = True
        return [Seek()]
