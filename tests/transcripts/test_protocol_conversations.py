"""Plays the conversations of protocol.md against the real server: no line differs, is missing or is extra."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from tests.core.world import Peer, World
from tests.wire.conversations import BROKEN, SENT, Step, conversations, pattern
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import StartBot
from tyrusd.core.seatspec import SeatSpec
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import ALL_TILES, Side
from tyrusd.wire import Choose, Placed, Snapshot, Welcome

ALL = conversations()


def ivory_opens() -> Callable[[int], bytes]:
    """A source of bytes whose deals let Ivory open, as the page promises."""
    numbers = itertools.count()

    def entropy(size: int) -> bytes:
        while True:
            found = next(numbers).to_bytes(size, "big")
            if deal_from_bytes(found).opener is Side.IVORY:
                return found

    return entropy


class Stage:
    """A server with one house bot, and the peers of one conversation."""

    def __init__(self) -> None:
        self.world = World(Lobby({"random": SeatSpec("plugin", "random")}), entropy=ivory_opens())
        self.peers: dict[str, Peer] = {}
        self.heard: dict[str, int] = {}
        self.secrets: dict[str, str] = {}
        self.houses: list[Peer] = []

    def play(self, step: Step) -> None:
        peer, direction, text = step
        if peer not in self.peers:
            self.peers[peer] = self.world.connect()
            self.heard[peer] = 0
        if direction == BROKEN:
            self.peers.pop(peer).lose()
        elif direction == SENT:
            self.peers[peer].say(self.filled(peer, text))
            self.move_houses()
        else:
            lines = self.lines(peer)
            assert lines, f"{peer} got nothing more; the page has {text!r}"
            assert pattern(text).fullmatch(lines[0]), f"{peer} got {lines[0]!r}; the page has {text!r}"
            self.heard[peer] += 1
            for welcome in self.peers[peer].got(Welcome):
                self.secrets[peer] = welcome.secret

    def lines(self, peer: str) -> list[str]:
        """What a peer has received and the conversation has not yet mentioned."""
        return self.peers[peer].text.splitlines()[self.heard[peer] :]

    def filled(self, peer: str, text: str) -> str:
        """A line to be sent with its placeholders filled in."""
        if "<secret>" in text:
            text = text.replace("<secret>", self.secrets[peer])
        if "<tile>" in text or "<absent>" in text:
            hand = hand_of(self.peers[peer])
            absent = next(str(tile) for tile in ALL_TILES if str(tile) not in hand)
            text = text.replace("<tile>", hand[0]).replace("<absent>", absent)
        return text

    def move_houses(self) -> None:
        """Start the house bots that are wanted, and let them answer."""
        for request in [wanted for wanted in self.world.requests if isinstance(wanted, StartBot)]:
            house = self.world.connect("pipe", kind="pipe", bot=request.id)
            house.say(f"hello 0.1 {request.name} bot games=8")
            self.houses.append(house)
        self.world.requests.clear()
        for house in self.houses:
            asked, house.inbox = house.got(Choose), []
            for choose in asked:
                house.say(f"place {choose.game} {choose.request} {read_view(choose.view).hand[0]} BT")


def hand_of(peer: Peer) -> list[str]:
    """The tiles that a peer holds, from its last sightline and its own placements since."""
    hand: list[str] = []
    for message in peer.inbox:
        if isinstance(message, Choose | Snapshot):
            hand = [str(tile) for tile in read_view(message.view).hand]
        elif isinstance(message, Placed) and message.face in hand:
            hand.remove(message.face)
    return hand


@pytest.mark.parametrize("name", ALL)
def test_conversation(name: str) -> None:
    stage = Stage()
    for step in ALL[name]:
        stage.play(step)
    left_over = {peer: stage.lines(peer) for peer in stage.peers}
    assert left_over == {peer: [] for peer in stage.peers}


def test_a_line_that_the_server_does_not_send_is_noticed() -> None:
    stage = Stage()
    with pytest.raises(AssertionError, match="the page has"):
        stage.play(Step("C", "received", "welcome …"))
    stage.play(Step("C", "received", "greeting …"))
    with pytest.raises(AssertionError, match="got nothing more"):
        stage.play(Step("C", "received", "bye bye :…"))
