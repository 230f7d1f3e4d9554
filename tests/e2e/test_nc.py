"""A person with nothing but `nc` and protocol.md plays a whole game against a house bot of a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.serving import serving
from tests.e2e.typist import Typist, typing_into
from tests.tools import require_tool

# What the page says of the tiles, the buildings and the ends of a game that is played out.
TILES = {f"{letter}{number}" for letter in "SMP" for number in range(1, 11)}
PLAYED_OUT = {"three-in-a-row", "majority", "remaining-tiles", "drawn"}


@pytest.fixture
def anna(tmp_path: Path) -> Iterator[Typist]:
    """Somebody at `nc`, who has read the greeting."""
    nc = require_tool("nc")
    with serving(tmp_path / "data") as port, typing_into([nc, "127.0.0.1", str(port)]) as anna:
        assert anna.line().startswith("greeting 0.1 tyrusd/")
        yield anna


def keys(line: str) -> dict[str, str]:
    """The `key=value` words of a line without a text."""
    return dict(word.split("=", 1) for word in line.split(" ") if "=" in word)


def answer(request: str) -> str:
    """Any tile of the hand into one's own building of this election, as the page's minimal bot does."""
    _, game, number, *_ = request.split(" ")
    seen = keys(request)
    return f"place {game} {number} {seen['hand'].split(',')[0]} {seen['side']}{seen['kind']}"


def asks(line: str) -> bool:
    return line.startswith("choose ")


def ends(line: str) -> bool:
    return line.startswith("over ")


@pytest.mark.parametrize("bot", ["random", "greedy", "cautious"])
def test_a_whole_game_typed_into_nc(anna: Typist, bot: str) -> None:
    anna.type("hello 0.1 anna human")
    assert anna.line().startswith("welcome anna human secret=")
    anna.type(f"play {bot} side=B clock=none")
    assert anna.until(lambda line: line.startswith("start ")).startswith(f"start g1 B anna {bot} ")
    placements = 0
    while True:
        line = anna.until(asks, ends)
        if ends(line):
            break
        seen = keys(line)
        assert set(seen["hand"].split(",")) <= TILES
        assert int(line.split(" ")[2]) == 6 * (int(seen["election"]) - 1) + int(seen["turn"])
        anna.type(answer(line))
        placements += 1
    _, game, _sequence, winner, reason, *_ = line.split(" ")
    assert game == "g1"
    assert reason in PLAYED_OUT
    assert (winner == "-") == (reason == "drawn")
    assert 9 <= placements <= 27
    assert not any(line.startswith(("error", "bye")) for line in anna.read)
    anna.type("quit")
    assert anna.until(lambda line: line.startswith("bye ")).startswith("bye bye :")
    anna.end()  # `nc` waits for Ctrl-D, although the other side has closed
    assert anna.rest() == ""
    assert anna.process.wait(60) == 0


def test_typing_errors_cost_nothing_and_say_what_was_expected(anna: Typist) -> None:
    anna.type("hello")
    assert anna.line().startswith("error syntax retry re=hello :")
    anna.type("hello 0.1 anna human")
    assert anna.line().startswith("welcome ")
    anna.type("play random side=I clock=none")
    request = anna.until(asks)
    opener = int(request.split(" ")[2])
    right = answer(request)
    for wrong, code in (
        (right.lower(), "error syntax retry re=place :"),
        (right.replace("place", "put"), "error syntax retry :"),
        (right + " ", "error syntax retry re=place :"),
        ("", "error syntax retry :"),
        ("place g1 54 S1 IC", "error not-your-turn ignored re=place game=g1 request=54 :"),
    ):
        anna.type(wrong)
        refusal = anna.line()
        assert refusal.startswith(code)
        assert len(refusal.split(" :", 1)[1]) > 10, "a sentence says what to do"
    anna.type(f"{right} tag=mine")
    assert anna.until(lambda line: line.startswith("ok tag=mine")) == "ok tag=mine re=place"
    later = anna.until(asks)
    assert int(later.split(" ")[2]) == opener + 2
    placed = right.split(" ")[3:]
    assert f"{placed[1]}.1.{opener}.I.{placed[0]}" in keys(later)["board"].split(",")
