"""The ABNF of protocol.md and the codec accept the same lines, and every rule of it is used."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.wire.abnf import CORE, Grammar
from tests.wire.examples import MESSAGES
from tests.wire.page import blocks
from tests.wire.strategies import BY_RULE, CLIENT_MESSAGES, SERVER_MESSAGES
from tyrusd.wire import Message, Refusal, decode_client_line, decode_server_line, encode_line
from tyrusd.wire.fields import FREE_TEXT, TIME, Kind
from tyrusd.wire.layout import Schema
from tyrusd.wire.schema import CLIENT_SCHEMAS, SCHEMA_OF, SERVER_SCHEMAS
from tyrusd.wire.sightline import SIGHT

GRAMMAR = Grammar("".join(text for _, text in blocks("abnf")))
# The sightline's values that have no rule of their own are checked as parts of the whole sightline.
WITHOUT_RULE = {"cards", "hand", "past"}
# These would have the names of other rules.
RENAMED = {("server-message", "help"): "help-text", ("server-message", "result"): "result-line"}


def kinds() -> dict[str, Kind]:
    found = {field.kind.name: field.kind for schema in SCHEMA_OF.values() for field in schema.core}
    found |= {key.kind.name: key.kind for schema in SCHEMA_OF.values() for key in schema.keys}
    return found | {kind.name: kind for kind in SIGHT.values()} | {"text": FREE_TEXT}


def test_every_rule_is_defined_and_used() -> None:
    for rule in GRAMMAR.rules:
        GRAMMAR.expression(rule)
    by_tables = {kind for kind in kinds() if kind not in WITHOUT_RULE}
    assert GRAMMAR.used <= set(GRAMMAR.rules) | set(CORE)
    roots = {"client-line", "server-line", "sightline", "variant", "hand"}
    assert set(GRAMMAR.rules) - GRAMMAR.used - by_tables <= roots
    assert by_tables <= set(GRAMMAR.rules)


def test_every_message_has_a_rule() -> None:
    for rule, schemas in (("client-message", CLIENT_SCHEMAS), ("server-message", SERVER_SCHEMAS)):
        named = {name.strip() for name in GRAMMAR.rules[rule].split("/")}
        assert named == {RENAMED.get((rule, verb), verb) for verb in schemas}


@pytest.mark.parametrize("rule", sorted(set(BY_RULE) - WITHOUT_RULE))
@settings(max_examples=80)
@given(data=st.data())
def test_what_a_field_writes_follows_its_rule(rule: str, data: st.DataObject) -> None:
    kind = kinds()[rule]
    if rule == "code":
        kind = kind._replace(write=str)
    text = BY_RULE[rule] if rule in {kind.name for kind in SIGHT.values()} else BY_RULE[rule].map(kind.write)
    assert GRAMMAR.matches(rule, str(data.draw(text)))


ALPHABET = "0123456789abcdefgxIBCMTSPN?-_.,+:=/ \n\r\té\u2028"


@pytest.mark.parametrize("rule", sorted(set(BY_RULE) - WITHOUT_RULE - {"text", "list"}))
def test_a_field_reads_exactly_what_follows_its_rule(rule: str) -> None:
    """Good values are damaged; reading them and the rule must always agree."""
    chance = random.Random(rule)
    kind = kinds()[rule]
    good = [word for words in GOOD_WORDS.values() for word in words]
    agreed = {True: 0, False: 0}
    for _ in range(1500):
        text = list(chance.choice(GOOD_WORDS.get(rule, good)))
        for _ in range(chance.randint(0, 2)):
            at = chance.randrange(len(text) + 1)
            text[at : at + chance.randint(0, 1)] = chance.choice(ALPHABET)
        word = "".join(text)
        if word:
            agreed[GRAMMAR.matches(rule, word)] += 1
            assert reads(kind, word) == GRAMMAR.matches(rule, word), word
    assert agreed[True] > 10 and agreed[False] > 10


GOOD_WORDS: dict[str, list[str]] = {
    "number": ["0", "7", "10", "1023", "1024", "999999999999"],
    "time": ["none", "0", "60000"],
    "lenient": ["any", "2"],
    "yes-no": ["yes", "no"],
    "counted": ["yes", "no", "flagged"],
    "elo": ["none", "0", "-1", "1620", "-999999"],
    "switch": ["on", "off"],
    "count": ["1", "9", "10", "99", "100", "199", "200", "249", "250", "256", "257"],
    "nine": ["1", "9"],
    "six": ["1", "6"],
    "reserve": ["0", "3", "21", "18", "6"],
    "tile": ["S1", "S10", "M9", "P10"],
    "face": ["S1", "S10", "?"],
    "building": ["IC", "IM", "BT"],
    "side": ["I", "B"],
    "viewer": ["I", "B", "-"],
    "result": ["I", "B", "N"],
    "kind": ["C", "M", "T"],
    "player-kind": ["bot", "human"],
    "cost": ["fatal", "retry", "ignored"],
    "version": ["0.1", "10.0", "9999.9999"],
    "seed": ["0123456789abcdef" * 2],
    "clock": ["none", "300+2", "0.5+0.125", "1000000+0"],
    "cap": ["none", "60", "0.1"],
    "won": ["-", "IBN", "IBNIBNIBN"],
    "three-faces": ["S1,M10,P2", "?,?,?"],
    "group": ["-", "IC.1.1.I.S10", "IC.1.1.I.S10,BT.9.6.B.?"],
    "name": ["anna", "A-b_9", "n" * 32],
    "game": ["g1", "r3-p12-a", "g" * 32],
    "secret": ["s-_9", "s" * 128],
    "tag": ["a.b_c-9", "t" * 32],
    "word": ["mybot/1.2", "w" * 64, "a:b"],
    "code": ["stale", "c" * 32, "not-your-turn"],
    "verb": ["who", "v" * 16],
    "variant-name": ["standard", "v" * 32],
    "outcome": ["won", "lost", "drawn", "none"],
    "finding": ["passed", "failed", "skipped"],
    "direction": ["S", "C", "+", "-"],
    "decline-word": ["no", "busy", "terms", "later"],
    "event-kind": ["knockout", "swiss", "roundrobin"],
    "points": ["0", "2.5", "12", "999999.5"],
    "part": ["deal", "seat", "placed", "tallied", "over"],
    "nine-kinds": ["CMTCMTCMT", "TTTMMMCCC"],
    "thirty-tiles": [",".join(["S1", "M10", "P2"] * 10)],
    "four-sums": ["0,0,0,0", "12,165,7,999"],
}


def reads(kind: Kind, text: str) -> bool:
    try:
        kind.read(text)
    except (KeyError, ValueError):
        return False
    return True


def follows(rule: str, schemas: dict[str, Schema], line: bytes) -> bool:
    """Whether a line is of the grammar, with what its prose adds about keys."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    if not GRAMMAR.matches(rule, text + "\n"):
        return False
    schema = schemas[text.split(" ")[0].rstrip("\r")]
    head = text.rstrip("\r").partition(" :")[0] if schema.text else text.rstrip("\r")
    pairs = [word.partition("=") for word in head.split(" ")[len(schema.core) + 1 :]]
    names = [name for name, _, _ in pairs]
    rules = {key.name: key.kind for key in schema.keys} | (SIGHT if schema.view else {})
    needed = {key.name for key in schema.keys if key.required} | (set(SIGHT) if schema.view else set())
    if len(set(names)) != len(names) or not needed <= set(names):
        return False
    return all(value_follows(rules[name], value) for name, _, value in pairs if name in rules)


def value_follows(kind: Kind, value: str) -> bool:
    if kind.name in WITHOUT_RULE:
        return reads(kind, value)
    once = kind.name != "list" or len(set(value.split(","))) == len(value.split(","))
    return once and GRAMMAR.matches(kind.name, value)


@settings(max_examples=200)
@given(CLIENT_MESSAGES)
def test_every_client_line_follows_the_grammar(message: Message) -> None:
    assert follows("client-line", CLIENT_SCHEMAS, encode_line(message)[:-1])


@settings(max_examples=200)
@given(SERVER_MESSAGES)
def test_every_server_line_follows_the_grammar(message: Message) -> None:
    assert follows("server-line", SERVER_SCHEMAS, encode_line(message)[:-1])


@pytest.mark.parametrize("role", ["client", "server"])
def test_damaged_lines_are_read_exactly_if_they_follow_the_grammar(role: str) -> None:
    chance = random.Random(role)
    schemas = CLIENT_SCHEMAS if role == "client" else SERVER_SCHEMAS
    decode = decode_client_line if role == "client" else decode_server_line
    good = [encode_line(message)[:-1] for message in MESSAGES if message.verb in schemas]
    agreed = {True: 0, False: 0}
    for _ in range(6000):
        line = bytearray(chance.choice(good))
        for _ in range(chance.randint(1, 2)):
            at = chance.randrange(len(line) + 1)
            new = chance.choice([*ALPHABET, " x=1", " tag=t", " :", "\x00", "\x1b", "\x7f"]).encode()
            line[at : at + chance.randint(0, 2)] = new if b"\n" not in new else b""
        text = bytes(line)
        result = decode(text.removesuffix(b"\r"))
        read = isinstance(result, Message)
        agreed[read] += 1
        assert read == follows(f"{role}-line", schemas, text), (text, result)
        assert read or result is None or isinstance(result, Refusal)
    assert agreed[True] > 500 and agreed[False] > 500


def test_the_checker_of_grammars_can_fail() -> None:
    small = Grammar('a = %s"x" 2*3b [ "," c ] ; a comment\nb = %x61-63 / DIGIT\nc = 1*ALPHA\n  / "-"\n')
    assert [small.matches("a", text) for text in ("xab", "xa1c,Zz", "x12,-")] == [True] * 3
    assert [small.matches("a", text) for text in ("xa", "Xab", "xabcab", "xab,", "xab,-a", "xad")] == [
        False
    ] * 6
    with pytest.raises(ValueError, match="not case-sensitive"):
        Grammar('a = "x"').expression("a")
    with pytest.raises(ValueError, match="twice"):
        Grammar("a = b\na = c")
    assert TIME.read("none") is None
