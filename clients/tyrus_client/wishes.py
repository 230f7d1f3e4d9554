"""What the person asked for on the command line."""

from collections.abc import Callable
from typing import NamedTuple


class Wishes(NamedTuple):
    """What the person asked for when starting the client.

    `address` is only shown; `other_name` gives another name when `name` is taken, None when the person chose
    the name; `play` names the player to start a game with at once; `key` is that of the person's account.
    """

    address: str
    name: str
    other_name: Callable[[], str] | None
    play: str | None
    key: str | None = None

    def __repr__(self) -> str:
        return f"Wishes({self.address!r}, {self.name!r}, play={self.play!r})"  # nothing shows a key
