"""What bytes can do to the server: rows 1 to 12 of the table of faults, each protection with its control."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.match_world import MatchWorld, entry, schedule
from tests.core.stage import Stage, answer_line, asked, begin
from tests.core.test_tcp_seats import KEY, come
from tests.core.world import Peer, World
from tyrusd.core.lobby import Lobby
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire
from tyrusd.wire.schema import CLIENT_SCHEMAS, SERVER_SCHEMAS

LINE = 512


def padded(length: int) -> bytes:
    """A ping whose line has so many bytes without its end; the key is not known and ignored."""
    start = b"ping w pad="
    return start + b"x" * (length - len(start))


def codes(peer: Peer) -> list[str]:
    return [error.code for error in peer.got(wire.Error)]


def goodbye(peer: Peer) -> str | None:
    """The reason of the goodbye, None when there was none; it is the last word in any case."""
    byes = peer.got(wire.Bye)
    assert len(byes) <= 1 and (not byes or peer.inbox[-1] is byes[0])
    return byes[0].reason if byes else None


@pytest.mark.parametrize(("length", "fits"), [(LINE - 1, True), (LINE, True), (LINE + 1, False)])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_row_01_line_over_the_limit(length: int, fits: bool, end: bytes) -> None:
    peer = Stage().join("ada")
    peer.send_bytes(padded(length) + end)
    assert bool(peer.got(wire.Pong)) is fits
    assert (codes(peer), goodbye(peer)) == (([], None) if fits else (["line-too-long"], "line-too-long"))


def test_row_01_line_without_end_is_not_kept_and_costs_only_the_connection() -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    session = stage.server.sessions[mover.number]
    for _ in range(1600):
        mover.send_bytes(b"A" * 65536)  # 100 MiB
    assert not session.connection.partial and len(session.backlog) == 0
    assert (codes(mover), goodbye(mover)) == (["line-too-long"], "line-too-long")
    assert other.last(wire.Away).game == game and game in stage.server.tables
    assert not other.got(wire.Over)


def test_row_02_any_split_gives_the_same_answers() -> None:
    script = (
        b"hello 0.1 ada bot tag=a\r\nwho\nping x tag=b\n\nxyzzy tag=c\nping \xff\nplay ada\nquit tag=d\nwho\n"
    )
    whole, bytewise, halves = (World(Lobby({})).connect() for _ in range(3))
    whole.send_bytes(script)
    for at in range(len(script)):
        bytewise.send_bytes(script[at : at + 1])
    for at in range(0, len(script), 37):
        halves.send_bytes(script[at : at + 37])
    assert whole.raw == bytewise.raw == halves.raw and goodbye(whole) == "bye"


@pytest.mark.parametrize(
    ("data", "words", "refused"),
    [
        (b"ping a\nping b\n", ["a", "b"], []),
        (b"ping a\r\nping b\r\n", ["a", "b"], []),
        (b"ping a\rping b\n", [], ["bad-byte"]),
        (b"ping a\r\r\nping b\n", ["b"], ["bad-byte"]),
        (b"ping a\n\rping b\n", ["a"], ["bad-byte"]),
        (b"ping a\r\x00\nping b\n", ["b"], ["bad-byte"]),
        (b"place g1 1 S1 IC\nresign g1\r\n", [], ["no-game", "no-game"]),
    ],
)
def test_row_03_line_ends(data: bytes, words: list[str], refused: list[str]) -> None:
    peer = Stage().join("ada")
    peer.send_bytes(data)
    assert [pong.word for pong in peer.got(wire.Pong)] == words
    assert codes(peer) == refused


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"ping \xc3\x28\n", "bad-encoding"),
        (b"\xff\xfe\n", "bad-byte"),
        (b"ping \x80\n", "bad-encoding"),
        (b"ping a\x00b\n", "bad-byte"),
        (b"ping\ta\n", "bad-byte"),
        (b"ping \x1b[2J\n", "bad-byte"),
        (b"ping \x7f\n", "bad-byte"),
    ],
)
def test_row_04_bad_bytes_lose_their_line_and_nothing_else(data: bytes, code: str) -> None:
    peer = Stage().join("ada")
    peer.send_bytes(data + b"ping after\n")
    assert codes(peer) == [code] and peer.last(wire.Pong).word == "after"


def test_row_04_a_letter_cut_in_two_packets_is_one_letter() -> None:
    peer = Stage().join("ada")
    for byte in "ping 🂡\n".encode():
        peer.send_bytes(bytes([byte]))
    assert codes(peer) == ["syntax"]


@pytest.mark.parametrize("kind", ["bot", "human"])
def test_row_04_the_error_budget_ends_a_bots_games_and_keeps_a_persons_seat(kind: str) -> None:
    stage = Stage()
    mover, other, game = begin(stage, (kind, kind))
    for _ in range(20):
        mover.say("xyzzy")
    assert goodbye(mover) is None
    mover.say("xyzzy")
    assert goodbye(mover) == "protocol" and codes(mover) == ["syntax"] * 21
    if kind == "bot":
        over = other.last(wire.Over)
        assert (over.reason, over.detail) == ("protocol", "error-budget") and game not in stage.server.tables
    else:
        assert other.last(wire.Away).game == game and not other.got(wire.Over)


def test_row_04_control_without_a_budget_nonsense_goes_on_for_ever() -> None:
    peer = Stage(replace(DEFAULTS, error_budget=1e9, lines_burst=1e9)).join("ada")
    for _ in range(10):
        peer.say("xyzzy\n" * 500)
    assert codes(peer) == ["syntax"] * 5000 and goodbye(peer) is None


def test_row_05_telnet_options_are_no_command_and_are_not_answered() -> None:
    sequence = b"\xff\xfb\x1f\xff\xfa\x1f\x00\x50\x00\x18\xff\xf0\xff\xfb\x18"
    for cut in range(len(sequence) + 1):
        peer = Stage().connect()
        peer.send_bytes(sequence[:cut])
        peer.send_bytes(sequence[cut:] + b"hello 0.1 ada bot\r\nhello 0.1 ada bot\r\n")
        assert codes(peer) == ["bad-byte"] and peer.last(wire.Welcome).name == "ada"
        assert b"\xff" not in peer.raw


def test_row_06_an_empty_line_is_a_syntax_error_and_counts_against_the_rate() -> None:
    stage = Stage(replace(DEFAULTS, error_budget=1000.0))
    peer = stage.join("ada")
    burst = int(stage.server.settings.lines_burst) + 1
    peer.send_bytes(b"\n" * burst)
    assert codes(peer) == ["syntax"] * burst and stage.server.reading(peer.number)
    peer.send_bytes(b"\r\n")
    assert codes(peer) == ["syntax"] * burst and not stage.server.reading(peer.number)


PATIENT = replace(DEFAULTS, error_budget=1e9, early_errors=10**9, lines_burst=1e9)


def in_phase(phase: str) -> Peer:
    """Somebody at some point of a visit, who is forgiven everything."""
    if phase == "seat":
        return come(MatchWorld(schedule(entry("one", "tcp", KEY), games=2), settings=PATIENT))
    stage = Stage(PATIENT)
    if phase in ("new", "lobby"):
        return stage.connect() if phase == "new" else stage.join("ada")
    pair = begin(stage)
    if phase == "watching":
        watcher = stage.join("cleo")
        watcher.say(f"watch {pair.game}")
        return watcher
    return pair.mover if phase == "asked" else pair.other


@pytest.mark.parametrize("phase", ["new", "lobby", "asked", "waiting", "watching", "seat"])
@pytest.mark.parametrize("words", range(13))
def test_row_07_f033_wrong_verbs_and_words_change_nothing(phase: str, words: int) -> None:
    """ngircd/ngircd#275: a command with the wrong number of words crashed the server."""
    peer = in_phase(phase)
    server = peer.world.server
    before = (dict(server.players), dict(server.tables))
    for verb in (*CLIENT_SCHEMAS, *SERVER_SCHEMAS, "xyzzy", "HELLO", "place:", "-"):
        if words == 0 and verb in CLIENT_SCHEMAS:
            continue  # that may be all that it wants
        peer.forget()
        peer.say(" ".join([verb, *["="] * words]))
        assert (server.players, server.tables) == before
        assert [type(item) for item in peer.inbox] == [wire.Error] and codes(peer) == ["syntax"]
    peer.say("ping on")
    assert peer.last(wire.Pong).word == "on"


@pytest.mark.parametrize(
    "spelling",
    ["1_0 S1 IC", "+1 S1 IC", "01 S1 IC", " 1 S1 IC", "1 S 1 IC", "1 s1 IC", "1 S01 IC", "1 S11 IC",
     "1 S0 IC", "1 S+7 IC", "1 S1_0 IC", "1 X1 IC", "1 S1 ic", "1 S1 OC", "1 S1 IX", "１ S1 IC", "1 S１ IC",
     "1.0 S1 IC", "1e0 S1 IC", "0x1 S1 IC", "-1 S1 IC", "1  S1 IC", "1 S1 IC ", "1000000000000 S1 IC"],
)  # fmt: skip
def test_row_08_no_other_spelling_is_taken_for_the_right_one(spelling: str) -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    request = asked(mover, game)
    assert request is not None and request.request == 1
    other.forget()
    mover.say(f"place {game} {spelling}")
    assert codes(mover) == ["syntax"]
    assert stage.server.tables[game].match.game.placed_count == 0 and other.raw == b""


@pytest.mark.parametrize(
    "opening",
    [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"POST /x HTTP/1.0\r\n", b"HEAD / HTTP/1.1\r\n\r\n",
     b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"SSH-2.0-OpenSSH_9.6\r\n", b"OPTIONS * HTTP/1.1\r\n",
     b"CONNECT a:1 HTTP/1.1\r\n", b"PUT / HTTP/1.1\r\n"],
)  # fmt: skip
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_row_09_another_protocol_gets_one_line_and_the_door(opening: bytes, size: int) -> None:
    peer = Stage().connect()
    for at in range(0, len(opening), size):
        peer.send_bytes(opening[at : at + size])
    assert codes(peer) == ["syntax"] and goodbye(peer) == "protocol"


def test_row_09_only_the_first_bytes_count() -> None:
    peer = Stage().join("ada")
    peer.say("GET / HTTP/1.1")
    assert codes(peer) == ["syntax"] and goodbye(peer) is None


def test_row_10_a_flood_stops_being_read_then_ends_and_delays_nobody() -> None:
    stage = Stage()
    flooder, other = stage.join("ada"), stage.join("bob")
    flooder.send_bytes(b"ping x\n" * 5000)
    assert not stage.server.reading(flooder.number)
    assert len(flooder.got(wire.Pong)) == 61
    other.say("ping y")
    assert other.last(wire.Pong).word == "y"
    stage.wait(10)
    assert codes(flooder) == ["slow-down"] and goodbye(flooder) == "slow-down"
    assert len(flooder.got(wire.Pong)) <= 61 + 3 * 20


def test_row_10_what_is_sent_on_while_not_read_is_bounded() -> None:
    stage = Stage()
    peer = stage.join("ada")
    session = stage.server.sessions[peer.number]
    peer.send_bytes(b"ping x\n" * 62)
    for _ in range(100):
        peer.send_bytes(b"ping x\n" * 1000)
        assert len(session.backlog) <= session.room + 7000
    assert goodbye(peer) == "slow-down"


def test_row_10_answers_to_requests_cost_no_rate() -> None:
    """A bot may play on at any speed, even with its whole allowance spent."""
    stage = Stage()
    mover, other, game = begin(stage)
    peers = (mover, other)
    for peer in peers:
        peer.send_bytes(b"ping x\n" * 60)
        assert stage.server.reading(peer.number)
    for turn in range(18):
        peer = peers[turn % 2 if turn // 6 % 2 == 0 else 1 - turn % 2]
        peer.say(answer_line(peer, game))
    assert stage.server.tables[game].match.game.placed_count == 18
    assert all(stage.server.reading(peer.number) for peer in peers)


def test_row_10_control_without_a_rate_all_is_read_and_answered() -> None:
    peer = Stage(replace(DEFAULTS, lines_burst=1e9)).join("ada")
    peer.send_bytes(b"ping x\n" * 4000)
    assert len(peer.got(wire.Pong)) == 4000


@pytest.mark.parametrize("end", ["", "\n"])
def test_row_11_a_line_cut_off_by_the_end_is_not_executed(end: str) -> None:
    stage = Stage()
    mover, other, game = begin(stage)
    other.forget()
    mover.send_bytes((answer_line(mover, game) + end).encode())
    stage.server.end_of_input(mover.number, stage.now)
    stage.run()
    # With its end, as the control, it is.
    assert stage.server.tables[game].match.game.placed_count == (1 if end else 0)
    assert (asked(other, game) is not None) is bool(end)
    assert goodbye(mover) == "bye" and mover.closed


def test_row_12_half_closing_gets_the_answers_and_then_the_end() -> None:
    peer = Stage().connect()
    peer.send_bytes(b"hello 0.1 ada bot\nwho\nping last tag=t\n")
    peer.world.server.end_of_input(peer.number, peer.world.now)
    peer.world.run()
    assert peer.last(wire.Ok).tag == "t" and goodbye(peer) == "bye" and peer.closed


def test_row_12_what_waits_behind_the_rate_or_a_wrong_secret_is_still_answered() -> None:
    stage = Stage()
    flooder, guesser = stage.join("ada"), stage.connect()
    flooder.send_bytes(b"ping x\n" * 70 + b"ping last tag=t\nwho")
    guesser.say("resume 0123456789abcdef tag=r\nping last tag=t")
    for peer in (flooder, guesser):
        stage.server.end_of_input(peer.number, stage.now)
        stage.server.end_of_input(peer.number, stage.now)
        assert not stage.server.reading(peer.number)
    stage.run()
    assert not flooder.closed and not guesser.closed
    stage.wait(2)
    assert flooder.last(wire.Ok).tag == "t" and goodbye(flooder) == "bye" and flooder.closed
    assert [item.tag for item in guesser.got(wire.Ok)] == ["t"] and guesser.last(wire.Error).tag == "r"
    assert goodbye(guesser) == "bye" and guesser.closed
