"""Each step passes for a good bot and fails, alone, for a bot that does what the step looks for."""

from __future__ import annotations

import pytest

from tests.conformance.bad_bots import BAD, WrongSecret
from tests.conformance.bench import Bench, check
from tests.conformance.bots import Bot, Follower, Returning
from tyrusd.core.conformance import STEP_NAMED, STEPS, Need, Step, Verdict, Where
from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import Hello

P, S = Verdict.PASSED, Verdict.SKIPPED


def by_verdict(verdicts: dict[str, Verdict], wanted: Verdict) -> set[str]:
    return {name for name, verdict in verdicts.items() if verdict is wanted}


def test_a_good_program_passes_all_that_is_for_programs() -> None:
    verdicts = check(Bot).verdicts()
    assert by_verdict(verdicts, S) == {"resume"}
    assert by_verdict(verdicts, P) == set(STEP_NAMED) - {"resume"}


def test_a_good_bot_on_a_socket_that_comes_again_passes_all() -> None:
    memory: dict[str, str] = {}
    verdicts = check(lambda: Returning(memory), Where.SOCKET).verdicts()
    assert by_verdict(verdicts, P) == set(STEP_NAMED)


def test_a_good_bot_on_a_socket_that_comes_once_is_not_judged_by_what_needs_more() -> None:
    bench = Bench(lambda number: Bot() if number == 0 else None, Where.SOCKET)
    verdicts = bench.verdicts()
    assert by_verdict(verdicts, S) == {"end-of-input", "resume"}
    assert by_verdict(verdicts, P) == set(STEP_NAMED) - {"end-of-input", "resume"}
    assert bench.now < 60, "it is not waited for again and again"


def test_a_good_bot_that_follows_the_events_passes() -> None:
    assert by_verdict(check(Follower).verdicts(), P) == set(STEP_NAMED) - {"resume"}


def test_in_the_lobby_one_connection_must_do() -> None:
    bench = Bench(lambda _: None, Where.LOBBY)
    bench.join(Bot(), Hello("0.1", "tested", "bot", games=4))
    verdicts = bench.verdicts()
    skipped = {step.name for step in STEPS if Need.CONNECTION in step.needs}
    assert by_verdict(verdicts, S) == skipped
    assert by_verdict(verdicts, P) == set(STEP_NAMED) - skipped
    assert bench.connections == 0


def test_a_bot_that_plays_one_game_at_a_time_is_not_asked_for_two() -> None:
    class Single(Bot):
        hello = "hello 0.1 tested bot"

    assert by_verdict(check(Single).verdicts(), S) == {"several", "interleaved", "resume"}


@pytest.mark.parametrize("step", [STEP_NAMED[name] for name in BAD], ids=lambda step: step.name)
def test_a_bad_bot_fails_the_step_that_looks_for_its_fault_and_no_other(step: Step) -> None:
    bench = check(BAD[step.name])
    assert bench.failed() == {step.name}
    (result,) = [result for result in bench.run.results if result.verdict is Verdict.FAILED]
    assert result.step is step
    assert result.sentence and result.sentence[-1] != "."


def test_a_bot_that_resumes_wrongly_fails_that_and_nothing_else() -> None:
    memory: dict[str, str] = {}
    assert check(lambda: WrongSecret(memory), Where.SOCKET).failed() == {"resume"}


def test_a_step_by_itself_comes_to_the_same() -> None:
    for step in STEPS:
        assert check(Bot, steps=[step]).verdicts() == {step.name: S if step.name == "resume" else P}
        if step.name in BAD:
            assert check(BAD[step.name], steps=[step]).verdicts()[step.name] is not P, step.name


def test_steps_are_numbered_named_and_patient_as_the_bot_is_told() -> None:
    assert [step.number for step in STEPS] == list(range(1, len(STEPS) + 1))
    assert len(STEP_NAMED) == len(STEPS) >= 40
    assert all(step.sends and step.expects and step.limit >= 5 for step in STEPS)
    assert set(BAD) | {"resume"} == set(STEP_NAMED)
    assert DEFAULTS.hello_pipe == 10
