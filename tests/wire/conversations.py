"""Reads the conversations of protocol.md: who sends what, who receives what, what the placeholders mean."""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.wire.page import blocks

SENT, RECEIVED, BROKEN = "sent", "received", "broken"

_TILE = "[SMP](?:10|[1-9])"
MEANINGS = {
    "secret": "[A-Za-z0-9_-]{1,128}",
    "token": "[A-Za-z0-9_-]{1,128}",
    "seed": "[0-9a-f]{32}",
    "hand": f"{_TILE}(?:,{_TILE})*",
    "tile": _TILE,
    "absent": _TILE,
    "kind": "[CMT]",
    "building": "[IB][CMT]",
    "digit": "[1-9]",
    "ms": "(?:0|[1-9][0-9]*)",
}
EXAMPLES = {
    "secret": "0123abcd",
    "token": "4567efgh",
    "seed": "0123456789abcdef" * 2,
    "hand": "S1,S2,S3,M1,M2,M3,P1,P2,P3",
    "tile": "S1",
    "absent": "S10",
    "kind": "C",
    "building": "BT",
    "digit": "1",
    "ms": "59000",
}
_PLACEHOLDER = re.compile(r"<([a-z]+)>|(…)")


class Step(NamedTuple):
    """One line of a conversation: the peer (C for the only client), the direction and the text."""

    peer: str
    direction: str
    text: str


def conversations() -> dict[str, list[Step]]:
    """All conversations by name; ValueError for a line that is of no known form."""
    return {name: [_step(line) for line in text.splitlines()] for name, text in blocks("conversation")}


def _step(line: str) -> Step:
    for pattern, direction in (("C: ", SENT), ("S: ", RECEIVED)):
        if line.startswith(pattern):
            return Step("C", direction, line[3:])
    found = re.fullmatch(r"([A-Z])(?:([<>]) (.+)|!)", line)
    if found is None:
        raise ValueError(f"no line of a conversation: {line!r}")
    if found[2] is None:
        return Step(found[1], BROKEN, "")
    return Step(found[1], SENT if found[2] == ">" else RECEIVED, found[3])


def pattern(text: str) -> re.Pattern[str]:
    """What a received line must match as a whole; `…` is any text, also none."""

    def part(found: re.Match[str]) -> str:
        return ".*" if found[2] else MEANINGS[found[1]]

    pieces = _PLACEHOLDER.split(text)
    literal = [re.escape(piece) for piece in pieces[::3]]
    holes = [part(found) for found in _PLACEHOLDER.finditer(text)]
    return re.compile("".join(a + b for a, b in zip(literal, [*holes, ""], strict=True)))


def example(text: str) -> str:
    """The line with an example in place of each placeholder; `…` becomes nothing."""
    return _PLACEHOLDER.sub(lambda found: "" if found[2] else EXAMPLES[found[1]], text)
