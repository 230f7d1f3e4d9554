"""The finished games that are remembered for their players: the last of each name, in bounded memory."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from tyrusd.core.earlier import Finished, dossier_from
from tyrusd.core.requests import DropLog, KeepLog
from tyrusd.core.story import ABNORMAL, Dossier, Story
from tyrusd.core.wirelog import RECEIVED, Packed
from tyrusd.league.rated import rated_word
from tyrusd.rules.events import Over
from tyrusd.rules.pieces import Side

if TYPE_CHECKING:
    from tyrusd.core.player import Player
    from tyrusd.core.server import Server
    from tyrusd.core.table import Table

NAMES: Final = 2000  # whose games are remembered; the one that has not played for longest is forgotten


class Archive:
    """The newest finished games by name, those of earlier servers without logs; case does not matter.

    A dossier is forgotten when it is the oldest of more games than are kept of each of its names, or when all
    of them together take too much memory. The files that the host keeps are dropped in the first case only,
    and only where the board decided the game.
    """

    __slots__ = ("_by_name", "_games", "_names", "_server", "_size")

    def __init__(self, server: Server) -> None:
        self._server = server
        self._games: OrderedDict[str, Dossier] = OrderedDict()
        self._names: dict[str, set[str]] = {}  # of each game: who still remembers it
        self._by_name: OrderedDict[str, deque[str]] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return len(self._games)

    def add(self, table: Table, record: bytes | None) -> None:
        """Remember a game whose end has been told; record as it was stored, None when it could not be."""
        dossier = dossier_of(table, record)
        if dossier.has_log:
            bots = (table.players[0].bot, table.players[1].bot)
            self._server.request(KeepLog(dossier, bots))
        self._remember(dossier)

    def recall(self, finished: Iterable[Finished]) -> None:
        """Remember games of an earlier server, in the order of their ends."""
        for game in finished:
            self._remember(dossier_from(game))

    def _remember(self, dossier: Dossier) -> None:
        limits = self._server.counts.limits
        self._games[dossier.game] = dossier
        self._size += dossier.size
        names = dict.fromkeys(story.name.lower() for story in dossier.stories)
        self._names[dossier.game] = set(names)
        for name in names:
            games = self._by_name.setdefault(name, deque())
            self._by_name.move_to_end(name)
            games.append(dossier.game)
            if len(games) > self._server.settings.own_results:
                limits["own_results"] += 1
                self._leave(games.popleft(), name)
        while len(self._by_name) > NAMES:
            limits["names"] += 1
            name, games = self._by_name.popitem(last=False)
            for game in games:
                self._leave(game, name)
        while self._size > self._server.settings.kept_bytes and len(self._games) > 1:
            limits["kept_bytes"] += 1
            self._forget(next(iter(self._games)))

    def _leave(self, game: str, name: str) -> None:
        """A name does not remember a game any more."""
        names = self._names.get(game)
        if names is None:
            return
        names.discard(name)
        if not names:
            dossier = self._games[game]
            self._forget(game)
            # Of an earlier server's game nobody knows whether there is a file.
            if (dossier.has_log or dossier.earlier) and not dossier.abnormal:
                self._server.request(DropLog(game))

    def _forget(self, game: str) -> None:
        self._size -= self._games.pop(game).size
        del self._names[game]

    def games_of(self, name: str) -> list[Dossier]:
        """The games of a name, newest first."""
        found = [self._games.get(game) for game in self._by_name.get(name.lower(), ())]
        return [dossier for dossier in reversed(found) if dossier is not None]

    def find(self, game: str, name: str) -> tuple[Dossier, Side] | None:
        """A game of a name, and the side that the name had in it."""
        dossier = self._games.get(game)
        if dossier is None or name.lower() not in self._names[game]:
            return None
        return next((dossier, story.side) for story in dossier.stories if story.name.lower() == name.lower())

    def played_on(self, deal: str) -> str | None:
        """What is still played on a deal, as a sentence, or None: only then may all about it be told."""
        for table in self._server.tables.values():
            if table.deal == deal:
                return f"{table.game} is being played on the same deal; ask when it is over."
        if deal in self._server.sealed:
            return "The other game on the same deal is still to be played; ask when it is over."
        return None

    def withhold(self, games: Iterable[str]) -> None:
        """Forget games whose deal will be played once more, so that nobody is ever told of it."""
        for game in games:
            if game in self._games:
                self._forget(game)

    def too_late(self, player: Player, game: str, request: int, line: bytes, now: float) -> None:
        """An answer has come after the end: if the game was lost for want of it, note how late it was."""
        found = self.find(game, player.known_as)
        if found is None:
            return
        dossier, side = found
        story = dossier.stories[side]
        if story.request != request or story.overrun is not None or not dossier.at_fault(side):
            return
        if dossier.reason != "timeout" or story.limit is None or story.ended is None:
            return
        due = story.ended - ((story.waited or 0) - story.limit) / 1000
        overrun = max(0, round((now - due) * 1000))
        stories = list(dossier.stories)
        steps = None if story.steps is None else Packed([*story.steps, (now, RECEIVED, line)])
        stories[side] = story._replace(overrun=overrun, steps=steps)
        self._games[game] = changed = dossier._replace(stories=(stories[0], stories[1]))
        self._size += changed.size - dossier.size
        if changed.has_log:
            self._server.request(KeepLog(changed, (None, None)))


def dossier_of(table: Table, record: bytes | None) -> Dossier:
    """All that is kept of a game that is over; the end as it was told, not as it might have been."""
    match, over = table.match, (table.ending or ())[-1]
    assert isinstance(over, Over)
    winner, reason, detail = over
    ivory, brown = (_story(table, side, over) for side in Side)
    return Dossier(
        table.game,
        table.deal,
        match.game.variant.name,
        match.game.placed_count,
        winner,
        reason,
        detail,
        record,
        (ivory, brown),
        rated_word(match.rated),
    )


def _story(table: Table, side: Side, over: Over) -> Story:
    match, player, log = table.match, table.players[side], table.logs[side]
    began = match.began if match.began is not None else table.server.now
    ended = match.ended if match.ended is not None else table.server.now
    request = table.open_at_end
    open_one = request if request is not None and request.side is side else None
    log.shorten()
    for limit in log.met:
        table.server.counts.limits[limit] += 1
    kept = player.kind == "bot" or over.reason in ABNORMAL
    return Story(
        side,
        match.names[side],
        player.kind,
        Packed(log.steps) if kept else None,
        began,
        log.left_out,
        log.errors,
        match.refused[side],
        match.controls[side].clock_text,
        match.controls[side].cap_text,
        match.clocks[side].time_ms,
        open_one.number if open_one else None,
        table.limit_at_end if open_one else None,
        max(0, round((ended - open_one.issued) * 1000)) if open_one else None,
        None,
        table.note if table.noted is side else "",
        ended,
    )
