"""The kinds of field a message can have: how each is spelled, read from text and written to text.

A kind's `read` accepts exactly its ABNF rule in protocol.md#grammar, whatever the text holds, and
`write` produces nothing else: this is where injected line ends and lenient spellings are stopped.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from tyrusd.wire.errors import COSTS, ERRORS
from tyrusd.wire.limits import GAMES, TEXT
from tyrusd.wire.words import (
    CAPABILITIES,
    DECLINED,
    DIRECTIONS,
    ENCOUNTER_STATES,
    ENTRANT_STATES,
    EVENT_STATES,
    FINDINGS,
    GOODBYES,
    NOTICES,
    OUTCOMES,
    PARTS,
    REASONS,
    STATES,
)

PROFESSION_LETTERS: Final = "SMP"
TILES: Final = tuple(f"{letter}{number}" for letter in PROFESSION_LETTERS for number in range(1, 11))
BUILDINGS: Final = ("IC", "IM", "IT", "BC", "BM", "BT")

FACE_PATTERN: Final = r"(?:\?|[SMP](?:10|[1-9]))"
ENTRY_PATTERN: Final = rf"[IB][CMT]\.[1-9]\.[1-6]\.[IB]\.{FACE_PATTERN}"
ENTRIES_PATTERN: Final = rf"(?:-|{ENTRY_PATTERN}(?:,{ENTRY_PATTERN}){{0,53}})"


class Kind(NamedTuple):
    """One kind of field.

    `name` is its ABNF rule, `what` completes "expected …" in error sentences, `read` and `write` raise
    KeyError, ValueError or TypeError for anything outside the rule, `longest` counts characters (bytes for
    text), `integer` kinds travel as numbers in frames (`none` is the word for no number, if there is one),
    `code` is the error that a bad value gets, a `secret` value is never repeated in a sentence.
    """

    name: str
    what: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    longest: int
    integer: bool = False
    none: str | None = None
    code: str = "syntax"
    secret: bool = False


def choice_kind(name: str, what: str, words: Iterable[str]) -> Kind:
    """Return a kind that is one of a few words, each its own value."""
    table = {word: word for word in words}
    return Kind(name, what, table.__getitem__, table.__getitem__, max(map(len, table)))


def pattern_kind(
    name: str, what: str, pattern: str, longest: int, code: str = "syntax", secret: bool = False
) -> Kind:
    """Return a kind whose text must match `pattern` as a whole and is its own value."""
    matches = re.compile(pattern).fullmatch

    def check(text: str) -> str:
        if matches(text) is None:
            raise ValueError(name)
        return text

    return Kind(name, what, check, check, longest, code=code, secret=secret)


def _open_words(name: str, what: str, words: Iterable[str]) -> Kind:
    """Read any lower-case word (a later version may add some), write only those listed."""
    reading = pattern_kind(name, what, "[a-z][a-z0-9-]{0,31}", 32)
    table = {word: word for word in words}
    return reading._replace(write=table.__getitem__)


# Most numbers of a game are small: requests, sequence numbers, elections.
_SMALL: Final = {str(number): number for number in range(1024)}
_DIGITS: Final = re.compile("[1-9][0-9]{0,11}").fullmatch
NUMBER_LIMIT: Final = 10**12
ELO_LIMIT: Final = 10**6


def read_number(text: str) -> int:
    """Return the number that `text` spells: ASCII digits, no sign, no leading zero, at most twelve."""
    number = _SMALL.get(text)
    if number is None:
        if _DIGITS(text) is None:
            raise ValueError("number")
        number = int(text)
    return number


def write_number(number: int) -> str:
    """Return the decimal spelling of an integer from 0 to 999999999999; ValueError for anything else."""
    if type(number) is not int or not 0 <= number < NUMBER_LIMIT:
        raise ValueError("number")
    return str(number)


def _optional_number(name: str, what: str, none: str) -> Kind:
    def read(text: str) -> int | None:
        return None if text == none else read_number(text)

    def write(number: int | None) -> str:
        return none if number is None else write_number(number)

    return Kind(name, what, read, write, 12, integer=True, none=none)


_ELO: Final = re.compile("0|-?[1-9][0-9]{0,5}").fullmatch


def _read_elo(text: str) -> int | None:
    if text == "none":
        return None
    if _ELO(text) is None:
        raise ValueError("elo")
    return int(text)


def _write_elo(number: int | None) -> str:
    if number is None:
        return "none"
    if type(number) is not int or not -ELO_LIMIT < number < ELO_LIMIT:
        raise ValueError("elo")
    return str(number)


def _range(name: str, what: str, lowest: int, highest: int) -> Kind:
    table = {str(number): number for number in range(lowest, highest + 1)}

    def write(number: int) -> str:
        text = write_number(number)
        if text not in table:
            raise ValueError(name)
        return text

    return Kind(name, what, table.__getitem__, write, len(str(highest)), integer=True)


_GAME: Final = re.compile("[A-Za-z0-9][A-Za-z0-9-]{0,31}").fullmatch


def check_game(text: str) -> str:
    """Return `text` if it can be a game's id; the method calls are quicker than the pattern."""
    quick = type(text) is str and text.isalnum() and text.isascii() and len(text) <= 32
    if not quick and _GAME(text) is None:
        raise ValueError("game")
    return text


_CAPABILITY_LIST: Final = re.compile("[a-z][a-z0-9-]{0,15}(?:,[a-z][a-z0-9-]{0,15}){0,7}").fullmatch


def _read_list(text: str) -> tuple[str, ...]:
    words = tuple(text.split(","))
    if _CAPABILITY_LIST(text) is None or len(set(words)) != len(words):
        raise ValueError("list")
    return words


def _write_list(words: tuple[str, ...]) -> str:
    text = ",".join(words)
    if _read_list(text) != words:
        raise ValueError("list")
    return text


# C0 controls, DEL, C1 controls (terminals obey them too) and the two Unicode line separators.
_UNPRINTABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]").search


def check_text(text: str) -> str:
    """Return `text` if it may end a line: at most 1024 bytes of UTF-8 without control characters."""
    if _UNPRINTABLE(text) is not None or len(text.encode("utf-8")) > TEXT:
        raise ValueError("text")
    return text


NUMBER: Final = Kind(
    "number", "a number without sign or leading zero", read_number, write_number, 12, integer=True
)
TIME: Final = _optional_number("time", "milliseconds or none", "none")
SWITCH: Final = choice_kind("switch", "on or off", ("on", "off"))
YES_NO: Final = choice_kind("yes-no", "yes or no", ("yes", "no"))
COUNTED: Final = choice_kind("counted", "yes, no or flagged", ("yes", "no", "flagged"))
LENIENT: Final = _optional_number("lenient", "a number or any", "any")
ELO: Final = Kind(
    "elo", "a whole number, none for nobody knows", _read_elo, _write_elo, 7, integer=True, none="none"
)
COUNT: Final = _range("count", f"a number from 1 to {GAMES}", 1, GAMES)
ELECTION: Final = _range("nine", "a number from 1 to 9", 1, 9)
TURN: Final = _range("six", "a number from 1 to 6", 1, 6)

TILE: Final = choice_kind("tile", "a tile: S1 to S10, M1 to M10 or P1 to P10", TILES)
FACE: Final = choice_kind("face", "a tile or ?", (*TILES, "?"))
BUILDING: Final = choice_kind("building", "a building: IC, IM, IT, BC, BM or BT", BUILDINGS)
SIDE: Final = choice_kind("side", "a side: I or B", "IB")
SIDE_OR_NONE: Final = choice_kind("viewer", "I, B or -", "IB-")
RESULT: Final = choice_kind("result", "I, B or N", "IBN")
ELECTED: Final = choice_kind("kind", "a kind of election: C, M or T", "CMT")
PLAYER_KIND: Final = choice_kind("player-kind", "bot or human", ("bot", "human"))
COST: Final = choice_kind("cost", "fatal, retry or ignored", COSTS)

ERROR_CODE: Final = _open_words("code", "an error code", ERRORS)
GOODBYE: Final = _open_words("code", "a reason for a goodbye", GOODBYES)
NOTICE: Final = _open_words("code", "a notice", NOTICES)
REASON: Final = _open_words("code", "a reason for the end of a game", REASONS)
WHY_DECLINED: Final = _open_words("code", "why a challenge was declined", DECLINED)
DECLINE: Final = choice_kind("decline-word", "no, busy, terms or later", ("no", "busy", "terms", "later"))
STATE: Final = _open_words("code", "a player's state", STATES)
EVENT_STATE: Final = _open_words("code", "a state of an event", EVENT_STATES)
ENTRANT_STATE: Final = _open_words("code", "a state of somebody in an event", ENTRANT_STATES)
ENCOUNTER_STATE: Final = _open_words("code", "a state of an encounter", ENCOUNTER_STATES)
EVENT_KIND: Final = choice_kind(
    "event-kind", "knockout, swiss or roundrobin", ("knockout", "swiss", "roundrobin")
)
POINTS: Final = pattern_kind("points", "points like 3 or 2.5", r"(?:0|[1-9][0-9]{0,5})(?:\.5)?", 8)

NAME: Final = pattern_kind("name", "a name: 1 to 32 letters, digits, _ or -", "[A-Za-z0-9_-]{1,32}", 32)
OWN_NAME: Final = NAME._replace(code="name")
GAME: Final = Kind("game", "a game id: 1 to 32 letters, digits or -", check_game, check_game, 32)
WORD: Final = pattern_kind(
    "word", "a word of 1 to 64 visible ASCII characters without =", "[!-9;<>-~][!-<>-~]{0,63}", 64
)
TAG: Final = pattern_kind("tag", "a tag: 1 to 32 letters, digits, _ . or -", "[A-Za-z0-9_.-]{1,32}", 32)
SECRET: Final = pattern_kind(
    "secret", "a secret of 1 to 128 letters, digits, _ or -", "[A-Za-z0-9_-]{1,128}", 128, secret=True
)
VERSION: Final = pattern_kind(
    "version", "a version like 0.1", r"(?:0|[1-9][0-9]{0,3})\.(?:0|[1-9][0-9]{0,3})", 9
)
VERB: Final = pattern_kind("verb", "a verb", "[a-z][a-z-]{0,15}", 16)
VARIANT: Final = pattern_kind("variant-name", "a variant's name", "[a-z][a-z0-9-]{0,31}", 32)
SEED: Final = pattern_kind("seed", "32 lower-case hex digits", "[0-9a-f]{32}", 32)
_SECONDS: Final = r"(?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,3})?"
CLOCK: Final = pattern_kind("clock", "seconds like 300+2.5, or none", rf"(?:none|{_SECONDS}\+{_SECONDS})", 23)
CAP: Final = pattern_kind("cap", "seconds like 30, or none", rf"(?:none|{_SECONDS})", 11)
WON: Final = pattern_kind("won", "results like IBN, or -", "(?:-|[IBN]{1,9})", 9)
THREE_FACES: Final = pattern_kind(
    "three-faces", "three tiles like S1,M2,P3 or ?,?,?", f"{FACE_PATTERN},{FACE_PATTERN},{FACE_PATTERN}", 11
)
ENTRIES: Final = pattern_kind("group", "entries like IC.2.3.B.?, or -", ENTRIES_PATTERN, 54 * 14 - 1)
CAPABILITY_LIST: Final = Kind(
    "list", f"words joined by commas, such as {','.join(CAPABILITIES)}", _read_list, _write_list, 8 * 17 - 1
)
OUTCOME: Final = choice_kind("outcome", "won, lost, drawn or none", OUTCOMES)
DIRECTION: Final = choice_kind("direction", "S, C, + or -", DIRECTIONS)
FINDING: Final = choice_kind("finding", "passed, failed or skipped", FINDINGS)
PART: Final = choice_kind("part", "a part of a record: deal, seat, placed, tallied or over", PARTS)
NINE_KINDS: Final = pattern_kind("nine-kinds", "nine kinds of election", "[CMT]{9}", 9)
THIRTY_TILES: Final = pattern_kind(
    "thirty-tiles", "thirty tiles joined by commas", "[SMP](?:10|[1-9])(?:,[SMP](?:10|[1-9])){29}", 30 * 4 - 1
)
FOUR_SUMS: Final = pattern_kind(
    "four-sums",
    "votes, blocks, counters and score joined by commas",
    "(?:0|[1-9][0-9]{0,2})(?:,(?:0|[1-9][0-9]{0,2})){3}",
    4 * 4 - 1,
)
FREE_TEXT: Final = Kind("text", "text without control characters", check_text, check_text, TEXT)
