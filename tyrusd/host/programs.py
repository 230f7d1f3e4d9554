"""Decides which program a seat means and what that program gets: command, environment, directory."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import site
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from tyrusd.core.seatspec import SeatSpec, plugin_words
from tyrusd.host.plugins import Listing, Plugin, UnknownPlugin, resolve

# What a bot's process may know of ours; everything else (tokens, paths of other tools) stays here.
ENVIRONMENT: Final = ("PATH", "HOME", "LANG", "TZ")
ENVIRONMENT_PREFIX: Final = "LC_"

# A command with one of these words is named after what it runs; without a suffix only behind these programs.
_SCRIPTS: Final = re.compile(
    r".+\.(py|pyz|js|mjs|cjs|ts|rb|pl|raku|lua|fnl|tcl|php|sh|bash|jar|java|kts|groovy|clj|scala|r|jl|scm|rkt|lisp"
    r"|el|hs|ml|ex|exs|erl|awk|fth|go|cs|fsx|dll|wasm|zig|nim|d|swift|dart)",
    re.IGNORECASE,
)
_INTERPRETERS = re.compile(
    r"(python|pypy|node|nodejs|deno|bun|ruby|perl|raku|lua|luajit|tclsh|wish|php|bash|dash|zsh|ksh|sh|java|julia"
    r"|Rscript|guile|racket|elixir|escript|awk|gawk|tyrus-bot)[\d.]*"
)
_WITH_A_VALUE: Final = frozenset({"-cp", "-classpath", "--class-path", "-X", "-W"})
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=.*")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")


class NoProgram(Exception):  # noqa: N818 -- it is not our error
    """The seat's program does not exist or cannot run; the text is a sentence that says what to do."""


class Program(NamedTuple):
    """What to run for a seat.

    command: argv, its first element an absolute path. frames: it speaks msgpack frames on descriptors that
    are appended to the command, otherwise lines on stdin and stdout. directory: where it runs, None for a
    private one.
    """

    command: tuple[str, ...]
    environment: Mapping[str, str]
    directory: str | None
    frames: bool


def program_for(seat: SeatSpec, directory: Path | None = None, listing: Listing | None = None) -> Program:
    """Find the program of a `plugin:` or `exec:` seat; relative paths start at directory (default: ours).

    Raises NoProgram with one sentence for whoever wrote the seat; nothing is started.
    """
    if seat.kind == "plugin":
        plugin, options = plugin_of(seat, listing)
        return Program(child_command(plugin, options), plugin_environment(plugin), None, frames=True)
    if seat.kind == "exec":
        return _exec_program(seat, (directory or Path.cwd()).absolute())
    raise NoProgram(f"the seat {seat} is played over the network: there is no program to start")


def plugin_of(seat: SeatSpec, listing: Listing | None = None) -> tuple[Plugin, tuple[tuple[str, str], ...]]:
    """Find the plugin of a `plugin:` seat, and the options given to it; raises NoProgram."""
    try:
        name, options = plugin_words(seat.text)
        return resolve(name, listing), options
    except (UnknownPlugin, ValueError) as error:
        raise NoProgram(str(error)) from error


def seat_name(seat: SeatSpec) -> str:
    """The name that a seat gets: the plugin's, the script's or program's, or the one that was given."""
    if seat.kind != "exec":
        return seat.text.partition("?")[0].rpartition("/")[2]
    try:
        words = shlex.split(seat.text)
    except ValueError:
        words = []
    name = _NOT_IN_NAMES.sub("-", Path(_telling_word(words)).stem).strip("-")
    return name[:32] or "bot"


def _telling_word(words: Sequence[str]) -> str:
    """The word of a command line that tells one bot from another: the script, or else the program."""
    if words and Path(words[0]).name == "env":
        words = [word for word in words[1:] if not (word.startswith("-") or _ASSIGNMENT.fullmatch(word))]
    if not words:
        return ""
    interpreter = _INTERPRETERS.fullmatch(Path(words[0]).name) is not None
    if {"-c", "-e"} & set(words) or ("/" in words[0] and not interpreter):
        return words[0]  # what follows -c is a program's text; a program of one's own is not an interpreter
    arguments = [
        word for before, word in pairwise(words) if not (word.startswith("-") or before in _WITH_A_VALUE)
    ]
    scripts = [word for word in arguments if _SCRIPTS.fullmatch(word)]
    return next(iter(scripts or (arguments if interpreter else ())), words[0])


def clean_environment() -> dict[str, str]:
    """The part of our environment that a bot gets."""
    return {
        key: value
        for key, value in os.environ.items()
        if key in ENVIRONMENT or key.startswith(ENVIRONMENT_PREFIX)
    }


def child_command(
    plugin: Plugin, options: tuple[tuple[str, str], ...] = (), *, check: bool = False
) -> tuple[str, ...]:
    """The command that runs a plugin in a Python of its own, or only checks it and its options."""
    return (
        sys.executable, "-P", "-m", "tyrusd.sdk.child", *(("--check",) if check else ()),
        "--module", plugin.module, "--name", plugin.name,
        *[f"--option={name}={value}" for name, value in options],
    )  # fmt: skip


def plugin_environment(plugin: Plugin) -> dict[str, str]:
    """The clean environment, and where the plugin was found if a fresh Python would not look there."""
    environment = clean_environment()
    ours = str(Path(__file__).resolve().parents[2])
    searched = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), site.getusersitepackages()}
    extra = [path for path in (ours, plugin.path) if path not in searched]
    environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(extra))
    return environment


def _exec_program(seat: SeatSpec, directory: Path) -> Program:
    try:
        words = shlex.split(seat.text)
    except ValueError as error:
        raise NoProgram(f"the command of {seat} cannot be read: {error}; close the quotes") from error
    if not words or not words[0]:
        raise NoProgram(f"the seat {seat} names no program: write exec:COMMAND LINE, as in exec:./mybot")
    return Program(
        (_found(words[0], directory), *words[1:]), clean_environment(), str(directory), frames=False
    )


def _found(word: str, directory: Path) -> str:
    if "/" not in word:
        path = shutil.which(word)
        if path is None:
            hint = f"; did you mean ./{word}?" if (directory / word).is_file() else ""
            raise NoProgram(f"the command {word!r} was not found on PATH{hint}")
        return str(Path(path).absolute())
    file = directory / word
    if not file.exists():
        raise NoProgram(f"the command {word!r} was not found: there is no {str(file)!r}")
    if not file.is_file() or not os.access(file, os.X_OK):
        raise NoProgram(
            f"the command {word!r} cannot be run: {str(file)!r} is not an executable file "
            f"(`chmod +x`, or name its interpreter as in 'exec:python3 FILE')"
        )
    return str(file)
