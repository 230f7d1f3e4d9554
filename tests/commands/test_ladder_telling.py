"""What a ladder says while it is played: progress, outcomes, events, and streams that nobody reads."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.commands.test_ladder_plan import TCP, A, B, bots, pace, typed
from tyrusd.commands import ladder_telling
from tyrusd.commands.ladder_beginning import beginning
from tyrusd.commands.ladder_events import EVENTS, Events
from tyrusd.commands.ladder_outcomes import Outcomes, game_line, outcome_line
from tyrusd.commands.ladder_plan import plan_of
from tyrusd.commands.ladder_progress import Meter, PlainProgress, RichProgress, duration, size
from tyrusd.commands.ladder_telling import Telling
from tyrusd.commands.ladder_voice import LogStream, Voice
from tyrusd.host.ladder import news
from tyrusd.league.pairing.meeting import Meeting
from tyrusd.league.statistics.sprt import SprtState
from tyrusd.league.tournament import happenings
from tyrusd.league.tournament.played import Played
from tyrusd.league.tournament.task import Place

STATE = SprtState(1.5, -2.94, 2.94, None, 7)


def game(pair: int, twin: int, winner: str | None, reason: str = "majority", attempt: int = 1) -> Played:
    ivory, brown = ("A", "B") if twin == 1 else ("B", "A")
    return Played(Place(pair, attempt, twin, 1), ivory, brown, winner, reason, "", "A")


def kept(played: Played, note: str = "") -> news.GameKept:
    winner = None if played.winner is None else "ivory" if played.winner == played.ivory else "brown"
    seats = {"ivory": played.ivory, "brown": played.brown}
    head = {"number": 1, "seats": seats, "winner": winner, "reason": played.reason, "detail": played.detail}
    return news.GameKept(played, {"kind": "game", "id": played.place.game_id, "game": head}, note)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        self.now += 0.01
        return self.now


class Heard:
    """A telling whose every output is kept."""

    def __init__(self, total: int | None = 20, rating: int = 0, outcome: int = 2) -> None:
        self.out, self.err, self.lines = io.StringIO(), io.StringIO(), io.StringIO()
        voice = Voice(self.out, self.err)
        self.rated = 0
        self.room: int | None = None
        self.left: int | None = 3
        clock = Clock()
        meter = Meter(total, 0, clock)
        self.telling = Telling(
            voice,
            Events(self.lines, lambda: "now", voice.note),
            meter,
            PlainProgress(meter, voice.note),
            Outcomes(("A", "B"), []),
            rating_interval=rating,
            outcome_interval=outcome,
            left=lambda: self.left,
            standings=self.rate,
            sprt=lambda: STATE,
            journal=lambda: 1000 * meter.done,
            room=lambda: self.room,
            why=lambda name: f"tyrusd why {name}",
            clock=clock,
        )

    def rate(self) -> None:
        self.rated += 1

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines.getvalue().splitlines()]


def test_outcomes_are_told_at_their_interval() -> None:
    heard = Heard()
    heard.telling.take(kept(game(1, 1, "A")))
    assert heard.out.getvalue() == ""
    heard.telling.take(kept(game(1, 2, None)))
    told = heard.out.getvalue()
    assert re.fullmatch(
        r"A - B: 1-0-1, 1\.5 points of 2 games, LOS \d\d\.\d %, pairs LL 0 LD 0 WL\+DD 0 WD 1 WW 0, "
        r"LLR 1\.50 \(-2\.94 to 2\.94\)\n",
        told,
    )
    assert heard.events()[2]["pentanomial"] == [0, 0, 0, 1, 0]
    assert f"LOS {100 * heard.events()[2]['los']:.1f} %" in told
    assert [event["event"] for event in heard.events()] == ["game", "game", "outcome"]
    assert heard.events()[2]["sprt"]["llr"] == 1.5


def test_what_is_dealt_again_is_taken_back() -> None:
    outcomes = Outcomes(("A", "B"), [game(1, 1, "A"), game(1, 2, "B"), game(2, 1, None)])
    assert outcomes.of(("A", "B")) == (1, 1, 1)
    assert outcomes.pentanomial(("A", "B")) == (0, 0, 1, 0, 0)
    outcomes.take_back(1)
    assert outcomes.pentanomial(("A", "B")) == (0, 0, 0, 0, 0)
    assert outcomes.of(("A", "B")) == (0, 0, 1)
    assert outcomes.add(game(3, 1, None, "void")) is None
    assert outcomes.of(("A", "B")) == (0, 0, 1)


def test_games_on_deals_that_are_played_once_tell_who_is_stronger_and_three_bots_do_not() -> None:
    played = [game(1, 1, "A"), game(2, 1, "A"), game(3, 1, "A")]
    los = Outcomes(("A", "B"), played).superiority(("A", "B"))
    assert los is not None and 0.8 < los < 1
    assert outcome_line(("A", "B"), (3, 0, 0), None, (0,) * 5, los).endswith(
        f"of 3 games, LOS {100 * los:.1f} %"
    )
    assert Outcomes(("A", "B", "C"), played).superiority(("A", "B")) is None
    assert Outcomes(("A", "B"), []).superiority(("A", "B")) is None


def test_every_game_is_told_where_that_is_wanted() -> None:
    heard = Heard(outcome=0)
    heard.telling._game_lines = True
    heard.telling.take(kept(game(1, 1, "A")))
    heard.telling.take(kept(game(1, 2, None, "drawn")))
    assert heard.out.getvalue() == (
        "game p1-1: A (ivory) - B (brown): A won, majority\ngame p1-2: B (ivory) - A (brown): drawn\n"
    )
    void = game(2, 1, None, "void")._replace(detail="why")
    assert game_line(void) == "game p2-1: A (ivory) - B (brown): no result, void (why)"


def test_a_fault_is_told_with_its_last_words_and_how_to_ask_why() -> None:
    heard = Heard()
    heard.telling.take(kept(game(3, 2, "A", "crashed"), "one\ntwo\x1b[31m\n"))
    assert heard.err.getvalue() == (
        "tyrusd: game p3-2: B (ivory) lost, crashed; its error output: one / two\\x1b[31m; tyrusd why p3-2\n"
    )
    assert heard.events()[0]["at_fault"] == "B"


def test_standings_come_at_their_interval_but_never_take_much_of_the_time() -> None:
    heard = Heard(rating=1)
    for pair in range(1, 9):
        heard.telling.take(kept(game(pair, 1, "A")))
    assert 1 <= heard.rated < 8


def test_standings_that_cannot_be_told_end_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Heard(rating=1)
    logged: list[str] = []
    monkeypatch.setattr(ladder_telling._log, "exception", logged.append)

    def fail() -> None:
        raise ZeroDivisionError

    heard.telling._standings = fail
    for pair in (1, 2, 3):
        heard.telling.take(kept(game(pair, 1, "A")))
    assert logged == ["the standings cannot be told any more; the games go on"]


@pytest.mark.parametrize(
    ("item", "event", "told"),
    [
        (happenings.Suspended("B", 10), "suspended", "B is suspended after 10 failures in a row"),
        (happenings.PairingHalted("A", "B", "x"), "halted", "A and B do not meet any more"),
        (
            happenings.RoundBegun(2, (Meeting("A", "B"),), ("C",)),
            "round",
            "round 2: A - B; without a game: C",
        ),
        (
            happenings.DealtAgain(3, 2, "drawn"),
            "again",
            "pair 3 is dealt again (attempt 2): a game of it",
        ),
        (
            happenings.Decided(9, STATE._replace(decision="H1")),
            "decided",
            "the test is decided at pair 9: elo1 is accepted (H1)",
        ),
        (happenings.StoppedByCrash("B", "p1-1", "crashed"), "stopped", "B crashed in game p1-1 (crashed)"),
        (happenings.StoppedByCrash("B", None, "unready"), "stopped", "B was not ready, which stops the run"),
        (
            happenings.Advanced("A", "B", "walkover"),
            "advanced",
            "A against B: A goes on, since the other cannot",
        ),
        (
            happenings.Champion("A", ("A", "B")),
            "champion",
            "A has won the tournament; the finalists were",
        ),
    ],
)
def test_every_happening_is_told(item: happenings.Happening, event: str, told: str) -> None:
    heard = Heard()
    heard.telling.take(news.Happened(item))
    assert told in heard.err.getvalue()
    assert heard.events()[0]["event"] == event
    assert tuple(heard.events()[0]) == ("event", "at", *EVENTS[event])


@pytest.mark.parametrize(
    ("item", "event", "told"),
    [
        (news.PairUnready(3, 1, "B", "it did not say hello"), "unready", "pair 3 could not be played: B"),
        (news.Told("the worker ended"), "said", "the worker ended"),
        (news.Paused("storage", "the disk is full"), "control", "paused: the disk is full"),
        (news.Continued("operator"), "control", "games begin again"),
        (news.Limited(3), "control", "concurrency 3: the operator wants it"),
        (news.Dropped("B"), "dropped", "B is dropped: the operator wants it"),
        (news.Ending("SIGINT", 1, False), "control", "SIGINT: 1 running game is awaited; a second signal"),
        (news.Ending("SIGINT", 3, False), "control", "3 running games are awaited"),
        (news.Ending("SIGTERM", 0, True), "control", "SIGTERM: running games are stopped"),
    ],
)
def test_every_piece_of_news_is_told(item: news.News, event: str, told: str) -> None:
    heard = Heard()
    heard.telling.take(item)
    assert told in heard.err.getvalue()
    assert [found["event"] for found in heard.events()] == [event]


def test_what_programs_used_is_not_told() -> None:
    heard = Heard()
    heard.telling.take(news.Pondered("p1-1", (1, None)))
    assert (heard.out.getvalue(), heard.err.getvalue(), heard.events()) == ("", "", [])


def test_an_event_has_the_fields_of_its_table() -> None:
    events = Events(io.StringIO(), lambda: "now", print)
    with pytest.raises(ValueError, match="said has the fields"):
        events.tell("said", sentenc="x")
    with pytest.raises(KeyError):
        events.tell("nosuch")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_events_that_cannot_be_written_are_told_once() -> None:
    told: list[str] = []
    with Path("/dev/full").open("w") as full:
        events = Events(full, lambda: "now", told.append)
        for _ in range(3):
            events.tell("said", sentence="x")
        assert told == ["the events cannot be written any more: No space left on device"]
        assert events.lost == "No space left on device"


def test_progress_tells_each_tenth_on_a_pipe() -> None:
    heard = Heard(total=20, outcome=0)
    for pair in range(1, 11):
        for twin in (1, 2):
            heard.telling.take(kept(game(pair, twin, "A")))
    lines = heard.err.getvalue().splitlines()
    assert len(lines) == 10
    assert lines[0].startswith("tyrusd: 2 of 20 games, ")
    assert " a minute, " in lines[0] and " left, 0 lost by a fault, 9.0 kB of disk wanted" in lines[0]
    assert lines[-1].startswith("tyrusd: 20 of 20 games, ")


def test_a_disk_that_will_not_do_is_told_once_and_early() -> None:
    heard = Heard(total=400, outcome=0)
    heard.room = 100_000
    for pair in range(1, 201):
        heard.telling.take(kept(game(pair, 1, "A")))
    told = [line for line in heard.err.getvalue().splitlines() if "make room" in line]
    assert told == ["tyrusd: the journal will want about 343 kB more, its disk has 100 kB left: make room"]


def test_progress_tells_each_hundredth_game_where_nobody_knows_how_many() -> None:
    heard = Heard(total=None, outcome=0)
    for pair in range(1, 202):
        heard.telling.take(kept(game(pair, 1, "A", "timeout")))
    lines = [line for line in heard.err.getvalue().splitlines() if "a minute" in line]
    assert [line.split(",")[0] for line in lines] == ["tyrusd: 100 games", "tyrusd: 200 games"]
    assert "100 lost by a fault" in lines[0] and "left" not in lines[0]


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_progress_is_drawn_in_the_width_that_there_is(width: int) -> None:
    stream = io.StringIO()
    meter = Meter(20, 0, Clock())
    found = RichProgress(meter, stream, Clock(), width=width, force_terminal=True, legacy_windows=False)
    for _ in range(5):
        meter.step(forfeit=False, journal=1000)
        found._draw()
    assert found.write("a line above it")
    found.close()
    assert "a line above it" in stream.getvalue()
    assert "5 of 20" in stream.getvalue()
    assert not found.write("too late")


def test_the_log_scrolls_past_the_bar() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    voice = Voice(io.StringIO(), stream)
    found = RichProgress(
        Meter(9, 0, Clock()), stream, Clock(), width=60, force_terminal=True, legacy_windows=False
    )
    voice.display = found
    LogStream(voice).write("tyrusd: the disk is slow\n")
    found.close()
    before, _, after = stream.getvalue().partition("tyrusd: the disk is slow\n")
    assert "\x1b[2K" in before and "0 of 9 games" in after


def test_a_terminal_that_goes_away_stops_nothing() -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(5, "Input/output error")

    meter = Meter(20, 0, Clock())
    found = RichProgress(meter, Gone(), Clock(), width=80, force_terminal=True, legacy_windows=False)
    meter.step(forfeit=False, journal=1)
    found.step()
    assert not found.write("x")
    found.close()
    voice = Voice(Gone(), Gone())
    voice.line("x")
    voice.note("y")
    assert voice.full is None


def test_sizes_and_durations_are_those_of_people() -> None:
    assert [size(count) for count in (0, 999, 1000, 12_345, 5_000_000)] == [
        "0 B", "999 B", "1.0 kB", "12 kB", "5.0 MB",
    ]  # fmt: skip
    assert [duration(seconds) for seconds in (0.4, 61, 3600, 200_000)] == [
        "0 s", "1 min 1 s", "1 h 0 min", "2 d 7 h",
    ]  # fmt: skip


def test_an_outcome_without_a_test_is_short() -> None:
    assert outcome_line(("A", "B"), (3, 2, 1), None) == "A - B: 3-2-1, 3.5 points of 6 games"


def first_lines(*words: str, processors: int = 2) -> list[str]:
    given = typed(*words)
    plan, chosen = plan_of(given), given.stop_on_crash is not None
    return beginning(plan, pace(*words), processors, stops=plan.tournament.stop_on_crash, chosen=chosen)


def test_the_first_line_says_what_a_failure_does() -> None:
    both = bots(A, B)
    assert "the run goes on (the default)" in first_lines(*both)[0]
    assert "the run goes on (--no-stop-on-crash)" in first_lines(*both, "--no-stop-on-crash")[0]
    assert "stops the run (--stop-on-crash)" in first_lines(*both, "--stop-on-crash")[0]
    sprt = (*both, "--sprt", "elo0=0 elo1=5")
    assert "stops the run (the default with --sprt)" in first_lines(*sprt)[0]
    assert "the run goes on (--no-stop-on-crash)" in first_lines(*sprt, "--no-stop-on-crash")[0]


def test_the_next_lines_say_what_is_played_and_how_far_bots_are_apart() -> None:
    both = bots(A, B)
    found = first_lines(*both, "--concurrency", "9", "--sandbox", "none", processors=2)
    assert "9 games at a time" in found[1]
    assert "more than the 2 processors here, so bots share them and their times are not fair" in found[1]
    assert "without a sandbox: first and second games" in found[2]
    assert "--sandbox bwrap prevents that" in found[2]
    assert not any("not fair" in line for line in first_lines(*both, "--concurrency", "2"))
    assert not any("share" in line for line in first_lines(*both)[:2])
    shard = (*both, "--rounds", "6", "--seed", "x", "--shard", "1/3")
    assert "the seats swapped; share 1 of 3; " in first_lines(*shard)[1]
    assert "whoever guesses it knows all deals" in first_lines(*both, "--seed", "x")[-1]
    assert not any("guess" in line for line in first_lines(*both))
    assert "T over tcp may remember a deal: its deals are played once" in first_lines(*bots(A, TCP))[-1]
    trusted = first_lines(*bots(A, TCP), "--trust-memory")[-1]
    assert "deals are swapped all the same (--trust-memory)" in trusted


def test_nothing_that_can_happen_is_left_out() -> None:
    assert set(get_args(news.News)) == set(ladder_telling._TELL)
    assert set(get_args(happenings.Happening)) == set(ladder_telling._HAPPENED)


def test_the_first_lines_say_which_deals_are_played_twice() -> None:
    tcp, both = ("name=C tcp",), bots(A, B)
    assert "each played twice with the seats swapped; " in first_lines(*both)[1]
    assert "each played once; " in first_lines(*both, "--noswap")[1]
    assert "each played once; " in first_lines(*bots(A, *tcp))[1]
    assert "twice with the seats swapped but for those of C; " in first_lines(*bots(A, B, *tcp))[1]
    assert "each played twice with the seats swapped; " in first_lines(*bots(A, *tcp), "--trust-memory")[1]
