"""A server is killed at any moment and started again: what anyone was told holds, and its games go on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.core.stage import Pair, Stage, again, answer_line, asked, begin, play_on
from tests.core.world import Peer
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import BotFailed, StartBot
from tyrusd.core.restoring import Recovered
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS
from tyrusd.league.fold import fold
from tyrusd.league.framing import HEADER, read_frames
from tyrusd.league.replay import verify
from tyrusd.rules.notation import read_view
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

HOUSES = {"house": SeatSpec("plugin", "house")}


def keeping(houses: Mapping[str, SeatSpec] = HOUSES) -> Stage:
    """A server whose journal lets players come back."""
    return Stage(lobby=Lobby(houses), recovered=Recovered())


def restarted(frames: list[bytes], wall: float = 50.0) -> Stage:
    """A new server on what a journal holds, as long after the old one began."""
    folded = fold(read_frames(HEADER + b"".join(frames)))
    numbers = [int(game[1:]) for game in (*folded.finished, *folded.running)]
    left = Recovered(tuple(folded.running.values()), folded.players, HOUSES, max(numbers, default=0))
    return Stage(seed=2, lobby=Lobby(HOUSES), recovered=left)


def secret_of(peer: Peer) -> str:
    return peer.last(wire.Welcome).secret


def back(stage: Stage, secret: str) -> Peer:
    peer = stage.connect()
    peer.say(f"resume {secret}")
    return peer


def both_back(stage: Stage, pair: Pair) -> Pair:
    """Both peers of a table come back to a new server; the mover first."""
    one, two = back(stage, secret_of(pair.mover)), back(stage, secret_of(pair.other))
    return Pair(one, two, pair.game) if asked(one, pair.game) else Pair(two, one, pair.game)


def record_of(stage: Stage, game: str) -> dict[str, Any]:
    found = fold(read_frames(HEADER + b"".join(stage.kept))).finished[game]
    verify(found)
    return found


def told(peer: Peer) -> list[wire.Message | wire.Refusal]:
    """The events that a peer was told, with those behind a snapshot only."""
    return [
        item
        for item in peer.inbox
        if isinstance(item, wire.Placed | wire.Revealed | wire.Tallied | wire.Drew | wire.Over)
    ]


def whole_game(kinds: tuple[str, str] = ("bot", "human")) -> tuple[Stage, Pair]:
    stage = keeping()
    pair = begin(stage, kinds, "clock=600+5 cap=60", "want=events,full")
    play_on(pair.mover, pair.other, pair.game)
    return stage, pair


def test_killed_after_any_record_a_game_goes_on_to_the_same_end() -> None:
    stage, pair = whole_game()
    whole = record_of(stage, pair.game)
    frames = list(stage.kept)
    cuts = [count for count in range(1, len(frames)) if b"player" in b"".join(frames[:count])]
    drawn = 0
    for count in cuts[1:]:
        new = restarted(frames[:count])
        there = both_back(new, pair)
        play_on(there.mover, there.other, pair.game)
        again_recorded = fold(read_frames(HEADER + b"".join(frames[:count] + new.kept))).finished[pair.game]
        verify(again_recorded)
        # What is placed then depends on how often `play_on` was asked, so the games differ from there.
        placed = len([frame for frame in frames[:count] if b"placed" in frame[:24]])
        assert again_recorded["game"]["placements"][:placed] == whole["game"]["placements"][:placed]
        assert again_recorded["game"]["deal"] == whole["game"]["deal"]
        assert again_recorded["timing"]["spent"][:placed] == whole["timing"]["spent"][:placed]
        assert pair.game not in new.server.tables and there.other.got(wire.Over)
        if again_recorded["game"]["reason"] == "drawn":
            drawn += 1
            start = there.mover.last(wire.Start)  # dealt again, on the terms of the game that was cut off
            assert start.game != pair.game and (start.clock, start.cap) == ("600+5", "60")
    assert len(cuts) > 40 and drawn


def test_the_events_after_the_picture_follow_those_before_the_kill() -> None:
    stage = keeping()
    pair = begin(stage, terms="clock=600+5", extra="want=events,full")
    play_on(pair.mover, pair.other, pair.game, most=9)
    before = [item for item in told(pair.mover) if isinstance(item, wire.Placed)][-1].seq
    new = restarted(stage.kept)
    there = both_back(new, pair)
    pictures = [peer.last(wire.Snapshot).seq for peer in (there.mover, there.other)]
    assert pictures[0] == pictures[1] == before
    play_on(there.mover, there.other, pair.game, most=3)
    for peer in (there.mover, there.other):
        numbers = [getattr(item, "seq", 0) for item in told(peer)]
        assert numbers == list(range(before + 1, before + 1 + len(numbers))) and len(numbers) >= 3


def test_nothing_that_was_told_is_lost() -> None:
    stage, pair = whole_game()
    new = restarted(stage.kept)
    assert not new.server.tables
    late = back(new, secret_of(pair.mover))
    new.wait(2)
    assert late.last(wire.Error).code == "auth"


def decided() -> tuple[Stage, Pair, Stage]:
    """A game whose last placement was kept and whose result was not; and the server after the kill."""
    stage, pair = whole_game()
    frames = list(stage.kept)
    assert b"game" in frames[-1]
    stage.kept = frames[:-1]
    return stage, pair, restarted(stage.kept)


def test_an_end_that_was_reached_but_not_stored_is_stored_and_told_to_those_who_come() -> None:
    old, pair, new = decided()
    one = back(new, secret_of(pair.mover))
    assert not one.got(wire.Over)
    two = back(new, secret_of(pair.other))
    assert one.last(wire.Over) == two.last(wire.Over) == pair.mover.last(wire.Over)
    assert one.got(wire.Snapshot) and not new.server.tables
    assert record_of_both(old.kept, new, pair.game)["game"]["reason"] == one.last(wire.Over).reason


def test_an_end_that_nobody_comes_for_is_stored_all_the_same() -> None:
    old, pair, new = decided()
    new.wait(DEFAULTS.restart_window + 1)
    assert record_of_both(old.kept, new, pair.game)["game"]["reason"] == pair.mover.last(wire.Over).reason
    assert not new.server.tables and not new.server.players


def test_a_server_that_closes_stores_an_end_that_waits() -> None:
    old, pair, new = decided()
    new.server.drain(new.now, 1.0)
    new.wait(2)
    assert record_of_both(old.kept, new, pair.game)["game"]["reason"] == pair.mover.last(wire.Over).reason
    assert new.server.finished


def record_of_both(old: list[bytes], new: Stage, game: str) -> dict[str, Any]:
    found = fold(read_frames(HEADER + b"".join(old + new.kept))).finished[game]
    verify(found)
    return found


def test_the_downtime_and_the_way_back_are_charged_to_nobody() -> None:
    stage = keeping()
    pair = begin(stage, ("human", "human"), terms="clock=100+0 cap=20")
    stage.wait(7)
    pair.mover.say(answer_line(pair.mover, pair.game))
    stage.wait(9)  # the other side thinks, and the server is killed
    new = restarted(stage.kept)
    new.wait(120)
    assert pair.game in new.server.tables
    first = back(new, secret_of(pair.other))
    request = asked(first, pair.game)
    assert isinstance(request, wire.Choose)
    assert (request.left, request.time, request.enemy_time) == (20_000, 100_000, 93_000)
    new.wait(4)
    first.say(answer_line(first, pair.game))
    new.wait(100)  # now the first mover is asked; it is not back yet, and does not pay for that
    second = back(new, secret_of(pair.mover))
    request = asked(second, pair.game)
    assert isinstance(request, wire.Choose)
    assert (request.left, request.time, request.enemy_time) == (20_000, 93_000, 96_000)
    new.wait(20.06)  # here, it does pay
    assert (second.last(wire.Over).reason, second.last(wire.Over).winner) == (
        "timeout",
        first.last(wire.Start).side,
    )


def test_who_does_not_come_back_in_time_has_left() -> None:
    stage = keeping()
    pair = begin(stage, ("human", "human"), "clock=900+0")
    new = restarted(stage.kept)
    there = back(new, secret_of(pair.other))
    new.wait(DEFAULTS.restart_window + 1)
    over = there.last(wire.Over)
    assert (over.reason, over.detail, over.winner) == (
        "disconnected", "abandoned", there.last(wire.Start).side,
    )  # fmt: skip


@pytest.mark.parametrize(("seconds", "welcome"), [(299.9, True), (300.0, False), (300.1, False)])
def test_limit_restart_window(seconds: float, welcome: bool) -> None:
    stage = keeping()
    pair = begin(stage, ("human", "human"), "clock=900+0")
    new = restarted(stage.kept)
    new.wait(seconds)
    assert bool(back(new, secret_of(pair.mover)).got(wire.Welcome)) is welcome


def test_if_nobody_comes_back_the_game_is_void() -> None:
    stage = keeping()
    pair = begin(stage)
    new = restarted(stage.kept)
    new.wait(DEFAULTS.restart_window + 1)
    record = record_of_both(stage.kept, new, pair.game)
    assert (record["game"]["reason"], record["game"]["detail"]) == ("void", "abandoned-both")
    assert not new.server.tables and not new.server.players


def test_a_newer_secret_is_known_after_the_kill_and_an_older_one_is_not() -> None:
    stage = keeping()
    pair = begin(stage)
    old = secret_of(pair.mover)
    pair.mover.lose("reset")
    mover = back(stage, old)
    newer = secret_of(mover)
    unproven = restarted(stage.kept)
    for secret in (newer, old):  # nobody knows whether the newer one has arrived
        assert back(unproven, secret).got(wire.Welcome)
        unproven = restarted(stage.kept)
    mover.say("ping here")
    proven = restarted(stage.kept)
    thief = back(proven, old)
    proven.wait(2)
    assert thief.last(wire.Error).code == "auth"
    assert back(proven, newer).got(wire.Welcome)


def test_many_games_of_one_player_come_back_together() -> None:
    stage = keeping()
    bot = stage.join("many", "bot", "games=8 want=events")
    games = []
    for number in range(8):
        other = stage.join(f"enemy{number}", "bot")
        games.append(again(bot, other).game)
    new = restarted(stage.kept)
    there = back(new, secret_of(bot))
    assert [start.game for start in there.got(wire.Start)] == games
    assert [item.game for item in there.got(wire.Snapshot)] == games


def test_a_game_on_a_repeated_deal_is_still_one() -> None:
    stage, pair = whole_game(("bot", "bot"))
    again(pair.mover, pair.other, f"deal={pair.game}")
    (repeat,) = stage.server.tables
    (table,) = restarted(stage.kept).server.tables.values()
    assert (table.game, table.deal) == (repeat, pair.game)


def test_ids_go_on_where_they_were() -> None:
    stage, pair = whole_game()
    new = restarted(stage.kept)
    assert begin(new, names=("cleo", "dora")).game == f"g{int(pair.game[1:]) + 1}"


# -- games against bots of the house -----------------------------------------------------------------------


def against_house() -> tuple[Stage, Peer, str]:
    stage = keeping()
    ada = stage.join("ada", "human")
    ada.say("play house side=B")
    (start,) = [request for request in stage.requests if isinstance(request, StartBot)]
    house = stage.connect("pipe", Codec.LINE, "pipe", start.id)
    house.say("hello 0.1 house bot games=4")
    game = ada.last(wire.Start).game
    play_on(house, ada, game, most=4)
    return stage, ada, game


def starts(stage: Stage) -> list[StartBot]:
    return [request for request in stage.requests if isinstance(request, StartBot)]


def test_a_bot_of_the_house_is_started_again_for_its_game() -> None:
    stage, ada, game = against_house()
    new = restarted(stage.kept)
    (start,) = starts(new)
    assert (start.name, start.seat) == ("house", HOUSES["house"])
    there = back(new, secret_of(ada))
    house = new.connect("pipe", Codec.LINE, "pipe", start.id)
    house.say("hello 0.1 house bot games=4")
    assert house.last(wire.Start).game == game and house.last(wire.Welcome).games == 4
    play_on(house, there, game)
    assert house.got(wire.Over) and there.got(wire.Over)
    record = record_of_both(stage.kept, new, game)
    assert record["game"]["fillings"]["ivory"] == "plugin:house"
    there.say("play house")
    assert len(there.got(wire.Start)) == 2


def test_house_bots_that_get_the_events_are_shown_what_they_have_missed() -> None:
    stage, ada, game = against_house()
    new = restarted(stage.kept)
    (start,) = starts(new)
    house = new.connect("pipe", Codec.FRAME, "pipe", start.id)
    house.send(wire.Hello(version="0.1", name="house", kind="bot", games=1, want=("events",)))
    picture = house.last(wire.Snapshot)
    assert picture.game == game and len(read_view(picture.view).board) == 4
    assert isinstance(asked(house, game) or asked(back(new, secret_of(ada)), game), wire.Choose | wire.Turn)


@pytest.mark.parametrize("silent", [False, True])
def test_if_the_bot_of_the_house_does_not_come_the_game_has_no_result(silent: bool) -> None:
    stage, ada, game = against_house()
    new = restarted(stage.kept)
    there = back(new, secret_of(ada))
    (start,) = starts(new)
    if silent:
        new.wait(DEFAULTS.bot_start + 1)
    else:
        new.server.answer(BotFailed(start.id, "it could not be started"), new.now)
        new.run()
    over = there.last(wire.Over)
    assert (over.game, over.reason, over.detail) == (game, "aborted", "house-bot")
    assert list(new.server.players) == ["ada"]


def test_a_guest_cannot_take_the_seat_of_a_house_bot_that_is_awaited() -> None:
    stage, _, _ = against_house()
    new = restarted(stage.kept)
    thief = new.connect()
    thief.say("hello 0.1 house bot")
    assert thief.last(wire.Error).code == "taken"


def test_nothing_of_a_match_is_kept_that_nobody_could_come_back_with() -> None:
    plain = Stage()
    begin(plain)
    assert not any(b"player" in frame[:24] for frame in plain.journal)
    stage = keeping()
    pair = begin(stage)
    players = [frame for frame in stage.kept if b"player" in frame[:24]]
    assert len(players) == 2
    assert not any(secret_of(peer).encode() in b"".join(stage.kept) for peer in (pair.mover, pair.other))
