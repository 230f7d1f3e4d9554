"""Loads one bot and checks it, so that a broken one is told in one sentence."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable
from functools import partial
from types import ModuleType
from typing import Any, Final

import pluggy

from tyrusd.sdk import hooks, signatures
from tyrusd.sdk.brains import Brain, BrokenPlugin, FunctionBot, GameBrain, HookBrain
from tyrusd.sdk.options import Option, WrongOptionError, check_declared, read_options

__all__ = ["ABOUT_LIMIT", "Bot", "BrokenPlugin", "load", "load_object", "told"]

ABOUT_LIMIT: Final = 200  # characters: one line of a terminal table, whatever a plugin returns
METHODS: Final = ("started", "event", "over")  # of an object; each is told, none is awaited


class Bot:
    """A loaded bot: what it is, which options it has, and the brain that plays with given options."""

    __slots__ = ("_declared", "_hooks", "_source", "_summary", "module")

    def __init__(self, module: str, source: Any, summary: str, manager: pluggy.PluginManager) -> None:
        self.module = module
        self._source = source  # None: the hook tyrusd_choose
        self._summary = summary
        self._hooks = manager.hook
        self._declared: tuple[Option, ...] | None = None

    def about(self) -> str:
        """Return the bot's line about itself; raises BrokenPlugin if it is not one line of printable text."""
        if not self._hooks.tyrusd_about.get_hookimpls():
            return self._summary
        line = self._hooks.tyrusd_about()
        if not isinstance(line, str):
            raise BrokenPlugin(self.module, f"tyrusd_about returned {_named(line)}, not a text")
        if not line.strip() or not line.isprintable() or len(line) > ABOUT_LIMIT:
            raise BrokenPlugin(
                self.module, f"tyrusd_about must return one printable line of 1 to {ABOUT_LIMIT} characters"
            )
        return line

    def options(self) -> tuple[Option, ...]:
        """Return the declared options; raises BrokenPlugin if they are not declared properly."""
        if self._declared is None:
            found: object = ()
            if self._hooks.tyrusd_options.get_hookimpls():
                found = self._hooks.tyrusd_options()
            try:
                self._declared = check_declared(found)
            except ValueError as error:
                raise BrokenPlugin(self.module, f"tyrusd_options returned {error}") from error
        return self._declared

    def shares_options_with(self, other: Bot) -> bool:
        """Tell whether the options of one bot would become those of the other: they have one hook."""
        ours, theirs = (
            {id(impl.function) for impl in bot._hooks.tyrusd_configure.get_hookimpls()}
            for bot in (self, other)
        )
        return not ours.isdisjoint(theirs)

    def brain(self, given: Iterable[tuple[str, str]] = ()) -> Brain:
        """Return the bot ready to play with the options of a seat, given as texts.

        Raises WrongOptionError for options it does not have or values they cannot have, BrokenPlugin if the
        bot cannot be made, and whatever the bot itself raises.
        """
        values = read_options(self.options(), given)
        source = self._source
        # An object is there already: only what is called can be given options.
        takes = source is not None and (isinstance(source, type) or not hasattr(source, "choose"))
        passed = {name: values[name] for name in signatures.accepted(source, values)} if takes else {}
        if self._hooks.tyrusd_configure.get_hookimpls():
            self._hooks.tyrusd_configure(options=dict(values))
        elif lost := sorted(values.keys() - passed.keys()):
            where = "the hook tyrusd_configure is missing"
            if takes:
                where = f"there is no such keyword argument, and {where}"
            raise BrokenPlugin(self.module, f"the option {lost[0]} reaches nothing: {where}")
        if source is None:
            return HookBrain(self.module, self._hooks.tyrusd_choose)
        return self._game_brain(source, passed)

    def _game_brain(self, source: Any, passed: dict[str, Any]) -> GameBrain:
        per_game = isinstance(source, type)
        if per_game:
            if needed := signatures.missing(source, passed):
                raise BrokenPlugin(
                    self.module, f"{source.__name__}() needs {needed[0]!r}, which is no option"
                )
            make: Callable[[], Any] = partial(source, **passed)
            bot = make()  # what its constructor cannot do is found out before any game
        else:
            bot = source if hasattr(source, "choose") else FunctionBot(partial(source, **passed))
            make = partial(_itself, bot)
        choose = source if isinstance(bot, FunctionBot) else getattr(bot, "choose", None)
        if not callable(choose):
            raise BrokenPlugin(self.module, f"{_named(bot)} has no method choose")
        try:
            form = signatures.form_of(choose, passed)
        except ValueError as error:
            raise BrokenPlugin(self.module, str(error)) from error
        for name in METHODS:
            if signatures.is_async(getattr(bot, name, len)):
                raise BrokenPlugin(self.module, f"{name} must not be async: only choose may be")
        follows = hasattr(bot, "event")
        if follows and not per_game:
            raise BrokenPlugin(
                self.module, "an object for all games cannot have event: name its class instead"
            )
        if form == "turn" and not follows:
            raise BrokenPlugin(self.module, "choose takes a turn, but there is no method event")
        wants = () if not follows else ("events",) if form == "turn" else ("events", "full")
        return GameBrain(
            self.module, make, view=form == "view", wants=wants, awaits=signatures.is_async(choose)
        )


def _itself(bot: Any) -> Any:
    return bot


def load(target: str) -> Bot:
    """Import MODULE or MODULE:ATTRIBUTE and find the bot in it; raises BrokenPlugin with the cause.

    A bot is what has the hook `tyrusd_choose`, or else the class `Bot` or the function `choose` of a module,
    or a class, a function or an object with `choose` that the attribute names. Import errors of every kind,
    an unknown hook name and wrong hook arguments are causes too.
    """
    name, colon, attribute = target.partition(":")
    parts = [*name.split("."), *(attribute.split(".") if colon else ())]
    if not all(part.isidentifier() for part in parts):
        raise BrokenPlugin(target, "a bot is named by its module, like package.module or package.module:Bot")
    module = _imported(target, name)
    found: Any = module
    for part in attribute.split(".") if colon else ():
        try:
            found = getattr(found, part)
        except AttributeError as error:
            raise BrokenPlugin(target, f"{name} has no {attribute!r}") from error
    return load_object(found, target, module)


def load_object(found: Any, name: str, module: ModuleType | None = None) -> Bot:
    """Make a bot of a module, class, function or object; `module` adds its hooks. Raises BrokenPlugin.

    What a bot without `tyrusd_about` is told as is the first line of its documentation.
    """
    sources = [found] if module is None or module is found else [found, module]
    manager = pluggy.PluginManager(hooks.PROJECT)
    manager.add_hookspecs(hooks)
    # The hooks of the object itself come first: pluggy asks the one that was registered last.
    for number, source in enumerate(reversed(sources)):
        _register(manager, source, name, f"{name} {number}")
    source = None if _has(found, "tyrusd_choose") else _source(found, name)
    return Bot(name, source, _summary(found) or _summary(source) or "tells nothing about itself", manager)


def _source(found: Any, name: str) -> Any:
    """The class, function or object that is asked."""
    if not isinstance(found, ModuleType):
        if not callable(found) and not hasattr(found, "choose"):
            raise BrokenPlugin(name, f"{_named(found)} is no function, no class and has no method choose")
        return found
    choices = [getattr(found, word) for word in ("Bot", "choose") if hasattr(found, word)]
    if len(choices) > 1:
        raise BrokenPlugin(name, f"it has both Bot and choose: name one of them, as in {name}:Bot")
    if not choices:
        raise BrokenPlugin(name, "there is no hook tyrusd_choose, no class Bot and no function choose")
    return choices[0]


def _summary(documented: object) -> str:
    first = (inspect.getdoc(documented) or "").partition("\n")[0].strip() if documented is not None else ""
    return first[:ABOUT_LIMIT] if first.isprintable() else ""


def _register(manager: pluggy.PluginManager, source: Any, name: str, label: str) -> None:
    try:
        manager.register(source, name=label)
        # Without this pluggy keeps silent about a misspelt hook, and the bot would simply never be asked.
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        cause = "; ".join(line.strip() for line in str(error).splitlines()).replace(label, name)
        raise BrokenPlugin(name, f"{cause} (the hooks are {', '.join(hooks.HOOKS)})") from error
    for hook in hooks.HOOKS:
        if hasattr(source, hook) and not _has(source, hook):
            raise BrokenPlugin(name, f"{hook} lacks @hookimpl")


def _has(source: Any, hook: str) -> bool:
    return hasattr(getattr(source, hook, None), f"{hooks.PROJECT}_impl")


def _imported(target: str, module: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except (
        Exception,
        SystemExit,
    ) as error:  # a plugin may raise anything; that it cannot be used is all we need
        raise BrokenPlugin(target, f"the import failed: {told(error)}") from error


def told(error: BaseException) -> str:
    """Return an exception as one line: its type and the first line of its text."""
    text = str(error).strip().partition("\n")[0]
    name = type(error).__name__
    if isinstance(error, WrongOptionError):
        return text
    return f"{name}: {text}" if text else name


def _named(value: object) -> str:
    return "None" if value is None else type(value).__name__
