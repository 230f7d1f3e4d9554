"""Logs of finished games in files: which are kept, how they are called, and that trouble stays there."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
import trio
import trio.testing

from tests.core.owners import begin, pair
from tests.core.world import World
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import DropLog, KeepLog
from tyrusd.core.story import Dossier
from tyrusd.host import shelf as shelves
from tyrusd.host.accounts import NoAccount, read_account
from tyrusd.host.shelf import Shelf, log_file, log_text
from tyrusd.rules.pieces import Side
from tyrusd.wire import decode_server_line
from tyrusd.wire import messages as wire


def played(count: int = 1, *, timeout: bool = False, kind: str = "bot") -> list[Dossier]:
    """Dossiers of games that anna and bob have played: resigned, or lost by time."""
    world = World(Lobby({}))
    anna, bob = pair(world, kind)
    for _ in range(count):
        game = begin(anna, bob, "clock=none cap=1")
        if timeout:
            world.wait(2)
        else:
            bob.say(f"resign {game}")
            world.now += 1
    return [request.dossier for request in world.requests if isinstance(request, KeepLog)]


def keep(shelf: Shelf, *dossiers: Dossier, bots: tuple[int | None, int | None] = (None, None)) -> None:
    for dossier in dossiers:
        shelf.keep(KeepLog(dossier, bots))


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


async def test_a_file_holds_what_both_seats_would_be_told(tmp_path: Path) -> None:
    (dossier,) = played(timeout=True)
    shelf = Shelf(tmp_path / "logs")
    keep(shelf, dossier)
    await shelf.close()
    assert files(tmp_path / "logs") == ["g1.log"]
    path = tmp_path / "logs" / "g1.log"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    lines = path.read_bytes().split(b"\n")[:-1]
    messages = [decode_server_line(line) for line in lines]
    assert [message.side for message in messages if isinstance(message, wire.Verdict)] == ["I", "B"]
    assert all(isinstance(message, wire.Verdict | wire.Logged | wire.Reason) for message in messages)
    assert b"".join(log_text(dossier)) == path.read_bytes()
    assert shelf.kept == 1


async def test_a_match_keeps_only_what_the_board_did_not_decide(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "a.tyrus.logs", abnormal_only=True)
    keep(shelf, *played(3))
    shelf.drop(DropLog("g1"))
    await shelf.close()
    assert not (tmp_path / "a.tyrus.logs").exists()
    keep(shelf, *played(timeout=True))
    await shelf.close()
    assert files(tmp_path / "a.tyrus.logs") == ["g1.log"]


async def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    shelf = Shelf(None)
    keep(shelf, *played(timeout=True))
    shelf.drop(DropLog("g1"))
    await shelf.close()
    assert shelf.kept == 0


async def test_a_dropped_game_is_removed_or_never_written(tmp_path: Path) -> None:
    one, two, three = played(3)
    shelf = Shelf(tmp_path)
    keep(shelf, one, two)
    await shelf.close()
    keep(shelf, three)
    for game in ("g1", "g3", "g77"):
        shelf.drop(DropLog(game))
    await shelf.close()
    assert files(tmp_path) == ["g2.log"]
    assert shelf.kept == 2


async def test_no_more_files_than_the_limit_the_oldest_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shelves, "FILES", 3)
    for name in ("g9.log", "g10.log", "strange name.log", "other.txt"):
        (tmp_path / name).write_text("")
    shelf = Shelf(tmp_path)
    late = [dossier._replace(game=f"g{number}") for number, dossier in zip((11, 12), played(2), strict=True)]
    keep(shelf, *late)
    await shelf.close()
    assert files(tmp_path) == ["g10.log", "g11.log", "g12.log", "other.txt", "strange name.log"]


async def test_a_slow_disk_fills_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(shelves, "WAITING", 2)
    shelf = Shelf(tmp_path)
    keep(shelf, *played(4))
    assert caplog.text == ""
    keep(shelf, *played(4, timeout=True))
    assert caplog.text.count("left out") == 1
    monkeypatch.setattr(shelves, "WAITING", 100)
    await shelf.close()
    assert files(tmp_path) == ["g3.log", "g4.log"]


async def test_a_disk_that_fails_costs_a_line_in_the_log_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "logs").write_text("this is no directory")
    shelf = Shelf(tmp_path / "logs")
    for _ in range(3):
        keep(shelf, *played(timeout=True))
        await shelf.close()
    assert len(caplog.records) == 1 and "logs of games cannot be kept" in caplog.text
    (tmp_path / "logs").unlink()
    keep(shelf, *played(timeout=True))
    await shelf.close()
    assert files(tmp_path / "logs") == ["g1.log"]


async def test_urgent_games_come_first_and_others_a_few_at_a_time(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    others = [dossier._replace(game=f"g{number}") for number, dossier in enumerate(played(10), 100)]
    keep(shelf, *others, *played(3, timeout=True))
    await shelf.write(2, 4)
    assert files(tmp_path) == ["g106.log", "g107.log", "g108.log", "g109.log", "g2.log", "g3.log"]
    await shelf.write(2, 1)
    assert files(tmp_path) == [
        "g1.log",
        *(f"g{number}.log" for number in range(105, 110)),
        "g2.log",
        "g3.log",
    ]


async def test_the_shelf_writes_by_itself(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(shelf.run)
        await trio.testing.wait_all_tasks_blocked()
        keep(shelf, *played())
        with trio.fail_after(20):
            while not files(tmp_path):  # noqa: ASYNC110 - a thread writes it
                await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    assert files(tmp_path)[0].startswith("g1.")


async def test_a_late_answer_is_written_into_the_file(tmp_path: Path) -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    begin(anna, bob, "clock=none cap=1")
    side = world.server.tables["g1"].match.game.to_move
    world.wait(1.5)
    (anna if side is Side.IVORY else bob).say("place g1 1 S1 IC")
    shelf = Shelf(tmp_path)
    keep(shelf, *[request.dossier for request in world.requests if isinstance(request, KeepLog)])
    await shelf.close()
    assert b"overrun=500 " in (tmp_path / "g1.log").read_bytes()


async def test_a_program_at_fault_has_its_last_words_in_the_file(tmp_path: Path) -> None:
    (dossier,) = played(timeout=True)
    assert dossier.winner is not None
    asked: list[int] = []

    def last_words(bot: int) -> str:
        asked.append(bot)
        return "thinking...\nstill thinking..."

    shelf = Shelf(tmp_path, last_words=last_words)
    keep(shelf, dossier, bots=(4, 5))
    await shelf.close()
    assert asked == [5 if dossier.winner is Side.IVORY else 4]
    assert (tmp_path / "g1.log").read_text("utf-8").count("stderr :") == 2


@pytest.mark.parametrize("name", ["../g1", "g1/../../x", "", "g1\n", "/etc/passwd", ".g1", "g" * 65])
def test_d6_a_file_s_name_is_made_of_a_game_s_id_only(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="no id of a game"):
        log_file(tmp_path, name)
    (tmp_path / "journal.tyrus").write_bytes(b"")
    with pytest.raises(NoAccount):
        read_account(name, data=tmp_path)


def test_what_waits_for_the_shelf_prints_no_tile() -> None:
    for dossier in (*played(timeout=True), *played()):
        assert repr(KeepLog(dossier, (1, None))).count("S1") == 0
        assert "hand" not in repr(dossier) and "hand" not in repr(dossier.stories)
