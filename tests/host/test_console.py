"""The console of a real server: asked by its owner only, and safe from strange callers."""

from __future__ import annotations

import json
import signal
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_type_hints

import pytest
from click.testing import CliRunner

from tests.host.daemons import Daemon, Peer, lines_with, login, run, running, wait_until
from tyrusd.commands import main
from tyrusd.commands.admin_event import STEPS
from tyrusd.core.operator_words import Event
from tyrusd.host.console import DOOR, WATCHES
from tyrusd.host.local_socket import LONGEST, ask_door


class Place(NamedTuple):
    daemon: Daemon
    address: tuple[str, int]
    data: Path

    def admin(self, *words: str) -> Any:
        """Do a word that succeeds; what it told."""
        done = run("admin", *words, "--data", str(self.data), "--json")
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return json.loads(done.stdout)

    def refused(self, *words: str) -> str:
        done = run("admin", *words, "--data", str(self.data))
        assert (done.returncode, done.stdout) == (1, ""), done.stdout
        assert done.stderr.startswith("tyrusd: ") and done.stderr.count("\n") == 1
        return done.stderr.strip()

    def raw(self, data: bytes) -> Any:
        with socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(10)
            caller.connect(str(self.data / DOOR.file))
            caller.sendall(data)
            caller.shutdown(socket.SHUT_WR)
            return json.loads(caller.makefile("rb").readline())


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    data = tmp_path / "data"
    with running("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data)) as daemon:
        (address,) = daemon.addresses()
        yield Place(daemon, address, data)


def seated(place: Place) -> tuple[Peer, Peer, str]:
    ada, bob = (login(place.address, name, "human") for name in ("ada", "bob"))
    for peer in (ada, bob):
        peer.say("seek")
    return ada, bob, ada.until("start").split()[1]


def test_an_operator_runs_a_server(place: Place) -> None:
    assert stat.S_IMODE((place.data / DOOR.file).stat().st_mode) == 0o600
    ada, bob, game = seated(place)
    bob.until("start")
    status = place.admin("status")
    assert (status["pid"], status["games"], status["players"]) == (place.daemon.process.pid, 1, 2)
    listed = run("admin", "who", "--data", str(place.data)).stdout.splitlines()
    assert listed[0].split()[:4] == ["name", "kind", "state", "host"]
    assert listed[1].split()[:4] == ["ada", "human", "full", "127.0.0.1"]
    assert game in run("admin", "games", "--data", str(place.data)).stdout
    assert place.admin("announce", "Lunch", "at", "noon") == {"told": 2}
    assert ada.until("notice") == "notice announce :Lunch at noon"
    assert place.admin("abort", game) == {"game": game, "reason": "aborted"}
    assert "aborted detail=operator" in ada.until("over")
    assert place.refused("abort", game) == f"tyrusd: {game} is over already"
    place.admin("pause")
    ada.say("seek")
    assert ada.until("error").startswith("error unavailable")
    place.admin("resume")
    assert place.admin("kick", "ada")["kicked"] == "ada"
    assert ada.until("bye").startswith("bye kicked")
    assert place.admin("reload") == {"reloaded": True}
    ada.close()
    bob.close()
    place.daemon.signal(signal.SIGTERM)
    code, _, err = place.daemon.end()
    assert code == 0
    assert len(lines_with(err, "the operator says")) == 7  # what tells only is not logged
    assert not (place.data / DOOR.file).exists()
    assert "no server runs on" in place.refused("status")


def test_row_54_drain_ends_a_server_as_a_signal_does(place: Place) -> None:
    ada, bob, game = seated(place)
    assert place.admin("drain") == {"closing": True, "games": 1}
    assert ada.until("notice").startswith("notice shutdown in=30000")
    assert "closing already" in place.refused("drain")
    assert "closing" in place.refused("pause")
    ada.say(f"resign {game}")
    assert ada.until("bye").startswith("bye shutdown")
    ada.close()
    bob.close()
    assert place.daemon.end()[0] == 0


def test_an_idle_server_answers_before_it_is_gone(place: Place) -> None:
    assert place.admin("drain") == {"closing": True, "games": 0}
    assert place.daemon.end()[0] == 0


def test_a_game_is_watched_until_it_is_over(place: Place) -> None:
    ada, bob, game = seated(place)
    lines = ask_door(place.data, DOOR, b'{"do":"watch","game":"%s"}' % game.encode(), 10)
    assert next(lines) == {"ok": {"game": game}}
    assert next(lines)["line"].startswith(f"snapshot {game} ")
    ada.say(f"resign {game}")
    assert [line["line"].split()[0] for line in lines] == ["over"]
    assert "is over already" in place.refused("watch", game)
    ada.close()
    bob.close()


def test_watches_are_bounded_and_end_with_their_readers(place: Place) -> None:
    ada, bob, game = seated(place)
    request = b'{"do":"watch","game":"%s"}' % game.encode()
    watches = [ask_door(place.data, DOOR, request, 10) for _ in range(WATCHES)]
    for watch in watches:
        assert "ok" in next(watch)
    assert "watched here already" in place.refused("watch", game)
    assert place.admin("status")["games"] == 1
    for watch in watches:
        watch.close()
    wait_until(lambda: place.admin("games")["games"][0]["watchers"] == 0)
    ada.close()
    bob.close()


def test_f051_bans_outlive_the_server_in_one_spelling(place: Place) -> None:
    """brazilofmux/tinymux#800: by IPv6 a banned host had another name, and came in."""
    ada = login(place.address, "ada")
    told = place.admin("ban", "::ffff:127.0.0.1")
    assert told == {"banned": "127.0.0.1", "until": None, "ended": 1, "kept": True}
    assert ada.until("bye").startswith("bye kicked")
    place.admin("ban", "eve", "90")
    ada.close()
    place.daemon.process.kill()
    place.daemon.process.wait()
    assert stat.S_IMODE((place.data / "bans.json").stat().st_mode) == 0o600
    with running("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(place.data)) as again:
        (address,) = again.addresses()
        other = place._replace(daemon=again, address=address)
        with Peer(address) as peer:
            assert peer.line().startswith("bye kicked")
        assert [ban["who"] for ban in other.admin("bans")["bans"]] == ["127.0.0.1", "eve"]
        assert other.admin("unban", "127.0.0.1") == {"unbanned": "127.0.0.1", "kept": True}
        login(address, "ada").close()


@pytest.mark.parametrize(("typed", "gone", "there"), [
    ("127.0.0.1", ["127.0.0.1", "::ffff:127.0.0.1"], "::1"), ("::1", ["::1", "0:0::1"], "127.0.0.1"),
])  # fmt: skip
def test_f051_a_ban_holds_where_both_kinds_of_address_are_listened_on(
    tmp_path: Path, typed: str, gone: list[str], there: str
) -> None:
    """brazilofmux/tinymux#800: by IPv6 a banned host had another name, and came in."""
    data = tmp_path / "data"
    hosts = ("--host", "::", "--host", "0.0.0.0", "--allow-plaintext")
    with running("serve", "--port", "0", *hosts, "--data", str(data)) as daemon:
        addresses = daemon.addresses()
        ports = {port for _, port in addresses}
        assert len(addresses) == 2 and len(ports) == 1
        (port,) = ports
        for host in (*gone, there):
            with Peer((host, port)) as peer:
                assert peer.line().startswith("greeting ")  # control
        assert run("admin", "ban", typed, "--data", str(data)).returncode == 0
        for host in gone:
            with Peer((host, port)) as peer:
                assert peer.line().startswith("bye kicked "), host
        with Peer((there, port)) as peer:
            assert peer.line().startswith("greeting ")


def test_a_ban_that_cannot_be_kept_holds_and_says_so(place: Place) -> None:
    in_the_way = place.data / "bans.json.new"
    in_the_way.mkdir()
    assert place.admin("ban", "eve")["kept"] is False
    assert not (place.data / "bans.json").exists()
    with Peer(place.address) as peer:
        peer.say("hello 0.1 eve bot")
        assert peer.until("error").startswith("error auth")
    in_the_way.rmdir()
    assert place.admin("ban", "mallory", "5")["kept"] is True
    assert [ban["who"] for ban in json.loads((place.data / "bans.json").read_text())["bans"]] == [
        "eve",
        "mallory",
    ]
    place.daemon.signal(signal.SIGTERM)
    assert len(lines_with(place.daemon.end()[2], "bans hold only until the server ends")) == 1


def test_a_server_that_cannot_be_asked_serves_all_the_same(tmp_path: Path) -> None:
    (tmp_path / DOOR.file).mkdir()
    with running("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path)) as daemon:
        (address,) = daemon.addresses()
        login(address, "ada").close()
        daemon.signal(signal.SIGTERM)
        code, _, err = daemon.end()
    assert code == 0
    assert len(lines_with(err, "`tyrusd admin` cannot reach this server")) == 1


@pytest.mark.parametrize(
    ("content", "words"), [("{", "is damaged"), ('{"format":"tyrusd bans 9","bans":[]}', "'tyrusd bans 9'")]
)
def test_bans_that_cannot_be_read_are_left_as_they_are(tmp_path: Path, content: str, words: str) -> None:
    run("account", "add", "ada", "--data", str(tmp_path))
    (tmp_path / "bans.json").write_text(content)
    done = run("serve", "--port", "0", "--data", str(tmp_path))
    assert done.returncode == 1
    assert words in done.stderr and "nothing was changed" in done.stderr
    assert (tmp_path / "bans.json").read_text() == content


@pytest.mark.parametrize(
    "line",
    [b"", b"\n", b"who\n", b"\xff\n", b'{"do":"dance"}\n', b"GET / HTTP/1.1\r\n\r\n", b"x" * 5000 + b"\n"],
)
def test_what_is_no_request_is_answered_and_changes_nothing(place: Place, line: bytes) -> None:
    assert "request" in place.raw(line)["error"]
    assert place.raw(b'{"do":"status"}\n')["ok"]["connections"] == 0


@pytest.mark.parametrize(("more", "good"), [(-1, True), (0, True), (1, False)])
def test_limit_of_a_request(place: Place, more: int, good: bool) -> None:
    line = b'{"do":"status"' + b" " * (LONGEST - 15 + more) + b"}"
    assert len(line) == LONGEST + more
    assert ("ok" in place.raw(line + b"\n")) is good


def test_callers_that_say_nothing_stop_no_game(place: Place) -> None:
    silent = []
    for _ in range(40):
        caller = socket.socket(socket.AF_UNIX)
        caller.connect(str(place.data / DOOR.file))
        silent.append(caller)
    ada, bob, game = seated(place)
    ada.say(f"resign {game}")
    assert bob.until("over").startswith(f"over {game}")
    for caller in silent:
        caller.close()
    assert place.admin("status")["games"] == 0
    ada.close()
    bob.close()


def test_row_52_a_second_server_leaves_the_console_of_the_first(place: Place) -> None:
    done = run("serve", "--port", "0", "--data", str(place.data))
    assert done.returncode == 1 and f"process {place.daemon.process.pid}" in done.stderr
    assert place.admin("status")["pid"] == place.daemon.process.pid


def test_a_console_that_a_killed_server_left_is_replaced(place: Place) -> None:
    place.daemon.process.kill()
    place.daemon.process.wait()
    assert (place.data / DOOR.file).exists()
    assert "no server runs on" in place.refused("status")
    with running("serve", "--port", "0", "--data", str(place.data)) as again:
        again.addresses()
        assert place.admin("status")["pid"] == again.process.pid


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("abort",), "admin abort wants GAME"),
        (("who", "ada"), "admin who wants nothing behind it"),
        (("adjudicate", "g1", "X"), "admin adjudicate wants GAME I|B|draw"),
        (("ban", "ada", "-1"), "whole number of minutes"),
        (("ban", "ada", "0"), "admin ban wants HOST|NAME [MINUTES]"),
        (("announce",), "admin announce wants TEXT"),
        (("adjudicate", "g1", "Ivory"), "the winner is I, B or draw, not 'Ivory'"),
        (("ban", "eli", "0"), "a ban lasts a whole number of minutes, 1 to "),
        (("ban", "eli", "-5"), "a ban lasts a whole number of minutes, not '-5'"),
        (("announce", "x" * 251), "an announcement has 1 to 250 letters, not 'xxx"),
        (("kick", "x" * 65), "the name has 1 to 64 letters, not 'xxx"),
        (("event", "opn"), "there is no step 'opn'; there are open, close, start, pause, go-on, drop, "),
        (("event",), "there is no step ''; there are open, "),
        (("event", "list", "x"), "event list wants nothing behind it"),
        (("event", "open", "cup"), "event open wants NAME KIND"),
        (("event", "drop", "cup"), "event drop wants NAME PLAYER"),
        (("event", "start", "cup", "rounds=3"), "only event open takes clock=, cap=, rounds=, variant="),
        (("event", "open", "cup", "swiss", "rounds=x"), "rounds= is a whole number, not 'x'"),
        (("event", "open", "x" * 65, "swiss"), "the name has 1 to 64 letters, not 'xxx"),
    ],
)
@pytest.mark.parametrize("dashes", [(), ("--",)])
def test_what_is_typed_wrongly_is_refused(
    words: tuple[str, ...], sentence: str, dashes: tuple[str, ...], tmp_path: Path
) -> None:
    done = CliRunner().invoke(main, ["admin", "--data", str(tmp_path), *dashes, *words])
    assert done.exit_code == 2
    assert sentence in done.stderr and "$." not in done.stderr and "Invalid" not in done.stderr


def test_an_option_that_is_not_there_is_still_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["admin", "--data", str(tmp_path), "announce", "--jsn", "hello"])
    assert done.exit_code == 2 and "No such option" in done.stderr


def test_a_step_of_an_event_is_one_that_the_server_knows() -> None:
    assert STEPS.keys() == set(get_args(get_type_hints(Event)["step"]))


def test_what_waits_for_a_restart_is_named_by_the_answer(tmp_path: Path) -> None:
    config, data = tmp_path / "tyrusd.toml", tmp_path / "data"
    config.write_text("[server]\nport = 0\nhosts = ['127.0.0.1']\n[limits]\nlisted = 50\n")
    with running("serve", "--config", str(config), "--data", str(data)) as daemon:
        daemon.addresses()
        config.write_text("[server]\nport = 1\nhosts = ['127.0.0.1']\n[limits]\nlisted = 60\n")
        for _ in range(2):
            done = run("admin", "reload", "--data", str(data))
            assert done.stdout == "reloaded: yes\nneeds_restart: server.port\n"
        config.write_text("[server]\nport = 0\nhosts = ['127.0.0.1']\n[limits]\nlisted = 60\n")
        assert run("admin", "reload", "--data", str(data)).stdout == "reloaded: yes\n"
