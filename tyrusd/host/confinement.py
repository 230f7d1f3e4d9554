"""How far the bots of one server are kept apart from it: their limits and, if wanted, their sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from tyrusd.host.limits import DEFAULT, Limits

if TYPE_CHECKING:
    from pathlib import Path

    from tyrusd.host.sandbox import Sandbox


class Confinement(NamedTuple):
    """What holds for every bot of a server."""

    limits: Limits = DEFAULT
    sandbox: Sandbox | None = None

    def hiding(self, *paths: Path) -> Confinement:
        """The same, with files and directories that bots in the sandbox must not see."""
        if self.sandbox is None:
            return self
        return self._replace(sandbox=self.sandbox._replace(hidden=paths))


USUAL: Final = Confinement()
