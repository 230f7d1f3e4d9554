"""What is told of an event while it runs: rounds, byes, walkovers, who is out and who is to leave."""

from __future__ import annotations

from tests.core.club_world import NAMES, ClubWorld, notices
from tyrusd.core.requests import EventNews, News
from tyrusd.core.settings import DEFAULTS
from tyrusd.league.club import ClubTerms
from tyrusd.wire import messages as wire


def started(kind: str, people: int, rounds: int | None = None) -> ClubWorld:
    club = ClubWorld()
    club.open(terms=ClubTerms(kind, "standard", rounds=rounds))
    club.join(*NAMES[:people])
    club.do("start")
    return club


def byes(club: ClubWorld) -> dict[str, int]:
    (told,) = club.club.told("cup")
    return {row["name"]: row["byes"] for row in told["table"] if row["byes"]}


def test_who_has_lost_a_tie_is_out_while_others_still_play() -> None:
    club = started("knockout", 4)
    loser = min(club.games().values())[0]
    club.lose(loser)
    assert len(club.games()) == 1 and club.state() == "running"
    states = {name: state for name, _, state in club.table()}
    assert [name for name, state in states.items() if state == "out"] == [loser]
    club.people[loser].say("withdraw cup")
    assert "nothing more" in club.people[loser].last(wire.Error).text
    club.open("other")
    club.people[loser].say("join other")
    assert club.people[loser].last(wire.Ok).re == "join"


def test_a_tie_of_several_games_is_decided_by_all_of_them() -> None:
    club = started("knockout", 2, rounds=2)
    one, two = min(club.games().values())
    club.lose(one)
    assert {state for _, _, state in club.table()} == {"playing"}
    club.lose(one)
    assert club.table() == [(two, "2", "playing"), (one, "0", "out")]


def test_a_bye_of_a_round_robin_is_told_at_once_and_counts_when_its_round_is_over() -> None:
    club = started("roundrobin", 3)
    rested: list[str] = []
    for number in range(1, 4):
        playing = next(iter(club.games().values()))
        (rests,) = set(NAMES[:3]) - set(playing)
        said = notices(club.people[rests], "event")[-1].text
        assert said == f"cup, round {number}: you have a bye, so you play again in the next round."
        assert {club.people[name].last(wire.EventState).round for name in NAMES[:3]} == {number}
        assert byes(club) == dict.fromkeys(rested, 1)
        rested.append(rests)
        club.lose(playing[0])
    assert club.state() == "over" and byes(club) == dict.fromkeys(NAMES[:3], 1)


def test_a_walkover_is_told_as_one() -> None:
    club = started("roundrobin", 2)
    club.lose("ana")
    (encounter,) = club.encounters()
    assert (encounter.winner, encounter.reason) == ("ben", "resigned")
    for absent, reason, winner in ((("ben",), "walkover", "ana"), (("ana", "ben"), "void", None)):
        club = ClubWorld()
        club.open(terms=ClubTerms("roundrobin", "standard"))
        club.join("ana", "ben")
        for name in absent:
            club.people[name].lose()
        club.do("start")
        club.stage.wait(DEFAULTS.walkover_after + 1)
        club.stage.wait(DEFAULTS.walkover_after + 1)
        (encounter,) = club.encounters()
        assert (encounter.game, encounter.winner, encounter.reason) == (None, winner, reason)


def test_who_is_to_leave_after_its_game_is_shown() -> None:
    club = started("swiss", 4)
    game = min(club.games())
    ivory, brown = club.games()[game]
    club.do("drop", player=ivory)
    (told,) = club.club.told("cup")
    assert {row["name"]: row["leaving"] for row in told["table"]}[ivory] == "yes"
    assert [row["leaving"] for row in told["table"]].count("yes") == 1
    club.lose(brown)
    (told,) = club.club.told("cup")
    assert {row["state"] for row in told["table"] if row["name"] == ivory} == {"dropped"}
    assert not [row for row in told["table"] if row["leaving"] == "yes"]


def test_the_log_is_told_of_all_that_happens() -> None:
    told: list[EventNews] = []
    club = ClubWorld()
    honest = club.stage.server.news

    def news(item: News) -> None:
        told.extend([item] if isinstance(item, EventNews) else [])
        honest(item)

    club.stage.server.news = news  # type: ignore[method-assign]
    club.open(terms=ClubTerms("roundrobin", "standard"))
    club.join("ana", "ben", "cleo")
    club.do("start")
    first = next(iter(club.games().values()))
    club.lose(first[0])
    second = next(iter(club.games().values()))
    club.do("drop", player=second[0])
    club.lose(second[1])
    while club.games():
        club.lose(next(iter(club.games().values()))[0])
    said = [item.sentence for item in told]
    assert said[:5] == [
        "cup is open: roundrobin",
        "ana has joined cup: entrants: 1",
        "ben has joined cup: entrants: 2",
        "cleo has joined cup: entrants: 3",
        "cup has started: roundrobin, entrants: 3",
    ]
    (rests,) = {"ana", "ben", "cleo"} - set(first)
    assert f"cup, round 1 begins: encounters: 1; bye: {rests}" in said
    assert f"cup, round 1: {first[0]} and {first[1]} are called" in said
    assert f"cup, round 1: {first[0]} against {first[1]}: g1 begins" in said
    assert f"cup, round 1: {first[0]} against {first[1]}: {first[1]} has won (g1, resigned)" in said
    assert f"{second[0]} is out of cup when its game is over" in said
    assert said[-1].startswith("cup is over: ")
    assert {item.about for item in told} == {"steps", "calls", "games", "results"}
