"""Checks of rows R1 to R4 and R10: cards, tiles, who opens, turns and drawing."""

from typing import Any

from tests.rules.rows import LOW_FIRST, check, deal_beginning, fails, idle_building, only, refused


@check(1)
def nine_cards_three_of_each_and_no_other_deck(rules: Any) -> None:
    for secret in range(20):
        cards = "".join(kind.letter for kind in rules.deal_from_bytes(bytes([secret])).cards)
        assert "".join(sorted(cards)) == "CCCMMMTTT"
    for wrong in ("CCCCMMTTT", "CCCMMMTT", "CCCMMMTTTT"):
        assert fails(lambda wrong=wrong: deal_beginning(rules, "", "", cards=wrong)), wrong
    deal = deal_beginning(rules, LOW_FIRST, LOW_FIRST, cards="TCMMTCCTM")
    game = rules.Game(deal)
    kinds = [game.kind.letter]
    while game.outcome is None and len(kinds) < 9:
        side = game.to_move
        game.place(side, game.hand(side)[0], rules.Building.IT)
        if game.turn == 1:
            kinds.append(game.kind.letter)
    assert "".join(kinds) == "TCMMTCCTM"[: len(kinds)]
    assert len(kinds) > 3


@check(2)
def thirty_tiles_a_side_nine_in_hand_the_rest_in_the_order_of_the_deal(rules: Any) -> None:
    names = [str(tile) for tile in rules.ALL_TILES]
    assert names == [f"{letter}{number}" for letter in "SMP" for number in range(1, 11)]
    deal = rules.deal_from_bytes(b"two")
    game = rules.Game(deal)
    for side in rules.Side:
        assert sorted(deal.tiles(side)) == list(rules.ALL_TILES)
        assert game.hand(side) == tuple(sorted(deal.tiles(side)[:9]))
    assert game.reserve_count == 21
    assert deal.ivory != deal.brown
    twice = (*deal.ivory[:29], deal.ivory[0])
    assert fails(lambda: rules.Deal(deal.cards, twice, deal.brown, deal.opener))
    assert fails(lambda: rules.Deal(deal.cards, deal.ivory, deal.brown[:29], deal.opener))


@check(3)
def a_toss_decides_who_opens_the_odd_elections_and_the_other_opens_the_even_ones(rules: Any) -> None:
    tosses = {rules.deal_from_bytes(bytes([secret])).opener for secret in range(16)}
    assert tosses == set(rules.Side)
    for letter in "IB":
        side = rules.SIDE_OF_LETTER[letter]
        game = rules.Game(deal_beginning(rules, LOW_FIRST, LOW_FIRST, opener=letter))
        for election in range(1, 10):
            opener = side if election % 2 else side.other
            assert (game.election, game.opener_now, game.to_move) == (election, opener, opener)
            for _ in range(6):
                game.place(game.to_move, game.hand(game.to_move)[0], rules.Building.IT)
        assert game.to_move is None


@check(4)
def sides_alternate_one_tile_each_from_the_hand(rules: Any) -> None:
    game = rules.Game(deal_beginning(rules, LOW_FIRST, LOW_FIRST))
    ivory, brown = rules.Side
    assert refused(rules, game, brown, "S1", rules.Building.IC) == "not-your-turn"
    assert refused(rules, game, ivory, "S10", rules.Building.IC) == "not-in-hand"
    movers = []
    for turn in range(1, 7):
        assert game.turn == turn
        mover = game.to_move
        movers.append(mover.letter)
        tile = game.hand(mover)[0]
        placed = game.place(mover, tile, rules.Building.BT)[0]
        assert placed == (mover, 1, turn, rules.Building.BT, tile)
        assert tile not in game.hand(mover)
        assert refused(rules, game, mover, str(tile), rules.Building.BT) in ("not-your-turn", "not-in-hand")
    assert "".join(movers) == "IBIBIB"
    assert fails(lambda: game.place(game.to_move, game.hand(game.to_move)[0], 6))


@check(4)
def any_building_takes_any_number_of_tiles_even_when_its_elections_are_over(rules: Any) -> None:
    game = rules.Game(deal_beginning(rules, LOW_FIRST, LOW_FIRST, cards="CCCTTTMMM"))
    while game.election < 4:
        game.place(game.to_move, game.hand(game.to_move)[0], rules.Building.BM)
    assert len(game.board) == 18
    late = rules.Building.IC
    while game.outcome is None:
        for building in rules.Building:
            assert all(game.can(game.to_move, tile, building) for tile in game.hand(game.to_move))
        game.place(game.to_move, game.hand(game.to_move)[0], late)
    waiting = [seen for seen in game.board if seen.building == late]
    assert len(waiting) == 36
    assert [(seen.election, seen.turn) for seen in waiting] == [
        (e, t) for e in range(4, 10) for t in range(1, 7)
    ]


@check(10)
def three_tiles_are_drawn_after_elections_1_to_7_and_none_after_8(rules: Any) -> None:
    deal = rules.deal_from_bytes(b"drawing")
    game = rules.Game(deal)
    ivory, brown = rules.Side
    for election in range(1, 10):
        sizes = {9: 6}.get(election, 9)
        assert [len(game.hand(side)) for side in rules.Side] == [sizes, sizes], election
        events: list[Any] = []
        for _ in range(6):
            tile = game.hand(game.to_move)[0]
            events += game.place(game.to_move, tile, idle_building(rules, game.to_move, tile))
        drew = only(events, rules.Drew)
        if election <= 7:
            first = 9 + 3 * (election - 1)
            assert drew == [
                (side, 3, tuple(sorted(deal.tiles(side)[first : first + 3]))) for side in (ivory, brown)
            ]
        else:
            assert drew == []
        assert game.reserve_count == max(0, 21 - 3 * election)
    assert [len(game.hand(side)) for side in rules.Side] == [3, 3]
