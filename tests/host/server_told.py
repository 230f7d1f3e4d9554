"""Players without any IO who come back after a restart, and whether what they were told still holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from zlib import crc32

from tyrusd.league.fold import fold
from tyrusd.league.framing import BadRecord, read_frames
from tyrusd.league.replay import verify
from tyrusd.rules.notation import read_view
from tyrusd.wire import Codec, Connection, Role
from tyrusd.wire import messages as wire

BUILDINGS: Final = ("IC", "IM", "IT", "BC", "BM", "BT")
TURNS: Final = 6  # placements of an election
RESIGNS_IN: Final = 2  # the election in which a client that resigns does so
# The ends that players reach by themselves; all others are the work of a restart that went wrong.
FAIR: Final = frozenset({"three-in-a-row", "majority", "remaining-tiles", "drawn", "resigned"})
EVENTS: Final = (
    wire.Election | wire.Placed | wire.Revealed | wire.Tallied | wire.Drew | wire.Remaining | wire.Over
)


class Client:
    """One player or spectator, over as many connections as it takes; bytes come in, bytes go out.

    games: how many it wants to end; terms: of its seeks; resigns: early in each game. What it is sent is kept
    in `raw`, for each connection apart.
    """

    def __init__(
        self, name: str, *, want: str = "", terms: str = "", games: int = 1, resigns: bool = False,
        plays: bool = True,
    ) -> None:  # fmt: skip
        self.name = name
        self.raw: list[bytes] = []
        self.games = games
        self.running: set[str] = set()
        self.ended: set[str] = set()
        self.watched: set[str] = set()
        self.errors: list[str] = []
        self.returns = 0  # how often it has resumed
        self.here = False  # has come, or come back, on this connection
        self._secret = ""
        self._resuming = False
        self._hello = f"hello 0.1 {name} {'bot' if plays else 'human'} {want}".strip()
        self._seek = f"seek {terms}".strip()
        self._resigns = resigns
        self._plays = plays
        self._connection = Connection(Role.CLIENT, Codec.LINE)

    def connect(self) -> None:
        """Begin a new connection; whatever was not told on the old one has not been told."""
        self._connection = Connection(Role.CLIENT, Codec.LINE)
        self.raw.append(b"")
        self.watched.clear()
        self.here = False

    def remember(self, raw: Iterable[bytes]) -> None:
        """Know what was told on earlier connections."""
        for data in raw:
            self.connect()
            self.take(data)

    @property
    def satisfied(self) -> bool:
        """Whether nothing runs of which it knows, and no more games are wanted."""
        return not self._plays or (not self.running and len(self.ended) >= self.games)

    def take(self, data: bytes) -> bytes:
        """What the client says to what it is sent."""
        self.raw[-1] += data
        said = [self._answer(message) for message in self._connection.receive(data)]
        return "".join(f"{line}\n" for line in said if line).encode()

    def watch(self, tables: Iterable[str]) -> bytes:
        """Ask to see these games."""
        new = [game for game in tables if game not in self.watched] if self.here else []
        self.watched.update(new)
        return "".join(f"watch {game}\n" for game in new).encode()

    def seek(self) -> str:
        """Ask for a game, if one is wanted."""
        return "" if self.running or self.satisfied else self._seek

    def _answer(self, message: wire.Message | wire.Refusal) -> str:
        match message:
            case wire.Greeting():
                return self._resume() if self.running else self._introduce()
            case wire.Welcome():
                self._secret, self.here = message.secret, True
                self.returns += self._resuming
                return "" if self._resuming else self.seek()
            case wire.Error(re="hello", code="taken"):  # it is in a game of which it was not told
                return self._resume()
            case wire.Error(re="resume"):  # it is in no game any more, so it is a stranger now
                self.running.clear()
                return self._introduce()
            case wire.Error():
                self.errors.append(f"{message.code} {message.re}: {message.text}")
            case wire.Ping():
                return f"pong {message.word}"
            case wire.Start():
                self.running.add(message.game)
            case wire.Table() if not self._plays:
                return self.watch([message.game]).decode().rstrip("\n")
            case wire.Choose():
                return self._place(message)
            case wire.Over():
                self.running.discard(message.game)
                if message.next is None:
                    self.ended.add(message.game)
                    return self.seek() if self._plays else ""
        return ""

    def _resume(self) -> str:
        self._resuming = True
        return f"resume {self._secret}"

    def _introduce(self) -> str:
        self._resuming = False
        return self._hello

    def _place(self, request: wire.Choose) -> str:
        view = read_view(request.view)
        if self._resigns and view.election == RESIGNS_IN:
            return f"resign {request.game}"
        tile = str(view.hand[0])
        building = BUILDINGS[crc32(f"{tile}{view.turn}".encode()) % len(BUILDINGS)]
        return f"place {request.game} {request.request} {tile} {building}"


def messages(raw: bytes) -> list[wire.Message | wire.Refusal]:
    """What one connection was told in whole lines."""
    return Connection(Role.CLIENT, Codec.LINE).receive(raw)


def kept(journal: bytes) -> tuple[dict[str, Any], list[str]]:
    """The finished games of a journal, and the ids of its results as often as they stand there."""
    frames = []
    try:
        for offset, payload in read_frames(journal):
            frames.append((offset, payload))
    except BadRecord as bad:
        if not bad.last:
            raise
    ids = [payload["id"] for _, payload in frames if payload["kind"] == "game"]
    return dict(fold(frames).finished), ids


def lost(journal: bytes, told: Mapping[str, Sequence[bytes]]) -> list[str]:
    """The results that somebody was told and that the journal does not hold, or holds otherwise."""
    finished, _ = kept(journal)
    return sorted(
        {
            f"{message.game} told to {name}"
            for name, connections in told.items()
            for raw in connections
            for message in messages(raw)
            if isinstance(message, wire.Over) and not _same(finished.get(message.game), message)
        }
    )


def _same(record: Any, over: wire.Over) -> bool:
    if record is None:
        return False
    winner = record["game"]["winner"]
    return (over.winner, over.reason) == (
        "-" if winner is None else winner[0].upper(),
        record["game"]["reason"],
    )


def faults(
    journal: bytes, told: Mapping[str, Sequence[bytes]], *, results_only: bool
) -> dict[str, list[str]]:
    """All that is wrong with a journal at the end, after what each peer was told on its connections.

    results_only: as after lost power, when unfinished games may have been taken back.
    """
    finished, ids = kept(journal)
    found: dict[str, list[str]] = {
        "lost": lost(journal, told),
        "twice": sorted(game for game, count in Counter(ids).items() if count > 1),
        "false": sorted(game for game, record in finished.items() if _false(record)),
        "again": [], "contradicted": [], "unfinished": [],
    }  # fmt: skip
    for name, connections in told.items():
        heard: dict[str, int] = {}
        overs: Counter[str] = Counter()
        for message in (message for raw in connections for message in messages(raw)):
            if isinstance(message, wire.Over):
                overs[message.game] += 1
            if results_only:
                continue
            if isinstance(message, EVENTS):
                if message.seq <= heard.get(message.game, 0):
                    found["again"].append(f"event {message.seq} of {message.game} to {name}")
                heard[message.game] = message.seq
            if isinstance(message, wire.Placed) and not _placed(finished.get(message.game), message):
                found["contradicted"].append(f"placement {message.seq} of {message.game}, told to {name}")
            if isinstance(message, wire.Start) and not _ended(finished.get(message.game)):
                found["unfinished"].append(f"{message.game} of {name}")
        found["twice"] += [f"{game} to {name}" for game, count in overs.items() if count > 1]
    return found


def _false(record: Any) -> bool:
    try:
        verify(record)
    except ValueError:
        return True
    return False


def _placed(record: Any, told: wire.Placed) -> bool:
    """Whether a placement that was told stands in the finished game, in its place."""
    if record is None:
        return False
    placements = record["game"]["placements"]
    number = (told.election - 1) * TURNS + told.turn - 1
    if number >= len(placements):
        return False
    side, tile, building = placements[number]
    return (told.side, told.building) == (side[0].upper(), building) and told.face in ("?", tile)


def _ended(record: Any) -> bool:
    return record is not None and record["game"]["reason"] in FAIR
