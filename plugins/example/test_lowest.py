"""The bot `lowest` on one position: a bot is a function, so it is tested without any server."""

import tyrusd_lowest

from tyrusd.sdk import TILE_NAMED, Building, Placement, Request, read_view

BROWN_OPENS_AT_THE_TEMPLES = read_view(
    "side=B variant=standard opener=B election=1 turn=1 move=B kind=T cards=T won=- "
    "hand=S2,S5,M3,M7,M10,P4,P6,P8,P9 reserve=21 board=- past=-"
)


def test_it_gives_its_lowest_tile_to_its_own_temple() -> None:
    """Two soldiers are the lowest; it does not care that soldiers do not vote for a High Priest."""
    request = Request("g1", 1, None, None, None, BROWN_OPENS_AT_THE_TEMPLES, "seed", "enemy")
    assert tyrusd_lowest.tyrusd_choose([request]) == [Placement(TILE_NAMED["S2"], Building.BT)]
