"""The programs of one bot that play its first games of pairs, or its second games: they share nothing."""

from __future__ import annotations

from collections.abc import Iterator

from tyrusd.core.player import Player
from tyrusd.core.restarts import Restarts
from tyrusd.core.seatspec import SeatSpec


class Instances:
    """One set of programs of a bot; a tcp bot is a set of one peer.

    uses: growing numbers, the same for all sets, by which it is known which program was used last. waiting:
    games that have not begun. lacking: those of them that might begin if there was a place for them, and
    wanted: places that are not to be given up, both as of the last look at what is to be played.
    """

    __slots__ = (
        "_born",
        "_time",
        "lacking",
        "name",
        "number",
        "paused",
        "places",
        "players",
        "restarts",
        "retiring",
        "seated",
        "spec",
        "starting",
        "uses",
        "waiting",
        "wanted",
    )

    def __init__(self, name: str, spec: SeatSpec, number: int, uses: Iterator[int]) -> None:
        self.uses = uses
        self.name = name
        self.spec = spec
        self.number = number
        self.players: dict[Player, int] = {}
        self.starting: set[int] = set()  # StartBot requests whose programs are not ready
        self._born: dict[int, int] = {}  # by StartBot request: how many failures there had been by then
        self._time = 0  # failures that counted
        self.seated: set[Player] = set()  # programs that have had a game
        self.retiring: set[Player] = set()  # programs that get no more games
        self.places: int | None = None  # games that one program plays at once, once that is known
        self.restarts = Restarts()
        self.paused = False
        self.waiting = 0
        self.lacking = 0
        self.wanted = 0

    def __repr__(self) -> str:
        return f"<Instances {self.number} of {self.name}: {len(self.players)} here>"

    @property
    def key(self) -> tuple[str, int]:
        """What it is called among all sets."""
        return self.name, self.number

    @property
    def is_remote(self) -> bool:
        """Whether a peer takes this seat by itself."""
        return self.spec.kind == "tcp"

    @property
    def is_here(self) -> bool:
        """Whether somebody is here who plays, now or after a running game."""
        return any(player.session is not None and player not in self.retiring for player in self.players)

    @property
    def is_blocked(self) -> bool:
        """Whether nothing can be done now to have one more program."""
        return self.is_remote or self.paused

    def start(self, bot: int) -> None:
        """A program was asked for."""
        self.starting.add(bot)
        self._born[bot] = self._time

    def fail(self, bot: int | None) -> bool:
        """A program has ended before it had a game; return whether that counts.

        Of all that were asked for before a failure only that one does: what stops one program from being
        ready, such as a machine that is too busy, mostly stops all.
        """
        self.starting.discard(bot or 0)
        born = self._born.pop(bot or 0, self._time)
        if born < self._time:
            return False
        self._time += 1
        return True

    def forget(self, player: Player) -> None:
        """How a program came about does not matter any more."""
        self._born.pop(player.bot or 0, None)

    def arrive(self, player: Player) -> None:
        """A program is ready."""
        self.starting.discard(player.bot or 0)
        self.places = player.games
        self.players[player] = next(self.uses)
        player.known_as = self.name

    def leave(self, player: Player) -> bool:
        """A program is gone; return whether it had a game."""
        del self.players[player]
        had_one = player in self.seated
        self.seated.discard(player)
        self.retiring.discard(player)
        return had_one

    def use(self, player: Player) -> None:
        """A program begins a game, or has ended one."""
        if player in self.players:
            self.players[player] = next(self.uses)
            self.seated.add(player)
            self.forget(player)

    def retire(self, player: Player) -> None:
        """Give a program no more games: it knows a deal that is to be played once more."""
        if player in self.players and not self.is_remote:
            self.retiring.add(player)

    def free(self) -> Player | None:
        """The program that takes the next game: the one used last that has a place."""
        found = [
            player
            for player in self.players
            if player.has_room and player.session is not None and player not in self.retiring
        ]
        return max(found, key=self.players.__getitem__, default=None)

    def to_start(self) -> int:
        """How many programs to start for the games that lack a place."""
        if self.is_blocked or not self.lacking:
            return 0
        if self.places is None:
            return 0 if self.starting else 1  # its hello tells how many more are needed
        return max(0, -(-self.lacking // self.places) - len(self.starting))

    def spare(self) -> list[tuple[int, Player]]:
        """Idle programs that may be ended, and when each was used last."""
        idle = sorted(
            (used, player.bot or 0, player)
            for player, used in self.players.items()
            if not player.seats
            and player.session is not None
            and player not in self.retiring
            and not self.is_remote
        )
        kept = -(-self.wanted // (self.places or 1))
        return [(used, player) for used, _, player in idle[: max(0, len(idle) - kept)]]
