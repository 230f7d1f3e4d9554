"""A spectator without a connection: what the public may see of a game goes to whoever wants it as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tyrusd.core.requests import Transport
from tyrusd.core.session import Session
from tyrusd.wire import Codec

if TYPE_CHECKING:
    from tyrusd.core.server import Server
    from tyrusd.core.table import Table


class Onlooker(Session):
    """Watches one game from now until its end; it is no peer and is in no list.

    number: below 0, different from all others; take: gets the lines, and must not pass them on before the
    journal of that step is written.
    """

    __slots__ = ("_server", "_table", "_take")

    def __init__(self, server: Server, table: Table, number: int, take: Callable[[bytes], None]) -> None:
        transport = Transport("console", Codec.LINE, "console")
        super().__init__(number, transport, server.settings, {}, [], server.now, server.counts)
        self._server = server
        self._table = table
        self._take = take
        self.watching[table.game] = table
        table.watchers[number] = self
        table.show(self, None, server.now, new=True)

    @property
    def over(self) -> bool:
        """Whether the end has been told: nothing more comes."""
        return not self.watching

    def write(self, data: bytes) -> None:
        """Hand lines on."""
        self._take(data)

    def leave(self) -> None:
        """Watch no more."""
        self.watching.clear()
        self._table.watchers.pop(self.number, None)
        self._table.late.pop(self.number, None)
