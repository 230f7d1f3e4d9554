"""The sample bots are worth copying: they play by the rules, many games at once, and leave when told."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random

import pytest

from tests.clients.recipes import LANGUAGES, command, recipe
from tests.clients.samples import GREETING, PATIENCE, Talk, choose, listening, network, program, seat, start
from tests.screen.games import place_one, played
from tests.tools import require_tool
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire
from tyrusd.wire.line import encode_line

Way = Callable[[str], AbstractContextManager[Talk]]

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
        assert talk.process.wait(PATIENCE) == 0
    assert wins >= 13


@each_language
@pytest.mark.parametrize("way", [program, seat])
def test_it_answers_many_games_that_come_in_one_write(language: str, way: Way) -> None:
    games = {f"g{number}": played(number, 2 * number) for number in range(16)}
    with way(language) as talk:
        talk.send(*[choose(name, game) for name, game in games.items()])
        for name, game in games.items():
            answered, request, tile, building = talk.placed()
            side = game.to_move
            assert side is not None
            assert (answered, request) == (name, game.placed_count + 1)
            assert game.can(side, tile, building)


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
        talk.send(wire.Ping("w" * 64))
        assert talk.hear() == wire.Pong("w" * 64), "the longest word there is"


@each_language
def test_it_tells_errors_on_its_standard_error_and_nothing_else(language: str) -> None:
    error = wire.Error("illegal", "retry", "You do not hold S10 – place it later.", game="g1", request=1)
    with program(language, subprocess.PIPE) as talk:
        talk.send(error, wire.Bye("bye", "All games are played."))
        assert talk.process.stderr is not None
        assert talk.process.stderr.read() == encode_line(error)
        assert talk.process.wait(PATIENCE) == 0


@each_language
@pytest.mark.parametrize("goodbye", [True, False])
def test_it_ends_at_a_goodbye_and_at_the_end_of_its_input(language: str, goodbye: bool) -> None:
    with program(language) as talk:
        if goodbye:
            talk.send(wire.Bye("shutdown", "The server closes."))
        else:
            talk.close()
        assert talk.process.wait(PATIENCE) == 0


@each_language
def test_it_takes_a_seat_over_the_network_with_a_key(language: str) -> None:
    with seat(language) as talk:
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
        assert talk.process.wait(PATIENCE) == 0


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
        assert talk.process.wait(PATIENCE) == 0


@each_language
@pytest.mark.parametrize("host", ["localhost", "::1"])
def test_it_takes_a_name_or_a_longer_address_for_a_host(language: str, host: str) -> None:
    try:
        socket.getaddrinfo(host, 1)
        listening(host).close()
    except OSError as why:
        pytest.skip(f"this machine does not know {host}: {why}")
    with network(language, "deep", "k3y", host=host) as talk:
        assert isinstance(talk.hear(), wire.Hello)
        talk.send(wire.Bye("bye", "All games are played."))
        assert talk.process.wait(PATIENCE) == 0


@each_language
def test_it_ends_when_the_connection_does(language: str) -> None:
    with seat(language) as talk:
        if language == "shell":
            return  # its nc waits for a minute; the next test has a shorter one
        talk.close()
        assert talk.process.wait(PATIENCE) == 0


def test_the_shell_does_not_wait_for_ever_for_a_server_that_has_gone(tmp_path: Path) -> None:
    require_tool("nc")
    script = recipe("shell").source.read_text("utf-8")
    hasty = tmp_path / "bot.sh"
    hasty.write_text(script.replace("nc -w 60 ", "nc -w 1 "), "utf-8")
    assert script.count("nc -w 60 ") == 1
    with socket.create_server(("127.0.0.1", 0)) as listener:
        words = ["sh", str(hasty), "127.0.0.1", str(listener.getsockname()[1]), "deep"]
        with subprocess.Popen(words, stderr=subprocess.PIPE) as process:
            connection, _ = listener.accept()
            connection.sendall(encode_line(GREETING))
            with connection.makefile("rb") as said:  # unread lines would make the close a reset
                assert said.readline().startswith(b"hello ") and said.readline() == b"seek\n"
            connection.close()
            assert process.wait(PATIENCE) == 0


@each_language
def test_it_says_so_when_nobody_is_there(language: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
    done = subprocess.run(
        [*command(language), "127.0.0.1", port, "deep"], capture_output=True, check=False, timeout=PATIENCE
    )
    assert done.returncode != 0
    assert done.stdout == b""
    assert done.stderr != b""


@each_language
def test_a_sample_is_short(language: str) -> None:
    lines = recipe(language).source.read_text("utf-8").splitlines()
    assert len(lines) <= 80
    assert max(map(len, lines)) <= 120
