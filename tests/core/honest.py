"""Honest users in memory: bots that read and write bytes fast, people who type, with typos and pauses."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator

from tests.core.stage import Stage, asked
from tests.core.world import Peer
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import ALL_TILES
from tyrusd.wire import messages as wire

OWN = {"I": {"C": "IC", "M": "IM", "T": "IT"}, "B": {"C": "BC", "M": "BM", "T": "BT"}}
VOTERS = {"C": "S", "M": "M", "T": "P"}
Typing = Iterator[float]  # yields the seconds until it goes on


class Quick(Stage):
    """A stage whose peers keep the bytes and decode nothing, so that thousands of games are quick."""

    def _write(self, number: int) -> None:
        peer = self.peers[number]
        while not peer.closed and (data := self.server.output(number)):
            self.server.sent(number, len(data), self.now)
            peer.raw += data
        if self.server.closing(number) and not peer.closed:
            peer.closed = True
            self.server.lost(number, self.now)

    def bot(self, name: str, games: int = 1, host: str = "127.0.0.1") -> QuickBot:
        """A bot that has said hello."""
        peer = self.connect(host)
        peer.say(f"hello 0.1 {name} bot games={games}")
        return QuickBot(name, peer)


class QuickBot:
    """Answers everything at once; Ivory votes for itself, Brown does not: a game takes three elections."""

    def __init__(self, name: str, peer: Peer) -> None:
        self.name = name.encode()
        self.peer = peer
        self.sides: dict[bytes, str] = {}
        self.seeks = False  # its seek is open
        self.ended = 0
        self.said: list[bytes] = []  # errors and goodbyes that it was told
        self.secret = b""

    def answers(self) -> bytes:
        """Read all that has come; the answers to the requests in it."""
        told, self.peer.raw = self.peer.raw, b""
        replies = []
        for line in told.splitlines():
            words = line.split(b" ")
            match words[0]:
                case b"choose":
                    replies.append(self._answer(words))
                case b"start":
                    self.sides[words[1]] = words[2].decode()
                    self.seeks = False
                case b"over":
                    del self.sides[words[1]]
                    self.ended += 1
                case b"offer" if words[3] == self.name:
                    replies.append(b"accept %s\n" % words[1])
                case b"welcome":
                    self.secret = next(word[7:] for word in words if word.startswith(b"secret="))
                case b"error" | b"bye":
                    self.said.append(line)
        return b"".join(replies)

    def _answer(self, words: list[bytes]) -> bytes:
        seen = dict(word.split(b"=", 1) for word in words if b"=" in word)
        kind, side = seen[b"kind"].decode(), self.sides[words[1]]
        hand = seen[b"hand"].decode().split(",")
        best = [tile for tile in hand if tile[0] == VOTERS[kind]]
        tile = max(best or hand, key=lambda tile: int(tile[1:]))
        if side == "B":  # a vote where it helps nobody
            building = OWN["B"][next(other for other in "CMT" if other != kind and VOTERS[other] != tile[0])]
        else:
            building = OWN["I"][kind]
        return b"place %s %s %s %s\n" % (words[1], words[2], tile.encode(), building.encode())

    def wants(self, games: int) -> bool:
        """Whether it may seek now."""
        return not self.seeks and len(self.sides) < games

    def seek(self, line: bytes = b"seek\n") -> bytes:
        self.seeks = True
        return line


def at_once(stage: Stage, bots: tuple[QuickBot, ...], games: int, steps: int, pause: float) -> None:
    """Let bots with so many games each answer and seek, all that is due in one write, for so many steps."""
    for _ in range(steps):
        for bot in bots:
            said = bot.answers()
            if bot.wants(games):
                said += bot.seek()
            if said and not bot.peer.closed:
                bot.peer.send_bytes(said)
        stage.wait(pause)


def keys(peer: Peer, text: str, chance: random.Random, by_key: bool) -> Typing:
    """Type a line, key by key as telnet sends it or at its end as a terminal does."""
    if not by_key:
        yield len(text) * chance.uniform(0.1, 0.5)
        peer.send_bytes(f"{text}\n".encode())
        return
    for key in text + "\n":
        peer.send_bytes(key.encode())
        yield chance.uniform(0.05, 0.6)
    if len(text) > 8 and chance.random() < 0.1:
        peer.send_bytes(b"pla")
        yield chance.uniform(20, 110)  # thinks again, with a line begun
        peer.send_bytes(b"\n")


def slip(text: str, chance: random.Random) -> str:
    """The line with a typo: a key left out, doubled, exchanged, or in capitals."""
    at = chance.randrange(len(text))
    return chance.choice(
        [text[:at] + text[at + 1 :], text[:at] + text[at] + text[at:], text.upper(), "", text[::-1]]
    )


def person(peer: Peer, terms: str, chance: random.Random, by_key: bool, slow: float) -> Typing:
    """A person who plays game after game: thinks, mistypes, places what cannot be placed, asks around."""
    while True:
        starts, overs = len(peer.got(wire.Start)), len(peer.got(wire.Over))
        if starts == overs:
            yield from keys(peer, f"seek {terms}", chance, by_key)
            yield chance.uniform(5, 20)
            continue
        game = peer.last(wire.Start).game
        request = asked(peer, game)
        table = peer.world.server.tables.get(game)
        due = None if table is None else table.match.open_request
        if not isinstance(request, wire.Choose) or due is None or due.number != request.request:
            yield chance.uniform(3, 10)
            continue
        yield slow if chance.random() < 0.05 else chance.expovariate(1 / 8)
        tile = str(chance.choice(read_view(request.view).hand))
        line = f"place {game} {request.request} {tile} {chance.choice(('IC', 'IM', 'IT', 'BC', 'BM', 'BT'))}"
        mood = chance.random()
        if mood < 0.12:
            yield from keys(peer, slip(line, chance), chance, by_key)
        elif mood < 0.2:
            wrong = line.replace(f" {tile} ", f" {chance.choice(ALL_TILES)} ")
            yield from keys(peer, wrong, chance, by_key)
        elif mood < 0.3:
            yield from keys(peer, chance.choice(("who", "games", "help", f"look {game}")), chance, by_key)
        yield from keys(peer, line, chance, by_key)
        yield chance.uniform(1, 5)


def pass_time(stage: Stage, people: list[Typing], seconds: float) -> None:
    """Let people type at the same time for so long."""
    end = stage.now + seconds
    due = [(stage.now, number) for number in range(len(people))]
    while due:
        at, number = heapq.heappop(due)
        if at >= end:
            break
        if at > stage.now:
            stage.wait(at - stage.now)
        heapq.heappush(due, (stage.now + next(people[number]), number))
    stage.wait(end - stage.now)


def in_one_packet(peer: Peer, line: Callable[[int], str], count: int) -> None:
    """Send lines in one piece."""
    peer.send_bytes("".join(f"{line(number)}\n" for number in range(count)).encode())
