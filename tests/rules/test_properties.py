"""Properties of any game: the symmetry of the rules, legality, secrecy, and sums that must hold."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.rows import load_rules, only
from tests.rules.twins import twin
from tyrusd.rules.deal import Deal, deal_from_bytes
from tyrusd.rules.game import Game, IllegalPlacement
from tyrusd.rules.notation import read_view, write_view
from tyrusd.rules.pieces import ALL_TILES, Building, Kind, Profession, Side, Tile, building_of
from tyrusd.rules.variants import VARIANTS, Variant
from tyrusd.rules.view import see, view

RULES: Any = load_rules("tyrusd.rules")
GAMES = st.tuples(
    st.binary(min_size=1, max_size=4),
    st.lists(st.integers(0, 53), min_size=54, max_size=54),
    st.integers(0, 54),
)
VARIANT = st.sampled_from(sorted(VARIANTS)).map(VARIANTS.__getitem__)
STEADY = settings(max_examples=60, derandomize=True, deadline=None, database=None)


def choice(game: Game, number: int) -> tuple[Side, Tile, Building]:
    """One of the allowed placements, by a number."""
    side = game.to_move
    assert side is not None
    hand = game.hand(side)
    return side, hand[number // 6 % len(hand)], Building(number % 6)


def played(start: tuple[bytes, list[int], int], variant: Variant = VARIANTS["standard"]) -> Game:
    """A game some way on, or over."""
    secret, numbers, stop = start
    game = Game(deal_from_bytes(secret), variant)
    for number in numbers[:stop]:
        if game.outcome is None:
            game.place(*choice(game, number))
    return game


def turned(tile: Tile) -> Tile:
    return Tile(Profession((tile.profession + 1) % 3), tile.number)


def turned_kind(kind: Kind) -> Kind:
    return Kind((kind + 1) % 3)


@STEADY
@given(GAMES, VARIANT)
def test_turning_professions_and_kinds_together_changes_no_result(
    start: tuple[bytes, list[int], int], variant: Variant
) -> None:
    game = played((*start[:2], 54), variant)
    deal = Deal(
        tuple(map(turned_kind, game.deal.cards)),
        tuple(map(turned, game.deal.ivory)),
        tuple(map(turned, game.deal.brown)),
        game.deal.opener,
    )
    other = Game(deal, variant)
    for side, tile, building in game.placements:
        other.place(side, turned(tile), building_of(building.side, turned_kind(building.kind)))
    assert other.winners == game.winners
    assert other.outcome == game.outcome is not None
    counts = [[event[2:] for event in only(each.events, RULES.Tallied)] for each in (game, other)]
    assert counts[0] == counts[1]


@STEADY
@given(GAMES, st.randoms(use_true_random=False), VARIANT)
def test_nothing_a_viewer_gets_depends_on_hidden_tiles(
    start: tuple[bytes, list[int], int], chance: Random, variant: Variant
) -> None:
    game = played(start, variant)

    def shuffled(values: list[Any]) -> list[Any]:
        return chance.sample(values, len(values))

    for viewer in (*Side, None):
        other = twin(RULES, game, viewer, shuffled)
        assert view(other, viewer) == view(game, viewer)
        assert write_view(view(other, viewer)) == write_view(view(game, viewer))
        assert [see(event, viewer) for event in other.events] == [see(event, viewer) for event in game.events]
        assert (other.to_move, other.turn, other.event_count) == (game.to_move, game.turn, game.event_count)


@STEADY
@given(GAMES)
def test_legality_depends_on_the_hand_alone_and_never_on_face_or_building(
    start: tuple[bytes, list[int], int],
) -> None:
    game = played(start)
    for side in Side:
        hand = game.hand(side)
        assert hand == tuple(sorted(set(hand)))
        for tile in ALL_TILES:
            allowed = {game.can(side, tile, building) for building in Building}
            assert allowed == {side == game.to_move and tile in hand}


@STEADY
@given(GAMES, VARIANT)
def test_tiles_and_turns_add_up_and_the_sightline_comes_back(
    start: tuple[bytes, list[int], int], variant: Variant
) -> None:
    game = played(start, variant)
    lying = [*game.board, *(seen for group in game.past for seen in group)]
    assert len(lying) == game.placed_count == len(game.placements)
    for side in Side:
        laid = [seen.tile for seen in lying if seen.side == side]
        reserve = game.deal.tiles(side)[30 - game.reserve_count :]
        assert sorted([*laid, *game.hand(side), *reserve]) == list(ALL_TILES)  # type: ignore[type-var]
    assert (game.outcome is None) == (game.to_move is not None)
    assert len(game.winners) == len(game.past)
    assert game.events[0][0] == 1
    assert len(game.events) == game.event_count
    for viewer in (*Side, None):
        assert read_view(write_view(view(game, viewer))) == view(game, viewer)


@STEADY
@given(GAMES)
def test_a_refused_placement_changes_nothing(start: tuple[bytes, list[int], int]) -> None:
    game = played(start)
    before = [write_view(view(game, viewer)) for viewer in (*Side, None)], game.events
    for side in Side:
        for tile in ALL_TILES:
            if not game.can(side, tile, Building.IT):
                with pytest.raises(IllegalPlacement) as refusal:
                    game.place(side, tile, Building.IT)
                assert refusal.value.why in ("over", "not-your-turn", "not-in-hand")
                assert refusal.value.sentence == str(refusal.value)
    assert ([write_view(view(game, viewer)) for viewer in (*Side, None)], game.events) == before


def test_equal_values_are_taken_for_our_own() -> None:
    # A caller may hold plain integers and tuples; what the game keeps and tells is still of its own types.
    game = Game(deal_from_bytes(b"plain"))
    side = game.to_move
    assert side is not None
    profession, number = game.hand(side)[0]
    (placed,) = game.place(int(side), (int(profession), number), 3)  # type: ignore[arg-type]
    assert [type(value) for value in placed] == [Side, int, int, Building, Tile]
    with pytest.raises(ValueError, match="no building"):
        game.place(side.other, game.hand(side.other)[0], 6)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no building"):
        game.verify(side.other, game.hand(side.other)[0], -1)  # type: ignore[arg-type]


def test_sentences_say_what_to_do_next() -> None:
    game = Game(deal_from_bytes(b"sentences"))
    side = game.to_move
    assert side is not None
    absent = next(tile for tile in ALL_TILES if tile not in game.hand(side))
    with pytest.raises(IllegalPlacement, match=f"do not hold {absent}; place a tile from your hand"):
        game.place(side, absent, Building.IC)
    with pytest.raises(IllegalPlacement, match=f"turn of {side.word}; wait for yours"):
        game.place(side.other, absent, Building.IC)
    game.resign(side)
    with pytest.raises(IllegalPlacement, match="The game is over"):
        game.place(side, absent, Building.IC)


def test_an_event_nobody_ruled_on_is_shown_to_nobody() -> None:
    with pytest.raises(TypeError, match="no rule says who may see a tuple"):
        see(("S1",), None)  # type: ignore[arg-type]
