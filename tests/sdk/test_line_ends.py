"""A bot's end of a connection finds its lines as the server does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from tests.clients.test_client_messages import GREETING, WELCOME
from tyrusd.sdk.brains import Brain
from tyrusd.sdk.talk import Garbled, Talk
from tyrusd.wire import Codec, Hello


def talk() -> Talk:
    brain = cast(Brain, SimpleNamespace(wants=()))
    return Talk(brain, Hello("0.1", "ann", "bot"), lambda _: None, Codec.LINE)


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_f025_lf_ends_a_line_and_one_cr_before_it_is_dropped(size: int) -> None:
    """emersion/go-smtp#243: two ends disagreed on what ends a line, and a second one was smuggled in."""
    bot = talk()
    data = (GREETING + WELCOME).replace(b"\n", b"\r\n") + b"ping a\nping b\r\n"
    for at in range(0, len(data), size):
        bot.receive(data[at : at + size])
    assert bot.output().endswith(b"pong a\npong b\n")


@pytest.mark.parametrize("line", [b"ping a\rping b\n", b"ping a\r\r\n", b"\rping a\n"])
def test_f025_any_other_cr_is_no_line_end(line: bytes) -> None:
    """emersion/go-smtp#243: two ends disagreed on what ends a line, and a second one was smuggled in."""
    bot = talk()
    bot.receive(GREETING + WELCOME)
    with pytest.raises(Garbled):
        bot.receive(line)
