"""`tyrus-bot` as a program and over TCP: hello, keys, lobby, lost connections, and every way it ends."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import pytest

from tests.sdk.peer import GOOD_BOT, GREETING, ask, start, write_bot
from tests.sdk.scripted import Accepted, Place, run
from tyrusd import __version__
from tyrusd.rules.deal import deal_from_bytes, game_secret
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import Side
from tyrusd.sdk.seeking import Seeking
from tyrusd.wire import (
    Bye,
    Codec,
    Connection,
    Error,
    Hello,
    Ok,
    Over,
    Ping,
    Pong,
    Quit,
    Resume,
    Role,
    Seek,
    Snapshot,
    Welcome,
)
from tyrusd.wire import Place as PlaceMessage

AGENT = f"tyrus-bot/{__version__}"


def dealt(number: int) -> Game:
    return Game(deal_from_bytes(game_secret("runner", number)))


def seen(name: str, game: Game) -> Snapshot:
    """What a returning player is shown of a game."""
    return Snapshot(name, 1, "ivory", "brown", None, None, ask(name, game, game.opener_now).view)


def placed(link: Accepted, name: str, game: Game) -> None:
    """Ask for a placement, and hear it."""
    link.say(ask(name, game, game.opener_now))
    message = link.hear()
    assert isinstance(message, PlaceMessage)
    assert (message.game, message.request) == (name, game.placed_count + 1)


def test_as_a_program_it_keeps_what_the_bot_prints_out_of_the_protocol(tmp_path: Path) -> None:
    server = Connection(Role.SERVER, Codec.LINE)
    source = GOOD_BOT + "import sys\nprint('bot reads', repr(sys.stdin.read()))\n"
    game = dealt(1)
    said = server.encode(GREETING) + server.encode(start("g1", game.opener_now))
    said += server.encode(ask("g1", game, game.opener_now)) + server.encode(Ping("w"))
    module = write_bot(tmp_path, source)
    status, output, log = run(module, "--name", "fred", folder=tmp_path, data=said)
    hello, *rest = server.receive(output)
    assert hello == Hello("0.1", "fred", "bot", agent=AGENT, games=64)
    assert {type(message) for message in rest} == {PlaceMessage, Pong}
    assert (status, log) == (0, "bot reads ''\n")


@pytest.mark.parametrize("key", ["-DDa8elUbqq", "--once", "a-b"])
def test_a_key_may_begin_with_a_dash(tmp_path: Path, key: str) -> None:
    words = ("--key", key, "--name", "fred")
    with Place(write_bot(tmp_path), *words, folder=tmp_path) as place, place.accepted() as link:
        hello = link.welcome()
        assert (hello.name, hello.key) == ("fred", key)
        link.say(Bye("bye", "All games are played."))
        assert place.end() == (0, "", "")


def test_in_a_match_it_shows_its_key_and_never_seeks(tmp_path: Path) -> None:
    module = write_bot(tmp_path)
    with Place(module, folder=tmp_path, extra={"TYRUS_KEY": "k3y"}) as place, place.accepted() as link:
        assert link.welcome() == Hello("0.1", "tried_bot", "bot", agent=AGENT, games=64, key="k3y")
        game = dealt(1)
        link.say(start("g1", game.opener_now))
        placed(link, "g1", game)
        link.say(Over("g1", 3, "I", "resigned"), Ping("next"))
        assert link.hear() == Pong("next")
        link.say(Bye("bye", "All games are played."))
        assert link.hear() is None
        assert place.end() == (0, "", "")


@pytest.mark.parametrize(("words", "games"), [((), 1), (("--games", "3"), 3)])
def test_in_a_lobby_it_seeks_as_many_games_as_it_can_play(
    tmp_path: Path, words: tuple[str, ...], games: int
) -> None:
    with Place(write_bot(tmp_path), *words, folder=tmp_path) as place, place.accepted() as link:
        assert link.welcome().games == games
        for number in range(games):
            link.seeks()
            link.say(Ok(re="seek"), start(f"g{number}", dealt(number).opener_now))
        link.say(Ping("full"))
        assert link.hear() == Pong("full"), "it has no room"
        link.say(Over("g0", 2, "-", "drawn", next="g8"), start("g8", dealt(8).opener_now), Ping("again"))
        assert link.hear() == Pong("again"), "a drawn game is played again: still no room"
        link.say(Over("g8", 2, "I", "resigned"))
        link.seeks()
        link.say(Error("expired", "ignored", "Nobody came.", re="seek"))
        link.seeks()
        link.say(Bye("shutdown", "The server closes."))
        status, _, log = place.end()
    assert (status, log) == (0, "tyrus-bot: the server says expired: Nobody came.\n")


def test_once_is_as_many_games_as_it_can_play_and_then_a_goodbye(tmp_path: Path) -> None:
    words = ("--games", "2", "--once", "--name", "fred")
    with Place(write_bot(tmp_path), *words, folder=tmp_path) as place, place.accepted() as link:
        assert link.welcome().name == "fred"
        link.seeks()
        link.say(start("g1", dealt(1).opener_now))
        link.seeks()
        link.say(Over("g1", 2, "I", "resigned"), start("g2", dealt(2).opener_now), Ping("two"))
        assert link.hear() == Pong("two"), "two have begun: nothing more is sought"
        link.say(Over("g2", 2, "I", "resigned"))
        assert link.hear() == Quit()
        link.say(Bye("bye", "Good-bye."))
        assert place.end() == (0, "", "")


def test_a_lost_connection_is_resumed_and_the_open_request_answered(tmp_path: Path) -> None:
    source = GOOD_BOT.replace("return Placement", "print(request.game, request.number)\n    return Placement")
    game = dealt(1)
    with Place(write_bot(tmp_path, source), "--key", "k", folder=tmp_path) as place:
        with place.accepted() as link:
            link.welcome("first-secret")
            link.say(start("g1", game.opener_now))
            placed(link, "g1", game)
        with place.accepted() as link:
            assert link.hear() == Resume("first-secret")
            link.say(Welcome("tried_bot", "bot", "second-secret", 64), seen("g1", game))
            assert link.hear() == Ping("resumed")
            link.say(Pong("resumed"))
            placed(link, "g1", game)
        with place.accepted() as link:
            assert link.hear() == Resume("second-secret")
            link.say(Bye("shutdown", "The server closes."))
            status, output, log = place.end()
    assert (status, output) == (0, "g1 1\ng1 1\n")
    assert log == "tyrus-bot: the connection was lost and is made again\n" * 2


def test_games_that_began_or_ended_while_the_connection_was_lost(tmp_path: Path) -> None:
    source = (
        "from tyrusd.sdk import Building, Placement\n"
        "class Bot:\n"
        "    def started(self, start):\n        print('started', start.game, start.side.word, start.enemy)\n"
        "    def choose(self, request):\n        return Placement(request.view.hand[0], Building.IC)\n"
        "    def over(self, over):\n        print('over', over.reason)\n"
    )
    game = dealt(1)
    side = game.opener_now
    with Place(write_bot(tmp_path, source), "--games", "2", "--once", folder=tmp_path) as place:
        with place.accepted() as link:
            link.welcome()
            link.seeks()
            link.say(start("g1", side))
            link.seeks()
        with place.accepted() as link:
            assert isinstance(link.hear(), Resume)
            # The start of g2 never arrived, nor did the end of g1.
            link.say(Welcome("tried_bot", "bot", "t" * 32, 2), seen("g2", game))
            assert link.hear() == Ping("resumed")
            placed(link, "g2", game)
            link.say(Pong("resumed"))
            link.say(Over("g2", 3, "I", "majority"))
            assert link.hear() == Quit(), "two games have begun and both are over"
            link.say(Bye("bye", "Good-bye."))
            status, output, _ = place.end()
    assert status == 0
    enemy = "brown" if side is Side.IVORY else "ivory"
    assert output.splitlines() == [
        f"started g1 {side.word} enemy",
        f"started g2 {side.word} {enemy}",
        "over majority",
    ]


def test_who_was_in_no_game_comes_in_anew(tmp_path: Path) -> None:
    with Place(write_bot(tmp_path), folder=tmp_path) as place:
        with place.accepted() as link:
            link.welcome()
            link.seeks()
        with place.accepted() as link:
            assert isinstance(link.hear(), Resume)
            link.say(Error("auth", "retry", "The secret is not valid here.", re="resume"))
            link.welcome()
            link.seeks()


@pytest.mark.parametrize(
    ("last", "sentence"),
    [
        (Error("auth", "retry", "The key is not valid here.", re="hello"), "The key is not valid here."),
        (Bye("too-slow", "You did not read."), "You did not read."),
        (Bye("busy", "No room."), "No room."),
    ],
)
def test_what_the_server_refuses_is_told(tmp_path: Path, last: Error | Bye, sentence: str) -> None:
    with Place(write_bot(tmp_path), "--key", "k", folder=tmp_path) as place, place.accepted() as link:
        assert isinstance(link.hear(), Hello)
        link.say(last)
        status, _, log = place.end()
    assert status == 1
    assert log.endswith(f"tyrus-bot: the server ended it: {sentence}\n")


def test_a_server_that_has_ended_is_not_waited_for(tmp_path: Path) -> None:
    with Place(write_bot(tmp_path), "--key", "k", folder=tmp_path) as place:
        with place.accepted() as link:
            link.welcome()
            place.listener.close()
        assert place.end() == (1, "", "tyrus-bot: the connection to the server was lost\n")


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    status, _, log = run(write_bot(tmp_path), "--connect", f"127.0.0.1:{port}", folder=tmp_path)
    assert status == 1
    assert log.startswith(f"tyrus-bot: 127.0.0.1 port {port} cannot be reached: ")
    assert log.endswith("Connection refused\n")


@pytest.mark.parametrize("word", ["def", "async def"])
def test_it_is_interrupted_without_a_traceback(tmp_path: Path, word: str) -> None:
    source = f"import trio\n{word} choose(request):\n    print('asked', flush=True)\n    "
    source += "await trio.sleep_forever()\n" if word == "async def" else "trio.run(trio.sleep_forever)\n"
    game = dealt(1)
    with Place(write_bot(tmp_path, source), folder=tmp_path) as place, place.accepted() as link:
        link.welcome()
        link.seeks()
        link.say(start("g1", game.opener_now), ask("g1", game, game.opener_now))
        assert place.process.stdout is not None
        assert place.process.stdout.readline() == "asked\n"
        place.process.send_signal(signal.SIGINT)
        assert place.end() == (130, "", "tyrus-bot: interrupted\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "the following arguments are required: MODULE[:ATTRIBUTE]"),
        (("tried_bot", "--connect", "nowhere"), "'nowhere' is not HOST:PORT"),
        (("tried_bot", "--connect", "::1:7433"), "an IPv6 address is written like [::1]:7433"),
        (("tried_bot", "--connect", "here:0"), "the port must be a number from 1 to 65535"),
        (
            ("tried_bot", "--name", "two words"),
            "not a name of 1 to 32 letters, digits, _ or -",
        ),
        (("tried_bot", "--games", "257"), "'257' is not a number from 1 to 256"),
        (("tried_bot", "--games", "٣"), "'٣' is not a number from 1 to 256"),
        (("tried_bot", "--option", "level"), "'level' is not NAME=VALUE"),
        (("tried_bot", "--option", "level=1"), "tried_bot: there is no option 'level': this bot has none"),
    ],
)
def test_what_was_typed_wrongly_is_exit_2(tmp_path: Path, words: tuple[str, ...], sentence: str) -> None:
    write_bot(tmp_path)
    status, output, log = run(*words, folder=tmp_path)
    assert (status, output) == (2, b"")
    assert log.rstrip("\n").endswith(sentence)


def test_a_broken_bot_is_exit_70_and_bytes_that_are_no_protocol_76(tmp_path: Path) -> None:
    status, _, log = run("no_such_bot", folder=tmp_path)
    assert (status, log.splitlines()[-1]) == (
        70, "tyrus-bot: no_such_bot: the import failed: ModuleNotFoundError: No module named 'no_such_bot'"
    )  # fmt: skip
    status, _, log = run(write_bot(tmp_path), folder=tmp_path, data=b"HTTP/1.1\xff\n" + b"x" * 5000)
    assert status == 76
    assert log.startswith("tyrus-bot: the server sent something else than the protocol: ")


@pytest.mark.parametrize(
    ("code", "said"),
    [("too-many-games", []), ("unavailable", []), ("storage", [Quit()]), ("expired", [Seek()])],
)
def test_each_refusal_of_a_seek_has_its_answer(code: str, said: list[object]) -> None:
    seeking = Seeking(1, False)
    assert seeking.heard(Welcome("a", "bot", "s", 1), 0) == [Seek()]
    assert seeking.heard(Error(code, "retry", "No.", re="seek"), 0) == said
    assert seeking.heard(Error("syntax", "retry", "No.", re="place"), 0) == []
