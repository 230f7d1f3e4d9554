"""By what a changed bot is noticed: its distribution and sources, or its program and what it runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Final

from msgspec import Struct

from tyrusd.core.seatspec import SeatSpec
from tyrusd.host.plugins import Listing, Plugin
from tyrusd.host.programs import NoProgram, plugin_of, program_for

_SOURCES: Final = frozenset({".py", ".so", ".pyd", ".pyx", ".json", ".toml", ".npz", ".npy"})
_MOST: Final = 4000  # files of one package
_BLOCK: Final = 1 << 20


class File(Struct, frozen=True, forbid_unknown_fields=True):
    """A file and its SHA-256; a package is a directory, and all its sources are one hash."""

    path: str
    sha256: str


class Fingerprint(Struct, frozen=True, forbid_unknown_fields=True):
    """What one bot was: its name and seat; for a plugin its distribution with the version; its files.

    A tcp bot has no files: nobody can know what plays there.
    """

    name: str
    seat: str
    distribution: str | None = None
    version: str | None = None
    files: list[File] = []

    def changes(self, now: Fingerprint) -> Iterator[str]:
        """Yield, as parts of a sentence, in what the bot is another than it was."""
        for what, old, new in (
            ("seat", self.seat, now.seat),
            ("distribution", self.distribution, now.distribution),
            (f"distribution {now.distribution}", self.version, now.version),
        ):
            if old != new:
                yield f"the {what} of the bot {self.name} was {old} and is {new}"
        before, after = ({file.path: file.sha256 for file in bot.files} for bot in (self, now))
        for path in dict.fromkeys((*before, *after)):
            old, new = before.get(path), after.get(path)
            if old != new:
                yield (
                    f"the bot {self.name} has changed: {path} {_had(old, 'had')} and {_had(new, 'has')} now"
                )


def fingerprint(name: str, seat: SeatSpec, directory: Path, listing: Listing | None = None) -> Fingerprint:
    """Describe a bot as it is now; no code of it is run.

    directory: where relative paths start; listing: the plugins that are installed, if they are known.
    Raises NoProgram, with a sentence, when its plugin or program does not exist or cannot be read.
    """
    text = str(seat)
    if seat.kind == "tcp":
        return Fingerprint(name, text)
    try:
        if seat.kind == "plugin":
            plugin, _ = plugin_of(seat, listing)
            return Fingerprint(name, text, plugin.distribution, plugin.version, _plugin_files(plugin))
        command = program_for(seat, directory).command
        return Fingerprint(name, text, files=_program_files(command, directory))
    except OSError as error:
        raise NoProgram(f"the seat {seat} cannot be looked at: {error.filename}: {error.strerror}") from error


def _program_files(command: Sequence[str], directory: Path) -> list[File]:
    """The program, and every file that its arguments name: a script, a table, a model."""
    paths = [Path(command[0])]
    for word in command[1:]:
        value = word.partition("=")[2] if word.startswith("-") else word
        try:
            if value and (directory / value).is_file():
                paths.append(directory / value)
        except (OSError, ValueError):  # a word that can be no path, such as a program's text behind -c
            continue
    return [File(str(path), _hash(path)) for path in dict.fromkeys(paths)]


def _plugin_files(plugin: Plugin) -> list[File]:
    place = _place(plugin.module.partition(":")[0])
    if place is None:
        raise NoProgram(f"the plugin {plugin.origin} names the module {plugin.module}, which does not exist")
    return [File(str(place), _tree_hash(place) if place.is_dir() else _hash(place))]


def _place(module: str) -> Path | None:
    """Where a module's outermost package (or the module, if it is in none) lies; nothing is imported."""
    top = module.partition(".")[0]
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        spec: ModuleSpec | None = None if find is None else find(top, None)
        if spec is not None:
            places = list(spec.submodule_search_locations or ())
            found = places[0] if places else spec.origin
            return None if found is None else Path(found)
    return None


def _tree_hash(folder: Path) -> str:
    """One hash for all sources of a package, by their names in it."""
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.suffix in _SOURCES and "__pycache__" not in path.parts and path.is_file()
    )
    whole = sha256()
    for path in files[:_MOST]:
        whole.update(f"{path.relative_to(folder).as_posix()}\0{_hash(path)}\n".encode())
    return whole.hexdigest()


def _hash(path: Path) -> str:
    found = sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            found.update(block)
    return found.hexdigest()


def _had(hash_text: str | None, verb: str) -> str:
    return f"{verb} no such file" if hash_text is None else f"{verb} the SHA-256 {hash_text[:16]}…"
