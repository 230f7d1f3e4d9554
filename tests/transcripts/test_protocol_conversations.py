"""The conversations of protocol.md come true, in memory and over TCP: no line differs, lacks or is extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.transcripts.in_memory import InMemory
from tests.transcripts.over_tcp import OverTcp, daemon
from tests.transcripts.performance import Carrier, Performance
from tests.wire.conversations import RECEIVED, SENT, Step, conversations
from tests.wire.page import PAGE
from tyrusd.wire.schema import CLIENT_SCHEMAS, SERVER_SCHEMAS

ALL = conversations()
ON_A_LADDER = ("rated-game", "standing-ladder")  # test_ladder_conversations performs these
GREETING = Step("C", RECEIVED, "greeting …")


@pytest.fixture(params=["in-memory", "tcp"])
def carrier(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Carrier]:
    if request.param == "in-memory":
        yield InMemory()
        return
    with daemon(tmp_path / "data") as port, closing(OverTcp(port)) as over_tcp:
        yield over_tcp


@pytest.mark.parametrize("name", [name for name in ALL if name not in ON_A_LADDER])
def test_conversation(name: str, carrier: Carrier) -> None:
    Performance(carrier).perform(ALL[name])


def test_every_conversation_of_the_page_is_performed() -> None:
    assert len(ALL) == sum(line.startswith("```conversation") for line in PAGE.splitlines()) >= 14
    assert all(len(steps) > 3 for steps in ALL.values())


def test_the_conversations_show_most_of_the_protocol() -> None:
    sent = {step.text.split(" ")[0] for steps in ALL.values() for step in steps if step.direction == SENT}
    heard = {
        step.text.split(" ")[0] for steps in ALL.values() for step in steps if step.direction == RECEIVED
    }
    assert set(CLIENT_SCHEMAS) - sent <= {"pong"}
    # What only comes of long waiting, of a whole game, of a program that fails or of events is not shown.
    events = {"event", "standing", "encounter"}
    assert set(SERVER_SCHEMAS) - heard <= {"notice", "ping", "remaining", "stderr"} | events


# -- the performance itself notices what is wrong ----------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "complaint"),
    [
        ([Step("C", RECEIVED, "welcome …")], "the page has 'welcome …'"),
        ([GREETING, Step("C", RECEIVED, "bye bye :…")], "got nothing more"),
        ([GREETING, Step("C", SENT, "who")], "error state retry re=who"),
        ([GREETING, Step("C", SENT, "hello 0.1 <nobody> bot")], "<nobody> means nothing"),
        ([GREETING, Step("C", SENT, "place g1 1 <tile> IC")], "<tile> means nothing"),
        ([GREETING, Step("C", SENT, "resume <secret>")], "<secret> means nothing"),
    ],
)
def test_a_conversation_that_is_not_true_is_noticed(steps: list[Step], complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        Performance(InMemory()).perform(steps)


def test_an_unknown_placeholder_in_a_received_line_is_no_line() -> None:
    with pytest.raises(KeyError, match="nobody"):
        Performance(InMemory()).do(Step("C", RECEIVED, "greeting <nobody>"))
