"""What is typed behind `tyrusd admin`: negative numbers are no options, and faults are told in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import click

from tyrusd.core.bans import MOST_MINUTES
from tyrusd.core.operator_words import LONGEST_TEXT

_NEGATIVE: Final = re.compile(r"-[0-9]+")
_FIELD: Final = re.compile(r"\$\.([a-z]+)")
_WANTED: Final = {
    "winner": "the winner is I, B or draw",
    "minutes": f"a ban lasts a whole number of minutes, 1 to {MOST_MINUTES}",
    "text": f"an announcement has 1 to {LONGEST_TEXT} letters",
    "rounds": "rounds= is a whole number, 0 to 1000",
}


class AdminCommand(click.Command):
    """A command that takes a negative number as an argument, so that it can say what is wrong with it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        ctx.ignore_unknown_options = any(map(_NEGATIVE.fullmatch, args))
        return super().parse_args(ctx, args)


def wrong_field(problem: str, values: Mapping[str, Any]) -> str:
    """Say in words which value cannot be; problem: what the reader of fields says, naming it as $.FIELD."""
    found = _FIELD.search(problem)
    field = "" if found is None else found[1]
    if field not in values:
        return "something in it cannot be"
    value = str(values[field])
    shown = repr(value if len(value) <= 64 else f"{value[:61]}...")
    return f"{_WANTED.get(field, f'the {field} has 1 to 64 letters')}, not {shown}"
