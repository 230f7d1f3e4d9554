"""What strangers did to other servers by how they connect, done to a real one: a test for each report."""

from __future__ import annotations

import contextlib
import json
import re
import selectors
import signal
import socket
import time
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.e2e.account_serving import serving
from tests.host.daemons import Daemon, Peer, lines_with, login, running, wait_until
from tyrusd.host.journal import JOURNAL
from tyrusd.league.record import read_frames

# What asks for the time of day is told one that is an hour too early, then one that is an hour too late.
STEPPING = """
import itertools, time
for name, hour in (("time", 3600), ("time_ns", 3600 * 10**9)):
    def stepping(true=getattr(time, name), steps=itertools.cycle((-hour, hour))):
        return true() + next(steps)
    setattr(time, name, stepping)
"""
HERE = ("serve", "--port", "0", "--host", "127.0.0.1", "--data")
MEBIBYTE = 1 << 20


def memory(daemon: Daemon) -> int:
    """The most memory that a server has had so far, in bytes."""
    status = Path(f"/proc/{daemon.process.pid}/status").read_text()
    found = re.search(r"^VmHWM:\s+(\d+) kB$", status, re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024


def seated(stack: ExitStack, address: tuple[str, int]) -> tuple[Peer, Peer, str]:
    """Two who play, and their game."""
    one, two = (stack.enter_context(login(address, name, "human")) for name in ("one", "two"))
    for peer in (one, two):
        peer.say("seek clock=none cap=none")
    game = one.until("start").split()[1]
    two.until("start")
    return one, two, game


def configured(directory: Path, limits: str) -> tuple[str, str]:
    """The option for a configuration with these limits."""
    file = directory / "tyrusd.toml"
    file.write_text(f"[bots.house]\n[limits]\n{limits}")
    return "--config", str(file)


def here(peer: Peer) -> set[str]:
    """Who is here, apart from the bots of the server."""
    peer.say("who")
    found = set()
    while (line := peer.until("player", "ok")).startswith("player"):
        found.add(line.split()[1])
    return found - {"cautious", "greedy", "random"}


def round_trip(peer: Peer) -> float:
    """Seconds until somebody is answered."""
    began = time.monotonic()
    peer.say("ping there")
    assert peer.until("pong") == "pong there"
    return time.monotonic() - began


def read_all(connected: socket.socket) -> bytes:
    """What is still there to be read; a reset may have destroyed it."""
    data = b""
    try:
        while piece := connected.recv(65536):
            data += piece
    except OSError:
        pass
    return data


def test_f023_without_a_line_end_memory_stays_bounded_and_others_are_served(tmp_path: Path) -> None:
    """twisted/twisted#7500: what came without a line end was kept until there was no memory left."""
    many, size = 20, 100 * MEBIBYTE
    with running(*HERE, str(tmp_path / "data")) as daemon, ExitStack() as stack:
        [address] = daemon.addresses()
        one, two, game = seated(stack, address)
        floods = [stack.enter_context(login(address, f"flood{number}")) for number in range(many)]
        before, slowest, asked = memory(daemon), 0.0, 0.0
        left = {flood.socket: size for flood in floods}
        piece = b"A" * MEBIBYTE
        with selectors.DefaultSelector() as ready:
            for flood in floods:
                flood.socket.setblocking(False)
                ready.register(flood.socket, selectors.EVENT_WRITE)
            while ready.get_map():
                for key, _ in ready.select(10):
                    sending = key.fileobj
                    assert isinstance(sending, socket.socket)
                    try:
                        left[sending] -= sending.send(piece[: left[sending]])
                    except BlockingIOError:
                        continue
                    except OSError:  # the server has gone its way
                        left[sending] = 0
                    if not left[sending]:
                        ready.unregister(sending)
                if time.monotonic() - asked > 0.06:  # below the rate of lines
                    slowest = max(slowest, round_trip(one))
                    asked = time.monotonic()
        grown = memory(daemon) - before
        for flood in floods:
            flood.socket.settimeout(10)
            told = read_all(flood.socket)
            assert told.count(b"error line-too-long ") <= 1
            assert told == b"" or b"bye line-too-long" in told
        assert grown < 4 * MEBIBYTE and 0 < slowest < 0.5
        assert round_trip(two) < 1.0
        one.say(f"resign {game}")
        assert two.until("over").split()[4] == "resigned"


def test_f022_a_step_of_the_wall_clock_neither_fires_nor_freezes_a_deadline(tmp_path: Path) -> None:
    """bluekitchen/btstack#240, h2o/h2o#2321: timeouts that were told by the wall clock jumped with it."""
    with serving(tmp_path / "data", "--log-format", "json", breaking=STEPPING) as (daemon, address):
        with login(address, "one") as one, login(address, "two") as two:
            for peer in (one, two):
                peer.say("seek cap=0.7")
            began = time.monotonic()
            assert two.until("start") and one.until("start")
            for number in range(20):  # each is a step of an hour, there and back
                one.say(f"ping {number}")
                assert one.until("pong", "over") == f"pong {number}"
            assert one.until("over").split()[4] == two.until("over").split()[4] == "timeout"
            assert 0.7 < time.monotonic() - began < 2.5
        daemon.signal(signal.SIGTERM)
        _, _, err = daemon.end()
    stamps = sorted(datetime.fromisoformat(json.loads(line)["time"]) for line in err.splitlines())
    assert stamps[-1] - stamps[0] > timedelta(hours=1.9)  # control: the log has seen the steps
    records = [record for _, record in read_frames((tmp_path / "data" / JOURNAL).read_bytes())]
    (timing,) = [record["timing"] for record in records if record["kind"] == "game"]
    assert abs(datetime.fromisoformat(timing["started"]) - datetime.now(UTC)) < timedelta(hours=1.1)


def test_row_21_a_server_that_is_stopped_for_a_while_forfeits_nobody(tmp_path: Path) -> None:
    limits = configured(tmp_path, "stall = 2\nheartbeat = 0.2\n")
    with running(*HERE, str(tmp_path / "data"), *limits) as daemon, ExitStack() as stack:
        [address] = daemon.addresses()
        pairs = []
        for number in range(4):
            one, two = (stack.enter_context(login(address, f"{name}{number}")) for name in ("one", "two"))
            for peer in (one, two):
                peer.say("seek cap=1")
            game = one.until("start").split()[1]
            two.until("start")
            pairs.append((one, two, game))
        daemon.signal(signal.SIGSTOP)
        time.sleep(2.2)
        daemon.signal(signal.SIGCONT)
        for one, two, game in pairs:
            for peer in (one, two):
                peer.say(f"look {game}")
                assert peer.until("snapshot", "over").startswith("snapshot")
        began = time.monotonic()
        for one, two, _ in pairs:  # and the clocks run on
            assert one.until("over").split()[4] == two.until("over").split()[4] == "timeout"
        assert 0.3 < time.monotonic() - began < 2
        stack.close()
        daemon.signal(signal.SIGTERM)
        code, _, err = daemon.end()
    assert code == 0 and len(lines_with(err, "the server stood still for 2.")) == 1


def test_f041_a_spectator_that_never_reads_is_dropped_and_players_do_not_wait(tmp_path: Path) -> None:
    """redis/redis#91: what a client did not read was kept until there was no memory left."""
    limits = configured(tmp_path, "output-stall = 1\nlines-burst = 1000000\n")
    with running(*HERE, str(tmp_path / "data"), *limits) as daemon, ExitStack() as stack:
        [address] = daemon.addresses()
        one, two, game = seated(stack, address)
        deaf = stack.enter_context(socket.socket())
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(address)
        deaf.sendall(f"hello 0.1 deaf human\nwatch {game}\n".encode())
        wait_until(lambda: "deaf" in here(one))
        before, slowest, sent = memory(daemon), 0.0, 0
        deaf.setblocking(False)
        began = time.monotonic()
        while "deaf" in here(one):
            with contextlib.suppress(OSError):
                sent += deaf.send(b"help\n" * 200)
            slowest = max(slowest, round_trip(two))
            assert time.monotonic() - began < 8
        assert sent > 1000 and slowest < 0.5
        assert memory(daemon) - before < 4 * MEBIBYTE
        deaf.settimeout(10)
        read_all(deaf)  # and this connection ends
        one.say(f"resign {game}")
        assert two.until("over").split()[4] == "resigned"


def test_f043_bytes_that_trickle_move_no_deadline_and_hold_no_place(tmp_path: Path) -> None:
    """phin3has/mailoney#36: a byte now and then kept a connection for ever, and with it what served it."""
    many = 500
    limits = configured(tmp_path, "hello-socket = 1.5\nline-bot = 1.5\n")
    with running(*HERE, str(tmp_path / "data"), *limits) as daemon, ExitStack() as stack:
        [address] = daemon.addresses()
        one, two, game = seated(stack, address)
        bot = stack.enter_context(login(address, "begun")).socket
        slow = [stack.enter_context(socket.create_connection(address)) for _ in range(many)]
        began, slowest = time.monotonic(), 0.0
        for _ in range(6):
            for each in (*slow, bot):
                each.send(b"h")
            slowest = max(slowest, round_trip(one))
            time.sleep(0.2)
        told = [read_all(each) for each in slow]
        took = time.monotonic() - began
        assert all(b"error timeout " in each and b"bye timeout " in each for each in told)
        assert b"bye timeout " in read_all(bot)
        assert took < 3 and slowest < 0.5
        assert round_trip(two) < 0.5
        assert here(one) == {"one", "two"}
        one.say(f"resign {game}")
        assert two.until("over").split()[4] == "resigned"
