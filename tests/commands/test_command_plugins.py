"""`tyrusd plugins`: every plugin is listed, the broken ones with the reason, and none hides another."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.host.daemons import ROOT, run
from tests.host.installing import GOOD_BOT, install, install_bot


def plugins(directory: Path, *words: str) -> dict[str, dict[str, Any]]:
    """The listing with the distributions of a directory, by seat."""
    found = run("plugins", "--json", *words, PYTHONPATH=f"{ROOT}{os.pathsep}{directory}")
    assert found.returncode == 0, found.stderr
    return {row["seat"]: row for row in json.loads(found.stdout)}


def test_the_bundled_bots_work() -> None:
    found = run("plugins")
    assert found.returncode == 0
    lines = {line.split()[0]: line for line in found.stdout.splitlines()}
    assert {"plugin:random", "plugin:greedy", "plugin:cautious"} <= lines.keys()
    assert "broken" not in found.stdout
    assert "(tyrusd 0." in lines["plugin:random"]


def test_a_plugin_of_somebody_else_is_found_and_plays(tmp_path: Path) -> None:
    install_bot(tmp_path, "their-bots", "theirs", "their_bot_module")
    row = plugins(tmp_path)["plugin:theirs"]
    assert (row["ok"], row["summary"]) == (True, "places its first tile")
    assert (row["distribution"], row["version"]) == ("their-bots", "1.0")
    path = f"{ROOT}{os.pathsep}{tmp_path}"
    found = run("match", "plugin:theirs", "plugin:random", "--json", PYTHONPATH=path)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["played"] == 1


BROKEN = {
    "raises": ("raise RuntimeError('no luck')", "no luck"),
    "imports": ("import a_module_that_is_not_there", "a_module_that_is_not_there"),
    "exits": ("raise SystemExit(0)", "SystemExit"),
    "dies": ("import os; os.kill(os.getpid(), 11)", "SIGSEGV"),
    "leaves": ("import os; os._exit(0)", "exit status 0"),
    "syntax": ("def broken(:", "SyntaxError"),
    "typo": (GOOD_BOT.replace("def tyrusd_choose", "def tyrusd_chose"), "tyrusd_chose"),
    "more": (GOOD_BOT + "@hookimpl\ndef tyrus_chose_move(requests):\n    return []\n", "tyrus_chose_move"),
    "refuses": ("raise ImportError('it wants another machine')", "ImportError: it wants another machine"),
    "empty": ("", "tyrusd_choose"),
    "floods": ("print('x' * (1 << 20)); raise RuntimeError('after a flood')", "after a flood"),
    "escapes": ("raise RuntimeError('\\x1b[2J')", "\\x1b[2J"),
}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The listing of every kind of broken plugin, with one between them that works."""
    directory = tmp_path_factory.mktemp("broken")
    for name, (code, _) in BROKEN.items():
        install_bot(directory, f"dist-{name}", name, f"broken_{name}", code)
    install(directory, "dist-nowhere", "[tyrusd_bots]\nnowhere = no_such_module\n")
    install(directory, "dist-odd", "[tyrusd_bots]\nodd name = module\n")
    install_bot(directory, "dist-fine", "fine", "fine_bot_module")
    return plugins(directory)


def test_row_42_each_kind_of_broken_plugin_is_listed_and_hides_no_other(
    rows: dict[str, dict[str, Any]],
) -> None:
    for name, (_, reason) in BROKEN.items():
        assert not rows[f"plugin:{name}"]["ok"]
        assert reason in rows[f"plugin:{name}"]["reason"]
    assert "no_such_module" in rows["plugin:nowhere"]["reason"]
    assert "its name is not" in rows["plugin:dist-odd/odd name"]["reason"]
    assert rows["plugin:fine"]["ok"]
    assert rows["plugin:random"]["ok"]


def test_f083_a_module_that_raises_is_listed_with_its_error_and_the_others_load(
    rows: dict[str, dict[str, Any]],
) -> None:
    """simonw/llm#1351: one broken plugin kept all the others from being loaded."""
    for name in ("imports", "refuses", "raises"):
        row = rows[f"plugin:{name}"]
        assert not row["ok"] and BROKEN[name][1] in row["reason"] and f"broken_{name}" in row["reason"]
    assert [name for name in ("fine", "random", "greedy", "cautious") if rows[f"plugin:{name}"]["ok"]] == [
        "fine", "random", "greedy", "cautious"
    ]  # fmt: skip


def test_f087_a_hook_whose_name_is_misspelt_is_a_broken_plugin(rows: dict[str, dict[str, Any]]) -> None:
    """pytest-dev/pluggy: a hook of a name that nobody knows is registered in silence, and never called."""
    for name in ("typo", "more"):  # instead of the hook that is needed, and beside it
        row = rows[f"plugin:{name}"]
        assert not row["ok"] and BROKEN[name][1] in row["reason"]
        assert "the hooks are tyrusd_choose, tyrusd_about" in row["reason"]


def test_row_42_a_plugin_that_hangs_is_given_up_and_ended(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    code = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"open({str(mark)!r}, 'w').write(str(os.getpid()))\n"
        "while True: time.sleep(1)\n"
    )
    install_bot(tmp_path, "dist-hangs", "hangs", "hanging_bot", code)
    began = time.monotonic()
    row = plugins(tmp_path)["plugin:hangs"]
    assert 9 < time.monotonic() - began < 20
    assert (row["ok"], row["reason"]) == (False, "it was not loaded after 10 s")
    assert not Path(f"/proc/{mark.read_text()}").exists()


def test_row_43_a_name_of_two_is_listed_in_full_and_must_be_chosen(tmp_path: Path) -> None:
    install_bot(tmp_path, "first-bots", "smart", "first_module")
    install_bot(tmp_path, "second-bots", "smart", "second_module")
    rows = plugins(tmp_path)
    assert {"plugin:first-bots/smart", "plugin:second-bots/smart"} <= rows.keys()
    path = f"{ROOT}{os.pathsep}{tmp_path}"
    refused = run("match", "plugin:smart", "plugin:random", PYTHONPATH=path)
    assert refused.returncode == 2
    assert "first-bots/smart and second-bots/smart: write plugin:DISTRIBUTION/NAME" in refused.stderr
    chosen = run("match", "plugin:second-bots/smart", "plugin:random", "--json", PYTHONPATH=path)
    assert chosen.returncode == 0, chosen.stderr
    assert json.loads(chosen.stdout)["seats"][0]["name"] == "smart"


@pytest.mark.parametrize("name", ["raises", "leaves"])
def test_row_36_a_match_with_a_broken_plugin_is_a_failure_that_says_why(tmp_path: Path, name: str) -> None:
    code, reason = BROKEN[name]
    install_bot(tmp_path, "dist", name, f"broken_{name}", code)
    found = run("match", f"plugin:{name}", "plugin:random", PYTHONPATH=f"{ROOT}{os.pathsep}{tmp_path}")
    assert found.returncode == 1
    assert reason in found.stderr
    assert f"{name} (plugin:{name}) cannot play" in found.stderr
