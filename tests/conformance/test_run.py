"""What the run as a whole promises: what is shown, what is skipped, who is let in, and true positions."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import msgpack
import pytest

from tests.conformance.bad_bots import BAD, Chatty, Human
from tests.conformance.bench import Bench, check
from tests.conformance.bots import WELL, Bot, Follower, Returning
from tyrusd.core.conformance import STEP_NAMED, STEPS, Result, Verdict, Where
from tyrusd.core.conformance.positions import match_at, null_placement, simple_placement
from tyrusd.core.conformance.talk import Talk
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import Side
from tyrusd.wire import Choose, Codec, Message, decode_client_line, decode_server_line, encode_frame
from tyrusd.wire.frame import HEADER
from tyrusd.wire.later import Parts, put_together

P, F, S = Verdict.PASSED, Verdict.FAILED, Verdict.SKIPPED


def result_of(bench: Bench, name: str) -> Result:
    bench.results()
    return next(result for result in bench.run.results if result.step.name == name)


def test_a_failure_shows_what_was_sent_and_what_came() -> None:
    result = result_of(check(BAD["ping"]), "ping")
    assert result.sentence == f"it sent pong {'w' * 32}, not pong {'w' * 64}"
    assert result.sent[-1] == f"ping {'w' * 64}"
    assert result.came[-1] == f"pong {'w' * 32}"


def test_an_illegal_answer_is_told_with_the_hand() -> None:
    result = result_of(check(BAD["legal"]), "legal")
    hand = result.sent[-1].partition(" hand=")[2].partition(" ")[0]
    assert result.sentence.startswith("it placed S") and f"not in its hand ({hand})" in result.sentence
    assert result.came[-1].startswith("place c")


def test_an_answer_to_another_request_is_told_with_the_one_that_was_asked() -> None:
    sentence = result_of(check(BAD["ids"]), "ids").sentence
    assert "it sent `place " in sentence and "but what was asked is `c" in sentence


def test_a_bot_that_does_not_flush_is_told_to() -> None:
    assert "flush after each line" in result_of(check(BAD["flush"]), "flush").sentence


def test_the_end_of_a_program_is_told_with_its_last_words() -> None:
    sentence = result_of(check(BAD["crlf"]), "crlf").sentence
    assert sentence == "it ended or closed the connection (exit status 1; its last words: last words)"


def test_what_is_no_line_is_told_where_it_stands_in_the_way() -> None:
    class Talker(Bot):
        def on_greeting(self, words: list[str]) -> None:
            self.say("Hello! I am ready.")

    result = result_of(check(Talker), "hello")
    assert result.verdict is F and "it wrote what is no line of the protocol" in result.sentence


def test_no_secret_or_key_is_shown() -> None:
    class Keyed(Human):
        key = "sesame"

    bench = Bench(lambda _: Keyed(), Where.SOCKET, key="sesame")
    shown = " ".join(" ".join(result.sent + result.came) for result in bench.results())
    assert "secret=…" in shown and "key=…" in shown
    assert "sesame" not in shown and "secret-" not in shown


@pytest.mark.parametrize("name", ["start-up", "hello", "flush"])
def test_without_the_first_steps_nothing_is_judged(name: str) -> None:
    verdicts = check(BAD[name]).verdicts()
    done = [step.name for step in STEPS[: STEP_NAMED[name].number]]
    assert [verdicts[other] for other in done] == [P] * (len(done) - 1) + [F]
    assert all(verdict is S for other, verdict in verdicts.items() if other not in done)


def test_a_bot_that_falls_silent_is_not_waited_for_45_times() -> None:
    heard = {step.name for step in STEPS[:8]}

    class Deaf(Bot):
        def line(self, text: str) -> None:
            if text.startswith("greeting") or self.step in heard:
                super().line(text)

    bench = check(Deaf)
    verdicts = bench.verdicts()
    assert list(verdicts.values()).count(F) < 6
    assert bench.run.complete and bench.now < 120


def test_after_a_failed_step_a_program_is_started_afresh() -> None:
    class Forgetful(Bot):
        """Answers nothing more once it has seen a line that ends in CR."""

        broken = False

        def read(self, data: bytes) -> None:
            self.broken = self.broken or b"\r" in data
            if not self.broken:
                super().read(data)

    bench = check(Forgetful)
    assert bench.failed() == {"crlf"}


def test_a_program_that_cannot_be_started_is_not_judged() -> None:
    bench = Bench(lambda _: None)
    bench.run.start(0.0)
    bench.run.ended("there is no such file", "", 0.0)
    assert bench.run.results[0].sentence == "there is no such file"
    assert all(result.verdict is S for result in bench.results()[1:])


def test_only_whoever_has_the_key_is_checked() -> None:
    class Stranger(Bot):
        def on_bye(self, words: list[str]) -> None:
            self.leave()

    class Keyed(Bot):
        key = "right"

    bench = Bench(lambda number: Stranger() if number == 0 else Keyed(), Where.SOCKET, key="right")
    verdicts = bench.verdicts()
    assert bench.connections > 1
    assert F not in verdicts.values()
    assert any(b"error auth retry" in data for data in bench.written)


def test_a_bot_of_another_major_version_is_told_so() -> None:
    class Newer(Bot):
        hello = "hello 1.0 tested bot games={games}"

    bench = check(Newer)
    assert "its hello is of version 1.0" in result_of(bench, "hello").sentence
    assert any(b"bye version" in data for data in bench.written)


def test_a_bot_that_resigns_skips_the_step_unless_it_is_a_whole_game() -> None:
    class Resigning(Bot):
        def on_choose(self, words: list[str]) -> None:
            if self.step == "as-ivory":
                self.say(f"resign {words[0]}")
            else:
                super().on_choose(words)

    verdicts = check(Resigning).verdicts()
    assert verdicts["as-ivory"] is S and F not in verdicts.values()


def test_tags_pings_and_looks_of_the_bot_are_answered() -> None:
    class Curious(Bot):
        def place(self, game: str, request: str, tile: str, building: str) -> None:
            self.say(f"place {game} {request} {tile} {building} tag=t{request}")

        def on_start(self, words: list[str]) -> None:
            self.say(f"look {words[0]} tag=look")
            self.say("ping alive")

        def on_choose(self, words: list[str]) -> None:
            if words[0] not in self._asked:
                self._asked.add(words[0])
                super().on_choose(words)

        _asked: set[str]

        def begin(self) -> None:
            self._asked = set()

    bench = check(Curious, steps=[STEP_NAMED["empty-past"]])
    assert bench.failed() == set()
    said = b"".join(bench.written)
    for expected in (b"\nsnapshot c1 ", b"\nok tag=look re=look\n", b"pong alive\n", b"ok tag=t"):
        assert expected in said


def test_lobby_verbs_are_no_lines_for_the_seat_of_a_match() -> None:
    class Seeker(Bot):
        def on_over(self, words: list[str]) -> None:
            if self.step == "ids":
                self.say("seek")

    bench = check(Seeker)
    assert bench.failed() == {"only-protocol"}
    assert "seek is not for the seat of a match" in result_of(bench, "only-protocol").sentence
    assert any(b"error state retry re=seek" in data for data in bench.written)


def test_a_bot_that_leaves_in_the_middle_is_told_so() -> None:
    class Leaver(Bot):
        def on_ping(self, words: list[str]) -> None:
            if self.step == "ping":
                self.say("quit")
            else:
                super().on_ping(words)

    assert result_of(check(Leaver), "ping").sentence == "it said quit, although it is wanted for more"


def test_a_flood_is_bounded() -> None:
    class Flooder(Bot):
        def on_ping(self, words: list[str]) -> None:
            if self.step == "ping":
                self.put(b"pong b\n" * 100_000)

    bench = check(Flooder)
    bench.results()
    assert result_of(bench, "ping").verdict is F


def test_a_line_that_is_too_long_is_told_and_ends_the_connection() -> None:
    class Endless(Bot):
        def on_ping(self, words: list[str]) -> None:
            self.put(b"x" * 600)

    result = result_of(check(Endless), "ping")
    assert result.verdict is F and "more than 512 bytes" in result.sentence


def test_a_program_that_ends_at_once_is_told_so() -> None:
    class Short(Bot):
        def begin(self) -> None:
            self.leave("exit status 127")

    sentence = result_of(check(Short), "start-up").sentence
    assert sentence == "it ended before it said anything (exit status 127; its last words: last words)"


def test_a_second_hello_is_one_too_many() -> None:
    class Twice(Bot):
        def on_greeting(self, words: list[str]) -> None:
            super().on_greeting(words)
            super().on_greeting(words)

    assert result_of(check(Twice), "hello").sentence == "it said hello twice on one connection"


def test_a_bot_that_never_leaves_is_told_so() -> None:
    class Stays(Bot):
        def on_bye(self, words: list[str]) -> None:
            self.put(b"what?\n")

        def input_ended(self) -> None:
            pass

    bench = check(Stays)
    assert bench.failed() == {"bye", "after-bye", "end-of-input", "only-protocol"}
    assert "had not ended 5 s after bye" in result_of(bench, "bye").sentence
    assert result_of(bench, "after-bye").sentence == "after bye it wrote what is no line"


def test_who_comes_again_with_hello_does_not_resume() -> None:
    result = result_of(check(Bot, Where.SOCKET), "resume")
    assert result.verdict is S and "with hello, not with resume" in result.sentence


def test_a_tagged_hello_and_resume_are_answered() -> None:
    class Tagged(Returning):
        hello = "hello 0.1 tested bot games={games} tag=h"

        def say(self, text: str, after: float = 0.0) -> None:
            super().say(f"{text} tag=r" if text.startswith("resume") else text, after)

    memory: dict[str, str] = {}
    bench = check(lambda: Tagged(memory), Where.SOCKET)
    assert bench.failed() == set()
    said = b"".join(bench.written)
    assert b"ok tag=h re=hello\n" in said and b"ok tag=r re=resume\n" in said


def test_a_line_without_its_end_is_told() -> None:
    class Unended(Bot):
        def on_bye(self, words: list[str]) -> None:
            self.put(b"pong bye")
            self.leave(WELL, after=0.01)

    assert "not ended with LF" in result_of(check(Unended), "only-protocol").sentence


def test_every_request_is_a_true_position_and_every_line_fits() -> None:
    bench = check(Chatty)
    bench.results()
    lines = b"".join(bench.written).replace(b"\r\n", b"\n").split(b"\n")
    assert max(map(len, lines)) == 4096
    views = [
        read_view(message.view) for line in lines if isinstance(message := decode_server_line(line), Choose)
    ]
    assert len(views) > 60
    assert {len(view.hand) for view in views} == {4, 5, 6, 7, 8, 9}
    assert any(sum(map(len, view.past)) == 48 for view in views)
    assert {view.variant for view in views} == {"standard", "replay-ties"}


def test_positions_for_any_request_of_any_deal() -> None:
    for deal in range(400):
        match = match_at("c1", ("a", "b"), Side(deal % 2), 53, deal)
        assert match.game.placed_count >= 52
        assert match.game.winners == [None] * 8
        for choose in (null_placement, simple_placement):
            tile, _ = choose(match)
            assert tile in match.game.hand(Side(deal % 2))


def test_a_fault_of_the_run_itself_does_not_pass_for_a_passed_check() -> None:
    def script(talk: Talk) -> Generator[float, None, None]:
        raise ZeroDivisionError
        yield 0.0

    step = replace(STEP_NAMED["ping"], script=script)
    bench = check(Bot, steps=[STEPS[0], step])
    with pytest.raises(ZeroDivisionError):
        bench.results()
    assert bench.run.finished and not bench.run.complete and bench.run.deadline() is None


class Framed(Bot):
    """Speaks frames, with which it does what the lines of the same messages would tell it to."""

    def read(self, data: bytes) -> None:
        self._kept += data
        while len(self._kept) >= HEADER:
            end = HEADER + int.from_bytes(self._kept[:HEADER], "big")
            if len(self._kept) < end:
                return
            verb, core, keys = msgpack.unpackb(self._kept[HEADER:end])
            self._kept = self._kept[end:]
            parts = Parts(verb, tuple(core), tuple(keys.items()))
            self.line(put_together(parts, Codec.LINE).decode().strip())

    def say(self, text: str, after: float = 0.0) -> None:
        message = decode_client_line(text.encode())
        assert isinstance(message, Message)
        self.put(encode_frame(message), after)


class FramedFollower(Framed, Follower):
    pass


@pytest.mark.parametrize("kind", [Framed, FramedFollower])
def test_the_same_steps_run_over_frames(kind: type[Bot]) -> None:
    verdicts = Bench(lambda _: kind(), codec=Codec.FRAME).verdicts()
    assert {name for name, verdict in verdicts.items() if verdict is not P} == {"crlf", "resume"}
