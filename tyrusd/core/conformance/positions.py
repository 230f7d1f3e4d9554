"""True positions for the requests of a check: games played by the rules from deals that never change."""

from __future__ import annotations

from typing import Final

from tyrusd.core.conformance.setting import ANSWER
from tyrusd.league.clock import TimeControl
from tyrusd.league.match import Match
from tyrusd.rules.deal import deal_from_bytes, seat_seed
from tyrusd.rules.pieces import VOTERS_OF, Building, Kind, Side, Tile, building_of
from tyrusd.rules.variants import STANDARD, Variant

CAP: Final = TimeControl(None, 0, int(ANSWER * 1000))


def match_at(
    game: str,
    names: tuple[str, str],
    side: Side,
    request: int,
    deal: int,
    variant: Variant = STANDARD,
    control: TimeControl = CAP,
    lenient: int = 0,
) -> Match:
    """Return a game in which it is `side`'s turn, at the first such request from `request` (1 to 53) on.

    deal: the number of the deal. Both sides have avoided votes so far: the game is undecided, and every tile
    was placed where it is revealed next, so that what is past is as long as it can be.
    """
    match = fresh(game, names, deal, variant, control, lenient)
    while match.game.placed_count + 1 < request or match.game.to_move is not side:
        play(match, *null_placement(match), 0.0)
    return match


def fresh(
    game: str,
    names: tuple[str, str],
    deal: int,
    variant: Variant = STANDARD,
    control: TimeControl = CAP,
    lenient: int = 0,
) -> Match:
    """Return a game that has just begun, from the deal of that number."""
    secret = b"tyrusd check %d" % deal
    return Match(
        game,
        1,
        deal_from_bytes(secret),
        variant,
        (control, control),
        (lenient, lenient),
        names,
        (seat_seed(secret, Side.IVORY), seat_seed(secret, Side.BROWN)),
    )


def play(match: Match, tile: Tile, building: Building, now: float) -> int:
    """Make a placement for whoever is to move; return the number of events before it."""
    told = match.game.event_count
    request = match.issue(now)
    match.place(request.side, request.number, tile, building, now)
    return told


def null_placement(match: Match) -> tuple[Tile, Building]:
    """A placement that wins nothing: the lowest tile without a vote, at home in this election."""
    side, game = _to_move(match), match.game
    voters = VOTERS_OF[game.kind]
    hand = sorted(game.hand(side), key=lambda tile: (tile.profession == voters, tile.number))
    # A voter is worth nothing in another building of its own side.
    kind = game.kind if hand[0].profession != voters else Kind((game.kind + 1) % 3)
    return hand[0], building_of(side, kind)


def simple_placement(match: Match) -> tuple[Tile, Building]:
    """What the opponent of whole games does: its highest vote at home, else its lowest tile for later."""
    side, game = _to_move(match), match.game
    hand = game.hand(side)
    votes = [tile for tile in hand if tile.profession == VOTERS_OF[game.kind]]
    if votes:
        return max(votes, key=lambda tile: tile.number), building_of(side, game.kind)
    lowest = min(hand, key=lambda tile: tile.number)
    kind = next(kind for kind in Kind if VOTERS_OF[kind] == lowest.profession)
    return lowest, building_of(side, kind)


def _to_move(match: Match) -> Side:
    side = match.game.to_move
    if side is None:
        raise ValueError("the game is over; choose an earlier request or another deal")
    return side
