"""Connections are lost in every phase of a game: whoever comes back sees what staying would have shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.stage import NOWHERE, Stage, begin
from tests.core.world import Peer
from tyrusd.core.settings import DEFAULTS
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import SIDE_OF_LETTER, Side
from tyrusd.rules.view import view
from tyrusd.wire import messages as wire

SEEN_TWICE = wire.Start | wire.Away | wire.Back


class Twice:
    """One game on two servers: on the first both players stay, on the second both are lost in each phase."""

    def __init__(self, want: str) -> None:
        # Nobody is lost so often in so short a time: that is not what is tried here.
        settings = replace(DEFAULTS, logins_per_minute=1000.0)
        self.stages = [Stage(settings, seed=59), Stage(settings, seed=59)]
        self.game = ""
        self.peers: list[list[Peer]] = []
        for stage in self.stages:
            pair = begin(stage, terms="clock=100+2 variant=replay-ties", extra=want)
            self.peers.append([pair.mover, pair.other])
            self.game = pair.game

    def drop(self) -> list[list[list[wire.Message | wire.Refusal]]]:
        """Look where nothing is lost, and come back where everything is; what each peer is shown then."""
        shown: list[list[list[wire.Message | wire.Refusal]]] = []
        for drops, (stage, peers) in enumerate(zip(self.stages, self.peers, strict=True)):
            stage.wait(0.25)
            for peer in peers if drops else []:
                peer.lose("reset")
            stage.wait(0.5)  # their clocks run on, whether they are here or not
            peers[:] = [self._back(stage, peer) if drops else self._looking(peer) for peer in peers]
            shown.append([self._of_game(peer) for peer in peers])
        return shown

    def _back(self, stage: Stage, gone: Peer) -> Peer:
        peer = stage.connect()
        peer.say(f"resume {gone.last(wire.Welcome).secret}")
        return peer

    def _looking(self, peer: Peer) -> Peer:
        start = peer.last(wire.Start)
        peer.forget()
        peer.inbox.append(start)
        peer.say(f"look {self.game}")
        return peer

    def _of_game(self, peer: Peer) -> list[wire.Message | wire.Refusal]:
        items = [item for item in peer.inbox if getattr(item, "game", None) == self.game]
        return [item for item in items if not isinstance(item, SEEN_TWICE)]

    def place(self, number: int) -> None:
        """Whoever owes an answer gives it, on both servers the same."""
        for stage, peers in zip(self.stages, self.peers, strict=True):
            match = stage.server.tables[self.game].match
            assert match.open_request is not None and match.open_request.number == number
            tile, building = match.game.hand(match.open_request.side)[0], NOWHERE[(number * 5) % 6]
            debtor = next(peer for peer in peers if self.side(peer) is match.open_request.side)
            debtor.say(f"place {self.game} {number} {tile} {building}")

    def side(self, peer: Peer) -> Side:
        return SIDE_OF_LETTER[peer.last(wire.Start).side]


@pytest.mark.parametrize("want", ["", "want=events", "want=events,full"])
def test_f059_whoever_is_lost_in_any_phase_comes_back_to_the_game_as_it_is(want: str) -> None:
    """Balatro-Multiplayer/BalatroMultiplayerAPI-Server#20: who reconnected began with fresh values."""
    twice = Twice(want)
    phases, seen = 0, []
    while twice.game in twice.stages[0].server.tables:
        stayed, came_back = twice.drop()
        assert stayed == came_back, phases
        match, same = (stage.server.tables[twice.game].match for stage in twice.stages)
        for peer, items in zip(twice.peers[1], came_back, strict=True):
            (picture,) = [item for item in items if isinstance(item, wire.Snapshot)]
            assert read_view(picture.view) == view(match.game, twice.side(peer))
        assert [clock.time_ms for clock in match.clocks] == [clock.time_ms for clock in same.clocks]
        seen.append((match.game.election, match.game.turn))
        phases += 1
        twice.place(phases)
    assert phases == len(set(seen)) >= 54
    ends = [[peer.last(wire.Over) for peer in peers] for peers in twice.peers]
    assert ends[0] == ends[1]


def test_f059_so_does_who_is_lost_between_the_last_placement_and_its_record() -> None:
    """Balatro-Multiplayer/BalatroMultiplayerAPI-Server#20: who reconnected began with fresh values."""
    twice = Twice("want=events,full")
    phases = 0
    for stage in twice.stages:
        stage.store_at_once = False
    while all(stage.server.tables[twice.game].ending is None for stage in twice.stages):
        phases += 1
        twice.place(phases)
    assert twice.drop() == [[[], []], [[], []]]  # nothing of it is told before it is kept
    for stage in twice.stages:
        stage.store_at_once = True
        stage.wait(40)
    for kind in (wire.Snapshot, wire.Over):
        stayed, came_back = [[peer.last(kind) for peer in peers] for peers in twice.peers]
        assert stayed == came_back
