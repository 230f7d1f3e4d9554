"""`tyrusd match` as a process: results, faults of bots, refusals, signals."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.host.daemons import ROOT, Peer, lines_with, run, running
from tyrusd.league.record import whole_frames
from tyrusd.league.replay import verify

FAULT = f"exec:{sys.executable} -S -E tests/host/bots/fault.py"
GOOD = "exec:python3 clients/samples/python/bot.py"


def match(*words: str) -> tuple[dict[str, Any], str]:
    """Play a match to its end; its JSON object and what it said beside."""
    found = run("match", *words, "--json")
    assert found.returncode == 0, found.stderr
    result: dict[str, Any] = json.loads(found.stdout)
    return result, found.stderr


def test_the_result_is_one_json_object() -> None:
    options = ("--games", "4", "--seed", "a seed", "--clock", "60+1", "--move-cap", "none")
    result, _ = match(FAULT, GOOD, *options)
    assert list(result) == [
        "games", "played", "complete", "seed", "variant", "clock", "move_cap", "ponder", "seats", "endings",
    ]  # fmt: skip
    assert (result["games"], result["played"], result["complete"]) == (4, 4, True)
    assert (result["seed"], result["variant"]) == ("a seed", "standard")
    assert (result["clock"], result["move_cap"]) == ("60+1", "none")
    one, two = result["seats"]
    assert (one["name"], one["seat"], two["name"], two["seat"]) == ("fault", FAULT, "bot", GOOD)
    for seat in (one, two):
        assert seat["wins"] + seat["losses"] + seat["draws"] == 4
        assert seat["points"] == seat["wins"] + seat["draws"] / 2
        for side in ("ivory", "brown"):
            assert sum(seat[side][key] for key in ("wins", "losses", "draws")) == 2
    assert (one["wins"], one["draws"]) == (two["losses"], two["draws"])
    assert sum(result["endings"].values()) == 4


def test_the_same_seed_gives_the_same_games(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one", "two", "three")]
    for file, seed, more in zip(files, ("s", "s", "t"), ((), ("--concurrency", "3"), ()), strict=True):
        match(FAULT, GOOD, "--games", "4", "--seed", seed, "--record", str(file), *more)
    games = [exported(file) for file in files]
    assert games[0] == games[1]
    assert games[0] != games[2]  # control


def exported(file: Path) -> dict[int, dict[str, Any]]:
    """The games of a record by number, without what depends on the clock."""
    games = [json.loads(line) for line in run("export", str(file), "--json").stdout.splitlines()]
    return {game["game"]: {key: value for key, value in game.items() if key != "timing"} for game in games}


def test_without_a_seed_128_bits_are_drawn_and_told() -> None:
    seeds = {match(FAULT, GOOD)[0]["seed"] for _ in range(2)}
    assert len(seeds) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", seed) for seed in seeds)


def test_the_table_tells_seats_sides_endings_and_seed() -> None:
    found = run("match", FAULT, GOOD, "--games", "2", "--seed", "told")
    assert found.returncode == 0
    lines = found.stdout.splitlines()
    assert lines[0].split() == ["seat", "side", "points", "wins", "losses", "draws"]
    assert [line.split()[0] for line in lines[1:7]] == ["fault", "ivory", "brown", "bot", "ivory", "brown"]
    assert lines[7].startswith("endings: ")
    assert lines[8:] == ["games: 2 of 2 finished, variant standard, seed told"]
    warning = "tyrusd: this runs as root, and so do its bots: use an account of the system without rights\n"
    assert found.stderr == f"{warning if os.geteuid() == 0 else ''}1 of 2 games\n2 of 2 games\n"


def test_a_game_lost_by_a_fault_ends_with_how_to_ask_why(tmp_path: Path) -> None:
    found = run("match", f"{FAULT} exit-1 5", GOOD)
    assert found.stdout.endswith("\nwhy a game was lost: add --record FILE to keep what was said\n")
    file = tmp_path / "kept"
    found = run("match", f"{FAULT} exit-1 5", GOOD, "--record", str(file))
    assert found.stdout.endswith(f"\nwhy a game was lost: tyrusd why GAME --record {file}\n")


def test_equal_names_are_told_apart() -> None:
    result, _ = match(FAULT, FAULT)
    assert [seat["name"] for seat in result["seats"]] == ["fault", "fault-2"]


@pytest.mark.parametrize(
    ("fault", "reason", "sentence"),
    [
        ("exit-0", "crashed", r"crashed \(.*0\)$"),
        (
            "exit-1",
            "crashed",
            r"crashed \(.*1\); its error output: Traceback .* \.\.\. RuntimeError: it cannot",
        ),
        ("segv", "crashed", r"crashed \(.*11.*SIGSEGV.*\)"),
        ("kill", "crashed", r"crashed \(.*9.*SIGKILL.*\)"),
        ("grandchild", "crashed", r"crashed \(.*4\)"),
        ("illegal", "illegal", r"illegal"),
        ("garbage", "protocol", r"protocol"),
        ("long", "protocol", r"protocol \(line-too-long\)"),
    ],
)
def test_row_35_and_38_a_fault_loses_its_game_and_the_match_goes_on(
    fault: str, reason: str, sentence: str
) -> None:
    result, told = match(f"{FAULT} {fault} 5", GOOD, "--games", "3", "--concurrency", "1")
    assert result["played"] == 3
    assert result["endings"][reason] >= 1
    [first, *_] = lines_with(told, f"lost, {reason}")
    assert re.search(rf"^tyrusd: game 1: fault \((ivory|brown)\) lost, {sentence}", first)
    assert result["seats"][0]["losses"] >= result["endings"][reason]


def test_row_37_a_bot_that_hangs_loses_on_time_and_delays_nobody(tmp_path: Path) -> None:
    began = time.monotonic()
    result, told = match(f"{FAULT} hang 5", GOOD, "--move-cap", "0.5", "--record", str(tmp_path / "record"))
    assert result["endings"] == {"timeout": 1}
    assert "lost, timeout (move-cap)" in told
    # Half a second on the clock, then one for its goodbye and two between TERM and KILL.
    assert time.monotonic() - began < 8


def test_f012_a_megabyte_of_error_output_is_no_fault() -> None:
    """grantiva/cli#63: error output that nobody read filled its pipe, and its writer waited for ever."""
    result, told = match(f"{FAULT} flood 1", GOOD, "--move-cap", "5")
    assert set(result["endings"]) <= {"three-in-a-row", "majority", "remaining-tiles", "drawn"}
    assert "xxx" not in told


def test_f018_a_slow_hello_in_pieces_with_crlf_is_no_fault() -> None:
    """nguyenpham/Banksia#6: engines that were slow to begin were never asked, and all lost on time."""
    result, _ = match(f"{FAULT} late-hello", GOOD, "--move-cap", "0.5")
    assert set(result["endings"]) <= {"three-in-a-row", "majority", "remaining-tiles", "drawn"}


def test_a_bot_with_fewer_games_than_the_concurrency_gets_more_processes() -> None:
    result, _ = match(f"{FAULT} one-game", GOOD, "--games", "6", "--concurrency", "3")
    assert (result["played"], result["complete"]) == (6, True)


@pytest.mark.parametrize(
    ("seat", "sentence"),
    [
        (f"{FAULT} early-exit", r"exit status 1.*it does not like the weather"),
        (f"exec:{sys.executable} nosuch.py", r"exit status 2.*can't open file"),
        ("exec:true", "exit status 0"),
    ],
)
def test_row_36_a_bot_that_never_gets_ready_is_a_failure_without_games(seat: str, sentence: str) -> None:
    found = run("match", seat, GOOD, "--games", "3", "--json")
    assert found.returncode == 1
    assert re.search(f"cannot play: .*{sentence}", found.stderr)
    result = json.loads(found.stdout)
    assert (result["played"], result["complete"], result["endings"]) == (0, False, {})
    assert "Traceback" not in found.stderr


def test_row_36_a_file_that_cannot_run_is_a_failure(tmp_path: Path) -> None:
    script = tmp_path / "bot"
    script.write_text("no first line\n")
    script.chmod(0o755)
    found = run("match", f"exec:{script}", GOOD)
    assert found.returncode == 1
    assert "Exec format error (a script needs a first line such as #!" in found.stderr
    assert found.stdout.startswith("games: 0 of 1")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["plugin:nosuch", GOOD], r"no plugin 'nosuch'; installed are: .*random.*`tyrusd plugins`"),
        ([GOOD, "exec:./nosuch"], r"'\./nosuch' was not found"),
        ([GOOD, "exec:nosuch-program"], "'nosuch-program' was not found on PATH"),
        ([GOOD, "nonsense"], "'nonsense' is not a seat: write plugin:NAME, exec:COMMAND LINE or tcp:NAME"),
        ([GOOD, "tcp:no name"], "tcp: wants a name"),
        ([GOOD], "Missing argument|takes 2 values"),
        ([GOOD, GOOD, GOOD], "unexpected extra argument"),
        ([GOOD, GOOD, "--games", "0"], "--games"),
        ([GOOD, GOOD, "--games", "1_0"], "--games"),
        ([GOOD, GOOD, "--games", "+7"], "--games"),
        ([GOOD, GOOD, "--concurrency", "0"], "--concurrency"),
        ([GOOD, GOOD, "--wait", "nan"], "--wait"),
        ([GOOD, GOOD, "--wait", "0"], "--wait"),
        ([GOOD, GOOD, "--variant", "nosuch"], "'standard', 'replay-ties'"),
        ([GOOD, GOOD, "--clock", "5"], r'a clock is "none" or BASE\+INCREMENT'),
        ([GOOD, GOOD, "--clock", "0+0"], "base 0.1 to 1000000"),
        ([GOOD, GOOD, "--move-cap", "0"], 'a cap is "none" or seconds'),
        ([GOOD, GOOD, "--seed", ""], "--seed wants 1 to 64 printable ASCII"),
        ([GOOD, GOOD, "--seed", "x" * 65], "--seed wants 1 to 64 printable ASCII"),
        ([GOOD, GOOD, "--seed", "é"], "--seed wants 1 to 64 printable ASCII"),
        ([GOOD, GOOD, "--record", "README.md"], "README.md exists already"),
        ([GOOD, GOOD, "--nosuch"], "No such option"),
        (["tcp:a", GOOD, "--listen", "nonsense"], "not HOST:PORT"),
        (["tcp:a", GOOD, "--listen", "0.0.0.0:0"], "not encrypted.*--allow-plaintext"),
    ],
)
def test_row_57_what_cannot_be_done_is_refused_before_anything_is_started(
    words: list[str], sentence: str
) -> None:
    found = run("match", *words)
    assert found.returncode == 2
    assert re.search(sentence, found.stderr, re.DOTALL)
    assert found.stdout == ""
    assert "Traceback" not in found.stderr


def test_row_52_a_port_in_use_is_a_failure() -> None:
    with running("match", "tcp:a", GOOD) as first:
        port = first.line().split()[2]
        for words in (("match", "tcp:a", GOOD), ("check", "tcp:a")):
            found = run(*words, "--listen", f"127.0.0.1:{port}")
            assert found.returncode == 1
            assert f"port {port} on 127.0.0.1 is in use" in found.stderr
            assert "another port with --listen (0" in found.stderr and "--port" not in found.stderr


def play(peer: Peer, name: str, key: str) -> list[str]:
    """Play the first tile until the end of the connection; the results that were told."""
    peer.until("greeting")
    peer.say(f"hello 0.1 {name} bot key={key} games=4")
    told = []
    while (line := peer.until("choose", "over", "bye")).split()[0] != "bye":
        words = line.split()
        if words[0] == "over":
            told.append(words[4])
        else:
            hand = next(word for word in words if word.startswith("hand="))[5:].split(",")
            peer.say(f"place {words[1]} {words[2]} {hand[0]} BT")
    return [*told, line]


@pytest.mark.parametrize("as_json", [False, True])
def test_a_tcp_seat_is_taken_with_its_key(as_json: bool) -> None:
    with running("match", "tcp:alice", GOOD, "--games", "3", *(["--json"] if as_json else [])) as found:
        stream = found.process.stderr if as_json else found.process.stdout
        assert stream is not None
        listening = stream.readline().split()
        while listening and listening[0] == "tyrusd:":  # it may warn of root first
            listening = stream.readline().split()
        seat = stream.readline().split()
        assert (listening[0], listening[1]) == ("listening", "127.0.0.1")
        assert (seat[0], seat[1], seat[2]) == ("seat", "alice", "key")
        address = (listening[1], int(listening[2]))
        with Peer(address) as wrong:
            wrong.until("greeting")
            wrong.say("hello 0.1 alice bot key=wrong")
            assert wrong.until("error").startswith("error auth ")
        with Peer(address) as peer:
            told = play(peer, "alice", seat[3])
        assert len(told) == 4
        assert told[-1].startswith("bye bye :All games of this match are played")
        code, out, err = found.end()
        assert code == 0
        assert "tyrusd: somebody came from 127.0.0.1 with a wrong key for a seat" in err
        if as_json:
            assert json.loads(out)["played"] == 3
        else:
            assert "games: 3 of 3" in out


def test_a_tcp_seat_that_nobody_takes_ends_the_match() -> None:
    found = run("match", "tcp:alice", GOOD, "--wait", "0.2")
    assert found.returncode == 1
    assert "nobody took the seat alice with its key within 0.2 s" in found.stderr


def test_the_keys_of_two_seats_differ_and_are_long() -> None:
    with running("match", "tcp:a", "tcp:b") as found:
        found.line()
        keys = [found.line().split()[3] for _ in range(2)]
        assert len(set(keys)) == 2
        assert all(len(key) == 43 for key in keys)  # 256 bits


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_row_56_a_signal_aborts_the_match(number: signal.Signals, tmp_path: Path) -> None:
    record = tmp_path / "record"
    with running("match", FAULT, GOOD, "--games", "100000", "--json", "--record", str(record)) as found:
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and (not record.exists() or record.stat().st_size < 20_000):
            time.sleep(0.01)
        found.signal(number)
        began = time.monotonic()
        code, out, err = found.end()
    assert code == 130
    assert time.monotonic() - began < 5
    result = json.loads(out)
    # At most one game ran; the signal may also have come between two.
    assert (result["complete"], result["endings"].get("aborted", 0) <= 1) == (False, True)
    assert 1 < result["played"] < 100_000
    assert "interrupted" in err
    frames, tail = whole_frames(record.read_bytes())
    assert tail is None
    ended = [payload for _, payload in frames if payload["kind"] == "game"]
    assert len(ended) == result["played"]


def test_a_record_holds_every_game_and_is_true(tmp_path: Path) -> None:
    file = tmp_path / "games"
    result, _ = match(FAULT, GOOD, "--games", "5", "--concurrency", "2", "--record", str(file))
    frames, tail = whole_frames(file.read_bytes())
    games = [payload for _, payload in frames if payload["kind"] == "game"]
    assert (tail, len(games)) == (None, result["played"])
    for game in games:
        verify(game)
    assert sorted(game["game"]["number"] for game in games) == [1, 2, 3, 4, 5]
    for game in games:  # seat 1 is Ivory in odd games
        ivory = "fault" if game["game"]["number"] % 2 else "bot"
        assert game["game"]["seats"]["ivory"] == ivory


def test_replay_ties_is_played_by_its_rules(tmp_path: Path) -> None:
    file = tmp_path / "games"
    result, _ = match(FAULT, FAULT, "--games", "10", "--variant", "replay-ties", "--record", str(file))
    assert result["variant"] == "replay-ties"
    frames, _ = whole_frames(file.read_bytes())
    heads = [payload["game"] for _, payload in frames if payload["kind"] != "placed"]
    assert {head["variant"] for head in heads} == {"replay-ties"}


def test_a_relative_command_works_from_any_directory(tmp_path: Path) -> None:
    bot = tmp_path / "mybot"
    bot.write_text((ROOT / "clients" / "samples" / "python" / "bot.py").read_text())
    bot.chmod(0o755)
    found = run("match", "exec:./mybot", "exec:./mybot", "--json", cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert [seat["name"] for seat in json.loads(found.stdout)["seats"]] == ["mybot", "mybot-2"]
