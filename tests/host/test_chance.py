"""Where chance comes from: the system's generator alone, asked anew for each deal and each toss."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.stage import Stage, again
from tyrusd.commands.options import seed_of
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire

ROOT = Path(__file__).parents[2] / "tyrusd"
SERVERS = ("Server", "Desk")  # what takes entropy
NEVER = ("random", "numpy.random", "uuid", "ssl.RAND")  # generators whose state can be worked out, or guessed


def sources() -> Iterator[tuple[str, str]]:
    """All of tyrusd but what bots import, who may toss as they like."""
    for file in sorted(ROOT.rglob("*.py")):
        if file.relative_to(ROOT).parts[0] == "sdk":
            continue
        yield file.relative_to(ROOT).as_posix(), file.read_text("utf-8")


def weak_chance(source: str) -> list[str]:
    """Uses of weak generators in a text, and servers that are made with another source than the system's."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if alias.name in NEVER]
        elif isinstance(node, ast.ImportFrom) and node.module in NEVER:
            found.append(node.module)
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in ("np.random", "numpy.random"):
            found.append(ast.unparse(node))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in SERVERS:
            given = [ast.unparse(word) for word in (*node.args, *(word.value for word in node.keywords))]
            if len(given) > 2 and "os.urandom" not in given:
                found.append(ast.unparse(node))
    return found


def test_f108_no_other_generator_is_used_and_every_server_gets_the_systems() -> None:
    """magefree/mage#1428: the state of a small generator can be worked out from what it gave."""
    found = {name: weak for name, text in sources() if (weak := weak_chance(text))}
    assert found == {}
    made = [name for name, text in sources() if "os.urandom" in text]
    assert {"host/daemon.py", "host/ladder/worker.py"} <= set(made)


@pytest.mark.parametrize(
    "planted",
    [
        "import random\ndeal = random.sample(tiles, 30)",
        "from random import Random",
        "import numpy as np\nnp.random.default_rng(1)",
        "server = Server(lobby, Random(1).randbytes, now, wall)",
    ],
)
def test_f108_control_another_generator_is_found(planted: str) -> None:
    """magefree/mage#1428: the state of a small generator can be worked out from what it gave."""
    assert weak_chance(planted)


def test_f108_each_deal_and_each_toss_asks_for_bytes_of_its_own() -> None:
    """magefree/mage#1428: the state of a small generator can be worked out from what it gave."""
    asked: list[bytes] = []

    def entropy(count: int) -> bytes:
        asked.append(os.urandom(count))
        return asked[-1]

    stage = Stage(entropy=entropy)
    one, two = stage.join("ada", "bot"), stage.join("bob", "bot")
    secrets = {peer.last(wire.Welcome).secret for peer in (one, two)}
    assert {data.hex() for data in asked} == secrets  # the deal has nothing to do with these
    tosses = set()
    for _ in range(40):
        before = len(asked)
        pair = again(one, two)
        toss, secret = asked[before:]
        assert len(toss) == 1 and len(secret) == 32
        match = stage.server.tables[pair.game].match
        assert match.game.deal == deal_from_bytes(secret)
        sides = {peer: peer.last(wire.Start).side for peer in (one, two)}
        assert sides[two] == Side(toss[0] & 1).letter  # who comes second has the side that the toss gives
        tosses.add(sides[one])
        stage.wait(0.1)
        pair.mover.say(f"resign {pair.game}")
        for peer in (one, two):
            peer.forget()
    assert len(set(asked)) > 40 and tosses == {"I", "B"}


def test_f108_a_series_without_a_seed_draws_128_bits_and_a_seed_is_what_was_typed() -> None:
    """magefree/mage#1428: the state of a small generator can be worked out from what it gave."""
    drawn = {seed_of(None) for _ in range(50)}
    assert len(drawn) == 50 and all(re.fullmatch("[0-9a-f]{32}", seed) for seed in drawn)
    assert seed_of("club night") == "club night"
