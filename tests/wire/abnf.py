"""Turns ABNF (RFC 5234, with %s of RFC 7405) into regular expressions; for grammars without recursion."""

from __future__ import annotations

import re
from functools import cache

CORE = {
    "ALPHA": "[A-Za-z]",
    "DIGIT": "[0-9]",
    "SP": " ",
}
_TOKEN = re.compile(
    r"""\s*(?:
      (?P<text>%s"[^"]*"|"[^"]*")
    | (?P<codes>%x[0-9A-F]+(?:-[0-9A-F]+)?)
    | (?P<repeat>[0-9]*\*[0-9]*|[0-9]+)(?=[A-Za-z("%\[])
    | (?P<name>[A-Za-z][A-Za-z0-9-]*)
    | (?P<mark>[()\[\]/])
    )""",
    re.VERBOSE,
)


class Grammar:
    """A set of rules; `matches` tells whether a text follows one of them as a whole."""

    def __init__(self, text: str) -> None:
        self.rules = _rules(text)
        self.used: set[str] = set()
        self.expression = cache(self._expression)

    def matches(self, rule: str, text: str) -> bool:
        return re.fullmatch(self.expression(rule), text) is not None

    def _expression(self, rule: str) -> str:
        if rule in CORE:
            return CORE[rule]
        tokens = _tokens(self.rules[rule])
        expression, rest = self._alternatives(tokens)
        if rest:
            raise ValueError(f"{rule}: {rest} is left over")
        return expression

    def _alternatives(self, tokens: list[tuple[str, str]]) -> tuple[str, list[tuple[str, str]]]:
        options = [""]
        while tokens and tokens[0][1] not in (")", "]"):
            if tokens[0] == ("mark", "/"):
                options.append("")
                tokens = tokens[1:]
                continue
            element, tokens = self._element(tokens)
            options[-1] += element
        if "" in options:
            raise ValueError("an empty alternative")
        return f"(?:{'|'.join(options)})", tokens

    def _element(self, tokens: list[tuple[str, str]]) -> tuple[str, list[tuple[str, str]]]:
        (kind, value), tokens = tokens[0], tokens[1:]
        if kind == "repeat":
            element, tokens = self._element(tokens)
            least, star, most = value.partition("*")
            return f"{element}{{{least or 0},{most if star else least}}}", tokens
        if kind == "mark":
            inner, tokens = self._alternatives(tokens)
            return inner + ("?" if value == "[" else ""), tokens[1:]
        if kind == "name":
            self.used.add(value)
            return self.expression(value), tokens
        if kind == "codes":
            first, _, last = value[2:].partition("-")
            return f"[{_escaped(first)}-{_escaped(last or first)}]", tokens
        if value.startswith("%s"):
            return re.escape(value[3:-1]), tokens
        if value.lower() != value.upper():
            raise ValueError(f"{value} is not case-sensitive; write %s{value}")
        return re.escape(value[1:-1]), tokens


def _escaped(code: str) -> str:
    return f"\\U{int(code, 16):08x}"


def _tokens(text: str) -> list[tuple[str, str]]:
    found = []
    at = 0
    while at < len(text.rstrip()):
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            raise ValueError(f"not ABNF: {text[at:]!r}")
        found.append((match.lastgroup, match[match.lastgroup]))
        at = match.end()
    return found


def _rules(text: str) -> dict[str, str]:
    rules: dict[str, str] = {}
    name = ""
    for commented in text.splitlines():
        line = re.sub(r'^((?:[^";]|"[^"]*")*);.*', r"\1", commented).rstrip()
        start = re.match(r"([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)", line)
        if start:
            name = start[1]
            if name in rules:
                raise ValueError(f"{name} is defined twice")
            rules[name] = start[2]
        elif line.strip():
            rules[name] += " " + line.strip()
    return rules
