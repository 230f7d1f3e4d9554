"""The program `tyrusd` with loaded dice: Ivory opens every game, and the ladder always tosses the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tyrusd.commands import main
from tyrusd.core import lobby, standing_rounds
from tyrusd.league.standing import Entry, Meeting, choose
from tyrusd.rules.deal import Deal, deal_from_bytes
from tyrusd.rules.pieces import Side

TOSS: Final = bytes([11]) * 16  # the bot that came first has Ivory and opens


def ivory_opens(secret: bytes) -> Deal:
    """The deal of these bytes, with Ivory as the opener."""
    deal = deal_from_bytes(secret)
    return Deal(deal.cards, deal.ivory, deal.brown, Side.IVORY)


def same_toss(waiting: Sequence[Entry], now: float, rematch: float, chance: bytes) -> list[Meeting]:
    """The pairs of a ladder, whatever the chance."""
    return choose(waiting, now, rematch, TOSS)


if __name__ == "__main__":
    setattr(standing_rounds, "choose", same_toss)  # noqa: B010
    setattr(lobby, "deal_from_bytes", ivory_opens)  # noqa: B010 - mypy would call it an unexported name
    main()
