"""Help is quick: no command imports what it does not need to describe itself."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

from tests.host.daemons import ROOT, command
from tyrusd import __version__
from tyrusd.commands import COMMANDS

HEAVY = ("trio", "sqlalchemy", "numpy", "rich", "prompt_toolkit", "pluggy", "asyncio")
LIMIT = 0.3  # seconds of CPU

WORDS = [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)]


def cpu_of(words: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command(*words), cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_help_takes_little_time(words: list[str]) -> None:
    assert min(cpu_of(words) for _ in range(3)) < LIMIT


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys\nfrom tyrusd.commands import main\n"
        "try: main(sys.argv[1:])\n"
        f"except SystemExit: print('imported', [name for name in {HEAVY} if name in sys.modules])\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert found.stdout.splitlines()[-1] == "imported []"


def test_control_the_check_would_see_an_import() -> None:
    code = f"import sys, trio; print([name for name in {HEAVY} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert "trio" in found.stdout


def test_the_version_is_told() -> None:
    found = subprocess.run(command("--version"), cwd=ROOT, check=True, capture_output=True, text=True)
    assert found.stdout == f"tyrusd, version {__version__}\n"


def test_all_commands_are_listed() -> None:
    found = subprocess.run(command("--help"), cwd=ROOT, check=True, capture_output=True, text=True)
    table = found.stdout.partition("Commands:\n")[2].partition("\n\n")[0]
    # A line that goes on is indented further than a name.
    listed = [line.split()[0] for line in table.splitlines() if not line.startswith("   ")]
    assert listed == list(COMMANDS)


def test_an_unknown_command_is_a_usage_error() -> None:
    found = subprocess.run(command("nosuch"), cwd=ROOT, check=False, capture_output=True, text=True)
    assert found.returncode == 2
    assert "No such command 'nosuch'" in found.stderr
