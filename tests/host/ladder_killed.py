"""A program that plays small ladders and kills itself at the n-th call that changes a disk; run by a test.

`python -m tests.host.ladder_killed WORDS` prints a JSON object for each way to die; WORDS is JSON of `Ways`.
Each life is a fork of this program: it plays with workers in memory (tests/host/ladder_crew.py), in its own
directory, until it is killed or the run is over.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple
from zlib import crc32

import msgspec
import trio

from tests.host.ladder_crew import FakeCrew
from tests.host.ladder_plans import plan_of
from tyrusd.host.ladder import coordinator
from tyrusd.host.ladder.crewing import Crewing, WorkerEvent
from tyrusd.host.ladder.directory import DirectoryError, RunDirectory
from tyrusd.host.ladder.news import GameKept, News
from tyrusd.host.ladder.past import read_run
from tyrusd.host.ladder.plan import Pace
from tyrusd.host.ladder.run import LadderRun, open_run
from tyrusd.host.ladder.scribe import Scribe
from tyrusd.league.framing import BadRecord, read_frames
from tyrusd.league.statistics.runs import stats_of, unready_counts

PLAN = plan_of("anna", "bert", "carl", "dora", rounds=1)
GAMES = 12
STATISTICS = 8  # of so many runs one has its statistics computed, too: they take longer than all else
CALLS = ("write", "fsync", "replace", "rename", "ftruncate", "pwrite", "unlink")

Moment = Literal["before", "within", "after"]


class Ways(NamedTuple):
    """Which deaths to die.

    root: where directories are made. power: what was not synced is lost with the process. early: results are
    told before they are "written", or "synced", as nobody may. lives: instead of each point once, this many
    runs that are killed again and again at moments that chance decides.
    """

    root: str
    power: bool = False
    early: Literal["", "written", "synced"] = ""
    lives: int = 0
    every: int = 1  # only each so manieth point


class Death:
    """Counts the calls that change a disk, and kills this process at one of them."""

    def __init__(self, journal: Path, point: int, moment: Moment, power: bool) -> None:
        self.calls = 0
        self.names: list[str] = []
        self._journal = journal
        self._synced = journal.stat().st_size if journal.exists() else 0
        self._point = point
        self._moment = moment
        self._power = power
        self.write = os.write
        self._truncate = os.truncate
        for name in CALLS:
            setattr(os, name, self._counted(name, getattr(os, name)))

    def _counted(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **keywords: Any) -> Any:
            self.calls += 1
            self.names.append(name)
            if self.calls == self._point:
                self._end(name, real, args, keywords)
            found = real(*args, **keywords)
            if name == "fsync" and Path(f"/proc/self/fd/{args[0]}").resolve() == self._journal.resolve():
                self._synced = self._journal.stat().st_size
            return found

        return call

    def _end(self, name: str, real: Callable[..., Any], args: Any, keywords: Any) -> None:
        if self._moment == "within" and name in ("write", "pwrite"):
            real(args[0], bytes(args[1])[: len(args[1]) // 2], *args[2:])
        elif self._moment == "after":
            with contextlib.suppress(FileNotFoundError):
                real(*args, **keywords)
            if name == "fsync" and Path(f"/proc/self/fd/{args[0]}").resolve() == self._journal.resolve():
                self._synced = self._journal.stat().st_size
        if self._power and self._journal.exists() and self._journal.stat().st_size > self._synced:
            self._truncate(self._journal, self._synced)
        os.kill(os.getpid(), signal.SIGKILL)


class EarlyScribe(Scribe):
    """Does what the scribe does in the wrong order: only here, to see that the test notices."""

    written = False

    async def run(self) -> None:
        while True:
            await self._work.wait()
            self._work = trio.Event()
            batch, self._waiting = self._waiting, []
            frames = [entry.frame for entry in batch if entry.frame is not None]
            if frames and self.written:
                await self._append(frames)
            for entry in batch:
                self._pending -= 1
                entry.effect()
            await trio.lowlevel.checkpoint()
            if frames and not self.written:
                await self._append(frames)
            if frames:
                await self._sync()


def _opened(path: Path) -> LadderRun:
    try:
        return open_run(RunDirectory.resume(path))
    except DirectoryError:
        return open_run(RunDirectory.begin(path, PLAN))


def live(path: Path, ways: Ways, point: int, moment: Moment, chance: int) -> None:
    """One life: begin the run, or go on with it. Leaves what it told, and if it gets there its table."""
    told = os.open(path.with_suffix(".told"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    death = Death(path / "journal.tyrus", point, moment, ways.power)
    if ways.early:
        EarlyScribe.written = ways.early == "synced"
        setattr(coordinator, "Scribe", EarlyScribe)  # noqa: B010

    def hear(news: News) -> None:
        if isinstance(news, GameKept):
            death.write(told, f"{news.played.place.game_id}\n".encode())

    def make(tell: Callable[[WorkerEvent], None]) -> Crewing:
        return FakeCrew(tell, chance=chance, unkept=2 if ways.lives else 1)

    async def main() -> None:
        run = _opened(path)
        try:
            end = await coordinator.run_ladder(run, make, Pace(4, 1), hear)
            assert end.complete, end
            table = [run.tournament.standing(), run.tournament.counted_games()]
            path.with_suffix(".json").write_bytes(msgspec.json.encode(table))
        finally:
            run.close()

    trio.run(main)
    path.with_suffix(".calls").write_text(" ".join(death.names))


def lived(path: Path, ways: Ways, point: int, moment: Moment, chance: int) -> bool:
    """Have one life in a fork; whether it came to the end of its run."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            live(path, ways, point, moment, chance)
            status = 0
        finally:
            sys.stderr.flush()
            os._exit(status)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return False
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"a life in {path}, point {point} {moment}, ended with {status}")
    return True


def kept(path: Path) -> list[str]:
    """The games that the journal of a run holds, as they stand there; what a tail hides is not there."""
    games: list[str] = []
    file = path / "journal.tyrus"
    try:
        for _, payload in read_frames(file.read_bytes() if file.exists() else b""):
            if payload["kind"] == "game":
                games.append(payload["id"])
    except BadRecord as bad:
        if not bad.last:
            raise
    return games


def told(path: Path) -> list[str]:
    file = path.with_suffix(".told")
    return file.read_text().split() if file.exists() else []


def statistics(path: Path) -> bytes:
    """The statistics of a run, as `tyrusd stats` has them."""
    past = read_run(path)
    return msgspec.json.encode(stats_of(past.tournament, unready_counts(past.records)))


def halves(path: Path) -> tuple[int, int]:
    """Of a run that was killed: pairs with one game in the journal, and pairs that count with one game."""
    if not (path / "ladder.json").exists():
        return 0, 0
    kept_pairs = Counter(game.split("-")[0] for game in kept(path))
    counted = Counter(played.place.pair for played in read_run(path).tournament.counted_games())
    return list(kept_pairs.values()).count(1), list(counted.values()).count(1)


def verdict(path: Path, expected: tuple[bytes, bytes], lost: set[str]) -> dict[str, Any]:
    """What became of a run that was killed and then played to its end."""
    counts = Counter(kept(path))
    same = path.with_suffix(".json").read_bytes() == expected[0]
    if crc32(path.name.encode()) % STATISTICS == 0:
        same = same and statistics(path) == expected[1]
    return {
        "lost": sorted(lost),
        "twice": sorted(game for game, times in counts.items() if times > 1),
        "games": len(counts),
        "same": same,
    }


def each_point(ways: Ways, expected: tuple[bytes, bytes], names: list[str]) -> Iterator[dict[str, Any]]:
    """Die once at each point, then go on undisturbed."""
    moments: tuple[Moment, ...] = ("before", "within", "after")
    number = 0
    for point, moment in itertools.product(range(1, len(names) + 1), moments):
        if moment == "within" and names[point - 1] not in ("write", "pwrite"):
            continue
        number += 1
        if number % ways.every:
            continue
        path = Path(ways.root) / f"{point}-{moment}"
        died = not lived(path, ways, point, moment, 1)
        lost = set(told(path)) - set(kept(path))
        half, counted = halves(path)
        if died:
            assert lived(path, ways._replace(early=""), 0, "before", 2)
        yield {
            "point": f"{moment} {names[point - 1]} {point}", "died": died, "half": half,
            "half_counted": counted,
            **verdict(path, expected, lost),
        }  # fmt: skip


def again_and_again(ways: Ways, expected: tuple[bytes, bytes]) -> Iterator[dict[str, Any]]:
    """Die at moments that chance decides until the run is over all the same."""
    for number in range(ways.lives):
        chance = Random(number)
        path = Path(ways.root) / f"life-{number}"
        lost: set[str] = set()
        deaths = 0
        moments: tuple[Moment, ...] = ("before", "within", "after")
        while not lived(path, ways, chance.randint(1, 40), chance.choice(moments), chance.randint(1, 9)):
            deaths += 1
            lost |= set(told(path)) - set(kept(path))
        yield {"point": f"life {number}", "died": deaths, **verdict(path, expected, lost)}


def main() -> None:
    """Die all the deaths that are asked for."""
    ways = Ways(**json.loads(sys.argv[1]))
    whole = Path(ways.root) / "whole"
    assert lived(whole, Ways(ways.root), 0, "before", 1)
    expected = whole.with_suffix(".json").read_bytes(), statistics(whole)
    names = whole.with_suffix(".calls").read_text().split()
    ends = again_and_again(ways, expected) if ways.lives else each_point(ways, expected, names)
    for end in ends:
        print(json.dumps(end), flush=True)


if __name__ == "__main__":
    main()
