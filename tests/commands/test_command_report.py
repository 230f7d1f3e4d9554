"""`tyrusd report`: runs in, files out, and nothing told that somebody could still use."""

from __future__ import annotations

import csv
import fcntl
import io
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tests.host.ladder_plans import plan_of
from tests.screen.ladder_games import games_of
from tests.screen.page_reading import Page
from tyrusd.commands import main
from tyrusd.commands.reporting import gather, write_report, write_text
from tyrusd.commands.running import Failure
from tyrusd.core.seatspec import SeatSpec
from tyrusd.host.ladder.directory import RunDirectory
from tyrusd.host.ladder.plan import LadderPlan
from tyrusd.league.framing import frame
from tyrusd.league.schema import Payload
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.wire import encode_line
from tyrusd.wire.server_messages import Logged, Stderr, Verdict

THREE = plan_of("anna", "bert", "cleo", rounds=4)
ONLY = "kept from everybody"


def run_in(
    path: Path, plan: LadderPlan = THREE, games: int | None = None, *, faulty: int = 5
) -> list[Payload]:
    """The directory of a run that was played up to so many games; the records of these."""
    records = list(games_of(plan.tournament, faulty))[:games]
    with_directory(path, plan, records)
    return records


def with_directory(path: Path, plan: LadderPlan, records: Sequence[Payload]) -> None:
    directory = RunDirectory.begin(path, plan)
    journal = directory.journal()
    journal.append([frame(record) for record in records])
    journal.close()
    directory.close()


def add(path: Path, *records: Payload) -> None:
    with (path / "journal.tyrus").open("ab") as journal:
        journal.writelines(map(frame, records))


def log_of(path: Path, record: Payload) -> None:
    """Keep the log of a game that somebody lost by a fault."""
    loser = {"ivory": "B", "brown": "I"}[record["game"]["winner"]]
    lines = [
        Verdict(game=record["id"], side=loser, outcome="lost", reason=record["game"]["reason"]),
        Logged(ms=5, direction="S", text=f"choose {record['id']} 7 {ONLY}"),
        Logged(ms=9, direction="C", text="place nonsense"),
        Stderr(text="IndexError: list index out of range"),
    ]
    (path / "logs").mkdir(exist_ok=True)
    (path / "logs" / f"{record['id']}.log").write_bytes(b"".join(map(encode_line, lines)))


def report(*words: object) -> click.testing.Result:
    return CliRunner().invoke(main, ["report", *map(str, words)])


def written(path: Path) -> dict[str, Any]:
    found = json.loads(path.read_text("ascii"))
    assert isinstance(found, dict)
    return found


def test_a_run_becomes_a_page_json_and_csv(tmp_path: Path) -> None:
    records = run_in(tmp_path / "weekend")
    html, as_json, table = (tmp_path / name for name in ("a.html", "a.json", "a.csv"))
    found = report(tmp_path / "weekend", "--html", html, "--json", as_json, "--csv", table)
    assert (found.exit_code, found.stdout) == (0, "")
    assert found.stderr == f"written: {html}\nwritten: {as_json}\nwritten: {table}\n"
    read = Page(html.read_text("utf-8"))
    assert "weekend" in read.text
    assert read.text.count("plugin:random") >= 3
    assert gather([tmp_path / "weekend"]).machines == [("tower", "a processor x4", len(records))]
    assert "a processor x4" in read.text
    data = written(as_json)
    assert sum(each["games"] for each in data["entrants"]) == 2 * len(records)
    assert data["runs"][0]["bots"][0]["name"] == "anna"
    rows = list(csv.DictReader(io.StringIO(table.read_bytes().decode("utf-8"), newline="")))
    assert [row["name"] for row in rows] == [each["name"] for each in data["entrants"]]
    assert not list(tmp_path.glob(".*"))


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    run_in(tmp_path / "run")
    texts = []
    for name in ("one", "two"):
        write_report(tmp_path / "run", tmp_path / name)
        report(tmp_path / "run", "--json", tmp_path / f"{name}.json")
        texts.append((tmp_path / name).read_bytes() + (tmp_path / f"{name}.json").read_bytes())
    assert texts[0] == texts[1]


def test_a_dash_is_stdout(tmp_path: Path) -> None:
    run_in(tmp_path / "run")
    found = report(tmp_path / "run", "--json", "-")
    assert json.loads(found.stdout)["schema"] == 1
    assert found.stderr == ""


def test_row_17_the_seed_is_told_only_when_the_run_is_over(tmp_path: Path) -> None:
    seed = THREE.tournament.seed
    records = run_in(tmp_path / "run", games=23)
    assert gather([tmp_path / "run"]).plans[0]["seed"] == "not shown before the run is over"
    for file in ("a.html", "a.json"):
        report(tmp_path / "run", f"--{file[2:]}", tmp_path / file)
        text = (tmp_path / file).read_text("utf-8")
        assert seed not in text
        # Whoever guesses a typed seed should not be told that he is right.
        assert sha256((tmp_path / "run" / "ladder.json").read_bytes()).hexdigest() not in text
    whole = list(games_of(THREE.tournament, 5))
    assert len(whole) == len(records) + 1
    add(tmp_path / "run", whole[-1])
    facts = gather([tmp_path / "run"])
    assert (facts.plans[0]["seed"], facts.open_seed) == (seed, True)


def test_row_17_the_seed_is_not_told_while_somebody_plays(tmp_path: Path) -> None:
    run_in(tmp_path / "run")
    with (tmp_path / "run" / "lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert not gather([tmp_path / "run"]).open_seed
        # The ladder itself, at its end, holds the lock.
        assert gather([tmp_path / "run"], ours=True).open_seed
    assert gather([tmp_path / "run"]).open_seed


def test_row_17_a_share_of_a_ladder_never_tells_the_seed(tmp_path: Path) -> None:
    plan = replace(THREE, tournament=replace(THREE.tournament, shard=(1, 2)))
    records = run_in(tmp_path / "run", plan)
    assert {record["ladder"]["game"] for record in records} == {1, 2}
    assert len(records) == (len(run_in(tmp_path / "whole", THREE)) + 2) // 4 * 2
    assert gather([tmp_path / "run"]).plans[0]["seed"] != plan.tournament.seed


def test_row_17_of_a_failure_whose_pair_goes_on_only_the_word_is_told(tmp_path: Path) -> None:
    records = run_in(tmp_path / "run", games=15)
    failed = records[-1]
    assert (failed["ladder"]["game"], failed["game"]["reason"]) == (1, "protocol")
    log_of(tmp_path / "run", failed)
    facts = gather([tmp_path / "run"])
    (last,) = [each for each in facts.failures if each.game == failed["id"]]
    assert (last.sealed, last.reason, last.detail, last.lines, last.log) == (True, "protocol", "", (), None)
    write_report(tmp_path / "run", tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text("utf-8")
    assert ONLY not in text
    assert "Its pair has not ended" in text
    assert failed["id"] not in {game["id"] for _, game in facts.games}
    add(tmp_path / "run", list(games_of(THREE.tournament, 5))[15])
    (last,) = [each for each in gather([tmp_path / "run"]).failures if each.game == failed["id"]]
    assert not last.sealed
    assert last.lines == [f"       5 S choose {failed['id']} 7 {ONLY}", "       9 C place nonsense"]
    assert last.words == ["IndexError: list index out of range"]
    assert last.log == f"run/logs/{failed['id']}.log"
    write_report(tmp_path / "run", tmp_path / "a.html")
    assert ONLY in (tmp_path / "a.html").read_text("utf-8")


def test_a_log_that_is_none_is_named_and_not_quoted(tmp_path: Path) -> None:
    records = run_in(tmp_path / "run")
    failed = next(record for record in records if record["game"]["reason"] == "timeout")
    (tmp_path / "run" / "logs").mkdir(exist_ok=True)
    (tmp_path / "run" / "logs" / f"{failed['id']}.log").write_bytes(b"\x00 no log\n")
    (found,) = [each for each in gather([tmp_path / "run"]).failures if each.game == failed["id"]]
    assert (found.lines, found.log) == ((), f"run/logs/{failed['id']}.log")


def test_a_bot_that_was_never_ready_is_a_failure(tmp_path: Path) -> None:
    run_in(tmp_path / "run", games=2)
    why = "it did not say hello within 10 s"
    add(tmp_path / "run", {"kind": "unready", "pair": 2, "attempt": 1, "bot": "cleo", "why": why})
    write_report(tmp_path / "run", tmp_path / "a.html")
    told = "".join(Page((tmp_path / "a.html").read_text("utf-8")).texts)
    assert f"pair 2, attempt 1: cleo, unready ({why})" in told


def test_deals_that_are_played_once_open_at_once(tmp_path: Path) -> None:
    plan = replace(THREE, tournament=replace(THREE.tournament, unswapped=frozenset({"bert"})))
    records = run_in(tmp_path / "run", plan)
    shown = {game["id"] for _, game in gather([tmp_path / "run"]).games}
    assert shown == {record["id"] for record in records}
    assert {len(record["game"]["seats"]) for record in records} == {2}


def test_a_sequential_test_has_its_course(tmp_path: Path) -> None:
    sprt = SprtPlan(0, 100)
    plan = plan_of("anna", "bert", rounds=8, sprt=sprt)
    run_in(tmp_path / "run", plan)
    facts = gather([tmp_path / "run"])
    assert facts.course is not None
    assert facts.course[0] == (0, 0.0)
    assert facts.course[-1][0] == facts.stats["two"]["sprt"]["pairs"]
    assert gather([tmp_path / "run"]).stats["two"]["sprt"]["llr"] == pytest.approx(
        facts.course[-1][1], abs=1e-5
    )


def test_several_runs_are_one_report(tmp_path: Path) -> None:
    other = plan_of("anna", "dora", rounds=2, seed="another")
    run_in(tmp_path / "one")
    run_in(tmp_path / "two", other)
    facts = gather([tmp_path / "one", tmp_path / "two"])
    assert facts.title == "one + two"
    assert {run for run, _ in facts.games} == {1, 2}
    assert {each["name"] for each in facts.stats["entrants"]} == {"anna", "bert", "cleo", "dora"}
    assert set(facts.time) == {"anna", "bert", "cleo", "dora"}
    assert {failure.game.partition(":")[0] for failure in facts.failures} == {"1"}
    html = tmp_path / "a.html"
    assert report(tmp_path / "one", tmp_path / "two", "--html", html).exit_code == 0
    read = Page(html.read_text("utf-8"))
    assert "Manifest of run 2" in read.text
    assert "2:p1-1" in read.text


def test_another_bot_of_the_same_name_is_another_bot(tmp_path: Path) -> None:
    run_in(tmp_path / "one", plan_of("anna", "bert"))
    run_in(tmp_path / "two", plan_of("anna", "bert", seat="plugin:greedy", seed="another"))
    facts = gather([tmp_path / "one", tmp_path / "two"])
    names = {each["name"] for each in facts.stats["entrants"]}
    assert names == {"anna@one", "anna@two", "bert@one", "bert@two"} == set(facts.time)


def test_what_cannot_be_is_a_sentence(tmp_path: Path) -> None:
    run_in(tmp_path / "run")
    empty = tmp_path / "empty"
    empty.mkdir()
    damaged = tmp_path / "damaged"
    run_in(damaged, games=4)
    data = bytearray((damaged / "journal.tyrus").read_bytes())
    data[30] ^= 255
    (damaged / "journal.tyrus").write_bytes(data)
    for words, code, told in (
        ((empty, "--json", "-"), 1, str(empty)),
        ((damaged, "--json", "-"), 1, "journal.tyrus"),
        ((tmp_path / "nowhere", "--json", "-"), 2, "nowhere"),
        ((tmp_path / "run", tmp_path / "run", "--json", "-"), 1, "run"),
        ((tmp_path / "run",), 2, "choose what to write: --html FILE, --json FILE or --csv FILE"),
        ((tmp_path / "run", "--json", "x", "--csv", "x"), 2, "two of the outputs have the same name"),
        ((tmp_path / "run", "--html", tmp_path / "no" / "x.html"), 1, "cannot be written"),
    ):
        found = report(*words)
        assert (found.exit_code, found.stdout) == (code, ""), words
        assert told in found.stderr
        assert "Traceback" not in found.stderr


def test_a_file_that_cannot_be_replaced_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "dir").mkdir()
    with pytest.raises(Failure, match="cannot be written"):
        write_text(tmp_path / "dir", "x")
    assert not list(tmp_path.glob(".*"))


def test_without_numpy_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_in(tmp_path / "run")
    monkeypatch.setitem(sys.modules, "numpy", None)
    found = report(tmp_path / "run", "--json", "-")
    assert (found.exit_code, found.stdout) == (3, "")
    assert "needs: pip install 'tyrusd[ladder]'" in found.stderr


def test_no_file_is_named_after_a_bot(tmp_path: Path) -> None:
    run_in(tmp_path / "run")
    (tmp_path / "out").mkdir()
    report(tmp_path / "run", "--html", tmp_path / "out" / "a", "--json", tmp_path / "out" / "b")
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["a", "b"]


def test_seats_that_tcp_bots_take_are_told(tmp_path: Path) -> None:
    plan = plan_of("anna", "bert", unswapped=frozenset({"anna"}))
    entrants = (replace(plan.entrants[0], seat=SeatSpec("tcp", "anna")), plan.entrants[1])
    run_in(tmp_path / "run", replace(plan, entrants=entrants))
    write_report(tmp_path / "run", tmp_path / "a.html")
    told = Page((tmp_path / "a.html").read_text("utf-8")).text
    assert "Deals were played once only for:" in told
    assert "tcp:anna" in told
