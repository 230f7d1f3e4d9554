"""Deals as lines of text: `cards=... opener=... ivory=... brown=...`, one deal a line (docs/deals.md)."""

from __future__ import annotations

from typing import Final

from tyrusd.rules.deal import Deal
from tyrusd.rules.pieces import KIND_OF_LETTER, SIDE_OF_LETTER, TILE_NAMED, Tile

KEYS: Final = ("cards", "opener", "ivory", "brown")

_EXAMPLE: Final = "write cards=CCC... opener=I ivory=S1,... brown=S1,... with one space between"


def write_deal(deal: Deal) -> str:
    """Return a deal as one line, without its end; `read_deal` reads it back."""
    return (
        f"cards={''.join(card.letter for card in deal.cards)} opener={deal.opener.letter} "
        f"ivory={','.join(map(str, deal.ivory))} brown={','.join(map(str, deal.brown))}"
    )


def read_deal(line: str) -> Deal:
    """Read a line of `write_deal`, strictly; raises ValueError, saying what is wrong with it."""
    words = [word.partition("=") for word in line.split(" ")]
    if tuple(key for key, _, _ in words) != KEYS:
        raise ValueError(f"a deal is four words; {_EXAMPLE}")
    cards, opener, ivory, brown = (value for _, _, value in words)
    if opener not in SIDE_OF_LETTER:
        raise ValueError(f"opener={opener}: write opener=I or opener=B")
    unknown = sorted(set(cards) - KIND_OF_LETTER.keys())
    if unknown:
        raise ValueError(f"cards={cards}: {unknown[0]!r} is no card; write nine letters of C, M and T")
    return Deal(
        tuple(KIND_OF_LETTER[card] for card in cards),
        _tiles("ivory", ivory),
        _tiles("brown", brown),
        SIDE_OF_LETTER[opener],
    )


def read_deals(text: str) -> tuple[Deal, ...]:
    """Read the deals of a file, in their order; empty lines and those that begin with # are none.

    Raises ValueError, with the number of the line: correct it. No deal may be there twice, since who knows it
    from one pair would know it in another.
    """
    lines = text.split("\n")
    if lines.pop():
        raise ValueError(f"line {len(lines) + 1}: it has no end, so that something may be missing")
    found: dict[str, int] = {}
    deals = []
    for number, line in enumerate(lines, 1):
        if not line or line.startswith("#"):
            continue
        try:
            deals.append(read_deal(line))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        if line in found:
            raise ValueError(f"line {number}: the deal of line {found[line]} again; leave one of them out")
        found[line] = number
    return tuple(deals)


def _tiles(key: str, text: str) -> tuple[Tile, ...]:
    names = text.split(",")
    unknown = [name for name in names if name not in TILE_NAMED]
    if unknown:
        raise ValueError(f"{key}=...: {unknown[0]!r} is no tile; write thirty such as S10, with commas")
    return tuple(TILE_NAMED[name] for name in names)
