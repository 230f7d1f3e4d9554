"""Long headless matches between bundled bots: every game legal, repeatable, and won by the better bot."""

from __future__ import annotations

from pathlib import Path
from statistics import NormalDist

import msgpack
import pytest

from tests.e2e.matches import play
from tyrusd.league.record import read_frames
from tyrusd.league.replay import verify

BOTS = ("plugin:greedy", "plugin:random")


def game_parts(record: Path) -> dict[int, bytes]:
    """The game part of each record, by schedule number, as it was written; each is played again."""
    parts: dict[int, bytes] = {}
    for _, payload in read_frames(record.read_bytes()):
        if payload["kind"] == "game":
            verify(payload)
            parts[payload["game"]["number"]] = msgpack.packb(payload["game"])
    return parts


@pytest.mark.timeout(600)
def test_a_thousand_games_are_legal_and_the_same_whatever_the_concurrency(tmp_path: Path) -> None:
    parts = []
    for concurrency in ("1", "32"):
        record = tmp_path / f"{concurrency}.tyrus"
        options = ("--games", "1000", "--seed", "1", "--concurrency", concurrency, "--record", str(record))
        found = play(BOTS, {}, *options)
        assert found["seats"][0]["wins"] >= 700, "greedy wins at least 70 % against random"
        assert found["seats"][0]["wins"] + found["seats"][1]["wins"] + found["seats"][0]["draws"] == 1000
        parts.append(game_parts(record))
    assert sorted(parts[0]) == list(range(1, 1001))
    assert parts[0] == parts[1]


def test_another_seed_gives_other_games(tmp_path: Path) -> None:
    parts = []
    for seed in ("1", "2"):
        record = tmp_path / f"{seed}.tyrus"
        play(BOTS, {}, "--games", "3", "--seed", seed, "--record", str(record))
        parts.append(game_parts(record))
    assert all(parts[0][number] != parts[1][number] for number in (1, 2, 3))


def wilson_lower(points: float, games: int, confidence: float = 0.95) -> float:
    """The lower end of Wilson's interval of a score (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927)."""
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share = points / games
    middle = share + z * z / (2 * games)
    spread = z * (share * (1 - share) / games + z * z / (4 * games * games)) ** 0.5
    return float((middle - spread) / (1 + z * z / games))


@pytest.mark.timeout(600)
def test_cautious_beats_greedy_over_two_thousand_games() -> None:
    options = ("--games", "2000", "--seed", "5", "--concurrency", "32")
    cautious = play(("plugin:cautious", "plugin:greedy"), {}, *options)["seats"][0]
    assert cautious["ivory"]["wins"] + cautious["ivory"]["losses"] + cautious["ivory"]["draws"] == 1000
    assert wilson_lower(cautious["points"], 2000) > 0.55
