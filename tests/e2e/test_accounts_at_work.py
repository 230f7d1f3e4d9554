"""Accounts of a real server: changed while it runs, by several processes, after kills, and never in a log."""

from __future__ import annotations

import json
import signal
import subprocess
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.e2e.account_serving import (
    FAILS_AT_LOGIN,
    KILLED_AFTER_MARKING,
    account,
    came,
    serving,
)
from tests.host.daemons import ROOT, Peer, command, run, wait_until
from tests.sdk.peer import environment
from tests.sdk.scripted import BOT
from tyrusd.host.store import STORE


def lets_in(address: tuple[str, int], name: str, key: str) -> bool:
    peer, line = came(address, name, key)
    peer.close()
    return line.startswith("welcome")


def test_accounts_change_while_the_server_runs(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data) as (daemon, address):
        account(data, "add", "deep-bot")
        token = account(data, "token", "deep-bot")
        wait_until(lambda: lets_in(address, "deep-bot", token))
        peer, line = came(address, "DEEP-bot", token)
        with closing(peer):
            assert line.startswith("welcome deep-bot bot ")
            account(data, "revoke", "deep-bot")
            assert peer.until("bye").startswith("bye revoked ")
        assert not lets_in(address, "deep-bot", token)
        other = account(data, "token", "deep-bot")
        account(data, "disable", "deep-bot")
        account(data, "add", "marker")
        marker = account(data, "token", "marker")
        wait_until(lambda: lets_in(address, "marker", marker))  # so all that was before it is known
        assert not lets_in(address, "deep-bot", other)
        account(data, "enable", "deep-bot")
        wait_until(lambda: lets_in(address, "deep-bot", other))
        daemon.signal(signal.SIGTERM)
        assert daemon.end()[0] == 0


@pytest.mark.parametrize("sort", [(), ("--code",)], ids=["token", "code"])
def test_a_key_works_as_soon_as_it_is_printed(tmp_path: Path, sort: tuple[str, ...]) -> None:
    data = tmp_path / "data"
    with serving(data) as (_, address):
        for number in range(5):  # or it might be said when the server looks anyway
            account(data, "add", f"ada{number}")
            assert lets_in(address, f"ada{number}", account(data, "token", f"ada{number}", *sort))


def test_several_processes_add_accounts_at_once(tmp_path: Path) -> None:
    data = tmp_path / "data"
    names = ("ada", "ADA", "bob", "cleo", "Ada", "dora")
    processes = [
        subprocess.Popen(
            command("account", "add", name, "--data", str(data)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for name in names
    ]
    codes = [process.wait(60) for process in processes]
    for process in processes:
        process.communicate()
    assert sorted(codes) == [0, 0, 0, 0, 2, 2]
    found = [entry["name"] for entry in json.loads(account(data, "list", "--json"))["accounts"]]
    assert sorted(name.lower() for name in found) == ["ada", "bob", "cleo", "dora"]
    assert [path.name for path in data.iterdir()] == [STORE]


def test_killed_between_marking_a_code_and_the_welcome_the_code_is_spent(tmp_path: Path) -> None:
    data = tmp_path / "data"
    account(data, "add", "ada", "--kind", "human")
    code, fresh = account(data, "token", "ada", "--code"), account(data, "token", "ada", "--code")
    with serving(data, breaking=KILLED_AFTER_MARKING) as (daemon, address), closing(Peer(address)) as peer:
        peer.until("greeting")
        peer.say(f"hello 0.1 ada human key={code}")
        daemon.process.wait(20)
        assert daemon.process.returncode == -signal.SIGKILL
        assert not any(line.startswith("welcome") for line in peer.rest())
    with serving(data) as (daemon, address):
        assert not lets_in(address, "ada", code)
        assert lets_in(address, "ada", fresh)
        assert not lets_in(address, "ada", fresh)


@pytest.mark.parametrize("sort", ["token", "code"])
def test_row_28_after_a_kill_the_same_key_comes_back_into_the_running_game(tmp_path: Path, sort: str) -> None:
    data = tmp_path / "data"
    account(data, "add", "ada", "--kind", "human")
    key = account(data, "token", "ada", *(["--code"] if sort == "code" else []))
    with serving(data) as (daemon, address), ExitStack() as stack:
        ada, line = came(address, "ada", key, "human")
        stack.enter_context(closing(ada))
        assert line.startswith("welcome")
        ada.say("play random side=I")
        game = ada.until("start", "error").split()[1]
        request = ada.until("choose")
        hand = next(word for word in request.split() if word.startswith("hand="))[5:].split(",")
        ada.say(f"place {game} {request.split()[2]} {hand[0]} IC")
        ada.until("choose")
        daemon.signal(signal.SIGKILL)
        daemon.process.wait(20)
    with serving(data) as (daemon, address), ExitStack() as stack:
        back, line = came(address, "ada", key, "human")
        stack.enter_context(closing(back))
        assert line.startswith("welcome ada human ")
        assert back.until("start").split()[1] == game
        assert f".I.{hand[0]}" in back.until("snapshot")
        again, line = came(address, "ada", key, "human")
        stack.enter_context(closing(again))
        assert again.until("start").split()[1] == game
        assert back.until("bye").startswith("bye replaced ")
        again.say(f"resign {game}")
        assert again.until("over").split()[1] == game


def test_f095_no_key_is_in_a_log_a_record_a_traceback_or_an_argument_list(tmp_path: Path) -> None:
    """Akuli/mantaray#64: a password was in the log."""
    data = tmp_path / "data"
    account(data, "add", "ada")
    token, code = account(data, "token", "ada"), account(data, "token", "ada", "--code")
    wrong = "CanaryOfAWrongKey" + "x" * 26
    told = []
    with serving(data) as (daemon, address), ExitStack() as stack:
        for key in (token, code, wrong):
            peer, line = came(address, "ada", key)
            stack.enter_context(closing(peer))
            assert line.startswith("welcome") is (key != wrong)
            peer.say(f"hello 0.1 ada bot key={key}", f"hello 0.1 ada bot key={key} key={key}",
                     f"resume {key} {key}", f"nonsense {key}", f"play {key}", key)  # fmt: skip
            if key != wrong:
                peer.say("play random")
                game = peer.until("start").split()[1]
                peer.say(f"place {game} {key}", f"place {game} 1 {key} IC", f"log {game}", f"resign {game}")
                peer.until("over")
                peer.say(f"log {game}", "quit")
            else:
                peer.say("quit")
            told += [line for line in peer.rest() if line.startswith(("log", "line", "record"))]
        argv = Path(f"/proc/{daemon.process.pid}/cmdline").read_bytes()
        daemon.signal(signal.SIGTERM)
        _, out, errors = daemon.end()
    files = b"".join(path.read_bytes() for path in data.rglob("*") if path.is_file())
    everything = b"\n".join((argv, out.encode(), errors.encode(), files))
    assert errors and b"ada" in files
    for key in (token, code, wrong):
        assert key.encode() not in everything
        assert not [line for line in told if key in line]
    assert [line for line in told if "(hidden)" in line], told


def test_f095_a_failure_at_a_login_is_logged_without_the_key(tmp_path: Path) -> None:
    """Akuli/mantaray#64: a password was in the log."""
    data = tmp_path / "data"
    account(data, "add", "ada")
    token = account(data, "token", "ada")
    with serving(data, "--log-format", "json", breaking=FAILS_AT_LOGIN) as (daemon, address):
        with closing(Peer(address)) as peer:
            peer.until("greeting")
            peer.say(f"hello 0.1 ada bot key={token}")
            peer.rest()
        daemon.signal(signal.SIGTERM)
        _, out, errors = daemon.end()
    assert "broken for the test" in errors and "Traceback" in errors
    assert token not in out + errors


def test_a_server_does_not_start_on_a_store_that_it_does_not_know(tmp_path: Path) -> None:
    data = tmp_path / "data"
    account(data, "add", "ada")
    path = data / STORE
    before = bytearray(path.read_bytes())
    before[63] = 9  # the version
    path.write_bytes(before)
    done = run("serve", "--port", "0", "--data", str(data))
    assert done.returncode == 1 and f"{path} has version 9" in done.stderr
    assert path.read_bytes() == before and "Traceback" not in done.stderr


def test_row_60_a_bot_of_the_server_has_no_name_of_an_account_or_of_the_protocol(tmp_path: Path) -> None:
    data = tmp_path / "data"
    account(data, "add", "rob")
    taken = run("serve", "--port", "0", "--data", str(data), "--bot", "ROB=plugin:greedy")
    assert taken.returncode == 1 and "ROB is an account" in taken.stderr
    word = run("serve", "--port", "0", "--data", str(data), "--bot", "Start=plugin:greedy")
    assert word.returncode == 2 and "a word of the protocol" in word.stderr
    with serving(data, "--bot", "tom=plugin:greedy"):
        done = run("account", "add", "Tom", "--data", str(data))
        assert done.returncode == 2 and "already" in done.stderr


def test_where_guests_are_not_allowed_only_accounts_come_in(tmp_path: Path) -> None:
    data = tmp_path / "data"
    account(data, "add", "ada")
    token = account(data, "token", "ada")
    with serving(data, "--no-guests") as (_, address), closing(Peer(address)) as peer:
        peer.until("greeting")
        peer.say("hello 0.1 cleo human")
        assert peer.until("welcome", "error").startswith("error auth ")
        assert lets_in(address, "ada", token)


def test_a_bot_of_the_sdk_plays_in_the_lobby_under_the_name_of_its_account(tmp_path: Path) -> None:
    data = tmp_path / "data"
    tokens = {}
    for name in ("Deep-Bot", "shallow"):
        account(data, "add", name)
        tokens[name] = account(data, "token", name)
    with serving(data, "--no-guests") as (_, (host, port)):
        bots = [
            subprocess.Popen(
                [*BOT, "tests.sdk.bots:Following", "--connect", f"{host}:{port}", "--lobby", "--once",
                 "--name", name],
                cwd=ROOT, env={**environment(ROOT), "TYRUS_KEY": token}, stderr=subprocess.PIPE, text=True,
            )
            for name, token in ((name.lower(), token) for name, token in tokens.items())
        ]  # fmt: skip
        try:
            for bot in bots:
                _, log = bot.communicate(timeout=60)
                assert bot.returncode == 0, log
                assert not [token for token in tokens.values() if token in log]
        finally:
            for bot in bots:
                bot.kill()
                bot.wait()
    exported = run("export", str(data / "journal.tyrus"), "--json").stdout.splitlines()
    assert {frozenset(json.loads(line)["seats"].values()) for line in exported} == {frozenset(tokens)}
