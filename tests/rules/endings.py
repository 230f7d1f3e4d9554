"""Checks of rows R9 and R11 to R15: null elections, rows of wins, and every way a game ends."""

from typing import Any

from tests.rules.rows import check, fails, only, refused, steer, tiles


def letters_of(winners: Any) -> str:
    """Winners as one letter each."""
    return "".join("N" if winner is None else winner.letter for winner in winners)


@check(9, 11, 12)
def english_rulebook_i_i_b_null_i_i_b_b_b_is_won_by_brown_at_4_to_4(rules: Any) -> None:
    game, events = steer(rules, "IIBNIIBBB")
    assert letters_of(game.winners) == "IIBNIIBBB"
    assert game.outcome == (rules.Side.BROWN, "three-in-a-row", "")
    assert [game.winners.count(side) for side in rules.Side] == [4, 4]
    assert only(events, rules.Remaining) == []


@check(9, 11, 12)
def english_rulebook_the_priority_itself_i_i_null_i_i_b_b_b_is_won_by_brown_at_3_to_4(rules: Any) -> None:
    game, events = steer(rules, "IINIIBBB")
    assert letters_of(game.winners) == "IINIIBBB"
    assert game.outcome == (rules.Side.BROWN, "three-in-a-row", "")
    assert [game.winners.count(side) for side in rules.Side] == [4, 3]
    assert game.election == 8
    # Nothing is drawn and nothing opened after the end.
    assert [type(event) for event in events[-2:]] == [rules.Tallied, rules.Over]


@check(11)
def three_in_a_row_ends_the_game_at_once_without_a_drawing(rules: Any) -> None:
    for wanted, winner in (
        ("III", "I"),
        ("NBBB", "B"),
        ("IBIBIBBB", "B"),
        ("BINBIIBII", None),
        ("IIBIIBIII", "I"),
    ):
        game, events = steer(rules, wanted)
        if winner is None:
            assert game.outcome.reason != "three-in-a-row"
            continue
        assert game.outcome == (rules.SIDE_OF_LETTER[winner], "three-in-a-row", "")
        assert len(game.winners) == len(wanted)
        assert len(only(events, rules.Drew)) == 2 * min(len(wanted) - 1, 7)
        assert len(only(events, rules.ElectionOpened)) == len(wanted) - 1
        assert events[-1] == (rules.SIDE_OF_LETTER[winner], "three-in-a-row", "")
        assert refused(rules, game, rules.Side.IVORY, "S10", rules.Building.IC) == "over"


@check(9, 11)
def a_null_election_breaks_a_row_and_is_one_of_the_nine(rules: Any) -> None:
    game, _ = steer(rules, "IINIBBNBN")
    assert game.outcome == (None, "drawn", "")
    assert len(game.winners) == 9
    game, _ = steer(rules, "NNNNNNNNB")
    assert game.outcome == (rules.Side.BROWN, "majority", "")


@check(12, 13)
def a_certain_majority_does_not_end_the_game_but_resigning_does(rules: Any) -> None:
    game, _ = steer(rules, "IIBIIBI")
    assert game.outcome is None
    game, events = steer(rules, "IIBIIBINN")
    assert game.outcome == (rules.Side.IVORY, "majority", "")
    assert only(events, rules.Remaining) == []
    game, _ = steer(rules, "IB")
    game.place(game.to_move, game.hand(game.to_move)[0], rules.Building.IC)
    assert game.resign(rules.Side.IVORY) == ((rules.Side.BROWN, "resigned", "ivory"),)
    assert game.outcome == (rules.Side.BROWN, "resigned", "ivory")
    assert game.to_move is None
    assert fails(lambda: game.resign(rules.Side.BROWN))


@check(13)
def both_rulebooks_and_italian_review_the_last_three_tiles_decide_equal_representatives(rules: Any) -> None:
    game, events = steer(rules, "IIBBNNNNN", brown_last="S1 M2 P10")
    assert game.outcome == (rules.Side.IVORY, "remaining-tiles", "")
    assert only(events, rules.Remaining) == [
        (rules.Side.IVORY, tiles(rules, "S10 M10 P10")),
        (rules.Side.BROWN, tiles(rules, "S1 M2 P10")),
    ]
    # What lies on the board counts for nobody: by those Brown would be ahead.
    lying = [sum(seen.tile.number for seen in game.board if seen.side == side) for side in rules.Side]
    assert lying[1] > lying[0]
    assert [type(event) for event in events[-4:]] == [
        rules.Tallied, rules.Remaining, rules.Remaining, rules.Over,
    ]  # fmt: skip


@check(14)
def equal_sums_too_make_a_drawn_game(rules: Any) -> None:
    game, events = steer(rules, "IBNNNNNNN")
    assert game.outcome == (None, "drawn", "")
    assert [event.tiles for event in only(events, rules.Remaining)] == [tiles(rules, "S10 M10 P10")] * 2
    assert events[-1] == (None, "drawn", "")


@check(15)
def french_leaflet_equal_representatives_are_drawn_and_no_tile_is_shown(rules: Any) -> None:
    game, events = steer(rules, "IIBBNNNNN", rules.REPLAY_TIES, brown_last="S1 M2 P10")
    assert game.outcome == (None, "drawn", "")
    assert only(events, rules.Remaining) == []
    game, _ = steer(rules, "IIBBNNNNI", rules.REPLAY_TIES)
    assert game.outcome == (rules.Side.IVORY, "majority", "")
    assert set(rules.VARIANTS) == {"standard", "replay-ties"}


@check(12)
def a_game_stops_once_for_a_known_reason_that_fits_its_winner(rules: Any) -> None:
    for reason in rules.REASONS:
        game = rules.Game(rules.deal_from_bytes(b"stop"))
        ivory = rules.Side.IVORY
        if reason in rules.PLAYED_OUT:
            assert fails(lambda game=game, reason=reason, ivory=ivory: game.stop(ivory, reason))
            continue
        winner = None if reason in rules.WITHOUT_RESULT else ivory
        if winner is None:
            assert fails(lambda game=game, reason=reason, ivory=ivory: game.stop(ivory, reason))
        assert game.stop(winner, reason, "why") == ((winner, reason, "why"),)
        assert game.outcome == (winner, reason, "why")
        assert game.events[-1] == (winner, reason, "why")
        assert game.event_count == len(game.events) == 2
        assert fails(lambda game=game: game.stop(None, "aborted"))
    assert fails(lambda: rules.Game(rules.deal_from_bytes(b"stop")).stop(None, "bored"))
