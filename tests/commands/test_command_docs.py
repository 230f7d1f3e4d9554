"""docs/commands.md says of every command what the program does."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from tyrusd.commands import COMMANDS, main, running
from tyrusd.core.seatspec import parse_seat

PAGE = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")


def command_named(name: str) -> click.Command:
    found = main.get_command(click.Context(main), name)
    assert found is not None
    return found


def section(title: str) -> str:
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, f"there is no section {title!r}"
    return found[1]


def rows(text: str, head: str) -> list[list[str]]:
    """The rows of the table of a text that begins with this cell."""
    lines = text.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {head} |"))
    found = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        cells = re.split(r"(?<!\\)\|", line)[1:-1]
        found.append([cell.strip().replace("\\|", "|") for cell in cells])
    return found


def written(option: click.Option) -> str:
    """An option as the page writes it: with its metavar."""
    if option.is_flag:
        return "/".join((*option.opts, *option.secondary_opts)) if option.secondary_opts else option.opts[0]
    choices = option.type.choices if isinstance(option.type, click.Choice) else ()
    return f"{option.opts[0]} {option.metavar or '|'.join(map(str, choices))}"


def option_of(row: list[str]) -> str:
    """The option of a row, without its metavar and what switches it off."""
    return re.split("[ /]", row[0].strip("`"))[0]


def options_of(name: str) -> list[click.Option]:
    return [parameter for parameter in command_named(name).params if isinstance(parameter, click.Option)]


def test_every_command_has_a_section_and_no_other_has() -> None:
    sections = re.findall(r"^## tyrusd (\S+)$", PAGE, re.MULTILINE)
    assert sections == list(COMMANDS) == main.list_commands(click.Context(main))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_options_of_a_command_are_in_its_table_in_order(name: str) -> None:
    shown = [row[0].strip("`") for row in rows(section(f"tyrusd {name}"), "option")]
    assert shown == [written(option) for option in options_of(name)]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_defaults_are_those_of_the_program(name: str) -> None:
    shown = {
        re.split("[ /]", row[0].strip("`"))[0]: row[1] for row in rows(section(f"tyrusd {name}"), "option")
    }
    for option in options_of(name):
        told = shown[option.opts[0]]
        if option.is_flag and not option.secondary_opts:
            assert told == "off"
        elif option.show_default:
            default = option.default
            assert told == (f"{default:g}" if isinstance(default, float) else str(default))
        elif told:  # it is worked out when the command runs; the help says how
            assert option.help is not None
            assert f"[default: {told.replace('`', '')}]" in option.help


@pytest.mark.parametrize("name", COMMANDS)
def test_the_usage_is_the_program_s(name: str) -> None:
    command = command_named(name)
    usage = command.get_usage(click.Context(command, info_name=f"tyrusd {name}"))
    assert f"    {usage.removeprefix('Usage: ')}\n" in section(f"tyrusd {name}")


@pytest.mark.parametrize("name", COMMANDS)
def test_ranges_in_the_page_are_those_of_the_program(name: str) -> None:
    shown = {
        re.split("[ /]", row[0].strip("`"))[0]: row[2] for row in rows(section(f"tyrusd {name}"), "option")
    }
    for option in options_of(name):
        kind = option.type
        if isinstance(kind, click.IntRange | click.FloatRange) and kind.min:
            assert f"{kind.min:g} to {int(kind.max or 0)}" in shown[option.opts[0]]


def test_the_exit_codes_are_those_of_the_program() -> None:
    told = {int(code) for code, _ in rows(section("Exit codes"), "code")}
    assert told == {
        0, running.FAILURE, running.USAGE, running.MISSING_EXTRA, running.GATE,
        running.FAILED_STEPS, running.INTERRUPTED,
    }  # fmt: skip
    assert (running.Failure("").exit_code, running.Refusal("").exit_code) == (1, 2)
    assert running.Interruption("").exit_code == 130


def test_the_seats_of_the_page_can_be_written() -> None:
    for seat, _ in rows(section("Seats"), "seat"):
        parse_seat(seat.strip("`"))
