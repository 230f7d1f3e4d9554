"""Loads one bot module with pluggy and checks it, so that a broken plugin is told in one sentence."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from types import ModuleType
from typing import Final

import pluggy

from tyrusd.rules.pieces import Building, Tile
from tyrusd.sdk import hooks
from tyrusd.sdk.request import Placement, Request

ABOUT_LIMIT: Final = 200  # characters: one line of a terminal table, whatever a plugin returns


class BrokenPlugin(Exception):  # noqa: N818 - the word that `tyrusd plugins` prints
    """The plugin cannot be used; `reason` is one sentence that names the module and the cause."""

    def __init__(self, module: str, cause: str) -> None:
        self.reason = f"{module}: {cause}"
        super().__init__(self.reason)


class Bot:
    """A loaded plugin: calls its hooks and checks the types of what they return."""

    __slots__ = ("_hooks", "module")

    def __init__(self, module: str, manager: pluggy.PluginManager) -> None:
        self.module = module
        self._hooks = manager.hook

    def choose(self, requests: Sequence[Request]) -> list[Placement]:
        """Ask the bot for all of `requests` at once; as many placements in the same order.

        Raises BrokenPlugin if the answer has another shape, and whatever the bot itself raises. Whether a
        placement is legal is not looked at: the server judges that, and nothing is ever put in its place.
        """
        answer = self._hooks.tyrusd_choose(requests=requests)
        if not isinstance(answer, Sequence) or isinstance(answer, str | bytes):
            raise BrokenPlugin(
                self.module, f"tyrusd_choose returned {_named(answer)}, not a list of Placement"
            )
        if len(answer) != len(requests):
            raise BrokenPlugin(
                self.module, f"tyrusd_choose returned {len(answer)} placements for {len(requests)} requests"
            )
        for placement in answer:
            if not isinstance(placement, Placement):
                raise BrokenPlugin(
                    self.module, f"tyrusd_choose returned {_named(placement)} among its placements"
                )
            if not (isinstance(placement.tile, Tile) and isinstance(placement.building, Building)):
                raise BrokenPlugin(self.module, f"tyrusd_choose returned {placement!r}, not (Tile, Building)")
        return list(answer)

    def about(self) -> str:
        """Return the bot's line about itself; raises BrokenPlugin if it is not one line of printable text."""
        line = self._hooks.tyrusd_about()
        if not isinstance(line, str):
            raise BrokenPlugin(self.module, f"tyrusd_about returned {_named(line)}, not a text")
        if not line.strip() or not line.isprintable() or len(line) > ABOUT_LIMIT:
            raise BrokenPlugin(
                self.module, f"tyrusd_about must return one printable line of 1 to {ABOUT_LIMIT} characters"
            )
        return line


def load(module: str) -> Bot:
    """Import `module` (a dotted name) and register its hooks; raises BrokenPlugin with the cause.

    Import errors of every kind, an unknown hook name, wrong hook arguments and a missing hook are all causes.
    """
    plugin = _imported(module)
    manager = pluggy.PluginManager(hooks.PROJECT)
    manager.add_hookspecs(hooks)
    try:
        manager.register(plugin, name=module)
        # Without this pluggy keeps silent about a misspelt hook, and the bot would simply never be asked.
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        cause = "; ".join(line.strip() for line in str(error).splitlines())
        raise BrokenPlugin(module, f"{cause} (the hooks are {', '.join(hooks.HOOKS)})") from error
    for hook in hooks.HOOKS:
        if not getattr(manager.hook, hook).get_hookimpls():
            defined = hasattr(plugin, hook)
            raise BrokenPlugin(
                module, f"{hook} lacks @hookimpl" if defined else f"the hook {hook} is missing"
            )
    return Bot(module, manager)


def _imported(module: str) -> ModuleType:
    if ":" in module or not all(part.isidentifier() for part in module.split(".")):
        raise BrokenPlugin(module, "an entry point must name a module, like package.module")
    try:
        return importlib.import_module(module)
    except (
        Exception,
        SystemExit,
    ) as error:  # a plugin may raise anything; that it cannot be used is all we need
        raise BrokenPlugin(module, f"the import failed: {told(error)}") from error


def told(error: BaseException) -> str:
    """Return an exception as one line: its type and the first line of its text."""
    text = str(error).strip().partition("\n")[0]
    name = type(error).__name__
    return f"{name}: {text}" if text else name


def _named(value: object) -> str:
    return "None" if value is None else type(value).__name__
