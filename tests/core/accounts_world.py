"""A lobby with accounts in memory for tests, whose store of used codes can wait, refuse and fail."""

from __future__ import annotations

from collections.abc import Mapping

from tests.core.stage import Stage
from tests.core.world import Peer
from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.core.keys import key_digest
from tyrusd.core.ladder_terms import LadderTerms
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import CodeRefused, CodeUsed, Request, UseCode
from tyrusd.core.restoring import Recovered
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.league.fold import fold
from tyrusd.league.framing import HEADER, read_frames

TOKEN = "T0kenOfAda_" + "a" * 32
SPARE = "SpareOfAda-" + "s" * 32
BOBS = "T0kenOfBob_" + "b" * 32
CODE = "ABCD-EFGH-JKLM-NPQ2"
STRANGER = "192.0.2.7"

ADA = Account("Ada", "human", "Ада")
BOB = Account("bob", "bot", owner="Ada")
KEYS = (
    Key(key_digest(TOKEN), "Ada", "token"),
    Key(key_digest(SPARE), "Ada", "token"),
    Key(key_digest(BOBS), "bob", "token"),
    Key(key_digest(CODE), "Ada", "code"),
)
KNOWN = Accounts((ADA, BOB), KEYS)


class Door(Stage):
    """A lobby with accounts; used holds what a store would have marked."""

    def __init__(
        self,
        accounts: Accounts = KNOWN,
        settings: Settings = DEFAULTS,
        guests: bool = True,
        houses: Mapping[str, SeatSpec] | None = None,
        recovered: Recovered | None = None,
        seed: int = 1,
        ladder: LadderTerms | None = None,
    ) -> None:
        self.used: set[bytes] = set()
        self.answers_at_once = True
        self.trouble = ""
        self.asked: list[UseCode] = []
        self.ladder = ladder
        self.houses = houses or {}
        self.lobby = Lobby(self.houses, accounts, guests, ladder)
        super().__init__(settings, seed, self.lobby, recovered=recovered or Recovered())

    def _request(self, request: Request) -> None:
        if not isinstance(request, UseCode):
            super()._request(request)
            return
        self.asked.append(request)
        if self.answers_at_once:
            self.answer(request)

    def answer(self, request: UseCode) -> None:
        """What a store does: mark a code once."""
        if self.trouble:
            self.server.answer(CodeRefused(request.id, self.trouble), self.now)
        elif request.digest in self.used:
            self.server.answer(CodeRefused(request.id), self.now)
        else:
            self.used.add(request.digest)
            self.server.answer(CodeUsed(request.id), self.now)
        self.run()

    def log_in(
        self, key: str, name: str = "ada", kind: str = "human", extra: str = "", host: str = "127.0.0.1"
    ) -> Peer:
        """A peer that has said hello with a key, whatever the answer was."""
        peer = self.connect(host)
        peer.forget()
        peer.say(f"hello 0.1 {name} {kind} key={key} {extra}".strip())
        return peer

    def change(self, accounts: Accounts) -> None:
        """Hand newer accounts to the lobby, as a host does."""
        self.server.step(lambda now: self.lobby.admission.changed(accounts, now), self.now)
        self.run()

    def restarted(self, accounts: Accounts = KNOWN) -> Door:
        """A new server on what the journal of this one holds."""
        folded = fold(read_frames(HEADER + b"".join(self.kept)))
        numbers = [int(game[1:]) for game in (*folded.finished, *folded.running)]
        houses = {name.lower(): spec for name, spec in self.houses.items()}
        left = Recovered(tuple(folded.running.values()), folded.players, houses, max(numbers, default=0))
        door = Door(accounts, houses=self.houses, recovered=left, seed=2, ladder=self.ladder)
        door.used = self.used
        door.change(accounts)
        return door


def without(*keys: str, disabled: bool = False) -> Accounts:
    """The accounts after keys were revoked, and perhaps Ada was disabled."""
    gone = {key_digest(key) for key in keys}
    accounts = (ADA._replace(disabled=disabled), BOB)
    return Accounts(accounts, [key for key in KEYS if key.digest not in gone])
