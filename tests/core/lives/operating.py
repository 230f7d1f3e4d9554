"""The operator of a life: club events of all kinds, aborted games, kicks and bans, and what mends it."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Literal, TypeAlias

from tests.core.lives.place import Place
from tyrusd.core import operator_words as words
from tyrusd.core.operator import OperatorError

Winner: TypeAlias = Literal["I", "B", "draw"]

_NAMES = ("cup", "Cup", "swiss", "all")
_KINDS = ("knockout", "swiss", "roundrobin")
_STEPS = ("close", "start", "start", "start", "pause", "go-on", "go-on", "drop", "drop", "cancel")


class Operating:
    """Takes random steps; banned: names that cannot come in now."""

    def __init__(self, place: Place, chance: random.Random) -> None:
        self._place, self._chance = place, chance
        self.banned: set[str] = set()

    def do(self, people: list[str]) -> None:
        """Take one step, or what cannot be."""
        chance = self._chance
        match chance.randrange(12):
            case 0 | 1:
                self.open()
            case 2 | 3 | 4 | 5 | 6:
                name = chance.choice(list(self._place.lobby.club.evenings) or ["cup"])
                step = chance.choice(_STEPS)
                what = chance.choice(people) if step == "drop" else None
                self._word(words.Event(step, name, what))  # type: ignore[arg-type]
            case 7 | 8:
                self._end_a_game()
            case 9:
                self._word(chance.choice((words.Pause(), words.Resume(), words.Resume())))
            case 10:
                self._word(words.Kick(chance.choice(people)))
            case _:
                name = chance.choice(people)
                self.banned.symmetric_difference_update({name})
                self._word(words.Ban(name) if name in self.banned else words.Unban(name))

    def open(self) -> str:
        """Open an event; return its name."""
        chance = self._chance
        rounds = chance.choice((None, None, 1, 2, 3))
        clock = chance.choice((None, "60+1", "5+0"))
        variant = chance.choice((None, None, "replay-ties"))
        name, kind = chance.choice(_NAMES), chance.choice(_KINDS)
        self._word(words.Event("open", name, kind, clock, None, rounds, variant))
        return name

    def _end_a_game(self) -> None:
        games = list(self._place.server.tables)
        if games:
            game, chance = self._chance.choice(games), self._chance
            winners: tuple[Winner, ...] = ("I", "B", "draw", "draw")
            if chance.random() < 0.4:
                self._word(words.Abort(game))
            else:
                self._word(words.Adjudicate(game, chance.choice(winners)))

    def _word(self, word: words.Word) -> None:
        with suppress(OperatorError):
            self._place.lobby.operator.do(word, self._place.now)
        self._place.run()

    # -- the last evening ----------------------------------------------------------------------------------

    def heal(self) -> None:
        """Let everybody in, and games begin."""
        for name in sorted(self.banned):
            self._word(words.Unban(name))
        self.banned.clear()
        self._word(words.Resume())

    def let_begin(self) -> None:
        """Start what is open, or cancel it where nobody has come; go on with what is paused."""
        for name, event in [(at, evening.event) for at, evening in self._place.lobby.club.evenings.items()]:
            if event.state in ("open", "closed"):
                step = "start" if len(event.entrants) > 1 else "cancel"
                self._word(words.Event(step, name))  # type: ignore[arg-type]
            elif event.state == "paused":
                self._word(words.Event("go-on", name))

    def open_events(self) -> list[str]:
        """The events that have not ended."""
        found = [evening.event for evening in self._place.lobby.club.evenings.values()]
        return [repr(event) for event in found if not event.ended]
