"""Who is known here: accounts, and the keys that open them, of which only digests are kept."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import Final, NamedTuple

from tyrusd.core.readable import unreadable

LONGEST_DISPLAY: Final = 64  # letters
KINDS: Final = ("bot", "human")

_NOTHING: Final = bytes(32)  # the digest of nothing that anybody knows


class Account(NamedTuple):
    """Somebody who has a name of his own; display is for people's eyes only, owner names who runs a bot."""

    name: str
    kind: str  # "bot" | "human"
    display: str | None = None
    owner: str | None = None
    disabled: bool = False


class Key(NamedTuple):
    """A token, or a seat code, which may be used once; digest: of the secret itself."""

    digest: bytes
    account: str
    sort: str  # "token" | "code"
    used: bool = False

    def __repr__(self) -> str:
        return f"<a {self.sort} of {self.account}>"


class Accounts:
    """All accounts and all keys that are not revoked; it never changes, a newer one takes its place."""

    def __init__(self, accounts: Iterable[Account] = (), keys: Iterable[Key] = ()) -> None:
        self._accounts = {account.name.lower(): account for account in accounts}
        self._keys = {key.digest: key for key in keys}

    def __repr__(self) -> str:
        return f"<{len(self._accounts)} accounts with {len(self._keys)} keys>"

    def same_as(self, other: Accounts) -> bool:
        """Tell whether these are the same accounts with the same keys, however many codes were used."""
        return self._accounts == other._accounts and self._keys.keys() == other._keys.keys()

    def find(self, name: str) -> Account | None:
        """The account of a name in any case."""
        return self._accounts.get(name.lower())

    def display_of(self, name: str) -> str | None:
        """Return what people may call an account; nothing that could not have been given in a proper way."""
        account = self.find(name)
        display = None if account is None else account.display
        return None if display is None or display_fault(display) is not None else display

    def related(self, one: str, other: str) -> bool:
        """Tell whether one person stands behind two accounts: the same, an owner and its bot, or two bots."""
        return not self.backers(one).isdisjoint(self.backers(other))

    def backers(self, name: str) -> frozenset[str]:
        """An account, its owner, the owner of that and so on, in lower case; owners need no account."""
        found: set[str] = set()
        owner: str | None = name
        while owner is not None and owner.lower() not in found:
            found.add(owner.lower())
            account = self.find(owner)
            owner = None if account is None else account.owner
        return frozenset(found)

    def opened(self, name: str, secret_digest: bytes) -> tuple[Account, Key] | None:
        """Return what a key opens under a name, or None: unknown, revoked, disabled or somebody else's.

        All of these take the same time: the table is searched by a digest, of which nobody can choose a
        part, and what is found is compared in constant time, also where nothing is found.
        """
        key = self._keys.get(secret_digest)
        same = hmac.compare_digest(secret_digest, _NOTHING if key is None else key.digest)
        account = self._accounts.get(name.lower())
        mine = key is not None and account is not None and key.account.lower() == account.name.lower()
        if key is None or account is None or not (same and mine and not account.disabled):
            return None
        return account, key

    def stands(self, name: str, secret_digest: bytes) -> bool:
        """Tell whether somebody who came with this key may stay, and may come back."""
        return self.opened(name, secret_digest) is not None


NOBODY: Final = Accounts()


def display_fault(text: str) -> str | None:
    """Return a sentence that says why a text is no display name, or None: any script, nothing unseen."""
    return _fault("a display name", text)


def label_fault(text: str) -> str | None:
    """Return a sentence that says why a text is no label of a key, or None."""
    return _fault("a label", text)


def _fault(what: str, text: str) -> str | None:
    if not 0 < len(text) <= LONGEST_DISPLAY:
        return f"{what} has 1 to {LONGEST_DISPLAY} letters"
    wrong = unreadable(text)
    return None if wrong is None else f"{what} has {wrong}"
