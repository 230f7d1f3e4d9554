"""The count of an election is told in words that agree with the rules."""

from __future__ import annotations

from tests.screen.games import played
from tyrusd.rules.events import Revealed, SeenTile, Tallied
from tyrusd.rules.notation import read_entries
from tyrusd.rules.pieces import Building, Kind, Side
from tyrusd.rules.tally import count, winner
from tyrusd.rules.view import view
from tyrusd.screen.tally import tell_count, tell_past
from tyrusd.screen.texts import LANGUAGES

TEXTS = LANGUAGES["en"]


def counted(number: int, kind: Kind, ivory: str, brown: str) -> list[str]:
    """The count of an election told, from the entries of the two buildings."""
    groups = [read_entries(ivory), read_entries(brown)]
    counts = [
        count(kind, side, [(seen.side, seen.tile) for seen in group if seen.tile is not None])
        for side, group in zip(Side, groups, strict=True)
    ]
    tallied = Tallied(number, kind, counts[0], counts[1], winner(*counts))
    return tell_count(tallied, [_revealed(side, kind, groups[side]) for side in Side], TEXTS)


def _revealed(side: Side, kind: Kind, group: tuple[SeenTile, ...]) -> Revealed:
    return Revealed(Building(3 * side + kind), group)


def test_the_general_of_the_english_rulebook_is_told_11_to_10() -> None:
    assert counted(
        2,
        Kind.CITADEL,
        ivory="IC.1.1.I.S7,IC.1.2.B.M8,IC.2.1.I.S5,IC.2.3.I.P6",
        brown="BC.1.4.B.S10,BC.2.2.B.S8,BC.2.5.I.M7",
    ) == [
        "Election 2 is counted: a General; soldiers vote in the Citadels.",
        "  Ivory's Citadel (IC): Ivory S7 S5 P6, Brown M8",
        "    votes 12, blocks 8, counters 6: score 10",
        "  Brown's Citadel (BC): Ivory M7, Brown S10 S8",
        "    votes 18, blocks 7, counters 0: score 11",
        "  Brown wins this election, 10 (Ivory) to 11 (Brown).",
    ]


def test_the_guildmaster_of_the_english_rulebook_is_told_26_to_3() -> None:
    assert counted(
        2,
        Kind.MARKET,
        ivory="IM.2.1.I.M10,IM.2.3.I.M9,IM.2.4.B.P1,IM.2.5.I.M8",
        brown="BM.1.2.B.M2,BM.2.2.B.M1",
    )[1:] == [
        "  Ivory's Market (IM): Ivory M10 M9 M8, Brown P1",
        "    votes 27, blocks 1, counters 0: score 26",
        "  Brown's Market (BM): Brown M2 M1",
        "    votes 3, blocks 0, counters 0: score 3",
        "  Ivory wins this election, 26 (Ivory) to 3 (Brown).",
    ]


def test_an_election_in_empty_buildings_is_null() -> None:
    assert counted(9, Kind.TEMPLE, ivory="-", brown="-") == [
        "Election 9 is counted: a High Priest; priests vote in the Temples.",
        "  Ivory's Temple (IT): none",
        "    votes 0, blocks 0, counters 0: score 0",
        "  Brown's Temple (BT): none",
        "    votes 0, blocks 0, counters 0: score 0",
        "  Null: nobody wins this election, 0 (Ivory) to 0 (Brown).",
    ]


def test_the_buildings_are_told_in_one_order_however_they_come() -> None:
    game = played(2, 6)
    events = game.events
    revealed = [event for event in events if isinstance(event, Revealed)]
    tallied = next(event for event in events if isinstance(event, Tallied))
    assert len(revealed) == 2
    assert tell_count(tallied, revealed, TEXTS) == tell_count(tallied, revealed[::-1], TEXTS)


def test_past_elections_show_every_tile_that_was_turned_up() -> None:
    game = played(4, 30)
    seen = view(game, Side.IVORY)
    told = tell_past(seen, TEXTS)
    assert len(told) == 3 * len(seen.past) == 15
    for number, group in enumerate(seen.past):
        headline, *buildings = told[3 * number : 3 * number + 3]
        assert headline.startswith(f"Election {number + 1}, ")
        assert headline.endswith(f"won by: {TEXTS.winner(seen.winners[number])}")
        names = [word.rstrip(",") for line in buildings for word in line.split(": ", 1)[1].split()]
        tiles = [name for name in names if name not in ("Ivory", "Brown", "none")]
        assert sorted(tiles) == sorted(str(one.tile) for one in group)


def test_before_the_first_count_there_is_no_past() -> None:
    assert tell_past(view(played(4, 5), None), TEXTS) == []
