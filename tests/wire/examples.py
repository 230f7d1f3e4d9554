"""One good message of every type, to be sent, damaged or attacked."""

from __future__ import annotations

from typing import Any

from tyrusd.wire import Message
from tyrusd.wire.schema import SCHEMA_OF

VIEW = (
    "side=I variant=standard opener=I election=1 turn=1 move=I kind=C cards=C won=- hand=S1 reserve=21 "
    "board=- past=-"
)
GOOD: dict[str, Any] = {
    "number": 1, "time": None, "lenient": None, "switch": "off", "count": 1, "nine": 1, "six": 1,
    "tile": "S1", "face": "?", "building": "IC", "side": "I", "viewer": "-", "result": "N", "kind": "C",
    "player-kind": "bot", "cost": "retry", "name": "anna", "game": "g1", "word": "w", "tag": "t",
    "secret": "s", "version": "0.1", "verb": "who", "variant-name": "standard", "seed": "0" * 32,
    "clock": "none",
    "cap": "none", "won": "-", "three-faces": "?,?,?", "group": "-", "list": ("events",),
    "outcome": "lost", "direction": "S", "decline-word": "busy", "part": "placed", "finding": "failed",
    "nine-kinds": "CCCMMMTTT",
    "thirty-tiles": ",".join(["S1"] * 30), "four-sums": "1,2,3,4",
    "event-kind": "swiss", "points": "2.5", "yes-no": "yes", "elo": -12,
    "counted": "flagged",
}  # fmt: skip
CODES = {"error": "syntax", "bye": "bye", "notice": "storage", "over": "majority", "player": "free",
         "result": "majority", "recorded": "majority", "verdict": "timeout", "declined": "busy",
         "event": "open", "standing": "out", "encounter": "called"}  # fmt: skip


def good(kind: type[Message]) -> Message:
    schema = SCHEMA_OF[kind]
    verb = kind.verb
    values = {
        field.attribute: CODES[verb] if field.kind.name == "code" else GOOD[field.kind.name]
        for field in schema.core
    }
    values |= {
        key.attribute: CODES[verb] if key.kind.name == "code" else GOOD[key.kind.name] for key in schema.keys
    }
    if schema.view:
        values["view"] = VIEW
    if schema.text:
        values["text"] = "a sentence"
    return kind(**values)


MESSAGES = [good(kind) for kind in SCHEMA_OF]
