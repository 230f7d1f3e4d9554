"""docs/limits.md has every limit as the program has it, and each names a test that tries its edges."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.wire.test_wire_protocol_page import SETTING_OF
from tyrusd.core.settings import DEFAULTS
from tyrusd.host import engine, log_sink, logs
from tyrusd.host.configuration.keys import KEYS, NO_KEYS
from tyrusd.wire import LIMITS

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
LINE = re.compile(r"^\| `([a-z-]+)` \| (\S*) ?\| ([^|]*) \| (?:`([a-z.-]+)`)? ?\| ([^|]+) \| `([^`]+)` \|$")

# Limits that no peer of the protocol meets by their names, and are not in its page: setting or value.
OTHERS: dict[str, str | float] = {
    "resume-delay": "resume_delay", "bot-start": "bot_start", "kept": "kept_bytes",
    "store-deadline": "store_deadline", "store-attempts": "store_attempts", "store-retry": "store_retry",
    "stall": "stall", "heartbeat": "heartbeat", "linger": engine.LINGER,
    "log-burst": logs.BURST, "log-rate": logs.PER_SECOND, "log-sources": logs.SOURCES,
    "log-message": logs.LONGEST, "log-backlog": log_sink.BACKLOG,
}  # fmt: skip
KEY_OF = {field: key.path for key in KEYS for field in key.settings}


def rows() -> dict[str, tuple[str, str, str | None, str, str]]:
    """The cells of each row by its name; a line of the table that is no row fails."""
    found = {}
    for line in (ROOT / "docs" / "limits.md").read_text("utf-8").splitlines():
        if line.startswith("| `"):
            match = LINE.match(line)
            assert match is not None, line
            name, default, unit, key, meaning, test = match.groups()
            assert name not in found
            found[name] = (default, unit, key, meaning, test)
    return found


@cache
def functions(file: str) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name: node for node in tree.body if isinstance(node, kinds)}


def test_the_page_has_every_limit_and_no_other() -> None:
    assert list(rows()) == [*LIMITS, *OTHERS]
    told = {SETTING_OF[name] for name in LIMITS if name in SETTING_OF}
    told |= {setting for setting in OTHERS.values() if isinstance(setting, str)}
    fields = {field for key in KEYS for field in key.settings}
    assert fields == (told | {"hello_pipe", "open_hosts"}) - NO_KEYS


@pytest.mark.parametrize("name", [*LIMITS, *OTHERS])
def test_a_row_is_what_the_program_does(name: str) -> None:
    default, unit, key, meaning, test = rows()[name]
    setting = SETTING_OF.get(name) or OTHERS.get(name)
    if name in LIMITS:
        assert (float(default), unit, meaning) == (
            LIMITS[name].value,
            LIMITS[name].unit,
            LIMITS[name].meaning,
        )
    if isinstance(setting, str):
        assert float(default) == getattr(DEFAULTS, setting) and key == KEY_OF[setting]
    elif setting is not None:
        assert float(default) == setting and key is None
    elif key is not None:
        assert {"drain": "server.drain"}[name] == key
    file, _, function = test.partition("::")
    assert function in functions(file), f"there is no {test}"


@pytest.mark.parametrize("name", sorted({*SETTING_OF, *(n for n, s in OTHERS.items() if isinstance(s, str))}))
def test_a_test_of_a_limit_that_can_be_set_tries_several_values(name: str) -> None:
    file, _, function = rows()[name][4].partition("::")
    node = functions(file)[function]
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    assert any("parametrize" in decorator for decorator in decorators) or "range(" in ast.unparse(node)
