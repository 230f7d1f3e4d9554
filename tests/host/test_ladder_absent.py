"""Where nobody plays, the sentence tells what there is and what can be typed."""

from __future__ import annotations

from pathlib import Path

from tests.host.ladder_stage import stage_in
from tyrusd.host.ladder.absent import is_running, nobody_plays


async def test_the_sentence_tells_what_can_be_typed(tmp_path: Path) -> None:
    path = tmp_path / "a run"
    stage = stage_in(path)
    assert is_running(path)
    assert "cannot be asked yet, or not any more: try again" in nobody_plays(path)
    stage.run.close()
    assert not is_running(path)
    assert f"is not over: `tyrusd ladder --resume '{path}'` goes on with it" in nobody_plays(path)
    stage = stage_in(path)
    assert (await stage.play()).complete
    stage.run.close()
    assert f"is over: `tyrusd stats '{path}'` tells its figures" in nobody_plays(path)


def test_what_holds_no_run_is_said_to(tmp_path: Path) -> None:
    assert (
        nobody_plays(tmp_path / "x")
        == f"there is no directory {tmp_path / 'x'}: name the one that --out made"
    )
    assert nobody_plays(tmp_path).startswith(f"{tmp_path} is empty: ")
    (tmp_path / "notes").write_text("x")
    assert nobody_plays(tmp_path) == f"{tmp_path} is not the directory of a ladder: it has no ladder.json"
