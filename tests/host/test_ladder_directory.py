"""A run's directory: begun whole, used by one process, continued only by what began it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as changed

from tests.host.ladder_plans import plan_of
from tyrusd.core.seatspec import SeatSpec
from tyrusd.host.ladder.directory import Changed, DirectoryError, RunDirectory, look
from tyrusd.host.ladder.manifest import Machine, Manifest, read_manifest, write_manifest
from tyrusd.host.ladder.past import read_run
from tyrusd.host.ladder.plan import LadderPlan
from tyrusd.host.ladder.plan_text import write_plan
from tyrusd.league.framing import HEADER, frame
from tyrusd.rules.deal import deal_from_bytes

ROOT = Path(__file__).parents[2]
PLAN = plan_of("anna", "bert")


def begun(path: Path, plan: LadderPlan = PLAN) -> Path:
    RunDirectory.begin(path, plan).close()
    return path


def refusal(path: Path, wanted: LadderPlan | None = None) -> str:
    """The sentence with which a run is not continued; nothing in its directory is touched."""
    before = contents(path) if path.is_dir() else {}
    with pytest.raises(DirectoryError) as refused:
        RunDirectory.resume(path, wanted)
    assert (contents(path) if path.is_dir() else {}) == before
    return str(refused.value)


def contents(path: Path) -> dict[str, tuple[bytes, int]]:
    return {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in path.iterdir()}


def test_a_run_is_begun_and_taken_up_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "run"
    run = RunDirectory.begin(path, PLAN)
    assert path.stat().st_mode & 0o777 == 0o700
    assert sorted(file.name for file in path.iterdir()) == [
        "journal.tyrus", "ladder.json", "lock", "manifest.json"
    ]  # fmt: skip
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in path.iterdir())
    assert (path / "journal.tyrus").read_bytes() == HEADER
    run.close()
    path.chmod(0o755)
    again = RunDirectory.resume(path, PLAN)
    assert (again.plan, again.manifest) == (PLAN, run.manifest) == look(path)
    assert path.stat().st_mode & 0o777 == 0o700
    again.note_machines([Machine("tower", "a processor")])
    again.close()
    assert look(path)[1] == changed(run.manifest, machines=[Machine("tower", "a processor")])


def test_a_second_run_on_the_directory_is_refused_by_the_number_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "run"
    run = RunDirectory.begin(path, PLAN)
    for _ in range(2):
        with pytest.raises(DirectoryError, match=rf"another tyrusd \(process {os.getpid()}\)"):
            RunDirectory.resume(path)
    run.close()
    RunDirectory.resume(path).close()


def test_a_directory_that_another_begins_just_now_is_refused(tmp_path: Path) -> None:
    script = (
        "import fcntl, os, sys; f = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT);"
        "fcntl.flock(f, fcntl.LOCK_EX); os.write(f, b'%d\\n' % os.getpid()); print('locked', flush=True);"
        "sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "lock")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        with pytest.raises(DirectoryError, match=rf"process {other.pid}\)"):
            RunDirectory.begin(tmp_path, PLAN)
        other.send_signal(signal.SIGKILL)
        other.wait()
        RunDirectory.begin(tmp_path, PLAN).close()  # the lock went with its owner
    finally:
        other.kill()
        other.communicate()


def test_where_a_run_or_anything_else_is_none_is_begun(tmp_path: Path) -> None:
    path = begun(tmp_path / "run")
    with pytest.raises(DirectoryError, match="holds a ladder already: continue it with `tyrusd ladder --res"):
        RunDirectory.begin(path, PLAN)
    other = tmp_path / "other"
    other.mkdir(mode=0o755)
    (other / "thesis.txt").touch()
    with pytest.raises(DirectoryError, match="other files, such as thesis"):
        RunDirectory.begin(other, PLAN)
    assert other.stat().st_mode & 0o777 == 0o755
    with pytest.raises(DirectoryError, match="cannot be used: Not a directory"):
        RunDirectory.begin(other / "thesis.txt" / "run", PLAN)
    orphan = tmp_path / "orphan"
    orphan.mkdir()
    note = frame({"kind": "dropped", "bot": "anna", "at": "2031-05-06T07:08:09Z"})
    (orphan / "journal.tyrus").write_bytes(HEADER + note)
    with pytest.raises(DirectoryError, match="a journal with records, but no ladder"):
        RunDirectory.begin(orphan, PLAN)


def test_a_beginning_that_was_cut_off_is_begun_again(tmp_path: Path) -> None:
    path = begun(tmp_path / "run")
    (path / "ladder.json").rename(path / "ladder.json.new")
    (path / "journal.tyrus").write_bytes(HEADER[:5])
    assert "ended before its first game: begin it again" in refusal(path)
    RunDirectory.begin(path, PLAN).close()
    RunDirectory.resume(path).close()


def test_what_is_no_run_is_not_continued(tmp_path: Path) -> None:
    assert "there is no directory" in refusal(tmp_path / "nothing")
    assert "is empty" in refusal(tmp_path)
    (tmp_path / "thesis.txt").touch()
    assert "is not the directory of a ladder: it has no ladder.json" in refusal(tmp_path)
    assert "is not a directory" in refusal(tmp_path / "thesis.txt")
    path = begun(tmp_path / "run")
    (path / "journal.tyrus").unlink()
    assert "journal.tyrus is missing" in refusal(path)


@pytest.mark.parametrize("name", ["ladder.json", "manifest.json"])
def test_a_run_of_a_newer_tyrusd_is_not_continued(tmp_path: Path, name: str) -> None:
    path = begun(tmp_path / "run")
    text = (path / name).read_text()
    for old, new in (('"schema": 1', '"schema": 2'), ('"schema":1', '"schema":2')):
        text = text.replace(old, new)
    (path / name).write_text(text)
    assert f"{name}: it has version 2, this tyrusd reads 1; use the tyrusd that wrote it" in refusal(path)
    (path / name).write_text("{")
    assert f"{name}: it is not" in refusal(path)


def with_manifest(path: Path, **changes: object) -> None:
    file = path / "manifest.json"
    file.write_bytes(write_manifest(changed(read_manifest(file.read_bytes()), **changes)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tyrusd": "0.0.9"}, "tyrusd was 0.0.9 and is 0."),
        ({"protocol": "0.0"}, "the protocol was 0.0 and is"),
        ({"python": "CPython 3.10.1"}, "Python was CPython 3.10 and is"),
        ({"records": 7}, "the format of records was 7 and is 1"),
        ({"deals": "ab" * 32}, "the file of deals had the SHA-256 abababababababab… and has none"),
    ],
)
def test_another_version_does_not_continue_it(tmp_path: Path, changes: dict[str, object], words: str) -> None:
    path = begun(tmp_path / "run")
    with_manifest(path, **changes)
    assert words in refusal(path)
    assert "begin a new run in another directory" in refusal(path)


def test_a_changed_plan_does_not_continue_it(tmp_path: Path) -> None:
    path = begun(tmp_path / "run")
    (path / "ladder.json").write_text(write_plan(replace(PLAN, memory=64)))
    assert "the plan in ladder.json had the SHA-256" in refusal(path)


def test_another_plan_that_is_given_again_does_not_continue_it(tmp_path: Path) -> None:
    deals = tuple(deal_from_bytes(bytes([number])) for number in (1, 2))
    plan = replace(PLAN, deals=deals, deals_hash="ab" * 32)
    path = begun(tmp_path / "run", plan)
    bert = replace(plan.entrants[1], seat=SeatSpec("plugin", "greedy"))
    for wanted, words in (
        (
            replace(plan, deals_hash="cd" * 32),
            "deals had the SHA-256 abababababababab… and has cdcd",
        ),
        (replace(plan, deals=deals[:1]), "the deals are others"),
        (replace(plan, memory=64), "memory was 512 and is 64"),
        (replace(plan, tournament=replace(plan.tournament, rounds=9)), "rounds was 1 and is 9"),
        (
            replace(plan, entrants=(plan.entrants[0], bert)),
            "the seat of the bot bert was plugin:random and is plugin:greedy",
        ),
        (plan_of("anna", "bert", "carl"), "the file of deals"),
    ):
        assert words in refusal(path, wanted)
    RunDirectory.resume(path, plan).close()
    stopping = replace(plan, tournament=replace(plan.tournament, stop_on_crash=True))
    RunDirectory.resume(path, stopping).close()  # that is how a run is played, not what it is
    other = begun(tmp_path / "other")
    assert "played by 2 bots and 3 are given" in refusal(other, plan_of("anna", "bert", "carl"))


def test_a_changed_program_does_not_continue_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script, table = tmp_path / "bot.py", tmp_path / "table.txt"
    script.write_text("1")
    table.write_text("1")
    path = begun(tmp_path / "run", plan_of("anna", "bert", seat="exec:python3 bot.py --table=table.txt"))
    for file in (script, table):
        file.write_text("2")
        sentence = refusal(path)
        assert f"the bot anna has changed: {file} had the SHA-256 6b86b273ff34fce1…" in sentence
        assert "and has the SHA-256 d4735e3a265e16ee… now" in sentence
        assert "(and one more difference)" in sentence  # bert is the same bot
        file.write_text("1")
    RunDirectory.resume(path).close()
    table.unlink()
    assert "and has no such file now" in refusal(path)
    table.write_text("1")
    monkeypatch.chdir("/")
    assert f"its programs were started in {tmp_path}: `cd` there first (this is /). Restore" in refusal(path)


def test_a_program_that_is_gone_does_not_continue_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    bot = tmp_path / "bot"
    bot.write_text("#!/bin/sh\n")
    bot.chmod(0o700)
    path = begun(tmp_path / "run", plan_of("anna", "bert", seat="exec:./bot"))
    bot.unlink()
    assert "the command './bot' was not found" in refusal(path)
    with pytest.raises(DirectoryError, match="was not found"):
        RunDirectory.begin(tmp_path / "more", plan_of("anna", "bert", seat="exec:./bot"))
    assert not (tmp_path / "more").exists()
    with pytest.raises(Changed):
        RunDirectory.resume(path)


def test_another_version_of_a_plugin_does_not_continue_it(tmp_path: Path) -> None:
    path = begun(tmp_path / "run")
    manifest = look(path)[1]
    assert [bot.distribution for bot in manifest.bots] == ["tyrusd", "tyrusd"]
    assert manifest.bots[0].files[0].path.endswith("tyrusd_bundled")
    for spoiled, words in (
        (
            changed(manifest.bots[0], version="0.0.1"),
            "distribution tyrusd of the bot anna was 0.0.1 and is",
        ),
        (
            changed(manifest.bots[0], distribution="other"),
            "distribution of the bot anna was other and is",
        ),
        (
            changed(manifest.bots[0], files=[changed(manifest.bots[0].files[0], sha256="ab" * 32)]),
            "the bot anna has changed:",
        ),
    ):
        with_manifest(path, bots=[spoiled, manifest.bots[1]])
        assert words in refusal(path)


def test_a_manifest_is_read_back_as_it_was(tmp_path: Path) -> None:
    manifest = look(begun(tmp_path / "run"))[1]
    assert read_manifest(write_manifest(manifest)) == manifest
    assert isinstance(manifest, Manifest)
    assert manifest.packages["trio"]
    assert PLAN.tournament.seed not in write_manifest(manifest).decode()


def test_a_tcp_bot_leaves_nothing_to_compare(tmp_path: Path) -> None:
    plan = plan_of("anna", "bert", seat="tcp:anna")
    path = begun(tmp_path / "run", plan)
    assert [bot.files for bot in look(path)[1].bots] == [[], []]
    RunDirectory.resume(path).close()


@pytest.mark.parametrize("name", ["ladder.json", "manifest.json", "journal.tyrus"])
@pytest.mark.parametrize("kind", ["pipe", "device", "directory"])
def test_what_is_no_plain_file_is_refused_and_not_waited_for(tmp_path: Path, name: str, kind: str) -> None:
    path = begun(tmp_path / "run")
    (path / name).unlink()
    if kind == "pipe":
        os.mkfifo(path / name)
    elif kind == "device":
        (path / name).symlink_to("/dev/zero")
    else:
        (path / name).mkdir()
    with pytest.raises(DirectoryError, match=name):
        read_run(path)
    with pytest.raises(DirectoryError, match=name):
        RunDirectory.resume(path)


@pytest.mark.parametrize("name", ["ladder.json", "manifest.json"])
def test_a_text_of_an_absurd_size_is_not_read(tmp_path: Path, name: str) -> None:
    path = begun(tmp_path / "run")
    with (path / name).open("ab") as file:
        file.truncate(1 << 40)
    with pytest.raises(DirectoryError, match=rf"{name} cannot be read: it has more than \d+ bytes"):
        look(path)


def test_what_nobody_could_open_again_is_not_taken_for_kept(tmp_path: Path) -> None:
    path = begun(tmp_path / "run")
    run = RunDirectory.resume(path)
    journal = run.journal()
    journal.append([frame({"kind": "dropped", "bot": "anna", "at": "2026-11-29T00:00:00.000000Z"})])
    journal.sync()
    path.rename(tmp_path / "elsewhere")  # it is still there, under another name
    journal.sync()
    (tmp_path / "elsewhere" / "journal.tyrus").unlink()
    with pytest.raises(OSError, match="was removed while the run goes on"):
        journal.sync()
    journal.close()
    run.close()


def test_the_manifest_tells_where_the_deals_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plan = replace(PLAN, deals=(deal_from_bytes(b"a"),), deals_hash="0" * 64, deals_file=Path("of/deals"))
    _, manifest = look(begun(tmp_path / "run", plan))
    assert manifest.deals_file == str(tmp_path / "of" / "deals")
    RunDirectory.resume(tmp_path / "run", replace(plan, deals_file=None)).close()
