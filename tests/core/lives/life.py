"""One random life of a lobby, from one seed: everything that people and its operator do, and many deaths."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.core.lives.operating import Operating
from tests.core.lives.person import Person
from tests.core.lives.place import ACCOUNTS, HOUSES, Died, Place
from tests.core.lives.truth import Truth

_STEPS = (30, 140)
_CLOCKS = ("", "", "clock=60+1", "clock=none cap=30", "clock=600+5")
_TERMS = ("", "", "", "rated=yes", "variant=replay-ties", "side=I", "side=B rated=yes")
_PEOPLE = (
    ("gus", "human", 1, False), ("hal", "bot", 2, False), ("ivy", "human", 1, False),
    ("bob", "bot", 3, True), ("cy", "bot", 1, True), ("dee", "bot", 2, True), ("eve", "bot", 1, True),
    ("ada", "human", 1, True),
)  # fmt: skip
_WAITS = (0.5, 1.5, 1.5, 1.5, 1.5, 4.0, 4.0, 8.0, 8.0, 30.0, 30.0, 61.0, 61.0, 310.0, 310.0, 1000.0, 7200.0)
_CHANGED = 0.06  # how often a restart changes what is configured
_AT_ONCE = 0.15  # how often a server dies over the first that it writes
_BACK = 0.6  # how often somebody comes back at once
_ROUNDS = 400  # of the last evening, in which everybody plays to the end


class Life:
    """Servers on one journal, until everybody has gone home."""

    def __init__(self, seed: int, path: Path) -> None:
        chance = self.chance = random.Random(seed)
        self.truth = Truth()
        self.place = Place(path, chance, ladder=chance.random() < 0.6)
        many = chance.randint(3, len(_PEOPLE))
        self.people = [Person(self.place, self.truth, *each) for each in sorted(chance.sample(_PEOPLE, many))]
        self.houses = {name: Person(self.place, self.truth, name, "bot", 4, False) for name in HOUSES}
        self.operating = Operating(self.place, chance)
        self.deaths = 0

    def live(self) -> Counter[str]:
        """Live to the end; return what happened how often. Raises AssertionError for a broken promise."""
        mood = self.chance.choice((self._quiet, self._wild, self._evening, self._evening))
        weighed = mood()
        steps, weights = list(weighed), list(weighed.values())
        for person in self.people:
            self.do(lambda person=person: self._let_in(person))  # type: ignore[misc]
        if mood == self._evening:
            self.do(self._begin_an_evening)
        for _ in range(self.chance.randint(*_STEPS)):
            self.do(self.chance.choices(steps, weights)[0])
        self._last_evening()
        self.truth.counts["lives"] += 1
        self.truth.counts["deaths"] += self.deaths
        return self.truth.counts

    def _quiet(self) -> dict[Callable[[], None], float]:
        return {
            self._come: 10, self._play: 7, self._answer: 8, self._play_out: 2, self._resign: 3, self._talk: 4,
            self._ladder: 2, self._club: 1, self._operate: 1, self._go: 1, self._house: 3, self._pass: 4,
            self._die: 1, self._trouble: 0.5,
        }  # fmt: skip

    def _wild(self) -> dict[Callable[[], None], float]:
        return self._quiet() | {self._die: 4, self._go: 3, self._trouble: 2, self._operate: 3, self._club: 3}

    def _evening(self) -> dict[Callable[[], None], float]:
        return self._quiet() | {
            self._club: 6,
            self._operate: 5,
            self._resign: 6,
            self._die: 2,
            self._play: 2,
            self._miss: 2,
        }

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
        """Now and then the next server has other bots, or no ladder."""
        if self.chance.random() < _CHANGED:
            self.place.ladder = not self.place.ladder
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

    # -- what people do ------------------------------------------------------------------------------------

    def _one(self, here: bool = True) -> Person | None:
        found = [person for person in self.people if person.here is here]
        return self.chance.choice(found) if found else None

    def _come(self) -> None:
        person = self._one(here=False)
        if person is not None:
            self._let_in(person)

    def _let_in(self, person: Person) -> None:
        if not (person.secret and self.chance.random() < 0.8 and person.resume()):
            person.hello()

    def _go(self) -> None:
        person = self._one()
        if person is not None:
            if self.chance.random() < 0.3:
                person.say("quit")
            else:
                person.lose()

    def _terms(self) -> str:
        return f"{self.chance.choice(_TERMS)} {self.chance.choice(_CLOCKS)}".strip()

    def _play(self) -> None:
        one, other = self._one(), self._one()
        if one is None or other is None:
            return
        match self.chance.randrange(7):
            case 0 | 1:
                for person in (one, other):
                    person.say("seek")
            case 2:
                one.say(f"seek {self._terms()}".strip())
            case 3:
                one.say(f"play {self.chance.choice([*HOUSES, other.name])} {self._terms()}".strip())
            case 4 | 5:
                rounds = self.chance.choice(("", "", "rounds=2", "rounds=3"))
                one.say(f"challenge {other.name} {self._terms()} {rounds}".replace("  ", " ").strip())
                self._take_up(other)
            case _ if one.ended:
                game = self.chance.choice(one.ended)
                words = ("rematch {0}", "challenge {1} deal={0}", "play {1} deal={0}", "seek deal={0}")
                one.say(self.chance.choice(words).format(game, self.chance.choice([other.name, *HOUSES])))
                self._take_up(other)

    def _take_up(self, person: Person) -> None:
        if person.offers and self.chance.random() < 0.8:
            person.say(f"accept {self.chance.choice(person.offers)}")

    def _talk(self) -> None:
        person = self._one()
        if person is None:
            return
        words = ["cancel", "who", "games", "events", "results", "ladder off", "ratings"]
        words += [f"accept {offer}" for offer in person.offers] + [f"decline {at}" for at in person.offers]
        words += [f"look {game}" for game in person.playing] + [
            f"watch {at}" for at in self.place.server.tables
        ]
        words += [f"{verb} {game}" for game in person.ended[-2:] for verb in ("why", "record", "log")]
        person.say(self.chance.choice(words))

    def _ladder(self) -> None:
        for person in self.people:
            if person.kind == "bot" and self.chance.random() < 0.6:
                person.say(self.chance.choice(("ladder on", "ladder on", "ladder on games=1", "ladder off")))

    def _players(self) -> list[Person]:
        return [person for person in (*self.people, *self.houses.values()) if person.here and person.playing]

    def _answer(self) -> None:
        for person in self._players():
            for game in list(person.playing):
                if self.chance.random() < 0.5:
                    person.answer(game)

    def _play_out(self) -> None:
        """Two play their game to the end on the board, unless one of them is away."""
        games = list(self.place.server.tables)
        game = self.chance.choice(games) if games else ""
        for _ in range(60):
            moved = False
            for person in self._players():
                if person.playing.get(game):
                    person.answer(game)
                    moved = True
            if not moved:
                return

    def _resign(self) -> None:
        people = self._players()
        if people:
            person = self.chance.choice(people)
            person.say(f"resign {self.chance.choice(list(person.playing))}")

    def _club(self) -> None:
        names = list(self.place.lobby.club.evenings) or ["cup"]
        most = 1 if self.chance.random() < 0.4 else 8
        for _ in range(most):
            person = self._one()
            if person is not None:
                verb = "withdraw" if most == 1 and self.chance.random() < 0.4 else "join"
                person.say(f"{verb} {self.chance.choice(names)}")

    def _begin_an_evening(self) -> None:
        name = self.operating.open()
        for person in self.people:
            if self.chance.random() < 0.9:
                person.say(f"join {name}")
        if self.chance.random() < 0.7:
            self.operating.let_begin()

    def _miss(self) -> None:
        """Somebody is not there when it is called, and those who are wait."""
        person = self._one()
        if person is not None:
            person.lose()
            for each in self._players():
                for game in list(each.playing):
                    each.say(f"resign {game}")
            self.place.wait(310)

    def _operate(self) -> None:
        if self.chance.random() < 0.05:
            self._drain()
        elif self.chance.random() < 0.05:
            self.place.disable(self.chance.choice(ACCOUNTS))
        else:
            self.operating.do([person.name for person in self.people])

    def _house(self) -> None:
        """Programs of the house start, late or not at all; or one crashes."""
        programs, self.place.programs = self.place.programs, []
        for request in programs:
            match self.chance.randrange(8):
                case 0:
                    self.place.refuse(request)
                case 1:
                    self.place.programs.append(request)
                case _:
                    self.houses[request.name].start(request.id)
        if self.chance.random() < 0.1:
            self.houses[self.chance.choice(list(HOUSES))].lose()

    def _pass(self) -> None:
        self.place.wait(self.chance.choice(_WAITS))

    def _trouble(self) -> None:
        """The disk is full, or slow, or well again."""
        place = self.place
        place.full, place.slow = self.chance.choice(((True, False), (False, True), (False, False)))
        if not (place.full or place.slow):
            place.sync()
            place.run()

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
        self.truth.at_the_end(self.place)
        self._restart("at the end")
        for person in (*self.people, *self.houses.values()):
            person.lose()
        self.place.wait(7200)
        self.truth.at_the_end(self.place)

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
                self._let_in(person)
            for offer in list(person.offers):
                person.say(f"decline {offer}")

    def _finish(self, number: int) -> None:
        if not number:
            for person in self.people:
                person.say("cancel")
                person.say("ladder off")
        self.operating.let_begin()
        for person in self._players():
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
