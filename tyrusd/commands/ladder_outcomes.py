"""What pairings have come to while a ladder is played, counted game by game, and the lines that tell it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tyrusd.league.statistics.sprt import SprtState
    from tyrusd.league.tournament.played import Played
    from tyrusd.league.tournament.tournament import Tournament

REMEMBERED: Final = 4096  # pairs that may still be dealt again
_HALVES: Final = (2, 0, 1)  # half points for a win, a loss and a draw
_PENTANOMIAL: Final = ("LL", "LD", "WL+DD", "WD", "WW")


class Outcomes:
    """Wins, losses and draws of each pairing; games of an attempt that is dealt again are taken back."""

    def __init__(self, entrants: Sequence[str], played: Sequence[Played]) -> None:
        self._order = {name: number for number, name in enumerate(entrants)}
        self._counts: dict[tuple[str, str], list[int]] = {}
        self._pairs: OrderedDict[int, list[tuple[tuple[str, str], int]]] = OrderedDict()
        self._cells: dict[tuple[str, str], list[int]] = {}
        for game in played:
            self.add(game)

    def add(self, game: Played) -> tuple[str, str] | None:
        """Count a game; its pairing, None if it has no result."""
        if not game.counts:
            return None
        first, second = sorted((game.ivory, game.brown), key=lambda name: self._order.get(name, 0))
        place = 2 if game.winner is None else 0 if game.winner == first else 1
        self._counts.setdefault((first, second), [0, 0, 0])[place] += 1
        games = self._pairs.setdefault(game.place.pair, [])
        games.append(((first, second), place))
        if len(games) == 2:
            self._cells.setdefault((first, second), [0] * 5)[_cell(games)] += 1
        while len(self._pairs) > REMEMBERED:
            self._pairs.popitem(last=False)
        return first, second

    def take_back(self, pair: int) -> None:
        """Forget what was played on a deal."""
        games = self._pairs.pop(pair, [])
        for pairing, place in games:
            self._counts[pairing][place] -= 1
        if len(games) == 2:
            self._cells[games[0][0]][_cell(games)] -= 1

    def of(self, pairing: tuple[str, str]) -> tuple[int, int, int]:
        """Wins, losses and draws of the first named."""
        wins, losses, draws = self._counts.get(pairing, (0, 0, 0))
        return wins, losses, draws

    def pentanomial(self, pairing: tuple[str, str]) -> tuple[int, ...]:
        """Pairs by what their two games gave the first named: LL, LD, WL or DD, WD, WW."""
        return tuple(self._cells.get(pairing, (0,) * 5))

    def superiority(self, pairing: tuple[str, str]) -> float | None:
        """How likely the first of two bots is the stronger; None with more bots, or before any result."""
        from tyrusd.league.statistics.pentanomial import Pentanomial, Trinomial
        from tyrusd.league.statistics.strength import likelihood_of_superiority

        wins, losses, draws = self.of(pairing)
        if len(self._order) != 2 or not wins + losses + draws:
            return None
        cells = self.pentanomial(pairing)
        return likelihood_of_superiority(
            Pentanomial(*cells) if any(cells) else Trinomial(losses, draws, wins)
        )


def _cell(games: Sequence[tuple[tuple[str, str], int]]) -> int:
    """The half points of the first named in two games."""
    return sum(_HALVES[place] for _, place in games)


def played_before(tournament: Tournament) -> list[Played]:
    """The games that a run has when it is opened, also of pairs that are not complete."""
    return [
        played
        for pair in tournament.pairs
        if tournament.verdicts.cut_of(pair) is None
        for played in pair.current.games.values()
    ]


def outcome_line(
    pairing: tuple[str, str],
    counts: tuple[int, int, int],
    state: SprtState | None,
    pentanomial: Sequence[int] = (),
    los: float | None = None,
) -> str:
    """Wins, losses and draws in one line, of two bots with their pairs, the test's ratio and bounds."""
    wins, losses, draws = counts
    line = (
        f"{pairing[0]} - {pairing[1]}: {wins}-{losses}-{draws}, "
        f"{wins + draws / 2:g} points of {sum(counts)} games"
    )
    if los is not None:
        line += f", LOS {100 * los:.1f} %"
        if any(pentanomial):
            cells = zip(_PENTANOMIAL, pentanomial, strict=True)
            line += f", pairs {' '.join(f'{word} {count}' for word, count in cells)}"
    if state is not None:
        line += f", LLR {state.llr:.2f} ({state.lower:.2f} to {state.upper:.2f})"
    return line


def game_line(game: Played) -> str:
    """A finished game in one line."""
    won = "no result" if not game.counts else "drawn" if game.winner is None else f"{game.winner} won"
    how = "" if game.reason == "drawn" else f", {game.reason}"
    detail = f" ({game.detail})" if game.detail else ""
    return f"game {game.place.game_id}: {game.ivory} (ivory) - {game.brown} (brown): {won}{how}{detail}"
