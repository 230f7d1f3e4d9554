"""The effective configuration of `tyrusd serve`, as its file, the environment and what was typed make it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from tyrusd.commands.running import usage

if TYPE_CHECKING:
    from tyrusd.core.ladder_terms import LadderTerms
    from tyrusd.core.seatspec import SeatSpec
    from tyrusd.host.configuration.reading import Configuration
    from tyrusd.host.confinement import Confinement


class Reread:
    """Reads the configuration, also anew: file and environment may have changed, what was typed has not."""

    def __init__(self, file: Path | None, ctx: click.Context | None = None) -> None:
        self._file = file
        self._options = {} if ctx is None else _typed(ctx)

    def __call__(self) -> Configuration:
        """The configuration; all that a server would not start with is told and ends the command."""
        from tyrusd.host.configuration.checking import faults
        from tyrusd.host.configuration.reading import ConfigurationError, read_configuration

        try:
            return read_configuration(self._file, os.environ, self._options, faults)
        except ConfigurationError as error:
            usage(str(error))

    def again(self) -> Configuration:
        """The configuration while a server runs: its files and addresses are those it has already.

        Raises ConfigurationError.
        """
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


class Prepared(NamedTuple):
    """What a server is started with, beside its configuration."""

    houses: dict[str, SeatSpec]
    ladder: LadderTerms | None
    confined: Confinement


def prepared(config: Configuration) -> Prepared:
    """Make of a configuration what a server wants; whatever is not installed ends the command.

    So do options that a bot does not have or cannot take.
    """
    from tyrusd.commands.options import confinement
    from tyrusd.commands.running import Missing, check_options
    from tyrusd.commands.standing import ladder_of
    from tyrusd.host.configuration.checking import houses_of

    houses = houses_of(config)
    check_options([houses[name] for name in config["bots.house"]])
    ladder = ladder_of(config, houses)
    confined = confinement(config["bots.sandbox"], config["bots.memory"], config["bots.cpu"])
    if config["metrics.listen"] is not None:
        try:
            import prometheus_client  # noqa: F401 -- to know before a port is opened
        except ImportError as error:
            raise Missing("--metrics wants prometheus-client; install: pip install 'tyrusd[web]'") from error
    return Prepared(houses, ladder, confined)
