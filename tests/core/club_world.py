"""A club evening in memory: people who enter, play, go away and come back, and a server that is killed."""

from __future__ import annotations

from tests.core.stage import NOWHERE, Stage, answer_line, asked
from tests.core.world import Peer
from tyrusd.core.club import Club
from tyrusd.core.lobby import Lobby
from tyrusd.core.restoring import Recovered
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.league.club import ClubTerms, event_of
from tyrusd.league.fold import fold
from tyrusd.league.framing import HEADER, read_frames
from tyrusd.wire import messages as wire

NAMES = ("ana", "ben", "cleo", "dora", "emil", "fritz", "gerda", "hugo", "ines", "jan", "karl")
KNOCKOUT = ClubTerms("knockout", "standard")


class ClubWorld:
    """A server that can be killed; people by name, on whatever server runs now."""

    def __init__(self, settings: Settings = DEFAULTS) -> None:
        self.settings = settings
        self.stage = Stage(settings, lobby=Lobby({}), recovered=Recovered())
        self.frames: list[bytes] = []  # of the servers before this one
        self.people: dict[str, Peer] = {}

    @property
    def club(self) -> Club:
        lobby = self.stage.server.director
        assert isinstance(lobby, Lobby)
        return lobby.club

    def open(self, name: str = "cup", terms: ClubTerms = KNOCKOUT) -> None:
        """The operator opens an event."""
        self.stage.server.step(lambda now: self.club.open(name, terms, now), self.stage.now)
        self.stage.run()

    def do(self, step: str, name: str = "cup", player: str | None = None) -> None:
        """The operator takes a step."""
        self.stage.server.step(lambda now: self.club.do(step, name, player, now), self.stage.now)
        self.stage.run()

    def join(self, *names: str, event: str = "cup", kind: str = "human", extra: str = "") -> None:
        """People come and enter."""
        for name in names:
            peer = self.people[name] = self.stage.join(name, kind, extra)
            peer.say(f"join {event}")
            assert peer.last(wire.Ok).re == "join", peer.text

    def kill(self, keep: int | None = None) -> None:
        """The server is killed; what it has kept, or the first so many records of it, starts another one."""
        self.frames += self.stage.kept[:keep]
        folded = fold(read_frames(HEADER + b"".join(self.frames)))
        numbers = [int(game[1:]) for game in (*folded.finished, *folded.running)]
        events = tuple(event_of(records, folded.finished) for records in folded.events.values())
        running = tuple(folded.running.values())
        left = Recovered(running, folded.players, {}, max(numbers, default=0), events)
        self.stage = Stage(self.settings, seed=len(self.frames), lobby=Lobby({}), recovered=left)

    def back(self, name: str) -> None:
        """Somebody resumes on the server that runs now."""
        secret = self.people[name].last(wire.Welcome).secret
        peer = self.people[name] = self.stage.connect()
        peer.say(f"resume {secret}")
        peer.last(wire.Welcome)

    def games(self) -> dict[str, tuple[str, str]]:
        """The running games with Ivory's and Brown's names."""
        return {game: table.match.names for game, table in self.stage.server.tables.items()}

    def game_of(self, name: str) -> str:
        """The only running game of somebody."""
        (game,) = [game for game, names in self.games().items() if name in names]
        return game

    def play(self, game: str, most: int = 54) -> None:
        """Play a game on, at most so many placements."""
        names = self.games()[game]
        for turn in range(most):
            table = self.stage.server.tables.get(game)
            if table is None or table.match.open_request is None:
                return
            peer = self.people[names[table.match.open_request.side]]
            assert asked(peer, game) is not None, peer.text
            peer.say(answer_line(peer, game, building=NOWHERE[turn % 6]))

    def lose(self, loser: str) -> None:
        """Somebody resigns its game."""
        self.people[loser].say(f"resign {self.game_of(loser)}")

    def encounters(self, name: str = "cup") -> list[wire.Encounter]:
        """What an onlooker is told."""
        return self._asked(name).got(wire.Encounter)

    def table(self, name: str = "cup") -> list[tuple[str, str, str]]:
        """The names in the table with points and states."""
        return [(line.name, line.points, line.state) for line in self._asked(name).got(wire.Standing)]

    def state(self, name: str = "cup") -> str:
        return self.club.evenings[name].event.state

    def _asked(self, name: str) -> Peer:
        peer = self.stage.connect()
        peer.say(f"hello 0.1 onlooker-{peer.number} human\nbracket {name}")
        told = peer.last(wire.Ok)
        assert told.count == len(peer.got(wire.Standing)) + len(peer.got(wire.Encounter))
        peer.lose()
        return peer


def notices(peer: Peer, code: str) -> list[wire.Notice]:
    return [notice for notice in peer.got(wire.Notice) if notice.code == code]


def codes(peer: Peer) -> list[str]:
    return [error.code for error in peer.got(wire.Error)]
