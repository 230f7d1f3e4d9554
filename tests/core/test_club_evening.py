"""A club evening from the first call to the winner: a no-show, a drop-out, a drawn game, a killed server."""

from __future__ import annotations

import pytest

from tests.core.club_world import NAMES, ClubWorld, notices
from tests.core.world import Peer
from tyrusd.core.settings import DEFAULTS
from tyrusd.league.club import ClubTerms
from tyrusd.wire import messages as wire


def _against_karl(peer: Peer) -> list[int | None]:
    """What was left at each call to the game against the one who does not come."""
    return [notice.in_ms for notice in notices(peer, "called") if "karl" in notice.text]


def finish(club: ClubWorld) -> None:
    """Play all games to the end, whoever wins."""
    for _ in range(200):
        games = list(club.games())
        if club.state() == "over":
            return
        assert games, [line for line in club.encounters() if line.state == "called"]
        for game in games:
            club.play(game)


def test_an_evening_with_everything_that_may_happen() -> None:
    club = ClubWorld()
    club.open()
    club.join(*NAMES)
    club.people["karl"].lose()
    club.do("start")
    first = club.encounters()
    assert len(first) == 3 and {pair.round for pair in first} == {1}  # eleven: five have byes
    playing = [pair for pair in first if pair.state == "playing"]
    # One game is drawn: it is dealt again at once, with the same colours.
    drawn = playing[0]
    game = club.game_of(drawn.one)
    ivory = club.games()[game][0]
    club.stage.server.tables[game].stop(None, "adjudicated", "operator", club.stage.now)
    club.stage.run()
    again = club.game_of(drawn.one)
    assert again != game and club.games()[again][0] == ivory
    assert "dealt again" in notices(club.people[drawn.one], "event")[-1].text
    # One drops out in the middle of its game, and the other is told that it has won.
    left, stays = playing[1].one, playing[1].two
    club.play(club.game_of(left), most=5)
    club.people[left].lose()
    club.stage.wait(DEFAULTS.reconnect_window + 1)
    assert club.people[stays].last(wire.Over).reason == "disconnected"
    assert (left, "0", "dropped") in club.table()
    assert club.people[stays].last(wire.Encounter).winner == stays
    # The server is killed while the game that was dealt again is being played.
    club.play(again, most=7)
    club.kill()
    for name in NAMES:
        if name not in (left, "karl"):
            club.back(name)
    assert list(club.games()) == [again]
    club.play(again)
    pair = next(line for line in club.encounters() if line.one == drawn.one)
    if pair.state != "over":  # drawn once more on the board
        club.lose(drawn.one)
    # Whoever is to play with the one who never came is called every minute, and goes on by walkover.
    for _ in range(4):
        if any("karl" in (line.one, line.two) and line.state == "over" for line in club.encounters()):
            break
        for game in list(club.games()):
            club.play(game)
        club.stage.wait(DEFAULTS.walkover_after + 1)
    (enemy,) = [name for name, peer in club.people.items() if peer.got(wire.Notice) and _against_karl(peer)]
    assert _against_karl(club.people[enemy]) == [300000, 240000, 180000, 120000, 60000]
    walkover = next(line for line in club.encounters() if "karl" in (line.one, line.two))
    assert (walkover.winner, walkover.game) == (enemy, None)
    finish(club)
    final = club.encounters()[-1]
    onlooker = club.stage.join("late")
    onlooker.say("events")
    told = onlooker.last(wire.EventState)
    assert (told.state, told.entrants, told.champion) == ("over", 11, final.winner)
    assert {told.champion, told.finalist} == {final.one, final.two}
    verdict = f"cup is over: {told.champion} has won it, and the other finalist is {told.finalist}."
    there = [peer for name, peer in club.people.items() if name not in (left, "karl")]
    for peer in there:
        assert notices(peer, "event")[-1].text == verdict
        assert peer.last(wire.EventState).champion == told.champion
    states = {name: state for name, _, state in club.table()}
    assert (states[told.champion or ""], states[left], states["karl"]) == ("playing", "dropped", "out")
    assert club.table()[0][0] == told.champion


def test_the_winner_is_the_same_wherever_the_server_is_killed() -> None:
    """After any record of the journal another server goes on to an end, and counts what was told before."""
    whole = ClubWorld()
    whole.open()
    whole.join("ana", "ben", "cleo", "dora", "emil")
    whole.do("start")
    finish(whole)
    frames = list(whole.stage.kept)
    first = next(number for number, frame in enumerate(frames) if b"started" in frame)
    steps = [number for number in range(first + 1, len(frames)) if b"placed" not in frames[number][:24]]
    assert len(steps) > 12
    for count in steps:
        club = ClubWorld()
        club.people = dict(whole.people)
        club.stage.kept = frames
        club.kill(count)
        told = {(pair.one, pair.two): pair.winner for pair in club.encounters() if pair.winner is not None}
        for name in list(whole.people):
            if name in club.stage.server.players:
                club.back(name)
        finish(club)
        end = {(pair.one, pair.two): pair.winner for pair in club.encounters()}
        assert told.items() <= end.items()
        assert club.state() == "over" and not club.stage.server.tables


@pytest.mark.parametrize("kind", ["swiss", "roundrobin"])
@pytest.mark.parametrize("people", [5, 4])
def test_everybody_plays_as_often_with_odd_and_even_numbers(kind: str, people: int) -> None:
    club = ClubWorld()
    club.open(terms=ClubTerms(kind, "standard", "300+2"))
    club.join(*NAMES[:people])
    club.do("start")
    rounds = {"swiss": 3 if people == 5 else 2, "roundrobin": 5 if people == 5 else 3}[kind]
    for number in range(1, rounds + 1):
        running = club.games()
        assert len(running) == people // 2
        assert {line.round for line in club.encounters() if line.state == "playing"} == {number}
        for names in running.values():
            club.lose(max(names))  # who is first in the alphabet wins
    assert club.state() == "over"
    rank, points, _ = club.table()[0]
    assert rank == "ana" and club.people["ana"].last(wire.EventState).champion == "ana"
    assert (
        points
        == {("swiss", 5): "3", ("swiss", 4): "2", ("roundrobin", 5): "4", ("roundrobin", 4): "3"}[
            kind, people
        ]
    )
    lines = club.encounters()
    met = [frozenset((line.one, line.two)) for line in lines]
    assert len(met) == len(set(met)) == rounds * (people // 2)
    assert all(line.state == "over" and line.game is not None for line in lines)


def test_what_the_operator_did_survives_a_kill() -> None:
    club = ClubWorld()
    club.open(terms=ClubTerms("swiss", "standard"))
    club.join(*NAMES[:5])
    club.do("start")
    dropped, enemy = next(iter(club.games().values()))
    club.do("drop", player=dropped)  # it plays its game to the end first
    club.do("pause")
    club.kill()
    assert club.state() == "paused" and len(club.games()) == 2
    for name in NAMES[:5]:
        club.back(name)
    club.do("go-on")
    for _, brown in list(club.games().values()):
        club.lose(brown)
    assert [row for row in club.table() if row[2] == "dropped"] == [(dropped, "1", "dropped")]
    assert len(club.games()) == 2 and dropped not in str(club.games())
    club.kill()
    for name in NAMES[:5]:
        if name != dropped:
            club.back(name)
    assert enemy in {line.two for line in club.encounters()} | {line.one for line in club.encounters()}
    club.do("cancel")
    club.kill()
    assert club.state() == "cancelled" and len(club.games()) == 2  # games that run are played to their end
    for name in [name for names in club.games().values() for name in names]:
        club.back(name)
    for ivory, _ in list(club.games().values()):
        club.lose(ivory)
    club.kill()
    assert club.state() == "cancelled" and not club.games()
    club.open()
    club.kill()
    assert club.state() == "open"


@pytest.mark.parametrize("gap", [10.0, 3600.0])
def test_row_21_a_standstill_of_the_server_lets_nobody_lose_by_walkover(gap: float) -> None:
    """Two are awaited and no game runs: the time in which the server stood still is not theirs."""
    club = ClubWorld()
    club.open()
    club.join("ana", "ben")
    for name in ("ana", "ben"):
        club.people[name].lose()
    club.do("start")
    club.stage.wait(100)
    club.stage.jump(0)
    club.stage.jump(gap)
    club.back("ana")
    assert notices(club.people["ana"], "called")[0].in_ms == 200_000
    club.stage.wait(199)
    assert [line.state for line in club.encounters()] == ["called"]
    club.stage.wait(2)
    assert [(line.state, line.winner) for line in club.encounters()] == [("over", "ana")]
