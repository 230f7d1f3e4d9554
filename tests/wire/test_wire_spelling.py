"""The wire spells tiles, buildings and the rest itself; this compares it with the rules, both ways."""

from __future__ import annotations

from tyrusd.league.clock import BOTS, PEOPLE
from tyrusd.rules import game as rules_game
from tyrusd.rules import notation
from tyrusd.rules.pieces import ALL_TILES, BUILDING_NAMED, KIND_OF_LETTER, SIDE_OF_LETTER, TILE_NAMED
from tyrusd.rules.variants import VARIANTS
from tyrusd.wire import REASONS, Refusal, decode_server_line
from tyrusd.wire.fields import BUILDINGS, CAP, CLOCK, ELECTED, SIDE, TILES, VARIANT
from tyrusd.wire.sightline import SIGHT_KEYS


def test_tiles() -> None:
    assert tuple(map(str, ALL_TILES)) == TILES
    assert set(TILE_NAMED) == set(TILES)


def test_buildings() -> None:
    assert tuple(BUILDING_NAMED) == BUILDINGS


def test_sides_and_kinds() -> None:
    assert [SIDE.read(letter) for letter in SIDE_OF_LETTER] == ["I", "B"]
    assert [ELECTED.read(letter) for letter in KIND_OF_LETTER] == ["C", "M", "T"]


def test_the_words_of_a_sightline() -> None:
    assert notation.KEYS == SIGHT_KEYS


def test_variants() -> None:
    assert [VARIANT.read(name) for name in VARIANTS] == list(VARIANTS)


def test_reasons() -> None:
    assert tuple(REASONS) == rules_game.REASONS


def test_clocks() -> None:
    for control in (BOTS, PEOPLE):
        assert CLOCK.read(control.clock_text) == control.clock_text
        assert CAP.read(control.cap_text) == control.cap_text
    assert not isinstance(decode_server_line(b"over g1 9 I majority"), Refusal)
