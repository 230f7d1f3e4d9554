"""The program `tyrusd` with a loaded die: Ivory opens every game, as the page has it."""

from __future__ import annotations

from tyrusd.commands import main
from tyrusd.core import lobby
from tyrusd.rules.deal import Deal, deal_from_bytes
from tyrusd.rules.pieces import Side


def ivory_opens(secret: bytes) -> Deal:
    """The deal of these bytes, with Ivory as the opener."""
    deal = deal_from_bytes(secret)
    return Deal(deal.cards, deal.ivory, deal.brown, Side.IVORY)


if __name__ == "__main__":
    setattr(lobby, "deal_from_bytes", ivory_opens)  # noqa: B010 - mypy would call it an unexported name
    main()
