"""What was typed for a ladder becomes a plan, or is refused with exit code 2 before anything starts."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from tyrusd.commands import main
from tyrusd.commands.ladder import command
from tyrusd.commands.ladder_options import WITH_RESUME, Typed
from tyrusd.commands.ladder_plan import pace_of, plan_of
from tyrusd.host.ladder.plan import LadderPlan, Pace

A, B, C = "name=A plugin=random", "name=B plugin=greedy", "name=C plugin=cautious"
TCP = "name=T tcp"


def bots(*words: str) -> list[str]:
    return [part for word in words for part in ("--bot", word)]


def typed(*words: str) -> Typed:
    context = command.make_context("ladder", list(words))
    with context:
        return Typed(**context.params)


def plan(*words: str) -> LadderPlan:
    return plan_of(typed(*words))


def pace(*words: str) -> Pace:
    given = typed(*words)
    return pace_of(given, plan_of(given))


def refused(*words: str) -> str:
    """What a command with these words says before it ends with 2, having made nothing."""
    with tempfile.TemporaryDirectory() as directory, contextlib.chdir(directory):
        done = CliRunner().invoke(main, ["ladder", *words])
        assert not list(Path.cwd().iterdir())
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    return done.stderr


def test_the_usual_plan() -> None:
    found = plan(*bots(A, B))
    terms = found.tournament
    assert (terms.kind, terms.entrants, terms.rounds, terms.games) == ("roundrobin", ("A", "B"), 1, 2)
    assert (terms.draws, terms.suspend_after, terms.stop_on_crash, terms.sprt) == ("half", 10, False, None)
    assert re.fullmatch("[0-9a-f]{32}", terms.seed)
    assert not found.typed_seed
    assert [bot.control.cap_text for bot in found.entrants] == ["60", "60"]
    assert plan(*bots(A, B)).tournament.seed != terms.seed


def test_a_typed_seed_is_called_one() -> None:
    found = plan(*bots(A, B), "--seed", "x")
    assert (found.tournament.seed, found.typed_seed) == ("x", True)


def test_times_are_those_of_all_unless_a_bot_has_its_own() -> None:
    found = plan(*bots(A + " cap=5", B + " clock=none"), "--each", "clock=10+0.1 cap=none")
    assert [(bot.control.clock_text, bot.control.cap_text) for bot in found.entrants] == [
        ("10+0.1", "5"),
        ("none", "none"),
    ]


def test_a_name_follows_from_the_seat() -> None:
    assert plan(*bots("plugin=random", "plugin=greedy")).tournament.entrants == ("random", "greedy")


def test_noswap_is_one_game_a_deal() -> None:
    assert plan(*bots(A, B), "--noswap").tournament.games == 1
    assert plan(*bots(A, B), "--games", "1").tournament.games == 1


def test_sprt_goes_on_until_decided_and_stops_on_crash() -> None:
    terms = plan(*bots(A, B), "--sprt", "elo0=0 elo1=5").tournament
    assert (terms.rounds, terms.stop_on_crash) == (None, True)
    terms = plan(*bots(A, B), "--sprt", "elo0=0 elo1=5", "--rounds", "9", "--no-stop-on-crash").tournament
    assert (terms.rounds, terms.stop_on_crash) == (9, False)
    assert plan(*bots(A, B), "--stop-on-crash").tournament.stop_on_crash


def test_tcp_bots_have_their_deals_once_unless_they_are_trusted() -> None:
    assert plan(*bots(A, TCP)).tournament.unswapped == {"T"}
    assert plan(*bots(A, TCP), "--trust-memory").tournament.unswapped == frozenset()


def test_seeds_of_each_kind() -> None:
    assert plan(*bots(A, B, C), "--tournament", "knockout").tournament.seeds == 3
    assert plan(*bots(A, B, C), "--tournament", "gauntlet").tournament.seeds == 1
    assert plan(*bots(A, B, C), "--tournament", "gauntlet", "--seeds", "2").tournament.seeds == 2


def test_the_pace_is_that_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    assert pace(*bots(A, B)) == Pace(3, 3, False)
    assert pace(*bots(A, B), "--concurrency", "2") == Pace(2, 2, False)
    assert pace(*bots(A, B), "--concurrency", "9", "--affinity") == Pace(9, 3, True)
    assert pace(*bots(A, B), "--concurrency", "2", "--workers", "5") == Pace(2, 2, False)
    assert pace(*bots(A, TCP)) == Pace(3, 1, False)


def test_deals_of_a_file_are_in_the_plan(tmp_path: Path) -> None:
    file = tmp_path / "deals"
    CliRunner().invoke(main, ["deals", "--count", "3", str(file)])
    found = plan(*bots(A, B), "--rounds", "3", "--deals", str(file))
    assert found.deals is not None and len(found.deals) == 3
    assert found.deals_hash is not None
    told = refused(*bots(A, B), "--rounds", "4", "--deals", str(file))
    assert "4 deals are wanted, and the file has 3: make one with `tyrusd deals --count 4`" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (bots(A, A), "two bots have the name A: give each its own with name="),
        (bots(A, "name=a plugin=greedy"), "two bots have the name a (the other is written A)"),
        (bots(A, "name=A tcp"), "two bots have the name A"),
        (bots(A, "name=B plugin=nosuch"), "--bot B: there is no plugin 'nosuch'"),
        (bots(A, "name=B exec=./nosuch"), "--bot B: the command './nosuch' was not found"),
        (bots(A, "name=B exec='./x \"'"), "close the quotes"),
        (bots(A, "name=B plugin=greedy level=3"), "level"),
        (bots(A, "name=B plugin=greedy clock=1"), "clock=1: a clock is"),
        ([*bots(A, B), "--each", "cap=0"], "cap=0: a cap is"),
        ([*bots(A, B), "--games", "2", "--noswap"], "--noswap and --games 2 say opposite things"),
        ([*bots(A, B), "--seed", ""], "--seed wants 1 to 64 printable ASCII characters"),
        ([*bots(A, B), "--seed", "ä"], "--seed wants 1 to 64 printable ASCII characters"),
        ([*bots(A, B, C), "--sprt", "elo0=0 elo1=5"], "--sprt is a test of two bots"),
        ([*bots(A, B), "--sprt", "elo0=0 elo1=5", "--tournament", "swiss"], "--sprt is a test of two bots"),
        ([*bots(A, B), "--sprt", "elo0=0"], "elo1= is missing"),
        ([*bots(A, B), "--seeds", "1"], "--seeds is for --tournament gauntlet or knockout"),
        ([*bots(A, B), "--swiss-rounds", "3"], "--swiss-rounds is for --tournament swiss"),
        ([*bots(A, B), "--tournament", "swiss", "--shard", "1/2"], "--shard needs pairings that are known"),
        ([*bots(A, B), "--shard", "1/2", "--sprt", "elo0=0 elo1=5"], "do not go together"),
        ([*bots(A, B), "--trust-memory"], "--trust-memory is for tcp bots, and there is none"),
        ([*bots(A, TCP), "--workers", "2"], "--workers: where a bot comes over tcp"),
        ([*bots(A, B), "--json", "--events", "-"], "--json and --events - both want stdout"),
        ([*bots(A, B), "--events", "no/dir/x"], "--events no/dir/x: there is no directory"),
        ([*bots(A, B), "--report", "."], "--report"),
        (
            [*bots(A, B), "--out", "x", "--report", "x/lock"],
            "the run keeps its own lock there",
        ),
        (
            [*bots(A, B), "--out", "x", "--events", "./x/ladder.json"],
            "keeps its own ladder.json there",
        ),
        ([*bots(A, B), "--events", "x", "--report", "./x"], "--events and --report name the same file"),
        (
            [*bots(A, B), "--resultformat", "elo,nosuch"],
            "--resultformat: 'nosuch' is no column; there are rank",
        ),
        ([*bots(A, B), "--resultformat", "elo,elo"], "--resultformat: a column is there twice"),
        ([*bots(A, B), "--deals", "nosuch"], "--deals nosuch cannot be read: No such file"),
        ([*bots(A, B), "nosuch.toml"], "nosuch.toml cannot be read: No such file"),
    ],
)
def test_what_does_not_fit_together_is_refused(words: list[str], told: str) -> None:
    assert told in refused(*words)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "a ladder wants two bots or more and no bot is given"),
        (bots(A), "a ladder wants two bots or more and one bot is given"),
        ([*bots(A, B), "--rounds", "0"], "--rounds"),
        ([*bots(A, B), "--rounds", "-1"], "--rounds"),
        ([*bots(A, B), "--games", "3"], "--games"),
        ([*bots(A, B), "--concurrency", "0"], "--concurrency"),
        ([*bots(A, B), "--tournament", "gauntlet", "--seeds", "2"], "with 2 bots a gauntlet has at most 1"),
        ([*bots(A, B), "--tournament", "knockout", "--seeds", "3"], "with 2 bots a knockout has at most 2"),
        ([*bots(A, B), "--shard", "3/2"], "'3/2' is not K/N"),
        ([*bots(A, B), "--tournament", "swiss", "--swiss-rounds", "0"], "--swiss-rounds"),
        ([*bots(A, B), "--shard", "0/2"], "'0/2' is not K/N"),
    ],
)
def test_row_47_numbers_of_bots_rounds_and_seeds_have_edges(words: list[str], told: str) -> None:
    assert told in refused(*words)


def test_with_resume_only_how_it_is_played_and_told_can_be_typed() -> None:
    for words in (["--rounds", "3"], bots(A), ["--seed", "x"], ["--suspend-after", "3"], ["--out", "x"]):
        assert f"{words[0]} cannot be given with --resume".replace("--no-stop", "--stop") in refused(
            "--resume", "nowhere", *words
        )
    assert {option.name for option in command.params} > WITH_RESUME


def test_a_directory_that_is_none_is_not_resumed(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["ladder", "--resume", str(tmp_path / "no")])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "there is no directory" in done.stderr


def test_a_directory_that_holds_something_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    done = CliRunner().invoke(main, ["ladder", *bots(A, B), "--out", str(tmp_path)])
    assert done.exit_code == 2
    assert "choose another" in done.stderr
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine"]


def test_without_the_extra_nothing_begins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from importlib import util

    monkeypatch.setattr(util, "find_spec", lambda name: None if name == "rich" else object())
    done = CliRunner().invoke(main, ["ladder", *bots(A, B), "--out", str(tmp_path / "run")])
    assert done.exit_code == 3
    assert done.stderr == "tyrusd: tyrusd ladder wants rich; needs: pip install 'tyrusd[ladder]'\n"
    assert not (tmp_path / "run").exists()


def test_the_sandbox_is_the_one_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    from tyrusd.commands.running import Missing
    from tyrusd.host import sandbox

    def none() -> sandbox.Sandbox:
        raise sandbox.NoSandbox("bubblewrap is not installed")

    monkeypatch.setattr(sandbox, "find", none)
    assert plan(*bots(A, B)).sandbox == "none"
    with pytest.raises(Missing, match="bubblewrap is not installed"):
        plan(*bots(A, B), "--sandbox", "bwrap")
    monkeypatch.setattr(sandbox, "find", lambda: sandbox.Sandbox("/usr/bin/bwrap"))
    assert plan(*bots(A, B)).sandbox == plan(*bots(A, B), "--sandbox", "bwrap").sandbox == "bwrap"
    assert plan(*bots(A, B), "--sandbox", "none").sandbox == "none"
