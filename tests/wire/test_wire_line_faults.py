"""Lines outside the grammar are refused with a code and a helpful sentence, and nothing else happens."""

from __future__ import annotations

import pytest

from tyrusd.wire import Message, Ok, Ping, Place, Refusal, Who, decode_client_line, decode_server_line
from tyrusd.wire.schema import CLIENT_SCHEMAS, SERVER_SCHEMAS


def refusal(line: str | bytes) -> Refusal:
    result = decode_client_line(line.encode() if isinstance(line, str) else line)
    assert isinstance(result, Refusal), result
    assert not result.fatal
    assert result.sentence.isascii() and result.sentence.isprintable() and len(result.sentence) < 300
    return result


PLAUSIBLE = ["g1", "7", "S10", "IC", "0.1", "bot", "I", "none", "a", "b", "c", "d"]


@pytest.mark.parametrize("verb", CLIENT_SCHEMAS)
def test_every_verb_with_any_number_of_arguments(verb: str) -> None:
    """The wrong number of arguments must never be more than a syntax error."""
    core = len(CLIENT_SCHEMAS[verb].core)
    for count in range(13):
        for word in ["x", "1", "g1", "tag=a", "side=I", "=", ":x", ""]:
            result = decode_client_line(" ".join([verb, *[word] * count]).encode())
            assert result.verb == verb
            if isinstance(result, Refusal):
                assert result.code in ("syntax", "name")
            else:
                assert count == core or (core == 0 and count == 1 and "=" in word)


@pytest.mark.parametrize("verb", SERVER_SCHEMAS)
def test_every_server_verb_with_any_number_of_arguments(verb: str) -> None:
    core = len(SERVER_SCHEMAS[verb].core)
    for count in range(13):
        for words in (PLAUSIBLE[:count], ["1"] * count, [":x"] * count):
            result = decode_server_line(" ".join([verb, *words]).encode())
            assert result is not None
            assert result.verb == verb
            if not isinstance(result, Refusal):
                assert count == core or SERVER_SCHEMAS[verb].text or "=" in words[-1]


@pytest.mark.parametrize(
    "tile",
    [
        "S1_0",
        "S+7",
        "S07",
        "S 7",
        "s7",
        "S0",
        "S11",
        "S100",
        "S",
        "S1.0",
        "S-1",
        "S１",
        "S٣",
        "X1",
        "?",
        "10S",
        "S1\u00b2",
    ],
)
def test_lenient_tiles_are_refused(tile: str) -> None:
    assert refusal(f"place g1 7 {tile} IC").code == "syntax"


@pytest.mark.parametrize(
    "number",
    [
        "1_0",
        "+7",
        "07",
        "00",
        "-1",
        "7.0",
        "0x7",
        "1e3",
        "７",
        "٣",
        "²",
        " 7",
        "1234567890123",
        "",
        "none",
        "any",
    ],
)
def test_lenient_numbers_are_refused(number: str) -> None:
    assert refusal(f"place g1 {number} S1 IC").code == "syntax"


@pytest.mark.parametrize("number", [0, 1, 9, 10, 1023, 1024, 999_999_999_999])
def test_numbers_up_to_twelve_digits(number: int) -> None:
    assert decode_client_line(f"place g1 {number} S1 IC".encode()) == Place("g1", number, "S1", "IC")


@pytest.mark.parametrize("building", ["OC", "ic", "CI", "I", "ICC", "IS", "1C", "IC,"])
def test_lenient_buildings_are_refused(building: str) -> None:
    assert refusal(f"place g1 7 S1 {building}").code == "syntax"


@pytest.mark.parametrize("game", ["-g1", "g_1", "g.1", "g/1", "../g1", "g" * 33, "ｇ1", "gé", "*"])
def test_foreign_game_ids_are_refused(game: str) -> None:
    assert refusal(f"resign {game}").code == "syntax"


@pytest.mark.parametrize("game", ["g1", "G1", "1", "r3-p12-a", "g" * 32])
def test_game_ids(game: str) -> None:
    assert not isinstance(decode_client_line(f"resign {game}".encode()), Refusal)


@pytest.mark.parametrize(
    "name", ["a b", "", "an\u0441", "tyrus.bot", "a" * 33, "a/b", "a:b", "<b>", "\u0422yrus-bot"]
)
def test_bad_names(name: str) -> None:
    assert refusal(f"hello 0.1 {name} bot").code in ("name", "syntax")


@pytest.mark.parametrize("name", ["tyrus.bot", "a" * 33, "a/b", "a:b", "<b>"])
def test_a_bad_name_of_ones_own_has_its_own_code(name: str) -> None:
    found = refusal(f"hello 0.1 {name} bot tag=t")
    assert (found.code, found.tag, found.verb) == ("name", "t", "hello")
    assert refusal(f"play {name}").code == "syntax"


@pytest.mark.parametrize(
    "line", ["hello 0.1 a robot", "hello 0.1 a BOT", "hello 01 a bot", "hello 0.1.0 a bot", "hello x a bot"]
)
def test_bad_hellos(line: str) -> None:
    assert refusal(line).code == "syntax"


@pytest.mark.parametrize("games", ["0", "257", "-1", "1.5", "all", "+1", "0256"])
def test_games_beyond_the_limit(games: str) -> None:
    assert "1 to 256" in refusal(f"hello 0.1 a bot games={games}").sentence


@pytest.mark.parametrize(
    "want", ["events,", ",events", "events,,full", "events,events", "Events", "e" * 17, "a,b,c,d,e,f,g,h,i"]
)
def test_bad_lists(want: str) -> None:
    assert refusal(f"hello 0.1 a bot want={want}").code == "syntax"


@pytest.mark.parametrize(
    "clock", ["300", "300+", "+5", "300+-5", "300+5.", "300+5.1234", "0300+5", "None", "1e3+0", "12345678+0"]
)
def test_bad_clocks(clock: str) -> None:
    assert refusal(f"seek clock={clock}").code == "syntax"


@pytest.mark.parametrize("clock", ["none", "300+5", "0+1", "0.5+0.125", "1000000+3600"])
def test_clocks(clock: str) -> None:
    assert not isinstance(decode_client_line(f"seek clock={clock} cap=30.5".encode()), Refusal)


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        (b"", "syntax", "empty line"),
        (b" who", "syntax", "begins with a space"),
        (b"who ", "syntax", "exactly one space"),
        (b"place  g1 7 S1 IC", "syntax", "exactly one space"),
        (b"WHO", "syntax", "lower-case"),
        (b"frobnicate g1", "syntax", "unknown verb 'frobnicate'"),
        (b"GET / HTTP/1.1", "syntax", "no verb"),
        (b"\xef\xbb\xbfhello 0.1 a bot", "syntax", "byte-order mark"),
        (b"\xff\xfeh\0e\0", "bad-byte", "0xFF at position 1"),
        (b"\xff\xfb\x1f\xff\xfa\x1f\x00P\x00\x18\xff\xf0who", "bad-byte", "telnet"),
        (b"who\t", "bad-byte", "0x09 at position 4"),
        (b"who\x00", "bad-byte", "0x00 at position 4"),
        (b"who\x1b[2J", "bad-byte", "0x1B"),
        (b"who\x7f", "bad-byte", "0x7F"),
        (b"\x16\x03\x01\x02\x00\x01\x00", "bad-byte", "0x16"),
        (b"\xc3\x28", "bad-encoding", "position 1"),
        (b"who \x80", "bad-encoding", "position 5"),
        ("who é".encode(), "syntax", "ASCII"),
        ("ping 😀".encode(), "syntax", "ASCII"),
        (b"place g1 7 S1", "syntax", "too few words; usage: place GAME REQUEST TILE BUILDING"),
        (b"place g1 7 S1 tag=a", "syntax", "too few words"),
        (b"place g1 7 S1 IC IC", "syntax", "one word too many"),
        (b"place g1 7 S1 IC :hello", "syntax", "one word too many"),
        (b"place g1 7 S1 IC tag=", "syntax", "key=value"),
        (b"place g1 7 S1 IC =a", "syntax", "key=value"),
        (b"place g1 7 S1 IC Tag=a", "syntax", "key=value"),
        (b"place g1 7 S1 IC tag=a tag=a", "syntax", "twice"),
        (b"place g1 7 S1 IC new=a new=b", "syntax", "twice"),
        (b"place g1 7 S1 IC tag=@", "syntax", "tag= '@' is not a tag"),
        (b"place g1 07 S1 IC", "syntax", "REQUEST '07' is not a number"),
        (b"ping :x", "syntax", "WORD"),
        (b"ping " + b"a" * 65, "syntax", "64"),
    ],
)
def test_each_fault_has_a_code_and_a_sentence(line: bytes, code: str, says: str) -> None:
    found = refusal(line)
    assert found.code == code
    assert says in found.sentence


def test_control_bytes_everywhere_are_refused() -> None:
    for code in [*range(0x20), 0x7F, *range(0xF5, 0x100)]:
        if code == 0x0A:
            continue
        for at in (0, 3, 5, 7):
            line = bytearray(b"resign g1")
            line.insert(at, code)
            assert refusal(bytes(line)).code == "bad-byte", (code, at)


def test_other_high_bytes_are_no_utf8() -> None:
    for code in range(0x80, 0xF5):
        assert refusal(b"resign g1" + bytes([code])).code == "bad-encoding"


def test_keys_not_known_are_ignored() -> None:
    line = b"place g1 7 S1 IC colour=red tag=a x-9=:=:"
    assert decode_client_line(line) == Place("g1", 7, "S1", "IC", tag="a")
    assert decode_client_line(b"who since=yesterday") == Who()


def test_the_server_refuses_unknown_verbs_and_the_client_skips_them() -> None:
    for line in (b"chat bob :hello", b"frob", b"a-new-verb x=1 :\xc3\xa9"):
        assert isinstance(decode_client_line(line), Refusal)
        assert decode_server_line(line) is None
    for line in (b"place g1 7 S1 IC", b"seek"):
        assert decode_server_line(line) is None, "a client's verb is nothing to a client"
    for line in (b"", b" x", b"HTTP/1.1 400 Bad Request", b"frob\t", b"a" * 17):
        assert isinstance(decode_server_line(line), Refusal)


@pytest.mark.parametrize(
    ("line", "tag"),
    [
        (b"frob tag=a", "a"),
        (b"place g1 tag=b.1_c-d", "b.1_c-d"),
        (b"place g1 7 S11 IC tag=c", "c"),
        (b"place g1 7 S1 IC tag=a tag=b", None),
        (b"place g1 7 S11 IC tag=@", None),
        (b"place g1 7 S11 IC", None),
        (b"who\x00 tag=a", None),
    ],
)
def test_a_refusal_has_the_tag_if_it_can_be_read(line: bytes, tag: str | None) -> None:
    assert refusal(line).tag == tag


def test_a_secret_is_never_repeated() -> None:
    for line in (b"resume hunter2!", b"hello 0.1 a bot key=hunter2!"):
        assert "hunter2" not in refusal(line).sentence


@pytest.mark.parametrize(
    "line",
    [b"turn g1 7 30000 295000 none", b"placed g1 17 I 2 3 IC ?", b"ok", b"ok re=who count=3", b"back g1 I"],
)
def test_ordinary_server_lines_are_read(line: bytes) -> None:
    assert isinstance(decode_server_line(line), Message)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"bye shutdown", "text is missing"),
        (b"error syntax retry", "text is missing"),
        (b"error syntax expensive :x", "fatal, retry or ignored"),
        (b"greeting 0.1 t/1 caps=events client-line=512 server-line=4096 games=256", "hello= is missing"),
        (b"choose g1 7 left=1 time=1 enemy-time=1 side=I", "variant= is missing"),
        (b"turn g1 7 30000 295000 -1", "ENEMY-TIME '-1' is not milliseconds or none"),
        (b"placed g1 17 I 10 3 IC ?", "a number from 1 to 9"),
        (b"placed g1 17 I 2 7 IC ?", "a number from 1 to 6"),
        (b"revealed g1 17 IC IC.1.1.I.S1,", "ENTRIES"),
        (b"drew g1 17 I S1,S2", "three tiles"),
        ("bye shutdown :\u009b2J".encode(), "without control characters"),
    ],
)
def test_a_client_gets_refusals_for_a_bad_server(line: bytes, says: str) -> None:
    result = decode_server_line(line)
    assert isinstance(result, Refusal) and says in result.sentence


def test_a_text_is_utf8_and_may_hold_anything_printable() -> None:
    message = decode_server_line("notice storage in=5 :Übung : macht :: den = Meister 😀 ".encode())
    assert message == decode_server_line("notice storage in=5 :Übung : macht :: den = Meister 😀 ".encode())
    assert getattr(message, "text") == "Übung : macht :: den = Meister 😀 "  # noqa: B009
    assert decode_server_line(b"help :") is not None
    assert isinstance(decode_server_line("n\u00f6tice storage :x".encode()), Refusal)
    assert isinstance(decode_server_line("player n\u00f6 bot free".encode()), Refusal)
    assert isinstance(decode_server_line("bye sh\u00fctdown :x".encode()), Refusal)


def test_ok_has_only_keys() -> None:
    assert decode_server_line(b"ok tag=a re=place") == Ok("a", "place")
    assert decode_server_line(b"ping a") == Ping("a")
