"""The log of a seat: every line of its game, within bounds, legible, without secrets, frames as text."""

from __future__ import annotations

import pytest

from tests.core.world import Peer, World
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import StartBot
from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.settings import DEFAULTS
from tyrusd.core.story import log_of
from tyrusd.core.wirelog import RECEIVED, SENT, SENT_FRAMES, SeatLog, joined, legible, told
from tyrusd.rules.pieces import Side
from tyrusd.wire import Choose, Codec, Place, Start, Welcome, decode_server_line, encode_frame
from tyrusd.wire import messages as wire


def texts(log: SeatLog) -> list[str]:
    return [f"{line.direction} {line.text}" for line in told(log.steps, 0.0, log.left_out)]


def size_of(log: SeatLog) -> int:
    return sum(len(data) for _, _, data in log.steps)


def two(kind: str = "bot", extra: str = "") -> tuple[World, Peer, Peer]:
    """Anna (Ivory) and bob in a game."""
    world = World(Lobby({}))
    anna, bob = world.join("anna", kind, extra), world.join("bob", kind)
    anna.say("seek side=I clock=none cap=60")
    bob.say("seek clock=none cap=60")
    return world, anna, bob


def lines_of(world: World, side: Side, game: str = "g1") -> list[str]:
    """What the log of a running game says, direction and line."""
    return texts(world.server.tables[game].logs[side])


# -- bounds ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("steps", "kept"), [(499, 499), (500, 500), (501, 375)])
def test_more_steps_than_the_limit_are_left_out_of_the_middle(steps: int, kept: int) -> None:
    log = SeatLog(DEFAULTS.log_bytes, DEFAULTS.log_steps)
    for number in range(steps):
        log.add(number, SENT, b"line %d\n" % number)
    assert len(log.steps) == kept
    assert log.left_out == steps - kept
    lines = texts(log)
    assert lines[0] == "S line 0" and lines[-1] == f"S line {steps - 1}"
    marks = [at for at, line in enumerate(lines) if line.startswith("- ")]
    assert marks == ([12] if log.left_out else [])
    if log.left_out:
        assert lines[12] == f"- {log.left_out} lines are left out here"
        assert lines[11] == "S line 11" and lines[13] == f"S line {12 + log.left_out}"


@pytest.mark.parametrize(("size", "shortened"), [(-1, False), (0, False), (1, True)])
def test_more_bytes_than_the_limit_are_left_out(size: int, shortened: bool) -> None:
    log = SeatLog(DEFAULTS.log_bytes, DEFAULTS.log_steps)
    for _ in range(63):
        log.add(0.0, RECEIVED, b"x" * 1024)
    log.add(0.0, RECEIVED, b"x" * (1024 + size))
    log.shorten()
    assert bool(log.left_out) == shortened
    assert size_of(log) <= DEFAULTS.log_bytes


def test_a_log_stays_within_its_bounds_whatever_comes() -> None:
    log = SeatLog(5000, 40)
    for number in range(3000):
        log.add(number, SENT if number % 3 else RECEIVED, b"y" * (number * 37 % 9000) + b"\n")
        assert len(log.steps) <= 40
    log.shorten()
    assert size_of(log) <= 5000 + 4096


def test_one_huge_step_is_cut() -> None:
    log = SeatLog(DEFAULTS.log_bytes, DEFAULTS.log_steps)
    log.add(0.0, RECEIVED, b"z" * 70_000)
    log.shorten()
    assert size_of(log) == 4096


# -- how lines are told ------------------------------------------------------------------------------------


def test_bytes_that_cannot_stand_in_a_text_are_written_out() -> None:
    assert legible(b"a\tb\xff\xc3\xa9 c") == r"a\x09b\xff\xc3\xa9 c"


def test_a_long_line_goes_on_in_the_next() -> None:
    log = SeatLog(DEFAULTS.log_bytes, DEFAULTS.log_steps)
    line = b"choose " + b"x" * 2400
    log.add(0.5, SENT, line + b"\n")
    lines = list(told(log.steps, 0.0))
    assert [found.direction for found in lines] == ["S", "+", "+"]
    assert all(len(found.text) <= 1000 for found in lines)
    assert joined(lines) == [wire.Logged(500, "S", line.decode())]


def test_frames_are_told_as_lines() -> None:
    log = SeatLog(DEFAULTS.log_bytes, DEFAULTS.log_steps)
    over = wire.Over("g1", 7, "I", "resigned", "brown")
    log.add(1.0, SENT_FRAMES, encode_frame(over) + encode_frame(wire.Pong(word="w")))
    assert texts(log) == ["S over g1 7 I resigned detail=brown", "S pong w"]


def test_times_count_from_the_first_request_and_are_never_negative() -> None:
    log = SeatLog(DEFAULTS.log_bytes, DEFAULTS.log_steps)
    log.add(9.0, SENT, b"start\n")
    log.add(10.25, SENT, b"over\n")
    assert [line.ms for line in told(log.steps, 10.0)] == [0, 250]


# -- what gets into a log ----------------------------------------------------------------------------------


def test_a_log_is_what_was_sent_and_received_and_nothing_else() -> None:
    world, anna, bob = two(extra="want=events")
    anna.forget()
    hand = world.server.tables["g1"].match.game.hand(Side.IVORY)
    opener = world.server.tables["g1"].match.game.to_move
    mover, request = (anna, 1) if opener is Side.IVORY else (bob, 1)
    tile = world.server.tables["g1"].match.game.hand(opener or Side.IVORY)[0]
    mover.say(f"place g1 {request} {tile} IC tag=a.b more=keys\nwho\nlook g1 tag=2")
    lines = lines_of(world, opener or Side.IVORY)
    assert f"C place g1 1 {tile} IC tag=a.b more=keys" in lines
    assert "S ok tag=a.b re=place" in lines
    assert "C look g1 tag=2" in lines and "S ok tag=2 re=look" in lines
    assert not any("who" in line or "player " in line for line in lines)
    assert len(hand) == 9


def test_every_line_that_a_seat_gets_of_its_game_is_in_its_log() -> None:
    world, anna, bob = two(extra="want=events")
    for _ in range(13):
        game = world.server.tables["g1"].match.game
        peer = anna if game.to_move is Side.IVORY else bob
        assert game.to_move is not None
        peer.say(f"place g1 {game.placed_count + 1} {game.hand(game.to_move)[0]} BT")
    for side, peer in zip(Side, (anna, bob), strict=True):
        sent = [f"S {line}" for line in peer.text.splitlines() if " g1 " in f"{line} "]
        assert [line for line in lines_of(world, side) if line[0] == "S"] == sent


def test_a_line_that_is_no_message_goes_to_the_game_that_it_names_or_to_all() -> None:
    world = World(Lobby({}))
    anna, bob = world.join("anna", "bot", "games=2"), world.join("bob", "bot", "games=2")
    for _ in range(2):
        anna.say("seek side=I")
        bob.say("seek")
    anna.say("place g2 01 S1 IC\nnonsense here")
    one, other = lines_of(world, Side.IVORY, "g1"), lines_of(world, Side.IVORY, "g2")
    assert "C place g2 01 S1 IC" in other and not any("01" in line for line in one)
    for lines in (one, other):
        assert lines[-2:] == [
            "C nonsense here",
            "S error syntax retry :unknown verb 'nonsense'; send help for the list",
        ]
    assert [world.server.tables[game].logs[Side.IVORY].errors for game in ("g1", "g2")] == [1, 2]
    assert world.server.tables["g1"].logs[Side.BROWN].errors == 0


def test_bytes_out_of_order_are_shown() -> None:
    world, anna, _ = two()
    anna.send_bytes(b"place\tg1 1 S1 IC\nplace g1 1 S1 \xff\r\n")
    assert [line for line in lines_of(world, Side.IVORY) if line[0] == "C"] == [
        r"C place\x09g1 1 S1 IC",
        r"C place g1 1 S1 \xff",
    ]


def test_secrets_are_not_logged() -> None:
    world, anna, _ = two()
    secret = anna.last(Welcome).secret
    anna.say(f"resume {secret}\nhello 0.1 x bot key=abcdef\nfoo {secret}\nRESUME {secret}")
    anna.say(f"place g1 1 S1 XX secret={secret}\nlook g1 key={secret}")
    lines = lines_of(world, Side.IVORY)
    assert secret not in "".join(lines) and "abcdef" not in "".join(lines)
    assert "C foo (hidden)" in lines
    assert "C look g1 key=(hidden)" in lines
    assert "C RESUME (hidden)" in lines


def test_losing_the_connection_and_coming_back_is_noted() -> None:
    world, anna, bob = two()
    secret = anna.last(Welcome).secret
    anna.lose()
    again = world.connect()
    again.say(f"resume {secret}")
    lines = lines_of(world, Side.IVORY)
    assert "- the connection was lost (end of output)" in lines
    assert "- the player has resumed" in lines
    assert any(line.startswith("S snapshot g1") for line in lines)
    assert "S away g1 I 60000" in lines_of(world, Side.BROWN) and "S back g1 I" in lines_of(world, Side.BROWN)
    assert bob.text


def test_a_goodbye_is_in_the_log() -> None:
    world, anna, _ = two()
    anna.send_bytes(b"x" * 600)
    lines = lines_of(world, Side.IVORY)
    assert lines[-2].startswith("S bye line-too-long :")
    assert any(line.startswith("C xxx") for line in lines)


def test_the_log_of_a_program_in_frames_is_told_in_lines() -> None:
    world = World(Lobby({"house": SeatSpec("plugin", "house")}))
    anna = world.join("anna", "bot")
    anna.say("play house side=B")
    start = next(request for request in world.requests if isinstance(request, StartBot))
    house = world.connect("pipe", Codec.FRAME, "pipe", start.id)
    house.send(wire.Hello(version="0.1", name="x", kind="bot", want=("events",)))
    table = world.server.tables["g1"]
    if table.match.game.to_move is Side.BROWN:
        anna.say(f"place g1 1 {table.match.game.hand(Side.BROWN)[0]} IC")
    number, tile = table.match.game.placed_count + 1, table.match.game.hand(Side.IVORY)[0]
    house.send(Place(game="g1", request=number, tile=str(tile), building="BC"))
    house.send_bytes(b"\x00\x00\x00\x03\x93\xa1x")
    lines = texts(table.logs[Side.IVORY])
    assert f"C place g1 {number} {tile} BC" in lines
    assert lines[0].startswith("S start g1 I house anna ")
    assert "C a frame that is no message: 93 a1 78" in lines
    heard = [line[2:] for line in lines if line[0] == "S"]
    assert all(decode_server_line(line.encode()) is not None for line in heard)
    assert any(line.startswith(f"turn g1 {number} ") for line in heard)


def test_the_log_of_a_finished_game_is_whole() -> None:
    world, anna, bob = two()
    anna.say("resign g1")
    dossier, side = world.server.archive.find("g1", "ANNA") or pytest.fail("it is not there")
    lines = [f"{line.direction} {line.text}" for line in log_of(dossier.stories[side])]
    assert lines[0] == f"S {_first(anna, Start)}"
    assert lines[-1].startswith("S over g1") and "C resign g1" in lines
    assert bob.got(Choose) or anna.got(Choose)


def _first(peer: Peer, kind: type[wire.ServerMessage]) -> str:
    return next(line for line in peer.text.splitlines() if line.startswith(f"{kind.verb} "))
