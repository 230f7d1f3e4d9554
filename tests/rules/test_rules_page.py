"""docs/rules.md says what the code does: rows, tables, grammar and example are compared with the code."""

import re
from pathlib import Path

from tests.rules.abnf import pattern_of, rules_of
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.game import PLAYED_OUT, REASONS, WITHOUT_RESULT, Game
from tyrusd.rules.notation import GRAMMAR, KEYS, read_view, write_view
from tyrusd.rules.pieces import BLOCKER_OF, Building, Kind, Side
from tyrusd.rules.variants import VARIANTS
from tyrusd.rules.view import view

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text("utf-8")


def example() -> str:
    """Brown's sight of a game in which everybody lays the first tile of his hand, here and there."""
    game = Game(deal_from_bytes(bytes(32)))
    for number in range(7):
        assert game.to_move is not None
        game.place(game.to_move, game.hand(game.to_move)[0], Building(5 * number % 6))
    return write_view(view(game, Side.BROWN))


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def table(first_head: str) -> list[list[str]]:
    """The cells of the table whose first heading is given, without its heading."""
    found = re.search(rf"^\| {first_head} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert found, f"no table of {first_head}"
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()]


def test_rows_1_to_17_are_there_in_their_order() -> None:
    assert re.findall(r"^### R(\d+) \S", PAGE, re.MULTILINE) == [str(row) for row in range(1, 18)]


def test_the_table_of_elections_is_that_of_the_rules() -> None:
    rows = {row[0].strip("`"): row[1:] for row in table("election")}
    assert list(rows) == [kind.letter for kind in Kind]
    for kind in Kind:
        building, _, votes, blocked_by, countered_by = rows[kind.letter]
        blocker = BLOCKER_OF[kind.voters]
        assert building.upper() == kind.name
        assert votes == f"{kind.voters.name.lower()}s"
        assert blocked_by == f"{blocker.name.lower()}s"
        assert countered_by == f"{BLOCKER_OF[blocker].name.lower()}s"


def test_every_way_to_end_is_there_with_its_winner() -> None:
    told = {reason: row[1] for row in table("reason") for reason in re.findall("`([a-z-]+)`", row[0])}
    assert tuple(told) == REASONS
    assert {reason for reason in told if told[reason].startswith("none, and no result")} == WITHOUT_RESULT
    assert all(told[reason] in ("yes", "none") for reason in PLAYED_OUT)


def test_the_grammar_of_the_sightline_is_the_codes_own() -> None:
    assert blocks("abnf") == [GRAMMAR]
    assert [row[0].strip("`") for row in table("key")] == list(KEYS)
    assert re.findall(r'%s"([a-z]+)="', rules_of(GRAMMAR)["sightline"]) == list(KEYS)
    assert re.findall(r'"([^"]+)"', rules_of(GRAMMAR)["variant"]) == list(VARIANTS)


def test_the_example_of_a_sightline_is_a_real_one() -> None:
    (shown,) = blocks("sightline")
    assert shown.strip() == example()
    assert re.fullmatch(pattern_of(GRAMMAR, "sightline"), shown.strip())
    assert read_view(shown.strip()).viewer == Side.BROWN
