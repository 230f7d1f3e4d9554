"""The programs that the server had started: until they come, while they are here, and when they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tyrusd.core.director import Bot
from tyrusd.core.requests import StartBot, StopBot
from tyrusd.core.seatspec import SeatSpec

if TYPE_CHECKING:
    from tyrusd.core.server import Server

_HELLO_HINT: Final = " (does it flush that line? `tyrusd check` tells)"


class Programs:
    """Every program that was asked for and has not ended, by its StartBot request."""

    __slots__ = ("_server", "bots")

    def __init__(self, server: Server) -> None:
        self._server = server
        self.bots: dict[int, Bot] = {}

    def start(self, name: str, spec: SeatSpec, now: float) -> Bot:
        """Have a program started; the director hears of it as `ready` or `bot_failed`."""
        server = self._server
        bot = Bot(server.next_request(), name, spec)
        self.bots[bot.id] = bot
        server.request(StartBot(bot.id, name, spec))
        server.presence.keep_beating(now)
        due = now + server.settings.bot_start
        server.timers.set(("bot", bot.id), due, lambda at: self._never_connected(bot, at))
        return bot

    def stop(self, bot: int) -> None:
        """Have a program ended."""
        if self.bots.pop(bot, None) is not None:
            self._server.timers.clear(("bot", bot))
            self._server.request(StopBot(bot))

    def cannot_start(self, bot: int, why: str, now: float) -> None:
        """The world could not start a program; one that nobody waits for any more does not matter."""
        found = self.bots.pop(bot, None)
        if found is not None:
            self._server.timers.clear(("bot", bot))
            self.failed(found, why, now)

    def failed(self, bot: Bot, why: str, now: float) -> None:
        """A program never became ready; games that waited for it since a restart end without a result."""
        server = self._server
        for player in [found for found in server.players.values() if found.missing and found.bot == bot.id]:
            for table, _ in list(player.seats.values()):
                table.stop(None, "aborted", "house-bot", now)
        server.director.bot_failed(bot, why, now)

    def _never_connected(self, bot: Bot, now: float) -> None:
        if bot.player is None and self.bots.get(bot.id) is bot:
            self.stop(bot.id)
            self._server.counts.limits["bot_start"] += 1
            patience = f"{self._server.settings.bot_start:g} s"
            self.failed(bot, f"it did not say hello within {patience}{_HELLO_HINT}", now)
