"""Display names are told to people beside the names, and nothing in them reaches anybody as anything else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.accounts_world import ADA, BOB, BOBS, KEYS, KNOWN, TOKEN, Door
from tests.core.stage import again
from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.core.keys import key_digest
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import messages as wire

HOSTILE = (
    "eve\x1b[2J", "a\nplayer root human free",
    "\u202eada", "a\u200bb", "\u2028x", "x" * 65, "", "\x00", "\ud800",
)  # fmt: skip


def called(display: str | None) -> Accounts:
    return Accounts([ADA._replace(display=display), BOB], KEYS)


def texts(peer: Any) -> dict[str, str | None]:
    peer.forget()
    peer.say("who")
    return {line.name: line.text for line in peer.got(wire.Player)}


@pytest.mark.parametrize(
    "display", ["Ада", "أدا 王", "Ada Lovelace, the first :)", "free games=7 :x", "é" * 64]
)
def test_who_tells_what_people_may_call_an_account(display: str) -> None:
    door = Door(called(display))
    door.log_in(TOKEN)
    guest = door.join("eve")
    assert texts(guest) == {"Ada": display, "eve": None}


@pytest.mark.parametrize("display", HOSTILE)
def test_what_no_operator_could_have_given_is_told_to_nobody(display: str) -> None:
    door = Door(called(display))
    ada, eve = door.log_in(TOKEN), door.join("eve")
    assert texts(eve) == {"Ada": None, "eve": None}
    again(ada, eve)
    assert eve.last(wire.Start).text is None


def test_the_beginning_of_a_game_tells_it_to_people_and_no_bot() -> None:
    door = Door()
    ada, eve = door.log_in(TOKEN), door.join("eve")
    game = again(ada, eve).game
    assert eve.last(wire.Start).text == "Ада" and ada.last(wire.Start).text is None
    eve.say(f"resign {game}")
    bot = door.join("mallory", "bot")
    again(ada, bot)
    assert bot.last(wire.Start).enemy == "Ada" and bot.last(wire.Start).text is None


def test_it_is_that_of_the_newest_accounts_and_of_nobody_else() -> None:
    door = Door(KNOWN)
    door.log_in(TOKEN)
    door.log_in(BOBS, "bob", "bot")
    eve = door.join("eve")
    door.change(called("Countess"))
    assert texts(eve) == {"Ada": "Countess", "bob": None, "eve": None}
    door.change(called(None))
    assert texts(eve)["Ada"] is None


def test_after_a_restart_who_comes_back_is_called_as_before() -> None:
    door = Door()
    ada, eve = door.log_in(TOKEN), door.join("eve")
    game = again(ada, eve).game
    new = door.restarted()
    peer = new.connect()
    peer.say(f"resume {eve.last(wire.Welcome).secret}")
    assert (peer.last(wire.Start).game, peer.last(wire.Start).text) == (game, "Ада")


@pytest.mark.parametrize(("people", "told"), [(20, True), (180, False)])
def test_a_long_list_does_without_rather_than_cost_anybody_the_connection(people: int, told: bool) -> None:
    names = [f"p{number}" for number in range(people)]
    keys = [Key(key_digest(f"{name}-{'k' * 43}"), name, "token") for name in names]
    door = Door(Accounts([Account(name, "human", "王" * 64) for name in names], keys))
    for name in names:
        door.log_in(f"{name}-{'k' * 43}", name)
    eve = door.join("eve")
    assert people < DEFAULTS.listed
    found = texts(eve)
    assert len(found) == people + 1 and not eve.closed
    assert (found["p7"] == "王" * 64) is told
