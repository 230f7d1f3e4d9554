"""The pages for people and bot authors show what the programs really say."""

from __future__ import annotations

import re
from pathlib import Path

from tests.screen.test_counts_told import counted
from tyrus_client.program import command
from tyrusd.rules.pieces import Kind
from tyrusd.screen.texts import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
PLAYING = (ROOT / "docs/playing.md").read_text("utf-8")
BOTS = (ROOT / "docs/bots.md").read_text("utf-8")
POSITION = ROOT / "tests/screen/positions/brown-to-place-in-election-4.txt"


def blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)\n```$", page, re.MULTILINE | re.DOTALL)


def test_the_page_for_people_shows_the_help_a_position_and_a_count() -> None:
    helped, position, count = blocks(PLAYING, "text")
    assert helped == LANGUAGES["en"].say("help")
    assert position + "\n" == POSITION.read_text("utf-8").split("\n", 3)[3]
    assert count.split("\n") == counted(
        2,
        Kind.MARKET,
        ivory="IM.2.1.I.M10,IM.2.3.I.M9,IM.2.4.B.P1,IM.2.5.I.M8",
        brown="BM.1.2.B.M2,BM.2.2.B.M1",
    )


def test_the_page_for_people_names_every_option() -> None:
    options = {name for option in command.params for name in option.opts if name.startswith("--")}
    assert options == {"--name", "--play", "--key", "--version"}
    assert options <= set(re.findall(r"--[a-z]+", PLAYING))


def test_the_page_for_bots_links_every_sample() -> None:
    linked = set(re.findall(r"\]\(\.\./(clients/samples/[^)]+)\)", BOTS))
    assert {f"clients/samples/{file}" for file in ("python/bot.py", "c/bot.c", "javascript/bot.js")} <= linked
    assert all((ROOT / file).is_file() for file in linked)
