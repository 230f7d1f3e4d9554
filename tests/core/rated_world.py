"""A lobby whose accounts play rated games, for tests."""

from __future__ import annotations

from typing import Any

from tests.core.accounts_world import Door
from tests.core.world import Peer
from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.core.keys import key_digest
from tyrusd.core.ladder_terms import LadderTerms
from tyrusd.core.restoring import Recovered
from tyrusd.core.seatspec import SeatSpec
from tyrusd.league.fold import fold
from tyrusd.league.framing import HEADER, read_frames
from tyrusd.wire import messages as wire

OWNERS = {"ada": None, "bob": None, "deep": "ada", "dull": "ADA", "echo": "somebody", "foxy": "Somebody"}
ACCOUNTS = Accounts(
    [Account(name, "human" if name == "ada" else "bot", owner=owner) for name, owner in OWNERS.items()],
    [Key(key_digest(f"token-of-{name}"), name, "token") for name in OWNERS],
)
HOUSES = {"Steady": SeatSpec("plugin", "steady"), "plain": SeatSpec("plugin", "plain")}
LADDER = LadderTerms(None, {"steady": 1500})
HOME, ELSEWHERE = "192.0.2.7", "192.0.2.8"


def door(ladder: LadderTerms | None = LADDER, **more: Any) -> Door:
    return Door(ACCOUNTS, houses=HOUSES, recovered=Recovered(), ladder=ladder, **more)


def come(place: Door, name: str, extra: str = "", host: str = "127.0.0.1") -> Peer:
    kind = "human" if name == "ada" else "bot"
    return place.log_in(f"token-of-{name}", name, kind, extra, host)


def two(
    place: Door,
    one: str = "bob",
    other: str = "echo",
    extras: tuple[str, str] = ("", ""),
    hosts: tuple[str, str] = ("127.0.0.1", "127.0.0.1"),
) -> tuple[Peer, Peer]:
    """Two accounts who are in a game that both want rated; the first one plays Ivory."""
    first, second = come(place, one, extras[0], hosts[0]), come(place, other, extras[1], hosts[1])
    first.say("seek rated=yes side=I")
    second.say(f"play {one} rated=yes")
    word = "flagged" if ACCOUNTS.related(one, other) else "yes"
    assert first.last(wire.Start).rated == second.last(wire.Start).rated == word
    return first, second


def opened(place: Door, game: str = "g1") -> Any:
    """The part `rated` of the beginning of a game."""
    payloads = [payload for _, payload in read_frames(HEADER + b"".join(place.kept))]
    (found,) = [each for each in payloads if each["kind"] == "opened" and each["id"] == game]
    return found.get("rated")


def ended(place: Door, game: str = "g1") -> Any:
    """The part `rated` of the end of a game."""
    return fold(read_frames(HEADER + b"".join(place.kept))).finished[game].get("rated")


def refusal(peer: Peer) -> tuple[str, str]:
    error = peer.last(wire.Error)
    return error.code, error.text
