"""The phase table: only verbs that exist, and what each phase is for."""

from __future__ import annotations

import pytest

from tests.wire.examples import good
from tyrusd.wire import ALLOWED, Answer, ClientMessage, Phase, answer_to
from tyrusd.wire.errors import COSTS, ERRORS
from tyrusd.wire.schema import CLIENT_SCHEMAS

OWN = {"results", "record", "log", "why"}
ASKING = {
    "who",
    "games",
    "help",
    "play",
    "seek",
    "cancel",
    "challenge",
    "accept",
    "decline",
    "rematch",
    "events",
    "join",
    "withdraw",
    "bracket",
    "ladder",
    "ratings",
    "merge",
    "watch",
    "unwatch",
    "look",
    "check",
} | OWN


def allowed(phase: Phase) -> set[str]:
    return {verb for (where, verb) in ALLOWED if where is phase}


def test_every_verb_is_allowed_somewhere_and_every_allowed_verb_exists() -> None:
    assert {verb for _, verb in ALLOWED} == set(CLIENT_SCHEMAS)


def test_what_each_phase_allows() -> None:
    assert allowed(Phase.NEW) == {"hello", "resume", "ping", "pong", "help", "quit"}
    assert allowed(Phase.LOBBY) == set(CLIENT_SCHEMAS) - {"hello", "resume"}
    assert allowed(Phase.SEAT) == {"place", "resign", "look", "ping", "pong", "help", "quit"} | OWN
    assert allowed(Phase.LEAVING) == set()


@pytest.mark.parametrize("verb", CLIENT_SCHEMAS)
def test_asking_verbs_always_end_with_ok(verb: str) -> None:
    answers = {answer for (_, named), answer in ALLOWED.items() if named == verb}
    assert len(answers) == 1, "a verb is answered the same way in every phase"
    assert (answers == {Answer.OK}) == (verb in ASKING)


def test_answer_to_reads_the_table() -> None:
    place = good(CLIENT_SCHEMAS["place"].type)
    hello = good(CLIENT_SCHEMAS["hello"].type)
    assert isinstance(place, ClientMessage) and isinstance(hello, ClientMessage)
    assert answer_to(Phase.SEAT, place) is Answer.TAGGED
    assert answer_to(Phase.NEW, place) is None
    assert answer_to(Phase.LOBBY, hello) is None


def test_errors_have_one_of_three_costs_and_a_meaning() -> None:
    for code, row in ERRORS.items():
        assert row.cost in COSTS, code
        assert row.meaning and not row.meaning.endswith("."), code
        assert not (row.budget and row.cost != "retry"), code
