"""Checks of rows R1, R2, R8, R16 and R17: what is shown to whom, and that nothing else is."""

import re
from typing import Any

from tests.rules.golden import golden_deal, golden_games, golden_placements
from tests.rules.rows import check, deal_beginning, only, place_all, steer
from tests.rules.twins import reverse, twin

# A tile as it is printed anywhere: its name, not a part of a longer word.
FACE = re.compile(r"(?<![A-Za-z])[SMP](?:10|[1-9])(?![0-9])")

FEW_GAMES = (0, 60, 61, 120, 199)


def viewers(rules: Any) -> tuple[Any, ...]:
    return (*rules.Side, None)


@check(8)
def every_tile_in_the_two_buildings_is_turned_up_and_leaves_play_and_no_other(rules: Any) -> None:
    game = rules.Game(deal_beginning(rules, "S1 M2 P3 S4 M5 P6", "S1 M2 P3 S4 M5 P6", cards="CCMMTTCMT"))
    events = place_all(rules, game, "I:S1>IC B:M2>IC I:M2>IC B:P3>IC I:P3>IM B:S1>BC")
    ivory, brown = only(events, rules.Revealed)
    assert (ivory.building, brown.building) == (rules.Building.IC, rules.Building.BC)
    assert [(seen.side.letter, str(seen.tile), seen.turn) for seen in ivory.tiles] == [
        ("I", "S1", 1), ("B", "M2", 2), ("I", "M2", 3), ("B", "P3", 4),
    ]  # fmt: skip
    assert [(seen.side.letter, str(seen.tile), seen.turn) for seen in brown.tiles] == [("B", "S1", 6)]
    assert [str(seen.tile) for seen in game.board] == ["P3"]
    assert game.past == [ivory.tiles + brown.tiles]
    # What was counted once is not counted again.
    events = place_all(rules, game, "B:S4>BT I:S4>IT B:M5>BT I:M5>IT B:P6>BT I:P6>IT")
    assert [event.tiles for event in only(events, rules.Revealed)] == [(), ()]
    assert only(events, rules.Tallied)[0].ivory == (0, 0, 0, 0)
    for viewer in viewers(rules):
        for event in events:
            if type(event) is rules.Revealed:
                assert rules.see(event, viewer) == event


@check(8, 17)
def a_laid_tile_shows_its_face_to_its_owner_only_until_it_is_turned_up(rules: Any) -> None:
    game = rules.Game(deal_beginning(rules, "S1 M2 P3", "S4 M5 P6"))
    (ivory_placed,) = place_all(rules, game, "I:S1>BT")
    (brown_placed,) = place_all(rules, game, "B:S4>IC")
    ivory, brown = rules.Side
    for viewer in viewers(rules):
        assert rules.see(ivory_placed, viewer).tile == (rules.TILE_NAMED["S1"] if viewer == ivory else None)
        assert rules.see(brown_placed, viewer).tile == (rules.TILE_NAMED["S4"] if viewer == brown else None)
        # Who placed where, in which election and turn, is public.
        assert rules.see(ivory_placed, viewer)[:4] == (ivory, 1, 1, rules.Building.BT)
        board = rules.view(game, viewer).board
        assert [seen[:4] for seen in board] == [
            (rules.Building.BT, 1, 1, ivory),
            (rules.Building.IC, 1, 2, brown),
        ]
        assert [str(seen.tile) for seen in board] == [
            "S1" if viewer == ivory else "None",
            "S4" if viewer == brown else "None",
        ]


@check(2, 10, 17)
def drawn_tiles_are_shown_to_their_owner_only_and_sorted(rules: Any) -> None:
    game, events = steer(rules, "IB")
    drew = only(events, rules.Drew)
    assert len(drew) == 4
    for event in drew:
        assert event.count == 3
        assert event.tiles == tuple(sorted(event.tiles))
        for viewer in viewers(rules):
            seen = rules.see(event, viewer)
            assert (seen.side, seen.count) == (event.side, 3)
            assert seen.tiles == (event.tiles if viewer == event.side else None)
    for side in rules.Side:
        assert rules.view(game, side).hand == game.hand(side) == tuple(sorted(game.hand(side)))
    assert rules.view(game, None).hand == ()


@check(1, 17)
def a_view_shows_the_cards_turned_up_and_no_later_one(rules: Any) -> None:
    deal = deal_beginning(rules, "", "", cards="TCMMTCCTM")
    game = rules.Game(deal)
    for placed in range(13):
        for viewer in viewers(rules):
            assert rules.view(game, viewer).cards == deal.cards[: placed // 6 + 1]
        game.place(game.to_move, game.hand(game.to_move)[0], rules.Building.BT)


@check(16)
def a_view_repeats_every_past_reveal(rules: Any) -> None:
    for number in FEW_GAMES:
        record = golden_games()[number]
        game = rules.Game(golden_deal(rules, record))
        told: list[Any] = []
        for placement in golden_placements(rules, record):
            reveals = only(game.place(*placement), rules.Revealed)
            told += [tuple(seen for event in reveals for seen in event.tiles)] if reveals else []
            for viewer in viewers(rules):
                assert rules.view(game, viewer).past == tuple(told)
        assert len(told) == len(record["elections"])


@check(17)
def nothing_more_is_shown_when_a_game_is_over(rules: Any) -> None:
    game, _ = steer(rules, "III")
    assert game.board
    for viewer in viewers(rules):
        seen = rules.view(game, viewer)
        assert seen.to_move is None
        assert all(lying.tile is None for lying in seen.board if lying.side != viewer)
        assert len(seen.cards) == 3
    # Equal representatives show six tiles as events; the view itself keeps to its own hand.
    game, events = steer(rules, "IBNNNNNNN")
    for viewer in viewers(rules):
        remaining = only(events, rules.Remaining)
        assert [rules.see(event, viewer) for event in remaining] == remaining
        assert rules.view(game, viewer).hand == (() if viewer is None else game.hand(viewer))


@check(8, 13, 17)
def no_byte_depends_on_what_a_viewer_may_not_know(rules: Any) -> None:
    for number in FEW_GAMES:
        record = golden_games()[number]
        placements = golden_placements(rules, record)
        for stop in (1, 5, 6, 17, 30, len(placements)):
            game = rules.Game(golden_deal(rules, record))
            for placement in placements[:stop]:
                game.place(*placement)
            for viewer in viewers(rules):
                other = twin(rules, game, viewer, reverse)
                assert other.deal != game.deal or game.outcome is not None
                assert rules.write_view(rules.view(other, viewer)) == rules.write_view(
                    rules.view(game, viewer)
                )
                assert [rules.see(event, viewer) for event in other.events] == [
                    rules.see(event, viewer) for event in game.events
                ]


@check(17)
def objects_with_full_state_do_not_print_faces(rules: Any) -> None:
    game, events = steer(rules, "IBN")
    shown = [game, game.deal, rules.view(game, rules.Side.IVORY), *game.board, *game.past]
    shown += [event for event in events if type(event) in (rules.Placed, rules.Drew)]
    assert len(shown) > 20
    for value in shown:
        for text in (repr(value), str(value), f"{[value]}"):
            assert FACE.search(text) is None, text
            assert "number=" not in text
    # A reveal is public, and is printed with its faces.
    game = rules.Game(deal_beginning(rules, "S1 M2 P3", "S4 M5 P6"))
    events = place_all(rules, game, "I:S1>IC B:S4>IC I:M2>IM B:M5>IM I:P3>IM B:P6>IM")
    assert FACE.findall(repr(only(events, rules.Revealed)[0])) == ["S1", "S4"]
