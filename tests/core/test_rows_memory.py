"""A long service: visitors of every kind come and go, and the server is as it was: row 62 of the faults."""

from __future__ import annotations

from collections import Counter, deque
from typing import Any

from tests.core.accounts_world import BOBS, CODE, STRANGER, TOKEN, Door
from tests.core.stage import begin, play_on
from tyrusd.core.operator_words import Ban, Unban
from tyrusd.core.requests import StartBot
from tyrusd.core.seatspec import SeatSpec
from tyrusd.wire import messages as wire

# What counts for ever, in a few words, and what is kept of finished games within a limit of its own.
KEPT = ("Counts", "Archive", "Settings")


def held(server: object) -> dict[str, int]:
    """How many things each table within the server holds, by where it is."""
    found: dict[str, int] = {}
    seen: set[int] = set()
    left: list[tuple[str, Any]] = [("server", server)]
    while left:
        where, thing = left.pop()
        if id(thing) in seen or type(thing).__name__ in KEPT:
            continue
        seen.add(id(thing))
        if isinstance(thing, dict | list | set | deque | tuple | frozenset):
            found[where] = found.get(where, 0) + len(thing)
            items = [*thing.keys(), *thing.values()] if isinstance(thing, dict) else list(thing)
            left += [(f"{where}[]", item) for item in items]
        elif type(thing).__module__.startswith("tyrusd"):
            names = [
                name
                for kind in type(thing).__mro__
                for name in getattr(kind, "__slots__", ())
                if name != "__dict__"
            ]
            names += list(getattr(thing, "__dict__", ()))
            left += [(f"{where}.{name}", getattr(thing, name, None)) for name in names]
    return found


def visit(door: Door, number: int) -> None:
    """Everything that somebody may do who comes and goes, and all of it goes wrong."""
    pair = begin(door, names=(f"one{number}", f"two{number}"), hosts=(f"10.0.{number % 250}.1", "10.1.0.1"))
    watcher = door.join(f"watcher{number}", "human", "want=events")
    watcher.say(f"watch {pair.game}\nlook {pair.game}\nseek cap=9\nchallenge one{number} cap=7\nxyzzy")
    watcher.send_bytes(b"\xff\nping unfinis")
    guesser = door.connect(f"10.2.{number % 250}.1")
    guesser.say(f"resume wrong{number}\nhello 0.1 ada human key=wrong")
    flooder = door.join(f"flooder{number}", "bot")
    flooder.send_bytes(b"ping x\n" * 200)
    play_on(pair.mover, pair.other, pair.game, 4)
    ada = door.log_in(TOKEN if number % 2 else CODE, extra="games=2")
    bob = door.log_in(BOBS, "bob", "bot")
    ada.say("challenge bob\nseek cap=3")
    bob.say(f"accept {ada.last(wire.Offer).challenge}" if ada.got(wire.Offer) else "ping x")
    ada.say("play house")
    for request in [each for each in door.requests if isinstance(each, StartBot)]:
        if number % 3:
            door.connect("pipe", kind="pipe", bot=request.id).lose("exit status 3", "its last words")
    door.lobby.operator.do(Ban(f"banned{number}"), door.now)
    door.lobby.operator.do(Unban(f"banned{number}"), door.now)
    pair.other.lose("reset")
    (pair.mover.say if number % 2 else lambda _: pair.mover.lose())("quit")
    for peer in list(door.peers.values()):
        if not peer.closed:
            peer.send_bytes(b"\nquit\n") if number % 2 else peer.lose()


def quiet(door: Door) -> dict[str, int]:
    """Wait until every deadline is over; then what is held."""
    door.requests.clear()
    door.wait(1000)
    guesser = door.connect(STRANGER)  # guesses are forgotten when somebody guesses again
    guesser.say("resume wrong")
    door.wait(2)
    guesser.lose()
    door.wait(2)  # the last heartbeat sees that nobody is here
    for peer in door.peers.values():
        assert peer.closed
    door.peers.clear()
    server = door.server
    assert not (server.sessions or server.players or server.tables or server.bots or len(server.timers))
    return held(door.server)


def test_row_62_visitors_of_every_kind_leave_nothing_behind() -> None:
    door = Door(houses={"house": SeatSpec("plugin", "house")})
    visit(door, 0)
    visit(door, 1)
    before = quiet(door)
    assert Counter(before)["server._intake"] == 0 and len(before) > 10  # it does look into the server
    for number in range(2, 40):
        visit(door, number)
    assert quiet(door) == before


def test_row_62_control_what_stays_is_seen() -> None:
    door = Door()
    before = quiet(door)
    door.join("ada2", host=STRANGER)
    assert held(door.server) != before
