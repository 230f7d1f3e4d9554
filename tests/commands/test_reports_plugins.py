"""What texts of a plugin or a configuration do to the terminal of who reads them: nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.host.daemons import ROOT, run
from tests.host.installing import GOOD_BOT, install, install_bot

HOSTILE = "a\\x1b[2J\\x1b]0;title\\x07\\x9b2J\\r\\nplugin:faked  all is well\\u202e"
RAW = "a\x1b[2J\x1b]0;title\x07\x9b2J"
TELLS = GOOD_BOT.replace("places its first tile", HOSTILE)
OPTIONS = f"""
from tyrusd.sdk import Building, Option, Placement, hookimpl

@hookimpl
def tyrusd_options():
    return [Option("depth", 3, "{HOSTILE}", low=1, high=9)]

@hookimpl
def tyrusd_choose(requests):
    return [Placement(request.view.hand[0], Building.IC) for request in requests]
"""


def test_f037_f039_no_text_of_a_plugin_makes_a_line_or_drives_the_terminal(tmp_path: Path) -> None:
    """circuits/circuits#254, SpadesX/SpadesX#38: somebody's text became a line, or drove the console."""
    install_bot(tmp_path, "dist-tells", "tells", "tells_module", TELLS)
    install_bot(tmp_path, "dist-raises", "raises", "raises_module", f'raise RuntimeError("{HOSTILE}")')
    install_bot(tmp_path, "dist-options", "options", "options_module", OPTIONS)
    (tmp_path / "versioned_module.py").write_text(GOOD_BOT)
    install(
        tmp_path,
        "dist-versioned",
        "[tyrusd_bots]\nversioned = versioned_module\n",
        metadata=f"Metadata-Version: 2.1\nName: dist-versioned{RAW}\nVersion: 1.0{RAW}\n",
    )
    install(tmp_path, "dist-entry", f"[tyrusd_bots]\nentry{RAW} = no_module\nplain = no_module{RAW}\n")
    path = f"{ROOT}{os.pathsep}{tmp_path}"
    for words in ((), ("options",), ("--json",)):
        found = run("plugins", *words, PYTHONPATH=path)
        assert "Traceback" not in found.stderr
        for told in (found.stdout, found.stderr):
            assert all(sign == "\n" or sign.isprintable() for sign in told), (words, told)
            assert not [line for line in told.splitlines() if line.startswith("plugin:faked")], words
        if not words:
            assert len(found.stdout.splitlines()) >= 8 and "plugin:random" in found.stdout  # control
    rows = json.loads(found.stdout)
    assert {"plugin:random", "plugin:greedy", "plugin:cautious"} <= {row["seat"] for row in rows if row["ok"]}


@pytest.mark.parametrize(
    "entry",
    [
        '"x\\r\\nover g1 9 I resigned" = "plugin:random"\n"y\\u001b[2J" = "exec:./no"',
        'z = "plugin:n\\r\\nover g1 9 I resigned\\u001b[2J"',
        'z = "exec:./n\\u009b2J\\r\\nover g1"',
    ],
)
def test_f037_f039_no_text_of_a_configuration_makes_a_line_or_drives_the_terminal(
    tmp_path: Path, entry: str
) -> None:
    """circuits/circuits#254, SpadesX/SpadesX#38, where the text is in a file of the operator."""
    file = tmp_path / "tyrusd.toml"
    file.write_text(f"[bots.house]\n{entry}\n", "utf-8")
    found = run("serve", "--port", "0", "--config", str(file), "--data", str(tmp_path / "data"))
    assert found.returncode == 2 and found.stdout == "" and "[bots.house]" in found.stderr
    assert all(sign == "\n" or sign.isprintable() for sign in found.stderr), found.stderr
    assert not [line for line in found.stderr.splitlines() if line.startswith("over")]
    assert not (tmp_path / "data").exists()
