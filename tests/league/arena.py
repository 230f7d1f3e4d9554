"""Tournaments without bots: what results depends on the game alone; played in any order, with kills."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from tyrusd.league.schema import Payload
from tyrusd.league.tournament.dealing import Deals
from tyrusd.league.tournament.fold import tournament_of
from tyrusd.league.tournament.happenings import Happening
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.league.tournament.played import Played, played_of
from tyrusd.league.tournament.task import PairTask, Place
from tyrusd.league.tournament.tournament import Tournament

Result = tuple[str | None, str]
Rule = Callable[[PairTask, int], Result]
Readiness = Callable[[PairTask], str | None]


def plan_of(kind: str, count: int | tuple[str, ...], **terms: Any) -> TournamentPlan:
    names = count if isinstance(count, tuple) else tuple(f"bot{number}" for number in range(1, count + 1))
    return TournamentPlan(**{"kind": kind, "entrants": names, "seed": "a seed", **terms})


def chance(*words: object) -> float:
    """A number in [0, 1) that is the same for the same words."""
    return int.from_bytes(sha256(repr(words).encode()).digest()[:6], "big") / 2**48


def by_chance(task: PairTask, game: int) -> Result:
    """Now and then a draw, else one of the two wins."""
    drop = chance("result", task.pair, task.attempt, game)
    return (None, "drawn") if drop < 0.1 else (task.seats(game)[drop < 0.55], "majority")


def by_number(task: PairTask, game: int) -> Result:
    """The lower number in the name wins."""
    return min(task.first, task.second, key=lambda name: int(name.strip("bot"))), "majority"


def always_drawn(task: PairTask, game: int) -> Result:
    return None, "drawn"


def ivory_wins(task: PairTask, game: int) -> Result:
    return task.seats(game)[0], "majority"


def faulty(task: PairTask, game: int) -> Result:
    """Three games in ten end by a failure; one in fifty is void."""
    drop = chance("fault", task.pair, task.attempt, game)
    if drop < 0.3:
        words = ("crashed", "timeout", "illegal", "protocol", "disconnected")
        return task.seats(game)[int(drop * 1000) % 2], words[int(drop * 10_000) % 5]
    return (None, "void") if drop < 0.32 else by_chance(task, game)


def always_ready(task: PairTask) -> str | None:
    return None


def often_unready(task: PairTask) -> str | None:
    """One start in ten fails, and when one has failed, the next does in two of five cases."""
    drop = chance("start", task.pair, task.attempt)
    return (task.first, task.second)[int(drop * 1000) % 2] if drop < (0.1, 0.4)[task.attempt == 2] else None


def played(place: Place, ivory: str, brown: str, result: Result) -> Played:
    return played_of(game_payload(place, ivory, brown, result))  # type: ignore[return-value]


def game_payload(place: Place, ivory: str, brown: str, result: Result) -> Payload:
    """As much of a game's record as a tournament reads."""
    winner, reason = result
    side = None if winner is None else "ivory" if winner == ivory else "brown"
    opener = ("ivory", "brown")[chance("opener", place) < 0.5]
    return {
        "kind": "game",
        "id": place.game_id,
        "game": {
            "seats": {"ivory": ivory, "brown": brown},
            "deal": {"opener": opener},
            "placements": [],
            "winner": side,
            "reason": reason,
            "detail": "",
        },
        "timing": {"spent": []},
        "ladder": {**place._asdict(), "host": "tower", "cpu": "x"},
    }


@dataclass
class Arena:
    """Plays a tournament to its end; `journal` is what would be on the disk."""

    plan: TournamentPlan
    rule: Rule = by_chance
    readiness: Readiness = always_ready
    deals: Deals | None = None
    journal: list[Payload] = field(default_factory=list)
    told: list[Happening] = field(default_factory=list)
    tasks: list[PairTask] = field(default_factory=list)
    running: list[tuple[PairTask, list[int]]] = field(default_factory=list)
    kills: int = 0

    def __post_init__(self) -> None:
        self.tournament = Tournament(self.plan, self.deals)
        self.told += self.tournament.opening

    def fill(self, concurrency: int) -> None:
        while len(self.running) < concurrency:
            task = self.tournament.next()
            if task is None:
                return
            self.tasks.append(task)
            self.running.append((task, list(task.games)))

    def step(self, random: Random) -> None:
        """One of the running games ends, or its bots turn out not to be ready."""
        index = random.randrange(len(self.running))
        task, left = self.running[index]
        bot = self.readiness(task)
        if bot is not None:
            self.running.pop(index)
            self.unready(task, bot)
            return
        self.play(task, left.pop(random.randrange(len(left))))
        if not left:
            self.running.pop(index)

    def play(self, task: PairTask, game: int, result: Result | None = None) -> None:
        record = game_payload(task.place(game), *task.seats(game), result or self.rule(task, game))
        self.journal.append(record)
        result_in = played_of(record)
        assert result_in is not None
        self.told += self.tournament.take(result_in)

    def unready(self, task: PairTask, bot: str, why: str = "no hello") -> None:
        self.journal.append(
            {"kind": "unready", "pair": task.pair, "attempt": task.attempt, "bot": bot, "why": why}
        )
        self.told += self.tournament.unready(task.pair, task.attempt, bot, why)

    def drop(self, bot: str) -> None:
        self.journal.append({"kind": "dropped", "bot": bot, "at": "2031-05-06T07:08:09Z"})
        self.told += self.tournament.drop(bot)

    def kill(self) -> None:
        """All that is not in the journal is lost."""
        self.kills += 1
        self.running.clear()
        self.tournament = tournament_of(self.plan, self.journal, self.deals)

    def give_back(self, random: Random) -> None:
        """A worker is gone."""
        task, _ = self.running.pop(random.randrange(len(self.running)))
        self.tournament.returned(task)

    def run(self, concurrency: int = 1, luck: int = 0, kills: float = 0.0, most: int = 20_000) -> Arena:
        """Play to the end: results come in a random order, and now and then everything is killed."""
        random = Random(luck)
        for _ in range(most):
            self.fill(concurrency)
            if not self.running:
                break
            drop = random.random()
            if drop < kills:
                self.kill()
            elif drop < 2 * kills:
                self.give_back(random)
            else:
                self.step(random)
        assert self.tournament.over, "the tournament does not end"
        return self

    @property
    def champion(self) -> str | None:
        name = self.tournament.standing()["champion"]
        assert name is None or isinstance(name, str)
        return name

    def heard(self, kind: type[Any]) -> list[Any]:
        return [happening for happening in self.told if isinstance(happening, kind)]

    def games_played(self) -> list[Place]:
        return [Place(**{key: record["ladder"][key] for key in Place._fields}) for record in self.games()]

    def games(self) -> list[Payload]:
        return [record for record in self.journal if record["kind"] == "game"]


def outcome(tournament: Tournament) -> tuple[list[Played], dict[str, Any]]:
    """What must be the same whatever the order and the concurrency: not what was played in vain."""
    standing = tournament.standing()
    standing["pairs"] = {key: standing["pairs"][key] for key in ("total", "complete", "incomplete")}
    return tournament.counted_games(), standing
