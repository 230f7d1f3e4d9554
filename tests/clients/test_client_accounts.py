"""The client of somebody who has an account: the key is asked for, said, kept to itself, and comes back."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.people import Person
from tests.core.accounts_world import CODE, TOKEN, Door
from tyrus_client.wishes import Wishes
from tyrusd.wire import messages as wire

TYRUS = [str(Path(sys.executable).with_name("tyrus"))]


def test_somebody_with_a_key_comes_in_under_the_name_of_the_account() -> None:
    door = Door()
    ada = Person(door, "ada", key=CODE.lower())
    ada.settle()
    assert any("Ada" in line for line in ada.shown), ada.shown
    assert door.server.players["ada"].account == "Ada"


def test_when_the_seat_is_not_kept_any_more_the_key_comes_in_again() -> None:
    door = Door()
    ada = Person(door, "ada", key=TOKEN)
    ada.settle()
    ada.reconnect()
    ada.settle()
    door.wait(1)  # a wrong secret is answered late: nothing was kept of somebody without a game
    ada.settle()
    assert ada.session.status is None and "You are back." in ada.shown
    assert isinstance(ada.sent[-1], wire.Hello) and ada.sent[-1].key == TOKEN


def test_a_key_that_is_worth_nothing_any_more_ends_the_client() -> None:
    door = Door()
    ada = Person(door, "ada", key=CODE)
    ada.settle()
    ada.reconnect()
    ada.settle()
    door.wait(1)
    ada.settle()
    door.wait(1)
    ada.settle()
    assert ada.session.status is not None and "The server no longer keeps your seat." in ada.shown


def test_f095_nothing_shows_the_key() -> None:
    """Akuli/mantaray#64: a password was in the log."""
    hello = wire.Hello(version="0.1", name="ada", kind="human", key=TOKEN)
    assert TOKEN not in repr(hello) and "with a key" in repr(hello)
    assert "with a key" not in repr(wire.Hello(version="0.1", name="ada", kind="human"))
    assert TOKEN not in repr(wire.Resume(TOKEN)) + repr(wire.Welcome("ada", "human", TOKEN, 1))
    assert TOKEN not in repr(Wishes("here", "ada", None, None, TOKEN))


@pytest.mark.parametrize(("typed", "sentence"), [("", "no key was given"), ("a b", "a key is 1 to 128")])
def test_the_key_is_asked_for_without_showing_it(typed: str, sentence: str) -> None:
    ours, theirs = pty.openpty()
    try:
        client = subprocess.Popen(
            [*TYRUS, "--name", "ada", "--key"],
            stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        assert client.stderr is not None and client.stderr.read(5) == "Key: "
        os.write(ours, typed.encode() + b"\n")
        _, errors = client.communicate(timeout=20)
    finally:
        os.close(ours)
        os.close(theirs)
    assert client.returncode == 2 and sentence in errors


def test_a_key_of_the_environment_must_have_the_form_of_one() -> None:
    done = subprocess.run(
        TYRUS,
        env={**os.environ, "TYRUS_KEY": "a key"},
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 2 and "a key is 1 to 128" in done.stderr and "a key'" not in done.stderr
