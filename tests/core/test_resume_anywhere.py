"""A connection is cut after any byte: whoever resumes misses nothing and hears nothing twice."""

from __future__ import annotations

import os
import random
from typing import Final

import pytest

from tests.core.stage import NOWHERE, Stage
from tests.core.world import Peer
from tyrusd.core import translate
from tyrusd.league.match import Match
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire

FULL: Final = os.environ.get("TYRUSD_FULL_SIZE") == "1"
PLACEMENTS: Final = 22  # three elections and a bit of the fourth
EVENTS: Final = (
    wire.Election | wire.Placed | wire.Revealed | wire.Tallied | wire.Drew | wire.Remaining | wire.Over
)


class Cutting(Stage):
    """A server that loses one peer after so many bytes of what it was sent."""

    def __init__(self, after: int | None) -> None:
        self.after = after
        self.cut: Peer | None = None
        super().__init__(seed=3)

    def _write(self, number: int) -> None:
        peer = self.peers[number]
        if self.after is None or peer is not self.cut:
            super()._write(number)
            return
        while not peer.closed and (data := self.server.output(number)):
            taken = data[: self.after - len(peer.raw)]
            if taken:
                self.server.sent(number, len(taken), self.now)
                peer.raw += taken
                peer.inbox += peer.connection.receive(taken)
            if len(peer.raw) >= self.after:
                peer.lose("reset")
                return


class Client:
    """One player, over as many connections as it takes; it answers every request that it knows to be open."""

    def __init__(self, stage: Cutting, name: str, want: str) -> None:
        self.stage = stage
        self.peer = stage.connect()
        self.resumed = False
        self.events: list[tuple[int, str]] = []
        self.pictures: list[int] = []
        self.hello = f"hello 0.1 {name} human {want}".strip()
        self.secret = ""

    def read(self) -> wire.Choose | wire.Turn | None:
        """Take in what has come; the newest request."""
        request = None
        for item in self.peer.inbox:
            if isinstance(item, wire.Welcome):
                self.secret = item.secret
            elif isinstance(item, wire.Choose | wire.Turn):
                request = item
            elif isinstance(item, wire.Snapshot):
                self.pictures.append(item.seq)
            if isinstance(item, EVENTS):
                self.events.append((item.seq, type(item).__name__))
        self.peer.inbox.clear()
        return request

    def come_back(self) -> None:
        """Resume, as soon as the connection is lost."""
        if self.peer.closed and not self.resumed:
            self.read()
            self.resumed = True
            self.peer = self.stage.connect()
            self.peer.say(f"resume {self.secret}")


def play(after: int | None, want: str) -> tuple[Client, Client]:
    """Play the beginning of a game; ada loses her connection after so many bytes."""
    stage = Cutting(after)
    ada, bob = Client(stage, "ada", want), Client(stage, "bob", want)
    stage.cut = ada.peer
    for client in (ada, bob):
        client.peer.say(client.hello)
    ada.peer.say("seek side=I clock=600+0")
    bob.peer.say("seek clock=600+0")
    for _ in range(PLACEMENTS * 4):
        for client in (ada, bob):
            client.come_back()
            request = client.read()
            table = next(iter(stage.server.tables.values()), None)
            if request is None or table is None or table.match.game.placed_count >= PLACEMENTS:
                continue
            side = table.match.open_request
            assert side is not None
            tile = table.match.game.hand(side.side)[0]
            building = NOWHERE[request.request % 6]
            client.peer.say(f"place {request.game} {request.request} {tile} {building}")
    return ada, bob


def sent_to_ada(want: str) -> tuple[int, int, bytes]:
    """Where the start of the game stands in what ada is sent, how much that is in all, and what."""
    ada, _ = play(None, want)
    raw = ada.peer.raw
    return raw.index(b"start ") + 1, len(raw), raw  # before that there is nothing to come back to


def cuts(want: str) -> list[int]:
    """Every byte, or in a usual run those around each end of a line, and some others."""
    first, end, raw = sent_to_ada(want)
    if FULL:
        return list(range(first, end))
    ends = [at + 1 for at, byte in enumerate(raw) if byte == 10]
    chosen = {near for at in ends for near in (at - 1, at, at + 1) if first <= near < end}
    return sorted(chosen | set(random.Random(want).sample(range(first, end), 60)))


@pytest.mark.parametrize("want", ["want=events", "want=events,full", ""])
def test_row_28_no_gap_and_no_repetition_wherever_the_connection_breaks(want: str) -> None:
    whole, enemy = play(None, want)
    assert len(whole.events) > PLACEMENTS or not want
    for after in cuts(want):
        ada, bob = play(after, want)
        ada.read()
        bob.read()
        assert ada.resumed, after
        (table,) = ada.stage.server.tables.values()
        assert table.match.game.placed_count == PLACEMENTS, after  # whoever was asked could answer
        assert bob.events == enemy.events, after  # the enemy's game is what it was
        seen = [seq for seq, _ in ada.events]
        assert seen == sorted(set(seen)), after  # none twice
        if not want:
            continue
        # What came before the picture and what came after it are the whole, but for what the picture shows.
        picture = max((seq for seq in ada.pictures if seq not in (1,)), default=ada.pictures[-1])
        missing = {seq for seq, _ in whole.events} - set(seen)
        assert all(seq <= picture for seq in missing), (after, missing, ada.pictures)
        assert set(ada.events) <= set(whole.events), after


def test_row_28_control_a_picture_that_is_one_event_old_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check above sees a gap of a single event."""
    shown = translate.snapshot_message

    def older(match: Match, viewer: Side | None, seq: int, now: float) -> wire.Snapshot:
        return shown(match, viewer, max(1, seq - 1), now)

    monkeypatch.setattr(translate, "snapshot_message", older)
    with pytest.raises(AssertionError):
        test_row_28_no_gap_and_no_repetition_wherever_the_connection_breaks("want=events")
