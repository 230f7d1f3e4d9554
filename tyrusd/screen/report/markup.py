"""Builds HTML in which whatever is not markup already is text, whoever wrote it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from html import escape
from typing import Final, TypeAlias

from tyrusd.screen.clean import printable

LONGEST_NAME: Final = 48
_EMPTY: Final = frozenset({"meta", "input", "br"})


class Markup(str):
    """Text that is HTML already; only this room makes any."""

    __slots__ = ()


Child: TypeAlias = str | int | None
Value: TypeAlias = str | int | float | bool | None


def text(words: str) -> Markup:
    """Return words as HTML text; a character that is not to be seen becomes a question mark."""
    if words.isascii() and words.isprintable():
        return Markup(escape(words, quote=True))
    return Markup(escape(printable(words), quote=True))


def short(name: str) -> str:
    """Return a name that does not fill a page."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def join(parts: Iterable[Child], between: str = "") -> Markup:
    """Return parts one after the other; what is not markup is text, None is nothing."""
    return Markup(_child(between).join(_child(part) for part in parts if part is not None))


def tag(element: str, /, *children: Child, **attributes: Value) -> Markup:
    """Return an element; `class_` is class, `aria_label` is aria-label, None and False are left out."""
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if element in _EMPTY:
        return Markup(f"<{element}{written}>")
    return Markup(f"<{element}{written}>{join(children)}</{element}>")


def data_block(value: object, identity: str) -> Markup:
    """Return data for the scripts of a page: nothing in it can end the element, or be markup."""
    # All beyond ASCII is escaped by json, the line separators with it.
    words = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    for letter in "<>&":
        words = words.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(f'<script type="application/json" id="{text(identity)}">{words}</script>')


def _child(child: Child) -> str:
    if isinstance(child, Markup):
        return child
    return text(str(child))


def _attribute(key: str, value: Value) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    shown = f"{value:g}" if isinstance(value, float) else str(value)
    return f' {name}="{text(shown)}"'
