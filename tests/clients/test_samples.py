"""The sample bots are worth copying: they play by the rules, many games at once, and leave when told."""

from __future__ import annotations

from random import Random

import pytest

from tests.clients.samples import LANGUAGES, SAMPLES, choose, network, program, start
from tests.screen.games import place_one, played
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire

each_language = pytest.mark.parametrize("language", LANGUAGES)


def new_game(number: int) -> Game:
    return Game(deal_from_bytes(b"sample %d" % number))


@each_language
def test_it_plays_whole_games_as_a_program_and_beats_chance(language: str) -> None:
    wins = 0
    with program(language) as talk:
        for number in range(16):
            chance, game, side = Random(number), new_game(number), Side(number % 2)
            name = f"g{number}"
            talk.send(start(name, game, side))
            while game.outcome is None:
                if game.to_move is not side:
                    place_one(game, chance)
                    continue
                request = game.placed_count + 1
                talk.ask(name, game)
                answered, repeated, tile, building = talk.placed()
                assert (answered, repeated) == (name, request)
                game.place(side, tile, building)
            wins += game.outcome.winner is side
            talk.send(wire.Over(name, 100, "-", "drawn"))
        talk.send(wire.Bye("bye", "All games are played."))
        assert talk.rest() == b""
        assert talk.process.wait(60) == 0
    assert wins >= 13


@each_language
def test_it_answers_many_games_that_come_in_one_write(language: str) -> None:
    games = {f"g{number}": played(number, 2 * number) for number in range(16)}
    with program(language) as talk:
        talk.send(*[choose(name, game) for name, game in games.items()])
        for name, game in games.items():
            answered, request, tile, building = talk.placed()
            side = game.to_move
            assert side is not None
            assert (answered, request) == (name, game.placed_count + 1)
            assert game.can(side, tile, building)


def test_all_languages_decide_alike() -> None:
    games = [played(number, number % 54) for number in range(160)]
    open_games = [game for game in games if game.to_move is not None]
    decisions = []
    for language in LANGUAGES:
        with program(language) as talk:
            made = []
            for game in open_games:
                talk.ask("g1", game)
                made.append(talk.placed()[2:])
            decisions.append(made)
    assert len(open_games) > 100
    assert decisions[0] == decisions[1] == decisions[2]
    kinds = {
        (building.side == game.to_move) for game, (_, building) in zip(open_games, decisions[0], strict=True)
    }
    assert kinds == {True, False}, "it both votes and blocks"


@each_language
def test_it_answers_pings_and_passes_over_what_it_does_not_know(language: str) -> None:
    with program(language) as talk:
        talk.send_bytes(b"weather g1 sunny mood=good :it is warm\n")
        talk.send(
            wire.Notice("shutdown", "Soon.", 30_000),
            wire.Error("stale", "ignored", "Too late.", game="g1", request=1),
            wire.Away("g1", "B", 60_000),
            wire.Ping("w0rd"),
        )
        assert talk.hear() == wire.Pong("w0rd")


@each_language
@pytest.mark.parametrize("goodbye", [True, False])
def test_it_ends_at_a_goodbye_and_at_the_end_of_its_input(language: str, goodbye: bool) -> None:
    with program(language) as talk:
        if goodbye:
            talk.send(wire.Bye("shutdown", "The server closes."))
        else:
            talk.close()
        assert talk.process.wait(60) == 0


@each_language
def test_it_takes_a_seat_over_the_network_with_a_key(language: str) -> None:
    with network(language, "deep", "k3y") as talk:
        hello = talk.hear()
        assert isinstance(hello, wire.Hello)
        assert (hello.name, hello.kind, hello.key) == ("deep", "bot", "k3y")
        talk.send(wire.Welcome("deep", "bot", "secret", hello.games))
        game = new_game(1)
        assert game.to_move is not None
        talk.send(start("g1", game, game.to_move))
        talk.ask("g1", game)
        name, request, tile, building = talk.placed()
        assert (name, request) == ("g1", 1)
        assert game.can(game.to_move, tile, building)
        talk.send(wire.Over("g1", 2, "I", "resigned"), wire.Ping("x"))
        assert talk.hear() == wire.Pong("x"), "in a match it waits for the next game"
        talk.send(wire.Bye("bye", "All games are played."))
        assert talk.process.wait(60) == 0


@each_language
def test_it_seeks_one_game_in_a_lobby_without_a_key(language: str) -> None:
    with network(language, "deep") as talk:
        hello = talk.hear()
        assert isinstance(hello, wire.Hello)
        assert (hello.name, hello.kind, hello.key, hello.games) == ("deep", "bot", None, 1)
        talk.send(wire.Welcome("deep", "bot", "secret", 1))
        assert talk.hear() == wire.Seek()
        talk.send(wire.Over("g0", 99, "-", "drawn", next="g1"), wire.Ping("x"))
        assert talk.hear() == wire.Pong("x"), "a drawn game is followed by another one"
        talk.send(
            wire.Ok(re="seek"), start("g1", new_game(1), Side.IVORY), wire.Over("g1", 2, "I", "resigned")
        )
        assert talk.hear() == wire.Quit()
        talk.send(wire.Bye("bye", "Good-bye."))
        assert talk.process.wait(60) == 0


def test_the_samples_are_short() -> None:
    for language, name in (("python", "bot.py"), ("c", "bot.c"), ("javascript", "bot.js")):
        assert len((SAMPLES / language / name).read_text("utf-8").splitlines()) <= 75
