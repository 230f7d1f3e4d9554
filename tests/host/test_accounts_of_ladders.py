"""Who asks a ladder for a game by a number is told by what words its games are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.ladder_runs import run_in
from tyrusd.host.accounts import NoAccount, game_id, read_account, read_record


def test_a_number_is_no_game_of_a_ladder_and_an_id_is(tmp_path: Path) -> None:
    run = run_in(tmp_path / "run", {1: "AA"}, "A", "B")
    file = run / "journal.tyrus"
    sentence = "has no finished game g1; the games of a ladder have ids such as p1-2; `tyrusd export "
    with pytest.raises(NoAccount, match=sentence):
        read_record(file, game_id("1"))
    with pytest.raises(NoAccount, match=sentence):
        read_account(game_id("1"), data=run)
    assert read_record(file, game_id("p1-2"))["ladder"]["game"] == 2
    assert read_account("p1-1", data=run).record is not None
