"""The steps of `cautious` one by one: what an election is worth, what it reads, what tiles cost."""

from __future__ import annotations

from itertools import product

import pytest

from tyrusd.sdk import TILE_NAMED, Building, Side, read_view
from tyrusd_bundled.cautious.plan import price_of_number, spares_of
from tyrusd_bundled.cautious.reading import habits_of, read
from tyrusd_bundled.cautious.stakes import chance_of_game, stakes, standing

WINNERS = {"I": Side.IVORY, "B": Side.BROWN, "N": None}


def won(letters: str) -> tuple[Side | None, ...]:
    return tuple(WINNERS[letter] for letter in letters)


def share_of_futures(past: str, left: int) -> float:
    """The share of all ways to go on (no nulls) in which Ivory wins, a tie being half: each played out."""
    total = 0.0
    for future in product("IB", repeat=left):
        letters = past + "".join(future)
        ends = [(letters.find(3 * side), side) for side in "IB" if 3 * side in letters]
        lead = letters.count("I") - letters.count("B")
        total += float(min(ends)[1] == "I") if ends else 0.5 if lead == 0 else float(lead > 0)
    return total / (1 << left)


@pytest.mark.parametrize(
    "past", ["", "I", "II", "IB", "BB", "IN", "IINII", "IINIIBB", "BIIBIBBN", "NNNNNNNN"]
)
def test_the_chance_of_a_game_is_the_share_of_its_futures(past: str) -> None:
    left = 9 - len(past)
    lead, row = standing(Side.IVORY, won(past))
    assert chance_of_game(lead, row, left) == pytest.approx(share_of_futures(past, left))
    assert chance_of_game(lead, row, left) + chance_of_game(-lead, -row, left) == pytest.approx(1)


# From the rulebook's example, I I null I I B B B: the third win in a row is all that counts, for both.
@pytest.mark.parametrize("side", "IB")
def test_a_third_in_a_row_is_worth_the_whole_game(side: str) -> None:
    view = read_view(
        f"side={side} variant=standard opener=I election=8 turn=1 move=- kind=M cards=TCMTCMTM won=IINIIBB "
        "hand=- reserve=0 board=- past=-/-/-/-/-/-/-"
    )
    assert stakes(view) == pytest.approx(1.0)


def position(board: str, past: str = "-/-", side: str = "I", hand: str = "S3,M4,P5") -> str:
    return (
        f"side={side} variant=standard opener=I election=3 turn=5 move={side} kind=M cards=TCM won=BI "
        f"hand={hand} reserve=15 board={board} past={past}"
    )


def test_own_tiles_are_counted_by_name() -> None:
    board = "IM.1.1.I.M9,IM.1.3.I.S4,BM.1.5.I.P7,IM.2.2.I.P1,BM.2.4.I.M2,BC.2.6.I.P8,IM.3.1.I.M3"
    found = read(read_view(position(board)))
    assert (found.votes, found.counters, found.blocks) == (12, 4, 7)


def test_enemy_tiles_are_expected_by_place() -> None:
    nothing = read(read_view(position("-")))
    at_home = read(read_view(position("BM.3.2.B.?,BM.3.4.B.?")))
    at_ours = read(read_view(position("IM.3.2.B.?,IM.3.4.B.?")))
    elsewhere = read(read_view(position("BT.3.2.B.?,IC.3.4.B.?")))
    assert at_home.enemy_votes > nothing.enemy_votes + 10
    assert at_home.enemy_blocks == nothing.enemy_blocks
    assert at_ours.enemy_blocks > nothing.enemy_blocks + 5
    assert at_ours.enemy_votes == nothing.enemy_votes
    assert elsewhere == nothing
    assert at_home.spread > nothing.spread


def test_tiles_the_enemy_has_shown_are_expected_no_more() -> None:
    """Brown's merchants were turned up in our citadel: when only the ten is left, no more can come."""
    six = "IC.1.2.B.M1,IC.1.4.B.M2,IC.1.6.B.M3,IC.2.1.B.M4,IC.2.3.B.M5,IC.2.5.B.M6"
    three = "IC.3.2.B.M7,IC.3.4.B.M8,IC.3.6.B.M9"
    line = (
        "side=I variant=standard opener=I election=6 turn=6 move=I kind=M cards=TCTCTM won=BIBIB "
        "hand=S3,M4,P5 reserve=6 board=BM.5.6.B.?,BM.6.1.B.?,BM.6.3.B.?,BM.6.5.B.? "
        "past=-/{second}/-/{fourth}/-"
    )
    assert read(read_view(line.format(second=six, fourth="-"))).enemy_votes > 10
    assert read(read_view(line.format(second=six, fourth=three))).enemy_votes == 10
    assert read(read_view(line.format(second=six, fourth=f"{three},IC.4.1.B.M10"))).enemy_votes == 0


def test_blocks_are_bound_by_the_blockers_that_are_left() -> None:
    """Nine of Brown's priests were turned up; the four tiles in our market block with ten at the most."""
    shown = "BT.1.2.B.P1,BT.1.4.B.P2,BT.1.6.B.P3,BT.2.1.B.P4,BT.2.3.B.P5,BT.2.5.B.P6,BT.3.2.B.P7,BT.3.4.B.P8"
    line = (
        "side=I variant=standard opener=I election=6 turn=6 move=I kind=M cards=TCTCTM won=BIBIB "
        "hand=S3,M4,P5 reserve=6 board=IM.5.6.B.?,IM.6.1.B.?,IM.6.3.B.?,IM.6.5.B.? past=-/-/{third}/-/{fifth}"
    )
    assert read(read_view(line.format(third=shown, fifth="-"))).enemy_blocks > 10
    assert read(read_view(line.format(third=shown, fifth="BT.3.6.B.P9"))).enemy_blocks == 10
    assert read(read_view(line.format(third=shown, fifth="BT.3.6.B.P9,BT.4.1.B.P10"))).enemy_blocks == 0


def test_a_bluffer_is_expected_to_bluff() -> None:
    """The first election was at the temples: soldiers in the enemy's own temple lower what is feared."""
    honest = read_view(position("-", "BT.1.2.B.P8,BT.1.4.B.P9,BT.1.6.B.P6/-"))
    bluffer = read_view(position("-", "BT.1.2.B.S1,BT.1.4.B.S2,BT.1.6.B.S3/-"))
    fears, scorns = habits_of(Side.BROWN, honest), habits_of(Side.BROWN, bluffer)
    assert fears.votes > 1.8 * scorns.votes
    assert scorns.counters == fears.counters
    assert fears.to_own == scorns.to_own


def test_without_a_vote_there_is_half_a_win_at_best() -> None:
    found = read(read_view(position("BM.3.2.B.?")))
    assert found.chance(votes=0, counters=0, blocks=99) < 0.5 < found.chance(votes=1, counters=0, blocks=99)


def test_a_spare_goes_where_it_will_vote() -> None:
    spares = spares_of(read_view(position("-")))
    places = {str(spare.tile): spare.building for spare in spares}
    # Whatever lies in the markets is gone after this election; merchants can block soldiers later.
    assert places == {"S3": Building.IC, "P5": Building.IT, "M4": Building.BC}
    assert [spare.cost for spare in spares] == sorted(spare.cost for spare in spares)
    assert spares[0].tile == TILE_NAMED["S3"]


def test_a_spare_goes_nowhere_that_has_no_card_left() -> None:
    """All High Priests are elected: what is left for a priest is to counter in our citadel."""
    line = (
        "side=I variant=standard opener=I election=6 turn=6 move=I kind=M cards=TTTCCM won=BIBIB "
        "hand=P5 reserve=6 board=- past=-/-/-/-/-"
    )
    assert [spare.building for spare in spares_of(read_view(line))] == [Building.IC]


def test_numbers_lose_their_price_when_few_tiles_are_left_to_place() -> None:
    assert price_of_number(1) == price_of_number(7) > price_of_number(8) > price_of_number(9) > 0
