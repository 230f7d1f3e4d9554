"""Each habit of `cautious` in a named position: it counters, blocks, concedes cheaply, bluffs."""

from __future__ import annotations

import pytest

from tests.plugins.arena import bot
from tests.plugins.positions import answers
from tyrusd_bundled.cautious import placing

choose = bot("cautious")
choose_with = placing.choose

# Third election, at the markets; one representative each. Twelve merchants lie in our market and one turn
# is left. Priests block merchants, soldiers counter priests.
THIRD = "side=I variant=standard opener=I election=3 turn=5 move=I kind=M cards=TCM won=BI"
HAND = "hand=S3,S7,M1,M4,P2,P4,P9 reserve=15"
TWO_IN_OUR_MARKET = "board=IM.3.1.I.M9,IM.3.2.B.?,IM.3.3.I.M3,IM.3.4.B.? past=-/-"
TWO_IN_THEIR_MARKET = "board=IM.3.1.I.M9,BM.3.2.B.?,IM.3.3.I.M3,BM.3.4.B.? past=-/-"


def test_it_counters_enemy_tiles_in_its_own_building() -> None:
    """What the enemy lays in our market is probably priests: the seven soldiers meet them there."""
    assert answers(choose, f"{THIRD} {HAND} {TWO_IN_OUR_MARKET}") == {"S7 IM": 100}


def test_it_blocks_what_it_expects_in_the_enemys_building() -> None:
    """The same election, but the enemy's two tiles are in its own market: merchants to block."""
    assert answers(choose, f"{THIRD} {HAND} {TWO_IN_THEIR_MARKET}") == {"P9 BM": 100}


def test_it_concedes_cheaply() -> None:
    """Three enemy tiles in its market, none of ours that count, and the last turn.

    Not even nine priests can win this: the lowest priest goes to our temple, where it will vote.
    """
    line = (
        "side=I variant=standard opener=B election=3 turn=6 move=I kind=M cards=TCM won=IB "
        "hand=S3,S7,M4,M5,P2,P4,P9 reserve=15 "
        "board=BM.3.1.B.?,BT.3.2.I.P7,BM.3.3.B.?,IC.3.4.I.S9,BM.3.5.B.? past=-/-"
    )
    assert answers(choose, line) == {"P2 IT": 100}


BEATEN_BEFORE_IT_BEGINS = (
    "side=I variant=standard opener=I election=3 turn={turn} move=I kind=M cards=TCM won=BI "
    "hand=S4,S6,S8,M1,P1,P2,P3 reserve=15 board={board} past=-/-"
)


def test_it_bluffs_in_an_election_that_it_concedes() -> None:
    """The enemy has three tiles in its market already; one priest in our own market counts nothing there.

    But the enemy cannot know that, and may spend more merchants. Otherwise the priest goes to our temple.
    """
    line = BEATEN_BEFORE_IT_BEGINS.format(turn=3, board="BM.1.3.B.?,BM.2.4.B.?,IT.3.1.I.P4,BM.3.2.B.?")
    chosen = answers(choose, line)
    assert set(chosen) == {"P1 IM", "P1 IT"}
    assert 30 < chosen["P1 IM"] < 70


@pytest.mark.parametrize(("bluff", "placements"), [(0, {"P1 IT": 100}), (100, {"P1 IM": 100})])
def test_a_seat_decides_how_often_it_bluffs(bluff: int, placements: dict[str, int]) -> None:
    """The same position, with the option of the seat at both its ends."""
    line = BEATEN_BEFORE_IT_BEGINS.format(turn=3, board="BM.1.3.B.?,BM.2.4.B.?,IT.3.1.I.P4,BM.3.2.B.?")
    assert answers(lambda request: choose_with(request, bluff), line) == placements


def test_its_last_tile_never_bluffs() -> None:
    """After its last tile of an election there is nobody left to frighten."""
    board = "BM.1.3.B.?,BM.2.4.B.?,IT.3.1.I.P4,BM.3.2.B.?,IT.3.3.I.P5,BM.3.4.B.?"
    assert answers(choose, BEATEN_BEFORE_IT_BEGINS.format(turn=5, board=board)) == {"P1 IT": 100}


@pytest.mark.parametrize(("won", "fights"), [("NB", False), ("BB", True), ("II", True)])
def test_it_fights_for_an_election_that_could_end_the_game(won: str, fights: bool) -> None:
    """A poor hand, two enemy tiles in the market: only two in a row of either side are worth a fight."""
    line = (
        f"side=I variant=standard opener=I election=3 turn=1 move=I kind=M cards=TCM won={won} "
        "hand=S3,S6,S7,M1,M4,M5,P2,P3,P4 reserve=15 board=BM.1.4.B.?,BM.2.3.B.? past=-/-"
    )
    chosen = answers(choose, line)
    assert (chosen == {"M5 IM": 100}) == fights, chosen


def test_it_spends_no_more_than_it_needs() -> None:
    """The enemy has nothing in its market and one turn left; ten merchants already lie in ours."""
    line = f"{THIRD} {HAND} board=IM.3.1.I.M10,BC.3.2.B.?,IT.3.3.I.P3,BT.3.4.B.? past=-/-"
    chosen = answers(choose, line)
    assert not [name for name in chosen if name.endswith("M")], chosen
