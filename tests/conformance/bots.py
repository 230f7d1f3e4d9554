"""A bot in memory that does all that the protocol asks, for others to be worse than."""

from __future__ import annotations

import heapq
import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conformance.bench import Bench

WELL = "exit status 0"


class Bot:
    """Reads bytes and says bytes, each at a time; `say` and `leave` may be put off."""

    games = 4
    hello = "hello 0.1 tested bot games={games}"
    key: str | None = None
    secret: str | None = None

    def __init__(self) -> None:
        self._said: list[tuple[float, int, bytes | str]] = []
        self._order = itertools.count()
        self._kept = b""
        self._bench: Bench
        self.greeted_at: float | None = None

    # -- for the bench -------------------------------------------------------------------------------------

    def attach(self, bench: Bench) -> None:
        """Learn the bench."""
        self._bench = bench
        self.began = bench.now

    def next_said(self) -> float | None:
        """When the next thing is said."""
        return self._said[0][0] if self._said else None

    def take_said(self) -> bytes | str:
        """The next bytes, or how the bot ends."""
        return heapq.heappop(self._said)[2]

    # -- for bots ------------------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        """The time."""
        return self._bench.now

    @property
    def step(self) -> str:
        """The name of the step that is being done; what a bad bot knows and no real one does."""
        step = self._bench.run.step
        return step.name if step is not None else ""

    def say(self, text: str, after: float = 0.0) -> None:
        """Say a line after some seconds."""
        self.put((text + "\n").encode(), after)

    def put(self, data: bytes, after: float = 0.0) -> None:
        """Say bytes after some seconds."""
        heapq.heappush(self._said, (self.now + after, next(self._order), data))

    def leave(self, how: str = WELL, after: float = 0.0) -> None:
        """End after some seconds."""
        heapq.heappush(self._said, (self.now + after, next(self._order), how))

    # -- what a good bot does ------------------------------------------------------------------------------

    def begin(self) -> None:
        """The connection is there."""

    def read(self, data: bytes) -> None:
        """Take bytes and obey each line."""
        lines = (self._kept + data).split(b"\n")
        self._kept = lines.pop()
        for line in lines:
            self.line(line.removesuffix(b"\r").decode("utf-8"))

    def input_ended(self) -> None:
        """The input has ended."""
        self.leave()

    def line(self, text: str) -> None:
        """Obey one line."""
        verb, *words = text.split(" ")
        handle = getattr(self, f"on_{verb.replace('-', '_')}", None)
        if handle is not None:
            handle(words)

    def on_greeting(self, words: list[str]) -> None:
        """Say hello."""
        key = f" key={self.key}" if self.key else ""
        self.say(self.hello.format(games=self.games) + key)

    def on_choose(self, words: list[str]) -> None:
        """Answer a request."""
        seen = dict(word.split("=", 1) for word in words[2:])
        self.place(words[0], words[1], *self.decide(seen))

    def decide(self, seen: dict[str, str]) -> tuple[str, str]:
        """The first tile into the own building of the election."""
        return seen["hand"].split(",")[0], seen["side"] + seen["kind"]

    def place(self, game: str, request: str, tile: str, building: str) -> None:
        """Say a placement."""
        self.say(f"place {game} {request} {tile} {building}")

    def on_ping(self, words: list[str]) -> None:
        """Answer a ping."""
        self.say(f"pong {words[0]}")

    def on_bye(self, words: list[str]) -> None:
        """End."""
        self.leave()


class Returning(Bot):
    """A bot on a socket that resumes; `memory` is shared by its connections."""

    def __init__(self, memory: dict[str, str]) -> None:
        super().__init__()
        self.memory = memory

    def on_greeting(self, words: list[str]) -> None:
        if "secret" in self.memory:
            self.say(f"resume {self.memory['secret']}")
        else:
            super().on_greeting(words)

    def on_welcome(self, words: list[str]) -> None:
        self.memory["secret"] = next(word for word in words if word.startswith("secret="))[7:]

    def on_bye(self, words: list[str]) -> None:
        self.memory.clear()
        super().on_bye(words)


class Follower(Bot):
    """A bot that follows the events and keeps its hand and the kind of the election itself."""

    hello = "hello 0.1 tested bot games={games} want=events"

    def __init__(self) -> None:
        super().__init__()
        self.hands: dict[str, list[str]] = {}
        self.sides: dict[str, str] = {}

    def on_start(self, words: list[str]) -> None:
        self.sides[words[0]] = words[1]

    def on_snapshot(self, words: list[str]) -> None:
        seen = dict(word.split("=", 1) for word in words[2:])
        self.hands[words[0]] = seen["hand"].split(",")

    def on_placed(self, words: list[str]) -> None:
        if words[6] in self.hands[words[0]]:
            self.hands[words[0]].remove(words[6])

    def on_drew(self, words: list[str]) -> None:
        if "?" not in words[3]:
            self.hands[words[0]] += words[3].split(",")

    def on_turn(self, words: list[str]) -> None:
        self.place(words[0], words[1], self.hands[words[0]][0], "BT")

    def on_choose(self, words: list[str]) -> None:
        raise AssertionError("a complete request for a bot that did not want it")
