"""What went wrong elsewhere when time ran out, ran late or jumped: each report as a test of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.crew_world import CrewWorld, bot, crew, task
from tests.core.match_world import MatchWorld, answer, schedule
from tests.core.stage import Stage, answer_line, asked, begin, play_on
from tests.core.world import Peer
from tyrusd.core.settings import DEFAULTS
from tyrusd.league.clock import TimeControl
from tyrusd.wire import messages as wire

TICK = 1e-6
MARGIN = 0.05


def of_four_games(late: bool) -> tuple[dict[int, tuple[bytes, bool]], list[dict[str, object]]]:
    """Four games at once, a placement every half second; a bot of one may sleep at its fifth decision.

    What each program was told, with whether it plays in that game, and the results.
    """
    control = TimeControl.parse("none", "5")
    world = MatchWorld(schedule(games=4, concurrency=4, control=control))
    world.start_programs()
    decisions: dict[int, set[int]] = {}
    sleeper, victim, wakes = None, "", 0.0
    heard: list[tuple[Peer, wire.Choose]] = []
    for _ in range(400):
        for peer in world.here():
            request = world.open_request(peer)
            if request is None:
                continue
            made = decisions.setdefault(peer.number, set())
            made.add(request.request)
            if sleeper is None and len(made) == 5:
                sleeper, victim, wakes = peer, request.game, world.now + 10 * 5.0
            if late and peer is sleeper and request.game == victim:
                heard.append((peer, request))
            else:
                answer(peer, request)
        world.wait(0.5)
        if late and sleeper is not None and world.now >= wakes and heard:
            if not sleeper.closed:
                answer(*heard[0])
            heard.clear()
        world.start_programs()
    told = {
        peer.number: (peer.raw, any(start.game == victim for start in peer.got(wire.Start)))
        for peer in world.peers.values()
    }
    return told, world.results


def test_f004_a_bot_that_sleeps_loses_its_game_and_the_others_are_byte_for_byte_the_same() -> None:
    """cutechess/cutechess#677: an engine that ran out of time took the manager and its tournament with it."""
    told, results = of_four_games(late=True)
    plain, plainly = of_four_games(late=False)
    assert [result["reason"] for result in results].count("timeout") == 1
    assert not [result for result in plainly if result["reason"] == "timeout"]  # control
    assert len(results) == len(plainly) == 4
    others = [number for number, (_, there) in plain.items() if not there]
    assert len(others) == 6
    for number in others:
        assert told[number] == plain[number]


@pytest.mark.parametrize("way", ["seek", "rematch"])
def test_f006_an_answer_a_tick_after_the_end_costs_nothing_and_the_next_game_begins(way: str) -> None:
    """lichess-bot#125: a bot played on after its time was up, hung, and got no rematch."""
    stage = Stage()
    mover, other, game = begin(stage, terms="cap=1")
    line = answer_line(mover, game, tag="late")
    stage.wait(1 + MARGIN)
    assert mover.last(wire.Over).reason == other.last(wire.Over).reason == "timeout"
    mover.forget()
    other.forget()
    stage.wait(TICK)
    mover.say(line)
    (error,) = mover.got(wire.Error)
    assert (error.code, error.cost, error.tag, error.game) == ("stale", "ignored", "late", game)
    assert other.raw == b"" and not mover.closed
    for peer in (mover, other):
        peer.say(f"rematch {game}" if way == "rematch" else "seek cap=1")
    again = mover.last(wire.Start).game
    assert again != game and not other.got(wire.Error) and len(mover.got(wire.Error)) == 1
    one, two = (mover, other) if asked(mover, again) else (other, mover)
    assert play_on(one, two, again, 12) == 12


@pytest.mark.parametrize(
    ("clock", "budget"), [("0+1", 1.0), ("1+0", 1.0), ("1000000+0", 1e6), ("0.1+3600", 0.1)]
)
def test_f020_the_first_placement_has_its_whole_time_to_the_tick(clock: str, budget: float) -> None:
    """lichess-org/lila#3070: with an unusual clock a side lost on time at once, before it could move."""
    stage = Stage(replace(DEFAULTS, stall=1e9))  # the whole time passes in one step
    mover, other, game = begin(stage, ("human", "human"), f"clock={clock} cap=none")
    request = asked(mover, game)
    assert request is not None and request.left == budget * 1000
    stage.jump(budget + MARGIN - TICK)
    assert not mover.got(wire.Over) and not other.got(wire.Over)
    stage.jump(2 * TICK)
    assert mover.last(wire.Over) == other.last(wire.Over)
    assert other.last(wire.Over).reason == "timeout"
    assert other.last(wire.Over).winner == other.last(wire.Start).side


@pytest.mark.parametrize(("slow", "budget"), [("one", 1.0), ("two", 60.0)])
@pytest.mark.parametrize("game", [1, 2])
def test_f020_at_odds_each_side_has_its_own_whole_time(slow: str, budget: float, game: int) -> None:
    """lichess-org/lila#3070, with a second for the one and a minute for the other, whoever opens."""
    controls = {"one": TimeControl.parse("1+0", "none"), "two": TimeControl.parse("60+0", "none")}
    bots = [bot(name, control=control) for name, control in controls.items()]
    world = CrewWorld(crew(bots), policies={slow: lambda *_: None})
    world.give(task(games=(game,)))
    world.play()
    world.wait(budget + MARGIN - TICK)
    assert world.results == []
    world.wait(2 * TICK)
    (result,) = world.results
    seats = result["seats"]
    assert isinstance(seats, dict)
    loser = {"ivory": "brown", "brown": "ivory"}[str(result["winner"])]
    assert (result["reason"], seats[loser]) == ("timeout", slow)
