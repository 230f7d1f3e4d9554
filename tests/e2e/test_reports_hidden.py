"""A bot that writes down every byte that it gets learns nothing of the other side's hidden tiles."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.host.daemons import ROOT
from tyrusd.league.framing import read_frames
from tyrusd.rules.deal import Deal
from tyrusd.rules.game import Game
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import KIND_OF_LETTER, SIDE_OF_LETTER, TILE_NAMED, Building, Side, Tile
from tyrusd.rules.view import view

FACE: Final = re.compile(r"(?<![A-Za-z])[SMP](?:10|[1-9])(?![0-9])")
SIDES: Final = {"ivory": Side.IVORY, "brown": Side.BROWN}
# It needs nothing but Python, and asks for everything there is.
LISTENER: Final = """
import sys
log = open(sys.argv[1], "ab", buffering=0)
def read():
    line = sys.stdin.buffer.readline()
    log.write(line)
    return line.decode().split()
read()
sys.stdout.write("hello 0.1 me bot games=4 want=events,full\\n")
sys.stdout.flush()
while words := read():
    if words[0] == "choose":
        keys = dict(word.split("=", 1) for word in words if "=" in word)
        number = int(words[2])
        tile = keys["hand"].split(",")[number * 7 % len(keys["hand"].split(","))]
        building = ("IC", "BM", "IT", "BC", "IM", "BT")[number * 5 % 6]
        sys.stdout.write(f"place {words[1]} {number} {tile} {building}\\n")
        if number % 8 == 0:
            sys.stdout.write(f"look {words[1]}\\n")
        sys.stdout.flush()
"""


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """What each bot of a match was sent, and the records of its games by their ids."""
    directory = tmp_path_factory.mktemp("match")
    (directory / "listener.py").write_text(LISTENER)
    seats = [
        f"exec:{sys.executable} -I -S {directory}/listener.py {directory}/{name}" for name in ("one", "two")
    ]
    record = directory / "record.tyrus"
    words = [sys.executable, "-m", "tyrusd", "match", *seats, "--games", "5", "--record", str(record)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    games = {
        payload["id"]: payload["game"]
        for _, payload in read_frames(record.read_bytes())
        if payload["kind"] == "game"
    }
    logs = {name: (directory / name).read_text("ascii").splitlines() for name in ("one", "two")}
    return logs, games


def deal_of(game: dict[str, Any]) -> Deal:
    deal = game["deal"]
    cards = tuple(KIND_OF_LETTER[letter] for letter in deal["cards"])
    ivory, brown = (tuple(TILE_NAMED[name] for name in deal[side]) for side in ("ivory", "brown"))
    return Deal(cards, ivory, brown, SIDES[deal["opener"]])


def positions(game: dict[str, Any]) -> Iterator[Game]:
    """The game before each placement, and at its end; always the same object, played on."""
    played = Game(deal_of(game))
    yield played
    for side, tile, building in game["placements"]:
        played.place(SIDES[side], TILE_NAMED[tile], Building[building])
        yield played


def turned_up(game: dict[str, Any]) -> set[tuple[Side, Tile]]:
    """All tiles that were shown to both sides during the game."""
    *_, played = positions(game)
    return {(seen.side, seen.tile) for group in played.past for seen in group if seen.tile is not None}


def told(line: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in line.split() if "=" in word)


def leaks(lines: list[str], games: dict[str, Any]) -> list[str]:
    """The lines of one seat that name a tile which it may not know."""
    sides = {line.split()[1]: line.split()[2] for line in lines if line.startswith("start ")}
    found = []
    for line in lines:
        verb, game, *words = line.split()
        if not FACE.search(line):
            continue
        own = sides[game]
        if verb in ("choose", "snapshot"):
            board = told(line)["board"]
            shown = [] if board == "-" else [entry.split(".") for entry in board.split(",")]
            fine = all((face == "?") == (side != own) for *_, side, face in shown)
        elif verb == "revealed":
            shown = [entry.split(".") for entry in words[2].split(",")]
            up = turned_up(games[game])
            fine = all((SIDE_OF_LETTER[side], TILE_NAMED[face]) in up for *_, side, face in shown)
        elif verb == "remaining":
            fine = games[game]["reason"] in ("remaining-tiles", "drawn")
        else:
            fine = verb in ("placed", "drew") and words[1] == own
        if not fine:
            found.append(line)
    return found


def test_f097_no_line_names_a_tile_of_the_other_side_before_its_reveal(
    heard: tuple[dict[str, list[str]], dict[str, Any]],
) -> None:
    """throneteki/throneteki#5: cards that lay face down were sent with what they were."""
    logs, games = heard
    for lines in logs.values():
        assert leaks(lines, games) == []
        assert sum(line.startswith("revealed ") and FACE.search(line) is not None for line in lines) > 30
    ends = {game["reason"] for game in games.values()}
    assert ends <= {"majority", "three-in-a-row", "remaining-tiles", "drawn"}


def test_f097_control_a_single_face_too_many_is_found(
    heard: tuple[dict[str, list[str]], dict[str, Any]],
) -> None:
    """The search above finds one tile that is named instead of hidden, wherever that is."""
    logs, games = heard
    lines = logs["one"]
    for verb in ("placed", "choose", "drew"):
        at = next(at for at, line in enumerate(lines) if line.startswith(f"{verb} ") and "?" in line)
        assert leaks([*lines[:at], lines[at].replace("?", "S1", 1), *lines[at + 1 :]], games)


def test_f097_every_picture_is_exactly_what_its_seat_may_know(
    heard: tuple[dict[str, list[str]], dict[str, Any]],
) -> None:
    """throneteki/throneteki#5: cards that lay face down were sent with what they were."""
    logs, games = heard
    compared = 0
    for lines in logs.values():
        for name, game in games.items():
            start = next(line for line in lines if line.startswith(f"start {name} "))
            side = SIDE_OF_LETTER[start.split()[2]]
            pictures = {
                int(line.split()[2]): line[line.index("side=") :]
                for line in lines
                if line.startswith(f"choose {name} ")
            }
            for number, played in enumerate(positions(game), 1):
                if number in pictures:
                    assert read_view(pictures[number]) == view(played, side)
                    compared += 1
    assert compared == sum(len(game["placements"]) for game in games.values())
