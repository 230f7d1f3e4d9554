"""Runs a playback: one bot, one recorded game, the same core and the same limits as in a match."""

from __future__ import annotations

import os
import time

import trio

from tyrusd.core.playback import Playback
from tyrusd.core.requests import News
from tyrusd.core.restoring import Recovered
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.server import Server
from tyrusd.host.assembly import Assembly
from tyrusd.host.daemon import hide_memory
from tyrusd.host.journal import MemoryJournal
from tyrusd.league.record import Payload
from tyrusd.rules.pieces import Side


async def run_playback(record: Payload, side: Side, spec: SeatSpec) -> tuple[Playback, str, bool]:
    """Ask a bot what the seat of a side was asked; return what came of it, and the bot's last words.

    The third value is False when a signal has stopped it.
    """
    hide_memory()
    notes: list[str] = []

    def take(news: News) -> None:
        notes.append(getattr(news, "note", ""))

    playback = Playback(record, side, spec)
    games = int(record["id"][1:]) if record["id"][1:].isdigit() else 0
    server = Server(playback, os.urandom, trio.current_time(), time.time(), recovered=Recovered(games=games))
    assembly = Assembly(server, MemoryJournal(), grace=0.0, on_news=take)
    await assembly.run()
    return playback, "".join(notes), not assembly.interrupted
