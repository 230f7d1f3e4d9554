"""What the client makes of single messages, also of odd, newer or hostile ones."""

from __future__ import annotations

import pytest

from tests.screen.games import played
from tyrus_client.session import DONE, FAILED, Session
from tyrus_client.wishes import Wishes
from tyrusd.rules.notation import write_view
from tyrusd.rules.pieces import Side
from tyrusd.rules.view import view
from tyrusd.screen.texts import LANGUAGES
from tyrusd.wire import messages as wire
from tyrusd.wire.connection import Connection, Role

GREETING = (
    b"greeting 0.1 tyrusd/0.1.0 caps=events,full client-line=512 server-line=4096 games=256 hello=120000\n"
)
WELCOME = b"welcome ann human secret=s3cr3t games=1 want=events,full\n"


class Ear:
    """A session that hears bytes."""

    def __init__(self, *first: bytes) -> None:
        self.session = Session(Wishes("here", "ann", None, None), LANGUAGES["en"])
        self.connection = Connection(Role.CLIENT)
        for data in first:
            self.hear(data)

    def hear(self, data: bytes) -> tuple[list[str], list[wire.ClientMessage]]:
        for message in self.connection.receive(data):
            self.session.hear(message)
        return self.session.take()


@pytest.fixture
def ear() -> Ear:
    return Ear(GREETING, WELCOME)


def test_hello_is_said_to_a_greeting_and_asks_for_events_and_full_requests() -> None:
    lines, messages = Ear().hear(GREETING)
    assert lines == ["Connected to tyrusd/0.1.0 at here."]
    assert messages == [wire.Hello("0.1", "ann", "human", agent="tyrus/0.1.0", want=("events", "full"))]


def test_a_ping_is_answered_with_its_word(ear: Ear) -> None:
    assert ear.hear(b"ping w0rd\n") == ([], [wire.Pong("w0rd")])


def test_types_that_are_not_known_are_passed_over(ear: Ear) -> None:
    assert ear.hear(b"weather g1 3 sunny mood=good :warm\nhelp :text\npong x\n") == ([], [])


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (
            b"error stale ignored re=resign game=g1 :That game is over already.",
            "That came too late; it changed nothing. That game is over already.",
        ),
        (
            b"error illegal retry why=not-in-hand game=g1 request=1 :x",
            "You do not hold that tile. Choose another.",
        ),
        (
            b"error illegal retry why=phase-of-the-moon :x",
            "The rules do not allow that placement. Choose another.",
        ),
        (b"error unavailable retry re=play :ann sleeps.", "That cannot be had now. ann sleeps."),
        (b"error too-warm retry :Open a window.", "The server says too-warm: Open a window."),
        (b"error syntax retry :a tile was expected", "The server says syntax: a tile was expected"),
        (b"notice shutdown in=30000 :x", "The server closes in 0:30; no more games start."),
        (b"notice fire :Leave the building.", "The server says: Leave the building."),
        (b"player ann human dozing", "  ann (person, dozing)"),
        (b"player ann human away", "  ann (person, away)"),
        (
            b"error too-many-games retry re=challenge :You said games=1; finish a game first.",
            "That would be one game too many. You said games=1; finish a game first.",
        ),
        (b"error auth retry re=merge :Not yours.", "The server does not accept this. Not yours."),
        (b"ok re=unwatch", "You look on no more."),
        (b"player ann human seeking variant=standard", "  ann (person, seeks a game: play ann)"),
        (
            b"player ann bot seeking side=I variant=replay-ties clock=300+5 cap=none",
            "  ann (bot, seeks a game: play ann brown replay-ties clock=300+5 cap=none)",
        ),
        (b"player ann bot seeking side=I variant=standard deal=g1", "  ann (bot, seeks a game)"),
        (
            b"table g1 ann bob 4 INB",
            "  g1: ann (Ivory) against bob (Brown), election 4, won so far: Ivory, null, Brown",
        ),
        (
            b"offer c-1 ann bob variant=standard in=120000",
            "Offered to bob: a game. Take it back with: cancel c-1",
        ),
        (
            b"offer c-1 bob ann variant=replay-ties in=120000 rounds=3 side=I clock=300+5 cap=none",
            "bob offers you 3 games (you: Ivory, replay-ties, clock=300+5, cap=none). "
            "Type: accept c-1, or: decline c-1",
        ),
        (b"accepted c-1 g4", "The offer c-1 is accepted."),
        (b"declined c-1 terms", "Nothing comes of the offer c-1: the other would play on other terms."),
        (
            b"declined c-1 played",
            "The offer c-1 is done: all its games are played, or one had no result.",
        ),
        (b"declined c-1 moonlight", "Nothing comes of the offer c-1: moonlight"),
        (
            b"event cup knockout open 4",
            "  cup (knockout, open, type: join with its name): 4 players",
        ),
        (
            b"event cup knockout over 4 champion=ann finalist=bob",
            "  cup (knockout, over): ann has won; the other finalist: bob",
        ),
        (
            b"event cup swiss over 4 round=3 rounds=3 champion=ann finalist=bob",
            "  cup (swiss, over): ann has won; second: bob",
        ),
        (
            b"event cup swiss running 4 round=2 rounds=3",
            "  cup (swiss, running, round 2 of 3): 4 players",
        ),
        (b"standing cup 1 ann 2.5 playing", "  1. ann, 2.5 points (playing)"),
        (
            b"standing cup 1 ann 2.5 playing leaving=yes",
            "  1. ann, 2.5 points (playing, leaves after this game)",
        ),
        (b"encounter cup 2 ann bob over game=g7 reason=majority", "  round 2: ann against bob, drawn"),
        (b"encounter cup 2 ann bob over game=g7", "  round 2: ann against bob, drawn"),
        (
            b"encounter cup 2 ann bob over winner=ann reason=walkover",
            "  round 2: ann against bob, won by ann without a game",
        ),
        (
            b"encounter cup 2 ann bob unplayed reason=void",
            "  round 2: ann against bob, not played: neither has come",
        ),
        (b"encounter cup 2 ann bob playing game=g7", "  round 2: ann against bob, they play g7"),
        (b"encounter cup 2 ann bob over game=g7 winner=ann", "  round 2: ann against bob, won by ann"),
        (b"encounter cup 2 ann bob called", "  round 2: ann against bob"),
        (
            b"rating 1 deep 1620 1580 1660 games=120 won=70 drawn=10 lost=40 agent=deep/2.1",
            "  1. deep/deep/2.1: 1620 (1580 to 1660), 120 games: 70 won, 10 drawn, 40 lost",
        ),
        (
            b"rating 2 bob -12 -300 none games=1 won=0 drawn=0 lost=1 forfeits=1 flagged=1 provisional=yes",
            "  2. bob: -12 (-300 to ?), a game: 0 won, 0 drawn, 1 lost; provisional; 1 lost by forfeit; "
            "1 within one host or owner",
        ),
        (
            b"rating 3 greedy 1500 none none games=4 won=1 drawn=0 lost=3 forfeited=1 anchor=yes",
            "  3. greedy: 1500, 4 games: 1 won, 0 drawn, 3 lost; fixed; 1 won by forfeit",
        ),
        (
            b"rating 0 new none none none games=0 won=0 drawn=0 lost=0",
            "  -  new: no rating yet, 0 games: 0 won, 0 drawn, 0 lost",
        ),
        (
            b"versus deep bob games=5 won=3 drawn=1 lost=1 agent=2 enemy-agent=b/1 forfeited=2",
            "  deep/2 against bob/b/1: 5 games: 3 won, 1 drawn, 1 lost; 2 won by forfeit",
        ),
        (b"ok re=ratings count=0", "There are no ratings yet."),
        (b"ok re=merge", "Done."),
        (
            b"notice ladder :Three games were lost by forfeit.",
            "You are off the ladder. Three games were lost by forfeit.",
        ),
        (b"player bot1 bot free games=0 ladder=yes", "  bot1 (bot, free, on the ladder)"),
        (
            b"player ann bot seeking side=I variant=standard rated=yes",
            "  ann (bot, seeks a game: play ann brown rated)",
        ),
        (
            b"table g1 ann bob 4 - rated=yes",
            "  g1: ann (Ivory) against bob (Brown), rated, election 4, won so far: none",
        ),
        (
            b"table g1 ann bob 4 - rated=flagged",
            "  g1: ann (Ivory) against bob (Brown), of one owner, so it does not count, "
            "election 4, won so far: none",
        ),
        (
            b"offer c-1 bob ann variant=standard in=120000 rated=flagged",
            "bob offers you a game (you: does not count, since one owner is behind both of you). "
            "Type: accept c-1, or: decline c-1",
        ),
        (
            b"offer c-1 bob ann variant=standard in=120000 rated=yes",
            "bob offers you a game (you: rated). Type: accept c-1, or: decline c-1",
        ),
        (b"away g1 B 60000", "Brown has lost the connection; the seat is kept for 1:00."),
        (b"back g1 B", "Brown is back."),
    ],
)
def test_one_line_is_shown(ear: Ear, line: bytes, shown: str) -> None:
    assert (
        " ".join(part.strip() if at else part for at, part in enumerate(ear.hear(line + b"\n")[0])) == shown
    )


@pytest.mark.parametrize(
    ("key", "word"),
    [
        (b" rated=yes", ", rated"),
        (b" rated=flagged", ", which does not count, since one owner is behind both of you"),
        (b"", ""),
    ],
)
def test_the_start_of_a_game_tells_whether_it_is_rated(ear: Ear, key: bytes, word: str) -> None:
    start = b"start g1 I ann bob variant=standard clock=none cap=60 enemy-clock=none enemy-cap=60 lenient=any"
    lines, _ = ear.hear(start + b" seed=0123456789abcdef0123456789abcdef opener=I" + key + b"\n")
    assert " ".join(" ".join(lines).split()).startswith(f"Game g1{word}: you play Ivory against bob.")


@pytest.mark.parametrize(
    ("line", "shown", "status"),
    [
        (b"bye bye :x", "Goodbye.", DONE),
        (b"bye shutdown :x", "The server has closed.", FAILED),
        (b"bye replaced :x", "Your seat was taken over from another connection.", FAILED),
        (b"bye bored :No fun.", "The server ended the connection (bored): No fun.", FAILED),
    ],
)
def test_a_goodbye_ends_the_session(ear: Ear, line: bytes, shown: str, status: int) -> None:
    assert ear.hear(line + b"\n")[0] == [shown]
    assert ear.session.status == status


def test_a_full_server_says_goodbye_before_any_welcome() -> None:
    ear = Ear(GREETING)
    assert ear.hear(b"bye busy :x\n")[0] == [
        "The server has no room for this connection. Try again later.",
        "The server says: x",
    ]
    assert ear.session.status == FAILED


def test_an_error_before_the_welcome_is_shown_and_ends_it() -> None:
    ear = Ear(GREETING)
    shown = ear.hear(b"error version fatal re=hello :x\nbye version :x\n")[0]
    assert shown == [
        "The server does not speak version 0.1 of the protocol. Install a tyrus that",
        "    does.",
        "The server says: x",
    ]
    assert ear.session.status == FAILED


@pytest.mark.parametrize(
    "first", [b"HTTP/1.1 400 Bad Request\r\n", b"SSH-2.0-OpenSSH_9.2\r\n", b"welcome x\n", b"ping a\n"]
)
def test_another_protocol_is_recognised(first: bytes) -> None:
    ear = Ear()
    lines, messages = ear.hear(first)
    if not lines:  # a word like a type that is not known yet; then the other side closes
        assert ear.session.broken() is False
        lines, messages = ear.session.take()
    assert lines == ["What answers at here does not speak the Tyrus protocol."]
    assert messages == []
    assert ear.session.status == FAILED


def test_f039_nothing_of_others_reaches_the_terminal_raw(ear: Ear) -> None:
    """SpadesX/SpadesX#38: what others wrote drove the terminal. A line with ESC is refused before that."""
    lines = ear.hear("notice fire :a\u202eb\u200bc ü\n".encode())[0]
    assert lines == ["The server says: a?b?c ü"]
    for sequence in (b"\x1b[2J", b"\x1b]0;title\x07", b"\x9b2J", "\x9b2J".encode()):
        assert ear.hear(b"notice fire :a" + sequence + b"\n") == ([], [])


def test_a_broken_line_of_the_server_is_passed_over(ear: Ear) -> None:
    assert ear.hear(b"notice\nerror\x1b[2J\nchoose g1\n") == ([], [])
    assert ear.session.status is None


def game_in_ear(ear: Ear, placements: int = 3) -> str:
    """Let the session have game g1, seen by Ivory, at event 7; return its sightline."""
    sightline = write_view(view(played(1, placements), Side.IVORY))
    ear.hear(f"snapshot g1 7 ivory=ann brown=bob ivory-time=none brown-time=none {sightline}\n".encode())
    return sightline


def test_an_event_that_is_known_already_is_not_told_again(ear: Ear) -> None:
    game_in_ear(ear)
    assert ear.hear(b"placed g1 7 B 1 3 BM ?\n") == ([], [])
    told = ear.hear(b"placed g1 8 B 1 4 BM ?\n")
    assert told == (["Brown placed a tile in Brown's Market (BM)."], [])


def test_a_gap_in_the_events_makes_the_client_look_again(ear: Ear) -> None:
    game_in_ear(ear)
    assert ear.hear(b"placed g1 9 B 1 4 BM ?\n")[1] == [wire.Look("g1")]
    assert ear.hear(b"placed g1 10 B 1 5 BM ?\n")[1] == []


def test_a_sightline_that_no_game_can_have_is_passed_over(ear: Ear) -> None:
    sightline = game_in_ear(ear).replace("election=1", "election=2")
    nonsense = ["The server sent something that makes no sense in a game; it was passed over."]
    line = f"choose g1 4 left=none time=none enemy-time=none {sightline}\n"
    assert ear.hear(line.encode()) == (nonsense, [])
    assert ear.hear(b"remaining g1 8 B ?,?,?\n") == (nonsense, [])
    assert ear.session.status is None


def test_a_game_that_follows_is_announced(ear: Ear) -> None:
    game_in_ear(ear)
    assert ear.hear(b"over g1 8 - drawn next=g2\n")[0] == [
        "",
        "The game is drawn.",
        "Both sides are equal to the end.",
        "The next game begins: g2.",
    ]


def test_the_first_placement_is_counted_by_the_events_even_without_a_picture(ear: Ear) -> None:
    assert ear.hear(b"placed g9 1 B 1 4 BM ?\n")[0] == ["Brown placed a tile in Brown's Market (BM)."]
    ear.session.type("past")
    assert ear.session.take()[0] == ["No election is over yet."]


def test_help_and_rules_fit_the_screen_and_say_the_commands(ear: Ear) -> None:
    ear.session.type("help")
    shown, messages = ear.session.take()
    assert messages == []
    for word in (
        "play NAME",
        "seek",
        "who",
        "games",
        "watch GAME",
        "s10 ic",
        "hand",
        "board",
        "resign",
        "quit",
    ):
        assert word in "\n".join(shown)
    ear.session.type("rules")
    shown, _ = ear.session.take()
    assert shown[0] == "Tyrus in short"
    assert len(shown) <= 24
