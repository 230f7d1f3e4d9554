"""What bytes of strangers did to other servers, sent to a real one: each report as a test of its own."""

from __future__ import annotations

import itertools
import signal
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.host.daemons import Peer, lines_with, login, running
from tyrusd.wire import ALLOWED
from tyrusd.wire.schema import CLIENT_SCHEMAS

NUMBERS = itertools.count()
WORDS = ("serve", "--port", "0", "--host", "127.0.0.1")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, int]]:
    data = tmp_path_factory.mktemp("bytes") / "data"
    with running(
        *WORDS, "--data", str(data), TYRUSD_LIMITS_ERROR_BUDGET="100000", TYRUSD_LIMITS_LINES_BURST="1000000"
    ) as daemon:
        yield daemon.addresses()[0]
        daemon.signal(signal.SIGTERM)
        code, _, err = daemon.end()
        assert code == 0 and "Traceback" not in err


@pytest.fixture
def pair(address: tuple[str, int]) -> Iterator[tuple[Peer, Peer, str, str]]:
    """The one who is asked, the other one, the game and a tile of the hand."""
    with ExitStack() as stack:
        ada, bob = (stack.enter_context(come(address)) for _ in range(2))
        for peer in (ada, bob):
            peer.say("seek clock=none cap=none")
        game = bob.until("start").split()[1]
        told = {peer: lines(peer) for peer in (ada, bob)}
        mover, other = (ada, bob) if lines_with("\n".join(told[ada]), "choose") else (bob, ada)
        (request,) = (line for line in told[mover] if line.startswith("choose"))
        hand = next(word for word in request.split() if word.startswith("hand="))[5:].split(",")
        yield mover, other, game, hand[0]
        for peer in (ada, bob):
            peer.say(f"resign {game}", "quit")
            peer.rest()


def come(address: tuple[str, int]) -> Peer:
    """Somebody new; the one before may not be quite gone."""
    return login(address, f"peer{next(NUMBERS)}")


def send(peer: Peer, data: bytes) -> None:
    peer.socket.sendall(data)


def lines(peer: Peer) -> list[str]:
    """All lines that come up to now."""
    peer.say("ping up-to-here")
    found = []
    while (line := peer.line()) != "pong up-to-here":
        assert line, "the connection has ended"
        found.append(line)
    return found


def answers(peer: Peer) -> list[str]:
    """The first two words of all lines that come up to now."""
    return [" ".join(line.split()[:2]) for line in lines(peer)]


def test_f025_lf_ends_a_line_and_a_bare_cr_is_a_bad_byte(pair: tuple[Peer, Peer, str, str]) -> None:
    """emersion/go-smtp#243: two ends disagreed on what ends a line, and commands were smuggled in."""
    mover, other, game, tile = pair
    for smuggled in (
        f"place {game} 1 {tile} IC\rresign {game}\n",
        f"resign {game}\r\r\n",
        f"\rresign {game}\n",
    ):
        send(mover, smuggled.encode())
        assert answers(mover) == ["error bad-byte"]
    assert answers(other) == []
    send(mover, f"place {game} 1 {tile} OC\nresign {game}\r\n".encode())
    assert mover.until("error", "over").startswith("error syntax")
    assert mover.until("error", "over").startswith(f"over {game} ")
    assert other.until("over").split()[4] == "resigned"


def test_f027_what_is_no_utf8_costs_its_line_and_the_log_names_the_host(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """spring/uberserver#224: bytes that were no UTF-8 raised on arrival, and nobody knew from whom."""
    data = tmp_path_factory.mktemp("utf8") / "data"
    with running(*WORDS, "--data", str(data)) as daemon:
        [address] = daemon.addresses()
        with login(address, "ada") as peer:
            send(peer, b"\xc3\x28\n")
            assert answers(peer) == ["error bad-encoding"]
            send(peer, b"\xff\xfe\n")
            assert answers(peer) == ["error bad-byte"]
            # A letter of four bytes in two packets is one letter; that it is no ASCII is another matter.
            letter = "🂡".encode()
            for half in (b"ping " + letter[:2], letter[2:] + b"\n"):
                send(peer, half)
            assert answers(peer) == ["error syntax"]
            send(peer, b"ping " + letter[:2] + b"\n" + letter[2:] + b"\n")
            assert answers(peer) == ["error bad-encoding"] * 2
            for _ in range(4):
                with Peer(address) as stranger:
                    stranger.until("greeting")
                    send(stranger, b"\xc3\x28\n" * 9)
                    assert stranger.rest()[-1].startswith("bye protocol")
        daemon.signal(signal.SIGTERM)
        code, _, err = daemon.end()
    assert code == 0 and "Traceback" not in err
    told = lines_with(err, "a line from 127.0.0.1 was refused: bad-")
    assert len(lines_with(err, "refused: bad-byte")) == 1
    assert 15 < len(told) <= 21 and "(" not in told[0]  # the rest of the flood is counted


@pytest.mark.parametrize(
    "line",
    [b"hello 0.1 a\x00b bot\n", b"ping a\x00\n", b"ping a\r\x00\n", b"\x00\n", b"place g1 1 S1\x00 IC\n",
     b"hello 0.1 ada bot agent=x\x00y\n", b"ping\x00 a tag=t\n", b"ping a\x07\n", b"who\x0b\n"],
)  # fmt: skip
def test_f029_nul_and_other_control_bytes_are_refused_in_every_field(
    address: tuple[str, int], line: bytes
) -> None:
    """sopel-irc/sopel#2566: a NUL reached others, where it cut texts short."""
    with come(address) as peer:
        send(peer, line)
        assert answers(peer) == ["error bad-byte"]


def test_f029_every_control_byte_at_once_and_the_next_line_is_whole(address: tuple[str, int]) -> None:
    """sopel-irc/sopel#2566, for all 33 of them, and for telnet's CR NUL in the middle of a stream."""
    with come(address) as peer:
        for code in [*range(0x20), 0x7F]:
            if code not in (0x0A, 0x0D):
                send(peer, b"ping a%cb\n" % code)
                assert answers(peer) == ["error bad-byte"], code
        send(peer, b"ping a\r\0\nping b\r\n")
        assert answers(peer) == ["error bad-byte", "pong b"]


TELNET = b"\xff\xfb\x1f\xff\xfa\x1f\x00\x50\x00\x18\xff\xf0\xff\xfb\x18"


@pytest.mark.parametrize("cut", [0, 1, 5, 9, len(TELNET)])
def test_f030_telnet_options_are_refused_and_never_become_a_command(
    address: tuple[str, int], cut: int
) -> None:
    """Seifert69/DikuMUD3#428: what a client said of its window and its name arrived as a command."""
    with Peer(address) as peer:
        peer.until("greeting")
        hello = b"hello 0.1 peer%d bot\r\n" % next(NUMBERS)
        for part in (TELNET[:cut], TELNET[cut:] + hello, hello):
            send(peer, part)
        assert peer.until("error", "welcome").startswith("error bad-byte")
        assert peer.until("error", "welcome").startswith("welcome peer")
        send(peer, b"quit\n")
        assert not any("\xff" in line or "\ufffd" in line for line in peer.rest())


def test_f033_every_verb_with_any_number_of_words_in_every_phase(
    pair: tuple[Peer, Peer, str, str], address: tuple[str, int]
) -> None:
    """ngircd/ngircd#275: a command with too few or too many words crashed the server."""
    mover, other, game, _ = pair
    with come(address) as cleo, Peer(address) as fresh:
        fresh.until("greeting")
        cleo.say(f"watch {game}")
        for verb in CLIENT_SCHEMAS:
            if verb == "quit":
                continue
            for count in range(13):
                if verb == "check" and not count:
                    continue  # it is right, and its lines would come between the others
                for word in ("=", "x=", "\u00e9"):
                    line = " ".join([verb, *[word] * count])
                    for peer in (mover, cleo):
                        peer.say(line)
                        told = answers(peer)
                        assert count == 0 or told[:1] == ["error syntax"], (line, told)
        assert {verb for _, verb in ALLOWED} == set(CLIENT_SCHEMAS)
        fresh.say("who = =")
        assert fresh.until("error").startswith("error syntax")
    assert answers(mover) == [] and answers(other) == []


@pytest.mark.parametrize(
    "tile", ["S1_0", "S+7", "S 7", "S07", "S7.0", "s7", "S-7", "S\uff17", "S0x7", "S", "7"]
)
def test_f035_numbers_have_one_spelling(pair: tuple[Peer, Peer, str, str], tile: str) -> None:
    """python/cpython#125651: int() takes 1_0 for ten, +7 and digits of other scripts for numbers as well."""
    mover, other, game, _ = pair
    for line in (f"place {game} 1 {tile} OC", f"place {game} 1 {tile} IC", f"place {game} 1_0 S1 IC",
                 f"place {game} +1 S1 IC", f"place {game} 01 S1 IC"):  # fmt: skip
        mover.say(line)
        assert answers(mover) == ["error syntax"], line
    assert answers(other) == []
    mover.say(f"look {game}")
    assert " board=- " in mover.until("snapshot")
