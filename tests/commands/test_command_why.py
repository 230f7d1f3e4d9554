"""`tyrusd why` and `tyrusd playback` as commands: what they take, print and exit with."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
import trio
from click.testing import CliRunner, Result

from tests.core.owners import begin, pair
from tests.core.world import World
from tyrusd.commands import main
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import KeepLog
from tyrusd.host.journal import JOURNAL
from tyrusd.host.shelf import LOGS, Shelf
from tyrusd.league.record import HEADER
from tyrusd.rules.pieces import Side


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory: g1 was lost by time, g2 resigned by bob, in both of which the logs are kept."""
    folder = tmp_path_factory.mktemp("data")
    world = World(Lobby({}))
    anna, bob = pair(world)
    game = begin(anna, bob, "clock=none cap=1")
    side = world.server.tables[game].match.game.to_move
    late = anna if side is Side.IVORY else bob
    late.say(f"place {game} 01 S1 IC\nplace {game} \x07")
    world.wait(2)
    late.say(f"place {game} 1 S1 IC")
    bob.say(f"resign {begin(anna, bob)}")
    (folder / JOURNAL).write_bytes(
        HEADER + b"".join(world.journal) + b"".join(s.payload for s in world.stored)
    )

    async def keep() -> None:
        shelf = Shelf(folder / LOGS)
        for request in world.requests:
            if isinstance(request, KeepLog):
                shelf.keep(request)
        await shelf.close()

    trio.run(keep)
    return folder


def test_a_loss_by_time_is_told(data: Path) -> None:
    for name in ("g1", "1"):
        done = run("why", name, "--data", data)
        assert done.exit_code == 0, done.output
        lines = done.output.splitlines()
        assert lines[0] == f"game g1 of {data}: anna (ivory) against bob (brown), standard, tiles placed: 0"
        assert lines[1].endswith("won: timeout (move-cap)")
        assert "was refused (bad-byte) and the next one came 1000 ms after the time was up" in done.output
        assert any(line.endswith(r"C place g1 \x07") for line in lines)
        assert any("illegal placements: 0, error lines: 2" in line for line in lines)
        assert done.output.isprintable() or all(line.isprintable() for line in lines)


def test_long_lines_are_cut_unless_all_is_wanted(data: Path) -> None:
    short, whole = run("why", "g1", "--data", data).output, run("why", "g1", "--data", data, "--log").output
    assert "…" in short and "…" not in whole
    assert "S start g1 I anna bob" in whole and "S start" not in short


def test_everything_as_an_object(data: Path) -> None:
    found = json.loads(run("why", "g1", "--data", data, "--json").output)
    assert found["source"] == str(data)
    assert list(found) == [
        "source",
        "game",
        "number",
        "variant",
        "winner",
        "reason",
        "detail",
        "names",
        "placed",
        "seats",
    ]
    assert (found["game"], found["number"], found["reason"], found["placed"]) == ("g1", 1, "timeout", 0)
    assert found["names"] == {"ivory": "anna", "brown": "bob"}
    loser: dict[str, Any] = found["seats"]["brown" if found["winner"] == "ivory" else "ivory"]
    assert loser["overrun"] == 1000 and loser["limit"] == 1000 and loser["errors"] == 2
    assert loser["lines"][-1] == [2000, "C", "place g1 1 S1 IC"]
    assert set(loser) == {
        "outcome", "reason", "detail", "request", "limit", "waited", "overrun", "time", "clock", "cap",
        "refused", "errors", "left_out", "lines", "error_output", "words",
    }  # fmt: skip


def test_a_game_that_the_board_decided(data: Path) -> None:
    done = run("why", "g2", "--data", data)
    assert done.exit_code == 0
    assert "anna (ivory) won: resigned (brown)" in done.output and "bob (brown) resigned." in done.output


def test_without_a_log_the_record_speaks(data: Path, tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_bytes((data / JOURNAL).read_bytes())
    done = run("why", "g1", "--data", tmp_path)
    assert done.exit_code == 0
    assert done.output.splitlines()[2:] == ["the loser's time was up", "no log of this game was kept"]


def test_a_log_without_a_record_is_told_too(data: Path, tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_bytes(HEADER)
    (tmp_path / LOGS).mkdir()
    (tmp_path / LOGS / "g1.log").write_bytes((data / LOGS / "g1.log").read_bytes())
    done = run("why", "g1", "--data", tmp_path)
    assert done.exit_code == 0 and "could not be stored" in done.output
    assert json.loads(run("why", "g1", "--data", tmp_path, "--json").output)["reason"] is None


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("g77", "--data", "."), 1, "has no finished game g77"),
        (("../../etc/passwd", "--data", "."), 1, "is no id of a game"),
        (("g1", "--data", ".", "--record", JOURNAL), 2, "cannot both be given"),
        (("g1", "--data", "nowhere"), 2, "does not exist"),
        ((), 2, "Missing argument"),
    ],
)
def test_what_cannot_be_told(
    data: Path, words: tuple[str, ...], code: int, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(data)
    done = run("why", *words)
    assert done.exit_code == code and sentence in done.output


def test_where_nothing_was_named_the_sentence_tells_what_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / name)
    done = run("why", "g1")
    assert done.exit_code == 1
    assert str(tmp_path) in done.output and "--record FILE for a match" in done.output
    assert "--record FILE for a match" not in run("why", "g1", "--data", tmp_path).output


def test_damaged_files_are_told_in_a_sentence(data: Path, tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_bytes(b"something else")
    assert run("why", "g1", "--data", tmp_path).output.startswith("tyrusd: ")
    (tmp_path / JOURNAL).write_bytes((data / JOURNAL).read_bytes())
    (tmp_path / LOGS).mkdir()
    for text in (b"logged 1 S :too early\n", b"what is this\n", b"verdict g1 I lost timeout\nbye bye :x\n"):
        (tmp_path / LOGS / "g1.log").write_bytes(text)
        done = run("why", "g1", "--data", tmp_path)
        assert done.exit_code == 1 and "is no line of a log" in done.output


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(data: Path, tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_bytes((data / JOURNAL).read_bytes())
    (tmp_path / LOGS).mkdir()
    os.mkfifo(tmp_path / LOGS / "g1.log")
    assert "it is not a plain file" in run("why", "g1", "--data", tmp_path).output
    (tmp_path / JOURNAL).unlink()
    os.mkfifo(tmp_path / JOURNAL)
    assert "it is not a plain file" in run("why", "g1", "--data", tmp_path).output


# -- playback ----------------------------------------------------------------------------------------------


def test_what_cannot_be_played_back(data: Path) -> None:
    file = data / JOURNAL
    for words, code, sentence in (
        ((file, "g1", "tcp:visitor", "--as", "ivory"), 2, "starts the bot itself"),
        ((file, "g1", "plugin:nobody", "--as", "ivory"), 2, "nobody"),
        ((file, "g1", "plugin:random"), 2, "--as"),
        ((file, "g77", "plugin:random", "--as", "brown"), 1, "has no finished game g77"),
        ((data / "none", "g1", "plugin:random", "--as", "brown"), 2, "does not exist"),
    ):
        done = run("playback", *words)
        assert done.exit_code == code and sentence in done.output, done.output


def test_a_program_that_does_not_start_is_a_failure(data: Path) -> None:
    done = run("playback", data / JOURNAL, "g1", "exec:false", "--as", "ivory")
    assert done.exit_code == 1 and "exec:false cannot play" in done.output


def test_a_playback_as_an_object(data: Path) -> None:
    file = data / JOURNAL
    winner = json.loads(run("why", "g1", "--data", data, "--json").output)["winner"]
    loser = "brown" if winner == "ivory" else "ivory"
    done = run("playback", file, "g1", "plugin:greedy", "--as", loser, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert (found["result"], found["agreed"], found["decisions"], found["recorded_end"]) == (
        "same", 0, 1, "timeout"
    )  # fmt: skip
    assert found["last"]["recorded"] is None and found["last"]["sight"].startswith("side=")
    sleeper = "exec:python3 -c 'print(\"hello 0.1 x bot\", flush=True); [input() for _ in range(9)]'"
    done = run("playback", file, "g1", sleeper, "--as", loser, "--json")
    assert done.exit_code == 5, done.output
    found = json.loads(done.output)
    assert (found["result"], found["detail"], found["decisions"]) == ("timeout", "move-cap", 0)
    assert found["last"]["request"] == 1 and "move=-" not in found["last"]["sight"]
