"""The SDK needs nothing that only some systems have: it plays without epoll, fcntl, prctl and more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.sdk.peer import GREETING, PATIENCE, ROOT, ask, environment, start, write_bot
from tyrusd.rules.deal import deal_from_bytes, game_secret
from tyrusd.rules.game import Game
from tyrusd.wire import Codec, Connection, Hello, Role
from tyrusd.wire import Place as PlaceMessage

# Takes away what Windows and macOS do not have, before anything is imported.
BLOCKER = """
import os, select, signal, sys
from importlib.abc import MetaPathFinder

MISSING = {"fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "ctypes", "_ctypes"}

class Blocker(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ImportError(f"{name} is not on this system")

for name in MISSING:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Blocker())
for name in ("epoll", "poll", "kqueue", "devpoll", "EPOLLIN"):
    if hasattr(select, name):
        delattr(select, name)
for name in ("fork", "forkpty", "killpg", "setsid", "pidfd_open", "eventfd", "memfd_create", "pipe2",
             "set_blocking", "get_blocking", "sched_setaffinity"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGHUP", "SIGKILL", "pthread_sigmask", "setitimer"):
    if hasattr(signal, name):
        delattr(signal, name)
"""
NO_SELECT_ON_PIPES = """
def sockets_only(reading, writing, failing, timeout=None):
    raise OSError(10038, "not a socket")
select.select = sockets_only
"""


def python(folder: Path, code: str, *words: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *words],
        cwd=folder, env=environment(ROOT, ROOT / "plugins", folder), input=data,
        capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


def test_the_blocker_blocks(tmp_path: Path) -> None:
    for attempt in ("import fcntl", "import ctypes", "select.epoll()", "os.fork()"):
        assert python(tmp_path, f"import os, select\n{attempt}").returncode == 0, "the control"
        assert python(tmp_path, f"{BLOCKER}\n{attempt}").returncode == 1, attempt


def test_every_module_of_the_sdk_imports(tmp_path: Path) -> None:
    modules = [f"tyrusd.sdk.{file.stem}" for file in sorted((ROOT / "tyrusd" / "sdk").glob("*.py"))]
    # `awaiting` imports trio, which finds its own way on every system that it supports.
    modules = [module for module in modules if module not in ("tyrusd.sdk.awaiting", "tyrusd.sdk.__init__")]
    assert len(modules) > 12
    done = python(tmp_path, f"{BLOCKER}\nimport tyrusd.sdk, {', '.join(modules)}\nprint('imported')")
    assert (done.stdout, done.stderr) == (b"imported\n", b"")


def test_whole_games_are_played_there(tmp_path: Path) -> None:
    code = (
        f"{BLOCKER}\nfrom tyrusd.sdk.arena import play_games\n"
        "print(play_games('tyrusd_bundled.greedy_bot', 'tyrusd_bundled.cautious_bot', 4).games)"
    )
    done = python(tmp_path, code)
    assert (done.stdout, done.stderr) == (b"4\n", b"")


@pytest.mark.parametrize("more", ["", NO_SELECT_ON_PIPES], ids=["select", "no select on pipes"])
@pytest.mark.parametrize("way", ["child", "runner"])
def test_a_bot_runs_there(tmp_path: Path, way: str, more: str) -> None:
    codec = Codec.FRAME if way == "child" else Codec.LINE
    server = Connection(Role.SERVER, codec)
    games = [Game(deal_from_bytes(game_secret("portable", number))) for number in range(3)]
    said = server.encode(GREETING)
    for number, game in enumerate(games):
        said += server.encode(start(f"g{number}", game.opener_now))
        said += server.encode(ask(f"g{number}", game, game.opener_now))
    words = [write_bot(tmp_path)] if way == "runner" else ["--module", write_bot(tmp_path), "--name", "x"]
    code = f"{BLOCKER}{more}\nfrom tyrusd.sdk.{way} import main\nmain(sys.argv[1:])"
    done = python(tmp_path, code, *words, data=said)
    assert (done.returncode, done.stderr) == (0, b"")
    hello, *places = server.receive(done.stdout)
    assert isinstance(hello, Hello)
    assert [message.game for message in places if isinstance(message, PlaceMessage)] == ["g0", "g1", "g2"]
