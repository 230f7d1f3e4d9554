"""docs/records.md is compared with the code: every table, every word and every example."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.league.record_example import example
from tyrusd.league import schema
from tyrusd.league.export import export_object
from tyrusd.league.framing import HEADER, MAX_PAYLOAD, placed_frame, read_frames
from tyrusd.league.schema import LONGEST_DETAIL
from tyrusd.rules.game import REASONS

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text("utf-8")
SHAPES: dict[str, Any] = {
    "opened": schema.OpenedRecord,
    "placed": schema.PlacedRecord,
    "game": schema.GameRecord,
    "head": schema.HeadPart,
    "deal": schema.DealPart,
    "limits": schema.LimitPart,
    "election": schema.ElectionPart,
    "count": schema.CountPart,
    "timing": schema.TimingPart,
    "player": schema.PlayerRecord,
    "ladder": schema.LadderPart,
    "rated": schema.RatedPart,
    "run": schema.RunRecord,
    "unready": schema.UnreadyRecord,
    "dropped": schema.DroppedRecord,
    "event": schema.EventRecord,
    "event terms": schema.EventTermsPart,
}


def section(title: str) -> str:
    found = re.search(rf"^##+ {re.escape(title)}\n(.*?)(?=^##|\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert found, f"docs/records.md has no section {title!r}"
    return found[1]


def documented_keys(title: str) -> list[str]:
    return re.findall(r"^\| `([a-z]+)` \|", section(title), re.MULTILINE)


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert isinstance(found, str)
    return found


@pytest.mark.parametrize("title", SHAPES)
def test_each_table_lists_the_keys_in_the_order_of_writing(title: str) -> None:
    info = msgspec.inspect.type_info(SHAPES[title])
    assert isinstance(info, msgspec.inspect.StructType)
    tag = [info.tag_field] if info.tag_field else []
    assert documented_keys(title) == tag + [field.encode_name for field in info.fields]


def test_a_result_is_a_head_and_its_own_keys() -> None:
    names = [field.name for field in msgspec.structs.fields(schema.GamePart)]
    assert names == documented_keys("head") + documented_keys("result")


def test_every_reason_is_listed() -> None:
    listed = section("result").partition("Reasons:")[2]
    assert tuple(re.findall(r"`([a-z-]+)`", listed)) == REASONS


def test_the_frame_shown_is_the_frame_written() -> None:
    shown = bytes.fromhex(block("hex"))
    assert shown == placed_frame("g1", "ivory", "S10", "IC", 1234)
    assert len(list(read_frames(HEADER + shown))) == 1


def test_header_and_limits_are_those_of_the_code() -> None:
    magic, version = re.findall(r"\| `((?:[0-9a-f]{2} ?)+)`", section("The file, byte by byte"))
    assert bytes.fromhex(magic + version) == HEADER
    assert f"1 to {MAX_PAYLOAD:,} " in PAGE
    assert f"at most {LONGEST_DETAIL:,} characters" in PAGE


def test_the_export_shown_is_the_export_of_that_game() -> None:
    shown = json.loads(block("json"))
    exported = export_object(example())
    assert shown == exported
    assert list(shown) == list(exported) == documented_keys("The export")


def test_the_export_of_a_ladder_s_game_has_the_keys_that_are_listed() -> None:
    place = {"pair": 3, "attempt": 1, "game": 1, "round": 2, "host": "tower", "cpu": "x"}
    exported = export_object({**example(), "id": "p3-1", "ladder": place})
    assert list(exported) == [*documented_keys("The export"), "ladder"]
    assert list(exported["ladder"]) == documented_keys("The export of a game of a ladder")
