"""A real server is killed in the middle of real games and started again: players resume and finish them."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

from tests.host.daemons import Daemon, Peer, lines_with, login, run, running

SERVE = ("serve", "--port", "0", "--host", "127.0.0.1")


@contextmanager
def server(data: Path, *more: str) -> Iterator[tuple[Daemon, tuple[str, int]]]:
    with running(*SERVE, "--data", str(data), *more) as daemon:
        yield daemon, daemon.addresses()[0]


@contextmanager
def peers(address: tuple[str, int], count: int) -> Iterator[list[Peer]]:
    """So many connections; they are closed when the block is left."""
    with ExitStack() as stack:
        yield [stack.enter_context(Peer(address)) for _ in range(count)]


def secret(peer: Peer, name: str, kind: str) -> str:
    peer.until("greeting")
    peer.say(f"hello 0.1 {name} {kind}")
    welcome = peer.until("welcome", "error")
    return next(word for word in welcome.split() if word.startswith("secret=")).removeprefix("secret=")


def place_first(peer: Peer) -> bool:
    """Answer the next request with the first tile in the hand; False when the game is over."""
    line = peer.until("choose", "over")
    if line.startswith("over"):
        return False
    _, game, request, *rest = line.split()
    hand = next(word for word in rest if word.startswith("hand=")).removeprefix("hand=").split(",")
    peer.say(f"place {game} {request} {hand[0]} IC")
    return True


def come_back(peer: Peer, word: str) -> None:
    peer.until("greeting")
    peer.say(f"resume {word}")
    assert peer.until("welcome", "error").startswith("welcome")


def test_two_bots_finish_their_game_after_a_kill(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with server(data) as (daemon, address), peers(address, 2) as (ada, bob):
        words = [secret(ada, "ada", "bot"), secret(bob, "bob", "bot")]
        ada.say("seek side=I")
        ada.until("start", "ok")
        bob.say("play ada")
        opener = "opener=I" in bob.until("start")
        mover, other = (ada, bob) if opener else (bob, ada)
        for peer in (mover, other, mover, other, mover):
            assert place_first(peer)
        other.until("choose")
        daemon.signal(signal.SIGKILL)
        daemon.end()
    with server(data) as (daemon, address), peers(address, 2) as both:
        for peer, word in zip(both, words, strict=True):
            come_back(peer, word)
        boards = [peer.until("snapshot").split("board=")[1].split()[0] for peer in both]
        assert [board.count(",") for board in boards] == [4, 4]
        players = [Thread(target=play_out, args=(peer,)) for peer in both]
        for player in players:
            player.start()
        for player in players:
            player.join(30)
            assert not player.is_alive()
        daemon.signal(signal.SIGTERM)
        code, _, errors = daemon.end()
        assert code == 0 and lines_with(errors, "games that go on: g1")
    exported = run("export", "--json", str(data / "journal.tyrus"))
    (game,) = map(json.loads, exported.stdout.splitlines())
    assert game["reason"] not in ("aborted", "void", "timeout", "disconnected")


def play_out(peer: Peer) -> None:
    while place_first(peer):
        pass


def test_a_game_against_a_bot_of_the_server_goes_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with server(data, "--bot", "rob=plugin:greedy") as (daemon, address), peers(address, 1) as (ada,):
        word = secret(ada, "ada", "human")
        ada.say("play rob side=I")
        for _ in range(4):
            assert place_first(ada)
        ada.until("choose")
        daemon.signal(signal.SIGKILL)
        daemon.end()
    with server(data, "--bot", "rob=plugin:greedy") as (daemon, address), peers(address, 1) as (ada,):
        come_back(ada, word)
        assert ada.until("start").split()[4] == "rob"
        play_out(ada)
        with login(address, "late") as late:
            late.say("play rob")
            late.until("start")


def test_without_its_bot_the_game_has_no_result(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with server(data, "--bot", "rob=plugin:greedy") as (daemon, address), peers(address, 1) as (ada,):
        word = secret(ada, "ada", "human")
        ada.say("play rob")
        ada.until("choose")
        daemon.signal(signal.SIGKILL)
        daemon.end()
    with server(data) as (daemon, address), peers(address, 1) as (ada,):
        ada.until("greeting")
        ada.say(f"resume {word}")
        assert ada.until("welcome", "error").startswith("error auth")
        daemon.signal(signal.SIGTERM)
        _, _, errors = daemon.end()
        assert lines_with(errors, "recorded as aborted: g1")
