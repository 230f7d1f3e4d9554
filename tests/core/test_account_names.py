"""Which names there can be: plain, no word of the protocol, and none that looks like another."""

from __future__ import annotations

import pytest

from tests.core.accounts_world import ADA, KNOWN, TOKEN, Door
from tyrusd.core.accounts import display_fault
from tyrusd.core.names import RESERVED, name_fault
from tyrusd.wire import ALLOWED, ERRORS, words
from tyrusd.wire import messages as wire


@pytest.mark.parametrize("name", ["start", "Snapshot", "S10", "ic", "ivory", "SERVER", "admin", "no-game",
                                  "timeout", "free", "replaced", "who", "-", "n"])  # fmt: skip
def test_row_60_no_word_of_the_protocol_is_a_name(name: str) -> None:
    assert name_fault(name) is not None
    peer = Door().connect()
    peer.say(f"hello 0.1 {name} human")
    assert peer.got(wire.Error) and not peer.got(wire.Welcome)


def test_row_60_all_lists_of_words_are_reserved() -> None:
    lists = (words.REASONS, words.GOODBYES, words.NOTICES, words.STATES, words.DECLINED, ERRORS)
    assert RESERVED.issuperset({word.lower() for row in lists for word in row})
    assert RESERVED.issuperset({verb for _, verb in ALLOWED})
    assert {"operator", "server", "admin", "ivory", "brown", "bt", "m1", "p10", "welcome"} <= RESERVED


@pytest.mark.parametrize("name", ["a" * 33, "", "a.b", "../a", "a b", "Туrus-bot", "a\x00", "é"])
def test_f110_names_are_plain_ascii(name: str) -> None:
    """ergochat/ergo#178: names that look alike were different names."""
    assert name_fault(name) is not None
    for line in (f"hello 0.1 {name} bot", f"hello 0.1 {name} human key={TOKEN}"):
        door = Door()
        peer = door.connect()
        peer.send_bytes(f"{line}\n".encode())
        assert peer.got(wire.Error) and not peer.got(wire.Welcome)
        assert not door.server.players


def test_f110_names_that_differ_in_case_only_are_one() -> None:
    """ergochat/ergo#178: names that look alike were different names."""
    door = Door()
    door.join("Tyrus-bot")
    peer = door.connect()
    peer.say("hello 0.1 TYRUS-BOT bot")
    assert peer.last(wire.Error).code == "taken"
    assert KNOWN.find("ADA") == ADA == KNOWN.find("ada")


@pytest.mark.parametrize("text", ["Ада", "Ada Lovelace", "阿達", "Ада-1", "x" * 64, "O'Neil", "عائشة"])
def test_display_names_have_any_script(text: str) -> None:
    assert display_fault(text) is None


@pytest.mark.parametrize(
    "text",
    ["", "x" * 65, " a", "a ", "a\nb", "a\u202eb", "a\u200bb", "\ufeffa", "a\x1b[31m", "a\u2028b", "\ud800"],
)
def test_display_names_have_nothing_unseen(text: str) -> None:
    assert display_fault(text) is not None
