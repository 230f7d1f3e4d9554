"""`tyrusd config` prints what a server would run with; docs/configuration.md has every key as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.core.stage import Stage, again, play_on
from tests.host.daemons import run
from tyrusd.commands.config import _shown
from tyrusd.core.settings import DEFAULTS
from tyrusd.host.configuration.keys import KEYS, TABLES, Key
from tyrusd.host.configuration.kinds import Choice, Flag, Number, Whole
from tyrusd.host.configuration.memory import GAME, SESSION, STEP, worst_case

PAGE = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text("utf-8")
MIB = 1024 * 1024


def test_every_value_is_printed_with_its_origin(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text("[limits]\nconnections-total = 100\ngames-per-connection = 8\n", "utf-8")
    found = run("config", "--config", str(file), TYRUSD_LIMITS_GAMES_TOTAL="50")
    assert (found.returncode, found.stderr) == (0, "")
    *lines, empty, memory = found.stdout.splitlines()
    assert [line.split()[0] for line in lines] == [key.path for key in KEYS] and empty == ""
    row = {line.split()[0]: re.split(r" {2,}", line)[1:] for line in lines}
    assert row["limits.connections-total"] == ["100 connections", f"{file}, line 2"]
    assert row["limits.games-total"] == ["50 games", "TYRUSD_LIMITS_GAMES_TOTAL"]
    assert row["server.port"] == ["7433", "default"] and row["server.data"] == ["none", "default"]
    assert "for the server (100 connections 28.9 MiB, 50 games 15.4 MiB, finished games 280.7 MiB" in memory


def test_row_59_letters_that_a_terminal_lacks_stop_nothing(tmp_path: Path) -> None:
    """Files are UTF-8 whatever the locale says."""
    file = tmp_path / "Клуб.toml"
    file.write_text(f'[server]\ndata = "{tmp_path / "Данные"}"\n[log]\nlevel = "громко"\n', "utf-8")
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii:strict"}
    found = run("config", "--config", str(file), cwd=tmp_path, **plain)
    assert found.returncode == 2 and "line 4: [log] level wants one of" in found.stderr
    file.write_text(file.read_text("utf-8").replace("громко", "debug"), "utf-8")
    found = run("config", "--config", str(file), cwd=tmp_path, **plain)
    assert found.returncode == 0 and "Traceback" not in found.stderr
    assert run("config", "--json", "--config", str(file)).stdout.count("Данные") == 1


def test_as_json(tmp_path: Path) -> None:
    found = run("config", "--json", TYRUSD_SERVER_DATA=str(tmp_path), TYRUSD_BOTS_HOUSE="abe=plugin:random")
    told = json.loads(found.stdout)
    assert list(told["values"]) == [key.path for key in KEYS]
    assert told["values"]["server.data"] == {"value": str(tmp_path), "from": "TYRUSD_SERVER_DATA"}
    assert told["values"]["bots.house"]["value"] == {"abe": "plugin:random"}
    parts = told["memory"]
    assert parts["server"] == sum(size for name, size in parts.items() if name not in ("server", "bots"))
    assert parts["bots"] == 4 * 512 * MIB


def test_a_bad_configuration_is_refused_in_the_same_words_by_both_commands(tmp_path: Path) -> None:
    file, data = tmp_path / "bad.toml", tmp_path / "data"
    file.write_text('[server]\nport = "x"\n[limits]\nnope = 1\n', "utf-8")
    first = run("config", "--config", str(file))
    second = run("serve", "--config", str(file), "--data", str(data), "--port", "0")
    assert (first.returncode, first.stdout) == (second.returncode, second.stdout) == (2, "")
    assert first.stderr == second.stderr
    assert first.stderr.startswith("tyrusd: the configuration cannot be used, 2 things are wrong:\n  ")
    assert not data.exists()  # nothing was opened


def test_the_formula_is_that_of_the_page_and_no_part_takes_more_than_it_says() -> None:
    found = worst_case(DEFAULTS, 3, 512)
    for part in (
        "connections-total × (16 KiB + 64 KiB + 2.25 × (output-base + games-per-connection × output-per-game",
        "connections-total × 192 KiB, if there is a port with TLS",
        "games-total × (32 KiB + 2 × (log-bytes + log-steps × 160 bytes))",
        "kept-bytes + 2000 × own-results × 160 bytes + 20000 × 2 KiB",
        "+ 1000 × (32 KiB + 2 × (log-bytes + log-steps × 24 bytes))",
        "watched games × 512 bytes + connections-total × challenges-made × 2 KiB",
        "+ 2 × events-open × event-entrants² × 1 KiB",
        "8 MiB + 16 × (connections-total + games-total) × 1 KiB",
    ):
        assert part in PAGE, part
    assert (SESSION, GAME, STEP) == (16 * 1024, 32 * 1024, 160)
    assert found.connections == 5000 * (80 * 1024 + (64 * 1024 + 256 * 4096) * 9 // 4)
    assert worst_case(DEFAULTS, 3, 512, encrypted=True).encryption == 5000 * 192 * 1024
    assert found.games == 5000 * (32 * 1024 + 2 * (64 * 1024 + 500 * 160))
    waiting = 1000 * (32 * 1024 + 2 * (64 * 1024 + 500 * 24)) + 20_000 * 2048
    assert found.finished == 32 * MIB + 2000 * 100 * 160 + waiting
    assert found.lobby == 5000 * 50 * 512 + 5000 * 8 * 2048 + 2 * 8 * 64**2 * 1024
    assert found.console == 8 * MIB + 16 * 10_000 * 1024
    assert (found.program, found.encryption, found.bots) == (96 * MIB, 0, 3 * 512 * MIB)
    assert f"need {found.server / 2**30:.1f} GiB only if" in PAGE


def test_connections_and_games_are_not_larger_than_the_formula_says() -> None:
    import gc
    import tracemalloc

    stage = Stage()

    def held() -> int:
        for peer in stage.peers.values():
            peer.forget()
        for kept in (stage.journal, stage.stored, stage.requests, stage.news):
            kept.clear()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        before = held()
        peers = [stage.join(f"guest-{number}", "bot", "games=256") for number in range(100)]
        joined = held()
        assert (joined - before) / 100 < SESSION
        pairs = [again(peers[at], peers[at + 1]) for at in range(0, 100, 2)]
        for pair in pairs:
            play_on(pair.mover, pair.other, pair.game, 17)
        running = [table for table in stage.server.tables.values() if table.game in {p.game for p in pairs}]
        logs = [log for table in running for log in table.logs]
        logged = sum(len(data) + STEP for log in logs for _, _, data in log.steps)
        assert len(running) == 50 and (held() - joined - logged) / 50 < GAME
    finally:
        tracemalloc.stop()


def allowed(key: Key) -> str:
    kind = key.kind
    if isinstance(kind, Number):
        return f"{kind.low:g} to {kind.high:.12g}"
    if isinstance(kind, Whole):
        return f"{kind.low} to {kind.high}"
    if isinstance(kind, Choice):
        return ", ".join(f'`"{word}"`' for word in kind.words)
    return "`true`, `false`" if isinstance(kind, Flag) else key.kind.allowed.split(" ")[1]


def rows(table: str) -> list[str]:
    found = re.search(rf"^### {table}\n\n(?:\|.*\n){{2}}((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert found is not None, table
    return found[1].splitlines()


@pytest.mark.parametrize("table", TABLES)
def test_the_page_has_every_key_as_it_is(table: str) -> None:
    expected = []
    for key in KEYS:
        if key.table == table:
            default = "" if key.default is None else f"`{_shown(key.default)}`"
            if default and key.unit:
                default = f"{default.strip('`')} {key.unit}"
            option = f"`{key.option}`" if key.option else ""
            live = "yes" if key.live else "no"
            expected.append(
                f"| `{key.name}` | {default} | {allowed(key)} | {live} | {option} | {key.meaning} |"
            )
    assert rows(table) == expected
