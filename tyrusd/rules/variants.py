"""Names the variants of the game and what sets each apart."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Variant:
    """One set of rules: its name on the wire, and whether the last tiles settle a tie on representatives."""

    name: str
    last_tiles_decide: bool


STANDARD: Final = Variant("standard", last_tiles_decide=True)

# One printed leaflet knows no tiebreak by tiles: equal representatives are a drawn game, to be played again.
REPLAY_TIES: Final = Variant("replay-ties", last_tiles_decide=False)

VARIANTS: Final[dict[str, Variant]] = {variant.name: variant for variant in (STANDARD, REPLAY_TIES)}
