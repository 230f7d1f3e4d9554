"""Somebody in a life: what it was told, and the lines that it says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tests.core.standing_world import token

if TYPE_CHECKING:
    from tests.core.lives.place import Place
    from tests.core.lives.truth import Truth

_BUILDINGS = ("IC", "IM", "IT", "BC", "BM", "BT")
_OTHER_CASE = 0.1  # how often a guest writes its name otherwise
_TURNS = 6  # of an election


class Due(NamedTuple):
    """A request that is open as far as its player knows."""

    number: str
    tile: str
    placed: int


class Person:
    """A guest, the holder of an account, or a program of the house; on whatever server runs now."""

    def __init__(self, place: Place, truth: Truth, name: str, kind: str, games: int, account: bool) -> None:
        self.place, self.truth = place, truth
        self.name, self.kind, self.games, self.account = name, kind, games, account
        self.peer: int | None = None
        self.secret = ""
        self.doubtful = False  # whether its secret may be newer than what the journal has
        self.pings: list[str] = []
        self.playing: dict[str, Due | None] = {}
        self.enemies: dict[str, str] = {}  # by game
        self.ended: list[str] = []
        self.offers: list[str] = []

    @property
    def here(self) -> bool:
        """Whether it is connected."""
        return self.peer is not None

    # -- coming and going ----------------------------------------------------------------------------------

    def resume(self) -> bool:
        """Come back with the secret; whether that was possible."""
        self._arrive()
        self.say(f"resume {self.secret}")
        if not self._welcome:
            self.lose()
        return self.here

    def hello(self) -> bool:
        """Come under the name; whether that was possible."""
        self._arrive()
        agent = f" agent={self.name}-{self.games}" if self.kind == "bot" else ""
        key = f" key={token(self.name)}" if self.account else ""
        if not self.account and self.place.chance.random() < _OTHER_CASE:
            self.name = self.name.swapcase()
        self.say(f"hello 0.1 {self.name} {self.kind} games={self.games}{agent}{key}")
        if not self._welcome:
            self.lose()
        return self.here

    def start(self, bot: int) -> None:
        """A program of the house is ready."""
        self.lose()
        self._arrive(bot)
        self.say(f"hello 0.1 {self.name} bot games={self.games}")

    def _arrive(self, bot: int | None = None) -> None:
        self._welcome = False
        self.forget()
        self.peer = -1
        self.peer = self.place.connect(self, bot)

    def forget(self) -> None:
        """There is no connection, and a new one tells all anew."""
        self.peer = None
        self.playing.clear()
        self.offers.clear()
        self.pings.clear()

    def lose(self) -> None:
        """The connection is gone."""
        if self.peer is not None:
            self.place.lose(self.peer)
            self.forget()

    def cut(self, peer: int) -> None:
        """The server has closed a connection, or it is gone."""
        if peer == self.peer:
            self.forget()

    # -- saying and hearing --------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Say lines, if there is a connection."""
        if self.peer is not None:
            self.place.say(self.peer, text)

    def answer(self, game: str) -> None:
        """Answer the open request of a game with the first tile."""
        due = self.playing.get(game)
        if due is not None:
            self.playing[game] = None
            self.say(f"place {game} {due.number} {due.tile} {_BUILDINGS[due.placed % len(_BUILDINGS)]}")

    def hear(self, line: str) -> None:
        """Take a line of the server."""
        verb, *words = line.split(" ")
        match verb:
            case "welcome":
                self._welcome, self.doubtful = True, False
                self.secret = next(word[7:] for word in words if word.startswith("secret="))
            case "start":
                game, side, own, enemy, *terms = words
                self.truth.start(game, side, own, enemy, next(at for at in terms if at.startswith("seed=")))
                self.playing.setdefault(game, None)
                self.enemies[game] = enemy
            case "choose":
                shown = dict(word.partition("=")[::2] for word in words)
                placed = (int(shown["election"]) - 1) * _TURNS + int(shown["turn"]) - 1
                self.playing[words[0]] = Due(words[1], shown["hand"].partition(",")[0], placed)
            case "over":
                self.truth.over(words[0], words[2], words[3])
                if self.playing.pop(words[0], 0) != 0 and words[0].startswith("g"):
                    self.ended.append(words[0])
            case "offer" if words[2] == self.name:
                self.offers.append(words[0])
            case "declined" | "accepted":
                self.truth.counts[verb] += 1
                if words[0] in self.offers:
                    self.offers.remove(words[0])
            case "error":
                self.truth.error(self.name, words[0], line)
            case "ping":
                self.pings.append(words[0])

    def pong(self) -> None:
        """Show that one is alive."""
        pings, self.pings = self.pings, []
        for word in pings:
            self.say(f"pong {word}")
