"""Deals: docs/deals.md is true to the letter, every deal is equally likely, and nothing else is accepted."""

import re
from collections import Counter
from hashlib import sha256, shake_256
from pathlib import Path

import pytest

from tyrusd.rules.deal import Deal, deal_from_bytes, game_secret, pair_secret, seat_seed, twin_secret
from tyrusd.rules.pieces import ALL_CARDS, ALL_TILES, SIDE_OF_LETTER, Kind, Side

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "deals.md").read_text("utf-8")
VECTORS = [
    dict(line.split(None, 1) for line in block.splitlines())
    for block in re.findall(r"```vector\n(.*?)```", PAGE, re.DOTALL)
]
PAIRS = re.findall(
    r"^\| `(.+)` \| (\d+) \| (\d+) \| `([0-9a-f]{64})` \| `([0-9a-f]{64})` \| `([0-9a-f]{64})` \|$",
    PAGE,
    re.MULTILINE,
)
SECRETS = re.findall(r"^\| `(.+)` \| (\d+) \| `([0-9a-f]{64})` \|$", PAGE, re.MULTILINE)


def as_the_page_says(purpose: str, items: list[str], secret: bytes) -> tuple[list[str], int]:
    """A second reading of docs/deals.md, shared with nothing; also the number of bytes used."""
    output = shake_256(b"tyrusd deal 1" + bytes(1) + purpose.encode() + bytes(1) + secret).digest(1000)
    used = 0
    for last in reversed(range(1, len(items))):
        while output[used] >= 256 - 256 % (last + 1):
            used += 1
        position = output[used] % (last + 1)
        used += 1
        items[last], items[position] = items[position], items[last]
    return items, used


def test_the_page_has_vectors_among_them_a_long_stream() -> None:
    assert len(VECTORS) == 5
    assert len(SECRETS) == 5
    secret = bytes.fromhex(VECTORS[-1]["secret"])
    assert as_the_page_says("ivory", [str(tile) for tile in ALL_TILES], secret)[1] == 35


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["secret"][:8])
def test_vectors_of_the_page(vector: dict[str, str]) -> None:
    secret = bytes.fromhex(vector["secret"])
    deal = deal_from_bytes(secret)
    assert "".join(kind.letter for kind in deal.cards) == vector["cards"]
    assert ",".join(map(str, deal.ivory)) == vector["ivory"]
    assert ",".join(map(str, deal.brown)) == vector["brown"]
    assert deal.opener.letter == vector["opener"]
    for letter, side in SIDE_OF_LETTER.items():
        assert seat_seed(secret, side) == vector[f"seat-{letter}"]
    # The page's words alone lead to the same vectors.
    names = [str(tile) for tile in ALL_TILES]
    assert "".join(as_the_page_says("cards", list("CCCMMMTTT"), secret)[0]) == vector["cards"]
    for side in Side:
        assert ",".join(as_the_page_says(side.word, list(names), secret)[0]) == vector[side.word]
        seed = shake_256(b"tyrusd seat 1" + bytes(1) + side.word.encode() + bytes(1) + secret).hexdigest(16)
        assert seed == vector[f"seat-{side.letter}"]
    first = shake_256(b"tyrusd deal 1" + bytes(1) + b"opener" + bytes(1) + secret).digest(1)[0]
    assert "IB"[first % 2] == vector["opener"]


@pytest.mark.parametrize(("seed", "number", "secret"), SECRETS)
def test_secrets_of_a_series_on_the_page(seed: str, number: str, secret: str) -> None:
    assert game_secret(seed, int(number)).hex() == secret
    assert sha256(f"tyrusd game 1\0{seed}\0{number}".encode()).hexdigest() == secret


@pytest.mark.parametrize(("seed", "pair", "attempt", "deal", "one", "two"), PAIRS)
def test_secrets_of_pairs_on_the_page(
    seed: str, pair: str, attempt: str, deal: str, one: str, two: str
) -> None:
    secret = pair_secret(seed, int(pair), int(attempt))
    assert [secret.hex(), twin_secret(secret, 1).hex(), twin_secret(secret, 2).hex()] == [deal, one, two]
    # The page's words alone lead to the same.
    base = sha256(b"tyrusd game 1" + bytes(1) + seed.encode() + bytes(1) + pair.encode()).digest()
    assert sha256(b"tyrusd pair 1" + bytes(1) + base + bytes(1) + attempt.encode()).hexdigest() == deal
    for game, twin in ((b"1", one), (b"2", two)):
        assert sha256(b"tyrusd twin 1" + bytes(1) + secret + bytes(1) + game).hexdigest() == twin


def test_the_page_has_vectors_of_everything() -> None:
    assert min(len(VECTORS), len(SECRETS), len(PAIRS)) >= 5


@pytest.mark.parametrize("seed", ["", "a" * 65, "tab\t", "é", "line\n", "\x7f"])
def test_a_seed_that_cannot_be_typed_is_refused(seed: str) -> None:
    with pytest.raises(ValueError, match="64 printable ASCII characters"):
        game_secret(seed, 1)


def test_a_game_number_below_nought_and_an_empty_secret_are_refused() -> None:
    with pytest.raises(ValueError, match="0 or more, not -1"):
        game_secret("seed", -1)
    with pytest.raises(ValueError, match="pass random bytes"):
        deal_from_bytes(b"")


def test_d2_seats_get_seeds_of_their_own() -> None:
    seeds = {seat_seed(bytes([secret]), side) for secret in range(50) for side in Side}
    assert len(seeds) == 100
    assert all(re.fullmatch("[0-9a-f]{32}", seed) for seed in seeds)


SAMPLE = 6000


def chi_square(counts: Counter[int], cells: int) -> float:
    expected = sum(counts.values()) / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))


# The sample is fixed, so these figures never change. The limits are the 99.99 % points for 29 and 2 degrees.
@pytest.fixture(scope="module")
def sample() -> list[Deal]:
    return [deal_from_bytes(game_secret("even", number)) for number in range(SAMPLE)]


@pytest.mark.parametrize("side", Side)
def test_every_tile_is_equally_likely_in_every_place(sample: list[Deal], side: Side) -> None:
    code = {tile: number for number, tile in enumerate(ALL_TILES)}
    figures = [
        chi_square(Counter(code[deal.tiles(side)[place]] for deal in sample), 30) for place in range(30)
    ]
    assert max(figures) < 66.2
    # Too even would be no better than too uneven.
    assert 24 < sum(figures) / 30 < 34


def test_every_kind_is_equally_likely_in_every_place_and_so_is_every_opener(sample: list[Deal]) -> None:
    for place in range(9):
        assert chi_square(Counter(int(deal.cards[place]) for deal in sample), 3) < 18.4
    assert chi_square(Counter(int(deal.opener) for deal in sample), 2) < 15.1


def test_d2_the_parts_of_a_deal_do_not_depend_on_each_other(sample: list[Deal]) -> None:
    same = sum(deal.ivory[place] == deal.brown[place] for deal in sample for place in range(30))
    # One in thirty: 6000 matches expected among 180 000, with a standard deviation of 76.
    assert abs(same - SAMPLE) < 4 * 76
    pairs = Counter(3 * deal.cards[0] + int(deal.ivory[0].profession) for deal in sample)
    assert chi_square(pairs, 9) < 31.9


def test_a_biased_shuffle_would_be_noticed() -> None:
    # Without passing over high bytes, the first 16 of 30 positions get 9 of 256 bytes and the others 8.
    counts: Counter[int] = Counter()
    for number in range(SAMPLE):
        for byte in shake_256(number.to_bytes(4, "big")).digest(8):
            counts[byte % 30] += 1
    assert chi_square(counts, 30) > 66.2


def test_a_deal_says_what_is_wrong_with_it() -> None:
    good = deal_from_bytes(b"good")
    with pytest.raises(ValueError, match="deal: cards"):
        Deal(good.cards[:8], good.ivory, good.brown, good.opener)
    with pytest.raises(ValueError, match="deal: cards"):
        Deal((*good.cards[:8], Kind((good.cards[8] + 1) % 3)), good.ivory, good.brown, good.opener)
    with pytest.raises(ValueError, match="deal: ivory"):
        Deal(good.cards, good.ivory[:29], good.brown, good.opener)
    with pytest.raises(ValueError, match="deal: ivory"):
        Deal(good.cards, (*good.ivory, good.ivory[0]), good.brown, good.opener)
    with pytest.raises(ValueError, match="deal: brown"):
        Deal(good.cards, good.ivory, (*good.brown[:29], good.brown[0]), good.opener)
    with pytest.raises(ValueError, match="deal: opener"):
        Deal(good.cards, good.ivory, good.brown, 1)  # type: ignore[arg-type]
    assert Deal(ALL_CARDS, ALL_TILES, ALL_TILES, Side.BROWN).tiles(Side.BROWN) == ALL_TILES
