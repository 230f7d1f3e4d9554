"""Results on their way to durable storage: asked for until they are kept; none is told before that.

A server never gives one up: if nothing can be kept, its host ends, and the next server has the game from its
placements. Only a worker of a ladder does, by its own wish, because another one plays the game again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tyrusd.core.requests import GameOver, Store, Stored, StoreFailed
from tyrusd.league.record import Payload, again_record, frame, game_record
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.server import Server
    from tyrusd.core.table import Table


@dataclass(slots=True)
class _Pending:
    table: Table
    record: Payload
    framed: bytes
    attempts: int = 0
    asked: int = 0  # the newest request; older ones may still be answered with success
    failed: bool = False
    ids: set[int] = field(default_factory=set)


class Storing:
    """Every finished game whose record is not durable yet."""

    __slots__ = ("_by_id", "_server")

    def __init__(self, server: Server) -> None:
        self._server = server
        self._by_id: dict[int, _Pending] = {}

    def __len__(self) -> int:
        return len({id(pending) for pending in self._by_id.values()})

    @property
    def troubled(self) -> bool:
        """Whether some result could not be stored yet."""
        return any(pending.failed for pending in self._by_id.values())

    def store(self, table: Table, now: float) -> None:
        """Ask for the record of a finished game to be made durable; before it stands what follows the game.

        One that stands in the journal since before a restart is not written a second time; but only now is it
        known to be durable, and told.
        """
        if table.kept is not None:
            self._ask(_Pending(table, *table.kept), now)
            return
        if self._deals_again(table):  # the journal knows what follows before it knows the end
            self._follow(table, self._server.new_game_id())
        started = self._server.time_of_day(table.match.began if table.match.began is not None else now)
        record = game_record(table.match, started=started)
        self._ask(_Pending(table, record, frame(record)), now)

    def _ask(self, pending: _Pending, now: float) -> None:
        server = self._server
        number = server.next_request()
        pending.attempts += 1
        pending.asked = number
        pending.ids.add(number)
        self._by_id[number] = pending
        missing = pending.framed if pending.table.kept is None else b""
        server.request(Store(number, pending.table.game, missing))
        server.timers.set(
            ("store", number), now + server.settings.store_deadline, lambda at: self._too_late(number, at)
        )

    def _too_late(self, number: int, now: float) -> None:
        self._server.counts.limits["store_deadline"] += 1
        self._failed(number, now)

    def _again(self, pending: _Pending, now: float) -> None:
        self._server.counts.limits["store_retry"] += 1
        self._ask(pending, now)

    def stored(self, answer: Stored, now: float) -> None:
        """A record is durable: tell the result. A second answer for the same game changes nothing."""
        pending = self._by_id.get(answer.id)
        if pending is not None:
            self._forget(pending)
            self._announce(pending, now)

    def failed(self, answer: StoreFailed, now: float) -> None:
        """A record could not be kept: try again."""
        self._failed(answer.id, now)

    def _failed(self, number: int, now: float) -> None:
        pending = self._by_id.get(number)
        if pending is None or number != pending.asked or ("retry", number) in self._server.timers:
            return  # that attempt has been given up already
        server = self._server
        server.timers.clear(("store", number))
        if not pending.failed:
            pending.failed = True
            for player in pending.table.players:
                if player.session is not None:
                    player.session.send(
                        wire.Notice("storage", "The result cannot be stored yet; trying again.")
                    )
        most = server.settings.store_attempts
        if most is None or pending.attempts < most:
            server.timers.set(
                ("retry", number), now + server.settings.store_retry, lambda at: self._again(pending, at)
            )
            return
        self._forget(pending)
        self._abandon(pending.table, now)

    # -- what follows --------------------------------------------------------------------------------------

    def _deals_again(self, table: Table) -> bool:
        return not self._server.closing_down.begun and self._server.director.deals_again(table)

    def _follow(self, table: Table, game: str | None) -> None:
        table.next_game = game
        self._server.remember(again_record(table.game, game))

    def _announce(self, pending: _Pending, now: float) -> None:
        """Tell a durable result and go on."""
        server, table = self._server, pending.table
        if table.next_game is not None and not self._deals_again(table):
            self._follow(table, None)
        server.close_table(table, now)
        server.archive.add(table, pending.framed)
        ivory, brown = [None if player.meter is None else player.meter.pondered() for player in table.players]
        server.news(GameOver(pending.record, table.note, (ivory, brown), table.deal))
        server.director.over(table, now)
        if table.next_game is not None:
            server.remember(again_record(table.game, None))  # it has begun: nothing is to come any more

    def _abandon(self, table: Table, now: float) -> None:
        """The result could not be kept: nobody has won, and that is what everyone is told."""
        server = self._server
        table.drop_result()
        server.close_table(table, now)
        server.archive.add(table, None)
        server.director.over(table, now)

    def _forget(self, pending: _Pending) -> None:
        for number in pending.ids:
            self._server.timers.clear(("store", number))
            self._server.timers.clear(("retry", number))
            del self._by_id[number]
