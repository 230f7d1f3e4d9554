"""Checks of rows R5 to R9: who votes, blocks and counters where, and what an election comes to."""

from typing import Any

from tests.rules.rows import check, deal_beginning, only, place_all, tiles


def counted(rules: Any, kind: str, side: str, own: str, enemy: str) -> Any:
    """The count of a side, its own and the enemy's tiles in its building named."""
    owner = rules.SIDE_OF_LETTER[side]
    lying = [(owner, tile) for tile in tiles(rules, own)]
    lying += [(owner.other, tile) for tile in tiles(rules, enemy)]
    return rules.count(rules.KIND_OF_LETTER[kind], owner, lying)


@check(5, 6, 7)
def english_rulebook_general_is_counted_11_to_10(rules: Any) -> None:
    brown = counted(rules, "C", "B", own="S10 S8", enemy="M7")
    ivory = counted(rules, "C", "I", own="S7 S5 P6", enemy="M8")
    assert brown == (18, 7, 0, 11)
    assert ivory == (12, 8, 6, 10)
    assert rules.winner(ivory, brown) == rules.Side.BROWN


@check(5, 6, 7, 8)
def english_rulebook_guildmaster_is_won_26_to_3_and_a_priest_waits_in_the_temple(rules: Any) -> None:
    deal = deal_beginning(
        rules, "M10 M9 M8 S1 S2 S3 P1 P2 P3", "M2 M1 P1 P8 S1 S2 S3 S4 S5", cards="CMTCMTCMT", opener="B"
    )
    game = rules.Game(deal)
    # The 2 merchants were laid "during a preceding election".
    place_all(rules, game, "B:M2>BM I:S1>IT B:S1>BT I:S2>IT B:S2>BT I:S3>IT")
    events = place_all(rules, game, "I:M10>IM B:M1>BM I:M9>IM B:P1>IM I:M8>IM B:P8>BT")
    (tallied,) = only(events, rules.Tallied)
    # The 8 merchants, laid as a counter in the printed story, are votes.
    assert tallied.ivory == (27, 1, 0, 26)
    assert tallied.brown == (3, 0, 0, 3)
    assert tallied.winner == rules.Side.IVORY
    waiting = [seen for seen in game.board if seen.tile == rules.TILE_NAMED["P8"]]
    assert [seen.building for seen in waiting] == [rules.Building.BT]
    assert all(seen.building.kind == rules.Kind.TEMPLE for seen in game.board)


@check(6, 7)
def french_rules_8_soldiers_against_3_merchants_leave_5(rules: Any) -> None:
    for kind, voter, blocker in (("C", "S8", "M3"), ("M", "M8", "P3"), ("T", "P8", "S3")):
        for side in "IB":
            assert counted(rules, kind, side, own=voter, enemy=blocker) == (8, 3, 0, 5)


@check(6, 7)
def french_rules_2_merchants_stop_2_soldiers_and_so_for_each_profession(rules: Any) -> None:
    for kind, voter, blocker in (("C", "S2", "M2"), ("M", "M2", "P2"), ("T", "P2", "S2")):
        for side in "IB":
            assert counted(rules, kind, side, own=voter, enemy=blocker) == (2, 2, 0, 0)


@check(6, 7)
def both_rulebooks_two_soldiers_an_unseen_merchant_and_a_priest_as_counter(rules: Any) -> None:
    deal = deal_beginning(rules, "S6 S7 P4 M1 M2 M3", "M5 S1 S2 P1 P2 P3")
    game = rules.Game(deal)
    events = place_all(rules, game, "I:S6>IC B:S1>BT I:S7>IC B:M5>IC I:P4>IC B:S2>BT")
    (tallied,) = only(events, rules.Tallied)
    assert tallied.ivory == (13, 5, 4, 12)
    assert tallied.winner == rules.Side.IVORY


@check(6, 7, 9)
def italian_review_general(rules: Any) -> None:
    # Soldiers in one's own citadel, less the enemy's merchants there that one's own priests do not stop.
    ivory = counted(rules, "C", "I", own="S9 P2", enemy="M4")
    brown = counted(rules, "C", "B", own="S7", enemy="M1 P9 S9")
    assert (ivory.score, brown.score) == (7, 6)
    assert rules.winner(ivory, brown) == rules.Side.IVORY
    # "Zero or less" on both sides elects nobody.
    nobody = counted(rules, "C", "I", own="S1", enemy="M9")
    assert nobody.score == 0
    assert rules.winner(nobody, counted(rules, "C", "B", own="", enemy="")) is None


# The six placements of a soldier in the printed examples, and what it does there in the end.
SIX_PLACEMENTS = {
    "own citadel": ("C", True, "votes"),
    "enemy temple": ("T", False, "blocks"),
    "own market": ("M", True, "counters"),
    "own temple": ("T", True, None),
    "enemy market": ("M", False, None),
    "enemy citadel": ("C", False, None),
}


@check(5, 6, 7)
def both_rulebooks_six_placements_of_a_soldier_and_which_of_them_count(rules: Any) -> None:
    for place, (kind, own, expected) in SIX_PLACEMENTS.items():
        found = counted(rules, kind, "I", own="S5" if own else "", enemy="" if own else "S5")
        figures = {"votes": found.votes, "blocks": found.blocks, "counters": found.counters}
        assert figures == {name: 5 if name == expected else 0 for name in figures}, place
        assert found.score == (5 if expected == "votes" else 0), place


@check(6)
def merchants_and_priests_have_their_six_placements_too(rules: Any) -> None:
    for tile, votes, blocks, counters in (("M5", "M", "C", "T"), ("P5", "T", "M", "C")):
        for kind in "CMT":
            own = counted(rules, kind, "B", own=tile, enemy="")
            enemy = counted(rules, kind, "B", own="", enemy=tile)
            assert (own.votes, own.blocks, own.counters) == (5 * (kind == votes), 0, 5 * (kind == counters))
            assert (enemy.votes, enemy.blocks, enemy.counters) == (0, 5 * (kind == blocks), 0)


@check(6)
def the_same_colour_never_blocks_itself_and_nothing_stops_a_counter(rules: Any) -> None:
    assert counted(rules, "C", "I", own="S5 M9", enemy="") == (5, 0, 0, 5)
    # Soldiers would block priests elsewhere; the enemy's here leave the countering priests alone.
    assert counted(rules, "C", "I", own="S5 P4", enemy="M4 S10") == (5, 4, 4, 5)


@check(7)
def a_score_is_never_below_nil_and_counters_beyond_the_block_add_no_votes(rules: Any) -> None:
    assert rules.score(5, 9, 0) == 0
    assert rules.score(5, 0, 10) == 5
    assert rules.score(5, 3, 10) == 5
    assert rules.score(5, 4, 3) == 4
    assert rules.score(0, 2, 1) == 0


@check(5)
def each_side_owns_a_building_of_each_kind(rules: Any) -> None:
    for building in rules.Building:
        assert rules.building_of(building.side, building.kind) == building
        assert building.name == building.side.letter + building.kind.letter
    voters = {kind.letter: kind.voters.letter for kind in rules.Kind}
    assert voters == {"C": "S", "M": "M", "T": "P"}
    cards = {kind.letter: kind for kind in rules.Kind}
    # Only the two buildings of the election are looked at: votes in the others wait.
    for letter, tile in (("C", "S4"), ("M", "M4"), ("T", "P4")):
        others = "".join(sorted("CMT".replace(letter, "")))
        deal = deal_beginning(
            rules,
            f"{tile} S1 M1 P1 S2 M2",
            "S1 M1 P1 S2 M2 P2",
            cards=letter * 3 + 3 * others[0] + 3 * others[1],
        )
        game = rules.Game(deal)
        away = "I" + others[0]
        events = place_all(
            rules, game, f"I:{tile}>I{letter} B:S1>{away} I:S1>{away} B:M1>{away} I:M1>{away} B:P1>{away}"
        )
        (tallied,) = only(events, rules.Tallied)
        assert (tallied.kind, tallied.ivory.votes, tallied.winner) == (cards[letter], 4, rules.Side.IVORY)
        assert [seen.building.name for seen in game.board] == [away] * 5


@check(9)
def equal_scores_make_a_null_election_and_any_positive_score_beats_nil(rules: Any) -> None:
    nil, one, three = rules.Count(0, 0, 0, 0), rules.Count(1, 0, 0, 1), rules.Count(9, 6, 0, 3)
    assert rules.winner(nil, nil) is None
    assert rules.winner(three, rules.Count(3, 0, 0, 3)) is None
    assert rules.winner(one, nil) == rules.Side.IVORY
    assert rules.winner(nil, one) == rules.Side.BROWN
    # It is the score that counts, not the votes before blocks.
    assert rules.winner(rules.Count(9, 9, 0, 0), one) == rules.Side.BROWN
