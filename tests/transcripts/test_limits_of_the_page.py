"""The limits that the server keeps are those of the page and of the wire, and each is accounted for."""

from __future__ import annotations

import dataclasses

import tyrusd
from tests.core.world import World
from tests.wire.page import PAGE
from tests.wire.test_wire_protocol_page import SETTING_OF
from tyrusd.core.archive import NAMES
from tyrusd.core.lobby import Lobby
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.host import liveness, tls
from tyrusd.host.daemon import GRACE
from tyrusd.host.doorkeeper import CODES
from tyrusd.host.engine import LINGER
from tyrusd.league.clock import MARGIN_MS
from tyrusd.wire import CAPABILITIES, LIMITS, PROTOCOL_VERSION
from tyrusd.wire import messages as wire
from tyrusd.wire.limits import CLIENT_LINE, FRAME, GAMES, SERVER_LINE, TEXT

# Settings that are no row of the page's table: what the page says of them, or why it says nothing.
SAID_ELSEWHERE = {
    "server": "tyrusd/0.1.0",
    "open_hosts": "loopback is exempt",
    "resume_delay": "A wrong secret gets `error auth` after a second",
    "bot_start": "hello must come within ten seconds of the start",
    "stall": "stood still for more than five seconds",
    "linger": None,  # how long a closing stream has for its last bytes is the host's business
    "store_deadline": None,  # between the core and its store
    "store_attempts": None,
    "store_retry": None,
    "kept_bytes": "fewer when the server needs the room",
    "heartbeat": None,  # how the server notices its own pauses
}


def test_every_setting_is_a_row_of_the_page_or_is_told_elsewhere() -> None:
    names = {field.name for field in dataclasses.fields(Settings)}
    assert names == set(SETTING_OF.values()) | set(SAID_ELSEWHERE)
    prose = " ".join(PAGE.split())
    for name, words in SAID_ELSEWHERE.items():
        assert words is None or words in prose, name
    assert (DEFAULTS.resume_delay, DEFAULTS.stall, DEFAULTS.bot_start) == (1.0, 5.0, 10.0)


def test_limits_that_are_no_settings_have_one_value_everywhere() -> None:
    fixed = {
        "client-line": CLIENT_LINE, "server-line": SERVER_LINE, "frame": FRAME, "text": TEXT, "games": GAMES,
        "margin": MARGIN_MS, "drain": GRACE,
    }  # fmt: skip
    assert {name: LIMITS[name].value for name in fixed} == fixed


def test_limits_of_the_host_that_a_client_may_meet_are_told_as_they_are() -> None:
    prose = " ".join(PAGE.split())
    for words in (
        f"A TLS handshake has {tls.HANDSHAKE:g} s, and {tls.HANDSHAKES_PER_HOST} of one host",
        f"and {tls.HANDSHAKES} in all may be unfinished",
        f"hears nothing for {liveness.GONE} s is lost",
        f"A closing connection has {LINGER:g} s for its last bytes",
        f"The results of {NAMES} names are kept",
        f"At most {CODES} seat codes wait",
    ):
        assert words in prose


def test_the_greeting_tells_the_limits() -> None:
    greeting = World(Lobby({})).connect().last(wire.Greeting)
    assert greeting == wire.Greeting(
        version=PROTOCOL_VERSION,
        server=f"tyrusd/{tyrusd.__version__}",
        caps=tuple(CAPABILITIES),
        client_line=LIMITS["client-line"].value,
        server_line=LIMITS["server-line"].value,
        games=LIMITS["games"].value,
        hello=LIMITS["hello"].value * 1000,
    )


def test_a_program_is_greeted_with_its_own_patience() -> None:
    world = World(Lobby({}))
    assert world.connect("pipe", kind="pipe").last(wire.Greeting).hello == LIMITS["hello-pipe"].value * 1000
