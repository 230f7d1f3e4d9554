"""The conversations of protocol.md are made of lines of the protocol, and their turns make sense."""

from __future__ import annotations

import pytest

from tests.wire.conversations import BROKEN, RECEIVED, SENT, Step, conversations, example, pattern
from tests.wire.page import blocks
from tyrusd.wire import Error, Refusal, decode_client_line, decode_server_line
from tyrusd.wire.schema import CLIENT_SCHEMAS, SERVER_SCHEMAS

ALL = conversations()


def test_names_are_unique_and_there_are_some() -> None:
    assert len(ALL) == len(blocks("conversation")) >= 8


@pytest.mark.parametrize("steps", ALL.values(), ids=ALL)
def test_every_complete_line_of_the_server_is_one(steps: list[Step]) -> None:
    for peer, direction, text in steps:
        if direction == RECEIVED:
            verb = text.split(" ")[0]
            assert verb in SERVER_SCHEMAS
            line = example(text)
            assert pattern(text).fullmatch(line)
            if "…" not in text or text.endswith(" :…"):
                message = decode_server_line(line.encode())
                assert message is not None and not isinstance(message, Refusal), (peer, line, message)


@pytest.mark.parametrize("steps", ALL.values(), ids=ALL)
def test_every_line_of_a_client_is_one_or_is_refused(steps: list[Step]) -> None:
    for number, (peer, direction, text) in enumerate(steps):
        if direction == SENT:
            message = decode_client_line(example(text).encode())
            if isinstance(message, Refusal):
                answer = next(
                    step for step in steps[number:] if step.peer == peer and step.direction == RECEIVED
                )
                error = decode_server_line(example(answer.text).encode())
                assert isinstance(error, Error), (text, answer)
                assert (error.code, error.tag, error.re) == (message.code, message.tag, message.verb)


@pytest.mark.parametrize("steps", ALL.values(), ids=ALL)
def test_every_connection_begins_with_a_greeting(steps: list[Step]) -> None:
    greeted: set[str] = set()
    for peer, direction, text in steps:
        if direction == BROKEN:
            greeted.discard(peer)
        elif peer not in greeted:
            assert direction == RECEIVED and text.startswith("greeting "), (peer, text)
            greeted.add(peer)


def test_every_verb_of_a_client_is_shown_at_least_once() -> None:
    shown = {step.text.split(" ")[0] for steps in ALL.values() for step in steps if step.direction == SENT}
    assert set(CLIENT_SCHEMAS) - shown == {"pong"}


def test_placeholders() -> None:
    assert pattern("bye bye :…").fullmatch("bye bye :") and pattern("bye bye :…").fullmatch("bye bye :x y")
    assert not pattern("bye bye :…").fullmatch("bye protocol :x")
    assert pattern("hand=<hand> a.b").fullmatch("hand=S10,M1 a.b")
    assert not pattern("hand=<hand> a.b").fullmatch("hand=S10,M1 a-b")
    assert not pattern("secret=<secret>").fullmatch("secret=")
