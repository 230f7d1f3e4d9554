"""What is asked of the standing ladder: coming and going, ratings, and merges, and who may not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.standing_world import ROCK, Bot, LadderWorld, token
from tests.core.world import Peer
from tyrusd.core.requests import KeepMerge, MergeRefused
from tyrusd.core.settings import DEFAULTS
from tyrusd.core.standing import Standing
from tyrusd.league.rated import Version
from tyrusd.league.standing_rows import RatingRow, RatingTable
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire


class Slow(LadderWorld):
    """The answer to a merge comes when the test gives it."""

    asked: list[KeepMerge]

    def look(self) -> None:
        self.asked = [request for request in self.stage.requests if isinstance(request, KeepMerge)]
        self._seen = len(self.stage.requests)
        super().look()


def told(peer: Peer, line: str) -> list[str]:
    """The codes of the errors, or `ok`, that a line is answered with."""
    peer.forget()
    peer.say(line)
    return [
        item.code if isinstance(item, wire.Error) else item.verb
        for item in peer.inbox
        if isinstance(item, wire.Error | wire.Ok)
    ]


def known(peer: Peer, name: str, key: str) -> Peer:
    peer.say(f"hello 0.1 {name} human key={key}")
    return peer


def row(name: str, agent: str | None = None, elo: float | None = 12.6, **more: object) -> RatingRow:
    counts = RatingRow(Version(name, agent), elo, elo, elo, 30, 10, 5, 15)
    return counts._replace(**more)  # type: ignore[arg-type]


def take(world: LadderWorld, *rows: RatingRow) -> None:
    table = RatingTable(rows)
    world.stage.server.step(lambda now: world.standing.take(table, now), world.stage.now)


# -- ladder ------------------------------------------------------------------------------------------------


def test_it_is_for_bots_with_accounts() -> None:
    world = LadderWorld(["ada"], owners={"ada": "olga"})
    guest, human = world.stage.connect(), world.stage.connect()
    guest.say("hello 0.1 guest bot")
    known(human, "olga", token("olga"))
    assert told(guest, "ladder on") == told(human, "ladder on") == ["unavailable"]
    ada = world.join("ada", on=False)
    assert not ada.starts and world.say(ada, "ladder on tag=1") == [wire.Ok("1", "ladder")]


@pytest.mark.parametrize(("games", "answer"), [(3, "ok"), (4, "ok"), (5, "too-many-games")])
def test_nobody_gets_more_games_than_declared(games: int, answer: str) -> None:
    world = LadderWorld(["ada"])
    ada = world.join("ada", on=False, games=4)
    (heard,) = world.say(ada, f"ladder on games={games}")
    assert (heard.code if isinstance(heard, wire.Error) else "ok") == answer


def test_who_shows_who_is_on_it() -> None:
    world = LadderWorld(["ada", "bob"])
    ada = world.join("ada")
    world.join("bob", on=False)
    told = [item for item in world.say(ada, "who") if isinstance(item, wire.Player)]
    assert {player.name: player.ladder for player in told} == {"ada": "yes", "bob": "no"}
    world.say(ada, "ladder off")
    told = [item for item in world.say(ada, "who") if isinstance(item, wire.Player)]
    assert {player.ladder for player in told} == {"no"}


# -- ratings -----------------------------------------------------------------------------------------------


def test_nobody_is_rated_at_first() -> None:
    world = LadderWorld(["ada"])
    ada = world.join("ada")
    assert world.say(ada, "ratings") == [wire.Ok(None, "ratings", 0)]
    (error,) = world.say(ada, "ratings name=ada")
    assert isinstance(error, wire.Error) and error.code == "no-player"


@pytest.mark.parametrize("refit", [60.0, 2.5])
def test_games_that_are_in_no_table_yet_are_told_of_with_the_time_that_takes(refit: float) -> None:
    world = LadderWorld(["ada", "bob", "cy"], settings=replace(DEFAULTS, ladder_refit=refit))
    ada = world.join("ada", on=False)
    world.join("bob", on=False)
    world.say(ada, "seek rated=yes")
    world.say(world.bots["bob"], "play ada rated=yes")
    assert world.say(ada, "ratings") == [wire.Ok(None, "ratings", 0)]  # nothing has ended
    world.say(ada, "resign g1")
    sentence = f"are not in the ratings yet: those are worked out {refit:g} s after a game; ask again then."
    for line, who in (("", ""), (" name=ADA", " of ADA"), (" name=bob", " of bob")):
        (error,) = world.say(ada, f"ratings{line}")
        assert isinstance(error, wire.Error) and error.code == "unavailable"
        assert error.text == f"The rated games{who} {sentence}"
    (error,) = world.say(ada, "ratings name=cy")
    assert isinstance(error, wire.Error) and error.code == "no-player"
    take(world, row("ada"))  # a fit that was begun before the game was there for bob
    assert len(world.say(ada, "ratings name=ada")) == 2
    (error,) = world.say(ada, "ratings name=bob")
    assert isinstance(error, wire.Error) and error.code == "unavailable"
    take(world, row("ada"), row("bob"))
    assert len(world.say(ada, "ratings name=bob")) == 2


def test_a_game_without_a_result_makes_nobody_wait_for_a_rating() -> None:
    world = LadderWorld(["ada", "bob"])
    ada = world.join("ada", on=False)
    world.join("bob", on=False)
    world.say(ada, "seek rated=yes")
    world.say(world.bots["bob"], "play ada rated=yes")
    world.stage.server.tables["g1"].stop(None, "aborted", "operator", world.stage.now)
    world.stage.run()
    (error,) = world.say(ada, "ratings name=ada")
    assert isinstance(error, wire.Error) and error.code == "no-player"


def test_the_table_is_told_as_it_was_handed_in() -> None:
    world = LadderWorld(["ada"])
    ada = world.join("ada")
    take(
        world,
        row(ROCK, None, 1000.0, anchor=True, rank=1),
        row("ada", "deep/2", -3.5, low=-10.5, high=3.4, rank=2, forfeits=1, forfeited=2, flagged=3),
        row("ada", None, None, low=None, high=None, provisional=True),
    )
    rock, deep, plain, ok = world.say(ada, "ratings")
    assert isinstance(rock, wire.Rating) and (rock.anchor, rock.elo, rock.rank) == ("yes", 1000, 1)
    assert deep == wire.Rating(2, "ada", -4, -10, 3, 30, 10, 5, 15, "deep/2", 1, 2, 3)
    assert isinstance(plain, wire.Rating) and (plain.rank, plain.elo, plain.provisional) == (0, None, "yes")
    assert ok == wire.Ok(None, "ratings", 3)
    assert len(world.say(ada, "ratings name=ADA")) == 3


def test_head_to_head_comes_after_the_ratings_of_an_account() -> None:
    world = LadderWorld(["ada", "bob"], {ROCK: 1000})
    ada, bob = world.join("ada", agent="one"), world.join("bob")
    world.play(200)
    world.rate()
    lines = world.say(ada, "ratings name=ada")
    versus = [line for line in lines if isinstance(line, wire.Versus)]
    assert isinstance(lines[0], wire.Rating) and {line.enemy for line in versus} == {"bob", ROCK}
    assert all(line.agent == "one" and line.enemy_agent is None for line in versus)
    met = {line.enemy: line.games for line in versus}
    assert met["bob"] == world.audit()["ada-bob"] and sum(met.values()) == lines[0].games
    (back,) = [
        line
        for line in world.say(bob, "ratings name=bob")
        if isinstance(line, wire.Versus) and line.enemy == "ada"
    ]
    assert back.enemy_agent == "one" and (back.won, back.lost) == (
        next(line.lost for line in versus if line.enemy == "bob"),
        next(line.won for line in versus if line.enemy == "bob"),
    )


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_a_long_table_is_cut(rows: int) -> None:
    world = LadderWorld(["ada"], settings=replace(DEFAULTS, listed=2))
    ada = world.join("ada")
    take(world, *(row(f"bot{number}") for number in range(rows)))
    assert world.say(ada, "ratings")[-1] == wire.Ok(None, "ratings", min(rows, 2))
    assert (world.stage.server.counts.limits["listed"] > 0) is (rows > 2)


def test_the_first_table_brings_the_balances_of_the_past() -> None:
    world = LadderWorld(["ada", "bob"])
    before = Standing(world.lobby)
    for sides in ({"ada": (1, -1)}, {"ada": (2, 2)}):
        before.take(RatingTable(sides=sides), 0.0)
    assert before.book.balances("Ada") == (1, -1)


def test_a_first_table_that_comes_late_is_not_counted_twice() -> None:
    world = LadderWorld(["ada", "bob"])
    late = Standing(world.lobby)
    late.book.begun("g1", Version("ada"), Version("bob"), Side.BROWN, 1.0)
    late.book.over("g1", 2.0, counts=True)
    late.take(RatingTable(sides={"ada": (1, -1)}), 3.0)
    assert late.book.balances("ada") == (1, -1)


# -- merge -------------------------------------------------------------------------------------------------


def with_versions(world: LadderWorld) -> Bot:
    ada = world.join("ada", on=False)
    take(world, row("ada", "one"), row("ada", "two"), row("ada"))
    return ada


def test_an_account_merges_its_versions() -> None:
    world = LadderWorld(["ada"])
    ada = with_versions(world)
    assert world.say(ada, "merge ADA one two tag=7") == [wire.Ok("7", "merge")]
    assert world.say(ada, "merge ada - two") == [wire.Ok(None, "merge")]
    assert [(merge.name, merge.old, merge.new, merge.by) for merge in world.merges] == [
        ("ada", "one", "two", "ada"),
        ("ada", None, "two", "ada"),
    ]


def test_its_owner_merges_too_and_nobody_else() -> None:
    world = LadderWorld(["ada", "bob"], owners={"ada": "olga"})
    with_versions(world)
    olga, guest = known(world.stage.connect(), "olga", token("olga")), world.stage.connect()
    guest.say("hello 0.1 guest human")
    bob = world.join("bob", on=False)
    assert told(guest, "merge ada one two") == ["unavailable"]
    (error,) = world.say(bob, "merge ada one two")
    assert isinstance(error, wire.Error) and error.code == "unavailable" and not world.merges
    assert told(olga, "merge ada one two") == []
    world.look()
    assert [item.verb for item in olga.inbox if isinstance(item, wire.Ok)] == ["ok"]
    assert world.merges[0].by == "olga"


@pytest.mark.parametrize("line", ["merge ada one one", "merge ada - -", "merge nobody a b"])
def test_what_cannot_be_merged_is_refused(line: str) -> None:
    world = LadderWorld(["ada"])
    ada = with_versions(world)
    (error,) = world.say(ada, line)
    assert isinstance(error, wire.Error) and (error.code, error.re) == ("unavailable", "merge")
    assert not world.merges


@pytest.mark.parametrize(
    ("agent", "line", "here"),
    [
        ("three", "merge ada one three", True),
        ("three", "merge ADA one -", False),
        ("three", "merge ada one four", False),
        (None, "merge ada one -", True),
        (None, "merge ada one three", False),
    ],
)
def test_whether_the_new_version_is_here_is_asked_with_the_merge(
    agent: str | None, line: str, here: bool
) -> None:
    """What has been played is known to the store, and what holds already."""
    world = LadderWorld(["ada"], owners={"ada": "olga"})
    ada = world.join("ada", on=False, agent=agent)
    assert world.say(ada, line) == [wire.Ok(None, "merge")]
    assert [merge.here for merge in world.merges] == [here]
    world.lose(ada)
    olga = known(world.stage.connect(), "olga", token("olga"))
    olga.say(line)
    world.look()
    assert [merge.here for merge in world.merges] == [here, False]


def test_people_have_one_version() -> None:
    world = LadderWorld(["ada"], owners={"ada": "olga"})
    olga = known(world.stage.connect(), "olga", token("olga"))
    take(world, row("olga"))
    assert told(olga, "merge olga - two") == ["unavailable"]


def test_one_merge_at_a_time_and_its_answer_may_be_no() -> None:
    world = Slow(["ada"])
    ada = with_versions(world)
    assert not world.say(ada, "merge ada one two tag=1")
    (second,) = world.say(ada, "merge ada - two tag=2")
    assert isinstance(second, wire.Error) and second.tag == "2"
    (request,) = world.asked
    world.stage.server.answer(MergeRefused(request.id, "one counts for two already."), world.stage.now)
    world.stage.run()
    world.look()
    error = ada.heard[-1]
    assert isinstance(error, wire.Error) and error.tag == "1" and error.text == "one counts for two already."
    assert not world.say(ada, "merge ada - two tag=3") and len(world.asked) == 2


def test_who_has_left_before_the_answer_is_told_nothing() -> None:
    world = Slow(["ada"])
    ada = with_versions(world)
    world.say(ada, "merge ada one two")
    world.lose(ada)
    (request,) = world.asked
    world.stage.server.answer(MergeRefused(request.id, "it cannot be."), world.stage.now)
    world.log_in(ada)
    assert not world.say(ada, "merge ada one two") and not [x for x in ada.heard if isinstance(x, wire.Error)]


def test_a_merge_waits_for_no_game() -> None:
    """A bot goes on playing while its merge is being stored."""
    world = Slow(["ada", "bob"])
    ada = with_versions(world)
    world.join("bob")
    world.say(ada, "ladder on")
    world.say(ada, "merge ada one two")
    world.play(30)
    assert ada.overs
