"""The effective configuration of `tyrusd serve`, as its file, the environment and what was typed make it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from tyrusd.commands.running import usage

if TYPE_CHECKING:
    from tyrusd.host.configuration.reading import Configuration


class Reread:
    """Reads the configuration, also anew: file and environment may have changed, what was typed has not."""

    def __init__(self, file: Path | None, ctx: click.Context | None = None) -> None:
        self._file = file
        self._options = {} if ctx is None else _typed(ctx)

    def __call__(self) -> Configuration:
        """The configuration; all that is wrong with it is told and ends the command."""
        from tyrusd.host.configuration.reading import ConfigurationError

        try:
            return self.again()
        except ConfigurationError as error:
            usage(str(error))

    def again(self) -> Configuration:
        """The configuration; raises ConfigurationError."""
        from tyrusd.host.configuration.reading import read_configuration

        return read_configuration(self._file, os.environ, self._options)


def _typed(ctx: click.Context) -> dict[str, Any]:
    """What was typed, by the paths of the keys."""
    from tyrusd.host.configuration.keys import KEYS

    keys = {key.option: key for key in KEYS}
    found: dict[str, Any] = {}
    for parameter in ctx.command.params:
        key = keys.get(parameter.opts[0])
        if key is None or ctx.get_parameter_source(str(parameter.name)) is not ParameterSource.COMMANDLINE:
            continue
        value = ctx.params[str(parameter.name)]
        if key.option == "--bot":
            value = {name: str(seat) for name, seat in _named(key.option, value).items()}
        elif key.option == "--anchor":
            value = _named(key.option, value)
        elif key.option == "--no-guests":
            value = False
        found[key.path] = value
    return found


def _named(option: str, bots: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    from tyrusd.core.names import name_fault

    found: dict[str, Any] = {}
    for name, value in bots:
        fault = name_fault(name)
        if fault is not None:
            usage(f"{option} {name}=: {fault}")
        if name.lower() in {known.lower() for known in found}:
            usage(
                f"{option} {name}= is given twice: names must differ, also in more than upper and lower case"
            )
        found[name] = value
    return found
