"""From a seed to a simulation: who comes, on what terms, and what goes wrong around them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from tests.core.simulation.guest import Guest
from tests.core.simulation.persona import DROPPER, GOOD, GUESTS, PROGRAMS, Persona
from tests.core.simulation.run import Simulation
from tests.core.simulation.scenario import Party, Scenario
from tyrusd.core.lobby import Lobby
from tyrusd.core.schedule import Entry, Schedule
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.server import Server
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.league.clock import BOTS, TimeControl
from tyrusd.rules.variants import VARIANTS

_CLOCKS = ("none", "5+0.1", "0+0.5", "2+0", "0.1+0", "30+1")
_CAPS = ("60", "1", "0.3", "none")
_NAMES = ("ada", "Bob", "cleo", "dan", "Eve", "fay", "gus", "hal", "ida", "jon")
_KEY = "key-of-a-seat"


def make(seed: int, games: int | None = None, server: Callable[..., Server] = Server) -> Simulation:
    """The simulation of a seed; games: how many are to be begun, if the seed is not to decide."""
    chance = random.Random(f"scenario {seed}")
    sim = (
        _lobby(seed, chance, games, server) if chance.random() < 0.75 else _match(seed, chance, games, server)
    )
    _trouble(sim, chance)
    return sim


# A host ends before its core gives a result up; here that happens, so that it is played through.
_GIVING_UP = replace(DEFAULTS, store_attempts=5)


def _settings(chance: random.Random) -> Settings:
    if chance.random() < 0.6:
        return _GIVING_UP
    return replace(
        _GIVING_UP,
        connections_per_host=chance.choice((2, 4, 32)),
        connections_total=chance.choice((6, 12, 5000)),
        spectators_per_game=chance.choice((1, 2, 50)),
        watching_per_connection=chance.choice((1, 2, 64)),
        error_budget=float(chance.choice((12, 20))),
        output_base=chance.choice((2 * 1024, 64 * 1024)),
        listed=chance.choice((5, 200)),
    )


def _lobby(seed: int, chance: random.Random, games: int | None, server: Callable[..., Server]) -> Simulation:
    scenario = Scenario(
        lobby=True,
        games=games if games is not None else chance.randrange(10, 30),
        store_trouble=chance.choice((0.0, 0.0, 0.1, 0.3, 0.9)),
        program_trouble=chance.choice((0.0, 0.3)),
        program_games=chance.choice((1, 3, 8)),
    )
    houses = {"alpha": SeatSpec("plugin", "alpha"), "beta": SeatSpec("exec", "./beta")}
    sim = Simulation(seed, scenario, Lobby(houses), _settings(chance), server)
    sim.houses = {name: Party(name, chance.choice(PROGRAMS)) for name in houses}
    terms = tuple(_terms(chance) for _ in range(chance.randrange(1, 3)))
    for name in _NAMES[: chance.randrange(3, len(_NAMES) + 1)]:
        party = sim.parties[name] = Party(name, chance.choice(GUESTS))
        want = chance.choice(((), ("events",), ("events", "full")))
        guest = Guest(
            sim, party, chance.choice(("human", "bot")), want, chance.choice((1, 1, 2, 5)), None, terms
        )
        sim.events.add(sim.now + chance.uniform(0, 5), guest.come)
    return sim


def _terms(chance: random.Random) -> dict[str, str]:
    terms = {}
    if chance.random() < 0.8:
        terms["clock"] = chance.choice(_CLOCKS)
    if chance.random() < 0.8:
        terms["cap"] = chance.choice(_CAPS)
    return terms


def _match(seed: int, chance: random.Random, games: int | None, server: Callable[..., Server]) -> Simulation:
    programs = chance.choice((1, 1, 3))
    kinds = [chance.choice(("plugin", "exec", "tcp")) for _ in range(2)]
    parties = [_party(name, kind, chance) for name, kind in zip(("left", "right"), kinds, strict=True)]
    scenario = Scenario(
        lobby=False,
        games=games if games is not None else chance.randrange(1, 25),
        store_trouble=chance.choice((0.0, 0.2)),
        program_trouble=chance.choice((0.0, 0.1)),
        program_games=programs,
        may_halt=True,
    )
    clock, cap = (
        (BOTS.clock_text, BOTS.cap_text) if chance.random() < 0.5 else ("5+0.1", chance.choice(_CAPS))
    )
    entries = [
        Entry(party.name, SeatSpec(kind, party.name), f"{_KEY}-{party.name}" if kind == "tcp" else None)
        for party, kind in zip(parties, kinds, strict=True)
    ]
    director = Schedule(
        (entries[0], entries[1]), scenario.games, f"seed {seed}", VARIANTS[chance.choice(list(VARIANTS))],
        TimeControl.parse(clock, cap), chance.choice((1, 2, 6)),
    )  # fmt: skip
    sim = Simulation(seed, scenario, director, _GIVING_UP, server)
    for entry, party, kind in zip(entries, parties, kinds, strict=True):
        sim.houses[party.name] = party
        if kind == "tcp" and chance.random() < 0.95:
            want = chance.choice(((), ("events",), ("events", "full")))
            guest = Guest(sim, party, "bot", want, chance.choice((1, 4)), entry.key)
            sim.events.add(sim.now + chance.uniform(0, 30), guest.come)
    return sim


def _party(name: str, kind: str, chance: random.Random) -> Party:
    personas: tuple[Persona, ...] = (GOOD, GOOD, DROPPER) if kind == "tcp" else PROGRAMS
    return Party(name, chance.choice(personas))


def _trouble(sim: Simulation, chance: random.Random) -> None:
    """Pauses, a shutdown, a crash."""
    for _ in range(chance.choice((0, 0, 1, 5))):
        length = chance.choice((0.01, 0.5, 2.0, 4.0, 6.0, 70.0))
        at = sim.now + chance.uniform(0, 120)
        sim.events.add(at, lambda length=length: sim.stand_still(length), host=True)  # type: ignore[misc]
    if chance.random() < 0.15:
        at, grace = sim.now + chance.uniform(0, 120), chance.uniform(0, 20)
        sim.events.add(at, lambda: sim.drain(grace), host=True)
        if chance.random() < 0.3:
            sim.events.add(at + grace / 2, lambda: sim.drain(0.0), host=True)
    elif chance.random() < 0.15:
        sim.events.add(sim.now + chance.uniform(0, 120), sim.crash, host=True)
