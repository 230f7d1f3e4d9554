"""What is said to run on other systems does not need what only Linux has: docs/platforms.md, held to it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sdk.test_sdk_portable import BLOCKER

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("rules", "wire", "league", "screen", "core", "sdk")
PATH = os.pathsep.join(map(str, (ROOT, ROOT / "clients", ROOT / "plugins")))

# What macOS lacks of Linux, taken away before anything is imported.
NO_LINUX = """
import ctypes, os, select
for name in ("epoll", "EPOLLIN", "EPOLLOUT", "EPOLLERR", "EPOLLHUP"):
    delattr(select, name)
for name in ("waitid", "P_PID", "WNOWAIT", "pidfd_open"):
    delattr(os, name)
"""
# The daemon asks which system it is on before it calls prctl; the keeper tries.
NO_PRCTL = """
class NoLibrary:
    def __init__(self, name, **more):
        pass

ctypes.CDLL = NoLibrary
"""
# trio itself chooses by the name of the system, and goes on as on Linux.
TRIO_KEEPS = """
import select, types
import trio, trio._core._io_epoll
kept = types.ModuleType("select")
kept.__dict__.update(vars(select))
trio._core._io_epoll.select = kept
"""


def modules_of(package: str, folder: Path) -> list[str]:
    files = [file.relative_to(folder) for file in sorted(folder.rglob("*.py"))]
    return [
        ".".join((package, *file.with_suffix("").parts)) for file in files if "conformance" not in str(file)
    ]


def python(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *words], cwd=ROOT, env={**os.environ, "PYTHONPATH": PATH},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("room", ROOMS)
def test_every_module_of_a_portable_room_imports_without_linux(room: str) -> None:
    modules = modules_of(f"tyrusd.{room}", ROOT / "tyrusd" / room)
    modules = [name.removesuffix(".__init__") for name in modules if name != "tyrusd.sdk.awaiting"]
    assert len(modules) > 5
    done = python(f"{BLOCKER}\nimport {', '.join(modules)}\nprint('imported')")
    assert (done.stdout, done.stderr) == ("imported\n", "")


def test_the_client_imports_without_linux() -> None:
    # trio chooses its parts by the name of the system, so it is imported whole; all that is ours comes after.
    modules = modules_of("tyrus_client", ROOT / "clients" / "tyrus_client")
    modules = [name.removesuffix(".__init__") for name in modules if not name.endswith("__main__")]
    assert len(modules) > 5
    done = python(f"import trio, ctypes\n{BLOCKER}\nimport {', '.join(modules)}\nprint('imported')")
    assert (done.stdout, done.stderr) == ("imported\n", "")


def test_control_the_keeper_of_bots_does_not() -> None:
    done = python(f"{BLOCKER}\nimport tyrusd.host.keeper")
    assert done.returncode == 1
    assert "is not on this system" in done.stderr


def test_a_match_is_played_with_what_macos_has(tmp_path: Path) -> None:
    keeper = tmp_path / "keeper.py"
    source = ROOT / "tyrusd" / "host" / "keeper.py"
    keeper.write_text(
        f"{NO_LINUX}{NO_PRCTL}\nexec(compile(open({str(source)!r}).read(), 'keeper', 'exec'))\n"
    )
    code = (
        f"{TRIO_KEEPS}\n{NO_LINUX}\nfrom tyrusd.host import children\nchildren.KEEPER = {str(keeper)!r}\n"
        "from tyrusd.commands import main\nmain()"
    )
    bot = f"exec:{sys.executable} -I -S tests/e2e/bad_bot.py"
    done = python(code, "match", f"{bot} crash own", "plugin:random", "--games", "3")
    assert done.returncode == 0, done.stderr
    assert "games: 3 of 3" in done.stdout
    assert done.stderr.count("lost") == 1
    assert "crashed (exit status 1)" in done.stderr
