"""A limit that is changed while the server runs holds for what comes from then on, and to the same edge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from tests.core import world
from tests.core.accounts_world import TOKEN, Door
from tests.core.limit_rows import rows
from tests.core.meetings_games import MEETINGS
from tests.core.stage import Stage, begin
from tests.core.test_limits import codes, goodbye
from tests.core.test_limits_met import value, words
from tyrusd.core.director import Director
from tyrusd.core.restoring import Recovered
from tyrusd.core.server import Server
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.wire import messages as wire

AT_THE_START = {"restart-window"}  # which has passed when anybody can change it
_THRICE: dict[str, Any] = {
    field.name: amount * 3
    for field in fields(Settings)
    if isinstance(amount := getattr(DEFAULTS, field.name), int | float)
}
FAR = replace(DEFAULTS, **_THRICE)
"""Limits that are met by nobody who goes just beyond the usual ones."""


def changed_server(
    director: Director,
    entropy: Callable[[int], bytes],
    now: float,
    wall: float,
    settings: Settings,
    recovered: Recovered | None,
) -> Server:
    """A server that began with other limits."""
    server = Server(director, entropy, now, wall, FAR, recovered)
    server.settings = settings
    return server


@pytest.mark.parametrize("name", sorted(MEETINGS.keys() - AT_THE_START))
def test_a_changed_limit_has_its_new_edge(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world, "Server", changed_server)
    metric = rows()[name].metric
    assert metric is not None
    within, beyond = MEETINGS[name](False), MEETINGS[name](True)
    assert (value(within, metric), words(within, name)) == (0, set())
    assert value(beyond, metric) >= 1


@pytest.mark.parametrize(("connections", "room"), [(2, False), (3, True), (4, True)])
def test_whom_a_narrower_limit_finds_there_may_stay(connections: int, room: bool) -> None:
    stage = Stage(replace(DEFAULTS, connections_per_host=5))
    here = [stage.connect("192.0.2.7") for _ in range(2)]
    stage.server.settings = replace(DEFAULTS, connections_per_host=connections)
    assert (goodbye(stage.connect("192.0.2.7")) is None) is room
    stage.server.settings = replace(DEFAULTS, connections_per_host=1)
    assert [goodbye(peer) for peer in here] == [None, None]
    here[0].say("hello 0.1 ada human")
    assert here[0].got(wire.Welcome)


def test_a_connection_keeps_the_games_rate_and_queue_that_it_was_told() -> None:
    stage = Stage()
    ada = stage.connect()
    stage.server.settings = replace(
        DEFAULTS, games_per_connection=1, lines_burst=10.0, error_budget=1.0, output_base=1024
    )
    ada.say("hello 0.1 ada bot games=3")
    assert ada.last(wire.Welcome).games == 3
    ada.send_bytes(b"ping x\n" * 63)
    assert stage.server.reading(ada.number) and len(ada.got(wire.Pong)) == 63
    later = stage.join("bob", "bot", "games=3")
    assert later.last(wire.Welcome).games == 1
    later.send_bytes(b"ping x\n" * 12)
    assert not stage.server.reading(later.number)


def test_a_running_game_keeps_its_forgiveness_and_its_log() -> None:
    stage = Stage()
    pair = begin(stage)
    stage.server.settings = replace(DEFAULTS, lenient_bot=0, log_steps=10)
    table = stage.server.tables[pair.game]
    assert pair.mover.last(wire.Start).lenient == 2 and table.match.lenient == (2, 2)
    assert table.logs[0]._most_steps == DEFAULTS.log_steps


def test_an_account_that_has_come_before_gets_the_new_allowance_at_once() -> None:
    door = Door(settings=replace(DEFAULTS, logins_per_minute=2.0))
    for _ in range(2):
        door.log_in(TOKEN)
    assert codes(door.log_in(TOKEN)) == ["unavailable"]
    door.server.settings = replace(DEFAULTS, logins_per_minute=3.0)
    assert [codes(door.log_in(TOKEN)) for _ in range(4)] == [[], [], [], ["unavailable"]]
    door.server.settings = replace(DEFAULTS, logins_per_minute=1.0)
    assert [codes(door.log_in(TOKEN)) for _ in range(2)] == [[], ["unavailable"]]
