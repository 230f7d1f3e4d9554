"""Decides all chance of a game up front (cards, tiles, opener) and how bytes become such a deal."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256, shake_256
from typing import Final, TypeVar

from tyrusd.rules.pieces import ALL_CARDS, ALL_TILES, Kind, Side, Tile

HAND_SIZE: Final = 9
LONGEST_SEED: Final = 64

_CARDS = sorted(ALL_CARDS)
_TILES = frozenset(ALL_TILES)
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """All chance of one game: nine cards, thirty tiles a side in drawing order (the hand first), the opener.

    Raises ValueError, saying which part is wrong, when the cards or tiles are not exactly those of the game.
    """

    cards: tuple[Kind, ...]
    ivory: tuple[Tile, ...]
    brown: tuple[Tile, ...]
    opener: Side

    def __post_init__(self) -> None:
        if sorted(self.cards) != _CARDS:
            raise ValueError("deal: cards must be nine, three of each kind; correct the list of cards")
        for side in Side:
            tiles = self.tiles(side)
            if len(tiles) != len(_TILES) or frozenset(tiles) != _TILES:
                raise ValueError(f"deal: {side.word} must be each of the thirty tiles once; correct it")
        if not isinstance(self.opener, Side):
            raise ValueError("deal: opener must be a Side; pass Side.IVORY or Side.BROWN")

    def tiles(self, side: Side) -> tuple[Tile, ...]:
        """Return the thirty tiles of a side, in drawing order."""
        return self.brown if side else self.ivory

    def __repr__(self) -> str:
        return "<Deal, faces hidden>"


def deal_from_bytes(secret: bytes) -> Deal:
    """Return the deal that these bytes stand for, as docs/deals.md describes; every deal is equally likely.

    Raises ValueError for empty bytes: pass at least 16 bytes of good randomness for a game that matters.
    """
    if not secret:
        raise ValueError("deal: the secret is empty; pass random bytes")
    return Deal(
        cards=tuple(_shuffled(ALL_CARDS, b"cards", secret)),
        ivory=tuple(_shuffled(ALL_TILES, b"ivory", secret)),
        brown=tuple(_shuffled(ALL_TILES, b"brown", secret)),
        opener=Side(next(_stream(b"opener", secret)) & 1),
    )


def game_secret(seed: str, game: int) -> bytes:
    """Return the secret of one game of a series that is repeatable from its seed.

    `seed` is 1 to 64 printable ASCII characters, `game` the game's number, 0 or more; ValueError otherwise.
    """
    if not (0 < len(seed) <= LONGEST_SEED and seed.isascii() and seed.isprintable()):
        raise ValueError(f"seed: 1 to {LONGEST_SEED} printable ASCII characters are needed; choose another")
    if game < 0:
        raise ValueError(f"seed: a game's number is 0 or more, not {game}")
    return sha256(b"tyrusd game 1\0" + seed.encode("ascii") + b"\0" + str(game).encode("ascii")).digest()


def pair_secret(seed: str, pair: int, attempt: int = 1) -> bytes:
    """Return the secret of a pair of games of a ladder, which are played on one deal.

    `seed` is 1 to 64 printable ASCII characters, `pair` its number in the schedule, `attempt` how often it
    has been dealt, this time included; ValueError otherwise.
    """
    base = game_secret(seed, pair)
    if attempt < 1:
        raise ValueError(f"seed: a pair is dealt for the first time as attempt 1, not {attempt}")
    return sha256(b"tyrusd pair 1\0" + base + b"\0" + str(attempt).encode("ascii")).digest()


def twin_secret(secret: bytes, game: int) -> bytes:
    """Return the secret of the seats' seeds in game 1 or 2 of a pair, which is not that of its deal."""
    return sha256(b"tyrusd twin 1\0" + secret + b"\0" + str(game).encode("ascii")).digest()


def seat_seed(secret: bytes, side: Side) -> str:
    """Return a seat's seed for its own chance, 32 hexadecimal digits that tell nothing about the deal."""
    return shake_256(b"tyrusd seat 1\0" + side.word.encode("ascii") + b"\0" + secret).hexdigest(16)


def _stream(purpose: bytes, secret: bytes) -> Iterator[int]:
    source = shake_256(b"tyrusd deal 1\0" + purpose + b"\0" + secret)
    start, end = 0, 32
    while True:
        # A longer output of SHAKE begins with the shorter one, so asking again continues the stream.
        yield from source.digest(end)[start:]
        start, end = end, 2 * end


def _shuffled(items: tuple[_Item, ...], purpose: bytes, secret: bytes) -> list[_Item]:
    stream = _stream(purpose, secret)
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        bound = last + 1
        limit = 256 - 256 % bound
        byte = next(stream)
        # Bytes at or above the limit would favour small positions: they are passed over.
        while byte >= limit:
            byte = next(stream)
        chosen = byte % bound
        order[last], order[chosen] = order[chosen], order[last]
    return order
