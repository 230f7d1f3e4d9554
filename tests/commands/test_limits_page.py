"""docs/limits.md has every limit as the program has it, and each names a test that tries its edges."""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import cache

import pytest

from tests.core.limit_rows import ROOT, rows
from tests.wire.test_wire_protocol_page import SETTING_OF
from tyrusd.core import allowances, archive, bans
from tyrusd.core.counts import COUNTED, ELSEWHERE
from tyrusd.core.settings import DEFAULTS
from tyrusd.host import (
    addresses,
    assembly,
    clockwork,
    console,
    doorkeeper,
    engine,
    game_index,
    http,
    hub,
    keeper,
    liveness,
    local_socket,
    log_sink,
    logs,
    met,
    refit,
    seats,
    shelf,
    store,
    storekeeper,
    tls,
)
from tyrusd.host.configuration import reading
from tyrusd.host.configuration.keys import KEYS, NO_KEYS
from tyrusd.host.metrics_table import BY_NAME
from tyrusd.league.framing import MAX_PAYLOAD
from tyrusd.wire import ERRORS, GOODBYES, LIMITS, REASONS

TESTS = ROOT / "tests"

# Limits that no peer of the protocol meets by their names, and are not in its page: setting or value.
OTHERS: dict[str, str | float] = {
    "resume-delay": "resume_delay", "bot-start": "bot_start", "kept": "kept_bytes",
    "store-deadline": "store_deadline", "store-retry": "store_retry",
    "stall": "stall", "heartbeat": "heartbeat", "linger": engine.LINGER,
    "log-burst": logs.BURST, "log-rate": logs.PER_SECOND, "log-sources": logs.SOURCES,
    "log-message": logs.LONGEST, "log-backlog": log_sink.BACKLOG,
    "bot-errors": seats.TAIL, "codes-waiting": doorkeeper.CODES, "names": archive.NAMES,
    "bans-kept": bans.MOST, "counted": allowances.MOST,
    "log-files": shelf.FILES, "log-waiting": shelf.WAITING,
    "tls-handshake": tls.HANDSHAKE, "tls-handshakes": tls.HANDSHAKES,
    "tls-handshakes-host": tls.HANDSHAKES_PER_HOST, "vanished": liveness.GONE,
    "descriptors": hub.REFUSALS,
    "backlog": addresses.BACKLOG, "accepts": hub.ACCEPTS, "http-head": http.LONGEST_HEAD,
    "http-time": http.PATIENCE, "http-callers": http.CALLERS, "http-rest": http.DRAINED,
    "console-request": local_socket.LONGEST, "console-time": local_socket.PATIENCE,
    "console-callers": local_socket.CALLERS, "console-watches": console.WATCHES,
    "console-behind": console.BEHIND, "sync": storekeeper.ABANDON, "full-disk": storekeeper.GIVE_UP,
    "index-waiting": game_index.WAITING, "fit": refit.LIMIT, "fit-memory": refit.MEMORY,
    "store-locked": store.PATIENCE,
    "record": MAX_PAYLOAD, "config-file": reading.LARGEST, "bot-term": keeper.GRACE, "end": assembly.HURRY,
}  # fmt: skip
KEY_OF = {field: key.path for key in KEYS for field in key.settings}


@cache
def functions(file: str) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name: node for node in tree.body if isinstance(node, kinds)}


def test_the_page_has_every_limit_and_no_other() -> None:
    assert list(rows()) == [*LIMITS, *OTHERS], (
        "the rows of docs/limits.md: wire/limits.py, then OTHERS of this test"
    )
    told = {SETTING_OF[name] for name in LIMITS if name in SETTING_OF}
    told |= {setting for setting in OTHERS.values() if isinstance(setting, str)}
    fields = {field for key in KEYS for field in key.settings}
    assert fields == (told | {"hello_pipe", "open_hosts"}) - NO_KEYS


@pytest.mark.parametrize("name", [*LIMITS, *OTHERS])
def test_a_row_is_what_the_program_does(name: str) -> None:
    assert name in rows(), f"docs/limits.md has no row {name}"
    _, default, unit, key, meaning, _, test = rows()[name]
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
    file, _, function = rows()[name].test.partition("::")
    node = functions(file)[function]
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    assert any("parametrize" in decorator for decorator in decorators) or "range(" in ast.unparse(node)


def test_every_word_that_is_counted_is_the_metric_of_a_row_and_every_metric_is_there() -> None:
    told = {row.metric for row in rows().values() if row.metric is not None}
    words = {metric for metric in told if not metric.startswith("tyrusd_")}
    counted = COUNTED | set(met.WORDS)
    assert words <= counted, f"nothing counts {sorted(words - counted)}: see core/counts.py and host/met.py"
    missing = counted - words - {"bans"}
    assert not missing, (
        f"no row of docs/limits.md has the metric {sorted(missing)}; a setting that is no limit, or that "
        "something else counts, is named with the reason in ELSEWHERE of core/counts.py"
    )
    assert not COUNTED & set(met.WORDS) and not COUNTED & ELSEWHERE.keys()
    assert ELSEWHERE.keys() <= set(DEFAULTS.__dataclass_fields__)
    lists: dict[str, Collection[str]] = {
        "tyrusd_results_total": REASONS, "tyrusd_errors_total": ERRORS, "tyrusd_goodbyes_total": GOODBYES,
    }  # fmt: skip
    for metric in told - words:
        name, _, label = metric.partition("{")
        assert name in BY_NAME, metric
        assert not label or label.split('"')[1] in lists[name], metric


def test_limits_that_two_parts_keep_have_one_value() -> None:
    assert storekeeper.GIVE_UP == clockwork.GIVE_UP
