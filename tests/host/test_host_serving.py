"""The real `tyrusd serve` as a process: start, play, signals, locks."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.daemons import ROOT, Daemon, Peer, lines_with, login, run, running, wait_until
from tests.host.test_host_children import alive, children_of
from tyrusd.host.journal import JOURNAL
from tyrusd.league.record import whole_frames

HOUSE = "sample"
SAMPLE = ("--bot", f"{HOUSE}=exec:python3 clients/samples/python/bot.py")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def daemon(data: Path) -> Iterator[Daemon]:
    with running("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data), *SAMPLE) as found:
        yield found


def test_it_says_where_it_listens_and_how_to_join(data: Path) -> None:
    with running("serve", "--port", "0", "--data", str(data)) as daemon:
        addresses = daemon.addresses()
        port = addresses[0][1]
        assert addresses == [("127.0.0.1", port), ("::1", port)]
        assert daemon.printed[-1] == f"join with: tyrus 127.0.0.1:{port}  or: nc 127.0.0.1 {port}"
        for address in addresses:
            with Peer(address) as peer:
                assert peer.line().startswith("greeting 0.1 tyrusd/")
        assert stat.S_IMODE(data.stat().st_mode) == 0o700


def test_the_bundled_bots_and_those_asked_for_wait_in_the_lobby(data: Path) -> None:
    with running("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data), *SAMPLE) as daemon:
        [address] = daemon.addresses()
        with login(address, "visitor") as peer:
            peer.say("who tag=w")
            names = set()
            while not (line := peer.line()).startswith("ok"):
                names.add(line.split()[1])
            assert names == {"visitor", "cautious", "greedy", "random", "sample"}


@pytest.mark.parametrize("house", ["greedy", "sample"])
def test_a_game_with_a_house_bot_is_played_and_kept(data: Path, house: str) -> None:
    with running("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data), *SAMPLE) as daemon:
        [address] = daemon.addresses()
        with login(address, "visitor") as peer:
            peer.say(f"play {house}")
            play(peer)
        daemon.signal(signal.SIGTERM)
        code, _, _ = daemon.end()
        assert code == 0
    frames, tail = whole_frames((data / JOURNAL).read_bytes())
    assert tail is None
    kinds = [payload["kind"] for _, payload in frames if payload["kind"] != "placed"]
    assert kinds == ["opened", "player", "game"]


def play(peer: Peer, moves: int = 999) -> str:
    """Place the first tile wherever allowed until the game is over, or so many times."""
    while True:
        line = peer.until("choose", "over")
        if line.startswith("over"):
            return line
        words = line.split()
        hand = next(word for word in words if word.startswith("hand="))[5:].split(",")
        if moves == 0:
            return line
        moves -= 1
        peer.say(f"place {words[1]} {words[2]} {hand[0]} IC")


def test_row_54_term_without_games_ends_at_once_with_exit_code_0(daemon: Daemon) -> None:
    [address] = daemon.addresses()
    with Peer(address) as peer:
        peer.until("greeting")
        began = time.monotonic()
        daemon.signal(signal.SIGTERM)
        assert [line.split()[0:2] for line in peer.rest()] == [["notice", "shutdown"], ["bye", "shutdown"]]
    assert daemon.end()[0] == 0
    assert time.monotonic() - began < 5


def test_row_54_signals_up_to_the_last_moment_change_nothing(daemon: Daemon) -> None:
    daemon.addresses()
    while daemon.process.poll() is None:
        daemon.signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            daemon.process.wait(0.002)
    assert daemon.end()[0] == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_row_54_running_games_may_end_after_the_first_signal(
    daemon: Daemon, data: Path, number: signal.Signals
) -> None:
    [address] = daemon.addresses()
    with login(address, "visitor") as peer:
        peer.say(f"play {HOUSE}")
        play(peer, 3)
        daemon.signal(number)
        assert peer.until("notice").startswith("notice shutdown in=30000 :")
        with Peer(address) as late:
            late.say("hello 0.1 latecomer human")
            assert late.rest()[-1].startswith("bye shutdown")
        peer.say("look g1")
        over = play(peer)
        assert " aborted" not in over
        assert peer.rest()[-1].startswith("bye shutdown")
    code, _, log = daemon.end()
    assert code == 0
    assert f"{number.name}: waiting for 1 game, at most 30 s; a second signal ends at once" in log


def test_row_54_a_player_whose_connection_drops_while_the_server_closes_comes_back(daemon: Daemon) -> None:
    [address] = daemon.addresses()
    with Peer(address) as peer, login(address, "other") as other:
        peer.say("hello 0.1 visitor bot")
        secret = peer.until("welcome").split("secret=")[1].split(" ")[0]
        peer.say(f"play {HOUSE}")
        play(peer, 3)
        daemon.signal(signal.SIGTERM)
        other.until("notice")
    with Peer(address) as again:
        again.say(f"resume {secret}")
        again.until("start")
        again.say("resign g1")
        assert " resigned " in again.until("over")
        assert again.rest()[-1].startswith("bye shutdown")
    with pytest.raises(ConnectionRefusedError):
        wait_until(lambda: Peer(address).close(), 5)
    assert daemon.end()[0] == 0


def test_row_54_a_second_signal_aborts_running_games_and_keeps_that(daemon: Daemon, data: Path) -> None:
    [address] = daemon.addresses()
    with login(address, "visitor") as peer:
        peer.say(f"play {HOUSE}")
        play(peer, 3)
        daemon.signal(signal.SIGTERM)
        peer.until("notice")
        daemon.signal(signal.SIGTERM)
        began = time.monotonic()
        assert peer.until("over").split()[4] == "aborted"
        assert peer.rest()[-1].startswith("bye shutdown")
    code, _, log = daemon.end()
    assert code == 0 and "SIGTERM: ending at once" in log
    assert time.monotonic() - began < 5
    frames, _ = whole_frames((data / JOURNAL).read_bytes())
    assert frames[-1][1]["game"]["reason"] == "aborted"


def test_row_55_hup_without_a_configuration_changes_nothing(daemon: Daemon) -> None:
    [address] = daemon.addresses()
    with login(address, "visitor") as peer:
        peer.say(f"play {HOUSE}")
        play(peer, 3)
        for _ in range(3):
            daemon.signal(signal.SIGHUP)
        peer.say("ping still-there")
        assert peer.until("pong") == "pong still-there"
        peer.say("look g1")
        over = play(peer)
        assert over.startswith("over g1 ") and " aborted" not in over
    daemon.signal(signal.SIGTERM)
    code, _, err = daemon.end()
    assert code == 0
    assert 1 <= len(lines_with(err, "configuration reloaded: nothing to change")) <= 3


def test_row_52_a_second_daemon_on_the_port_says_so_and_what_to_do(daemon: Daemon, tmp_path: Path) -> None:
    [(_, port)] = daemon.addresses()
    second = run("serve", "--host", "127.0.0.1", "--port", str(port), "--data", str(tmp_path / "other"))
    assert second.returncode == 1
    assert f"port {port} on 127.0.0.1 is in use" in second.stderr
    assert "--port" in second.stderr
    assert second.stdout == ""


def test_row_52_a_second_daemon_on_the_directory_names_the_first(daemon: Daemon, data: Path) -> None:
    daemon.addresses()
    second = run("serve", "--host", "127.0.0.1", "--port", "0", "--data", str(data))
    assert second.returncode == 1
    assert f"another tyrusd (process {daemon.process.pid}) uses {data}" in second.stderr
    assert second.stdout == ""


def test_f049_a_restart_binds_at_once_after_open_connections(daemon: Daemon, data: Path) -> None:
    """python-trio/trio#39: after a stop the port could not be bound for a while, or two servers had it."""
    [address] = daemon.addresses()
    peers = [Peer(address) for _ in range(50)]
    for peer in peers:
        peer.until("greeting")
    daemon.signal(signal.SIGTERM)
    daemon.end()
    port = str(address[1])
    with running("serve", "--host", "127.0.0.1", "--port", port, "--data", str(data)) as again:
        assert again.addresses() == [address]
    for peer in peers:
        peer.close()


def test_f008_after_kill_9_no_bot_is_left_and_its_game_is_there_for_the_next_server(
    daemon: Daemon, data: Path
) -> None:
    """Disservin/fastchess#94: of a manager that was killed the engines stayed."""
    [address] = daemon.addresses()
    with login(address, "visitor") as peer:
        peer.say(f"play {HOUSE}")
        play(peer, 3)
        keepers = [int(process) for process in children_of(daemon.process.pid)]
        bots = [int(process) for keeper in keepers for process in children_of(keeper)]
        assert len(bots) == 1
        assert all(map(alive, keepers + bots))  # control
        daemon.process.kill()
        wait_until(lambda: not any(map(alive, keepers + bots)), 5)
    with running("serve", "--host", "127.0.0.1", "--port", "0", "--data", str(data), *SAMPLE) as again:
        [address] = again.addresses()
        frames, _ = whole_frames((data / JOURNAL).read_bytes())
        kinds = [payload["kind"] for _, payload in frames]
        assert kinds[:2] == ["opened", "player"] and set(kinds[2:]) == {"placed"}
        # Its id is not used again: the journal stays free of contradictions.
        with login(address, "newcomer") as one, login(address, "another") as two:
            one.say("seek")
            two.say("seek")
            assert two.until("start").split()[1] == "g2"
            again.signal(signal.SIGTERM)
            two.until("notice")
            again.signal(signal.SIGTERM)
            two.rest()
        assert "games that go on: g1" in again.end()[2]


def test_row_51_a_damaged_journal_is_refused_with_path_and_offset(data: Path) -> None:
    data.mkdir(mode=0o700)
    (data / JOURNAL).write_bytes(b"not a journal")
    found = run("serve", "--host", "127.0.0.1", "--port", "0", "--data", str(data))
    assert found.returncode == 1
    assert f"{data / JOURNAL}: bad record at byte 0" in found.stderr
    assert "Traceback" not in found.stderr
    assert (data / JOURNAL).read_bytes() == b"not a journal"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_d4_an_address_that_others_reach_needs_an_explicit_word(data: Path, host: str) -> None:
    found = run("serve", "--host", host, "--port", "0", "--data", str(data))
    assert found.returncode == 2
    assert "--allow-plaintext" in found.stderr
    assert "not encrypted" in found.stderr
    assert not data.exists()


def test_d4_control_with_that_word_it_listens(data: Path) -> None:
    words = ("--host", "0.0.0.0", "--allow-plaintext", "--port", "0", "--data", str(data))
    with running("serve", *words) as daemon:
        [(host, port)] = daemon.addresses()
        assert host == "0.0.0.0"
        with Peer(("127.0.0.1", port)) as peer:
            peer.until("greeting")


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        (["x=plugin:nosuch"], "no plugin 'nosuch'; installed are: "),
        (["x=exec:./nosuch"], "'./nosuch' was not found"),
        (["x=tcp:alice"], "a bot of the lobby is plugin: or exec:"),
        (["nonsense"], "not NAME=SEAT"),
        (["x y=plugin:random"], "not NAME=SEAT"),
        (["x=nonsense"], "is not a seat"),
        (["x=plugin:random", "X=plugin:greedy"], "is given twice"),
    ],
)
def test_row_57_a_bot_that_cannot_be_is_refused_before_anything_is_opened(
    data: Path, bots: list[str], sentence: str
) -> None:
    found = run(
        "serve", "--port", "0", "--data", str(data), *(word for bot in bots for word in ("--bot", bot))
    )
    assert found.returncode == 2
    assert sentence in found.stderr
    assert not data.exists()


def test_d3_the_memory_of_the_daemon_is_closed_to_other_processes_of_the_user(daemon: Daemon) -> None:
    daemon.addresses()
    if os.geteuid() == 0:
        pytest.skip("root reads any memory; run the tests as another user")
    with pytest.raises(PermissionError):
        Path(f"/proc/{daemon.process.pid}/environ").read_bytes()
    Path(f"/proc/{os.getpid()}/environ").read_bytes()  # control


def test_d3_the_daemon_asks_the_system_for_that() -> None:
    code = (
        "import ctypes; from tyrusd.host.daemon import hide_memory\n"
        "get = lambda: ctypes.CDLL(None).prctl(3)\n"
        "before = get(); hide_memory(); print(before, get())"
    )
    words = [sys.executable, "-c", code]
    assert subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT).stdout == "1 0\n"


def test_row_36_a_house_bot_that_cannot_start_is_told_to_who_asked(data: Path) -> None:
    bot = "--bot", "broken=exec:sh -c 'echo sorry >&2; exit 3'"
    with running("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data), *bot) as daemon:
        [address] = daemon.addresses()
        with login(address, "visitor") as peer:
            peer.say("play broken")
            line = peer.until("error")
            assert line.startswith("error unavailable ")
            assert "exit status 3" in line
            assert "sorry" in line
            peer.say("ping fine")
            assert peer.until("pong") == "pong fine"


def test_row_35_a_house_bot_that_dies_loses_and_the_server_goes_on(data: Path) -> None:
    code = "read a; echo hello 0.1 dies bot; while read verb a; do [ $verb = choose ] && kill -SEGV $$; done"
    bot = "--bot", f'dies=exec:sh -c "{code}"'
    with running("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data), *bot) as daemon:
        [address] = daemon.addresses()
        with login(address, "visitor") as peer:
            peer.say("play dies side=B")
            over = play(peer)
            assert over.split()[3:5] == ["B", "crashed"]
            peer.say("play dies side=B")
            assert peer.until("start").split()[1] == "g2"


def processor(daemon: Daemon) -> float:
    """Seconds of processor time that a daemon has used."""
    words = Path(f"/proc/{daemon.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def test_row_24_f045_many_connections_over_a_small_limit_of_files(data: Path) -> None:
    """krylosov-aa/pg-status#32, joyent/libuv#690: without descriptors, accepting span and filled the log."""
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data))
    with running(*words, files=40) as daemon:
        [address] = daemon.addresses()
        first, second = login(address, "first", "human"), login(address, "second", "human")
        for peer in (first, second):
            peer.say("seek clock=none cap=none")
        game = second.until("start").split()[1]
        crowd = [socket.create_connection(address, timeout=20) for _ in range(200)]
        told = [each.recv(200).split(b" ")[0:2] for each in crowd]
        busy = sum(words == [b"bye", b"busy"] for words in told)
        assert 150 < busy < 200
        assert all(words[0] in (b"bye", b"greeting") for words in told)
        waiting = [socket.create_connection(address, timeout=20) for _ in range(20)]
        before, began = processor(daemon), time.monotonic()
        time.sleep(0.6)
        assert processor(daemon) - before < 0.3 * (time.monotonic() - began)
        first.say(f"resign {game}")
        assert second.until("over").split()[4] == "resigned"
        for each in (*crowd, *waiting):
            each.close()

        def greeted() -> bool:
            with Peer(address) as peer:
                return peer.line().startswith("greeting")

        wait_until(greeted)  # it may not have seen yet that they are gone
        with login(address, "latecomer") as later:
            later.say("ping back")
            assert later.until("pong") == "pong back"
        for peer in (first, second):
            peer.close()
        daemon.signal(signal.SIGTERM)
        code, _, err = daemon.end()
        assert code == 0
        assert 1 <= len(lines_with(err, "no descriptors left")) <= 3
