"""Performs a conversation of protocol.md over any carrier: the page has every line, and no other comes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from tests.wire.conversations import BROKEN, SENT, Step, pattern
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import ALL_TILES
from tyrusd.wire import Choose, Drew, Placed, Snapshot, Welcome, decode_server_line

UNKNOWN = "?,?,?"
_PLACEHOLDER = re.compile("<[^>]*>")


class Carrier(Protocol):
    """Brings lines to a server and back; peers are the letters of the conversation."""

    def connect(self, peer: str) -> None:
        """Open a new connection for a peer that has none."""

    def send(self, peer: str, line: str) -> None:
        """Send one line, its LF added."""

    def cut(self, peer: str) -> None:
        """Break a peer's connection off."""

    def next_line(self, peer: str) -> str | None:
        """The next line that the peer has been sent; None when no more comes."""

    def rest(self, peer: str) -> list[str]:
        """The lines that have not been asked for once all that has been said is answered."""


class Performance:
    """One conversation: who is connected, and what is known of secrets and hands; tokens: of accounts."""

    def __init__(self, carrier: Carrier, tokens: Mapping[str, str] | None = None) -> None:
        self._carrier = carrier
        self._tokens = tokens or {}
        self._connected: set[str] = set()
        self._secrets: dict[str, str] = {}
        self._hands: dict[str, list[str]] = {}

    def perform(self, steps: Sequence[Step]) -> None:
        """Do all steps; AssertionError for a line that differs, is missing or is left over."""
        for step in steps:
            self.do(step)
        self.end()

    def do(self, step: Step) -> None:
        """Send or expect one line, or break a connection off."""
        peer, direction, text = step
        if peer not in self._connected:
            self._carrier.connect(peer)
            self._connected.add(peer)
        if direction == BROKEN:
            self._carrier.cut(peer)
            self._connected.discard(peer)
        elif direction == SENT:
            self._carrier.send(peer, self._filled(peer, text))
        else:
            line = self._carrier.next_line(peer)
            assert line is not None, f"{peer} got nothing more; the page has {text!r}"
            assert pattern(text).fullmatch(line), f"{peer} got {line!r}; the page has {text!r}"
            self._learn(peer, line)

    def end(self) -> None:
        """Nobody who is still connected has been sent anything that the page does not have."""
        left_over = {peer: self._carrier.rest(peer) for peer in sorted(self._connected)}
        assert not any(left_over.values()), f"the page does not have what is left over: {left_over}"

    def _filled(self, peer: str, text: str) -> str:
        """A line to be sent with its placeholders filled in."""
        hand = self._hands.get(peer, [])
        values = {"<secret>": self._secrets.get(peer), "<tile>": hand[0] if hand else None}
        values["<token>"] = next((self._tokens[word] for word in text.split() if word in self._tokens), None)
        values["<absent>"] = next(str(tile) for tile in ALL_TILES if str(tile) not in hand)

        def value(found: re.Match[str]) -> str:
            known = values.get(found[0])
            assert known is not None, f"{found[0]} means nothing in a line that {peer} sends here: {text!r}"
            return known

        return _PLACEHOLDER.sub(value, text)

    def _learn(self, peer: str, line: str) -> None:
        """Keep what later lines of the peer may need."""
        message = decode_server_line(line.encode())
        if isinstance(message, Welcome):
            self._secrets[peer] = message.secret
        elif isinstance(message, Choose | Snapshot):
            self._hands[peer] = [str(tile) for tile in read_view(message.view).hand]
        elif isinstance(message, Placed) and message.face in self._hands.get(peer, []):
            self._hands[peer].remove(message.face)
        elif isinstance(message, Drew) and message.tiles != UNKNOWN:
            self._hands[peer] += message.tiles.split(",")
