"""Bots of the kit on the ladder of a real server: nothing but `--ladder` and a token is wanted."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from contextlib import ExitStack
from pathlib import Path

from tests.e2e.account_serving import account
from tests.host.daemons import ROOT, run, running, wait_until
from tests.sdk.peer import environment
from tests.sdk.scripted import BOT
from tyrusd.host.journal import JOURNAL
from tyrusd.rules.game import PLAYED_OUT

NAMES = ("ada", "bob")


def test_two_bots_come_onto_the_ladder_play_and_leave(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for name in NAMES:
        account(data, "add", name)
    tokens = {name: account(data, "token", name) for name in NAMES}
    with running("serve", "--ladder", "--port", "0", "--host", "127.0.0.1", "--data", str(data)) as daemon:
        ((host, port),) = daemon.addresses()
        bots = [
            subprocess.Popen(
                [
                    *BOT, "tests.sdk.bots:by_view", "--connect", f"{host}:{port}", "--name", name, "--ladder",
                    "--once", *(("--agent", f"{name}/2") if name == "ada" else ()),
                ],
                cwd=ROOT, env=environment(ROOT) | {"TYRUS_KEY": tokens[name]},
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            )
            for name in NAMES
        ]  # fmt: skip
        try:
            for bot in bots:
                output, log = bot.communicate(timeout=60)
                assert (bot.returncode, output, log) == (0, "", "")
        finally:
            for bot in bots:
                if bot.poll() is None:
                    bot.kill()
                    bot.communicate()
    (game,) = map(json.loads, run("export", str(data / JOURNAL), "--json").stdout.splitlines())
    assert game["reason"] in PLAYED_OUT
    assert set(game["seats"].values()) == set(NAMES)
    agents = {name: game["rated"][side] for side, name in game["seats"].items()}
    assert agents["ada"] == "ada/2" and agents["bob"].startswith("tyrus-bot/")
    assert (game["rated"]["by"], game["rated"]["flags"]) == ("ladder", [])


def test_bots_outlast_a_server_that_is_ended_in_order_and_started_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for name in NAMES:
        account(data, "add", name)
    tokens = {name: account(data, "token", name) for name in NAMES}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ("serve", "--ladder", "--port", str(port), "--host", "127.0.0.1", "--data", str(data))
    connect = ("--connect", f"127.0.0.1:{port}", "--ladder", "--name")
    with ExitStack() as bots:
        with running(*words) as daemon:
            daemon.addresses()
            started = [
                subprocess.Popen(
                    [*BOT, "tests.sdk.bots:by_view", *connect, name],
                    cwd=ROOT, env=environment(ROOT) | {"TYRUS_KEY": tokens[name]},
                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                )
                for name in NAMES
            ]  # fmt: skip
            for bot in started:
                bots.callback(bot.communicate)
                bots.callback(bot.kill)
            wait_until(lambda: played(data) > 0)
            daemon.signal(signal.SIGTERM)
            assert daemon.end()[0] == 0
        for bot in started:
            assert (
                bot.stderr is not None and "the server closes; waiting up to 300 s" in bot.stderr.readline()
            )
        before = played(data)
        with running(*words) as daemon:
            daemon.addresses()
            wait_until(lambda: played(data) > before)


def played(data: Path) -> int:
    """The games that have ended."""
    return len(run("export", str(data / JOURNAL), "--json").stdout.splitlines())


def test_without_a_ladder_the_bot_says_why_it_leaves(tmp_path: Path) -> None:
    data = tmp_path / "data"
    account(data, "add", "ada")
    token = account(data, "token", "ada")
    with running("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data)) as daemon:
        ((host, port),) = daemon.addresses()
        done = subprocess.run(
            [*BOT, "tests.sdk.bots:by_view", "--connect", f"{host}:{port}", "--name", "ada", "--ladder"],
            cwd=ROOT, env=environment(ROOT) | {"TYRUS_KEY": token},
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "tyrus-bot: the server ended it: This server holds no ladder."
