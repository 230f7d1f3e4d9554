"""`tyrusd records check`: where a file is damaged, and a repair that keeps what is whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.core.stage import Stage, begin, play_on
from tyrusd.commands import main
from tyrusd.core.lobby import Lobby
from tyrusd.core.restoring import Recovered
from tyrusd.host.journal import FileJournal, JournalError
from tyrusd.host.recovery import recover
from tyrusd.league.fold import fold
from tyrusd.league.framing import HEADER, frame, read_frames
from tyrusd.league.salvage import framed, salvage


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["records", "check", *map(str, words)])


@pytest.fixture(scope="module")
def frames() -> list[bytes]:
    """The journal of a whole game, one in its middle, and a third in its middle."""
    stage = Stage(lobby=Lobby({}), recovered=Recovered())
    one = begin(stage, extra="want=events,full")
    play_on(one.mover, one.other, one.game)
    for names in (("cleo", "dora"), ("emil", "fine")):
        pair = begin(stage, names=names, terms="clock=600+5")
        play_on(pair.mover, pair.other, pair.game, most=8)
    return list(stage.kept)


@pytest.fixture
def file(tmp_path: Path, frames: list[bytes]) -> Path:
    path = tmp_path / "journal.tyrus"
    path.write_bytes(HEADER + b"".join(frames))
    return path


def offset_of(frames: list[bytes], number: int) -> int:
    return len(HEADER) + sum(map(len, frames[:number]))


def number_of(frames: list[bytes], kind: str, game: str, which: int = 0) -> int:
    """The place of a record among the frames."""
    found = [payload for _, payload in read_frames(HEADER + b"".join(frames))]
    return [
        number
        for number, payload in enumerate(found)
        if payload["kind"] == kind and payload.get("id") == game
    ][which]


def damage(path: Path, at: int) -> bytes:
    data = bytearray(path.read_bytes())
    data[at] ^= 0x40
    path.write_bytes(data)
    return bytes(data)


def test_a_file_that_is_whole_is_said_to_be(file: Path, frames: list[bytes]) -> None:
    done = run(file)
    assert done.exit_code == 0
    told = f"{len(frames)} records, 1 games finished, 2 running; all is well"
    assert done.stdout == f"{file}: {told}\n"


@pytest.mark.parametrize("byte", [0, 5, 20])
def test_row_51_a_damaged_middle_is_named_and_repaired_to_a_new_file(
    file: Path, frames: list[bytes], tmp_path: Path, byte: int
) -> None:
    number = number_of(frames, "placed", "g2", 3)
    at = offset_of(frames, number)
    before = damage(file, at + byte)
    checked = run(file)
    assert checked.exit_code == 1 and checked.stdout == ""
    assert checked.stderr.startswith(f"tyrusd: {file}: bad record at byte {at}: ")
    repairing = f"`tyrusd records check {file} --repair NEW` writes all that is whole to NEW"
    assert checked.stderr.rstrip().endswith(repairing)
    with pytest.raises(JournalError, match=rf"bad record at byte {at}") as caught:
        FileJournal(file)
    assert repairing in str(caught.value) and "move" not in str(caught.value)  # which would lose all games
    new = tmp_path / "repaired.tyrus"
    done = run(file, "--repair", new)
    assert done.exit_code == 0, done.stderr
    assert f"left out: {len(frames[number])} bytes at byte {at}: " in done.stdout
    # Of the game that was running some placement is gone, so nobody knows how it goes on.
    assert "of game g2, which contradict what is left of it" in done.stdout
    assert file.read_bytes() == before
    assert run(new).exit_code == 0
    assert new.stat().st_mode & 0o777 == 0o600
    kept = [payload.get("id") for _, payload in read_frames(new.read_bytes())]
    assert "g2" not in kept and kept.count("g3") == 9 and "g1" in kept
    found = recover(new, {})
    assert [running.opened["id"] for running in found.recovered.running] == ["g3"]
    found.journal.close()


def test_row_51_a_result_is_kept_when_a_placement_before_it_is_lost(
    file: Path, frames: list[bytes], tmp_path: Path
) -> None:
    damage(file, offset_of(frames, number_of(frames, "placed", "g1", 5)) + 20)
    new = tmp_path / "repaired.tyrus"
    assert run(file, "--repair", new).exit_code == 0
    kinds = [payload["kind"] for _, payload in read_frames(new.read_bytes()) if payload.get("id") == "g1"]
    assert kinds == ["game"]
    assert "1 games finished, 2 running; all is well" in run(new).stdout


def test_what_needs_a_lost_beginning_is_not_kept_without_it(file: Path, frames: list[bytes]) -> None:
    """Else the repaired file would contradict itself."""
    more = [
        frame({"kind": "again", "id": "g2", "next": "g9"}),
        frame({"kind": "refused", "id": "g2", "side": "ivory"}),
    ]
    data = bytearray(HEADER + b"".join([*frames, *more]))
    assert len(salvage(bytes(data)).frames) == len(frames) + 2
    number = number_of(frames, "opened", "g2", 0)
    data[offset_of(frames, number) + 20] ^= 1
    found = salvage(bytes(data))
    assert "g2" in found.left_out
    kept = HEADER + b"".join(framed(bytes(data), at) for at, _ in found.frames)
    assert not {"g2"} & fold(read_frames(kept)).running.keys()


def test_every_damaged_byte_costs_the_records_around_it_only(file: Path, frames: list[bytes]) -> None:
    whole = HEADER + b"".join(frames)
    number = number_of(frames, "placed", "g3", 0)
    begin_at, size = offset_of(frames, number), len(frames[number])
    for at in range(begin_at, begin_at + size):
        data = bytearray(whole)
        data[at] ^= 0x01
        found = salvage(bytes(data))
        assert [(gap.offset, gap.size) for gap in found.gaps] == [(begin_at, size)], at
        assert found.left_out.keys() == {"g3"}, at


def test_several_gaps_are_told_and_the_records_between_them_kept(file: Path, frames: list[bytes]) -> None:
    data = bytearray(HEADER + b"".join(frames))
    damaged = [number_of(frames, "placed", "g1", which) for which in (3, 9, 20)]
    for number in damaged:
        data[offset_of(frames, number) + 2] ^= 0x10  # in the length
    found = salvage(bytes(data))
    assert [gap.offset for gap in found.gaps] == [offset_of(frames, number) for number in damaged]
    assert len(found.frames) + sum(found.left_out.values()) + 3 == len(frames)
    assert [payload["kind"] for _, payload in found.frames if payload.get("id") == "g1"] == ["game"]


@pytest.mark.timeout(30)
def test_row_53_a_file_that_looks_like_a_record_everywhere_is_given_up() -> None:
    size = (1 << 20) - 100
    hostile = HEADER + (size.to_bytes(4, "big") + b"\0\0\0\0\x81\xa4kind") * 200_000
    found = salvage(hostile)
    assert found.frames == [] and sum(gap.size for gap in found.gaps) == len(hostile) - len(HEADER)


def test_row_50_a_tail_is_named_and_left_out(file: Path, frames: list[bytes], tmp_path: Path) -> None:
    file.write_bytes(file.read_bytes()[:-5])
    at = offset_of(frames, len(frames) - 1)
    checked = run(file)
    assert checked.exit_code == 1 and f"bad record at byte {at}" in checked.stderr
    new = tmp_path / "new.tyrus"
    assert run(file, "--repair", new).exit_code == 0
    assert new.read_bytes() == HEADER + b"".join(frames[:-1])


def test_records_that_are_whole_and_not_true_are_named(file: Path, frames: list[bytes]) -> None:
    number = number_of(frames, "placed", "g3", 2)
    file.write_bytes(HEADER + b"".join([*frames, frames[number]]))  # the same tile a second time
    done = run(file)
    assert done.exit_code == 1 and "game g3: placement" in done.stderr


def test_other_files_are_refused_and_nothing_is_overwritten(file: Path, tmp_path: Path) -> None:
    letter, new = tmp_path / "letter.txt", tmp_path / "new.tyrus"
    letter.write_text("not a record at all")
    for words in ([letter], [letter, "--repair", new]):
        done = run(*words)
        assert done.exit_code == 1 and "this is not a record file of tyrusd" in done.stderr
    assert not new.exists()
    done = run(file, "--repair", letter)
    assert done.exit_code == 2 and "never overwrites" in done.stderr
    assert letter.read_text() == "not a record at all"
