"""One soak from the start of the server to the verdict."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.soak.server import ROOT, Sample, Server
from tests.soak.size import Size
from tests.soak.trend import Growth, growth
from tests.soak.verdict import Kept, Told, journal_games, lost_games, sent_away, wrong_results
from tyrusd.host.journal import JOURNAL

EVERY = 1.0  # seconds between two samples
FINISH = 60.0  # seconds for the clients to write down what they know
MEGABYTE = 1024 * 1024
SHOWN = 20  # breaches of one kind


@dataclass
class Report:
    """What was measured, and everything that was not as it must be."""

    size: Size
    seconds: float
    samples: list[Sample]
    growths: list[Growth]
    told: list[Told]
    started: list[tuple[str, str]]
    games: dict[str, Kept]
    swarm: dict[str, Any]
    hostile: dict[str, Any]
    closing: float
    breaches: list[str]

    def figures(self) -> dict[str, Any]:
        """All of it as plain figures."""
        latencies = sorted(sample.latency for sample in self.samples)
        return {
            "size": asdict(self.size),
            "seconds": round(self.seconds, 1),
            "games ended": len(self.games),
            "ends": _counted([kept.reason for kept in self.games.values()]),
            "ends heard": len(self.told),
            "placements": self.swarm["counts"].get("placements", 0),
            "clients": self.swarm["counts"],
            "byes of honest clients": self.swarm["byes"],
            "errors of honest clients": self.swarm["errors"],
            "attacks": self.hostile["attacks"],
            "byes of hostile peers": self.hostile["byes"],
            "latency ms": {
                "median": round(1000 * statistics.median(latencies), 1),
                "95 %": round(1000 * latencies[int(len(latencies) * 0.95)], 1),
                "most": round(1000 * latencies[-1], 1),
            },
            "server CPU s": round(self.samples[-1].cpu, 1),
            "closing s": round(self.closing, 1),
            "growth": {
                found.what: {
                    "median": round(found.median, 3),
                    "most": round(found.most, 3),
                    "grown": round(found.grown, 3),
                    "allowed": round(found.allowed, 3),
                }
                for found in self.growths
            },
            "breaches": self.breaches,
        }


def _counted(words: list[str]) -> dict[str, int]:
    return {word: words.count(word) for word in sorted(set(words))}


def flatness(samples: list[Sample]) -> list[Growth]:
    """Memory in MiB, open files, children, and latency in ms; what each may grow is in docs/testing.md."""
    return [
        growth("memory MiB", [(one.at, one.memory / MEGABYTE) for one in samples], 0.05, 16.0),
        growth("descriptors", [(one.at, one.files) for one in samples], 0.05, 20.0),
        growth("children", [(one.at, one.children) for one in samples], 0.0, 0.5),
        growth("latency ms", [(one.at, one.latency * 1000) for one in samples], 1.0, 250.0),
    ]


def soak(size: Size, folder: Path, seed: int = 1, say: bool = False) -> Report:
    """Run one; raises RuntimeError if the server cannot be started or is gone in the middle."""
    server = Server(folder / "data")
    helpers: list[subprocess.Popen[bytes]] = []
    try:
        given = {"port": server.port, "size": asdict(size), "folder": str(folder), "seed": seed}
        helpers = [
            subprocess.Popen([sys.executable, "-m", f"tests.soak.{what}", json.dumps(given)], cwd=ROOT)
            for what in ("swarm", "hostile")
        ]
        begun = time.monotonic()
        samples = list(_watched(server, begun + size.minutes * 60, say))
        server.terminate()
        asked = time.monotonic()
        code = server.wait()
        closing = time.monotonic() - asked
        codes = [helper.wait(FINISH) for helper in helpers]
        seconds = time.monotonic() - begun
    finally:
        for helper in helpers:
            if helper.poll() is None:
                helper.kill()
                helper.wait()
        server.close()
    if codes != [0, 0]:
        raise RuntimeError(f"the clients ended with {codes}")
    exported = subprocess.run(
        [sys.executable, "-m", "tyrusd", "export", "--json", str(folder / "data" / JOURNAL)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    games, wrong = journal_games(exported.stdout.splitlines())
    swarm = json.loads((folder / "swarm.json").read_text("utf-8"))
    hostile = json.loads((folder / "hostile.json").read_text("utf-8"))
    told, started = read_told((folder / "told").read_text("ascii"))
    growths = flatness(samples)
    if code != 0:
        wrong.append(f"the server ended with {code}: {server.log.read_text('utf-8')[-2000:]}")
    if exported.returncode != 0:
        wrong.append(f"the journal cannot be exported: {exported.stderr.strip()}")
    if not told or not started:
        wrong.append("nobody has played: nothing was shown")
    for found in (
        swarm["wrong"],
        wrong_results(told, games),
        lost_games(started, games),
        sent_away(swarm["byes"], swarm["errors"]),
    ):
        wrong += found[:SHOWN] + ([f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else [])
    wrong += [f"{found.what} grows: {found}" for found in growths if not found.flat]
    return Report(size, seconds, samples, growths, told, started, games, swarm, hostile, closing, wrong)


def _watched(server: Server, end: float, say: bool) -> Iterator[Sample]:
    """Sample until the end; a server that is gone before is an error."""
    while time.monotonic() < end:
        if server.process.poll() is not None:
            raise RuntimeError(f"the server is gone: {server.log.read_text('utf-8')[-2000:]}")
        sample = server.sample()
        if say and int(sample.at) % 10 == 0:
            print(
                f"{sample.at:6.0f} s  {sample.memory / MEGABYTE:7.1f} MiB  {sample.files:5} files"
                f"  {1000 * sample.latency:7.1f} ms",
                file=sys.stderr,
            )
        yield sample
        time.sleep(EVERY)


def read_told(text: str) -> tuple[list[Told], list[tuple[str, str]]]:
    """What the clients wrote down: the ends that they heard, and the games that began for them."""
    told, started = [], []
    for line in text.splitlines():
        what, *words = line.split(" ")
        if what == "over":
            told.append(Told(*words))
        else:
            started.append((words[0], words[1]))
    return told, started
