"""Reads from a bot's own signatures what it wants to be given: view, request or turn, and which options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, Final

_FORMS: Final = {"view": "view", "View": "view", "turn": "turn", "Turn": "turn"}
_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def is_async(function: Callable[..., Any]) -> bool:
    """Tell whether a function is to be awaited."""
    return inspect.iscoroutinefunction(function)


def form_of(choose: Callable[..., Any], options: Iterable[str]) -> str:
    """Return `view`, `request` or `turn`: what `choose` takes, by its annotation or else its name.

    Raises ValueError for another number of arguments, the options not counted.
    """
    asked = [
        parameter
        for parameter in _parameters(choose)
        if parameter.name not in options
        and (parameter.default is parameter.empty or parameter.kind in _POSITIONAL)
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    required = [parameter for parameter in asked if parameter.default is parameter.empty]
    if len(required) > 1 or not asked or asked[0].kind not in _POSITIONAL:
        raise ValueError("choose must take one argument: view, request or turn")
    first = asked[0]
    note = first.annotation
    if note is first.empty:
        return _FORMS.get(first.name, "request")
    word = note if isinstance(note, str) else getattr(note, "__name__", "")
    return _FORMS.get(word.strip("'\" ").rpartition(".")[2], "request")


def accepted(function: Callable[..., Any], names: Iterable[str]) -> set[str]:
    """Return which of the names can be passed to a function as keywords."""
    parameters = _parameters(function)
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return set(names)
    taken = {
        parameter.name
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }
    return taken.intersection(names)


def missing(function: Callable[..., Any], names: Iterable[str]) -> list[str]:
    """Return the arguments that a function needs and that are not among the names."""
    return [
        parameter.name
        for parameter in _parameters(function)
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and parameter.name not in names
    ]


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        # Something built in tells no signature: it is given the request.
        return [inspect.Parameter("request", inspect.Parameter.POSITIONAL_ONLY)]
