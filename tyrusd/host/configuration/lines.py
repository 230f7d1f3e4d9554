"""Finds the line on which each key of a TOML text is set, which the parser of the library does not tell."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str, ...]


def lines_of(text: str) -> dict[Path, int]:
    """The line (from 1) of each key and table by its path; of an array of tables the first one.

    The text must be valid TOML. It is read statement by statement: one ends where what has been gathered of
    it is valid by itself, so that strings and lists over several lines are one.
    """
    found: dict[Path, int] = {}
    under: Path = ()
    gathered: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not gathered and not line.strip():
            continue
        gathered.append(line)
        try:
            content = tomllib.loads("\n".join(gathered))
        except tomllib.TOMLDecodeError:
            continue
        begun = number - len(gathered) + 1
        if gathered[0].lstrip().startswith("["):
            under = _header(content)
            paths: Iterator[Path] = iter([under[:depth] for depth in range(1, len(under) + 1)])
        else:
            paths = (under + path for path in _paths(content))
        for path in paths:
            found.setdefault(path, begun)
        gathered.clear()
    return found


def _header(content: Mapping[str, Any]) -> Path:
    path: Path = ()
    inner: Any = content
    while inner:
        if isinstance(inner, list):
            inner = inner[0]
            continue
        ((name, inner),) = inner.items()
        path = (*path, name)
    return path


def _paths(content: Mapping[str, Any]) -> Iterator[Path]:
    for name, value in content.items():
        yield (name,)
        if isinstance(value, Mapping):
            for path in _paths(value):
                yield (name, *path)
