"""Tells the count of an election in words, and what past ones turned up."""

from collections.abc import Sequence

from tyrusd.rules.events import Revealed, SeenTile, Tallied
from tyrusd.rules.pieces import Side, building_of
from tyrusd.rules.tally import Count
from tyrusd.rules.view import View
from tyrusd.screen.texts import Texts


def tell_count(tallied: Tallied, revealed: Sequence[Revealed], texts: Texts) -> list[str]:
    """Return the count as lines; `revealed` are the two buildings of the election, in any order."""
    letter = tallied.kind.letter
    lines = [
        texts.say(
            "count.headline",
            number=tallied.number,
            representative=texts.say(f"representative.{letter}"),
            voters=texts.say(f"voters.{letter}"),
        )
    ]
    counts: dict[Side, Count] = {Side.IVORY: tallied.ivory, Side.BROWN: tallied.brown}
    for building, tiles in sorted(revealed):
        facts = {"building": texts.building(building), "tiles": _tiles(tiles, texts)}
        lines.append(texts.say("count.building", **facts))
        lines.append(texts.say("count.sums", **counts[building.side]._asdict()))
    lines.append(_verdict(tallied, texts))
    return lines


def tell_past(view: View, texts: Texts) -> list[str]:
    """Return all tiles that were turned up so far, election by election."""
    lines = []
    for number, (kind, winner, group) in enumerate(
        zip(view.cards, view.winners, view.past, strict=False), start=1
    ):
        representative = texts.say(f"representative.{kind.letter}")
        facts = {"number": number, "representative": representative, "winner": texts.winner(winner)}
        lines.append(texts.say("past.election", **facts))
        for side in Side:
            building = building_of(side, kind)
            tiles = _tiles([seen for seen in group if seen.building is building], texts)
            lines.append(texts.say("count.building", building=texts.building(building), tiles=tiles))
    return lines


def _tiles(tiles: Sequence[SeenTile], texts: Texts) -> str:
    groups = []
    for side in Side:
        names = " ".join(str(seen.tile) for seen in tiles if seen.side is side)
        if names:
            groups.append(texts.say("count.tiles", side=texts.side(side), tiles=names))
    return texts.listed(groups)


def _verdict(tallied: Tallied, texts: Texts) -> str:
    scores = {"ivory": tallied.ivory.score, "brown": tallied.brown.score}
    if tallied.winner is None:
        return texts.say("count.null", **scores)
    return texts.say("count.won", side=texts.side(tallied.winner), **scores)
