"""The stage: performs a script on a server in memory and keeps what each peer is sent, and when."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest

from tests.core.world import Peer, World
from tests.secrecy import scripts
from tests.secrecy.scripts import GUESTS, Act, Drain, Lose, Place, Resume, Say, Script, Seat, Wait
from tests.secrecy.twins import NOTHING, Known, known
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import Request, StartBot, Store, StoreFailed
from tyrusd.core.schedule import Entry, Schedule
from tyrusd.core.seatspec import SeatSpec, parse_seat
from tyrusd.league.clock import TimeControl
from tyrusd.rules.deal import Deal
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import VARIANTS
from tyrusd.wire import Codec, Connection, Role
from tyrusd.wire import messages as wire

NAMES = {Side.IVORY: "ada", Side.BROWN: "bob"}
GUEST_CODECS = (Codec.LINE, Codec.FRAME, Codec.LINE)

Chunk = tuple[float, bytes]


class Mark(NamedTuple):
    """Where every peer's stream and the public knowledge stood after an act."""

    lengths: tuple[int, ...]
    known: tuple[Known, ...]


class KeepingWorld(World):
    """A world that keeps each peer's output with its time, and does not read it."""

    def __init__(self, director: Lobby | Schedule, seed: int) -> None:
        self.streams: dict[int, list[Chunk]] = {}
        self.how_to_store = "at-once"
        self.waiting: list[Store] = []
        super().__init__(director, seed=seed)

    def _write(self, number: int) -> None:
        peer = self.peers[number]
        while not peer.closed and (data := self.server.output(number)):
            self.server.sent(number, len(data), self.now)
            self.streams.setdefault(number, []).append((self.now, data))
        if self.server.closing(number) and not peer.closed:
            peer.closed = True
            self.server.lost(number, self.now)

    def _request(self, request: Request) -> None:
        if not isinstance(request, Store) or self.how_to_store == "at-once":
            super()._request(request)
        elif self.how_to_store == "later":
            self.waiting.append(request)
        else:
            self.server.answer(StoreFailed(request.id, "the disk is full"), self.now)

    def keep(self, how: str) -> None:
        """Store as told from now on; what has waited is done so first."""
        self.how_to_store = how
        waiting, self.waiting = self.waiting, []
        for request in waiting:
            self._request(request)
        self.run()


@contextmanager
def dealing(deals: tuple[Deal, ...]) -> Iterator[None]:
    """Have the server deal these deals, one after the other, whatever its chance says; then always others."""
    others = (scripts.any_deal(random.Random(number)) for number in itertools.count())
    following = itertools.chain(deals, others)
    with pytest.MonkeyPatch.context() as patch:
        for dealer in ("core.lobby", "core.schedule", "league.tournament.dealing"):
            patch.setattr(f"tyrusd.{dealer}.deal_from_bytes", lambda secret: next(following))
        yield


class Stage:
    """One performance: a script, the deals it is played on, and everything that was sent.

    owner: the side whose hidden tiles these deals have exchanged. It names the tiles of its slots as they lie
    in `names` (the deals themselves by default); every other name of a tile is taken from the script's own
    deals, because the enemy cannot know what was exchanged.
    """

    def __init__(
        self, script: Script, deals: tuple[Deal, ...], owner: Side, names: tuple[Deal, ...] | None = None
    ) -> None:
        self.script = script
        self.names = deals if names is None else names
        self.owner = owner
        self.deals = deals
        self.games: dict[str, Game] = {}
        self.marks: list[Mark] = []
        self.playing: dict[Side, Peer] = {}
        self.owned: set[int] = set()  # numbers of the owner's peers
        setting = script.setting
        director = self.lobby() if setting.lobby else _schedule(script)
        with dealing(deals):
            self.world = KeepingWorld(director, seed=7)
            self.guests = [self._guest(number) for number in range(GUESTS)] if setting.lobby else []
            for side in _order_of_coming(script):
                self._come(side, setting.seat(side))
            self._note_games()

    def lobby(self) -> Lobby:
        """Who opens tables where everybody may come."""
        return _lobby(self.script)

    def perform(self, upto: int | None = None) -> Stage:
        """Do the acts, or the first `upto` of them, with a mark after each."""
        with dealing(self.deals[len(self.games) :]):
            for act in self.script.acts[:upto]:
                self.do(act)
                self._note_games()
                self.marks.append(self._mark())
        return self

    # -- acts ----------------------------------------------------------------------------------------------

    def do(self, act: Act) -> None:
        """Do one act."""
        match act:
            case Place(side, game, number, _, building, tagged):
                tile = self._tile(side, game, act.slot)
                tag = "t" if tagged else None
                message = wire.Place(
                    game=f"g{game}", request=number, tile=tile, building=building.name, tag=tag
                )
                self._send(self.playing[side], message)
            case Say(who, line):
                peer = self.playing[who] if isinstance(who, Side) else self.guests[who]
                self._say(peer, line)
            case Lose():
                self._lose(act)
            case Resume(side):
                self._resume(side)
            case Wait(seconds):
                self.world.wait(seconds)
            case Drain(grace):
                self.world.server.drain(self.world.now, grace)
                self.world.run()
            case scripts.Store(how):
                self.world.keep(how)

    def _tile(self, side: Side, game: int, slot: int) -> str:
        deals = self.names if side is self.owner else self.script.deals
        return str(deals[game - 1].tiles(side)[slot])

    def _send(self, peer: Peer, message: wire.ClientMessage) -> None:
        if not peer.closed:
            peer.send(message)

    def _say(self, peer: Peer, line: str) -> None:
        """Say a line, in frames as the message that it is (or as a frame of a type that nobody knows)."""
        if peer.closed:
            return
        if peer.connection.encode is Connection(Role.CLIENT, Codec.LINE).encode:
            peer.say(line)
            return
        for message in Connection(Role.SERVER, Codec.LINE).receive(f"{line}\n".encode()):
            data = b"\x00\x00\x00\x08\x93\xa4what\x90\x80"
            peer.send_bytes(peer.connection.encode(message) if isinstance(message, wire.Message) else data)

    def _lose(self, act: Lose) -> None:
        peer = self.playing[act.side]
        if peer.closed:
            return
        if act.slot is not None:
            game = max(len(self.games), 1)
            tile = self._tile(act.side, game, act.slot)
            whole = peer.connection.encode(wire.Place(game=f"g{game}", request=1, tile=tile, building="IC"))
            peer.send_bytes(whole[:-2])
        if not peer.closed:
            peer.lose(act.cause)

    def _resume(self, side: Side) -> None:
        old, seat = self.playing[side], self.script.setting.seat(side)
        secret = self.sent(old.number, wire.Welcome)[-1].secret
        self.playing[side] = peer = self._connect(side, seat)
        self._send(peer, wire.Resume(secret=secret))

    # -- peers ---------------------------------------------------------------------------------------------

    def _guest(self, number: int) -> Peer:
        peer = self.world.connect(codec=GUEST_CODECS[number])
        self._send(peer, wire.Hello(version="0.1", name=f"guest{number}", kind="human"))
        return peer

    def _come(self, side: Side, seat: Seat) -> None:
        setting = self.script.setting
        if seat.program:
            if setting.lobby:
                side_of_guest = side.other.letter
                self._say(self.playing[side.other], f"play {NAMES[side]} {self._terms(side_of_guest)}")
            start = next(
                request
                for request in self.world.requests
                if isinstance(request, StartBot) and request.name == NAMES[side]
            )
            peer = self.playing[side] = self._connect(side, seat, start.id)
        else:
            peer = self.playing[side] = self._connect(side, seat)
        key = None if setting.lobby or seat.program else f"key-{NAMES[side]}"
        self._send(peer, wire.Hello(version="0.1", name=NAMES[side], kind=seat.kind, want=seat.want, key=key))
        if setting.lobby and not seat.program and not setting.seat(side.other).program:
            self._say(peer, f"seek {self._terms(side.letter)}")

    def _connect(self, side: Side, seat: Seat, bot: int | None = None) -> Peer:
        host, kind = ("pipe", "pipe") if seat.program else ("127.0.0.1", "socket")
        peer = self.world.connect(host, seat.codec, kind, bot)
        if side is self.owner:
            self.owned.add(peer.number)
        return peer

    def _terms(self, letter: str) -> str:
        return f"side={letter} variant={self.script.setting.variant} clock={self.script.setting.clock}"

    # -- what was sent -------------------------------------------------------------------------------------

    def messages(self, number: int) -> list[wire.Message]:
        """Everything that a peer was sent, as messages."""
        peer = self.world.peers[number]
        codec = next(
            codec for codec in Codec if Connection(Role.CLIENT, codec).encode is peer.connection.encode
        )
        data = b"".join(data for _, data in self.world.streams.get(number, []))
        found = Connection(Role.CLIENT, codec).receive(data)
        return [message for message in found if isinstance(message, wire.Message)]

    def sent(self, number: int, kind: type[wire.Welcome]) -> list[wire.Welcome]:
        """The messages of one kind that a peer was sent."""
        return [message for message in self.messages(number) if isinstance(message, kind)]

    def outsiders(self, upto: int | None = None) -> dict[int, list[Chunk]]:
        """The streams of everyone but the owner, up to the mark of an act (the last by default)."""
        lengths = self.marks[-1 if upto is None else upto - 1].lengths
        return {
            number: self.world.streams.get(number, [])[: lengths[number - 1]]
            for number in range(1, len(lengths) + 1)
            if number not in self.owned
        }

    def own(self) -> list[list[Chunk]]:
        """The streams of the owner."""
        return [self.world.streams.get(number, []) for number in sorted(self.owned)]

    def _note_games(self) -> None:
        for name, table in self.world.server.tables.items():
            self.games.setdefault(name, table.match.game)

    def _mark(self) -> Mark:
        streams, peers = self.world.streams, len(self.world.peers)
        lengths = tuple(len(streams.get(number, ())) for number in range(1, peers + 1))
        games = [self.games.get(f"g{number}") for number in range(1, len(self.deals) + 1)]
        return Mark(lengths, tuple(NOTHING if game is None else known(game) for game in games))


def _order_of_coming(script: Script) -> list[Side]:
    """A guest comes before the house bot that it plays."""
    setting = script.setting
    return sorted(Side, key=lambda side: setting.lobby and setting.seat(side).program)


def _lobby(script: Script) -> Lobby:
    houses = {NAMES[side]: SeatSpec("plugin", "some") for side in Side if script.setting.seat(side).program}
    return Lobby(houses)


def _schedule(script: Script) -> Schedule:
    setting = script.setting
    entries = []
    for side in Side:
        program = setting.seat(side).program
        spec = parse_seat("plugin:some" if program else f"tcp:{NAMES[side]}")
        entries.append(Entry(NAMES[side], spec, None if program else f"key-{NAMES[side]}"))
    control = TimeControl.parse(setting.clock, "none")
    return Schedule((entries[0], entries[1]), 1, "a seed", VARIANTS[setting.variant], control)
