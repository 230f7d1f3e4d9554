"""Turns the code of a sentence and its facts into the sentence, in one language.

Nothing else in the program holds words for people: another language is another table with the same codes.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from tyrusd.rules.pieces import Building, Kind, Side
from tyrusd.screen.english import ENGLISH
from tyrusd.screen.english_client import ENGLISH_CLIENT


class Texts:
    """All sentences of one language, by code."""

    __slots__ = ("_table",)

    def __init__(self, table: Mapping[str, str]) -> None:
        self._table = table

    def say(self, code: str, **facts: object) -> str:
        """Return the sentence of that code with the facts put in; KeyError for an unknown code."""
        return self._table[code].format_map(facts)

    def counted(self, code: str, number: int, **facts: object) -> str:
        """Return the sentence for one thing or for several: the rows `CODE.one` and `CODE.many`."""
        return self.say(f"{code}.one" if number == 1 else f"{code}.many", number=number, **facts)

    def knows(self, code: str) -> bool:
        """Tell whether there is a sentence of that code."""
        return code in self._table

    def side(self, side: Side) -> str:
        """Return the name of a side."""
        return self.say(f"side.{side.letter}")

    def winner(self, side: Side | None) -> str:
        """Return the name of the side that won an election, or the word for a null one."""
        return self.say("null") if side is None else self.side(side)

    def kind(self, kind: Kind) -> str:
        """Return the name of a kind of building."""
        return self.say(f"kind.{kind.letter}")

    def building(self, building: Building) -> str:
        """Return the name of one building, with the short name that is typed."""
        return self.say(f"building.{building.name}")

    def listed(self, items: Iterable[str]) -> str:
        """Return the items as one list, or the word for an empty one."""
        return self.say("comma").join(items) or self.say("nothing")


LANGUAGES: Final[Mapping[str, Texts]] = {"en": Texts({**ENGLISH, **ENGLISH_CLIENT})}
