"""What people do in a life, at random: they come and go, play, talk, and enter events."""

from __future__ import annotations

import random

from tests.core.lives.operating import Operating
from tests.core.lives.person import Person
from tests.core.lives.place import ACCOUNTS, HOUSES, Place
from tests.core.lives.truth import Truth

_CLOCKS = ("", "", "clock=60+1", "clock=none cap=30", "clock=600+5")
_TERMS = ("", "", "rated=yes", "rated=yes", "variant=replay-ties", "side=I", "side=B rated=yes")
_PEOPLE = (
    ("gus", "human", 1, False), ("hal", "bot", 2, False), ("ivy", "human", 1, False),
    ("bob", "bot", 3, True), ("cy", "bot", 1, True), ("dee", "bot", 2, True), ("eve", "bot", 1, True),
    ("ada", "human", 1, True),
)  # fmt: skip
_WAITS = (0.5, 1.5, 1.5, 1.5, 1.5, 4.0, 4.0, 8.0, 8.0, 30.0, 30.0, 61.0, 61.0, 310.0, 310.0, 1000.0, 7200.0)
_AGAIN = 0.4  # how often a game is played once more


class Doings:
    """The people of a life, the bots of the house, and the operator; each step is a method."""

    def __init__(self, place: Place, truth: Truth, chance: random.Random) -> None:
        self.place, self.chance = place, chance
        many = chance.randint(3, len(_PEOPLE))
        self.people = [Person(place, truth, *each) for each in sorted(chance.sample(_PEOPLE, many))]
        self.houses = {name: Person(place, truth, name, "bot", 4, False) for name in HOUSES}
        self.operating = Operating(place, chance)

    def _one(self, here: bool = True) -> Person | None:
        found = [person for person in self.people if person.here is here]
        return self.chance.choice(found) if found else None

    def come(self) -> None:
        """Somebody comes who is not here."""
        person = self._one(here=False)
        if person is not None:
            self.let_in(person)

    def let_in(self, person: Person) -> None:
        """Somebody comes back with its secret, or under its name."""
        if not (person.secret and self.chance.random() < 0.8 and person.resume()):
            person.hello()

    def go(self) -> None:
        """Somebody leaves."""
        person = self._one()
        if person is not None:
            if self.chance.random() < 0.3:
                person.say("quit")
            else:
                person.lose()

    def _terms(self) -> str:
        return f"{self.chance.choice(_TERMS)} {self.chance.choice(_CLOCKS)}".strip()

    def play(self) -> None:
        """Two want to play, on whatever terms."""
        one, other = self._one(), self._one()
        if one is None or other is None or other is one:
            return
        match self.chance.randrange(9):
            case 0 | 1:
                for person in (one, other):
                    person.say("seek")
            case 2:
                one.say(f"seek {self._terms()}".strip())
                other.say(f"play {one.name}")
            case 3 | 4:
                one.say(f"play {self.chance.choice([*HOUSES])} {self._terms()}".strip())
            case 5 | 6:
                rounds = self.chance.choice(("", "", "rounds=2", "rounds=3"))
                one.say(f"challenge {other.name} {self._terms()} {rounds}".replace("  ", " ").strip())
                self.take_up(other)
            case _ if one.ended:
                self.once_more(one, self.chance.choice(one.ended))

    def once_more(self, person: Person, game: str) -> None:
        """Ask for a rematch, or for another game on the same deal."""
        enemy = person.enemies[game]
        words = ("rematch {0}", "rematch {0}", "challenge {1} deal={0}", "play {1} deal={0}", "seek deal={0}")
        person.say(self.chance.choice(words).format(game, enemy))
        for each in self.people:
            if each.name == enemy:
                self.take_up(each)

    def take_up(self, person: Person) -> None:
        if person.offers and self.chance.random() < 0.8:
            person.say(f"accept {self.chance.choice(person.offers)}")

    def talk(self) -> None:
        """Somebody asks, answers, looks or takes something back."""
        person = self._one()
        if person is None:
            return
        words = ["cancel", "who", "games", "events", "results", "ladder off", "ratings", "check"]
        words += [f"accept {offer}" for offer in person.offers] + [f"decline {at}" for at in person.offers]
        words += [f"look {game}" for game in person.playing] + [
            f"watch {at}" for at in self.place.server.tables
        ]
        words += [f"{verb} {game}" for game in person.ended[-2:] for verb in ("why", "record", "log")]
        person.say(self.chance.choice(words))

    def ladder(self) -> None:
        """Bots come onto the ladder, or leave it."""
        for person in self.people:
            if person.kind == "bot" and self.chance.random() < 0.6:
                person.say(self.chance.choice(("ladder on", "ladder on", "ladder on games=1", "ladder off")))

    def players(self) -> list[Person]:
        """Who is here and plays."""
        return [person for person in (*self.people, *self.houses.values()) if person.here and person.playing]

    def answer(self) -> None:
        """Some of those whose turn it is place a tile."""
        for person in self.players():
            for game in list(person.playing):
                if self.chance.random() < 0.5:
                    person.answer(game)

    def play_out(self) -> None:
        """Two play their game to the end on the board, unless one of them is away."""
        games = list(self.place.server.tables)
        game = self.chance.choice(games) if games else ""
        for _ in range(60):
            moved = False
            for person in self.players():
                if person.playing.get(game):
                    person.answer(game)
                    moved = True
            if not moved:
                return

    def resign(self) -> None:
        """Somebody gives a game up."""
        people = self.players()
        if people:
            person = self.chance.choice(people)
            game = self.chance.choice(list(person.playing))
            person.say(f"resign {game}")
            if game in person.ended and person in self.people and self.chance.random() < _AGAIN:
                self.once_more(person, game)

    def club(self) -> None:
        """People join events and withdraw from them."""
        names = list(self.place.lobby.club.evenings)
        if not names:
            names = [self.operating.open()]
        most = 1 if self.chance.random() < 0.4 else 8
        for _ in range(most):
            person = self._one()
            if person is not None:
                verb = "withdraw" if most == 1 and self.chance.random() < 0.4 else "join"
                person.say(f"{verb} {self.chance.choice(names)}")

    def begin_an_evening(self) -> None:
        """An event is opened, and most join it."""
        name = self.operating.open()
        for person in self.people:
            if self.chance.random() < 0.9:
                person.say(f"join {name}")
        if self.chance.random() < 0.7:
            self.operating.let_begin()

    def miss(self) -> None:
        """Somebody is not there when it is called, and those who are wait."""
        person = self._one()
        if person is not None:
            person.lose()
            for each in self.players():
                for game in list(each.playing):
                    each.say(f"resign {game}")
            self.place.wait(310)

    def operate(self) -> None:
        """The operator takes a step."""
        if self.chance.random() < 0.05:
            self.place.disable(self.chance.choice(ACCOUNTS))
        else:
            self.operating.do([person.name for person in self.people])

    def house(self) -> None:
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

    def pass_time(self) -> None:
        """Time passes."""
        self.place.wait(self.chance.choice(_WAITS))

    def trouble(self) -> None:
        """The disk is full, or slow, or well again."""
        place = self.place
        place.full, place.slow = self.chance.choice(((True, False), (False, True), (False, False)))
        if not (place.full or place.slow):
            place.sync()
            place.run()
