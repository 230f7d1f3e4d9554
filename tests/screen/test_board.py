"""A position is drawn as it is: the same text for the same sightline, within the terminal, in plain ASCII."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.screen.games import VIEWERS, place_one, played
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import Side
from tyrusd.rules.view import view
from tyrusd.screen.board import ask, draw_hand, draw_position, draw_score
from tyrusd.screen.clocks import Clocks, duration
from tyrusd.screen.lines import WIDTH
from tyrusd.screen.texts import LANGUAGES

TEXTS = LANGUAGES["en"]
POSITIONS = sorted((Path(__file__).parent / "positions").glob("*.txt"))
LONGEST_NAME = "N" * 32


def read_clocks(word: str) -> Clocks | None:
    if word == "-":
        return None
    ivory, brown = (None if time == "none" else int(time) for time in word.split(","))
    return Clocks(ivory, brown)


@pytest.mark.parametrize("file", POSITIONS, ids=lambda file: str(file.stem))
def test_a_position_is_drawn_as_it_was_approved(file: Path) -> None:
    sightline, clocks, empty, drawing = file.read_text("utf-8").split("\n", 3)
    assert empty == ""
    drawn = draw_position(
        read_view(sightline), TEXTS, read_clocks(clocks.removeprefix("clocks=")), ("ann", "greedy")
    )
    assert drawn + "\n" == drawing


def test_there_are_positions_for_each_kind_of_viewer() -> None:
    assert len(POSITIONS) == 4
    sides = {file.read_text("utf-8").split(" ", 1)[0] for file in POSITIONS}
    assert sides == {"side=I", "side=B", "side=-"}


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("viewer", VIEWERS)
def test_every_position_of_a_game_fits_the_terminal(number: int, viewer: Side | None) -> None:
    game = played(number, 0)
    chance = Random(number)
    clocks = Clocks(359_999_000, None)
    while game.outcome is None:
        drawn = draw_position(view(game, viewer), TEXTS, clocks, (LONGEST_NAME, LONGEST_NAME))
        assert drawn.isascii()
        assert max(map(len, drawn.split("\n"))) <= WIDTH
        place_one(game, chance)


@pytest.mark.parametrize("placements", [0, 7, 26, 41])
def test_a_drawing_shows_own_tiles_by_name_and_the_enemys_only_by_side(placements: int) -> None:
    game = played(5, placements)
    rows = draw_position(view(game, Side.BROWN), TEXTS, None, ("ann", "bob")).split("\n")
    # The tiles of the two rows of buildings, after the short names of the buildings and the labels.
    board = " ".join(rows[3 : rows.index("", 3)]).replace("Brown, you", "").replace("Ivory", "")
    shown = sorted(word for word in board.split() if not word.endswith(":") and word != "-")
    laid = [str(seen.tile) if seen.side is Side.BROWN else "I?" for seen in game.board]
    assert shown == sorted(laid)


def test_tiles_of_one_building_stand_in_the_order_in_which_they_were_placed() -> None:
    sightline = (
        "side=I variant=standard opener=I election=1 turn=5 move=I kind=M cards=M won=- "
        "hand=S1,S2,S3,S4,S5,S6,S7 reserve=21 board=IC.1.1.I.P9,IC.1.2.B.?,IC.1.3.I.M2,BT.1.4.B.? past=-"
    )
    drawn = draw_position(read_view(sightline), TEXTS, None, ("ann", "bob"))
    assert "IC: P9 B? M2 " in drawn
    assert "BT: B?" in drawn


def test_the_example_of_a_placement_is_one_the_player_could_make() -> None:
    game = played(3, 14)
    side = game.to_move
    assert side is not None
    tile, building = ask(view(game, side), TEXTS).rsplit(": ", 1)[1].upper().split()
    assert tile in {str(tile) for tile in game.hand(side)}
    assert building == f"{side.letter}{game.kind.letter}"


def test_what_is_asked_depends_on_whose_turn_it_is() -> None:
    game = played(3, 14)
    side = game.to_move
    assert side is not None
    waiting = f"{TEXTS.side(side)} is to place a tile."
    assert ask(view(game, side.other), TEXTS) == waiting
    assert ask(view(game, None), TEXTS) == waiting
    assert ask(view(played(3), side), TEXTS) == "The game is over."


def test_an_empty_hand_and_a_score_have_words() -> None:
    assert draw_hand((), TEXTS) == "none"
    winners = (Side.IVORY, None, Side.BROWN, Side.IVORY)
    assert draw_score(winners, TEXTS) == "Representatives: Ivory 2, Brown 1, null 1."


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (None, "no limit"),
        (0, "0:00"),
        (999, "0:00"),
        (1000, "0:01"),
        (59_999, "0:59"),
        (60_000, "1:00"),
        (3_599_999, "59:59"),
        (3_600_000, "1:00:00"),
        (36_061_000, "10:01:01"),
    ],
)
def test_times_are_shown_rounded_down(milliseconds: int | None, text: str) -> None:
    assert duration(milliseconds, TEXTS) == text
