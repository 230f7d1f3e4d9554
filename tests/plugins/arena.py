"""Plays many games between two bundled bots in this process, sides balanced.

Run it to get the figures of docs/plugins.md:

python tests/plugins/arena.py cautious greedy --games 2000
"""

from __future__ import annotations

import argparse
import importlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tyrusd.sdk import Placement, Request
from tyrusd.sdk.arena import play_games

Choose = Callable[[Request], Placement]


@dataclass
class Standing:
    """Results of the first bot, and how long it thought."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    seconds: float = 0.0
    decisions: int = 0
    reasons: dict[str, int] = field(default_factory=dict)

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def lower_bound(self) -> float:
        """The 95 % Wilson lower bound of the share of games won; drawn games count as not won."""
        return wilson_lower_bound(self.won, self.games)

    def __str__(self) -> str:
        share = self.won / self.games
        think = 1e6 * self.seconds / max(1, self.decisions)
        return (
            f"{self.games} games: won {self.won} ({share:.1%}), drawn {self.drawn}, lost {self.lost}; "
            f"95 % lower bound {self.lower_bound:.3f}; {think:.0f} us a decision; {self.reasons}"
        )


def wilson_lower_bound(won: int, games: int, z: float = 1.96) -> float:
    """The lower end of the 95 % score interval of a share (E. B. Wilson, 1927)."""
    share = won / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - spread) / (1 + z * z / games)


def bot(name: str) -> Choose:
    """The choosing function of a bundled bot."""
    choose: Choose = importlib.import_module(f"tyrusd_bundled.{name}_bot").choose
    return choose


def play(first: Choose, second: Choose, games: int, seed: str = "arena") -> Standing:
    """Play pairs of games: each deal twice, with the sides exchanged; the first bot's decisions are timed."""
    standing = Standing()

    def timed(request: Request) -> Placement:
        begin = time.process_time()
        placement = first(request)
        standing.seconds += time.process_time() - begin
        standing.decisions += 1
        return placement

    results = play_games(timed, second, games, seed)
    standing.won, standing.lost, standing.drawn = results.wins, results.losses, results.draws
    standing.reasons.update(results.reasons)
    return standing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", default="arena")
    options = parser.parse_args()
    print(play(bot(options.first), bot(options.second), options.games, options.seed))


if __name__ == "__main__":
    main()
