"""One pair: attempts, draws, void and aborted games, starts that fail, and results that cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from tests.league.arena import Arena, always_drawn, game_payload, plan_of, played
from tyrusd.league.tournament.fold import tournament_of
from tyrusd.league.tournament.happenings import Champion, DealtAgain, PairingHalted
from tyrusd.league.tournament.pair import Pair
from tyrusd.league.tournament.task import PairTask, Place
from tyrusd.league.tournament.tournament import Tournament
from tyrusd.rules.deal import deal_from_bytes, pair_secret, seat_seed, twin_secret
from tyrusd.rules.pieces import Side

TWO = plan_of("roundrobin", ("a", "b"), rounds=2)


def task_of(tournament: Tournament) -> PairTask:
    task = tournament.next()
    assert task is not None
    return task


def test_a_task_is_all_that_two_games_on_one_deal_need() -> None:
    task = task_of(Tournament(TWO))
    secret = pair_secret("a seed", 1)
    assert (task.pair, task.attempt, task.round, task.games, task.twins) == (1, 1, 1, (1, 2), True)
    assert task.deal == deal_from_bytes(secret)
    assert task.seeds == (
        (seat_seed(twin_secret(secret, 1), Side.IVORY), seat_seed(twin_secret(secret, 1), Side.BROWN)),
        (seat_seed(twin_secret(secret, 2), Side.IVORY), seat_seed(twin_secret(secret, 2), Side.BROWN)),
    )
    assert len({seed for both in task.seeds for seed in both}) == 4
    assert (task.seats(1), task.seats(2)) == ((task.first, task.second), (task.second, task.first))


def test_a_deal_of_a_file_is_for_the_first_attempt_only() -> None:
    def deals(pair: int) -> Any:
        return deal_from_bytes(bytes([pair])) if pair <= 2 else None

    tournament = Tournament(TWO, deals)
    task = task_of(tournament)
    assert task.deal == deals(1)
    assert tournament.unready(1, 1, "a", "no hello") == [DealtAgain(1, 2, "unready")]
    again = task_of(tournament)
    assert (again.pair, again.attempt) == (1, 2)
    assert again.deal == deal_from_bytes(pair_secret("a seed", 1, 2))


def test_seats_alternate_where_deals_are_played_once() -> None:
    arena = Arena(plan_of("roundrobin", ("a", "b"), rounds=4, games=1)).run()
    seats = [(task.first, task.games, task.twins) for task in arena.tasks]
    assert (
        seats == [("b", (1,), False), ("a", (1,), False)] * 2
        or seats
        == [
            ("a", (1,), False),
            ("b", (1,), False),
        ]
        * 2
    )
    with_memory = Arena(plan_of("roundrobin", 3, unswapped=frozenset({"bot1"}))).run()
    assert {task.twins: sorted({task.first, task.second}) for task in with_memory.tasks if task.twins} == {
        True: ["bot2", "bot3"]
    }


def test_points_of_a_deal_that_is_played_once_count_as_those_of_two_games() -> None:
    arena = Arena(plan_of("roundrobin", 3, unswapped=frozenset({"bot1"}))).run()
    table = {line["name"]: line for line in arena.tournament.standing()["table"]}
    assert sum(line["points"] for line in table.values()) == 6
    assert [table[name]["games"] for name in arena.plan.entrants] == [2, 3, 3]


def test_row_46_half_a_pair_counts_for_nothing() -> None:
    arena = Arena(TWO)
    task = task_of(arena.tournament)
    arena.play(task, 1, (task.first, "majority"))
    assert arena.tournament.counted_games() == []
    assert arena.tournament.standing()["pairs"]["incomplete"] == 1
    arena.play(task, 2, (task.first, "majority"))
    assert [game.place.game for game in arena.tournament.counted_games()] == [1, 2]
    assert arena.tournament.standing()["table"][0] == {
        "name": task.first, "place": 1, "points": 2, "games": 2, "byes": 0, "state": "playing",
        "tiebreaks": {"sonneborn_berger": 0, "wins": 2},
    }  # fmt: skip


def test_what_comes_back_is_handed_out_again_without_what_is_done() -> None:
    arena = Arena(TWO)
    task = task_of(arena.tournament)
    arena.play(task, 2, (task.first, "majority"))
    other = task_of(arena.tournament)
    assert other.pair == 2
    assert arena.tournament.next() is None
    arena.tournament.returned(task)
    again = task_of(arena.tournament)
    assert (again.pair, again.attempt, again.games) == (1, 1, (1,))
    assert (again.deal, again.seeds) == (task.deal, task.seeds)
    assert arena.tournament.next() is None


def test_row_45_an_aborted_game_is_played_again_on_the_same_deal() -> None:
    arena = Arena(TWO)
    task = task_of(arena.tournament)
    arena.play(task, 1, (None, "aborted"))
    assert arena.told == []
    arena.kill()
    assert task_of(arena.tournament) == task


def test_a_void_game_voids_its_attempt_and_what_its_twin_gives() -> None:
    arena = Arena(TWO)
    task = task_of(arena.tournament)
    arena.play(task, 1, (task.first, "majority"))
    arena.play(task, 2, (None, "void"))
    assert arena.told == [DealtAgain(1, 2, "void")]
    again = task_of(arena.tournament)
    assert (again.pair, again.attempt, again.games) == (1, 2, (1, 2))
    assert again.deal != task.deal
    arena.play(again, 2, (None, "void"))
    arena.play(again, 1, (task.first, "majority"))
    assert arena.heard(PairingHalted) == [
        PairingHalted(task.first, task.second, "two games in a row were void")
    ]
    assert arena.tournament.counted_games() == []
    assert (arena.tournament.over, arena.tournament.why_over) == (True, "played")
    pairs = arena.tournament.standing()["pairs"]
    assert (pairs["void"], pairs["void_games"], pairs["not_played"]) == (2, 4, 2)


@pytest.mark.parametrize("kind", ["roundrobin", "knockout"])
def test_drawn_attempts_are_dealt_again_until_the_fourth_stands(kind: str) -> None:
    arena = Arena(plan_of(kind, ("a", "b"), draws="replay"), always_drawn)
    arena.fill(1)
    for attempt in range(1, 5):
        (task, _), arena.running = arena.running[0], []
        assert (task.pair, task.attempt) == (1, attempt)
        arena.play(task, 1)
        arena.play(task, 2)
        arena.fill(1)
    assert arena.heard(DealtAgain) == [DealtAgain(1, attempt, "drawn") for attempt in (2, 3, 4)]
    assert [game.place.attempt for game in arena.tournament.counted_games()] == [4, 4]


def test_one_drawn_game_of_two_is_enough_to_deal_again() -> None:
    arena = Arena(plan_of("roundrobin", ("a", "b"), draws="replay"))
    task = task_of(arena.tournament)
    arena.play(task, 1, (None, "drawn"))
    assert arena.told == []
    arena.play(task, 2, ("a", "majority"))
    assert arena.told == [DealtAgain(1, 2, "drawn")]


def test_without_replays_a_draw_is_half_a_point() -> None:
    arena = Arena(plan_of("roundrobin", ("a", "b")), always_drawn).run()
    assert [line["points"] for line in arena.tournament.standing()["table"]] == [1, 1]
    assert arena.heard(Champion) == []
    assert arena.tournament.standing()["no_winner"] == "a and b are level by points and all tie rules"


def test_row_46_the_same_result_twice_counts_once() -> None:
    arena = Arena(TWO).run()
    assert tournament_of(TWO, arena.journal * 2).counted_games() == arena.tournament.counted_games()


def test_what_belongs_to_no_tournament_changes_nothing() -> None:
    arena = Arena(TWO).run()
    alone = {key: value for key, value in arena.journal[0].items() if key != "ladder"}
    others = [alone, {"kind": "run"}, {"kind": "opened"}, {"kind": "placed"}]
    assert tournament_of(TWO, [*others, *arena.journal]).counted_games() == arena.tournament.counted_games()


@pytest.mark.parametrize(
    ("place", "seats", "sentence"),
    [
        (Place(3, 1, 1, 3), ("a", "b"), "no pair 3"),
        (Place(0, 1, 1, 1), ("a", "b"), "numbered from 1"),
        (Place(10**9, 1, 1, 1), ("a", "b"), "no pair 1000000000"),
        (Place(1, 1, 1, 1), ("a", "c"), "a against c, is not one of this plan"),
        (Place(1, 1, 1, 2), ("b", "a"), "of round 2"),
        (Place(1, 2, 1, 1), ("b", "a"), "dealt 1 times"),
        (Place(1, 0, 1, 1), ("b", "a"), "dealt 1 times"),
        (Place(1, 1, 2, 1), ("b", "a"), "is not one of this plan"),
        (Place(1, -3, 1, 1), ("b", "a"), "dealt 1 times"),
    ],
)
def test_results_of_another_plan_are_refused(place: Place, seats: tuple[str, str], sentence: str) -> None:
    tournament = Tournament(TWO)
    task = task_of(tournament)
    assert task.first == "b"
    with pytest.raises(ValueError, match=sentence):
        tournament.take(played(place, *seats, ("a", "majority")))


def test_two_results_of_one_game_are_refused() -> None:
    arena = Arena(TWO)
    task = task_of(arena.tournament)
    arena.play(task, 1, ("a", "majority"))
    with pytest.raises(ValueError, match="p1-1 has two different results"):
        arena.play(task, 1, ("b", "majority"))


@pytest.mark.parametrize(("pair", "attempt", "bot"), [(1, 2, "a"), (1, 0, "a"), (1, 1, "c")])
def test_words_on_bots_of_another_plan_are_refused(pair: int, attempt: int, bot: str) -> None:
    with pytest.raises(ValueError, match="of another plan"):
        Tournament(TWO).unready(pair, attempt, bot, "no hello")


def test_a_second_word_on_an_attempt_that_is_void_changes_nothing() -> None:
    tournament = Tournament(TWO)
    task = task_of(tournament)
    tournament.unready(1, 1, "a", "no hello")
    assert tournament.unready(1, 1, "b", "no hello either") == []
    assert tournament.pairs[0].attempts[0].unready == ("a", "no hello")
    tournament.returned(task)
    assert task_of(tournament).attempt == 2


def test_a_record_and_its_result_are_the_same_in_a_pair() -> None:
    pair = Pair(4, 2, "a", "b", twins=False, replays=False)
    result = played(Place(4, 1, 1, 2), "a", "b", (None, "drawn"))
    assert pair.take(result) == "complete"
    assert game_payload(result.place, "a", "b", (None, "drawn"))["game"]["winner"] is None
    assert (pair.results(), pair.score("a"), pair.missing) == ([result], 0.5, ())
