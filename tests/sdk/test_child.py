"""A plugin's process does its work: hello, many games, batches, and a bot that prints or reads."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from random import Random

import pytest

from tests.sdk.peer import (
    GOOD_BOT,
    GREETING,
    PATIENCE,
    ROOT,
    Peer,
    ask,
    command,
    environment,
    start,
    write_bot,
)
from tyrusd.rules.deal import deal_from_bytes, game_secret, seat_seed
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import BUILDING_NAMED, TILE_NAMED, Building, Side
from tyrusd.wire import Bye, Codec, Connection, Hello, Notice, Over, Ping, Place, Pong, Role, Welcome


def dealt(number: int) -> Game:
    return Game(deal_from_bytes(game_secret("child", number)))


def test_it_answers_the_greeting_with_a_bots_hello(tmp_path: Path) -> None:
    options = ("--name", "fred", "--agent", "fred/1.2")
    with Peer(write_bot(tmp_path), tmp_path, options=options) as peer:
        assert peer.greet() == Hello("0.1", "fred", "bot", agent="fred/1.2", games=64)


def test_it_plays_interleaved_games_to_their_ends() -> None:
    games = [dealt(number) for number in range(6)]
    sides = [Side(number % 2) for number in range(6)]
    chance = Random("the other seats")
    with Peer("tyrusd_bundled.random_bot") as peer:
        peer.greet()
        peer.send(Welcome("tried", "bot", "s" * 32, 64))
        for number, side in enumerate(sides):
            peer.send(start(f"g{number}", side, seat_seed(game_secret("child", number), side)))
        while running := [number for number, game in enumerate(games) if game.outcome is None]:
            chance.shuffle(running)
            for number in running:
                while games[number].to_move == sides[number].other:
                    other = sides[number].other
                    games[number].place(other, chance.choice(games[number].hand(other)), Building.IC)
            due = [number for number in running if games[number].outcome is None]
            if due:
                peer.send(*[ask(f"g{number}", games[number], sides[number]) for number in due])
            answers = peer.places(len(due))
            assert [answer.game for answer in answers] == [f"g{number}" for number in due]
            for number, answer in zip(due, answers, strict=True):
                assert answer.request == games[number].placed_count + 1
                place = TILE_NAMED[answer.tile], BUILDING_NAMED[answer.building]
                games[number].place(sides[number], *place)
        peer.send(*[Over(f"g{number}", 99, "-", "drawn") for number in range(6)], Bye("bye", "all played"))
        assert peer.end() == (0, "", "")


def test_twenty_requests_that_wait_are_one_call_and_one_write(tmp_path: Path) -> None:
    source = GOOD_BOT.replace(
        "def tyrusd_choose(requests):", "def tyrusd_choose(requests):\n    print(len(requests), 'at once')"
    )
    games = {f"g{number}": dealt(number) for number in range(20)}
    with Peer(write_bot(tmp_path, source), tmp_path) as peer:
        peer.greet()
        peer.send(*[start(name, game.opener_now) for name, game in games.items()])
        peer.send(Ping("ready"))
        assert peer.receive(1) == [Pong("ready")]
        peer.reads = 0
        peer.send(*[ask(name, game, game.opener_now) for name, game in games.items()])
        assert [answer.game for answer in peer.places(20)] == list(games)
        assert peer.reads == 1
        peer.close()
        assert peer.end() == (0, "", "20 at once\n")


def test_requests_carry_what_the_messages_said(tmp_path: Path) -> None:
    source = GOOD_BOT.replace(
        "def choose(request):",
        "def choose(request):\n    print(request._replace(view=None), *request.view.hand)",
    )
    game = dealt(1)
    with Peer(write_bot(tmp_path, source), tmp_path) as peer:
        peer.greet()
        peer.send(start("g7", game.opener_now, "ab" * 16), ask("g7", game, game.opener_now))
        assert peer.places(1) == [Place("g7", 1, str(game.hand(game.opener_now)[0]), "IC")]
        peer.close()
        _, _, log = peer.end()
    seed = "ab" * 16
    assert log == (
        "Request(game='g7', number=1, left_ms=5000, time_ms=60000, enemy_time_ms=None, view=None, "
        f"seed='{seed}', enemy='enemy') {' '.join(map(str, game.hand(game.opener_now)))}\n"
    )


def test_what_the_bot_prints_and_reads_never_touches_the_pipe(tmp_path: Path) -> None:
    source = GOOD_BOT + (
        "import os, sys\n"
        "print('imported', repr(sys.stdin.read()))\n"
        "os.write(1, b'raw\\n')\n"
        "opened = [fd for fd in range(3, 64) if os.path.exists(f'/proc/self/fd/{fd}')]\n"
        "inherited = [fd for fd in opened if os.get_inheritable(fd)]\n"
        "print('inherited', inherited)\n"
    )
    with Peer(write_bot(tmp_path, source), tmp_path) as peer:
        assert peer.greet().name == "tried"
        peer.close()
        assert peer.end() == (0, "", "imported ''\nraw\ninherited []\n")


def test_standard_input_and_output_can_be_the_pipe(tmp_path: Path) -> None:
    server = Connection(Role.SERVER, Codec.FRAME)
    module = write_bot(tmp_path, GOOD_BOT + "import sys\nprint('bot reads', repr(sys.stdin.read()))\n")
    done = subprocess.run(
        command(module, "--read-fd", "0", "--write-fd", "1", "--name", "fred"),
        input=server.encode(GREETING),
        env=environment(ROOT, tmp_path),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert server.receive(done.stdout) == [Hello("0.1", "fred", "bot", games=64)]
    assert (done.returncode, done.stderr) == (0, b"bot reads ''\n")


def test_pings_and_news_need_no_game(tmp_path: Path) -> None:
    with Peer(write_bot(tmp_path), tmp_path) as peer:
        peer.greet()
        peer.send(Notice("shutdown", "soon", 1000), Ping("a1"), Ping("a2"))
        assert peer.receive(2) == [Pong("a1"), Pong("a2")]


def test_a_game_that_is_over_is_not_asked_about_and_harms_nothing(tmp_path: Path) -> None:
    over, running = dealt(1), dealt(2)
    with Peer(write_bot(tmp_path), tmp_path) as peer:
        peer.greet()
        peer.send(
            start("over", over.opener_now),
            start("runs", running.opener_now),
            ask("over", over, over.opener_now),
            ask("runs", running, running.opener_now),
            Over("over", 3, "I", "resigned", "brown"),
        )
        assert [answer.game for answer in peer.places(1)] == ["runs"]
        # An answer that crosses the end of its game is the server's to drop; the child goes on.
        peer.send(Over("runs", 3, "I", "timeout", "brown"), start("next", over.opener_now))
        peer.send(ask("next", over, over.opener_now))
        assert [answer.game for answer in peer.places(1)] == ["next"]


def test_a_request_split_at_every_byte_is_answered_once(tmp_path: Path) -> None:
    game = dealt(3)
    with Peer(write_bot(tmp_path), tmp_path) as peer:
        peer.greet()
        messages = start("g1", game.opener_now), ask("g1", game, game.opener_now)
        for byte in b"".join([peer.connection.encode(message) for message in messages]):
            peer.send_bytes(bytes([byte]))
        assert [answer.request for answer in peer.places(1)] == [1]
        peer.send(Ping("more"))
        assert peer.receive(1) == [Pong("more")]


@pytest.mark.parametrize("last", ["end of stream", "bye"])
def test_it_leaves_when_the_server_does(tmp_path: Path, last: str) -> None:
    source = GOOD_BOT + "import threading\nthreading.Thread(target=threading.Event().wait).start()\n"
    with Peer(write_bot(tmp_path, source), tmp_path) as peer:
        peer.greet()
        if last == "bye":
            peer.send(Bye("shutdown", "the server ends"))
        else:
            peer.close()
        # Even a thread of the bot that waits for ever does not hold it.
        assert peer.end() == (0, "", "")


def test_a_server_that_is_gone_is_no_fault(tmp_path: Path) -> None:
    game = dealt(4)
    with Peer(write_bot(tmp_path), tmp_path) as peer:
        peer.greet()
        hole = os.open(os.devnull, os.O_RDONLY)
        os.dup2(hole, peer.read_fd)
        os.close(hole)
        peer.send(start("g1", game.opener_now), ask("g1", game, game.opener_now))
        assert peer.end() == (0, "", "")


def test_the_same_seed_gives_the_same_answers() -> None:
    def answers(seed: str) -> list[Place]:
        games = [dealt(number) for number in range(8)]
        with Peer("tyrusd_bundled.random_bot") as peer:
            peer.greet()
            peer.send(*[start(f"g{number}", game.opener_now, seed) for number, game in enumerate(games)])
            peer.send(*[ask(f"g{number}", game, game.opener_now) for number, game in enumerate(games)])
            return peer.places(8)

    assert answers("aa" * 16) == answers("aa" * 16) != answers("bb" * 16)


def test_a_child_loads_nothing_heavy() -> None:
    source = (
        "import sys; from tyrusd.sdk import child, talk, loading; loading.load('tyrusd_bundled.random_bot')\n"
        "bulk = {'trio', 'asyncio', 'socket', 'subprocess', 'logging', 'ssl', 'importlib.metadata'}\n"
        "print(sorted(bulk & set(sys.modules)))"
    )
    done = subprocess.run(
        [*command("x")[:2], "-c", source],
        env=environment(ROOT, ROOT / "plugins"),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.stdout, done.stderr) == (b"[]\n", b"")
