"""How each limit of a server is met, and how one stays just within it: coming, lines, output, storing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.core.accounts_world import TOKEN, Door
from tests.core.stage import Stage, answer_line, begin
from tests.core.test_accounts_limits import wrong
from tests.core.test_limits import TICK
from tests.core.test_restoring import keeping, restarted
from tyrusd.core.counts import Counts
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import StartBot
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

Meeting = Callable[[bool], Counts]
"""Goes as far as a limit allows, and with True one step further; returns what the server has counted."""

HOUSE = {"house": SeatSpec("plugin", "house")}
STRANGER = "192.0.2.7"
NOBODYS = "0" * 32


def changed(**limits: Any) -> Settings:
    return replace(DEFAULTS, **limits)


def edge(over: bool) -> float:
    """What is added to a time: nothing when it is over."""
    return 0.0 if over else -TICK


def counts(stage: Stage) -> Counts:
    return stage.server.counts


# -- coming ------------------------------------------------------------------------------------------------


def connections(over: bool) -> Counts:
    stage = Stage(changed(connections_total=3))
    for number in range(3 + over):
        stage.connect(f"192.0.2.{number}")
    return counts(stage)


def host_connections(over: bool) -> Counts:
    stage = Stage(changed(connections_per_host=2))
    for _ in range(2 + over):
        stage.connect(STRANGER)
    return counts(stage)


def hello(over: bool) -> Counts:
    stage = Stage()
    stage.connect().say("who")
    stage.wait(120 + edge(over))
    return counts(stage)


def hello_pipe(over: bool) -> Counts:
    stage = Stage(changed(bot_start=1000.0), lobby=Lobby(HOUSE))
    stage.join("ada").say("play house")
    (start,) = [request for request in stage.requests if isinstance(request, StartBot)]
    stage.connect("pipe", Codec.LINE, "pipe", start.id)
    stage.wait(10 + edge(over))
    return counts(stage)


def bot_start(over: bool) -> Counts:
    stage = Stage(lobby=Lobby(HOUSE))
    stage.join("ada").say("play house")
    stage.wait(10 + edge(over))
    return counts(stage)


def first_line(over: bool) -> Counts:
    stage = Stage()
    stage.connect()
    stage.wait(10 + edge(over))
    return counts(stage)


def resume_guesses(over: bool) -> Counts:
    stage = Stage(changed(resume_failures_per_minute=2.0))
    for _ in range(2 + over):
        stage.connect(STRANGER).say(f"resume {NOBODYS}")
    return counts(stage)


def resume_delay(over: bool) -> Counts:
    stage = Stage()
    stage.connect().say(f"resume {NOBODYS}")
    stage.wait(1 + edge(over))
    return counts(stage)


def account_guesses(over: bool) -> Counts:
    door = Door(settings=changed(account_failures_per_minute=3.0))
    wrong(door, 3 + over, hosts="198.51.100.{}")
    return counts(door)


def logins(over: bool) -> Counts:
    door = Door(settings=changed(logins_per_minute=3.0))
    for _ in range(3 + over):
        door.log_in(TOKEN)
    return counts(door)


# -- lines -------------------------------------------------------------------------------------------------


def client_line(over: bool) -> Counts:
    stage = Stage()
    stage.connect().send_bytes(b"x" * (512 + over) + b"\n")
    return counts(stage)


def frame(over: bool) -> Counts:
    stage = Stage()
    size = 65536 + over
    stage.connect(codec=Codec.FRAME).send_bytes(size.to_bytes(4, "big") + b"\xc0" * size)
    return counts(stage)


def rate(over: bool) -> Counts:
    stage = Stage()
    peer = stage.join("ada")
    for _ in range(100):
        peer.send_bytes(b"ping x\n" * (20 + over))
        if not stage.server.reading(peer.number):
            break
        stage.wait(1)
    return counts(stage)


def burst(over: bool) -> Counts:
    stage = Stage()
    stage.join("ada").send_bytes(b"ping x\n" * (61 + over))
    return counts(stage)


def pauses(over: bool) -> Counts:
    stage = Stage()
    stage.join("ada").send_bytes(b"ping x\n" * (61 + 20 * (2 + over) + 1))
    stage.wait(10)
    return counts(stage)


def error_budget(over: bool) -> Counts:
    stage = Stage()
    stage.join("ada").say("xyzzy\n" * (20 + over))
    return counts(stage)


def error_refill(over: bool) -> Counts:
    stage = Stage()
    peer = stage.join("ada")
    peer.say("xyzzy\n" * 20)
    stage.wait(59.9 if over else 60.1)
    peer.say("xyzzy")
    return counts(stage)


def early_errors(over: bool) -> Counts:
    stage = Stage()
    stage.connect().say("xyzzy\n" * (3 + over))
    return counts(stage)


def _unfinished(kind: str, patience: float, over: bool) -> Counts:
    stage = Stage()
    stage.join("ada", kind).send_bytes(b"p")
    stage.wait(patience + edge(over))
    return counts(stage)


def line_bot(over: bool) -> Counts:
    return _unfinished("bot", 10, over)


def line_human(over: bool) -> Counts:
    return _unfinished("human", 120, over)


def ping(over: bool) -> Counts:
    stage = Stage()
    stage.join("ada", "bot")
    stage.wait(30 + edge(over))
    return counts(stage)


def pong(over: bool) -> Counts:
    stage = Stage()
    stage.join("ada", "bot")
    stage.wait(30)
    stage.wait(15 + edge(over))
    return counts(stage)


# -- output ------------------------------------------------------------------------------------------------


def _unread(games: int, over: bool) -> Counts:
    stage = Stage()
    peer = stage.join("ada", "bot", f"games={games}")
    stage.deaf.add(peer.number)
    filling = 65536 + games * 4096 - len(b"pong w\n") + over
    stage.server.sessions[peer.number].write(b"x" * filling)
    peer.say("ping w")
    return counts(stage)


def unread(over: bool) -> Counts:
    return _unread(1, over)


def unread_game(over: bool) -> Counts:
    return _unread(256, over)


def no_progress(over: bool) -> Counts:
    stage = Stage()
    peer = stage.join("ada")
    stage.deaf.add(peer.number)
    peer.say("ping w")
    stage.wait(10 + edge(over))
    return counts(stage)


# -- the server's own --------------------------------------------------------------------------------------


def window(over: bool) -> Counts:
    stage = Stage()
    begin(stage, ("human", "human"), "clock=none cap=none").other.lose()
    stage.wait(60 + edge(over))
    return counts(stage)


def restart_window(over: bool) -> Counts:
    stage = keeping()
    begin(stage, ("human", "human"), "clock=900+0")
    new = restarted(stage.kept)
    new.wait(300 + edge(over))
    return counts(new)


def drain(over: bool) -> Counts:
    stage = Stage()
    begin(stage, ("human", "human"), "clock=none cap=none")
    stage.server.drain(stage.now, 30.0)
    stage.run()
    stage.wait(30 + edge(over))
    return counts(stage)


def store_deadline(over: bool) -> Counts:
    stage = Stage()
    pair = begin(stage, ("human", "human"))
    stage.store_at_once = False
    pair.mover.say(f"resign {pair.game}")
    stage.wait(30 + edge(over))
    return counts(stage)


def store_retry(over: bool) -> Counts:
    stage = Stage()
    pair = begin(stage)
    stage.failing = 1
    pair.mover.say(f"resign {pair.game}")
    stage.wait(1 + edge(over))
    return counts(stage)


def stall(over: bool) -> Counts:
    stage = Stage()
    begin(stage, ("human", "human"))
    stage.jump(0)
    stage.jump(5 + (TICK if over else 0))
    return counts(stage)


def heartbeat(over: bool) -> Counts:
    stage = Stage()
    begin(stage, ("human", "human"))
    stage.wait(1 + edge(over))
    return counts(stage)


def margin(over: bool) -> Counts:
    stage = Stage()
    pair = begin(stage, terms="clock=10+0")
    stage.wait(10.05 + edge(over))
    pair.mover.say(answer_line(pair.mover, pair.game))
    return counts(stage)


def lenient_bot(over: bool) -> Counts:
    stage = Stage()
    pair = begin(stage)
    own = pair.mover.last(wire.Choose).view
    missing = next(tile for tile in ("S10", "M10", "P10", "S1", "M1") if tile not in own)
    for _ in range(2 + over):
        pair.mover.say(answer_line(pair.mover, pair.game, missing))
    return counts(stage)
