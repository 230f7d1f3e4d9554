"""How far the bots of one server are kept apart from it: their limits and, if wanted, their sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from tyrusd.host.limits import DEFAULT, Limits

if TYPE_CHECKING:
    from tyrusd.host.sandbox import Sandbox


class Confinement(NamedTuple):
    """What holds for every bot of a server."""

    limits: Limits = DEFAULT
    sandbox: Sandbox | None = None


USUAL: Final = Confinement()
