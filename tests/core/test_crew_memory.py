"""A bot that remembers every tile it has had: it gains nothing in pairs, since two sets of programs play."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from tests.core.crew_world import CrewWorld, crew, task
from tests.core.world import Peer
from tyrusd.core.archive import Archive
from tyrusd.core.settings import DEFAULTS
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import TILE_NAMED, Kind, Side, Tile, building_of
from tyrusd.rules.tally import ROLES, count, winner
from tyrusd.rules.view import View
from tyrusd.wire import messages as wire

PAIRS = 100
_NOTHING = 3


def owner_of_use(kind: Kind, tile: Tile, side: Side) -> Side:
    """In whose building a tile counts for its side."""
    return side if ROLES[kind][True][tile.profession] != _NOTHING else side.other


def strongest(hand: list[Tile]) -> list[Tile]:
    """What a plain bot places in an election: its three highest tiles."""
    return sorted(hand, key=lambda tile: (-tile.number, tile.profession))[:3]


def wins(kind: Kind, side: Side, own: list[Tile], enemy: list[Tile]) -> bool:
    """Whether three tiles win against three others, all of them where they count."""
    placed = {place: [] for place in Side}  # type: dict[Side, list[tuple[Side, Tile]]]
    for who, tiles in ((side, own), (side.other, enemy)):
        for tile in tiles:
            placed[owner_of_use(kind, tile, who)].append((who, tile))
    counts = [count(kind, place, placed[place]) for place in Side]
    return winner(counts[Side.IVORY], counts[Side.BROWN]) is side


class Rememberer:
    """Plays as the plain bot does until it knows the enemy's tiles; each of its programs knows its own games.

    It notes the tiles that it gets in a game, in their order: the enemy gets them in the twin. It also asks
    the server for the record of the other game.
    """

    def __init__(self, asks: bool = False) -> None:
        self.asks = asks
        self.notes: dict[tuple[int, str], list[Tile]] = {}  # by program and game
        self.plans: dict[tuple[int, str], list[Tile]] = {}
        self.refused = 0  # questions on a game that was not there, or of which nobody is told yet
        self.used = 0  # elections that were played with knowledge of the enemy's tiles

    def __call__(self, world: CrewWorld, peer: Peer, request: wire.Choose) -> wire.Place:
        view = read_view(request.view)
        side = view.viewer
        assert side is not None
        noted = self.notes.setdefault((peer.number, request.game), [])
        noted += [tile for tile in view.hand if tile not in noted]
        key = (peer.number, request.game)
        if len(view.hand) % 3 == 0:  # the first of three placements
            self.plans[key] = self.plan(peer, request.game, view, side)
        tile = self.plans[key].pop(0)
        return placement(request, view, tile, side)

    def plan(self, peer: Peer, game: str, view: View, side: Side) -> list[Tile]:
        """The cheapest three tiles that win against what the enemy will place, if that is known."""
        enemy = self.enemy_tiles(peer, game, view.election, side.other)
        if enemy is None:
            return strongest(list(view.hand))
        self.used += 1
        threes = sorted(combinations(view.hand, 3), key=lambda three: sum(tile.number for tile in three))
        found = [three for three in threes if wins(view.kind, side, list(three), enemy)]
        return list((found or threes)[0])

    def enemy_tiles(self, peer: Peer, game: str, election: int, enemy: Side) -> list[Tile] | None:
        """What the enemy places in an election, if all it has had until then is known."""
        pair, number = game.split("-")
        other = f"{pair}-{3 - int(number)}"
        if self.asks and election == 1:
            self.ask(peer, other, enemy)
        order = self.notes.get((peer.number, other), [])
        hand, drawn = order[:9], 9
        for _ in range(1, election):
            for tile in strongest(hand):
                hand.remove(tile)
            hand += order[drawn : drawn + 3]
            drawn += 3
        complete = drawn <= len(order) or election > 8
        return strongest(hand) if complete and len(hand) >= 3 else None

    def ask(self, peer: Peer, other: str, enemy: Side) -> None:
        """Note what the server tells of the other game."""
        peer.send(wire.Record(game=other), wire.Log(game=other), wire.Why(game=other), wire.Results())
        self.refused += sum(error.re in ("record", "log", "why") for error in peer.got(wire.Error)[-3:])
        for told in peer.got(wire.Recorded):
            if told.game == other and told.part == "seat" and told.side == enemy.letter:
                names = (told.tiles or "").split(",")
                self.notes[peer.number, other] = [TILE_NAMED[name] for name in names]
        assert all(result.game != other for result in peer.got(wire.Result))


def placement(request: wire.Choose, view: View, tile: Tile, side: Side) -> wire.Place:
    building = building_of(owner_of_use(view.kind, tile, side), view.kind)
    return wire.Place(game=request.game, request=request.request, tile=str(tile), building=building.name)


def plain(world: CrewWorld, peer: Peer, request: wire.Choose) -> wire.Place:
    view = read_view(request.view)
    assert view.viewer is not None
    return placement(request, view, strongest(list(view.hand))[0], view.viewer)


def play(rememberer: Rememberer, shared: bool, concurrency: int = 1, games: int = 1) -> CrewWorld:
    world = CrewWorld(
        crew(concurrency=concurrency, shared=shared),
        games,
        policies={"one": rememberer, "two": plain},
        settings=replace(DEFAULTS, lines_burst=1e9, error_budget=1e9),
        forgetful=True,
    )
    world.give(*[task(pair) for pair in range(1, PAIRS + 1)])
    world.finish()
    world.play_all()
    assert len(world.played) == 2 * PAIRS
    return world


def score(world: CrewWorld, number: int | None = None) -> float:
    games = [game for game in world.played if number in (None, game.place.game)]
    return sum(game.score("one") for game in games) / len(games)


@pytest.mark.parametrize(
    ("concurrency", "games", "asks"), [(1, 1, False), (1, 1, True), (4, 1, True), (4, 8, True)]
)
def test_who_remembers_every_tile_gains_nothing_from_pairs(concurrency: int, games: int, asks: bool) -> None:
    rememberer = Rememberer(asks)
    world = play(rememberer, shared=False, concurrency=concurrency, games=games)
    assert rememberer.used == 0
    assert rememberer.refused == (3 * 2 * PAIRS if asks else 0)
    assert score(world) == 0.5  # not by chance: on one deal two equal bots win one game each


def test_with_one_set_of_programs_for_both_games_it_gains_a_lot() -> None:
    """The control: the same bots in a crew that does not keep the games apart."""
    rememberer = Rememberer()
    world = play(rememberer, shared=True)
    assert rememberer.used > 2 * PAIRS
    assert score(world, 1) == pytest.approx(0.5, abs=0.15)
    assert score(world, 2) > 0.9
    assert score(world) > 0.65


def test_if_the_server_told_of_a_first_game_at_once_asking_would_gain_a_lot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The control of its questions: what keeps it from the answers is that deals are sealed."""
    monkeypatch.setattr(Archive, "played_on", lambda archive, deal: None)
    rememberer = Rememberer(asks=True)
    world = play(rememberer, shared=False)
    assert rememberer.used > 2 * PAIRS
    assert score(world, 2) > 0.9
