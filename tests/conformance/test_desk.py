"""The desk: one seat at a time, its program started, ended and started again, everything else refused."""

from __future__ import annotations

import pytest

from tyrusd.core.conformance import STEP_NAMED, STEPS, Result, Verdict
from tyrusd.core.conformance.desk import Desk
from tyrusd.core.requests import BotFailed, Finished, StartBot, StopBot, Transport
from tyrusd.core.seatspec import parse_seat
from tyrusd.wire import Codec

PIPE = "pipe"


class Stage:
    """A desk, and what it has asked for and told."""

    def __init__(self, seat: str, *steps: str, key: str | None = None) -> None:
        self.told: list[Result | None] = []
        self.now = 0.0
        chosen = [STEP_NAMED[name] for name in steps] or STEPS
        self.desk = Desk(
            "tested", parse_seat(seat), key, chosen, lambda size: b"\7" * size, 0.0, 60.0, self.told.append
        )

    def requests(self) -> list[object]:
        return list(self.desk.collect().requests)

    def connect(self, bot: int | None = None) -> int:
        kind = PIPE if bot is not None else "socket"
        return self.desk.connect(Transport("127.0.0.1", Codec.LINE, kind, bot), self.now)

    def output(self, peer: int) -> bytes:
        """All that waits for a peer."""
        found = b""
        while piece := self.desk.output(peer):
            self.desk.sent(peer, len(piece), self.now)
            found += piece
        return found

    def say(self, peer: int, line: str) -> None:
        self.desk.receive(peer, f"{line}\n".encode(), self.now)

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while (due := self.desk.deadline()) is not None and due <= end:
            self.now = max(self.now, due)
            self.desk.tick(self.now)
        self.now = end


def started(stage: Stage) -> int:
    (request,) = [request for request in stage.requests() if isinstance(request, StartBot)]
    assert (request.name, str(request.seat)) == ("tested", "exec:./bot")
    return request.id


def test_a_program_is_started_checked_and_ended() -> None:
    stage = Stage("exec:./bot", "ping")
    bot = started(stage)
    peer = stage.connect(bot)
    assert stage.output(peer).startswith(b"greeting 0.1 ")
    stage.say(peer, "hello 0.1 whatever bot")
    assert b"welcome tested bot secret=" in stage.output(peer)
    for _ in range(3):
        word = stage.output(peer).decode().split()[-1] if _ else "a"
        stage.say(peer, f"pong {word}")
    stage.wait(1)
    assert [result.verdict for result in stage.told if result is not None] == [Verdict.PASSED]
    assert stage.output(peer).endswith(b"bye bye :The check is over.\n")
    assert stage.desk.closing(peer) and not stage.desk.finished
    assert StopBot(bot) in stage.requests()
    stage.desk.lost(peer, stage.now, "exit status 0")
    assert stage.desk.finished


def test_a_program_that_cannot_be_started_ends_the_check() -> None:
    stage = Stage("exec:./bot")
    stage.desk.answer(BotFailed(started(stage), "no such file"), 0.0)
    first = stage.told[0]
    assert first is not None and first.sentence == "no such file"
    assert len(stage.told) == len(STEPS) and stage.desk.finished
    assert any(isinstance(news, Finished) for news in stage.desk.collect().news)


def test_a_program_that_ends_is_started_again_for_the_next_step() -> None:
    stage = Stage("exec:./bot", "empty-past", "ping")
    peer = stage.connect(started(stage))
    stage.say(peer, "hello 0.1 x bot")
    stage.desk.lost(peer, stage.now, "exit status 9", "Traceback\nKeyError: 'hand'")
    (result,) = stage.told
    assert result is not None and result.verdict is Verdict.FAILED
    assert "exit status 9; its last words: KeyError: 'hand'" in result.sentence
    second = started(stage)
    assert stage.connect(second) != peer
    assert stage.desk.reading(peer + 1)


def test_a_late_word_of_an_old_program_is_not_heard() -> None:
    stage = Stage("exec:./bot", "greeting-late", "greeting-pieces")
    first = started(stage)
    peer = stage.connect(first)
    stage.wait(11)  # no hello: the step fails and the program is given up
    second = started(stage)
    assert second != first and stage.desk.closing(peer)
    stage.say(peer, "hello 0.1 x bot")
    stage.desk.lost(peer, stage.now, "killed by signal 9")
    assert len(stage.told) == 1
    late = stage.connect(first)
    assert stage.desk.closing(late) and not stage.desk.reading(late)


def test_a_second_connection_is_told_that_there_is_no_room() -> None:
    stage = Stage("tcp:tested", key="sesame")
    assert stage.told == [None], "the bot is waited for"
    first = stage.connect()
    second = stage.connect()
    assert stage.output(second).startswith(b"bye busy :")
    assert stage.desk.closing(second) and not stage.desk.reading(second)
    stage.desk.end_of_input(second, 0.0)
    assert stage.desk.reading(first)


def test_a_seat_that_never_comes_is_waited_for_as_long_as_was_said() -> None:
    stage = Stage("tcp:tested", key="sesame")
    stage.wait(59)
    assert stage.told == [None]
    stage.wait(1.5)
    first = stage.told[1]
    assert first is not None and first.sentence == "it did not connect within 60 s"
    assert (first.sent, first.came) == ((), ())
    assert stage.desk.finished


def test_a_signal_breaks_it_off() -> None:
    stage = Stage("exec:./bot")
    peer = stage.connect(started(stage))
    stage.desk.drain(0.0, 0.0)
    assert stage.desk.closing(peer) and stage.desk.deadline() is None
    assert b"bye bye" in stage.output(peer)
    stage.desk.lost(peer, 0.0)
    assert stage.desk.finished and stage.told == []


def test_one_who_fails_at_being_told_stops_nothing() -> None:
    def fail(result: Result | None) -> None:
        raise BrokenPipeError

    steps = [STEP_NAMED["resume"], STEP_NAMED["ping"]]
    with pytest.raises(BrokenPipeError):
        Desk("tested", parse_seat("exec:./bot"), None, steps, bytes, 0.0, 60.0, fail)
    stage = Stage("exec:./bot", "empty-past", "ping")
    peer = stage.connect(started(stage))
    stage.desk._tell = fail
    stage.say(peer, "hello 0.1 x bot")
    with pytest.raises(BrokenPipeError):
        stage.desk.lost(peer, stage.now, "exit status 9")
    assert started(stage), "the program is started again for the next step all the same"


def test_pieces_are_written_apart_and_as_much_as_fits() -> None:
    stage = Stage("tcp:tested", "greeting-pieces", key="sesame")
    peer = stage.connect()
    stage.wait(0.5)
    first = stage.desk.output(peer)
    assert len(first) == 1
    stage.desk.sent(peer, 1, stage.now)
    stage.wait(0.02)
    second = stage.desk.output(peer)
    assert len(second) == 8
    stage.desk.sent(peer, 3, stage.now)
    assert stage.desk.output(peer) == second[3:]
