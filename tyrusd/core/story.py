"""Why a finished game ended as it did, as one seat met it: its facts, its log, and a sentence for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from tyrusd.core.translate import SIDE_LETTER, detail_word
from tyrusd.core.wirelog import Packed, joined, told
from tyrusd.league.match import FORFEITS
from tyrusd.rules.game import WITHOUT_RESULT
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire

ABNORMAL: Final = FORFEITS | WITHOUT_RESULT
"""Ends whose logs are always kept: somebody will ask what went wrong."""

_BROKE: Final = 12  # lines of a log that `why` shows at most
_LAST_WORDS: Final = 20  # lines of error output that are told
_WIDE: Final = 1000


class Story(NamedTuple):
    """One seat of a finished game; times in ms. `steps` are its log, None where none is kept."""

    side: Side
    name: str
    kind: str  # bot or human
    steps: Packed | None
    began: float
    left_out: int = 0
    errors: int = 0
    refused: int = 0
    clock: str = "none"
    cap: str = "none"
    time: int | None = None  # its bank at the end
    request: int | None = None  # the request of its own that was open at the end
    limit: int | None = None  # how long that might have taken
    waited: int | None = None  # how long it was open
    overrun: int | None = None  # how much too late its answer came, when one came
    last_words: str = ""  # the end of its error output
    ended: float | None = None  # seconds, on the server's clock

    def __repr__(self) -> str:
        return f"<Story of {self.name}, {self.side.word}>"


class Dossier(NamedTuple):
    """All that is kept of a finished game. `deal` is the game on whose deal it was played, itself if new."""

    game: str
    deal: str
    variant: str
    placed: int
    winner: Side | None
    reason: str
    detail: str
    record: bytes | None  # as it was stored; None when it could not be
    stories: tuple[Story, Story]
    rated: str = "no"  # or "yes", or "flagged", as `results` tells it
    earlier: bool = False  # played under a server before this one, so that no log is in memory

    def __repr__(self) -> str:
        return f"<Dossier of {self.game}: {self.reason}>"

    @property
    def abnormal(self) -> bool:
        """Whether the board did not decide this game."""
        return self.reason in ABNORMAL

    @property
    def has_log(self) -> bool:
        """Whether a log of some seat is kept."""
        return any(story.steps is not None for story in self.stories)

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        held = sum(story.steps.size for story in self.stories if story.steps is not None)
        return held + len(self.record or b"") + 2048

    def at_fault(self, side: Side) -> bool:
        """Whether something went wrong at this side."""
        return self.abnormal and self.winner is not side

    def with_last_words(self, side: Side, text: str) -> Dossier:
        """The same, with the end of the error output of a side's program."""
        stories = list(self.stories)
        stories[side] = stories[side]._replace(last_words=text)
        return self._replace(stories=(stories[0], stories[1]))

    def outcome(self, side: Side) -> str:
        """The game's outcome for a side, as one word of the protocol."""
        if self.reason in ("aborted", "void"):
            return "none"
        return "drawn" if self.winner is None else "won" if self.winner is side else "lost"


def result_of(dossier: Dossier, side: Side) -> wire.Result:
    """One line of `results`."""
    return wire.Result(
        dossier.game,
        SIDE_LETTER[side],
        dossier.stories[side.other].name,
        dossier.outcome(side),
        dossier.reason,
        detail_word(dossier.detail),
        dossier.variant,
        dossier.placed,
        None if dossier.deal == dossier.game else dossier.deal,
        dossier.rated,
    )


def log_of(story: Story) -> list[wire.Logged]:
    """The lines of a seat's log."""
    return list(told(story.steps or (), story.began, story.left_out))


def verdict_of(dossier: Dossier, side: Side, lines: Sequence[wire.Logged]) -> wire.Verdict:
    """The facts of a seat's end."""
    story = dossier.stories[side]
    return wire.Verdict(
        dossier.game,
        SIDE_LETTER[side],
        dossier.outcome(side),
        dossier.reason,
        detail_word(dossier.detail),
        story.request,
        story.limit,
        story.waited,
        story.overrun,
        story.time,
        story.clock,
        story.cap,
        story.refused or None,
        story.errors or None,
        None if story.steps is None else len(lines),
        story.left_out or None,
    )


def broken_lines(lines: Sequence[wire.Logged]) -> list[wire.Logged]:
    """The lines around a fault: the last request and all that came after it, the newest if that is much."""
    asked = [
        at
        for at, line in enumerate(lines)
        if line.direction == "S" and line.text.startswith(("choose ", "turn "))
    ]
    start = asked[-1] if asked else 0
    shown = list(lines[start:])
    if len(shown) <= _BROKE:
        return shown
    request = [line for line in lines[start : start + 3] if line is lines[start] or line.direction == "+"]
    return request[:_BROKE] + shown[len(request) - _BROKE :]


def whole_story(dossier: Dossier, side: Side, *, full: bool) -> Iterator[wire.ServerMessage]:
    """Yield the answer to `why` (protocol.md#why-did-i-lose): the facts, lines, last words, the sentence.

    full: all lines of the log, as it is kept in a file, instead of those around the fault.
    """
    story, lines = dossier.stories[side], log_of(dossier.stories[side])
    yield verdict_of(dossier, side, lines)
    yield from lines if full else broken_lines(lines) if dossier.at_fault(side) else ()
    for text in last_words(story.last_words):
        yield wire.Stderr(text)
    yield wire.Reason(sentence(dossier, side))


def last_words(text: str) -> list[str]:
    """The last lines of an error output, fit to be told."""
    lines = ["".join([sign if sign.isprintable() else " " for sign in line]) for line in text.splitlines()]
    return [line.encode()[:_WIDE].decode("utf-8", "ignore") for line in lines if line.strip()][-_LAST_WORDS:]


def sentence(dossier: Dossier, side: Side) -> str:
    """Why the game ended as it did, in words for the people of one seat."""
    faulty = dossier.winner.other if dossier.winner is not None else side
    story = dossier.stories[faulty if dossier.reason in FORFEITS | {"resigned"} else side]
    sentences = _SENTENCES | _EARLIER if dossier.earlier else _SENTENCES
    words = sentences.get(dossier.reason, "The game ended: {reason}.").format(
        who=f"{story.name} ({story.side.word})",
        enemy=dossier.stories[story.side.other].name,
        winner="nobody" if dossier.winner is None else dossier.stories[dossier.winner].name,
        detail=dossier.detail or "no detail",
        reason=dossier.reason,
        time=_time_words(story),
        refused=story.refused,
        errors=story.errors,
        advice=_ADVICE[refused_answer(story) is not None],
    )
    return "".join([sign if sign.isprintable() else " " for sign in words])[:_WIDE]


def _time_words(story: Story) -> str:
    if story.request is None:
        return "no request was open"
    limit = "" if story.limit is None else f", which might take {story.limit} ms"
    asked = f"request {story.request}{limit}, was open for {story.waited} ms"
    refused = refused_answer(story)
    if refused is not None:
        next_one = "no other came in time"
        if story.overrun is not None:
            next_one = f"the next one came {story.overrun} ms after the time was up"
        return f"{asked}; its {refused} and {next_one}"
    late = f"; its answer came {story.overrun} ms after the time was up" if story.overrun is not None else ""
    return f"{asked}{late}"


def refused_answer(story: Story) -> str | None:
    """The last try to answer the request that was open at the end, if that was refused; else None.

    Without it a slow bot would be blamed where a wrong number or tile is the cause.
    """
    if story.request is None:
        return None  # and the log of a game that the board decided is not read for this
    lines = joined(log_of(story))
    asked = next((at for at, line in enumerate(lines) if _asks(line, str(story.request))), None)
    if asked is None:
        return None
    for at in range(len(lines) - 1, asked, -1):
        words = lines[at].text.partition(" :")[0].split(" ")
        answers = "re=place" in words
        if lines[at].direction != "S" or words[0] != "error" or "fatal" in words[2:3]:
            continue
        if not answers and any(word.startswith("re=") for word in words):
            continue  # another verb was refused
        said = next((line for line in reversed(lines[asked:at]) if line.direction == "C"), None)
        if said is None:
            return None
        why = next((f", {word[4:]}" for word in words if word.startswith("why=")), "")
        what = "answer" if answers else "line"
        return f"{what} after {said.ms - lines[asked].ms} ms was refused ({words[1]}{why})"
    return None


def _asks(line: wire.Logged, request: str) -> bool:
    words = line.text.split(" ", 3)
    return line.direction == "S" and words[0] in ("choose", "turn") and words[2:3] == [request]


_ADVICE: Final = {
    False: "Think less for each placement; flush each line.",
    True: "The error line tells what was wrong; the request is not sent again, so answer it once more.",
}
_SENTENCES: Final = {
    "three-in-a-row": "{winner} won three consecutive elections.",
    "majority": "{winner} won more of the nine elections.",
    "remaining-tiles": "The elections were level; the sums of the last three tiles decided for {winner}.",
    "drawn": "Nobody won: the elections were level, and so was what decides then.",
    "resigned": "{who} resigned.",
    "timeout": "{who} ran out of time ({detail}): {time}. {advice}",
    "illegal": "{who} placed against the rules ({detail}); it was illegal placement number {refused} of this "
    "game, and no more was forgiven: place a tile that stands in hand= of the request.",
    "disconnected": "{who} lost its connection and did not resume in time ({detail}): {time}.",
    "crashed": "The program of {who} ended during the game ({detail}): {time}. Its last words say more, if "
    "it had any.",
    "protocol": "{who} broke the protocol ({detail}): {errors} lines were refused in this game; the error "
    "lines say why.",
    "adjudicated": "The operator decided the game for {winner} ({detail}).",
    "walkover": "{who} never took the seat.",
    "aborted": "The game was stopped without a result ({detail}): that is nobody's loss.",
    "void": "The game has no result ({detail}): both players had left.",
}
_MORE: Final = "More is not known: that was before this server was started."
_EARLIER: Final = {
    "timeout": f"{{who}} ran out of time ({{detail}}). {_MORE}",
    "illegal": f"{{who}} placed against the rules ({{detail}}), and no more was forgiven. {_MORE}",
    "disconnected": f"{{who}} lost its connection and did not resume in time ({{detail}}). {_MORE}",
    "crashed": f"The program of {{who}} ended during the game ({{detail}}). {_MORE}",
    "protocol": f"{{who}} broke the protocol ({{detail}}). {_MORE}",
}

__all__ = [
    "ABNORMAL",
    "Dossier",
    "Story",
    "broken_lines",
    "joined",
    "last_words",
    "log_of",
    "result_of",
    "sentence",
    "verdict_of",
    "whole_story",
]
