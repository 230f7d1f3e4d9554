"""How large a soak is, and the open files that it wants."""

from __future__ import annotations

import resource
from dataclasses import dataclass

SPARE_FILES = 600


@dataclass(frozen=True)
class Size:
    """The load: bots that play, their games at once, spectators, hostile peers; placements per second."""

    minutes: float = 10.0
    bots: int = 2000
    games: int = 1000
    hostile: int = 200
    rate: float = 2000.0

    @property
    def spectators(self) -> int:
        return max(2, self.bots // 50)

    @property
    def seats(self) -> int:
        """Games that one bot plays at once."""
        return max(1, round(2 * self.games / self.bots))

    @property
    def players(self) -> int:
        """Bots that play; the others wait in the lobby."""
        return min(self.bots, 2 * self.games // self.seats)

    @property
    def patience(self) -> float:
        """Seconds between two lost connections of one client: a minute, or three times in a short run."""
        return min(60.0, self.minutes * 20)

    @property
    def think(self) -> float:
        """Seconds between a request and its answer, so that all games together have the rate."""
        return self.games / self.rate


def allow_files(size: Size) -> str | None:
    """Raise the soft limit of open files as far as is wanted; a sentence if the hard one is too low."""
    wanted = 2 * (size.bots + size.spectators + size.hostile) + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted:
        return f"{wanted} open files are wanted, the hard limit is {hard}: run `ulimit -Hn {wanted}` as root."
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return None
