"""Games put together by their deals: complete pairs, what they came to, and what is still missing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from tyrusd.league.statistics.pentanomial import Counts, Pentanomial, Trinomial
from tyrusd.league.tournament.played import Played

REPLAYS: Final = 4
"""With draws that are replayed: the attempt whose draw stands."""

Twins: TypeAlias = Callable[[str, str], bool]
"""Whether two players' deals are played twice, with the seats swapped."""


class Pair(NamedTuple):
    """All games on one deal, in their order; `first` has Ivory in game 1."""

    number: int
    round: int
    first: str
    second: str
    games: tuple[Played, ...]

    def score(self, name: str) -> float:
        """The sum of the games' scores for one of the two."""
        return sum(game.score(name) for game in self.games)

    def cell(self, name: str) -> int:
        """Where the pair counts among those of its kind, seen from one of the two: 0 is all lost."""
        return round(2 * self.score(name))


class Paired(NamedTuple):
    """The pairs that are complete, by number, and what else there is.

    incomplete: pairs with a game but not all results. void: attempts at pairs that were dealt again, with
    void_games games that had a result or began in vain.
    """

    complete: tuple[Pair, ...]
    incomplete: tuple[int, ...]
    void: int
    void_games: int


class Results(NamedTuple):
    """The results of one player against another, as pairs and as single games.

    pairs: deals that were played twice. singles: deals that were played once. games: every game of both, as
    if each were independent of its twin.
    """

    pairs: Pentanomial
    singles: Trinomial
    games: Trinomial

    @property
    def counts(self) -> Counts:
        """What a figure is computed from: the pairs where there are any, else the single games."""
        return self.pairs if any(self.pairs) else self.singles


def twice(first: str, second: str) -> bool:
    """Every deal is played twice."""
    return True


def once(first: str, second: str) -> bool:
    """Every deal is played once."""
    return False


def pair_up(
    games: Iterable[Played],
    twins: Twins = twice,
    *,
    void: Collection[tuple[int, int]] = (),
    replay_draws: bool = False,
) -> Paired:
    """Put games together whose order does not matter; each counts in the last attempt at its pair only.

    void: attempts (pair, attempt) that count for nothing, whatever was played in them. replay_draws: an
    attempt with a drawn game is dealt again, up to the one that stands.
    """
    attempts: dict[int, dict[int, dict[int, Played]]] = {}
    for game in games:
        place = game.place
        attempts.setdefault(place.pair, {}).setdefault(place.attempt, {})[place.game] = game
    complete, incomplete = [], []
    voided, void_games = 0, 0
    for number, tries in sorted(attempts.items()):
        last = max(tries)
        for attempt in sorted(tries):
            found = tries[attempt]
            if attempt == last:
                pair = _whole(number, [found[game] for game in sorted(found)], twins)
                good = pair is not None and (number, attempt) not in void
                if good and replay_draws and attempt < REPLAYS:
                    good = all(game.winner is not None for game in found.values())
                if good and pair is not None:
                    complete.append(pair)
                    continue
                incomplete.append(number)
                if (number, attempt) not in void and all(game.reason != "void" for game in found.values()):
                    continue
            voided += 1
            void_games += len(found)
    return Paired(tuple(complete), tuple(incomplete), voided, void_games)


def prefix(pairs: Sequence[Pair], numbers: Iterable[int] | None = None) -> tuple[Pair, ...]:
    """The longest beginning of the schedule that is finished: up to the first pair that is missing.

    pairs: complete ones, by number. numbers: the schedule, where it is not 1, 2, 3 and so on.
    """
    scheduled = iter(numbers) if numbers is not None else iter(range(1, len(pairs) + 2))
    found = []
    for pair in pairs:
        if pair.number != next(scheduled, None):
            break
        found.append(pair)
    return tuple(found)


def results(pairs: Iterable[Pair], first: str, second: str) -> Results:
    """Count the pairs between two players, seen from the first; others are passed over."""
    wanted = {first, second}
    pentanomial, singles, games = [0] * 5, [0] * 3, [0] * 3
    for pair in pairs:
        if {pair.first, pair.second} != wanted:
            continue
        (pentanomial if len(pair.games) == 2 else singles)[pair.cell(first)] += 1
        for game in pair.games:
            games[round(2 * game.score(first))] += 1
    return Results(Pentanomial(*pentanomial), Trinomial(*singles), Trinomial(*games))


def paired(games: Iterable[Played], first: str, second: str, twins: Twins = twice) -> Results:
    """Count all complete pairs of games between two players, seen from the first."""
    return results(pair_up(games, twins).complete, first, second)


def _whole(number: int, games: Sequence[Played], twins: Twins) -> Pair | None:
    """The pair, if all its games have a result."""
    head = games[0]
    first, second = (head.ivory, head.brown) if head.place.game == 1 else (head.brown, head.ivory)
    wanted = 2 if twins(first, second) else 1
    if len(games) != wanted or not all(game.counts for game in games):
        return None
    return Pair(number, head.place.round, first, second, tuple(games))
