"""Who plays: a name with its seats, which outlives one lost connection."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from tyrusd.rules.pieces import Side

if TYPE_CHECKING:
    from tyrusd.core.session import Session
    from tyrusd.core.table import Table


class Player:
    """One participant; `session` is None while it is away."""

    __slots__ = (
        "_secrets",
        "agent",
        "away_until",
        "bot",
        "events",
        "full",
        "games",
        "kind",
        "name",
        "owed",
        "seats",
        "session",
    )

    def __init__(
        self,
        name: str,
        kind: str,
        session: Session,
        games: int = 1,
        want: tuple[str, ...] = (),
        agent: str | None = None,
        bot: int | None = None,
    ) -> None:
        self.name = name
        self.kind = kind
        self.agent = agent
        self.games = games
        self.events = "events" in want
        self.full = "full" in want or not self.events
        self.session: Session | None = session
        self.seats: dict[str, tuple[Table, Side]] = {}
        self.owed = 0  # open requests
        self.bot = bot  # the StartBot request whose program this is
        self.away_until: float | None = None
        self._secrets: list[bytes] = []

    def __repr__(self) -> str:
        return f"<Player {self.name}, {len(self.seats)} games>"

    @property
    def want(self) -> tuple[str, ...]:
        """The capabilities the player asked for, as its welcome repeats them."""
        if not self.events:
            return ()
        return ("events", "full") if self.full else ("events",)

    @property
    def has_room(self) -> bool:
        """Whether the player may start one more game."""
        return len(self.seats) < self.games

    def leave_table(self, game: str) -> None:
        """Free the seat of a finished game."""
        self.seats.pop(game, None)

    def add_secret(self, secret: str) -> None:
        """Give the player one more secret to resume with; only its digest is kept."""
        self._secrets.append(digest(secret))

    def use_newest_secret(self) -> None:
        """Forget all secrets but the newest: its owner has shown that the newest arrived."""
        del self._secrets[:-1]

    def use_secret(self, secret_digest: bytes) -> None:
        """Forget all secrets but this one: the player came with it, so any other may never have arrived."""
        self._secrets[:] = [secret_digest]

    def knows(self, secret_digest: bytes) -> bool:
        """Tell, in the same time whatever the answer, whether a secret of this digest is the player's."""
        found = False
        for own in self._secrets:
            found |= hmac.compare_digest(own, secret_digest)
        return found


def digest(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8")).digest()
