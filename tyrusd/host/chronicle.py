"""What a standing server tells its log of by itself: games that are over, bad lines, what was left out."""

from __future__ import annotations

import logging

import trio

from tyrusd.core.requests import EventNews, GameOver, Misread, News
from tyrusd.host import logs
from tyrusd.host.engine import Engine

_log = logging.getLogger("tyrusd.games")
_events = logging.getLogger("tyrusd.events")


class Chronicle:
    """Works beside a server (see `Assembly`): counts what floods the log, every ten seconds."""

    def attach(self, engine: Engine) -> None:
        """Hear of games that are over, with whoever hears of them already."""
        others = engine.on_news

        def told(news: News) -> None:
            others(news)
            self.tell(news)

        engine.on_news = told

    async def run(self) -> None:
        """Tell what was left out, now and then and in the end."""
        try:
            while True:
                await trio.sleep(logs.SUMMARY)
                logs.tell_left_out()
        finally:
            logs.tell_left_out(0.0)

    def tell(self, news: News) -> None:
        """Tell how a game ended, and who sends what is no text; never what it was, which may hold a secret.

        The deal of a game may still be played by others, so nothing of that is told.
        """
        if isinstance(news, Misread):
            source = f"bad lines from {news.host}"
            _log.info("a line from %s was refused: %s", news.host, news.code, extra={"source": source})
        if isinstance(news, EventNews):
            # Of its own source each, or the games of a ladder would hide the results of a club evening.
            _events.info("%s", news.sentence, extra={"source": f"event {news.event}, {news.about}"})
        if isinstance(news, GameOver):
            game = news.record["game"]
            names = " against ".join(game["seats"].values())
            detail = f" ({game['detail']})" if game["detail"] else ""
            _log.info(
                "game %s is over: %s, %s%s, winner: %s",
                news.record["id"],
                names,
                game["reason"],
                detail,
                game["winner"] or "nobody",
                extra={"source": "games that are over"},
            )
