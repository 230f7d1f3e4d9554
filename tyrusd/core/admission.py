"""Who may come in: guests, accounts with a key, and those who come back by it (protocol.md#hello)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.core.allowances import MINUTE, MOST, Allowances
from tyrusd.core.failures import Refused, refuse
from tyrusd.core.hosts import network_of
from tyrusd.core.keys import key_digest
from tyrusd.core.names import name_fault
from tyrusd.core.requests import Answer, CodeRefused, CodeUsed, UseCode
from tyrusd.core.session import Session
from tyrusd.core.verbs import NO_NAME, Answered, log_in
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.lobby import Lobby


class _Late(NamedTuple):
    """Somebody whose key was not known, and when that will be told."""

    session: Session
    hello: wire.Hello
    due: float


class Admission:
    """The door of a lobby; guests: whether anybody may come without an account."""

    def __init__(self, lobby: Lobby, accounts: Accounts, guests: bool) -> None:
        self._lobby = lobby
        self.accounts = accounts
        self.guests = guests
        self._used: set[bytes] = set()  # digests of codes that were used up since this server began
        self._unclaimed: set[bytes] = set()  # of those, whose peers were gone before they were let in
        self._logins: Allowances[str] = Allowances()  # by account
        self._wrong: Allowances[str] = Allowances()  # wrong keys, by account
        self.unknown: Callable[[], object] = lambda: None  # hears of each key that may be newer than accounts
        self._refused: dict[int, _Late] = {}  # by the number of the session, the latest at the end
        # When a network last tried a wrong key of an account, the last of all at the end.
        self.guessed: dict[tuple[str, str], float] = {}

    def name_for(self, session: Session, hello: wire.Hello) -> str:
        """Return the name of a guest; whoever brings a key is let in here, or refused. Raises Refused."""
        if hello.key is not None:
            self._by_key(session, hello, hello.key)
            raise Answered
        if self._lobby.houses.find(hello.name) is not None:
            raise Refused("taken", f"{hello.name} is a bot of this server; choose another name.")
        if name_fault(hello.name) is not None:
            raise Refused("name", NO_NAME)
        if self.accounts.find(hello.name) is not None:
            raise Refused(
                "auth", f"{hello.name} has an account here: say hello with its key=, or another name."
            )
        if not self.guests:
            raise Refused(
                "auth", "This server takes no guests: say hello with key=, which its operator gives."
            )
        return hello.name

    def changed(self, accounts: Accounts, now: float) -> None:
        """Take the newest accounts; who came with a key that is worth nothing any more has to go."""
        self.accounts = accounts
        server = self._lobby.server
        for player in list(server.players.values()):
            if player.account is None or player.key is None or accounts.stands(player.account, player.key):
                continue
            player.secrets.clear()
            player.recorded = False
            server.record_player(player)
            if player.session is not None:
                sentence = "Your key was taken back, or your account was disabled; ask the operator."
                server.presence.dismiss(player.session, "revoked", sentence, now)
        self._try_again(now)

    # -- keys ----------------------------------------------------------------------------------------------

    def _by_key(self, session: Session, hello: wire.Hello, typed: str) -> None:
        now = self._lobby.server.now
        found = self.accounts.opened(hello.name, key_digest(typed))
        if found is None or not self._may_try(session, found[0], now):
            self._wrong_key(session, hello, now)
            return
        account, key = found
        self._check_name(account)
        fresh = key.sort == "code" and not self._is_back(account, key)
        if fresh and key.digest not in self._unclaimed:
            self._use_up(session, hello, account, key, now)
            return
        self._let_in(session, hello, account, key, now)
        self._unclaimed.discard(key.digest)

    def _check_name(self, account: Account) -> None:
        """Raise Refused if somebody else is here under the name, who came before it was an account's."""
        player = self._lobby.server.players.get(account.name.lower())
        if self._lobby.houses.find(account.name) is not None or (
            player is not None and player.account is None
        ):
            raise Refused("taken", f"Somebody is here as {account.name} without a key; try again later.")

    def _is_back(self, account: Account, key: Key) -> bool:
        """Tell whether a player who came with this code is here, or its seats are kept."""
        player = self._lobby.server.players.get(account.name.lower())
        return player is not None and player.key == key.digest

    def _use_up(self, session: Session, hello: wire.Hello, account: Account, key: Key, now: float) -> None:
        """Have a code marked as used; nobody is let in before that is durable, and nobody twice."""
        server = self._lobby.server
        if key.used or key.digest in self._used:
            self._wrong_key(session, hello, now)
            return
        # Nobody's code is used up for a server that would not let its owner in.
        server.closing_down.check_return(session, server.players.get(account.name.lower()))
        session.paused = True
        number = server.next_request()
        server.ask(
            UseCode(number, key.digest),
            lambda answer, at: self._used_up(answer, session, hello, account, key, at),
        )

    def _used_up(
        self, answer: Answer, session: Session, hello: wire.Hello, account: Account, key: Key, now: float
    ) -> None:
        gone = session.closing or session.retired
        if isinstance(answer, CodeUsed):
            self._used.add(key.digest)
            if gone:
                self._unclaimed.add(key.digest)
                return
            try:
                if not self.accounts.stands(account.name, key.digest):
                    raise Refused("auth", "The key was taken back in this moment.")
                self._check_name(account)
                self._let_in(session, hello, account, key, now)
            except Refused as refused:
                self._unclaimed.add(key.digest)
                if refused.limit is not None:
                    session.counts.limits[refused.limit] += 1
                refuse(session, hello, refused.code, refused.sentence, now)
        elif gone:
            return
        elif not isinstance(answer, CodeRefused) or answer.why:
            refuse(session, hello, "storage", "Your code cannot be marked as used now; try again later.", now)
        else:
            self._wrong_key(session, hello, now)
            return
        if session.doom is None:
            self._lobby.server.intake.unpause(session, now)

    def _let_in(self, session: Session, hello: wire.Hello, account: Account, key: Key, now: float) -> None:
        """Give an account's owner its player, and the seats that it has; raises Refused."""
        most = self._lobby.server.settings.logins_per_minute
        if not self._logins.spend(account.name.lower(), most, now):
            sentence = f"{account.name} has come too often; try again in a few seconds."
            raise Refused("unavailable", sentence, "logins_per_minute")
        log_in(self._lobby.server, session, hello, account.name, account.kind, key.digest, now)

    # -- wrong keys ----------------------------------------------------------------------------------------

    def _may_try(self, session: Session, account: Account, now: float) -> bool:
        """Tell whether a right key counts: not if this host, or many, have guessed too often.

        When an account has its share of wrong keys, only hosts that have guessed none of them in the last
        minute can come in: nobody can shut its owner out.
        """
        if not self._lobby.server.presence.may_resume(session, now):
            return False
        if self._wrong.has(account.name.lower(), now):
            return True
        guessed = self.guessed.get((account.name.lower(), network_of(session.transport.host)))
        return guessed is None or now - guessed >= MINUTE

    def _wrong_key(self, session: Session, hello: wire.Hello, now: float) -> None:
        """Answer late, and the same whatever was wrong."""
        server, name, host = self._lobby.server, hello.name.lower(), session.transport.host
        if host not in server.settings.open_hosts and self.accounts.find(name) is not None:
            if not self._wrong.spend(name, server.settings.account_failures_per_minute, now):
                session.counts.limits["account_failures_per_minute"] += 1
            self._remember_guess(name, network_of(host), now)
        server.presence.wrong_secret(session, hello, now)
        while self._refused and not self._waits(next(iter(self._refused.values()))):
            del self._refused[next(iter(self._refused))]
        due = server.timers.due(("rate", session.number))
        if due is not None:
            self._refused.pop(session.number, None)
            self._refused[session.number] = _Late(session, hello, due)
        self.unknown()

    def _waits(self, late: _Late) -> bool:
        """Tell whether somebody whose key was not known has not been answered yet."""
        session = late.session
        gone = session.closing or session.retired
        return not gone and self._lobby.server.timers.due(("rate", session.number)) == late.due

    def _try_again(self, now: float) -> None:
        """Let in whose key is known by now: it was given out a moment before it was said."""
        server = self._lobby.server
        for number, (session, hello, due) in list(self._refused.items()):
            typed = hello.key or ""
            if self.accounts.opened(hello.name, key_digest(typed)) is None:
                continue
            del self._refused[number]
            if not self._waits(_Late(session, hello, due)):
                continue
            server.timers.clear(("rate", number))
            session.paused = False
            try:
                self._by_key(session, hello, typed)
            except Refused as refused:
                if refused.limit is not None:
                    session.counts.limits[refused.limit] += 1
                refuse(session, hello, refused.code, refused.sentence, now)
            if not session.paused and session.doom is None:
                server.intake.unpause(session, now)

    def _remember_guess(self, name: str, network: str, now: float) -> None:
        """Remember who guessed last, for a minute, of MOST at a time; the oldest of all is forgotten."""
        self.guessed.pop((name, network), None)
        while self.guessed:
            oldest = next(iter(self.guessed))
            if len(self.guessed) < MOST and now - self.guessed[oldest] < MINUTE:
                break
            del self.guessed[oldest]
        self.guessed[name, network] = now
