"""protocol.md says what the code does: each of its tables is compared with the code, both ways."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import astuple

from tests.wire.page import PAGE, ROOT, anchors, blocks, sections, table, word
from tyrusd.core.settings import DEFAULTS
from tyrusd.rules.notation import GRAMMAR, KEYS, read_entries
from tyrusd.rules.pieces import Kind, Side, building_of
from tyrusd.rules.tally import count
from tyrusd.wire import (
    ALLOWED,
    CAPABILITIES,
    DIRECTIONS,
    ERRORS,
    FINDINGS,
    GOODBYES,
    LIMITS,
    NOTICES,
    OUTCOMES,
    PARTS,
    PROTOCOL_VERSION,
    REASONS,
    STATES,
    Message,
    Phase,
    Refusal,
    Revealed,
    Tallied,
    decode_client_frame,
    decode_client_line,
    decode_server_line,
    encode_frame,
)
from tyrusd.wire.layout import Schema
from tyrusd.wire.schema import CLIENT_SCHEMAS, SERVER_SCHEMAS
from tyrusd.wire.words import DECLINED, ENCOUNTER_STATES, ENTRANT_STATES, EVENT_STATES, WHY_ILLEGAL


@pytest.mark.parametrize(
    ("section", "number", "words"),
    [
        ("reasons", 0, REASONS),
        ("goodbyes", 0, GOODBYES),
        ("notices", 0, NOTICES),
        ("states", 0, STATES),
        ("capabilities", 0, CAPABILITIES),
        ("errors", 1, WHY_ILLEGAL),
        ("declined-challenges", 0, DECLINED),
        ("event-states", 0, EVENT_STATES),
        ("event-states", 1, ENTRANT_STATES),
        ("event-states", 2, ENCOUNTER_STATES),
        ("checking", 0, FINDINGS),
        ("why-did-i-lose", 0, OUTCOMES),
        ("why-did-i-lose", 1, DIRECTIONS),
        ("why-did-i-lose", 2, PARTS),
    ],
)
def test_lists_of_words(section: str, number: int, words: dict[str, str]) -> None:
    assert {word(name): meaning for name, meaning in table(section, number)} == words


def test_errors() -> None:
    rows = {word(code): (cost, budget, meaning) for code, cost, budget, meaning in table("errors")}
    assert rows == {
        code: (row.cost, "yes" if row.budget else "–", row.meaning) for code, row in ERRORS.items()
    }


def test_limits() -> None:
    rows = {word(name): (value, unit, meaning) for name, value, unit, meaning in table("limits")}
    assert rows == {name: (str(limit.value), limit.unit, limit.meaning) for name, limit in LIMITS.items()}


SETTING_OF = {
    "games": "games_per_connection",
    "rate": "lines_per_second",
    "burst": "lines_burst",
    "pauses": "flood_strikes",
    "error-budget": "error_budget",
    "error-refill": "error_refill",
    "early-errors": "early_errors",
    "hello": "hello_socket",
    "hello-pipe": "hello_pipe",
    "first-line": "advisory",
    "line-bot": "line_bot",
    "line-human": "line_person",
    "ping": "ping_after",
    "pong": "ping_grace",
    "window": "reconnect_window",
    "restart-window": "restart_window",
    "resume-guesses": "resume_failures_per_minute",
    "account-guesses": "account_failures_per_minute",
    "logins": "logins_per_minute",
    "lenient-bot": "lenient_bot",
    "unread": "output_base",
    "unread-game": "output_per_game",
    "no-progress": "output_stall",
    "host-connections": "connections_per_host",
    "connections": "connections_total",
    "games-total": "games_total",
    "spectators": "spectators_per_game",
    "watching": "watching_per_connection",
    "seek": "seek_expires",
    "offers": "challenges_made",
    "offers-received": "challenges_received",
    "challenge": "challenge_expires",
    "house-games": "house_games_per_player",
    "events": "events_open",
    "entrants": "event_entrants",
    "walkover": "walkover_after",
    "call": "event_call",
    "event-window": "event_hold",
    "event-steps": "event_steps_per_minute",
    "gather": "ladder_gather",
    "rematch": "ladder_rematch",
    "forfeits": "ladder_forfeits",
    "provisional": "ladder_provisional",
    "versions": "ladder_versions_per_day",
    "versions-rated": "ladder_versions",
    "refit": "ladder_refit",
    "listed": "listed",
    "own-results": "own_results",
    "log": "log_bytes",
    "log-steps": "log_steps",
    "page": "log_page",
}


def test_the_limits_of_this_page_are_the_defaults_of_the_server() -> None:
    fixed = {"client-line", "server-line", "frame", "text", "margin", "drain"}
    assert set(LIMITS) == fixed | set(SETTING_OF)
    for name, setting in SETTING_OF.items():
        assert getattr(DEFAULTS, setting) == LIMITS[name].value, name


def test_phases() -> None:
    rows = {word(verb): dict(zip(Phase, cells, strict=True)) for verb, *cells in table("phases")}
    assert set(rows) == set(CLIENT_SCHEMAS)
    for verb, cells in rows.items():
        for phase, cell in cells.items():
            answer = ALLOWED.get((phase, verb))
            assert cell == ("–" if answer is None else answer.value), (verb, phase)


def core_cell(schema: Schema) -> str:
    return ", ".join(f"`{field.label}` {field.kind.name}" for field in schema.core) or "–"


def keys_cell(schema: Schema) -> str:
    cells = []
    for key in schema.keys:
        cell = f"`{key.name}=` {key.kind.name}"
        default = f" = {key.default}" if key.default else ""
        cells.append(cell if key.required else f"[{cell}{default}]")
    return ", ".join(cells + ["`SIGHTLINE`"] * schema.view) or "–"


@pytest.mark.parametrize(
    ("section", "schemas"), [("client-messages", CLIENT_SCHEMAS), ("server-messages", SERVER_SCHEMAS)]
)
def test_messages(section: str, schemas: dict[str, Schema]) -> None:
    rows = {word(verb): cells for verb, *cells in table(section)}
    assert list(rows) == list(schemas)
    for verb, (core, keys, text, meaning) in rows.items():
        schema = schemas[verb]
        assert core == core_cell(schema), verb
        assert keys == keys_cell(schema), verb
        assert text == ("may" if schema.textless else "yes" if schema.text else "–"), verb
        assert meaning, verb


def test_the_sightline_has_its_grammar_and_a_row_for_each_key() -> None:
    assert [word(key) for key, _ in table("sightline")] == list(KEYS)
    assert ("", GRAMMAR) in blocks("abnf")


def test_the_version() -> None:
    assert f"\nVersion {PROTOCOL_VERSION}. " in PAGE


def test_frames_byte_by_byte() -> None:
    found = blocks("frame")
    assert len(found) >= 2
    for line, shown in found:
        message = decode_client_line(line.encode())
        assert not isinstance(message, Refusal), line
        assert encode_frame(message) == bytes.fromhex(shown)
        assert decode_client_frame(bytes.fromhex(shown)[4:]) == message


def test_the_lines_shown_are_lines() -> None:
    ((_, text),) = blocks("server-lines")
    for line in text.splitlines():
        assert isinstance(decode_server_line(line.encode()), Message), line


def test_the_count_shown_is_the_count_of_the_tiles_shown() -> None:
    ((_, text),) = blocks("server-lines")
    messages = [decode_server_line(line.encode()) for line in text.splitlines()]
    (tallied,) = [message for message in messages if isinstance(message, Tallied)]
    shown = [
        entry
        for message in messages
        if isinstance(message, Revealed)
        for entry in read_entries(message.entries)
    ]
    counts = []
    for side in Side:
        home = building_of(side, Kind.CITADEL)
        tiles = [(seen.side, seen.tile) for seen in shown if seen.building is home and seen.tile is not None]
        counts += list(count(Kind.CITADEL, side, tiles))
    assert astuple(tallied)[5:] == tuple(counts)


def test_every_link_inside_the_page_leads_somewhere() -> None:
    links = set(re.findall(r"\]\(#([^)]*)\)", PAGE))
    assert links <= anchors()
    assert set(sections()) - links <= {"client-messages", "server-messages"}, (
        "a section that nothing links to"
    )


def test_every_place_in_the_project_that_cites_a_section_cites_one_that_exists() -> None:
    cited: dict[str, str] = {}
    for folder in ("tyrusd", "clients", "plugins", "tests", "docs"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in {".py", ".md", ".c", ".js"}:
                for name in re.findall(r"protocol\.md#([a-z0-9-]+)", path.read_text(encoding="utf-8")):
                    cited.setdefault(name, str(path.relative_to(ROOT)))
    for path in ROOT.glob("*.md"):
        for name in re.findall(r"protocol\.md#([a-z0-9-]+)", path.read_text(encoding="utf-8")):
            cited.setdefault(name, path.name)
    assert cited
    assert {name: where for name, where in cited.items() if name not in anchors()} == {}
