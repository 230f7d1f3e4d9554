"""Measures what the start of a server on a long journal costs, with and without an index: time and memory.

`python -m tests.bench.starting DATA` is the process that is measured.
"""

from __future__ import annotations

import contextlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tyrusd.core.settings import DEFAULTS
from tyrusd.host.game_index import catch_up, hashes
from tyrusd.host.journal import JOURNAL
from tyrusd.host.recovery import recover
from tyrusd.host.store import STORE, Store
from tyrusd.league.clock import BOTS
from tyrusd.league.framing import HEADER, as_frame
from tyrusd.league.match import IllegalAnswer, Match
from tyrusd.league.record import Payload, game_record, opened_record, placed_frame
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.pieces import Building
from tyrusd.rules.variants import STANDARD

PLAYED: Final = 300  # different games; the others have the same placements
STARTED: Final = "2026-01-02T03:04:05.678Z"
_Played = tuple[Payload, list[tuple[str, str, str, int]], Payload]


def measured(games: int) -> dict[str, Any]:
    """Start on a journal of so many whole games: with no index, and with one that has all of them."""
    with tempfile.TemporaryDirectory() as directory:
        data = Path(directory)
        with (data / JOURNAL).open("wb") as file:
            file.write(HEADER)
            file.writelines(_frames(games))
        found: dict[str, Any] = {"games": games, "journal_mib": _mib((data / JOURNAL).stat().st_size)}
        for case in ("no_index", "index"):
            done = subprocess.run(
                [sys.executable, "-m", "tests.bench.starting", directory], stdout=subprocess.PIPE, check=True
            )
            found[case] = json.loads(done.stdout)
        return {**found, "store_mib": _mib((data / STORE).stat().st_size)}


def lines(found: dict[str, Any]) -> list[str]:
    """The same as a table."""
    return [
        "a journal of {games} games, {journal_mib} MiB; a store of {store_mib} MiB".format(**found),
        *(
            f"  {case:8}  {found[case]['cpu_s']:6.1f} s of processor time, at most {found[case]['mib']} MiB"
            for case in ("no_index", "index")
        ),
    ]


def _start(data: Path) -> dict[str, Any]:
    """Do what `tyrusd serve` does with a data directory before it listens."""
    began = time.process_time()
    with Store(data) as store:
        found = recover(data / JOURNAL, {}, DEFAULTS, hashes(store))
        catch_up(store, found.missing)
    found.journal.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"cpu_s": round(time.process_time() - began, 1), "mib": round(peak / 1024)}


def _mib(size: int) -> int:
    return round(size / 1024 / 1024)


def _frames(games: int) -> Iterator[bytes]:
    played = [_play(number) for number in range(min(PLAYED, games))]
    for number in range(games):
        opened, steps, ended = played[number % PLAYED]
        game = f"g{number + 1}"
        yield as_frame({**opened, "id": game})
        for step in steps:
            yield placed_frame(game, *step)
        yield as_frame({**ended, "id": game})


def _play(number: int) -> _Played:
    """A game of placements that chance decides."""
    chance = random.Random(number)
    names = (f"bot-{number % 40}", f"bot-{40 + number % 41}")
    deal = deal_from_bytes(str(number).encode())
    match = Match("g0", 1, deal, STANDARD, (BOTS, BOTS), (None, None), names, ("a" * 32, "b" * 32))
    match.began = now = 0.0
    steps = []
    while match.game.outcome is None:
        request = match.issue(now)
        now += 0.02
        tile = chance.choice(list(match.game.hand(request.side)))
        while request is match.open_request:
            with contextlib.suppress(IllegalAnswer):
                building = chance.choice(list(Building))
                match.place(request.side, request.number, tile, building, now)
        steps.append((request.side.word, str(tile), building.name, match.spent[-1]))
    match.ended = now
    return opened_record(match, started=STARTED), steps, game_record(match, started=STARTED)


if __name__ == "__main__":
    print(json.dumps(_start(Path(sys.argv[1]))))
