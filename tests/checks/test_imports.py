"""Imports run one way between the rooms, and the pure rooms know no IO, clock or chance."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Which rooms each room may import (itself is always allowed).
ALLOWED: dict[str, set[str]] = {
    "rules": set(),
    "wire": set(),
    "league": {"rules"},
    "screen": {"rules"},
    "core": {"wire", "league", "screen", "rules"},
    "sdk": {"wire", "rules"},
    "host": {"core", "wire", "league", "screen", "rules"},
    "commands": {"host", "core", "wire", "league", "screen", "rules"},
    "clients": {"sdk", "screen", "wire", "rules"},
    "plugins": {"sdk"},
}
PURE = ("rules", "wire", "league", "screen", "core")
IMPURE_MODULES = {
    "trio", "asyncio", "socket", "select", "selectors", "time", "os", "subprocess", "logging", "random",
    "secrets", "threading", "multiprocessing", "signal", "pathlib", "io", "sys", "tempfile", "shutil", "uuid",
}  # fmt: skip
TRIO_ROOMS = {"host", "clients"}
# The one file outside of them: it runs a bot that is written for trio, and is imported for no other.
TRIO_FILES = {"tyrusd/sdk/awaiting.py"}
PREFIXES = {"tyrus_client": "clients", "tyrusd_bundled": "plugins"}
FOLDERS = {"clients": ROOT / "clients" / "tyrus_client", "plugins": ROOT / "plugins" / "tyrusd_bundled"}


def folder_of(room: str) -> Path:
    return FOLDERS.get(room, ROOT / "tyrusd" / room)


def room_of(module: str) -> str | None:
    """The room a module belongs to; None for the standard library and other distributions."""
    parts = module.split(".")
    if parts[0] in PREFIXES:
        return PREFIXES[parts[0]]
    if parts[0] == "tyrusd":
        return parts[1] if len(parts) > 1 and parts[1] in ALLOWED else "tyrusd"
    return None


def imported_modules(source: str, package: str) -> Iterator[str]:
    """Every module that a source text imports, at any depth, with relative names made absolute."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            stem = ".".join([*base, node.module] if node.module else base)
            yield stem
            if stem in ("tyrusd", ""):
                yield from (f"{stem}.{alias.name}" for alias in node.names)


def offences(room: str, source: str, package: str, *, trio: bool = False) -> list[str]:
    """What a file of this room imports and may not; `trio`: that is allowed to this file."""
    found = []
    for module in imported_modules(source, package):
        top = module.split(".")[0]
        target = room_of(module)
        if target is not None and target not in ALLOWED[room] | {room, "tyrusd"}:
            found.append(f"{room} may not import {module}")
        if room in PURE and top in IMPURE_MODULES:
            found.append(f"{room} is pure and may not import {module}")
        if top == "trio" and room not in TRIO_ROOMS and not trio:
            found.append(f"only host and the client may import trio, not {room}")
    return found


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_imports_run_one_way(room: str) -> None:
    files = sorted(folder_of(room).rglob("*.py"))
    assert files, f"no files in {folder_of(room)}"
    found = []
    for file in files:
        parents = file.relative_to(folder_of(room)).parent.parts
        stem = {"clients": "tyrus_client", "plugins": "tyrusd_bundled"}.get(room, f"tyrusd.{room}")
        package = ".".join([stem, *parents])
        name = file.relative_to(ROOT).as_posix()
        trio = name in TRIO_FILES
        found += [f"{name}: {what}" for what in offences(room, file.read_text("utf-8"), package, trio=trio)]
    assert found == []


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("rules", "import time"),
        ("rules", "from tyrusd.wire import messages"),
        ("wire", "from ..rules import pieces"),
        ("core", "def late():\n    import trio"),
        ("league", "from tyrusd import core"),
        ("plugins", "import tyrusd.rules.game"),
        ("sdk", "import trio"),
        ("core", "from random import shuffle"),
    ],
)
def test_the_check_finds_a_planted_offence(room: str, source: str) -> None:
    assert offences(room, source, f"tyrusd.{room}") != []


@pytest.mark.parametrize(
    "file",
    [*sorted((ROOT / "tyrusd").rglob("*.py")), *sorted((ROOT / "clients").rglob("*.py")),
     *sorted((ROOT / "plugins").rglob("*.py")), *sorted((ROOT / "tests").rglob("*.py"))],
    ids=lambda file: str(file.relative_to(ROOT)),
)  # fmt: skip
def test_files_say_what_they_are_for_and_stay_small(file: Path) -> None:
    text = file.read_text("utf-8")
    assert ast.get_docstring(ast.parse(text)) or text == "", "the first line says what the file decides"
    assert len(text.splitlines()) <= 400, "past 400 lines a file is split"
