"""All steps of the run, in their order: the table that docs/check.md shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from tyrusd.core.conformance import answers, arrival, coming, games, leaving, lines, times, unknown
from tyrusd.core.conformance.setting import ANSWER
from tyrusd.core.conformance.step import Need, Script, Step
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import REPLAY_TIES

_CONNECTION: Final = frozenset((Need.CONNECTION,))
_LINES: Final = frozenset((Need.LINES,))
_TWO_GAMES: Final = frozenset((Need.TWO_GAMES,))
_LEAVE: Final = 5.0

# The clock of an answer and the margin that every answer has.
_LIMIT: Final = ANSWER + 0.05


def _row(
    name: str,
    section: str,
    sends: str,
    expects: str,
    script: Script,
    limit: float = _LIMIT,
    needs: frozenset[Need] = frozenset(),
    *,
    vital: bool = False,
    opens: bool = False,
) -> Step:
    return Step(0, name, section, sends, expects, script, limit, needs, vital, opens)


def _numbered(rows: Iterable[Step]) -> tuple[Step, ...]:
    return tuple(replace(row, number=number) for number, row in enumerate(rows, 1))


_COMING: Final = (
    _row(
        "start-up", "programs", "a connection and the greeting", "a first complete line",
        coming.start_up, needs=_CONNECTION, vital=True, opens=True,
    ),
    _row(
        "hello", "hello", "nothing more",
        "one well-formed `hello 0.1 NAME bot`, with `games=` from 1 to 256 if it is there",
        coming.hello, vital=True, opens=True,
    ),
    _row(
        "flush", "programs", "`start` and a request", "the answer, without anything more being sent",
        coming.flush, vital=True,
    ),
    _row(
        "greeting-late", "hello", "the greeting half a second after the connection",
        "`hello`, before or after it, once", coming.greeted(arrival.LATE), needs=_CONNECTION, opens=True,
    ),
    _row(
        "greeting-pieces", "lines", "the greeting in six pieces", "`hello`, once",
        coming.greeted(arrival.PIECES), needs=_CONNECTION, opens=True,
    ),
    _row(
        "greeting-keys", "ignoring", "the greeting with keys that nobody knows", "`hello`, once",
        coming.greeted(arrival.KEYS), needs=_CONNECTION, opens=True,
    ),
)  # fmt: skip

_ANSWERS: Final = (
    _row(
        "ids", "placing", "a request in a game with a long id and number 17 or 18",
        "an answer that repeats both", answers.long_ids,
    ),
    _row(
        "legal", "illegal-placements", "five requests from all parts of a game",
        "a tile of the hand, and a building, each time", games.legal,
    ),
    _row(
        "as-ivory", "sightline", "a request in the middle of a game, with `side=I`",
        "a legal answer", games.question(Side.IVORY, 21),
    ),
    _row(
        "as-brown", "sightline", "a request in the middle of a game, with `side=B`",
        "a legal answer", games.question(Side.BROWN, 21),
    ),
    _row(
        "empty-past", "sightline", "a request of the first election, with `won=-` and `past=-`",
        "a legal answer", games.question(Side.BROWN, 1),
    ),
    _row(
        "long-past", "sightline", "the last request of a game in which every tile was revealed",
        "a legal answer", games.question(Side.IVORY, games.LATEST),
    ),
    _row(
        "last-election", "the-game", "the requests of election 9, on both sides, to the end of the game",
        "three legal answers each, from six tiles", games.last_election,
    ),
    _row(
        "replay-ties", "start", "`start` and a request of the variant `replay-ties`",
        "a legal answer", games.question(Side.IVORY, 15, REPLAY_TIES),
    ),
)  # fmt: skip

_TIMES: Final = (
    _row(
        "ping", "liveness", "three pings, one of them 64 letters long", "a pong with the same word each",
        times.ping,
    ),
    _row(
        "ping-asked", "liveness", "a request and a ping in one write",
        "the pong and the answer, in any order", times.ping_while_asked,
    ),
    _row(
        "no-limit", "clocks", "a request with `left=none time=none enemy-time=none`", "a legal answer",
        times.timed(times.NO_LIMIT),
    ),
    _row(
        "bank", "clocks", "a request with a bank: `clock=600+5 cap=none`", "a legal answer",
        times.timed(times.BANK),
    ),
    _row(
        "hurry", "clocks", "up to three requests with `left=200`", "an answer to one of them within 250 ms",
        times.hurry,
    ),
)  # fmt: skip

_BYTES: Final = (
    _row(
        "crlf", "lines", "`start`, a request and a ping, ended with CR LF", "the answer and the pong",
        lines.carriage_returns, needs=_LINES,
    ),
    _row(
        "split", "lines", "a ping byte by byte, and a request in pieces", "the pong and the answer",
        lines.split,
    ),
    _row(
        "together", "lines", "`start`, a request and half a ping in one write, then the rest",
        "the answer and the pong", lines.together,
    ),
    _row(
        "key-order", "lines", "a request with its keys in another order", "a legal answer", lines.any_order
    ),
    _row(
        "longest-line", "limits", "a request of 4096 bytes, filled with a key that nobody knows",
        "a legal answer", lines.longest,
    ),
)  # fmt: skip

_UNKNOWN: Final = (
    _row(
        "unknown-type", "ignoring", "messages of types that nobody knows, then a request",
        "the answer, and nothing else", unknown.types,
    ),
    _row(
        "start-keys", "ignoring", "`start` with keys that nobody knows, then a request", "a legal answer",
        unknown.keys_of_start,
    ),
    _row(
        "request-keys", "ignoring", "a request with keys that nobody knows, such as `x-hand=S1`",
        "a legal answer", unknown.keys_of_request,
    ),
    _row(
        "unknown-words", "reasons",
        "`over`, `error` and `notice` with words that no table has, then a new game",
        "the answer in the new game, and nothing else", unknown.words,
    ),
    _row(
        "notice", "notices", "notices before and after a request", "the answer, and nothing else",
        unknown.notices,
    ),
    _row(
        "away-back", "resume", "`away` and `back` of the enemy, before and after a request",
        "the answer, and nothing else", unknown.presence,
    ),
)  # fmt: skip

_GAMES: Final = (
    _row(
        "several", "many-games", "requests of up to four games in one write", "an answer to each",
        answers.several, needs=_TWO_GAMES,
    ),
    _row(
        "interleaved", "many-games", "requests of two games, in turns", "each answered in its own game",
        answers.interleaved, needs=_TWO_GAMES,
    ),
    _row(
        "unasked", "requests", "nothing, while the enemy is to move and after the end of the game",
        "nothing", answers.unasked,
    ),
    _row(
        "asked-again", "resume", "a request, and after its answer the same request once more",
        "one answer to each", answers.asked_again,
    ),
    _row(
        "illegal-retry", "illegal-placements",
        "`error illegal retry` to an answer, and the request again if no other answer comes",
        "a legal answer", answers.illegal_retry,
    ),
    _row(
        "stale", "placing", "`error stale ignored` after an answer, then the next request",
        "nothing at first, then the answer", answers.stale,
    ),
    _row("next-game", "over", "`over`, then at once a new game", "a legal answer in it", answers.next_game),
    _row(
        "after-forfeit", "over", "a request and at once `over` by timeout, then a new game",
        "a legal answer in the new game; a late one in the old does no harm", answers.after_forfeit,
    ),
    _row(
        "game-as-ivory", "the-game", "a whole game with the bot as Ivory", "a legal answer to each request",
        games.whole_game(Side.IVORY),
    ),
    _row(
        "game-as-brown", "the-game", "a whole game with the bot as Brown", "a legal answer to each request",
        games.whole_game(Side.BROWN),
    ),
)  # fmt: skip

_LEAVING: Final = (
    _row(
        "bye", "goodbyes", "`bye`, and soon after the end of the input",
        "a program ends with status 0, a bot on a socket closes the connection",
        leaving.goodbye, _LEAVE, _CONNECTION, opens=True,
    ),
    _row(
        "after-bye", "goodbyes", "the same", "nothing more is written", leaving.after_goodbye, _LEAVE,
        _CONNECTION, opens=True,
    ),
    _row(
        "end-of-input", "programs", "the end of the input, without a goodbye",
        "a program ends, a bot on a socket closes the connection", leaving.end_of_input, _LEAVE, _CONNECTION,
        opens=True,
    ),
    _row(
        "resume", "resume", "the end of the connection while an answer is on its way",
        "the bot comes again with `resume` and its secret, and answers the request that is sent again",
        leaving.resume, needs=frozenset((Need.CONNECTION, Need.SOCKET)), opens=True,
    ),
    _row(
        "only-protocol", "programs", "all of the above", "in all of it, only lines of the protocol",
        leaving.only_protocol, opens=True,
    ),
)  # fmt: skip

STEPS: Final = _numbered((*_COMING, *_ANSWERS, *_TIMES, *_BYTES, *_UNKNOWN, *_GAMES, *_LEAVING))
STEP_NAMED: Final = {step.name: step for step in STEPS}
