"""The sample bots are worth copying: they play by the rules, many games at once, and leave when told."""

from __future__ import annotations

import shutil
import socket
import subprocess
from functools import cache
from pathlib import Path
from random import Random

import pytest

from tests.clients.recipes import LANGUAGES, command, recipe
from tests.clients.samples import GREETING, choose, network, program, start
from tests.screen.games import place_one, played
from tests.tools import require_tool
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Building, Side, Tile
from tyrusd.wire import messages as wire
from tyrusd.wire.line import encode_line

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


@cache
def positions() -> list[Game]:
    """Games that somebody is to move in, at any stage."""
    games = [played(number, number % 54) for number in range(160)]
    return [game for game in games if game.to_move is not None]


@cache
def decisions(language: str) -> list[tuple[Tile, Building]]:
    """What a sample does in each of the positions."""
    made = []
    with program(language) as talk:
        for game in positions():
            talk.ask("g1", game)
            made.append(talk.placed()[2:])
    return made


def test_the_first_language_both_votes_and_blocks() -> None:
    made = zip(positions(), decisions("python"), strict=True)
    assert len(positions()) > 100
    assert {building.side == game.to_move for game, (_, building) in made} == {True, False}


@each_language
def test_all_languages_decide_alike(language: str) -> None:
    assert decisions(language) == decisions("python")


@each_language
def test_it_finds_keys_by_name_in_any_order_among_others(language: str) -> None:
    with program(language) as talk:
        for game, decision in list(zip(positions(), decisions("python"), strict=True))[:20]:
            verb, name, request, *words = encode_line(choose("g1", game)).decode("ascii").split()
            others = ["mood=", "x-side=I", "x-kind=T", "x-hand=S10", "hand-x=S10", "a=b=c"]
            line = " ".join([verb, name, request, *others[:3], *reversed(words), *others[3:]])
            talk.send_bytes(line.encode("ascii") + b"\n")
            assert talk.placed()[2:] == decision


@each_language
def test_it_does_not_mind_how_lines_are_cut_on_their_way(language: str) -> None:
    with program(language) as talk:
        stream = b"".join(
            encode_line(choose(f"g{number}", game)) for number, game in enumerate(positions()[:8])
        )
        for at in range(0, len(stream), 97):
            talk.send_bytes(stream[at : at + 97])
        assert [talk.placed()[2:] for _ in range(8)] == decisions("python")[:8]


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
def test_it_tells_errors_on_its_standard_error_and_nothing_else(language: str) -> None:
    error = wire.Error("illegal", "retry", "You do not hold S10 – place it later.", game="g1", request=1)
    with program(language, subprocess.PIPE) as talk:
        talk.send(error, wire.Bye("bye", "All games are played."))
        assert talk.process.stderr is not None
        assert talk.process.stderr.read() == encode_line(error)
        assert talk.process.wait(60) == 0


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


@each_language
@pytest.mark.parametrize("host", ["localhost", "::1"])
def test_it_takes_a_name_or_a_longer_address_for_a_host(language: str, host: str) -> None:
    if host == "::1" and not _has_longer_addresses():
        pytest.skip("this machine has no IPv6 loopback address")
    with network(language, "deep", "k3y", host=host) as talk:
        assert isinstance(talk.hear(), wire.Hello)
        talk.send(wire.Bye("bye", "All games are played."))
        assert talk.process.wait(60) == 0


def _has_longer_addresses() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


def test_the_shell_sample_runs_in_every_shell_that_is_here() -> None:
    shells = [[path] for path in map(shutil.which, ("sh", "dash", "bash", "ksh", "mksh")) if path is not None]
    busybox = shutil.which("busybox")
    if busybox is not None:
        shells.append([busybox, "sh"])
    assert shells
    asked = [GREETING, *(choose("g1", game) for game in positions()[:20])]
    for words in shells:
        done = subprocess.run(
            [*words, str(recipe("shell").source)],
            input=b"".join(map(encode_line, asked)),
            capture_output=True,
            check=True,
            timeout=60,
        )
        placed = [line.split()[3:] for line in done.stdout.decode("ascii").splitlines()[1:]]
        assert placed == [[str(tile), building.name] for tile, building in decisions("python")[:20]], words
        assert done.stderr == b""


@each_language
def test_it_ends_when_the_connection_does(language: str) -> None:
    with network(language, "deep", "k3y") as talk:
        talk.hear()
        if language == "shell":
            return  # its nc waits for a minute; the next test has a shorter one
        talk.close()
        assert talk.process.wait(60) == 0


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
            connection.close()
            assert process.wait(60) == 0


@each_language
def test_it_says_so_when_nobody_is_there(language: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
    done = subprocess.run(
        [*command(language), "127.0.0.1", port, "deep"], capture_output=True, check=False, timeout=60
    )
    assert done.returncode != 0
    assert done.stdout == b""
    assert done.stderr != b""


@each_language
def test_a_sample_is_short(language: str) -> None:
    lines = recipe(language).source.read_text("utf-8").splitlines()
    assert len(lines) <= 80
    assert max(map(len, lines)) <= 120
