"""The sightline is strict: a malformed or contradicting key is refused by name, and the grammar agrees."""

import re
from typing import Any

import pytest

from tests.rules.abnf import pattern_of
from tests.rules.golden import golden_deal, golden_games, golden_placements
from tests.rules.rows import load_rules
from tyrusd.rules.notation import (
    GRAMMAR,
    KEYS,
    read_entries,
    read_view,
    view_words,
    write_entries,
    write_view,
)
from tyrusd.rules.view import View, view

RULES: Any = load_rules("tyrusd.rules")
PATTERN = re.compile(pattern_of(GRAMMAR, "sightline"))


def golden_view(number: int, placed: int, viewer: Any) -> View:
    record = golden_games()[number]
    game = RULES.Game(golden_deal(RULES, record))
    for placement in golden_placements(RULES, record)[:placed]:
        game.place(*placement)
    return view(game, viewer)


BROWN = golden_view(4, 20, RULES.Side.BROWN)
SPECTATOR = golden_view(4, 20, None)


def changed(base: View, **values: str) -> str:
    return " ".join(f"{key}={values.get(key, value)}" for key, value in view_words(base))


def test_the_view_under_test_is_a_full_one() -> None:
    words = dict(view_words(BROWN))
    assert tuple(words) == KEYS
    assert (words["election"], words["turn"]) == ("4", "3")
    assert len(BROWN.winners) == 3
    assert {seen.side for seen in BROWN.board} == set(RULES.Side)
    assert read_view(changed(BROWN)) == BROWN


# Values that are no spelling of anything.
MALFORMED = {
    "side": ["", "i", "N", "IB", "ivory", "-I"],
    "variant": ["", "Standard", "chess", "standard,"],
    "opener": ["", "-", "N", "b", "2"],
    "election": ["", "0", "10", "04", "+4", "4.", "٤", "-"],
    "turn": ["", "0", "7", "03", "-", "1_"],
    "move": ["", "N", "i", "0"],
    "kind": ["", "-", "S", "c", "CM", "X"],
    "cards": ["", "-", "CMTX", "C,M,T,C", "CCCCCCCCCC"],
    "won": ["", "INX", "i", "I-B", "NNNNNNNNNN"],
    "hand": ["", "?", "S11", "S0", "S01", "s1", "S1,", ",S1", "S1,,S2", "T1", "S1;S2",
             "S1,S2,S3,S4,S5,S6,S7,S8,S9,S10"],
    "reserve": ["", "-", "-3", "012", "13", "24"],
    "board": ["", "IC", "IC.1.1.I", "IC.1.1.I.S1.2", "XC.1.1.I.?", "IC.0.1.I.?", "IC.1.7.I.?", "IC.1.1.N.?",
              "IC.1.1.I.??", "IC.1.1.I.S11", "IC.1.1.I.?,", "IC.1.1.I.?/IC.1.2.I.?"],
    "past": ["", "/", "-//-", "-/-/-/", "IC.1.1.I.S1,/-/-", "-,-", "-/-/-/-/-/-/-/-/-/-"],
}  # fmt: skip

# Well spelled values that do not fit the rest of the line, and the key that is named.
CONTRADICTING = [
    ("opener", dict(view_words(BROWN))["opener"].translate(str.maketrans("IB", "BI")), "move"),
    ("election", "5", "move"),
    ("election", "6", "cards"),
    ("turn", "4", "move"),
    ("move", dict(view_words(BROWN))["move"].translate(str.maketrans("IB", "BI")), "move"),
    ("kind", next(letter for letter in "CMT" if letter != BROWN.kind.letter), "kind"),
    ("cards", "CMT", "cards"),
    ("cards", "CMTCM", "cards"),
    ("won", "-", "won"),
    ("won", "IB", "won"),
    ("won", "IBNI", "won"),
    ("hand", "S2,S1", "hand"),
    ("hand", "S1,S1", "hand"),
    ("hand", "M1,S1", "hand"),
    ("reserve", "21", "reserve"),
    ("reserve", "9", "reserve"),
    ("board", "IC.1.2.I.?,IC.1.1.I.?", "board"),
    ("board", "IC.1.1.I.?,IC.1.1.I.?", "board"),
    ("board", "IC.1.1.B.?", "board"),
    ("board", "IC.1.1.I.S1", "board"),
    ("board", "IC.4.3.I.?", "board"),
    ("board", "IC.5.1.I.?", "board"),
    ("past", "-", "past"),
    ("past", "-/-", "past"),
    ("past", "-/-/-/-", "past"),
    ("past", "IC.1.1.I.?/-/-", "past"),
]


def test_every_key_has_malformed_values_and_the_grammar_refuses_them_all() -> None:
    assert tuple(MALFORMED) == KEYS
    for key, values in MALFORMED.items():
        for value in values:
            assert not PATTERN.fullmatch(changed(BROWN, **{key: value})), (key, value)


@pytest.mark.parametrize(("key", "value"), [(key, value) for key in KEYS for value in MALFORMED[key]])
def test_a_malformed_key_is_named(key: str, value: str) -> None:
    with pytest.raises(ValueError, match=rf"^sightline: {key}: "):
        read_view(changed(BROWN, **{key: value}))


@pytest.mark.parametrize(("key", "value", "named"), CONTRADICTING)
def test_a_contradicting_key_is_named(key: str, value: str, named: str) -> None:
    line = changed(BROWN, **{key: value})
    # No grammar can say that keys contradict each other.
    assert PATTERN.fullmatch(line)
    with pytest.raises(ValueError, match=rf"^sightline: {named}: "):
        read_view(line)


def test_a_spectators_line_has_no_hand_and_no_faces() -> None:
    assert read_view(changed(SPECTATOR)) == SPECTATOR
    with pytest.raises(ValueError, match=r"sightline: hand: .*spectator"):
        read_view(changed(SPECTATOR, hand="S1"))
    with pytest.raises(ValueError, match="sightline: board: own tiles"):
        read_view(changed(SPECTATOR, board="IC.1.1.I.S1"))


def test_past_groups_belong_to_their_elections() -> None:
    kinds = [kind.letter for kind in BROWN.cards]
    wrong = next(letter for letter in "CMT" if letter != kinds[0])
    for group in (f"I{wrong}.1.1.I.S1", f"I{kinds[0]}.2.1.I.S1", f"I{kinds[0]}.1.1.I.?"):
        with pytest.raises(ValueError, match="sightline: past: each group"):
            read_view(changed(BROWN, past=f"{group}/-/-"))
    for order in (
        f"B{kinds[0]}.1.1.I.S1,I{kinds[0]}.1.2.B.S1",
        f"I{kinds[0]}.1.2.B.S1,I{kinds[0]}.1.1.I.S1",
        f"I{kinds[0]}.1.2.B.S1,I{kinds[0]}.1.2.B.S1",
    ):
        with pytest.raises(ValueError, match="sightline: past: in a group"):
            read_view(changed(BROWN, past=f"{order}/-/-"))
    assert read_view(changed(BROWN, past="-/-/-")).past == ((), (), ())


def test_one_finished_election_without_tiles_differs_from_none() -> None:
    game = RULES.Game(RULES.deal_from_bytes(b"empty"))
    idle = RULES.building_of(RULES.Side.IVORY, RULES.Kind((game.kind + 1) % 3))
    start = write_view(view(game, None))
    assert start.endswith(" past=-")
    assert read_view(start).past == ()
    for _ in range(6):
        game.place(game.to_move, game.hand(game.to_move)[0], idle)
    line = write_view(view(game, None))
    assert line.endswith(" past=-")
    assert read_view(line).past == ((),)
    with pytest.raises(ValueError, match="sightline: past: it must be a group"):
        read_view(start.replace("past=-", f"past=-/I{game.deal.cards[0].letter}.1.1.I.S1"))


@pytest.mark.parametrize(
    "line",
    [
        "",
        changed(BROWN) + " ",
        " " + changed(BROWN),
        changed(BROWN).replace(" ", "  ", 1),
        changed(BROWN).replace(" ", "\t"),
        changed(BROWN) + "\n",
        changed(BROWN).rpartition(" ")[0],
        changed(BROWN) + " extra=1",
        changed(BROWN).replace("move=", "Move="),
        changed(BROWN).replace("kind=", "kind"),
        " ".join(sorted(changed(BROWN).split(" "))),
    ],
)
def test_words_are_thirteen_in_their_order_with_one_space_between(line: str) -> None:
    with pytest.raises(ValueError, match=r"^sightline: "):
        read_view(line)
    assert not PATTERN.fullmatch(line)


def test_a_word_out_of_place_is_named() -> None:
    with pytest.raises(ValueError, match=r"sightline: move: a word move=\.\.\. belongs here, not 'Move="):
        read_view(changed(BROWN).replace("move=", "Move="))


def test_a_game_that_was_stopped_has_a_sightline_too() -> None:
    game = RULES.Game(RULES.deal_from_bytes(b"stopped"))
    for viewer in (*RULES.Side, None):
        assert read_view(write_view(view(game, viewer))).to_move is not None
    game.place(game.to_move, game.hand(game.to_move)[0], RULES.Building.IC)
    game.resign(RULES.Side.IVORY)
    for viewer in (*RULES.Side, None):
        seen = read_view(write_view(view(game, viewer)))
        assert (seen.to_move, seen.turn, seen.winners) == (None, 2, ())


def test_the_grammar_accepts_whatever_is_written() -> None:
    for number in range(0, 200, 10):
        for placed in (0, 1, 7, 19, 54):
            for viewer in (*RULES.Side, None):
                assert PATTERN.fullmatch(write_view(golden_view(number, placed, viewer)))


def test_entries_by_themselves_come_back_or_are_refused() -> None:
    for group in (BROWN.board, *BROWN.past, ()):
        assert read_entries(write_entries(group)) == group
    for text in MALFORMED["board"]:
        with pytest.raises(ValueError, match=r"^entries: "):
            read_entries(text)
