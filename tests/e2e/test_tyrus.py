"""A person plays whole games with `tyrus` against bots of a real server, knowing only their screen."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.cutting import way_to
from tests.e2e.serving import serving
from tests.e2e.typist import Typist, typing_into
from tyrusd.screen.lines import WIDTH

TYRUS = str(Path(sys.executable).with_name("tyrus"))


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    with serving(tmp_path / "data") as port:
        yield port


def is_asked(line: str) -> bool:
    return line.startswith("Your turn: ")


def is_over(line: str) -> bool:
    return line.endswith("wins the game.") or line in (
        "You win the game.",
        "You lose the game.",
        "The game is drawn.",
        "The game ends without a result.",
    )


def play_on(person: Typist) -> str:
    """Place the proposed tile whenever asked; return the line that tells the result."""
    while True:
        line = person.until(is_asked, is_over)
        if is_over(line):
            return line
        person.type(line.rsplit(": ", 1)[1])


@pytest.mark.parametrize("bot", ["random", "greedy", "cautious"])
def test_a_whole_game_against_a_house_bot(port: int, bot: str) -> None:
    with typing_into([TYRUS, f"127.0.0.1:{port}", "--name", "ann", "--play", bot]) as ann:
        result = play_on(ann)
        reason = ann.line()
        if result == "The game is drawn.":
            assert reason == "Both sides are equal to the end."
            assert ann.line().startswith("The next game begins: ")
        else:
            assert reason.endswith(("in a row.", "after nine elections.", "add up to more."))
            assert ann.line() == "For another game: play NAME, or seek."
        ann.type("quit")
        assert ann.rest().endswith("Goodbye.\n")
        assert ann.process.wait(60) == 0
    screen = "\n".join(ann.read)
    assert max(map(len, ann.read)) <= WIDTH
    assert "\x1b" not in screen
    assert f"against {bot}" in screen
    counted = re.findall(r"^Election (\d) is counted", screen, re.MULTILINE)
    assert counted == [str(number) for number in range(1, len(counted) + 1)]
    placed = re.findall(r"^You placed (\w+) in .* \((\w\w)\)\.$", screen, re.MULTILINE)
    typed = [tuple(line.upper().split()) for line in ann.typed if line != "quit"]
    assert placed == typed
    assert len(placed) in range(9, 28)


def test_the_lobby_from_a_pipe_that_ends(port: int) -> None:
    with typing_into([TYRUS, f"127.0.0.1:{port}", "--name", "ann"]) as ann:
        ann.type("who")
        ann.end()
        assert ann.rest().splitlines()[2:] == [
            "  ann (person, free)",
            "  cautious (bot, always ready)",
            "  greedy (bot, always ready)",
            "  random (bot, always ready)",
            "Goodbye.",
        ]
        assert ann.process.wait(60) == 0


def test_resigning_and_playing_again(port: int) -> None:
    with typing_into([TYRUS, f"127.0.0.1:{port}", "--name", "ann"]) as ann:
        for game in ("g1", "g2"):
            ann.type("play random ivory clock=none")
            assert ann.until(lambda line: line.startswith("Game ")) == (
                f"Game {game}: you play Ivory against random. No clock."
            )
            ann.until(lambda line: line.startswith("Your hand"))
            ann.type("resign")
            assert ann.until(is_over) == "You lose the game."
            assert ann.line() == "Ivory resigned."


def test_a_game_survives_a_broken_connection(port: int) -> None:
    with way_to(port) as way, typing_into([TYRUS, f"127.0.0.1:{way.port}", "--name", "ann"]) as ann:
        ann.type("play greedy clock=none")
        ann.until(is_asked)
        hand = ann.read[-2]
        way.cut()
        ann.until(lambda line: line.startswith("The connection broke. Trying to take your seat again"))
        ann.until(lambda line: line == "You are back.")
        asked = ann.until(is_asked)
        assert ann.read[-2] == hand
        ann.type(asked.rsplit(": ", 1)[1])
        assert is_over(play_on(ann))


def test_a_connection_that_breaks_at_once_again_is_taken_up_after_a_pause(port: int) -> None:
    with way_to(port) as way, typing_into([TYRUS, f"127.0.0.1:{way.port}", "--name", "ann"]) as ann:
        ann.type("play greedy clock=none")
        ann.until(is_asked)
        way.cut()
        ann.until(lambda line: line == "You are back.")
        way.cut()
        ann.until(lambda line: line == "No way in yet. The next attempt is in 1 s.")
        ann.until(lambda line: line == "You are back.")
        ann.until(is_asked)


def test_a_terminal_gets_plain_lines_and_ctrl_d_says_quit(port: int) -> None:
    keyboard, terminal = pty.openpty()
    try:
        command = [TYRUS, f"127.0.0.1:{port}", "--name", "ann"]
        with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal) as process:
            os.close(terminal)
            screen = read_terminal(keyboard, "You are ann.")
            os.write(keyboard, b"who\n")
            screen += read_terminal(keyboard, "random (bot, always ready)")
            os.write(keyboard, b"\x04")
            screen += read_terminal(keyboard, "Goodbye.")
            assert process.wait(60) == 0
    finally:
        os.close(keyboard)
    assert "\x1b" not in screen
    assert "Traceback" not in screen


def read_terminal(keyboard: int, awaited: str) -> str:
    """What a terminal shows up to the first output that holds the words waited for."""
    shown = ""
    while awaited not in shown:
        shown += os.read(keyboard, 4096).decode("utf-8")
    return shown


def test_ctrl_c_ends_the_client_with_status_130(port: int) -> None:
    with typing_into([TYRUS, f"127.0.0.1:{port}", "--name", "ann"]) as ann:
        ann.until(lambda line: line.startswith("You are ann."))
        ann.process.send_signal(signal.SIGINT)
        assert ann.rest() == ""
        assert ann.process.wait(60) == 130


def test_a_server_that_closes_says_so(tmp_path: Path) -> None:
    with serving(tmp_path / "other") as port:
        person = typing_into([TYRUS, f"127.0.0.1:{port}", "--name", "ann"])
        ann = person.__enter__()
        ann.until(lambda line: line.startswith("You are ann."))
    try:
        assert ann.rest().endswith("The server has closed.\n")
        assert ann.process.wait(60) == 1
    finally:
        person.__exit__(None, None, None)
