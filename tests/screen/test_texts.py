"""The table of texts is complete: whatever the program can ask for is there, and nothing else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tyrusd.rules.game import REASONS
from tyrusd.screen.english import ENGLISH
from tyrusd.screen.english_client import ENGLISH_CLIENT
from tyrusd.screen.texts import LANGUAGES, Texts
from tyrusd.wire.errors import ERRORS
from tyrusd.wire.words import GOODBYES, NOTICES, STATES, WHY_ILLEGAL

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "tyrusd/screen").glob("*.py")) + sorted((ROOT / "clients/tyrus_client").glob("*.py"))
CODE = re.compile(r"[a-z]+(?:[-.][A-Za-z-]+)*")
TABLE = {**ENGLISH, **ENGLISH_CLIENT}

# Errors that only a client at fault gets: it shows the server's own sentence, which says more.
SERVERS_SENTENCE = {"syntax", "bad-byte", "bad-encoding", "line-too-long", "taken", "name"}
SERVERS_GOODBYE = {"line-too-long"}
SERVERS_NOTICE = {"end-lines-with-lf"}


def codes_in_sources() -> tuple[set[str], set[str]]:
    """All strings of the sources that could be codes, and the beginnings of those that are put together."""
    whole, beginnings = set(), set()
    for file in SOURCES:
        if file.name.startswith("english"):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                whole.add(node.value)
            elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                beginnings.add(str(node.values[0].value))
    return whole, beginnings


def said_codes() -> Iterator[tuple[str, str]]:
    """Each code that is written out in a call of `say`, `counted` or `_fail`, and where."""
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("say", "counted", "_fail")
                and node.args
            ):
                for code in written_out(node.args[0]):
                    yield code, f"{file.name}:{node.lineno} {node.func.attr}"


def written_out(node: ast.expr) -> Iterator[str]:
    """The codes an expression can come to, as far as they are written there."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from written_out(node.body)
        yield from written_out(node.orelse)


def test_no_code_has_two_sentences() -> None:
    assert not ENGLISH.keys() & ENGLISH_CLIENT.keys()
    assert set(LANGUAGES) == {"en"}


def test_every_code_that_is_asked_for_has_a_sentence() -> None:
    asked = list(said_codes())
    assert len(asked) > 60
    missing = [
        f"{code} ({where})"
        for code, where in asked
        if code not in TABLE and not {f"{code}.one", f"{code}.many"} <= TABLE.keys()
    ]
    assert missing == []


def test_every_sentence_is_asked_for_somewhere() -> None:
    whole, beginnings = codes_in_sources()
    families = {beginning for beginning in beginnings if CODE.fullmatch(beginning.rstrip("."))}
    unused = [
        code
        for code in TABLE
        if code not in whole
        and code.removesuffix(".one").removesuffix(".many") not in whole
        and not any(code.startswith(family) for family in families)
    ]
    assert unused == []


@pytest.mark.parametrize(
    ("family", "words", "left_to_the_server"),
    [
        ("error", set(ERRORS), SERVERS_SENTENCE),
        ("error.illegal", set(WHY_ILLEGAL), set()),
        ("bye", set(GOODBYES), SERVERS_GOODBYE),
        ("notice", set(NOTICES), SERVERS_NOTICE),
        ("state", set(STATES), set()),
        ("reason", set(REASONS), set()),
    ],
)
def test_every_word_of_the_protocol_has_a_sentence(
    family: str, words: set[str], left_to_the_server: set[str]
) -> None:
    rows = [code.removeprefix(f"{family}.") for code in TABLE if code.startswith(f"{family}.")]
    told = {row for row in rows if "." not in row}
    assert told == words - left_to_the_server


def test_english_needs_no_more_than_ascii_and_plain_lines() -> None:
    for code, sentence in TABLE.items():
        assert sentence.isascii(), code
        assert sentence == sentence.rstrip() or code in ("comma", "gap"), code
        for line in sentence.split("\n"):
            assert line.isprintable(), code
            assert len(line) <= 79 or "\n" not in sentence, f"{code} is laid out by hand and too wide"


def test_one_and_many_differ() -> None:
    texts = LANGUAGES["en"]
    assert texts.counted("board.reserve", 1) == "1 tile each"
    assert texts.counted("board.reserve", 0) == "0 tiles each"
    assert texts.counted("board.reserve", 2) == "2 tiles each"


def test_a_code_without_a_sentence_is_an_error_of_ours() -> None:
    with pytest.raises(KeyError):
        Texts({}).say("nowhere")
