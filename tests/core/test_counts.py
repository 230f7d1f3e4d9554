"""What a server counts of its own work: every limit that somebody meets, and nobody's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import pytest

from tests.core.stage import Stage, begin, play_on
from tyrusd.core.bans import Ban
from tyrusd.core.counts import Counts
from tyrusd.core.requests import Stored
from tyrusd.core.settings import Settings
from tyrusd.wire import messages as wire


def counts(stage: Stage) -> Counts:
    return stage.server.counts


def test_logins_and_results_are_counted_as_they_are_told() -> None:
    stage = Stage()
    pair = begin(stage, ("human", "bot"))
    assert counts(stage).connections == 2
    assert counts(stage).logins == {("human", "guest"): 1, ("bot", "guest"): 1}
    stage.store_at_once = False
    pair.mover.say(f"resign {pair.game}")
    assert not counts(stage).results
    store = stage.stored[-1]
    stage.server.answer(Stored(store.id), stage.now)
    assert counts(stage).results == {"resigned": 1}


def test_every_game_of_a_series_is_counted_once() -> None:
    stage = Stage()
    pair = begin(stage)
    while stage.server.tables:
        game = next(iter(stage.server.tables))
        play_on(pair.mover, pair.other, game)
    assert sum(counts(stage).results.values()) == len(stage.stored)


def test_errors_and_goodbyes_are_counted_by_their_words() -> None:
    stage = Stage()
    peer = stage.connect()
    peer.say("nonsense")
    peer.say("hello 0.1 ada human")
    peer.say("quit")
    assert counts(stage).errors == {"syntax": 1}
    assert counts(stage).goodbyes == {"bye": 1}


Meeting = Callable[[Stage], None]


def _too_many_connections(stage: Stage) -> None:
    for number in range(4):
        stage.connect(f"10.0.0.{number}")


def _one_host(stage: Stage) -> None:
    for _ in range(3):
        stage.connect("10.0.0.1")


def _banned(stage: Stage) -> None:
    stage.server.presence.bans.add(Ban("10.0.0.1"))
    stage.connect("10.0.0.1")


def _silent(stage: Stage) -> None:
    stage.connect()
    stage.wait(121)


def _unfinished(stage: Stage) -> None:
    stage.join("ada").send_bytes(b"who")
    stage.wait(121)


def _unfinished_bot(stage: Stage) -> None:
    stage.join("ada", "bot").send_bytes(b"who")
    stage.wait(11)


def _no_pong(stage: Stage) -> None:
    stage.join("ada", "bot")
    stage.wait(60)


def _deaf(stage: Stage) -> None:
    peer = stage.join("ada")
    stage.deaf.add(peer.number)
    peer.say("who")
    stage.wait(11)


def _overrun(stage: Stage) -> None:
    peer = stage.join("ada")
    stage.deaf.add(peer.number)
    for _ in range(100):
        peer.say(f"ping {'w' * 60}\n" * 15)
        stage.now += 1
        stage.server.tick(stage.now)


def _fast(stage: Stage) -> None:
    stage.join("ada").say("help\n" * 200)


def _flood(stage: Stage) -> None:
    peer = stage.join("ada")
    for _ in range(5):
        peer.send_bytes(b"pong x\n" * 200)
        stage.wait(0.9)


def _nonsense(stage: Stage) -> None:
    stage.connect().say("nonsense\n" * 5)


def _much_nonsense(stage: Stage) -> None:
    stage.join("ada").say("nonsense\n" * 25)


def _spectators(stage: Stage) -> None:
    pair = begin(stage)
    for name in ("cleo", "dora"):
        stage.join(name).say(f"watch {pair.game}")


def _watching(stage: Stage) -> None:
    games = [begin(stage, names=(f"a{number}", f"b{number}")).game for number in range(2)]
    peer = stage.join("cleo")
    for game in games:
        peer.say(f"watch {game}")


def _full(stage: Stage) -> None:
    begin(stage).mover.say("seek")


def _full_server(stage: Stage) -> None:
    for number in range(2):
        begin(stage, names=(f"a{number}", f"b{number}"))
    stage.join("cleo").say("seek")


def _offers(stage: Stage) -> None:
    ada = stage.join("ada")
    for name in ("bob", "cleo"):
        stage.join(name)
        ada.say(f"challenge {name}")


def _offered(stage: Stage) -> None:
    stage.join("ada")
    for name in ("bob", "cleo"):
        stage.join(name).say("challenge ada")


def _guesses(stage: Stage) -> None:
    for _ in range(3):
        peer = stage.connect("10.0.0.1")
        peer.say("resume 00000000000000000000000000000000")
        stage.wait(1)
        peer.lose()


MEETINGS: dict[str, tuple[Settings, Meeting]] = {
    "connections_total": (Settings(connections_total=3), _too_many_connections),
    "connections_per_host": (Settings(connections_per_host=2), _one_host),
    "bans": (Settings(), _banned),
    "hello_socket": (Settings(), _silent),
    "line_person": (Settings(), _unfinished),
    "line_bot": (Settings(), _unfinished_bot),
    "ping_grace": (Settings(), _no_pong),
    "output_stall": (Settings(), _deaf),
    "output_base": (Settings(output_stall=1000.0), _overrun),
    "lines_per_second": (Settings(), _fast),
    "flood_strikes": (Settings(), _flood),
    "early_errors": (Settings(), _nonsense),
    "error_budget": (Settings(), _much_nonsense),
    "spectators_per_game": (Settings(spectators_per_game=1), _spectators),
    "watching_per_connection": (Settings(watching_per_connection=1), _watching),
    "games_per_connection": (Settings(), _full),
    "games_total": (Settings(games_total=2), _full_server),
    "challenges_made": (Settings(challenges_made=1), _offers),
    "challenges_received": (Settings(challenges_received=1), _offered),
    "resume_failures_per_minute": (Settings(resume_failures_per_minute=1), _guesses),
}


@pytest.mark.parametrize("limit", MEETINGS)
def test_who_meets_a_limit_is_counted_under_its_name(limit: str) -> None:
    settings, meet = MEETINGS[limit]
    stage = Stage(settings)
    meet(stage)
    assert counts(stage).limits[limit] >= 1, counts(stage).limits
    assert limit == "bans" or limit in {field.name for field in fields(Settings)}


def test_who_keeps_to_the_limits_is_counted_nowhere() -> None:
    stage = Stage()
    pair = begin(stage, ("human", "human"))
    play_on(pair.mover, pair.other, pair.game)
    assert pair.mover.got(wire.Over)
    assert not counts(stage).limits and not counts(stage).errors and not counts(stage).goodbyes
