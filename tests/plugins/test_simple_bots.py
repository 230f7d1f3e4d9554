"""What `random` and `greedy` place, in named positions, and that greedy beats random."""

from __future__ import annotations

from collections import Counter

from tests.plugins.arena import bot, play
from tests.plugins.positions import answers

AT_THE_MARKETS = "side=I variant=standard opener=I election=1 turn=3 move=I kind=M cards=M won=-"


def test_random_takes_every_tile_and_every_building() -> None:
    line = f"{AT_THE_MARKETS} hand=S1,M5 reserve=21 board=IM.1.1.I.M9,BM.1.2.B.? past=-"
    chosen = answers(bot("random"), line)
    assert len(chosen) == 12
    by_tile = Counter(
        {tile: sum(n for name, n in chosen.items() if name.startswith(tile)) for tile in ("S1", "M5")}
    )
    assert min(by_tile.values()) > 30


def test_greedy_spends_its_best_vote() -> None:
    line = f"{AT_THE_MARKETS} hand=S10,M2,M8,P9 reserve=21 board=IM.1.1.I.M9,IT.1.2.B.? past=-"
    assert answers(bot("greedy"), line) == {"M8 IM": 100}


def test_greedy_blocks_now_and_then_what_it_sees_in_the_enemys_building() -> None:
    line = f"{AT_THE_MARKETS} hand=S10,M2,M8,P4,P9 reserve=21 board=IM.1.1.I.M9,BM.1.2.B.? past=-"
    chosen = answers(bot("greedy"), line)
    assert set(chosen) == {"M8 IM", "P9 BM"}
    assert 10 < chosen["P9 BM"] < 40


def test_greedy_without_a_vote_blocks() -> None:
    line = f"{AT_THE_MARKETS} hand=S2,S10,P4,P9 reserve=21 board=IM.1.1.I.M9,IT.1.2.B.? past=-"
    assert answers(bot("greedy"), line) == {"P9 BM": 100}


def test_greedy_without_vote_and_block_lays_its_lowest_tile_where_it_will_vote() -> None:
    line = f"{AT_THE_MARKETS} hand=S2,S10 reserve=21 board=IM.1.1.I.M9,BM.1.2.B.? past=-"
    assert answers(bot("greedy"), line) == {"S2 IC": 100}


def test_greedy_beats_random() -> None:
    standing = play(bot("greedy"), bot("random"), 300)
    assert standing.games == 300
    assert standing.won / 300 >= 0.7
    assert standing.lower_bound > 0.7
