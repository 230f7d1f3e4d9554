"""Events suffice: whoever follows a game from its snapshot on knows what a complete line would tell.

That holds for seats and for spectators, whenever they come, leave and come back: no event is missing, none
comes twice, and the end has a place in the count as well.
"""

from __future__ import annotations

import random

import pytest

from tests.core.world import Peer, World
from tests.transcripts.follower import Follower
from tyrusd.core.lobby import Lobby
from tyrusd.rules.notation import read_view
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

GAME = "g1"
BUILDINGS = ("IC", "IM", "IT", "BC", "BM", "BT")


class Viewer:
    """A peer and the picture it keeps."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.follower = Follower(GAME)
        self.heard = 0
        self.asked: wire.Choose | wire.Turn | None = None

    def listen(self) -> None:
        for message in self.peer.inbox[self.heard :]:
            assert isinstance(message, wire.Message)
            self.follower.hear(message)
            if isinstance(message, wire.Choose | wire.Turn) and message.game == GAME:
                self.asked = message
            elif isinstance(message, wire.Placed | wire.Over):
                self.asked = None
        self.heard = len(self.peer.inbox)

    def come_back(self, world: World, chance: random.Random) -> None:
        """Lose the connection and resume on a new one, perhaps after a while."""
        secret = self.peer.last(wire.Welcome).secret
        self.peer.lose()
        self.follower.broken_off()
        world.wait(chance.choice((0.0, 0.7)))
        self.peer, self.heard = world.connect(), 0
        self.peer.send(wire.Resume(secret=secret))


def _answer(viewer: Viewer, chance: random.Random) -> bool:
    if viewer.asked is None or viewer.follower.view is None:
        return False
    tile = chance.choice(viewer.follower.view.hand)
    number, viewer.asked = viewer.asked.request, None
    viewer.peer.send(wire.Place(game=GAME, request=number, tile=str(tile), building=chance.choice(BUILDINGS)))
    return True


def _play(seed: int, want: str) -> tuple[list[Viewer], list[Viewer]]:
    """A whole game that all follow: two seats who come and go, and spectators who join and leave."""
    chance = random.Random(seed)
    world = World(Lobby({}), seed=seed)
    seats = [Viewer(world.join(name, "human", f"want={want}")) for name in ("ada", "bob")]
    for viewer in seats:
        viewer.peer.say("seek")
    watchers: list[Viewer] = []
    for number in range(400):
        for viewer in (*seats, *watchers):
            viewer.listen()
        if all(viewer.follower.over for viewer in seats):
            break
        event = chance.random()
        if event < 0.10:
            chance.choice(seats).come_back(world, chance)
        elif event < 0.25:
            codec = chance.choice(tuple(Codec))
            watcher = Viewer(world.connect(codec=codec))
            watcher.peer.send(wire.Hello(version="0.1", name=f"w{number}", kind="human"))
            watcher.peer.send(wire.Watch(game=GAME))
            watchers.append(watcher)
        elif event < 0.45:
            chance.choice([*seats, *watchers]).peer.send(wire.Look(game=GAME))
        else:
            any(_answer(viewer, chance) for viewer in seats)
        world.wait(chance.choice((0.0, 0.01, 0.4)))
    return seats, watchers


@pytest.mark.parametrize("want", ["events", "events,full"])
@pytest.mark.parametrize("seed", range(12))
def test_whoever_follows_knows_the_whole_game(seed: int, want: str) -> None:
    seats, watchers = _play(seed, want)
    ends = {viewer.follower.over for viewer in (*seats, *watchers)}
    assert len(ends) == 1
    assert None not in ends
    assert len(watchers) > 3
    compared = sum(viewer.follower.checked for viewer in (*seats, *watchers))
    assert compared > (20 if want == "events,full" else 3)


def test_the_follower_notices_what_is_wrong() -> None:
    world = World(Lobby({}))
    ada, bob = world.join("ada", "human", "want=events"), world.join("bob", "human", "want=events")
    ada.say("seek")
    bob.say("seek")
    snapshot = ada.last(wire.Snapshot)
    side = snapshot.view.split()[0].partition("=")[2]
    hand = read_view(snapshot.view).hand
    placed = wire.Placed(GAME, 2, side, 1, 1, "IC", str(hand[0]))

    def told(*messages: wire.Message) -> Follower:
        follower = Follower(GAME)
        for message in (snapshot, *messages):
            follower.hear(message)
        return follower

    assert told(placed).seq == 2
    with pytest.raises(AssertionError, match="event 2 after 2"):
        told(placed, placed)
    with pytest.raises(AssertionError, match="event 3 after 1"):
        told(wire.Placed(GAME, 3, side, 1, 1, "IC", "?"))
    with pytest.raises(AssertionError):
        told(placed, snapshot)
    with pytest.raises(AssertionError, match="revealed is what had been placed"):
        told(wire.Revealed(GAME, 2, "IC", "IC.1.1.I.S1"))
    with pytest.raises(AssertionError, match="before the snapshot"):
        Follower(GAME).hear(wire.Placed(GAME, 1, side, 1, 1, "IC", "?"))
