"""Runs of every kind, ended again and again in memory by signals and lost workers, come to the same table."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.host.ladder_plans import plan_of
from tests.host.ladder_stage import Stage, records, stage_in, table
from tyrusd.host.ladder.news import GameKept, News
from tyrusd.league.framing import read_frames
from tyrusd.league.statistics.plan import SprtPlan

NAMES = ("anna", "bert", "carl", "dora", "emil")
KINDS: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("roundrobin", NAMES, {"rounds": 2}),
    ("roundrobin", NAMES, {"rounds": 2, "draws": "replay", "unswapped": frozenset({"bert"})}),
    ("gauntlet", NAMES, {"rounds": 3, "seeds": 2}),
    ("swiss", NAMES, {"rounds": 1, "swiss_rounds": 4}),
    ("knockout", NAMES, {"rounds": 2}),
    ("roundrobin", NAMES[:2], {"rounds": None, "sprt": SprtPlan(0, 40, 0.2, 0.2)}),
    ("roundrobin", NAMES, {"rounds": 2, "suspend_after": 1}),
]


def trouble(stage: Stage, chance: Random) -> None:
    """Interrupt the run, at once or not, or end its worker."""
    what = chance.choice(("finish", "abort", "lose"))
    if what == "lose":
        stage.crew.lose()
        return
    stage.coordinator.interrupt("SIGINT")
    if what == "abort":
        stage.crew.stuck = True
        stage.coordinator.interrupt("SIGINT")


@pytest.mark.parametrize(("kind", "names", "terms"), KINDS)
async def test_row_45_the_table_is_that_of_the_run_that_nobody_disturbed(
    tmp_path: Path, kind: str, names: tuple[str, ...], terms: dict[str, Any]
) -> None:
    plan = plan_of(*names, kind=kind, **terms)
    undisturbed = stage_in(tmp_path / "whole", plan)
    expected = await undisturbed.play()
    undisturbed.run.close()
    assert expected.complete
    for seed in range(3):
        chance = Random(seed)
        path = tmp_path / f"run-{seed}"
        for _ in range(100):
            stage = stage_in(path, plan, chance=chance.randint(1, 99))
            disturb(stage, chance)
            end = await stage.play()
            stage.run.close()
            games = [record["id"] for record in records(path) if record["kind"] == "game"]
            assert len(games) == len(set(games))
            assert end.failure is None
            if end.complete:
                break
        assert end == expected
        assert settled(stage) == settled(undisturbed)
    assert table(undisturbed) == table(await whole_again(tmp_path / "whole"))


def settled(stage: Stage) -> tuple[list[Any], Any]:
    """What a run adds up to; how many games were played in vain is a matter of what ran beside them."""
    games, standing = table(stage)
    pairs = {key: standing["pairs"][key] for key in ("total", "complete")}
    return games, {**standing, "pairs": pairs}


def disturb(stage: Stage, chance: Random) -> None:
    points = {chance.randint(1, 9), chance.randint(1, 9)}

    def hear(news: News) -> None:
        if isinstance(news, GameKept) and len(stage.games) in points:
            points.discard(len(stage.games))
            trouble(stage, chance)

    stage.on_news = hear


async def whole_again(path: Path) -> Stage:
    """Take a run up that is over: it stays as it is."""
    stage = stage_in(path)
    end = await stage.play()
    stage.run.close()
    assert end.complete
    assert stage.games == []
    return stage


async def test_f069_with_three_of_ten_games_left_exactly_three_are_played(tmp_path: Path) -> None:
    """Disservin/fastchess#244: the count of games began anew, so a resumed run played too many."""
    plan = plan_of(*NAMES[:2], rounds=5)
    whole = stage_in(tmp_path / "whole", plan)
    await whole.play()
    whole.run.close()
    assert len(whole.games) == 10
    # The same run as it was when seven games were kept.
    for seed in range(4):
        path = tmp_path / f"run-{seed}"
        stage = stage_in(path, plan, chance=seed)
        await stage.play()
        stage.run.close()
        journal = path / "journal.tyrus"
        data = journal.read_bytes()
        games = [at for at, payload in read_frames(data) if payload["kind"] == "game"]
        journal.write_bytes(data[: games[7]])
        assert [record["kind"] for record in records(path)].count("game") == 7
        again = stage_in(path, chance=seed + 10)
        end = await again.play()
        again.run.close()
        assert end.complete and len(again.games) == len(set(again.games)) == 3
        games_kept = [record["id"] for record in records(path) if record["kind"] == "game"]
        assert sorted(games_kept) == sorted(whole.games)
        assert table(again) == table(whole)
        once_more = stage_in(path)
        assert (await once_more.play()).complete and once_more.games == []
        once_more.run.close()
