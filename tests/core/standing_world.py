"""A lobby with a standing ladder on a clock that is a number: bots play, and the journal is the truth."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from tests.core.stage import Stage
from tests.core.world import Peer
from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.core.keys import key_digest
from tyrusd.core.ladder_terms import LadderTerms
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import BotFailed, KeepMerge, MergeKept, StartBot, StopBot
from tyrusd.core.restoring import Recovered
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.core.standing import Standing
from tyrusd.league.clock import TimeControl
from tyrusd.league.fold import fold
from tyrusd.league.framing import HEADER, read_frames
from tyrusd.league.rated import RatedGame, Version
from tyrusd.league.standing_table import rating_table
from tyrusd.rules.notation import read_view
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

ROCK = "rock"  # the house anchor
CONTROL = TimeControl.parse("60+0.5", "none")
WITHOUT = {"aborted", "void"}


def token(name: str) -> str:
    return f"T0kenOf_{name}_" + "a" * 32


def accounts_of(
    names: Iterable[str], owners: Mapping[str, str] | None = None, off: Iterable[str] = ()
) -> Accounts:
    """Bots with one token each."""
    owners, off = owners or {}, set(off)
    known = [Account(name, "bot", None, owners.get(name), name in off) for name in names]
    known += [Account(name, "human") for name in sorted(set(owners.values()))]
    keys = [Key(key_digest(token(account.name)), account.name, "token") for account in known]
    return Accounts(known, keys)


@dataclass
class Bot:
    """A program: how long it thinks over a placement, and after how many of its own it gives a game up."""

    name: str
    thinks: float = 1.0
    games: int = 1
    gives_up: Callable[[int], int] = lambda game: 3
    agent: str | None = None
    host: str = "127.0.0.1"
    key: str | None = None
    mute: Callable[[int], bool] = lambda nth: False  # in which of its games it never answers
    peer: Peer | None = None
    secret: str | None = None
    playing: dict[str, int] = field(default_factory=dict)  # its own placements, by game
    most: int = 0
    starts: list[wire.Start] = field(default_factory=list)
    overs: list[wire.Over] = field(default_factory=list)
    heard: list[wire.Message | wire.Refusal] = field(default_factory=list)  # all else that is no game
    house: int | None = None


class LadderWorld:
    """A server with a ladder, its bots, and all that its journals hold."""

    def __init__(
        self,
        names: Iterable[str],
        anchors: Mapping[str, int] | None = None,
        settings: Settings = DEFAULTS,
        entropy: Callable[[int], bytes] | None = None,
        owners: Mapping[str, str] | None = None,
        control: TimeControl | None = CONTROL,
    ) -> None:
        self.names = list(names)
        self.accounts = accounts_of(self.names, owners)
        self.terms = LadderTerms(control, dict(anchors or {}))
        self.settings, self._entropy = settings, entropy
        self.frames: list[bytes] = []  # of the servers before this one
        self.bots: dict[str, Bot] = {}
        self.house_starts = True
        self.house_thinks = 0.5
        self.merges: list[KeepMerge] = []
        self.starts = 0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._seen = 0
        self.stage = self._stage(Recovered(), 1)
        self.rate()

    def _stage(self, recovered: Recovered, seed: int) -> Stage:
        houses = {name: SeatSpec("plugin", name) for name in self.terms.anchors}
        lobby = Lobby(houses, self.accounts, True, self.terms)
        self._seen = 0
        stage = Stage(self.settings, seed, lobby, self._entropy, recovered)
        self.clock = stage.now
        return stage

    @property
    def lobby(self) -> Lobby:
        lobby = self.stage.server.director
        assert isinstance(lobby, Lobby)
        return lobby

    @property
    def standing(self) -> Standing:
        return self.lobby.standing

    # -- bots ----------------------------------------------------------------------------------------------

    def join(self, name: str, on: bool | int = True, **traits: Any) -> Bot:
        """A bot comes, and goes onto the ladder unless on is False; a number: so many games at once."""
        bot = self.bots[name] = Bot(name, **traits)
        self.log_in(bot)
        if on:
            bot.peer.say("ladder on" if on is True else f"ladder on games={on}")  # type: ignore[union-attr]
            self.look()
        return bot

    def log_in(self, bot: Bot) -> None:
        """Come with the key."""
        peer = bot.peer = self.stage.connect(bot.host)
        bot.playing.clear()
        agent = "" if bot.agent is None else f" agent={bot.agent}"
        peer.say(f"hello 0.1 {bot.name} bot key={bot.key or token(bot.name)} games={bot.games}{agent}")
        self.look()

    def resume(self, bot: Bot) -> None:
        """Come back with the secret."""
        peer = bot.peer = self.stage.connect(bot.host)
        bot.playing.clear()
        peer.say(f"resume {bot.secret}")
        self.look()

    def lose(self, bot: Bot) -> None:
        """The connection of a bot is gone."""
        assert bot.peer is not None
        bot.peer.lose()
        bot.peer = None
        self.look()

    def say(self, bot: Bot, text: str) -> list[wire.Message | wire.Refusal]:
        """Let a bot say something; return what it hears besides games."""
        assert bot.peer is not None
        heard = len(bot.heard)
        bot.peer.say(text)
        self.look()
        return bot.heard[heard:]

    # -- time ----------------------------------------------------------------------------------------------

    def later(self, seconds: float, action: Callable[[], None]) -> None:
        """Have something happen."""
        heapq.heappush(self._events, (self.stage.now + seconds, next(self._order), action))

    def play(self, seconds: float) -> None:
        """Let time pass; bots answer when they have thought."""
        stage = self.stage
        end = stage.now + seconds
        self.look()
        while True:
            due = stage.server.deadline()
            event = self._events[0][0] if self._events else None
            at = min((moment for moment in (due, event) if moment is not None), default=None)
            if at is None or at > end:
                break
            stage.now = max(stage.now, at)
            if event is not None and event <= stage.now:
                heapq.heappop(self._events)[2]()
            else:
                stage.server.tick(stage.now)
                stage.run()
            if self.stage is not stage:
                end, stage = end - stage.now + self.stage.now, self.stage
            self.look()
        stage.now = end

    def look(self) -> None:
        """Take what has come to the bots, and what the server asks of the world."""
        while self._seen < len(self.stage.requests):
            request = self.stage.requests[self._seen]
            self._seen += 1
            if isinstance(request, StartBot):
                self.starts += 1
                self.later(0.3, lambda request=request: self._start(request))  # type: ignore[misc]
            elif isinstance(request, StopBot):
                pass
            elif isinstance(request, KeepMerge):
                self.merges.append(request)
                self.stage.server.answer(MergeKept(request.id), self.stage.now)
                self.stage.run()
        for bot in list(self.bots.values()):
            if bot.peer is not None and bot.peer.inbox:
                inbox = list(bot.peer.inbox)
                bot.peer.forget()
                for message in inbox:
                    self._take(bot, message)
                if bot.peer is not None and bot.peer.closed:
                    bot.peer = None

    def _start(self, request: StartBot) -> None:
        if not self.house_starts:
            self.stage.server.answer(BotFailed(request.id, "it is not there"), self.stage.now)
            self.stage.run()
            return
        bot = self.bots[request.name] = Bot(request.name, self.house_thinks, 256, house=request.id)
        bot.gives_up = lambda game: 4
        bot.peer = self.stage.connect("pipe", Codec.LINE, "pipe", request.id)
        bot.peer.say(f"hello 0.1 {request.name} bot games=256")

    def _take(self, bot: Bot, message: wire.Message | wire.Refusal) -> None:
        peer = bot.peer
        if isinstance(message, wire.Start):
            bot.starts.append(message)
            bot.playing.setdefault(message.game, 0)
            bot.most = max(bot.most, len(bot.playing))
        elif isinstance(message, wire.Over):
            bot.overs.append(message)
            bot.playing.pop(message.game, None)
        elif isinstance(message, wire.Choose):
            self.later(bot.thinks, lambda: self._answer(bot, peer, message))
        elif isinstance(message, wire.Ping):
            self.later(0.01, lambda: self._tell(bot, peer, f"pong {message.word}"))
        elif isinstance(message, wire.Welcome):
            bot.secret = message.secret
            bot.heard.append(message)
        else:
            bot.heard.append(message)

    def _answer(self, bot: Bot, peer: Peer | None, request: wire.Choose) -> None:
        nth = next((at for at, start in enumerate(bot.starts) if start.game == request.game), 0)
        if request.game not in bot.playing or bot.mute(nth):
            return
        bot.playing[request.game] += 1
        if bot.playing[request.game] > bot.gives_up(int(request.game[1:])):
            self._tell(bot, peer, f"resign {request.game}")
            return
        tile = read_view(request.view).hand[0]
        self._tell(bot, peer, f"place {request.game} {request.request} {tile} IC")

    def _tell(self, bot: Bot, peer: Peer | None, line: str) -> None:
        if peer is not None and peer is bot.peer and not peer.closed:
            peer.say(line)

    # -- the truth -----------------------------------------------------------------------------------------

    def records(self) -> list[dict[str, Any]]:
        """All records of all servers, in order."""
        return [payload for _, payload in read_frames(HEADER + b"".join(self.frames + self.stage.kept))]

    def finished(self) -> list[dict[str, Any]]:
        """The records of the finished rated games of the ladder, each once."""
        folded = fold(read_frames(HEADER + b"".join(self.frames + self.stage.kept)))
        return [
            record for record in folded.finished.values() if (record.get("rated") or {}).get("by") == "ladder"
        ]

    def audit(self, widest: int = 2) -> Counter[str]:
        """Check the balances of every moment against the journal; return how often each pair has met."""
        sides: Counter[tuple[str, str]] = Counter()
        games: dict[str, tuple[str, str, int]] = {}
        met: Counter[str] = Counter()
        ends: Counter[str] = Counter()
        for record in self.records():
            rated = record.get("rated")
            if record["kind"] == "opened" and rated is not None and rated["by"] == "ladder":
                seats, opener = record["game"]["seats"], record["game"]["deal"]["opener"]
                ivory, brown = seats["ivory"].lower(), seats["brown"].lower()
                games[record["id"]] = ivory, brown, 1 if opener == "ivory" else -1
                assert record["game"]["variant"] == "standard" and rated["flags"] in ([], ["host"])
                self._add(sides, games[record["id"]], 1)
                for name in {ivory, brown} - {name.lower() for name in self.terms.anchors}:
                    for what in ("sides", "openers"):
                        assert abs(sides[name, what]) <= widest, f"{name}: {what} {sides[name, what]}"
            elif record["kind"] == "game" and record["id"] in games:
                ends[record["id"]] += 1
                ivory, brown, _ = games[record["id"]]
                if record["game"]["reason"] in WITHOUT:
                    self._add(sides, games[record["id"]], -1)
                else:
                    met["-".join(sorted((ivory, brown)))] += 1
        assert all(times == 1 for times in ends.values()), "a result is there twice"
        for name in {name for name, _ in sides}:
            told = self.standing.book.balances(name)
            assert told == (sides[name, "sides"], sides[name, "openers"]), f"{name}: {told}"
        return met

    @staticmethod
    def _add(sides: Counter[tuple[str, str]], game: tuple[str, str, int], sign: int) -> None:
        ivory, brown, opens = game
        for name, side in ((ivory, 1), (brown, -1)):
            sides[name, "sides"] += sign * side
            sides[name, "openers"] += sign * side * opens

    def rate(self) -> None:
        """Hand newer ratings in, as a host does."""
        games = []
        for record in self.finished():
            head, rated = record["game"], record["rated"]
            ivory, brown = (Version(head["seats"][side], rated[side]) for side in ("ivory", "brown"))
            games.append(
                RatedGame(record["id"], ivory, brown, head["winner"], head["reason"],
                          head["deal"]["opener"], rated["by"], tuple(rated["flags"]))
            )  # fmt: skip
        merges = {Version(m.name, m.old): Version(m.name, m.new) for m in self.merges}
        table = rating_table(games, merges, self.terms.anchors, self.settings.ladder_provisional)
        self.stage.server.step(lambda now: self.standing.take(table, now), self.stage.now)
        self.stage.run()

    def kill(self) -> None:
        """The server is killed; its journal starts another one, and nobody is there yet."""
        self.frames += self.stage.kept
        folded = fold(read_frames(HEADER + b"".join(self.frames)))
        numbers = [int(game[1:]) for game in (*folded.finished, *folded.running)]
        houses = {name: SeatSpec("plugin", name) for name in self.terms.anchors}
        left = Recovered(tuple(folded.running.values()), folded.players, houses, max(numbers, default=0))
        self._events.clear()
        self.stage = self._stage(left, len(self.frames) + 2)
        self.rate()
        for bot in list(self.bots.values()):
            bot.peer = None
            bot.playing.clear()
            if bot.house is not None:
                del self.bots[bot.name]


def chance(seed: int) -> random.Random:
    return random.Random(seed)
