"""The soak at a size that every run of the tests can bear (docs/testing.md has the full one)."""

from __future__ import annotations

from pathlib import Path

from tests.soak.run import Report, soak
from tests.soak.size import Size, allow_files
from tests.soak.verdict import lost_games, wrong_results

SIZE = Size(minutes=0.2, bots=100, games=50, hostile=20, rate=300.0)


def test_a_small_soak(tmp_path: Path) -> None:
    """One run for all, since it takes half a minute: nothing is wrong, and what is planted is noticed."""
    assert allow_files(SIZE) is None
    report = soak(SIZE, tmp_path)
    assert report.breaches == [], report.figures()
    _the_load_was_there(report)
    _control_one_wrong_result(report)
    _control_an_end_told_twice_and_a_lost_game(report)


def _the_load_was_there(report: Report) -> None:
    counts, byes = report.swarm["counts"], report.hostile["byes"]
    assert counts["placements"] > 500 and len(report.games) >= 50 and len(report.told) > 50
    assert counts["resumes"] > 3 and counts["slow readers"] > 3
    assert {f"broken off: {how}" for how in ("close", "reset", "half", "takeover")} & counts.keys()
    assert sum(report.hostile["attacks"].values()) >= 20 and "protocol" in byes
    assert any(client.startswith("watch-") for client, *_ in report.told), "no spectator heard an end"


def _control_one_wrong_result(report: Report) -> None:
    told = list(report.told)
    one = told[len(told) // 2]
    told[len(told) // 2] = one._replace(winner={"I": "B", "B": "I", "-": "I"}[one.winner])
    (found,) = wrong_results(told, report.games)
    assert one.client in found and one.game in found


def _control_an_end_told_twice_and_a_lost_game(report: Report) -> None:
    assert len(wrong_results([*report.told, report.told[-1]], report.games)) == 1
    client, game = report.started[0]
    kept = {other: end for other, end in report.games.items() if other != game}
    assert any(game in found and client in found for found in lost_games(report.started, kept))
