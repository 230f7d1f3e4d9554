"""What bots of a ladder can reach of each other, in a sandbox and without; and bots that come over TCP."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import trio

from tests.e2e.unprivileged import require_bwrap
from tests.host.daemons import ROOT, Peer
from tests.host.ladders import Coordination, plan, playing, task
from tyrusd.host.addresses import open_listeners
from tyrusd.host.ladder.crewing import Lost, Said
from tyrusd.host.ladder.plan import Pace, SandboxWord

MARKING = Path(__file__).with_name("bots") / "marking.py"
SAMPLE = ROOT / "clients" / "samples" / "python" / "bot.py"
KEY = "k" * 43


async def marks(directory: Path, sandbox: SandboxWord) -> list[dict[str, Any]]:
    """What the bots of a pair's two games have found, one of each game."""
    run = directory / "run"
    run.mkdir()
    (run / "journal.tyrus").write_bytes(b"all deals")
    seat = f"exec:{sys.executable} -I -S {MARKING} {run}"
    found = Coordination([task(1)])
    ladder = plan((seat, seat), sandbox=sandbox)
    async with playing(found, ladder, Pace(2, 1), hidden=[run], directory=directory):
        pass
    assert {result.record["game"]["reason"] for result in found.results.values()} == {"crashed"}
    return [json.loads(found.results[f"p1-{game}"].note.splitlines()[-1]) for game in (1, 2)]


async def test_in_a_sandbox_the_two_sets_share_nothing(tmp_path: Path) -> None:
    require_bwrap()
    for facts in await marks(tmp_path, "bwrap"):
        assert facts["found"] == [facts["mine"]]
        assert facts["net"] == ["lo"]  # of its own
        assert facts["run"] == []


async def test_the_control_without_a_sandbox_they_find_each_other(tmp_path: Path) -> None:
    for facts in await marks(tmp_path, "none"):
        assert len(facts["found"]) > 1
        assert facts["run"] == ["journal.tyrus"]


@contextmanager
def sample(address: tuple[str, int]) -> Iterator[subprocess.Popen[bytes]]:
    """A bot that takes ann's seat over TCP."""
    with subprocess.Popen([sys.executable, str(SAMPLE), address[0], str(address[1]), "ann", KEY]) as process:
        try:
            yield process
        finally:
            process.kill()


async def test_a_bot_over_tcp_plays_at_the_one_worker_and_comes_again_to_its_successor() -> None:
    [listener] = open_listeners(["127.0.0.1"], 0)
    address = listener.getsockname()[:2]
    found = Coordination([task(pair) for pair in range(1, 7)])
    ladder = plan(("tcp:ann", "plugin:random"))
    with listener:
        async with playing(found, ladder, Pace(2, 4), listeners=[listener], keys={"ann": KEY}) as pool:
            await found.until(lambda: pool.pids)
            with sample(address):
                await found.until(lambda: found.results)
                os.kill(pool.pids[0], signal.SIGKILL)
                await found.until(lambda: found.all(Lost))
            with sample(address) as bot:
                await found.until(lambda: not found.finishing)
                await found.until(lambda: bot.poll() is not None)
                assert bot.returncode == 0  # it was told goodbye
    assert len(found.results) == 12
    assert {result.worker for result in found.results.values()} <= {1, 2}
    assert len(found.all(Lost)) == 1


def guess(address: tuple[str, int]) -> str:
    with Peer(address) as peer:
        peer.until("greeting")
        peer.say("hello 0.1 ann bot key=guess")
        return peer.until("error")


async def test_who_comes_with_a_wrong_key_is_refused_and_the_operator_is_told() -> None:
    [listener] = open_listeners(["127.0.0.1"], 0)
    address = listener.getsockname()[:2]
    found = Coordination([task(1)])
    ladder = plan(("tcp:ann", "plugin:random"))
    with listener:
        async with playing(found, ladder, Pace(2, 1), listeners=[listener], keys={"ann": KEY}):
            assert "error auth" in await trio.to_thread.run_sync(guess, address)
            await found.until(lambda: found.all(Said))
            with sample(address):
                await found.until(lambda: not found.finishing)
    assert [said.sentence for said in found.all(Said)] == [
        "somebody came from 127.0.0.1 with a wrong key for a seat"
    ]
