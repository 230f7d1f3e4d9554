"""Steps about answering: ids, errors, requests that come again, games that end early, silence."""

from __future__ import annotations

from collections.abc import Generator

from tyrusd.core.conformance.exam import Exam
from tyrusd.core.conformance.games import exam, examine
from tyrusd.core.conformance.positions import null_placement
from tyrusd.core.conformance.step import Failed
from tyrusd.core.conformance.talk import Talk
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire


def long_ids(talk: Talk) -> Generator[float, None, None]:
    """The game's id is long and has capitals and dashes; the request has two digits."""
    yield from examine(talk, exam(talk, request=17, suffix="-Long-Id-0"))


def several(talk: Talk) -> Generator[float, None, None]:
    """As many games as it plays, at most four, asked in one write."""
    games = talk.hello.games if talk.hello is not None else 1
    exams = [exam(talk, Side(number % 2), 1 + 9 * number) for number in range(min(4, games))]
    for one in exams:
        talk.begin(one)
    talk.send(*[talk.request(one) for one in exams])
    for one in exams:
        yield from talk.answer(one)


def interleaved(talk: Talk) -> Generator[float, None, None]:
    """Two games take turns; each answer must be legal in its own."""
    pair = [exam(talk, Side.IVORY, 4), exam(talk, Side.BROWN, 5)]
    for one in pair:
        talk.begin(one)
    for number in range(3):
        order = pair if number % 2 else pair[::-1]
        for one in order:
            _enemy_answers(talk, one)
            talk.send(talk.request(one))
        for one in order:
            yield from talk.answer(one)


def _enemy_answers(talk: Talk, one: Exam) -> None:
    while one.enemy_to_move:
        talk.tell(one, one.enemy_places(null_placement(one.match), talk.now))


def unasked(talk: Talk) -> Generator[float, None, None]:
    """While the enemy is to move, and after the end of the game, nothing is asked."""
    one = exam(talk, Side.BROWN, 3)
    talk.begin(one)
    talk.send(talk.request(one))
    yield from talk.answer(one)
    yield from talk.quiet(talk.setting.quiet, "although the enemy was to move")
    _enemy_answers(talk, one)
    talk.send(talk.request(one))
    yield from talk.answer(one)
    talk.stop(one, True, "resigned", one.side.other.word)
    yield from talk.quiet(talk.setting.quiet, "although the game was over")


def asked_again(talk: Talk) -> Generator[float, None, None]:
    """The same request once more, as after a resume: one answer to each."""
    one = exam(talk, request=20)
    talk.begin(one)
    talk.send(talk.request(one))
    yield from talk.answer(one, keep=True)
    talk.send(one.snapshot(talk.now))
    talk.send(talk.request(one))
    yield from talk.answer(one)
    yield from talk.quiet(talk.setting.quiet, "once more than it was asked")


def illegal_retry(talk: Talk) -> Generator[float, None, None]:
    """Its placement is refused with `retry`: it may answer again by itself, and must when asked again."""
    one = exam(talk, request=9, lenient=2)
    talk.begin(one)
    talk.send(talk.request(one))
    place = yield from talk.answer(one, keep=True)
    again = talk.request(one)  # it is open still; what an unasked second try would answer
    sentence = "That tile is not in your hand; choose another one."
    talk.send(wire.Error("illegal", "retry", sentence, None, "place", one.game, place.request, "not-in-hand"))
    yield from talk.pause(talk.setting.quiet)
    if one.owed is not None:
        talk.send(one.snapshot(talk.now), again)
    yield from talk.answer(one)
    talk.ledger.forgive(place)  # its own second try and an answer to the repeated request may both come


def stale(talk: Talk) -> Generator[float, None, None]:
    """Errors that cost nothing are no requests, and the next request is answered."""
    one = exam(talk, request=5)
    talk.begin(one)
    talk.send(talk.request(one))
    place = yield from talk.answer(one)
    sentence = "That request is not open any more; nothing has changed."
    talk.send(wire.Error("stale", "ignored", sentence, None, "place", one.game, place.request))
    yield from talk.quiet(talk.setting.quiet, "an error that asks for nothing")
    _enemy_answers(talk, one)
    talk.send(talk.request(one))
    yield from talk.answer(one)


def next_game(talk: Talk) -> Generator[float, None, None]:
    """After `over` the next game, begun in the same write."""
    one = exam(talk, request=2)
    talk.begin(one)
    talk.send(talk.request(one))
    yield from talk.answer(one)
    talk.stop(one, False, "resigned", one.side.word)
    yield from examine(talk, exam(talk, Side.BROWN))


def after_forfeit(talk: Talk) -> Generator[float, None, None]:
    """A game is lost while the answer is due: a late answer does no harm, the next game is played."""
    one = exam(talk, request=7)
    talk.begin(one)
    talk.send(talk.request(one))
    talk.stop(one, False, "timeout", "move-cap")
    yield from talk.pause(talk.setting.quiet)
    try:
        yield from examine(talk, exam(talk, request=2))
    except Failed as failed:
        raise Failed(f"after a game that was lost by timeout: {failed}") from failed
