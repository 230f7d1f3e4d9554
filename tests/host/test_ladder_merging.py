"""Shares that were played apart and joined are the ladder itself; what is no share of it is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tests.host.ladder_crew import FakeCrew
from tests.host.ladder_plans import plan_of
from tyrusd.core.seatspec import SeatSpec
from tyrusd.host.journal import JOURNAL, FileJournal
from tyrusd.host.ladder.coordinator import run_ladder
from tyrusd.host.ladder.directory import DirectoryError, RunDirectory
from tyrusd.host.ladder.files import write_whole
from tyrusd.host.ladder.manifest import Manifest, read_manifest, write_manifest
from tyrusd.host.ladder.merging import merge_runs
from tyrusd.host.ladder.past import read_run, stats_of_runs
from tyrusd.host.ladder.plan import LadderPlan, Pace
from tyrusd.host.ladder.refusals import MANIFEST_FILE
from tyrusd.host.ladder.run import open_run
from tyrusd.league.clock import TimeControl
from tyrusd.league.framing import frame
from tyrusd.league.schema import Payload
from tyrusd.rules.deal import deal_from_bytes

PLAN = plan_of("anna", "bert", "carl", rounds=4)


def share(number: int, shares: int = 2, **terms: Any) -> LadderPlan:
    return replace(PLAN, tournament=replace(PLAN.tournament, shard=(number, shares), **terms))


async def played(folder: Path, plan: LadderPlan, chance: int = 1) -> Path:
    """Play a run in memory; chance decides in which order its games end."""
    run = open_run(RunDirectory.begin(folder, plan))
    try:
        pace = Pace(4, 1)
        end = await run_ladder(run, lambda hear: FakeCrew(hear, chance=chance), pace, lambda news: None)
        assert end.complete
    finally:
        run.close()
    return folder


async def shares(folder: Path, count: int = 2) -> list[Path]:
    return [
        await played(folder / f"share{number}", share(number, count), number)
        for number in range(1, count + 1)
    ]


def rewrite(folder: Path, change: Callable[[list[Payload]], object]) -> None:
    """Change the records of a run, so that each is whole again."""
    records = read_run(folder).records
    change(records)
    (folder / JOURNAL).unlink()
    journal = FileJournal(folder / JOURNAL)
    journal.append([frame(record) for record in records])
    journal.close()


def altered(folder: Path, **fields: Any) -> None:
    manifest: Manifest = read_manifest((folder / MANIFEST_FILE).read_bytes())
    write_whole(folder / MANIFEST_FILE, write_manifest(structs.replace(manifest, **fields)))


def games(folder: Path) -> list[Payload]:
    return [record for record in read_run(folder).records if record["kind"] == "game"]


@pytest.mark.parametrize("count", [2, 3])
async def test_shares_joined_come_to_the_table_of_one_machine(count: int, tmp_path: Path) -> None:
    whole = read_run(await played(tmp_path / "whole", PLAN, 9))
    out = tmp_path / "out"
    merged = merge_runs(out, (await shares(tmp_path, count))[::-1])
    assert merged.notes == ()
    found = read_run(out)
    assert found.plan == PLAN
    assert found.tournament.over
    assert found.tournament.counted_games() == whole.tournament.counted_games()
    assert found.tournament.standing() == whole.tournament.standing()
    one, other = (stats_of_runs([run]) for run in (found, whole))
    del one["runs"], other["runs"]
    assert one == other
    assert sum(record["kind"] == "run" for record in found.records) == count


async def test_a_joined_run_can_be_taken_up_and_is_private(tmp_path: Path) -> None:
    first, second = await shares(tmp_path)
    out = tmp_path / "out"
    merged = merge_runs(out, [second])
    assert merged.notes == ("share 1 of 2 is missing",)
    assert not merged.tournament.over
    assert out.stat().st_mode & 0o777 == 0o700
    assert all(file.stat().st_mode & 0o077 == 0 for file in out.iterdir())
    run = open_run(RunDirectory.resume(out))
    try:
        end = await run_ladder(run, FakeCrew, Pace(4, 1), lambda news: None)
        assert end.complete
    finally:
        run.close()
    assert sorted(record["id"] for record in games(out)) == sorted(
        record["id"] for record in (*games(first), *games(second))
    )


async def test_what_a_share_has_not_played_is_said(tmp_path: Path) -> None:
    first, second = await shares(tmp_path)
    rewrite(first, lambda records: records.pop())
    merged = merge_runs(tmp_path / "out", [first, second])
    assert any("the ladder is not over" in note and str(first) in note for note in merged.notes)
    assert not merged.tournament.over


async def test_logs_come_along(tmp_path: Path) -> None:
    first, second = await shares(tmp_path)
    for folder, game in ((first, "p1-1"), (second, "p2-2")):
        (folder / "logs").mkdir(exist_ok=True)
        (folder / "logs" / f"{game}.log").write_text(f"log of {game}")
    (second / "logs" / "elsewhere").symlink_to("/etc/passwd")
    merge_runs(tmp_path / "out", [first, second])
    found = {file.name: file.read_text() for file in (tmp_path / "out" / "logs").iterdir()}
    assert found["p1-1.log"] == "log of p1-1"
    assert found["p2-2.log"] == "log of p2-2"
    assert "elsewhere" not in found


def _first_game(records: list[Payload]) -> Payload:
    return next(record for record in records if record["kind"] == "game" and record["game"]["placements"])


def _another_deal(records: list[Payload]) -> None:
    game = _first_game(records)["game"]
    game["deal"]["opener"] = "ivory" if game["deal"]["opener"] == "brown" else "brown"


def _other_seeds(records: list[Payload]) -> None:
    _first_game(records)["game"]["seeds"]["ivory"] = "0" * 32


def _another_winner(records: list[Payload]) -> None:
    game = _first_game(records)["game"]
    game["winner"] = "brown" if game["winner"] == "ivory" else "ivory"


def _pair_of_the_other_share(records: list[Payload]) -> None:
    _first_game(records)["ladder"]["pair"] = 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_another_deal, "the deal of p"),
        (_other_seeds, "the seeds of p"),
        (_another_winner, "contradicts itself"),
        (_pair_of_the_other_share, "is not of this share"),
    ],
)
async def test_records_that_cannot_be_are_refused(
    change: Callable[[list[Payload]], object], words: str, tmp_path: Path
) -> None:
    first, second = await shares(tmp_path)
    rewrite(second, change)
    with pytest.raises(DirectoryError, match=rf"(?s)share2.*{words}"):
        merge_runs(tmp_path / "out", [first, second])
    assert not (tmp_path / "out").exists()


async def test_shares_that_overlap_are_refused(tmp_path: Path) -> None:
    first, second = await shares(tmp_path)
    whole = await played(tmp_path / "whole", PLAN)
    third = await played(tmp_path / "third", share(3, 3))
    for found, words in (
        ([first, second, first], "both are share 1 of 2"),
        ([first, whole], "overlaps"),
        ([first, third], "one of 2 shares and run 2 one of 3"),
    ):
        with pytest.raises(DirectoryError, match=words):
            merge_runs(tmp_path / "out", found)
    assert not (tmp_path / "out").exists()


DEALS = tuple(deal_from_bytes(bytes([number])) for number in range(12))
OTHERS: dict[str, tuple[LadderPlan, str]] = {
    "more deals": (share(2, rounds=5), "rounds is 4 and is 5"),
    "another seed": (share(2, seed="another"), "different seeds"),
    "games once": (share(2, games=1), "games is 2 and is 1"),
    "the bots in another order": (
        replace(
            share(2, entrants=("bert", "anna", "carl")), entrants=PLAN.entrants[1::-1] + PLAN.entrants[2:]
        ),
        "bot",
    ),
    "another bot": (
        replace(
            share(2),
            entrants=(*PLAN.entrants[:2], replace(PLAN.entrants[2], seat=SeatSpec("plugin", "greedy"))),
        ),
        "the seat of the bot carl is plugin:random and is plugin:greedy",
    ),
    "another clock": (
        replace(
            share(2),
            entrants=(*PLAN.entrants[:2], replace(PLAN.entrants[2], control=TimeControl.parse("60+1", "9"))),
        ),
        "the clock of the bot carl",
    ),
    "a file of deals": (replace(share(2), deals=DEALS, deals_hash="0" * 64), "the file of deals"),
    "another memory": (replace(share(2), memory=64), "memory is 512 and is 64"),
}


@pytest.mark.parametrize("what", sorted(OTHERS))
async def test_shares_of_another_ladder_are_refused(what: str, tmp_path: Path) -> None:
    plan, words = OTHERS[what]
    first = await played(tmp_path / "share1", share(1))
    RunDirectory.begin(tmp_path / "share2", plan).close()
    with pytest.raises(DirectoryError, match=words):
        merge_runs(tmp_path / "out", [first, tmp_path / "share2"])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"tyrusd": "0.0.7"}, "tyrusd is 0.1.0 here and 0.0.7 there"),
        ({"python": "CPython 3.99.1"}, r"Python is .* here and CPython 3\.99 there"),
        ({"bots": []}, "they name different bots"),
    ],
)
async def test_shares_that_others_played_are_refused(
    fields: dict[str, Any], words: str, tmp_path: Path
) -> None:
    first, second = await shares(tmp_path)
    altered(second, **fields)
    with pytest.raises(DirectoryError, match=words):
        merge_runs(tmp_path / "out", [first, second])


async def test_a_place_that_is_taken_is_refused_and_left_alone(tmp_path: Path) -> None:
    first, second = await shares(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("mine")
    with pytest.raises(DirectoryError, match="exists already"):
        merge_runs(tmp_path / "out", [first, second])
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["thesis.txt"]
    with pytest.raises(DirectoryError, match="is not the directory of a ladder"):
        merge_runs(tmp_path / "new", [first, tmp_path / "out"])
