"""`tyrus-bot --ladder`: it comes onto the ladder, stays on it through breaks and restarts."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from tests.sdk.peer import GREETING, start, write_bot
from tests.sdk.scripted import Accepted, Place, run
from tests.sdk.test_runner import dealt, placed, seen
from tyrusd.sdk import returning, runner, tcp
from tyrusd.sdk.brains import Brain
from tyrusd.sdk.laddering import Laddering
from tyrusd.sdk.returning import Returning
from tyrusd.sdk.talk import Talk
from tyrusd.wire import (
    Bye,
    Codec,
    Connection,
    Error,
    Hello,
    Ladder,
    Notice,
    Ok,
    Over,
    Ping,
    Pong,
    Quit,
    Resume,
    Role,
    Seek,
    ServerMessage,
    Welcome,
)

WORDS = ("--ladder", "--key", "k3y", "--agent", "tried/1.3", "--name", "tried")
NONE_HELD = Error("unavailable", "retry", "This server holds no ladder.", re="ladder")
TAKEN_OFF = Notice("ladder", "Three games in a row were lost by forfeit.")


def begun(number: int) -> ServerMessage:
    return start(f"g{number}", dealt(number).opener_now)


def welcomed() -> Talk:
    """A talk that could be resumed."""
    talk = Talk(cast("Brain", None), Hello("0.1", "tried", "bot"), lambda said: None, Codec.LINE)
    talk.receive(Connection(Role.SERVER, Codec.LINE).encode(Welcome("tried", "bot", "s" * 32, 1)))
    return talk


def on(link: Accepted) -> None:
    """Hear that it comes onto the ladder."""
    assert link.hear() == Ladder("on")


def test_it_names_its_version_and_says_once_that_it_plays(tmp_path: Path) -> None:
    words = (*WORDS, "--games", "2")
    with Place(write_bot(tmp_path), *words, folder=tmp_path) as place, place.accepted() as link:
        assert link.welcome() == Hello("0.1", "tried", "bot", agent="tried/1.3", games=2, key="k3y")
        on(link)
        link.say(Ok(re="ladder"), begun(1), begun(2))
        placed(link, "g1", dealt(1))
        link.say(Over("g1", 2, "I", "resigned"), begun(3), Ping("more"))
        assert link.hear() == Pong("more"), "nothing has to be said for the next game"
        link.say(Bye("bye", "Good-bye."))
        assert place.end() == (0, "", "")


def test_it_says_so_again_after_a_break_when_its_games_were_shown(tmp_path: Path) -> None:
    game = dealt(1)
    with Place(write_bot(tmp_path), *WORDS, folder=tmp_path) as place:
        with place.accepted() as link:
            link.welcome("first")
            on(link)
            link.say(begun(1))
        with place.accepted() as link:
            assert link.hear() == Resume("first")
            link.say(Welcome("tried", "bot", "second", 1), seen("g1", game))
            assert link.hear() == Ping("resumed")
            link.say(Pong("resumed"))
            on(link)
            placed(link, "g1", game)
        with place.accepted() as link:
            assert link.hear() == Resume("second")
            link.say(Error("auth", "retry", "The secret is not valid here.", re="resume"))
            assert link.welcome().key == "k3y"
            on(link)
            link.say(Bye("bye", "Good-bye."))
            assert place.end()[0] == 0


def test_a_server_that_closes_is_waited_for_until_it_lets_it_in_again(tmp_path: Path) -> None:
    """One that closes may still listen, and turn away whoever comes, in two ways."""
    with Place(write_bot(tmp_path), *WORDS, folder=tmp_path) as place:
        with place.accepted() as link:
            link.welcome("first")
            on(link)
            link.say(Bye("shutdown", "The server closes."))
        with place.accepted() as link:
            link.say(Bye("busy", "The server is full."))
        with place.accepted() as link:
            assert link.hear() == Resume("first")
            link.say(Error("auth", "retry", "The secret is not valid here.", re="resume"))
            assert isinstance(link.hear(), Hello)
            link.say(
                Error("shutdown", "retry", "It closes.", re="hello"), Bye("shutdown", "The server closes.")
            )
        with place.accepted() as link:
            assert link.welcome("second").key == "k3y"
            on(link)
            link.say(Bye("busy", "The server is full."))
            status, _, log = place.end()
    assert status == 1
    assert log.splitlines() == [
        "tyrus-bot: the server closes; waiting up to 300 s for it to be started again",
        "tyrus-bot: the server says shutdown: It closes.",
        "tyrus-bot: the server ended it: The server is full.",
    ]


def test_a_server_that_is_not_started_again_is_given_up_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(returning, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(returning, "RESTART_SECONDS", 0.0)
    monkeypatch.setattr(runner, "RESTART_SECONDS", 0.0)
    monkeypatch.setattr(tcp, "connect", lambda address, patience: Closing())
    monkeypatch.setattr(runner, "leave", lambda status: (_ for _ in ()).throw(SystemExit(status)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SystemExit) as ended:
        runner.main([write_bot(tmp_path, name="given_up_bot"), *WORDS, "--connect", "127.0.0.1:7433"])
    assert ended.value.code == 1
    assert capfd.readouterr().err.splitlines() == [
        "tyrus-bot: the server closes; waiting up to 0 s for it to be started again",
        "tyrus-bot: the server closed, and was not started again within 0 s",
    ]


class Closing:
    """A connection to a server that closes."""

    def read(self) -> bytes:
        connection = Connection(Role.SERVER, Codec.LINE)
        return connection.encode(GREETING) + connection.encode(Bye("shutdown", "The server closes."))

    def write(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.mark.parametrize("stays", [True, False])
def test_only_a_ladder_s_server_is_waited_for_while_it_is_started_anew(
    monkeypatch: pytest.MonkeyPatch, stays: bool
) -> None:
    tried: list[float] = []
    link = object()

    def connect(address: tcp.Address, patience: float) -> object:
        tried.append(patience)
        if len(tried) < 4:
            raise ConnectionRefusedError
        return link

    monkeypatch.setattr(tcp, "connect", connect)
    monkeypatch.setattr(returning, "PAUSE_SECONDS", 0.0)
    found = Returning(tcp.Address("127.0.0.1", 7433), stays, lambda said: None).resumed(welcomed())
    assert (found, len(tried)) == ((link, 4) if stays else (None, 1))


def test_a_server_without_a_ladder_is_left_and_the_reason_told(tmp_path: Path) -> None:
    with Place(write_bot(tmp_path), *WORDS, folder=tmp_path) as place, place.accepted() as link:
        link.welcome()
        on(link)
        link.say(NONE_HELD)
        assert link.hear() == Quit()
        link.say(Bye("bye", "Good-bye."))
        status, _, log = place.end()
    assert status == 1
    assert log.splitlines()[-1] == "tyrus-bot: the server ended it: This server holds no ladder."


def test_who_is_taken_off_plays_its_games_to_their_ends_and_leaves(tmp_path: Path) -> None:
    with Place(write_bot(tmp_path), *WORDS, folder=tmp_path) as place, place.accepted() as link:
        link.welcome()
        on(link)
        link.say(begun(1), TAKEN_OFF)
        placed(link, "g1", dealt(1))
        link.say(Over("g1", 2, "I", "majority"))
        assert link.hear() == Quit()
        link.say(Bye("bye", "Good-bye."))
        status, _, log = place.end()
    assert status == 1
    assert log.splitlines()[-1] == f"tyrus-bot: the server ended it: {TAKEN_OFF.text}"


def test_once_is_so_many_games_and_then_off_and_a_goodbye() -> None:
    laddering = Laddering(2, once=True)
    assert laddering.heard(Welcome("tried", "bot", "s", 2), 0) == [Ladder("on")]
    assert laddering.heard(begun(1), 1) == []
    assert laddering.heard(Over("g1", 2, "I", "majority"), 0) == []
    assert laddering.heard(begun(2), 1) == [Ladder("off")]
    assert laddering.heard(Ok(re="ladder"), 1) == []
    assert laddering.heard(Over("g2", 2, "I", "majority"), 0) == [Quit()]


def test_once_says_off_again_after_a_break_and_counts_games_that_began_in_it() -> None:
    laddering = Laddering(1, once=True)
    assert laddering.heard(Welcome("tried", "bot", "s", 1), 0) == [Ladder("on")]
    laddering.anew()
    laddering.begun_unheard()
    assert laddering.heard(Pong("resumed"), 1) == [Ladder("off")]
    assert laddering.heard(Error("unavailable", "retry", "You are not on the ladder.", re="ladder"), 1) == []
    assert laddering.refusal is None
    assert laddering.heard(Over("g1", 2, "I", "majority"), 0) == [Quit()]


def test_other_refusals_and_notices_are_not_its_own() -> None:
    laddering = Laddering(1, once=False)
    assert laddering.heard(Welcome("tried", "bot", "s", 1), 0) == [Ladder("on")]
    for message in (Error("stale", "ignored", "x", re="place"), Notice("storage", "x"), Ok(re="ladder")):
        assert laddering.heard(message, 0) == []
    assert laddering.refusal is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--ladder",), "--ladder wants --connect"),
        (("--ladder", "--key", "k"), "--ladder wants --connect"),
        (("--ladder", "--connect", "127.0.0.1:1"), "--ladder wants --connect"),
        (("--agent", "two words"), "is not a word"),
        (("--agent", "a=b"), "is not a word"),
        (("--agent", ""), "is not a word"),
    ],
)
def test_what_cannot_be_meant_is_said_before_anything_else(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    status, output, log = run(write_bot(tmp_path), *words, folder=tmp_path)
    assert (status, output) == (2, b"")
    assert says in log


def test_in_a_lobby_without_the_word_it_seeks_as_before(tmp_path: Path) -> None:
    words = ("--lobby", "--key", "k3y")
    with Place(write_bot(tmp_path), *words, folder=tmp_path) as place, place.accepted() as link:
        link.welcome()
        assert link.hear() == Seek()
