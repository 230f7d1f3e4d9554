"""The hooks a bot plugin may implement, as pluggy knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import pluggy

from tyrusd.sdk.options import Option, OptionValue
from tyrusd.sdk.request import Placement, Request

PROJECT: Final = "tyrusd"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec(firstresult=True)
def tyrusd_choose(requests: Sequence[Request]) -> Sequence[Placement]:  # type: ignore[empty-body]
    """Answer every request that waits, in the same order (never empty; each belongs to another game)."""


@hookspec(firstresult=True)
def tyrusd_about() -> str:  # type: ignore[empty-body]
    """Tell in one line what this bot is; `tyrusd plugins` shows it."""


@hookspec(firstresult=True)
def tyrusd_options() -> Sequence[Option]:  # type: ignore[empty-body]
    """Declare the options that a seat of this bot may have."""


@hookspec
def tyrusd_configure(options: Mapping[str, OptionValue]) -> None:
    """Take the values of all declared options, once, before the first game."""


HOOKS: Final = ("tyrusd_choose", "tyrusd_about", "tyrusd_options", "tyrusd_configure")
