"""The game that docs/records.md shows: the beginning of a golden game, then Brown resigns."""

from tests.league.matches import GOLDEN, STARTED, golden_match
from tyrusd.league.clock import PEOPLE
from tyrusd.league.record import game_record
from tyrusd.league.schema import Payload
from tyrusd.rules.pieces import Side


def example() -> Payload:
    match = golden_match(GOLDEN[4], 8, pace_ms=1500, controls=(PEOPLE, PEOPLE))
    match.issue(12.0)
    match.resign(Side.BROWN, 15.25)
    return game_record(match, started=STARTED)
