"""The conversations of protocol.md about the ladder, with a server that holds one, in memory and over TCP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.account_serving import account
from tests.host.daemons import Peer, wait_until
from tests.transcripts import earlier
from tests.transcripts.loaded_daemon import same_toss
from tests.transcripts.over_tcp import OverTcp, daemon
from tests.transcripts.performance import Carrier, Performance
from tests.transcripts.test_protocol_conversations import ON_A_LADDER
from tests.wire.conversations import conversations
from tyrusd.core import standing_rounds
from tyrusd.host.journal import JOURNAL

ALL = conversations()


def knows_ratings(port: int) -> bool:
    """Whether a server has fitted its ratings."""
    with closing(Peer(("127.0.0.1", port))) as peer:
        peer.until("greeting")
        peer.say("hello 0.1 looker human", "ratings")
        peer.until("welcome")
        return peer.line().startswith("rating ")


@pytest.fixture(params=["in-memory", "tcp"])
def stage(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Carrier, dict[str, str]]]:
    if request.param == "in-memory":
        monkeypatch.setattr(standing_rounds, "choose", same_toss)
        yield earlier.in_memory(), dict(earlier.TOKENS)
        return
    data = tmp_path / "data"
    for name in earlier.NAMES:
        account(data, "add", name)
    tokens = {name: account(data, "token", name) for name in earlier.NAMES}
    earlier.write_journal(data / JOURNAL)
    with daemon(data, "--ladder") as port:
        wait_until(lambda: knows_ratings(port))
        with closing(OverTcp(port)) as over_tcp:
            yield over_tcp, tokens


@pytest.mark.parametrize("name", ON_A_LADDER)
def test_conversation_on_a_ladder(name: str, stage: tuple[Carrier, dict[str, str]]) -> None:
    carrier, tokens = stage
    Performance(carrier, tokens).perform(ALL[name])
