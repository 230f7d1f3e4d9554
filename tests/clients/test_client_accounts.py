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
from tyrus_client.session import FAILED
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


def test_a_key_comes_back_by_hello_until_the_server_has_time_for_it() -> None:
    door = Door()
    ada = Person(door, "ada", key=TOKEN)
    ada.settle()
    ada.reconnect()
    door.wait(1)
    ada.session.hear(wire.Error("auth", "retry", "That secret opens nothing."))
    ada.session.hear(wire.Error("unavailable", "retry", "Too often."))
    assert ada.session.turned_away and ada.session.broken()
    ada.session.hear(wire.Greeting("0.1", "tyrusd/0.1.0", (), 512, 4096, 1, 1000))
    _, said = ada.session.take()
    assert isinstance(said[-1], wire.Hello) and said[-1].key == TOKEN


@pytest.mark.parametrize(
    ("name", "key", "sentences"),
    [
        (
            "ada",
            None,
            ("The server lets nobody in as ada without a key.", "add --key", "has an account here"),
        ),
        ("ada", "wrong", ("The key does not open ada:", "ask the operator", "The server says: ")),
        ("start", None, ("The server gives nobody the name start.", "with --name", "The server says: ")),
    ],
)
def test_a_refused_login_tells_what_to_do_and_what_the_server_says(
    name: str, key: str | None, sentences: tuple[str, ...]
) -> None:
    door = Door()
    person = Person(door, name, key=key)
    person.settle()
    door.wait(1)
    person.settle()
    told = " ".join(" ".join(person.shown).split())
    assert all(sentence in told for sentence in sentences), told
    assert person.session.status == FAILED


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("busy", "is full"),
        ("version", "version 0.1"),
        ("unavailable", "in a minute"),
        ("shutdown", "is closing"),
    ],
)
def test_a_login_that_is_refused_by_code_has_words_and_the_servers_are_cleaned(
    code: str, sentence: str
) -> None:
    person = Person(Door(), "ada", key=TOKEN)
    person.session.hear(wire.Greeting("0.1", "tyrusd/0.1.0", (), 512, 4096, 1, 1000))
    person.session.hear(wire.Error(code, "retry", "a\x1b[2Jb\u202e", re="hello"))
    lines, _ = person.session.take()
    assert sentence in " ".join(lines) and lines[-1] == "The server says: a?[2Jb?"
    assert person.session.status == FAILED


def test_a_login_name_that_is_an_account_is_left_to_its_owner() -> None:
    person = Person(Door(), "ada", other_name=lambda: "guest-0007")
    person.settle()
    assert "tyrus --name ada --key" in " ".join(" ".join(person.shown).split())
    assert "You are guest-0007." in person.text


def test_who_has_a_key_is_told_how_to_come_back_when_quitting() -> None:
    door = Door()
    ada, bob = Person(door, "ada", key=TOKEN), Person(door, "bert")
    ada.settle()
    bob.settle()
    ada.type("seek clock=none")
    bob.type("play Ada clock=none")
    ada.settle()
    assert "Until then you come back to it by: tyrus --name Ada --key" in " ".join(
        " ".join(ada.type("quit")).split()
    )


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
