"""What may be asked of club events, by players and by the operator, and how all else is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.core.club_world import KNOCKOUT, NAMES, ClubWorld, codes, notices
from tyrusd.core.club import EventError
from tyrusd.core.settings import DEFAULTS
from tyrusd.league.club import ClubTerms, event_of
from tyrusd.wire import messages as wire

TICK = 1e-6


def started(*names: str, kind: str = "swiss") -> ClubWorld:
    club = ClubWorld()
    club.open(terms=ClubTerms(kind, "standard"))
    club.join(*names)
    club.do("start")
    return club


# -- players -----------------------------------------------------------------------------------------------


def test_what_is_refused_and_with_which_word() -> None:
    club = ClubWorld()
    ana = club.stage.join("ana")
    ana.say("join cup\nwithdraw cup\nbracket cup")
    assert codes(ana) == ["unavailable"] * 3
    club.open()
    club.open("other")
    ana.say("withdraw cup")
    assert codes(ana)[3:] == ["unavailable"]
    ana.say("join CUP")  # the case of a name does not matter
    ana.say("join cup\njoin other")
    assert codes(ana)[4:] == ["unavailable"] * 2 and "withdraw" in ana.last(wire.Error).text
    club.join("ben", "cleo")
    club.do("close")
    dora = club.stage.join("dora")
    dora.say("join cup")
    assert "closed" in dora.last(wire.Error).text
    club.do("start")
    dora.say("join cup")
    assert "running" in dora.last(wire.Error).text


def test_who_withdraws_before_the_start_is_not_in_it_and_may_enter_again() -> None:
    club = ClubWorld()
    club.open()
    club.join("ana", "ben")
    club.people["ana"].say("withdraw cup")
    assert [name for name, _, _ in club.table()] == ["ben"]
    club.people["ana"].say("join cup")
    assert [name for name, _, _ in club.table()] == ["ben", "ana"]


def test_who_withdraws_in_a_game_plays_it_to_its_end_first() -> None:
    club = started("ana", "ben", "cleo", "dora")
    name, enemy = club.games()[club.game_of("ana")]
    club.people[name].say("withdraw cup")
    assert club.people[name].last(wire.Ok).re == "withdraw"
    club.people[name].say("withdraw cup")
    assert codes(club.people[name]) == ["unavailable"]
    assert (name, "0", "playing") in club.table()
    club.lose(enemy)
    assert (name, "1", "dropped") in club.table()


def test_a_player_who_is_busy_elsewhere_is_waited_for_and_begins_when_it_has_room() -> None:
    club = ClubWorld()
    club.open()
    club.join("ana", "ben")
    eve = club.stage.join("eve")
    eve.say("seek")
    club.people["ana"].say("play eve")
    club.do("start")
    assert len(club.games()) == 1
    assert notices(club.people["ana"], "called") and notices(club.people["ben"], "called")
    club.lose("ana")
    assert sorted(next(iter(club.games().values()))) == ["ana", "ben"]


def test_who_is_here_and_busy_loses_to_who_is_ready() -> None:
    club = ClubWorld()
    club.open()
    club.join("ana", "ben")
    eve = club.stage.join("eve")
    eve.say("seek")
    club.people["ana"].say("play eve")
    club.do("start")
    club.stage.wait(DEFAULTS.walkover_after)
    told = club.people["ben"].last(wire.EventState)
    assert (told.state, told.champion, told.finalist) == ("over", "ben", "ana")


def test_who_comes_back_in_time_plays() -> None:
    club = ClubWorld()
    club.open()
    club.join("ana", "ben")
    club.people["ana"].lose()
    club.do("start")
    club.stage.wait(100)
    assert not club.games()
    club.back("ana")
    assert len(club.games()) == 1 and club.people["ana"].got(wire.Start)


def test_a_bot_may_enter_and_colours_and_clock_are_those_of_the_event() -> None:
    club = ClubWorld()
    club.open(terms=ClubTerms("roundrobin", "replay-ties", "90+1", "20", 2))
    club.join("ana", "ben", kind="bot", extra="games=3 want=events")
    club.do("start")
    first = club.people["ana"].last(wire.Start)
    assert (first.clock, first.cap, first.variant) == ("90+1", "20", "replay-ties")
    club.lose("ben")
    second = club.people["ana"].last(wire.Start)
    assert (second.game != first.game, second.side != first.side) == (True, True)
    club.lose("ana")
    assert club.people["ana"].last(wire.EventState).rounds == 2
    assert [points for _, points, _ in club.table()] == ["1", "1"]


def test_a_draw_gives_half_a_point_where_it_is_not_dealt_again() -> None:
    club = started("ana", "ben", kind="roundrobin")
    (table,) = club.stage.server.tables.values()
    table.stop(None, "adjudicated", "operator", club.stage.now)
    club.stage.run()
    assert [points for _, points, _ in club.table()] == ["0.5", "0.5"] and not club.games()
    (line,) = club.encounters()
    assert (line.state, line.winner) == ("over", None)
    verdict = notices(club.people["ana"], "event")[-1].text
    assert (
        verdict == "cup is over: nobody has won it, since ana and ben are level by points and all tie rules."
    )
    assert club.people["ana"].last(wire.EventState).champion is None


def test_an_aborted_game_is_played_again() -> None:
    club = started("ana", "ben")
    (game,) = club.games()
    club.stage.server.tables[game].stop(None, "aborted", "operator", club.stage.now)
    club.stage.run()
    (again,) = club.games()
    assert again != game and club.encounters()[0].game == again


@pytest.mark.parametrize("kind", ["knockout", "roundrobin"])
def test_two_who_do_not_come_twice_do_not_meet(kind: str) -> None:
    club = started("ana", "ben", kind=kind)
    for name in ("ana", "ben"):
        club.people[name].lose()
    club.stage.wait(DEFAULTS.reconnect_window + 1)  # void, and both are gone for good
    assert not club.games() and club.state() == "over"
    club = ClubWorld(replace(DEFAULTS, event_hold=10_000.0))
    club.open(terms=ClubTerms(kind, "standard"))
    club.join("ana", "ben")
    for name in ("ana", "ben"):
        club.people[name].lose()
    club.do("start")
    club.stage.wait(DEFAULTS.walkover_after + 1)
    assert club.state() == "running"
    club.stage.wait(DEFAULTS.walkover_after)
    assert club.state() == "over"
    (line,) = club.encounters()
    assert line.state == "unplayed" and (line.winner is None) is (kind == "roundrobin")


def test_a_bracket_of_one_round_and_of_an_event_that_is_only_open() -> None:
    club = started("ana", "ben", "cleo", "dora", kind="knockout")
    for names in list(club.games().values()):
        club.lose(names[0])
    ana = club.people["ana"]
    ana.forget()
    ana.say("bracket cup round=2")
    assert [line.round for line in ana.got(wire.Encounter)] == [2] and len(ana.got(wire.Standing)) == 4
    club.open("next")
    assert club.encounters("next") == [] and club.table("next") == []


def test_games_of_an_event_can_be_watched() -> None:
    club = started("ana", "ben")
    eve = club.stage.join("eve")
    eve.say("bracket cup")
    eve.say(f"watch {eve.last(wire.Encounter).game}")
    assert eve.got(wire.Snapshot)


# -- the operator ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "terms", "why"),
    [
        ("cup", KNOCKOUT, "there is an event cup already, and it is open"),
        ("CUP", KNOCKOUT, "already"),
        ("two words", KNOCKOUT, "1 to 32 letters"),
        ("../cup", KNOCKOUT, "1 to 32 letters"),
        ("a\r\nover", KNOCKOUT, "1 to 32 letters"),
        ("\u0441up", KNOCKOUT, "1 to 32 letters"),
        ("who", KNOCKOUT, "a word of the protocol"),
        ("Ivory", KNOCKOUT, "a word of the protocol"),
        ("x", KNOCKOUT._replace(kind="gauntlet"), "there are knockout, swiss, roundrobin"),
        ("x", KNOCKOUT._replace(variant="loud"), "no variant 'loud'"),
        ("x", KNOCKOUT._replace(rounds=0), "1 to 16 rounds, not 0"),
        ("x", KNOCKOUT._replace(rounds=17), "1 to 16 rounds, not 17"),
        ("x", KNOCKOUT._replace(clock="0+0"), "clock"),
    ],
)
def test_row_60_an_event_that_cannot_be_opened_is_refused_in_a_sentence(
    name: str, terms: ClubTerms, why: str
) -> None:
    club = ClubWorld()
    club.open()
    with pytest.raises(EventError, match=why):
        club.open(name, terms)
    assert list(club.club.evenings) == ["cup"]


def test_each_step_of_the_operator_has_its_time() -> None:
    club = ClubWorld()

    def refused(step: str, player: str | None = None) -> str:
        with pytest.raises(EventError) as error:
            club.do(step, player=player)
        return str(error.value)

    assert "no event cup" in refused("start")
    with pytest.raises(EventError, match="no event cup"):
        club.club.told("cup")
    club.open()
    assert "not 'jump'" in refused("jump")
    assert "two are needed" in refused("start")
    assert "cup is open; `pause` is for one that is running" in refused("pause")
    assert "nobody has nothing" in refused("drop")
    club.join("ana", "ben", "cleo")
    club.do("drop", player="cleo")
    assert len(club.table()) == 2
    club.do("close")
    assert "cup is closed; `close` is for one that is open" in refused("close")
    club.do("start")
    assert "open or closed" in refused("start")
    assert "go-on" in refused("go-on")
    club.do("cancel")
    assert club.state() == "cancelled" and "cancelled" in refused("cancel")
    assert "cancelled" in notices(club.people["ana"], "event")[-1].text
    club.lose("ana")  # the game that ran is a game like others now
    assert club.encounters()[0].state == "unplayed" and not club.games()
    assert [event["state"] for event in club.club.told()] == ["cancelled"]
    club.open()  # the name is free again
    assert club.state() == "open" and "shutdown" not in codes(club.people["ana"])


def test_a_paused_event_begins_no_game_and_lets_nobody_lose() -> None:
    club = ClubWorld()
    club.open()
    club.join("ana", "ben", "cleo", "dora")
    club.people["dora"].lose()
    club.do("start")
    (game,) = club.games()
    club.do("pause")
    club.stage.wait(DEFAULTS.walkover_after + 60)
    club.lose(club.games()[game][0])
    assert not club.games() and club.state() == "paused"
    waiting = next(line for line in club.encounters() if "dora" in (line.one, line.two))
    assert waiting.state == "called"
    club.back("dora")
    assert not club.games()
    club.do("go-on")
    assert len(club.games()) == 1
    for _ in range(2):
        club.lose(next(iter(club.games().values()))[0])
    assert club.state() == "over"


def test_when_no_game_may_begin_nobody_loses_either() -> None:
    club = ClubWorld()
    club.open()
    club.join("ana", "ben")
    lobby = club.club._lobby
    lobby.paused = True
    club.do("start")
    club.stage.wait(2 * DEFAULTS.walkover_after)
    assert not club.games() and club.state() == "running"
    lobby.paused = False
    club.stage.wait(DEFAULTS.event_call)
    assert len(club.games()) == 1


def test_what_is_printed_is_plain_and_whole() -> None:
    club = started("ana", "ben", "cleo")
    (told,) = club.club.told("cup")
    assert (told["event"], told["kind"], told["state"], told["entrants"]) == ("cup", "swiss", "running", 3)
    assert [row["name"] for row in told["table"]] and len(told["encounters"]) == 1
    assert {row["points"] for row in told["table"]} == {"0", "1"}  # one has a bye


def test_a_server_that_closes_forgets_nobody() -> None:
    club = started("ana", "ben", "cleo", kind="roundrobin")
    club.stage.server.drain(club.stage.now, 1.0)
    club.stage.run()
    with pytest.raises(EventError, match="closing"):
        club.open("late")
    club.people["cleo"].say("join cup")
    assert codes(club.people["cleo"]) == ["shutdown"]
    club.stage.wait(DEFAULTS.event_hold + 60)
    assert club.stage.server.finished
    club.kill()
    for name in ("ana", "ben", "cleo"):
        club.back(name)
    assert len(club.games()) == 1 and club.state() == "running"


def test_records_that_contradict_each_other_are_refused() -> None:
    opened: dict[str, Any] = {"kind": "event", "event": "cup", "what": "opened", "terms": KNOCKOUT._asdict()}
    step: dict[str, Any] = {"kind": "event", "event": "cup"}
    journals: list[list[dict[str, Any]]] = [
        [{**step, "what": "closed"}],
        [opened, {**step, "what": "paused"}],
        [opened, {**step, "what": "game", "id": "g1", "pair": 1, "attempt": 1, "round": 1}],
        [opened, *[{**step, "what": "joined", "name": name} for name in ("ana", "ben")],
         {**step, "what": "started", "seed": "x"},
         {**step, "what": "game", "id": "g1", "pair": 7, "attempt": 1, "round": 1}],
    ]  # fmt: skip
    for records in journals:
        with pytest.raises(ValueError, match="event cup"):
            event_of(records, {})


# -- limits ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("there", "room"), [(1, True), (2, False), (3, False)])
def test_limit_events_open(there: int, room: bool) -> None:
    club = ClubWorld(replace(DEFAULTS, events_open=2))
    for number in range(min(there, 2)):
        club.open(f"e{number}")
    if room:
        club.open("last")
        return
    with pytest.raises(EventError, match="2 events are open"):
        club.open("last")
    for number in range(6):  # those that are over are forgotten, the oldest first
        club.do("cancel", f"e{number}")
        club.open(f"e{number + 2}")
    assert list(club.club.evenings) == ["e4", "e5", "e6", "e7"]


@pytest.mark.parametrize(("there", "room"), [(2, True), (3, False), (4, False)])
def test_limit_event_entrants(there: int, room: bool) -> None:
    club = ClubWorld(replace(DEFAULTS, event_entrants=3))
    club.open()
    club.join(*NAMES[: min(there, 3)])
    last = club.stage.join("last")
    last.say("join cup")
    assert codes(last) == ([] if room else ["unavailable"])
    if not room:
        club.people["ana"].say("withdraw cup")
        last.say("join cup")
        assert len(codes(last)) == 1 and club.table()[-1][0] == "last"


@pytest.mark.parametrize(("seconds", "over"), [(300 - TICK, False), (300, True), (300 + TICK, True)])
def test_limit_walkover_after(seconds: float, over: bool) -> None:
    club = ClubWorld()
    club.open()
    club.join("ana", "ben")
    club.people["ben"].lose()
    club.do("start")
    club.stage.wait(seconds)
    assert (club.state() == "over") is over
    if over:
        (line,) = club.encounters()
        assert (line.winner, line.state, line.game) == ("ana", "over", None)


@pytest.mark.parametrize(("seconds", "calls"), [(60 - TICK, 1), (60, 2), (60 + TICK, 2), (120, 3)])
def test_limit_event_call(seconds: float, calls: int) -> None:
    club = ClubWorld()
    club.open()
    club.join("ana", "ben")
    club.people["ben"].lose()
    club.do("start")
    club.stage.wait(seconds)
    assert len(notices(club.people["ana"], "called")) == calls


@pytest.mark.parametrize(("seconds", "there"), [(900 - TICK, True), (900, False), (900 + TICK, False)])
def test_limit_event_hold(seconds: float, there: bool) -> None:
    club = ClubWorld()
    club.open()
    club.join("ana", "ben")
    club.people["ben"].lose()
    club.stage.wait(seconds)
    assert (len(club.table()) == 2) is there
