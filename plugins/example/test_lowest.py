"""The bot `lowest` on one position and in whole games: a bot is a function, so no server is needed."""

import tyrusd_lowest

from tyrusd.sdk import TILE_NAMED, Building, Placement, read_view
from tyrusd.sdk.arena import installed, play_games

BROWN_OPENS_AT_THE_TEMPLES = read_view(
    "side=B variant=standard opener=B election=1 turn=1 move=B kind=T cards=T won=- "
    "hand=S2,S5,M3,M7,M10,P4,P6,P8,P9 reserve=21 board=- past=-"
)


def test_it_gives_its_lowest_tile_to_its_own_temple() -> None:
    """Two soldiers are the lowest; it does not care that soldiers do not vote for a High Priest."""
    assert tyrusd_lowest.choose(BROWN_OPENS_AT_THE_TEMPLES) == Placement(TILE_NAMED["S2"], Building.BT)


def test_it_plays_whole_games() -> None:
    """The arena raises an error at the first placement that the rules do not allow."""
    assert play_games(tyrusd_lowest.choose, installed("random"), games=20, seed="lowest").games == 20
