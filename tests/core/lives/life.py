"""One random life of a lobby, from one seed: everything that people and its operator do, and many deaths."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.core.lives.doings import Doings
from tests.core.lives.place import HOUSES, Died, Place
from tests.core.lives.truth import Truth

_STEPS = (30, 140)
_CHANGED = 0.06  # how often a restart changes what is configured
_AT_ONCE = 0.15  # how often a server dies over the first that it writes
_BACK = 0.6  # how often somebody comes back at once
_ANYWHERE = 0.1  # how often the whole journal of a life is cut anywhere
_PREFIXES = 12
_SOON = 0.4  # how often a program that was asked for is seen to in the next step
_ROUNDS = 400  # of the last evening, in which everybody plays to the end


class Life:
    """Servers on one journal, until everybody has gone home."""

    def __init__(self, seed: int, path: Path) -> None:
        chance = self.chance = random.Random(seed)
        self.truth = Truth()
        self.place = Place(path, chance, ladder=chance.random() < 0.6)
        self.doings = Doings(self.place, self.truth, chance)
        self.people, self.houses = self.doings.people, self.doings.houses
        self.operating = self.doings.operating
        self.deaths = 0

    def live(self) -> Counter[str]:
        """Live to the end; return what happened how often. Raises AssertionError for a broken promise."""
        mood = self.chance.choice((self._quiet, self._wild, self._evening, self._evening))
        weighed = mood()
        steps, weights = list(weighed), list(weighed.values())
        for person in self.people:
            self.do(lambda person=person: self.doings.let_in(person))  # type: ignore[misc]
        if mood == self._evening:
            self.do(self.doings.begin_an_evening)
        for _ in range(self.chance.randint(*_STEPS)):
            self.do(self.chance.choices(steps, weights)[0])
        self._last_evening()
        self.truth.counts["lives"] += 1
        self.truth.counts["deaths"] += self.deaths
        return self.truth.counts

    def _quiet(self) -> dict[Callable[[], None], float]:
        do = self.doings
        return {
            do.come: 10, do.play: 7, do.answer: 8, do.play_out: 2, do.resign: 3, do.talk: 4, do.ladder: 2,
            do.club: 1, do.operate: 1, do.go: 1, do.house: 1, do.pass_time: 4, do.trouble: 0.5,
            self._die: 1, self._drain: 0.1,
        }  # fmt: skip

    def _wild(self) -> dict[Callable[[], None], float]:
        do = self.doings
        return self._quiet() | {self._die: 4, do.go: 3, do.trouble: 2, do.operate: 3, do.club: 3}

    def _evening(self) -> dict[Callable[[], None], float]:
        do = self.doings
        few = {self._die: 2, do.play: 2, do.miss: 1}
        return self._quiet() | few | {do.club: 6, do.operate: 5, do.resign: 6}

    def do(self, step: Callable[[], None]) -> None:
        """Take a step, and start the next server if this one dies over it."""
        try:
            step()
            self._tidy()
        except Died:
            self._restart("amid")

    def _tidy(self) -> None:
        for person in (*self.people, *self.houses.values()):
            if person.pings:
                person.pong()
        if self.place.programs and self.chance.random() < _SOON:
            self.doings.house()

    # -- dying ---------------------------------------------------------------------------------------------

    def _die(self) -> None:
        """Now, or soon and in the middle of something."""
        if self.chance.random() < 0.6:
            self.place.fuse = self.chance.randint(1, 14)
            return
        self.truth.as_replayed(self.place)
        self._restart("power" if self.chance.random() < 0.25 else "between")

    def _drain(self) -> None:
        """The server closes in peace, and is started again."""
        place = self.place
        place.act(lambda: place.server.drain(place.now, self.chance.choice((0.0, 5.0))))
        if self.chance.random() < 0.7:
            place.slow = place.full = False
            place.sync()
            place.wait(40)
            assert place.server.finished
        self._restart("drain")

    def _restart(self, how: str) -> None:
        self.deaths += 1
        self.truth.counts[f"killed {how}"] += 1
        self.place.kill(how == "power")
        self._configure()
        if how == "power":
            self.truth.power_lost(self.place)
            for person in self.people:
                person.doubtful = True
        self._start(how)

    def _configure(self) -> None:
        """Now and then the next server has other bots, no ladder, or another time of day."""
        if self.chance.random() < _CHANGED:
            self.place.ladder = not self.place.ladder
        if self.chance.random() < _CHANGED:
            self.place.wall += self.chance.choice((-90_000.0, -7.0, 90_000.0))
        kept = [name for name in HOUSES if self.chance.random() > _CHANGED]
        self.place.houses = {name: HOUSES[name] for name in kept}

    def _start(self, how: str) -> None:
        """Start a server; whoever plays, as far as it knows, or is in an event, is let in again."""
        place = self.place
        events = [evening.event for evening in place.lobby.club.evenings.values()]
        tables = place.server.tables  # whose results are on the way may be told by `results` alone
        running = {game for game, table in tables.items() if table.ending is None}
        sure = how == "between"  # else the server may have been about to let somebody in
        playing = {person.name: running & person.playing.keys() for person in self.people}
        entered = {
            person.name
            for person in self.people
            if sure and person.here and any(each.plays(person.name) for each in events)
        }
        for person in (*self.people, *self.houses.values()):
            person.forget()
        place.start()
        self.truth.restarted(place)
        if self.chance.random() < _AT_ONCE:
            place.fuse = self.chance.randint(1, 6)
        try:
            place.run()
            for person in self.chance.sample(self.people, len(self.people)):
                if self.chance.random() < _BACK and person.secret:
                    back = person.resume()
                    kept_out = person.name in self.operating.banned or person.name in place.off
                    goes_on = sure and playing[person.name] & place.server.tables.keys()
                    may = kept_out or person.doubtful or not (goes_on or person.name in entered)
                    assert back or may, f"{person.name} plays and cannot come back"
        except Died:
            self._restart("amid")

    # -- the end -------------------------------------------------------------------------------------------

    def _last_evening(self) -> None:
        """All come back and play, and every event reaches its end; then all go home and nothing is left."""
        for name in list(self.place.off):
            self.do(lambda name=name: self.place.disable(name))  # type: ignore[misc]
        for number in range(_ROUNDS):
            self.do(self._heal)
            if number < 3 and self.chance.random() < 0.2:
                self.place.fuse = self.chance.randint(1, 40)
            self.do(lambda number=number: self._finish(number))  # type: ignore[misc]
            if self._all_over:
                break
        else:
            raise AssertionError(
                f"still not over: {self.operating.open_events()}, {[*self.place.server.tables]}"
            )
        self.place.fuse = None
        self.place.off.clear()
        self.truth.as_replayed(self.place)
        self.do(self._go_home)
        self.truth.journal(self.place)
        self.truth.tally(self.place)
        self._begin_anywhere()
        self.truth.at_the_end(self.place)
        self._restart("at the end")
        for person in (*self.people, *self.houses.values()):
            person.lose()
        self.place.wait(7200)
        self.truth.at_the_end(self.place)

    def _begin_anywhere(self) -> None:
        """Start a server after some records of the whole journal; nobody comes back, and nothing is left."""
        frames = self.place.frames
        if self.chance.random() > _ANYWHERE or not frames:
            return
        path = self.place.path.with_suffix(".part")
        for count in self.chance.choices(range(len(frames)), k=_PREFIXES):
            part = Place(path, self.chance, self.place.ladder, frames[:count])
            truth = Truth()
            truth.restarted(part)
            part.run()
            part.wait(7200)
            truth.as_replayed(part)
            truth.at_the_end(part)
            self.truth.counts["started anywhere"] += 1
        path.unlink()

    @property
    def _all_over(self) -> bool:
        return not (self.place.server.tables or self.operating.open_events())

    def _heal(self) -> None:
        place = self.place
        place.full = place.slow = False
        place.sync()
        place.run()
        self.operating.heal()
        for request in place.programs:
            self.houses[request.name].start(request.id)
        place.programs.clear()
        for person in self.people:
            if not person.here:
                self.doings.let_in(person)
            for offer in list(person.offers):
                person.say(f"decline {offer}")

    def _finish(self, number: int) -> None:
        if not number:
            for person in self.people:
                person.say("cancel")
                person.say("ladder off")
        self.operating.let_begin()
        for person in self.doings.players():
            for game in list(person.playing):
                if self.chance.random() < 0.5:
                    person.say(f"resign {game}")
                else:
                    person.answer(game)
        self.place.wait((1.0, 2.0, 65.0, 310.0)[number % 4])

    def _go_home(self) -> None:
        for person in self.people:
            person.say("quit")
        for house in self.houses.values():
            house.lose()
        self.place.wait(7200)
