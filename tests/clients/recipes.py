"""Reads in docs/bots how each sample bot is built and run, and builds it exactly so, once for all tests."""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import subprocess
import sys
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from tests.tools import require_tool

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = ROOT / "docs" / "bots"
SAMPLES: Final = ROOT / "clients" / "samples"
NOTHING_TO_BUILD: Final = "There is nothing to build."
_TCP_ARGUMENTS = " HOST PORT NAME [KEY]"
_BUILD_LIMIT = 240  # seconds

# What must be on the machine for a sample; all but the shell's `nc` stand in the commands of its page.
TOOLS: Final[dict[str, tuple[str, ...]]] = {
    "c": ("gcc",),
    "cpp": ("g++",),
    "go": ("go",),
    "java": ("javac", "java"),
    "javascript": ("node",),
    "perl": ("perl",),
    "python": (),  # the one that runs the tests
    "rust": ("rustc",),
    "shell": ("sh", "nc"),
}
LANGUAGES: Final = tuple(TOOLS)


class Recipe(NamedTuple):
    """The commands of one page, to be run in the project's root.

    build: for a shell, empty if there is nothing to build. match: for a shell, a whole match with the sample
    as an `exec:` seat. program: the words that run the sample; HOST PORT NAME [KEY] are appended for TCP.
    """

    source: Path
    build: str
    match: str
    program: tuple[str, ...]


def blocks(text: str) -> list[str]:
    """The commands in the `sh` blocks of a page or a part of it."""
    return re.findall(r"^```sh\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL)


@cache
def recipe(language: str) -> Recipe:
    """What the page of a language says; raises ValueError where it does not say one thing clearly."""
    page = (PAGES / f"{language}.md").read_text("utf-8")
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    build = blocks(sections["Build"])
    if len(build) != (0 if NOTHING_TO_BUILD in sections["Build"] else 1):
        raise ValueError(f"{language}.md has {len(build)} build commands")
    (match,), (over_tcp,) = blocks(sections["As a program"]), blocks(sections["Over TCP"])
    (seat,) = [word for word in shlex.split(match) if word.startswith("exec:")]
    if over_tcp != seat.removeprefix("exec:") + _TCP_ARGUMENTS:
        raise ValueError(f"{language}.md runs {seat} as a program, but {over_tcp!r} over TCP")
    (source,) = re.findall(r"\]\(\.\./\.\./clients/samples/(.*?)\)", page)
    program = tuple(shlex.split(over_tcp.removesuffix(_TCP_ARGUMENTS)))
    return Recipe(SAMPLES / source, "".join(build), match, program)


@cache
def workshop(language: str) -> Path:
    """A folder like the project's root, in which the sample is built; it serves all tests, also later ones.

    It is named after all that the build depends on, and locked meanwhile: several processes run the tests.
    """
    made = recipe(language)
    tools = [Path(require_tool(tool)) for tool in TOOLS[language]]
    parts = [made.build, made.source.read_text("utf-8"), str(ROOT), sys.executable]
    parts += [f"{tool} {tool.stat().st_mtime_ns}" for tool in tools]
    shelf = Path(tempfile.gettempdir()) / f"tyrusd-samples-{os.getuid()}"
    shelf.mkdir(mode=0o700, exist_ok=True)
    assert shelf.stat().st_uid == os.getuid(), f"{shelf} belongs to somebody else; remove it"
    folder = shelf / f"{language}-{sha256(chr(0).join(parts).encode()).hexdigest()[:16]}"
    with (shelf / f"{language}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "built").exists():
            _build(made, folder)
    return folder


def _build(made: Recipe, folder: Path) -> None:
    (folder / ".venv").mkdir(parents=True, exist_ok=True)
    for link, target in (("clients", ROOT / "clients"), (".venv/bin", Path(sys.executable).parent)):
        (folder / link).unlink(missing_ok=True)
        (folder / link).symlink_to(target)
    if made.build:
        done = subprocess.run(
            ["sh", "-euc", made.build],
            cwd=folder,
            env={"GOCACHE": str(folder.parent / "go"), **os.environ},  # there may be no home for it
            capture_output=True,
            text=True,
            check=False,
            timeout=_BUILD_LIMIT,
        )
        assert done.returncode == 0, f"{made.build}\n{done.stderr}"
        assert done.stdout + done.stderr == "", f"{made.build} is not content:\n{done.stdout}{done.stderr}"
    (folder / "built").touch()


@cache
def command(language: str) -> tuple[str, ...]:
    """The words that run a sample from anywhere; without its tools the test is skipped, or fails in CI."""
    folder = workshop(language)
    words = [str(folder / word) if (folder / word).exists() else word for word in recipe(language).program]
    if words[0] == "python3":
        words[0] = sys.executable
    return tuple(words)
