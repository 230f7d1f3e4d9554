"""A server that is filled to its limits takes less memory than it tells, in each part and all together."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.core.club_world import ClubWorld
from tests.core.stage import Stage, again, begin, play_on
from tests.core.world import Peer, World
from tests.host.daemons import running
from tests.host.test_game_index import nothing, over
from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.core.lobby import Lobby
from tyrusd.core.settings import DEFAULTS
from tyrusd.core.wirelog import RECEIVED
from tyrusd.host.configuration import memory
from tyrusd.host.configuration.memory import Memory, worst_case
from tyrusd.host.game_index import GameIndex
from tyrusd.host.store import Store
from tyrusd.league.club import ClubTerms
from tyrusd.league.rated import Version
from tyrusd.league.standing_rows import RatingRow, Versus
from tyrusd.wire.limits import FRAME

LIMITS = replace(
    DEFAULTS,
    connections_total=40,
    games_per_connection=8,
    games_total=100,
    log_bytes=8192,
    log_steps=100,
    kept_bytes=1 << 20,
    own_results=20,
    watching_per_connection=10,
    challenges_made=4,
    events_open=1,
    event_entrants=8,
    ping_after=86_400.0,  # nobody here answers
)
CLUB = 8  # of the connections enter an event


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    gc.collect()
    tracemalloc.start()
    yield
    tracemalloc.stop()


def held(world: World | None = None) -> int:
    """Bytes that are in use, without what only the test remembers."""
    if world is not None:
        for peer in world.peers.values():
            peer.forget()
        for kept in (world.journal, world.kept, world.stored, world.requests, world.news):
            kept.clear()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


class Filled(NamedTuple):
    """What each part takes."""

    connections: int
    games: int
    finished: int
    lobby: int


def fill(stage: Stage) -> Filled:
    """Fill a server to its limits, one part after the other."""
    limits = stage.server.settings
    start = held(stage)
    peers = [stage.join(f"guest-{number}", "bot", "games=8") for number in range(limits.connections_total)]
    joined = held(stage)

    for number in range(150):
        finish(stage, peers[number % 38], peers[number % 38 + 1])
    assert stage.server.counts.limits["kept_bytes"] > 10
    ended = held(stage)

    for number, peer in enumerate(peers):
        others = range(number + 1, number + 1 + limits.challenges_made)
        for other in others:
            peer.say(f"challenge guest-{other % limits.connections_total} clock=600+5")
    lobby = stage.server.director
    assert isinstance(lobby, Lobby)
    assert len(lobby.challenges.open) == limits.connections_total * limits.challenges_made
    offered = held(stage)

    pairs = []
    for number in range(limits.games_total):
        pairs.append(again(peers[number % 38], peers[number % 38 + 1]))
        play_on(pairs[-1].mover, pairs[-1].other, pairs[-1].game, 12)
        stage.wait(0.5)
    assert len(stage.server.tables) == limits.games_total
    for pair in pairs:
        fill_logs(stage, pair.game)
    playing = held(stage)

    for peer in peers:
        for pair in pairs[: limits.watching_per_connection + 8]:
            peer.say(f"watch {pair.game}")
    watched = sum(len(table.watchers) for table in stage.server.tables.values())
    assert watched >= limits.connections_total * limits.watching_per_connection * 3 // 4
    watching = held(stage)

    for peer in peers:
        fill_queues(stage, peer)
    assert not stage.server._doomed
    full = held(stage)
    return Filled(
        joined - start + full - watching, playing - offered, ended - joined,
        offered - ended + watching - playing,
    )  # fmt: skip


def fill_queues(stage: Stage, peer: Peer) -> None:
    """What waits to be sent to a peer, and what it has sent while it is paused."""
    session = stage.server.sessions[peer.number]
    stage.deaf.add(peer.number)
    while len(session.outbox) + 512 <= session.room:
        session.write(b"x" * 512)
    session.paused = True
    while len(session.backlog) + 512 <= session.room:
        stage.server.receive(peer.number, b"y" * 512, stage.now)


def finish(stage: Stage, one: Peer, other: Peer) -> None:
    """A game with logs as long as they may be, then resigned."""
    stage.wait(1)
    pair = again(one, other)
    play_on(pair.mover, pair.other, pair.game, 2)
    fill_logs(stage, pair.game)
    pair.mover.say(f"resign {pair.game}")


def fill_logs(stage: Stage, game: str) -> None:
    table = stage.server.tables[game]
    limits = stage.server.settings
    for log in table.logs:
        for number in range(limits.log_steps - 1 - len(log.steps)):
            log.add(stage.now + number / 1000, RECEIVED, b"z" * (limits.log_bytes // limits.log_steps - 20))
        assert len(log.steps) >= limits.log_steps - 1


def test_a_server_filled_to_its_limits_takes_less_than_it_tells() -> None:
    stage = Stage(LIMITS)
    found, told = fill(stage), worst_case(LIMITS, 0, 0)
    for part in Filled._fields:
        measured, most = getattr(found, part), getattr(told, part)
        assert measured < most, part
    # It is really full: the rest of these parts is for names, watchers and files that wait for a slow disk.
    assert found.connections > told.connections * 2 / 3 and found.games > told.games / 2
    assert found.finished > LIMITS.kept_bytes * 3 / 4
    assert sum(found) < told.server - told.program
    # A formula that left out one of the two queues would be too low, and this would show it.
    room = LIMITS.output_base + LIMITS.games_per_connection * LIMITS.output_per_game
    assert found.connections > LIMITS.connections_total * (memory.SESSION + FRAME + room)


def test_a_connection_with_as_many_games_as_there_can_be_takes_less_than_its_part() -> None:
    stage = Stage()
    start = held(stage)
    peer = stage.join("ada", "bot", "games=256")
    fill_queues(stage, peer)
    share = worst_case(DEFAULTS, 0, 0).connections / DEFAULTS.connections_total
    assert share * 3 / 4 < held(stage) - start < share


def test_offers_and_watchers_take_less_than_is_told_of_each() -> None:
    stage = Stage(replace(DEFAULTS, challenges_made=20))
    peers = [stage.join(f"guest-{number}") for number in range(30)]
    pairs = [begin(stage, names=(f"a-{number}", f"b-{number}")) for number in range(30)]
    start = held(stage)
    for number, peer in enumerate(peers):
        for other in range(number + 1, number + 21):
            peer.say(f"challenge guest-{other % 30} clock={600 + number}+5")
    lobby = stage.server.director
    assert isinstance(lobby, Lobby) and len(lobby.challenges.open) == 600
    offered = held(stage)
    assert memory.OFFER / 4 < (offered - start) / 600 < memory.OFFER
    for peer in peers:
        for pair in pairs:
            peer.say(f"watch {pair.game}")
    assert sum(len(table.watchers) for table in stage.server.tables.values()) == 900
    assert memory.WATCH / 10 < (held(stage) - offered) / 900 < memory.WATCH


@pytest.mark.parametrize("kind", ["roundrobin", "swiss", "knockout"])
def test_an_event_takes_less_than_its_part(kind: str) -> None:
    """From its opening until everything is played, with games in between that are not kept."""
    limits = replace(LIMITS, kept_bytes=1, own_results=1)
    club = ClubWorld(limits)
    names = [f"member-{number}" for number in range(CLUB)]
    for name in names:
        club.people[name] = club.stage.join(name)
    start = held(club.stage)
    club.open("cup", ClubTerms(kind, "standard"))
    for name in names:
        club.people[name].say("join cup")
    club.do("start")
    for _ in range(200):
        for game in list(club.games()):
            club.people[club.games()[game][0]].say(f"resign {game}")
        if club.state() == "over":
            break
    assert club.state() == "over"
    # The members' sessions and the one game that is kept are no part of the event.
    assert held(club.stage) - start < limits.event_entrants**2 * memory.PAIRING + CLUB * 1024 + 65536


def test_what_waits_for_the_disk_is_no_larger_than_its_part() -> None:
    stage = Stage(LIMITS)
    one, other = (stage.join(name, "bot") for name in ("ada", "bob"))
    finish(stage, one, other)
    start = held(stage)
    for _ in range(40):
        finish(stage, one, other)
    measured = (held(stage) - start) / min(40, LIMITS.own_results)
    packed = memory.LOGS * (LIMITS.log_bytes + LIMITS.log_steps * memory.PACKED)
    assert measured < memory.GAME + packed


def test_a_game_that_waits_for_the_index_is_no_larger_than_its_part(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        index = GameIndex(store, nothing)
        start = held()
        for number in range(1000):
            index.tell(over(number, (f"{'a' * 27}{number:05}", f"{'b' * 27}{number:05}")))
        assert 200 < (held() - start) / 1000 < memory.ROW


def test_accounts_and_the_ladder_take_less_than_is_told_of_each() -> None:
    start = held()
    accounts = Accounts(
        [
            Account(f"account-{number:06}", "bot", f"display {number}", owner=f"owner-{number}")
            for number in range(2000)
        ],
        [Key(number.to_bytes(32, "big"), f"account-{number:06}", "token") for number in range(2000)],
    )
    assert accounts.find("account-000001") is not None
    after = held()
    assert 100 < (after - start) / 2000 < memory.ACCOUNT

    versions = [Version(f"account-{number:06}", f"agent/{number}.0") for number in range(300)]
    rows = tuple(
        RatingRow(version, 1.5 + at, 0.5 + at, 2.5 + at, 1000 + at, 500 + at, 100 + at, 400 + at, rank=at)
        for at, version in enumerate(versions)
    )
    counted = held()
    assert 100 < (counted - after) / 300 < memory.VERSION
    met = {
        (one, other): (1000 + one, 500 + one, 1, 499 + other, 300, 301, 302)
        for one in range(300)
        for other in range(one + 1, 300)
    }
    counted = held()
    versus = Versus.counted(versions, met)
    assert len(versus) == 2 * len(met) and rows
    assert 60 < (held() - counted) / len(met) < memory.MEETING


@pytest.mark.parametrize("options", [(), ("--metrics", "127.0.0.1:0")])
def test_a_server_without_anybody_takes_less_than_the_program(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path / "data"))
    with running(*words, *options) as daemon:
        daemon.addresses()
        status = Path(f"/proc/{daemon.process.pid}/status").read_text("ascii")
        resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        assert resident * 1024 < memory.PROGRAM


def test_encryption_is_told_where_there_is_some() -> None:
    plain, encrypted = (worst_case(LIMITS, 0, 0, port) for port in (False, True))
    assert plain.encryption == 0
    assert encrypted.server - plain.server == encrypted.encryption == 40 * memory.ENCRYPTION
    assert "for their encryption" in memory.told(encrypted, LIMITS)
    assert "for their encryption" not in memory.told(plain, LIMITS)
    assert isinstance(plain, Memory) and plain.server == sum(plain) - plain.bots
