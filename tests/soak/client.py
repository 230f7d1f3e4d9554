"""Honest clients of a soak without any IO: what they are told, what they say to it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import TextIO

BUILDINGS = (b"IC", b"IM", b"IT", b"BC", b"BM", b"BT")
WANTS = (b" want=events", b"", b" want=events", b" want=events,full")
RESIGNS = 0.001  # of all requests
RETRY = 1.0  # seconds after a refusal
WATCHED = 4  # games of a spectator

Later = Callable[[float, Callable[[], bytes]], None]  # say something after so many seconds


class Notes:
    """What all clients of a process together were told."""

    def __init__(self, told: TextIO) -> None:
        self._told = told
        self.byes: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.closing = False  # the server has said so

    def started(self, client: bytes, game: bytes) -> None:
        self._told.write(f"start {client.decode()} {game.decode()}\n")

    def over(self, client: bytes, words: list[bytes]) -> None:
        self.counts["ends heard"] += 1
        self._told.write(
            f"over {client.decode()} {words[1].decode()} {words[3].decode()} {words[4].decode()}\n"
        )


class Client:
    """One name over many connections: a bot that plays, or a spectator."""

    def __init__(
        self, number: int, style: str, seats: int, think: float, notes: Notes, later: Later,
        partner: bytes = b"",
    ) -> None:  # fmt: skip
        self.name = b"%s-%d" % (style.encode(), number)
        self.style = style
        self.seats = seats
        self.think = think
        self.notes = notes
        self.later = later
        self.partner = partner
        self.want = WANTS[number % len(WANTS)]
        self.games: dict[bytes, list[bytes]] = {}  # the hand in each
        self.asked: set[tuple[bytes, bytes]] = set()  # requests whose answer is on its way
        self.secret = b""
        self.here = False
        self.must_resume = False
        self.resuming = False
        self.seeking = False
        self.said_goodbye = False
        self.chance = random.Random(number)

    # -- what it does by itself ----------------------------------------------------------------------------

    def cut(self) -> None:
        """The connection is gone; what was under way is not."""
        self.here = self.seeking = self.said_goodbye = False
        self.asked.clear()

    def begin(self) -> bytes:
        """Ask for a game, if there is room for one."""
        full = self.seeking or len(self.games) >= self.seats or not self.here
        if full or self.notes.closing or self.style in ("accept", "idle", "watch"):
            return b""
        self.seeking = True
        if self.style == "challenge":
            return b"challenge %s\n" % self.partner
        return b"play random\n" if self.style == "house" else b"seek\n"

    def look_around(self) -> bytes:
        """What spectators and idle bots do now and then."""
        self.later(self.chance.uniform(3, 8), self.look_around)
        if not self.here or self.notes.closing:
            return b""
        if self.style == "idle":
            return self.chance.choice((b"who\n", b"games\n", b"ping idle\n"))
        unwatched = b"".join(b"unwatch %s\n" % game for game in list(self.games)[:1])
        if len(self.games) >= WATCHED:
            del self.games[next(iter(self.games))]
            return unwatched
        return b"games\n"

    def _answer(self, game: bytes, request: bytes) -> bytes:
        if (game, request) not in self.asked or game not in self.games:
            return b""
        self.asked.discard((game, request))
        if self.chance.random() < RESIGNS:
            return b"resign %s\n" % game
        hand = self.games[game]
        tile = hand.pop(self.chance.randrange(len(hand)))
        self.notes.counts["placements"] += 1
        return b"place %s %s %s %s\n" % (game, request, tile, self.chance.choice(BUILDINGS))

    # -- what it is told -----------------------------------------------------------------------------------

    def take(self, line: bytes) -> bytes:
        """Hear one line; what is said to it at once."""
        words = line.split(b" ")
        hear = _HEARD.get(words[0])
        return b"" if hear is None else hear(self, words)

    def _greeting(self, words: list[bytes]) -> bytes:
        if self.secret and (self.games or self.must_resume) and self.style != "watch":
            self.resuming = True
            return b"resume %s\n" % self.secret
        return self._introduce()

    def _introduce(self) -> bytes:
        self.resuming = False
        kind = b"human" if self.style == "watch" else b"bot"
        return b"hello 0.1 %s %s games=%d%s\n" % (self.name, kind, self.seats, self.want)

    def _welcome(self, words: list[bytes]) -> bytes:
        self.secret = next(word[7:] for word in words if word.startswith(b"secret="))
        self.here, self.must_resume, self.seeking = True, False, False
        self.notes.counts["resumes" if self.resuming else "hellos"] += 1
        self.games.clear()  # those that still run are told again
        self.later(0.3, self.begin)
        return b"pong here\n" if self.resuming else b""

    def _start(self, words: list[bytes]) -> bytes:
        self.games[words[1]] = []
        self.seeking = False
        self.notes.started(self.name, words[1])
        return self.begin()

    def _snapshot(self, words: list[bytes]) -> bytes:
        if words[1] in self.games:
            self.games[words[1]] = _hand(words)
        return b""

    def _drew(self, words: list[bytes]) -> bytes:
        if words[4][:1] != b"?" and words[1] in self.games and self.style != "watch":
            self.games[words[1]] += words[4].split(b",")
        return b""

    def _request(self, words: list[bytes]) -> bytes:
        game, request = words[1], words[2]
        if words[0] == b"choose":
            self.games[game] = _hand(words)
        self.asked.add((game, request))
        self.later(self.chance.uniform(0.5, 1.5) * self.think, lambda: self._answer(game, request))
        return b""

    def over(self, words: list[bytes]) -> bytes:
        """A game has ended; perhaps the old one of two connections hears it."""
        self.notes.over(self.name, words)
        self.games.pop(words[1], None)
        return self.begin()

    def _offer(self, words: list[bytes]) -> bytes:
        return b"accept %s\n" % words[1] if words[3] == self.name else b""

    def _declined(self, words: list[bytes]) -> bytes:
        self.seeking = False
        self.later(RETRY, self.begin)
        return b""

    def _table(self, words: list[bytes]) -> bytes:
        if self.style != "watch" or len(self.games) >= WATCHED or self.chance.random() < 0.9:
            return b""
        if words[1] in self.games:
            return b""
        self.games[words[1]] = []
        return b"watch %s\nlook %s\n" % (words[1], words[1])

    def _error(self, words: list[bytes]) -> bytes:
        verb = next((word[3:] for word in words if word.startswith(b"re=")), b"").decode()
        code = words[1].decode()
        self.notes.errors[f"{code} {verb}".strip()] += 1
        if (verb, code) == ("hello", "taken"):  # it is in a game of which it was not told
            self.resuming = True
            return b"resume %s\n" % self.secret
        if verb == "resume":  # it has no seat any more, so it is a stranger
            self.games.clear()
            return self._introduce()
        if verb in ("seek", "play", "challenge", "accept"):
            self.seeking = False
            self.later(RETRY, self.begin)
        return b""

    def _bye(self, words: list[bytes]) -> bytes:
        self.notes.byes[words[1].decode()] += 1
        self.said_goodbye = True
        return b""

    def _ping(self, words: list[bytes]) -> bytes:
        return b"pong %s\n" % words[1]

    def _notice(self, words: list[bytes]) -> bytes:
        self.notes.closing = self.notes.closing or words[1] == b"shutdown"
        return b""


def _hand(words: list[bytes]) -> list[bytes]:
    return next(word[5:] for word in words if word.startswith(b"hand=")).split(b",")


_HEARD: dict[bytes, Callable[[Client, list[bytes]], bytes]] = {
    b"greeting": Client._greeting,
    b"welcome": Client._welcome,
    b"start": Client._start,
    b"snapshot": Client._snapshot,
    b"drew": Client._drew,
    b"turn": Client._request,
    b"choose": Client._request,
    b"over": Client.over,
    b"offer": Client._offer,
    b"declined": Client._declined,
    b"table": Client._table,
    b"error": Client._error,
    b"bye": Client._bye,
    b"ping": Client._ping,
    b"notice": Client._notice,
}
