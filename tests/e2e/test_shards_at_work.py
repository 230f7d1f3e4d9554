"""Shares of a ladder, each played by workers and bots of its own, joined: the table of one machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.e2e.cluster_runs import PLAN, alone
from tyrusd.host.ladder.merging import merge_runs
from tyrusd.host.ladder.past import read_run, stats_of_runs

pytestmark = pytest.mark.timeout(180)


async def test_two_shares_joined_are_what_one_machine_plays(tmp_path: Path) -> None:
    expected = await alone(tmp_path / "whole")
    for number in (1, 2):
        plan = replace(PLAN, tournament=replace(PLAN.tournament, shard=(number, 2)))
        share = await alone(tmp_path / f"share{number}", plan)
        assert share.end.complete
        assert 0 < len(share.games) < len(expected.games)
    merged = merge_runs(tmp_path / "out", [tmp_path / "share1", tmp_path / "share2"])
    assert merged.tournament.over
    assert merged.tournament.standing() == expected.standing
    records = [record for record in read_run(tmp_path / "out").records if record["kind"] == "game"]
    assert [record["game"] for record in records] == expected.games
    one, other = (stats_of_runs([read_run(tmp_path / name)]) for name in ("out", "whole"))
    for told in (one, other):
        del told["runs"]
        for row in told["entrants"]:
            del row["time"]  # nobody thinks equally long twice
    assert one == other
