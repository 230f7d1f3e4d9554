"""Who plays: a name with its seats, which outlives one lost connection."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from tyrusd.core.allowance import Allowance
from tyrusd.core.keys import digest, key_digest
from tyrusd.core.meter import Meter
from tyrusd.rules.pieces import Side

if TYPE_CHECKING:
    from tyrusd.core.session import Session
    from tyrusd.core.table import Table


class Player:
    """One participant; `session` is None while it is away."""

    __slots__ = (
        "_owed",
        "account",
        "agent",
        "allowances",
        "away_until",
        "bot",
        "earned",
        "events",
        "full",
        "games",
        "key",
        "kind",
        "known_as",
        "ladder",
        "meter",
        "missing",
        "name",
        "recorded",
        "seats",
        "secrets",
        "session",
    )

    def __init__(
        self,
        name: str,
        kind: str,
        session: Session | None,
        games: int = 1,
        want: tuple[str, ...] = (),
        agent: str | None = None,
        bot: int | None = None,
    ) -> None:
        self.name = name
        self.known_as = name  # in records: the name of its seat, which several programs may fill
        self.kind = kind
        self.agent = agent
        self.games = games
        self.events = "events" in want
        self.full = "full" in want or not self.events
        self.session = session
        self.seats: dict[str, tuple[Table, Side]] = {}
        self._owed = 0
        clock = None if session is None else session.transport.cpu
        self.meter = None if clock is None else Meter(clock)
        self.bot = bot  # the StartBot request whose program this is
        self.away_until: float | None = None
        self.allowances: tuple[Allowance, Allowance] | None = None  # of lines and of errors
        self.secrets: list[bytes] = []  # digests
        self.recorded = False  # whether the journal knows them all
        self.missing = False  # since a restart of the server
        self.ladder = 0  # games at once that it wants of the standing ladder
        self.earned = 0  # lines that begin games and that finished games have paid for
        self.account: str | None = None  # None for guests and programs
        self.key: bytes | None = None  # digest of the token or seat code that it came with

    def __repr__(self) -> str:
        return f"<Player {self.name}, {len(self.seats)} games>"

    def arrive(self, session: Session, games: int, want: tuple[str, ...], agent: str | None) -> None:
        """A program has come whose seats were waiting for it since a restart."""
        self.session, self.games, self.agent = session, games, agent
        self.events = "events" in want
        self.full = "full" in want or not self.events
        clock = session.transport.cpu
        self.meter = None if clock is None else Meter(clock)
        if self.meter is not None:
            self.meter.begin()

    @property
    def want(self) -> tuple[str, ...]:
        """The capabilities the player asked for, as its welcome repeats them."""
        if not self.events:
            return ()
        return ("events", "full") if self.full else ("events",)

    @property
    def owed(self) -> int:
        """How many requests are open for it."""
        return self._owed

    def owe(self) -> None:
        """One more request is open."""
        if self.meter is not None and not self._owed:
            self.meter.rest()
        self._owed += 1

    def settle(self) -> int | None:
        """A request is answered or closed; the milliseconds of processor time that went into it, if known."""
        self._owed -= 1
        return None if self.meter is None else self.meter.decided()

    def take_seat(self, table: Table, side: Side) -> None:
        """Be seated in a game that begins."""
        if self.meter is not None and not self.seats:
            self.meter.begin()
        self.seats[table.game] = (table, side)

    def earn_game(self) -> None:
        """A game was played to its end: beginning the next costs no rate; never more than it may play."""
        self.earned = min(self.earned + 1, self.games)

    def spend_game(self) -> bool:
        """Begin a game that a finished one pays for; False, and nothing taken, when there is none."""
        if not self.earned:
            return False
        self.earned -= 1
        return True

    @property
    def has_room(self) -> bool:
        """Whether the player may start one more game."""
        return len(self.seats) < self.games and not self.is_checked

    @property
    def is_checked(self) -> bool:
        """Whether a conformance run has its connection."""
        return self.session is not None and self.session.check is not None

    def log(self, now: float, what: int, data: bytes) -> None:
        """Add a step to the logs of all its games."""
        for table, side in self.seats.values():
            table.logs[side].add(now, what, data)

    def is_secret(self, word: str) -> bool:
        """Tell whether a word is a secret that the player resumes with, or the key that it came with."""
        return self.knows(digest(word)) or key_digest(word) == self.key

    def leave_table(self, game: str) -> None:
        """Free the seat of a finished game."""
        if self.seats.pop(game, None) is not None and self.meter is not None and not self._owed:
            self.meter.rest()

    def add_secret(self, secret: str) -> None:
        """Give the player one more secret to resume with; only its digest is kept."""
        self.secrets.append(digest(secret))
        self.recorded = False

    def use_newest_secret(self) -> None:
        """Forget all secrets but the newest: its owner has shown that the newest arrived."""
        if len(self.secrets) > 1:
            del self.secrets[:-1]
            self.recorded = False

    def use_secret(self, secret_digest: bytes) -> None:
        """Forget all secrets but this one: the player came with it, so any other may never have arrived."""
        self.secrets[:] = [secret_digest]
        self.recorded = False

    def knows(self, secret_digest: bytes) -> bool:
        """Tell, in the same time whatever the answer, whether a secret of this digest is the player's."""
        found = False
        for own in self.secrets:
            found |= hmac.compare_digest(own, secret_digest)
        return found
