"""docs/security.md tells the limits that bots really get, and the options that change them."""

from __future__ import annotations

import re
from pathlib import Path

import click

from tyrusd.commands import main
from tyrusd.core.settings import DEFAULTS
from tyrusd.host import seats
from tyrusd.host.limits import DEFAULT, Limits, Usage

PAGE = (Path(__file__).parents[2] / "docs" / "security.md").read_text(encoding="utf-8")


def table() -> dict[str, list[str]]:
    text = PAGE[PAGE.index("\n## Limits\n") :]
    rows = re.findall(r"^\| (.+) \|$", text[: text.index("\nWhat these limits are not")], re.MULTILINE)
    return {
        cells[0]: cells[1:]
        for row in rows[1:]
        if len(cells := [cell.strip() for cell in row.split("|")]) == 4
    }


def test_the_defaults_are_those_of_the_code() -> None:
    told = {name: cells[0] for name, cells in table().items()}
    assert told == {
        "memory": f"{DEFAULT.memory} MiB",
        "processor time": "no limit" if DEFAULT.cpu is None else f"{DEFAULT.cpu} s",
        "one file": f"{DEFAULT.file_size} MiB",
        "open files": str(DEFAULT.files),
        "processes": f"{DEFAULT.processes} more than the whole system ran",
        "core files": "none",
        "start": f"{DEFAULTS.bot_start:g} s",
        "error output kept": f"{seats.TAIL // 1024} KiB",
    }


def test_the_options_are_those_of_both_commands() -> None:
    told = {word.strip("`") for cells in table().values() for word in cells[1].split() if word}
    context = click.Context(main)
    for name in ("serve", "match"):
        command = main.get_command(context, name)
        assert command is not None
        options = {option for parameter in command.params for option in parameter.opts}
        assert told == {option for option in options if option.startswith("--bot-")} <= options


def test_the_words_for_an_end_are_those_of_the_code() -> None:
    told = {word for cells in table().values() for word in re.findall(r"`(limit-[a-z-]+)`", cells[2])}
    ends = ("SIGXCPU", "SIGXFSZ", "MemoryError", "Too many open files", "can't start new thread")
    given = {Limits().ended_by(f"exit status 1 {end}", Usage(), end) for end in ends}
    assert told == given
