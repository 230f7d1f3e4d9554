"""Signals to a server with eight running games: nothing that was told is lost, whatever signal comes."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from tests.host.daemons import Daemon, Peer, login, running
from tyrusd.host.journal import JOURNAL
from tyrusd.league.framing import whole_frames
from tyrusd.league.schema import Payload

GAMES = 8
DRAIN = 1  # seconds that running games get here, instead of 30


@contextmanager
def eight_games(data: Path) -> Iterator[tuple[Daemon, list[tuple[Peer, Peer]]]]:
    """A server with eight games, in each of which somebody has placed a tile; the opener comes first."""
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data))
    with running(*words, TYRUSD_SERVER_DRAIN=str(DRAIN)) as daemon, ExitStack() as stack:
        [address] = daemon.addresses()
        tables = []
        for number in range(GAMES):
            one, two = (
                stack.enter_context(closing(login(address, f"{name}{number}"))) for name in ("ada", "bob")
            )
            for peer in (one, two):
                peer.say("seek")
            starts = {peer: peer.until("start").split() for peer in (one, two)}
            opener, other = sorted(starts, key=lambda peer: f"opener={starts[peer][2]}" not in starts[peer])
            request = opener.until("choose").split()
            hand = next(word for word in request if word.startswith("hand="))[5:].split(",")
            opener.say(f"place {request[1]} 1 {hand[0]} IC")
            other.until("choose")
            tables.append((opener, other))
        yield daemon, tables


def kept(data: Path) -> list[Payload]:
    frames, tail = whole_frames((data / JOURNAL).read_bytes())
    assert tail is None
    return [payload for _, payload in frames]


def ends(data: Path) -> list[tuple[str, str]]:
    games = [payload for payload in kept(data) if payload["kind"] == "game"]
    return sorted((payload["id"], payload["game"]["reason"]) for payload in games)


@pytest.mark.parametrize("signals", [1, 2], ids=["once", "twice"])
def test_f082_term_tells_all_players_aborts_what_does_not_end_and_exits_with_0(
    tmp_path: Path, signals: int
) -> None:
    """crawl/crawl#1347, terraforming-mars/terraforming-mars#5260: SIGTERM ended a game without saving it."""
    with eight_games(tmp_path / "data") as (daemon, tables):
        peers = [peer for table in tables for peer in table]
        began = time.monotonic()
        daemon.signal(signal.SIGTERM)
        for peer in peers:
            assert peer.until("notice").startswith(f"notice shutdown in={DRAIN}000 :")
        peers[0].say("seek tag=more")
        assert peers[0].until("error", "ok").startswith("error shutdown retry tag=more")
        if signals == 2:
            daemon.signal(signal.SIGTERM)
        assert {peer.until("over").split()[4] for peer in peers} == {"aborted"}
        for peer in peers:
            assert peer.rest()[-1].startswith("bye shutdown ")
            peer.close()
        code = daemon.end()[0]
        took = time.monotonic() - began
    assert code == 0
    assert (DRAIN if signals == 1 else 0) <= took < DRAIN + 20
    assert ends(tmp_path / "data") == [(f"g{number}", "aborted") for number in range(1, GAMES + 1)]


def test_f082_hup_ends_nothing(tmp_path: Path) -> None:
    """crawl/crawl#1347, terraforming-mars/terraforming-mars#5260: SIGTERM ended a game without saving it."""
    with eight_games(tmp_path / "data") as (daemon, tables):
        for _ in range(3):
            daemon.signal(signal.SIGHUP)
        for number, (opener, other) in enumerate(tables, 1):
            other.say("ping still-here")
            assert other.until("pong", "bye") == "pong still-here"
            other.say(f"resign g{number}")
            assert opener.until("over").split()[4] == "resigned"
            for peer in (opener, other):
                peer.close()
        daemon.signal(signal.SIGTERM)
        assert daemon.end()[0] == 0
    assert ends(tmp_path / "data") == [(f"g{number}", "resigned") for number in range(1, GAMES + 1)]
