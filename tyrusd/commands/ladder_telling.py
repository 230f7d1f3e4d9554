"""What a ladder says while it is played: each piece of news becomes an event, a line, a note, or nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from tyrusd.commands.ladder_outcomes import Outcomes, game_line, outcome_line
from tyrusd.commands.ladder_progress import size
from tyrusd.commands.summary import forfeit_sentence
from tyrusd.host.ladder import news
from tyrusd.league.tournament import happenings

if TYPE_CHECKING:
    from tyrusd.commands.ladder_events import Events
    from tyrusd.commands.ladder_progress import Meter, PlainProgress, RichProgress
    from tyrusd.commands.ladder_voice import Voice
    from tyrusd.league.statistics.sprt import SprtState

_log = logging.getLogger("tyrusd.ladder")

LOOK_EVERY: Final = 50  # games between two looks at the disk
COST: Final = 20  # standings may take one part in so many of the time
_AGAIN: Final = {
    "void": "a game of it has no result",
    "unready": "a bot was not ready",
    "drawn": "a game of it was drawn",
}
_HOW: Final = {
    "won": "won the tie",
    "walkover": "goes on, since the other cannot",
    "seed": "goes on as the better seed",
}


class Telling:
    """Takes news; standings() prints them and is asked for at intervals, sprt() tells how the test stands.

    left() tells how many games are still to be played, None where nobody knows.
    """

    def __init__(
        self,
        voice: Voice,
        events: Events | None,
        meter: Meter,
        progress: PlainProgress | RichProgress,
        outcomes: Outcomes,
        *,
        rating_interval: int,
        outcome_interval: int,
        game_lines: bool = False,
        left: Callable[[], int | None],
        standings: Callable[[], None],
        sprt: Callable[[], SprtState | None],
        journal: Callable[[], int],
        room: Callable[[], int | None],
        why: Callable[[str], str],
        clock: Callable[[], float],
    ) -> None:
        self._voice = voice
        self._events = events
        self._meter = meter
        self._progress = progress
        self._outcomes = outcomes
        self._rating_interval = rating_interval
        self._outcome_interval = outcome_interval
        self._game_lines = game_lines
        self._left = left
        self._fewer = False  # games are to be played than the meter knows
        self._standings = standings
        self._sprt = sprt
        self._journal = journal
        self._room = room
        self._warned = False
        self._why = why
        self._clock = clock
        self._standings_after = 0.0
        self.concurrency: int | None = None
        """What the operator has set while it was played, None where that is what was typed."""

    def take(self, item: news.News) -> None:
        """Tell one piece of news."""
        _TELL[type(item)](self, item)

    def event(self, name: str, /, **fields: Any) -> None:
        """Write an event, if any are wanted."""
        if self._events is not None:
            self._events.tell(name, **fields)

    def _game(self, item: news.GameKept) -> None:
        game = item.played
        place = game.place
        self.event(
            "game", game=place.game_id, pair=place.pair, attempt=place.attempt, twin=place.game,
            round=place.round, ivory=game.ivory, brown=game.brown, opener=game.opener, winner=game.winner,
            reason=game.reason, detail=game.detail, at_fault=game.at_fault, note=item.note,
        )  # fmt: skip
        if self._game_lines:
            self._voice.line(game_line(game))
        if game.at_fault is not None:
            sentence = forfeit_sentence(item.record, item.note, place.game_id)
            self._voice.note(f"{sentence}; {self._why(place.game_id)}")
        elif not game.counts:
            self._voice.note(f"game {place.game_id}: no result, {game.reason} ({game.detail or 'no detail'})")
        pairing = self._outcomes.add(game)
        self._meter.step(forfeit=game.at_fault is not None, journal=self._journal())
        if self._fewer:
            self._fewer, left = False, self._left()
            self._meter.total = None if left is None else self._meter.done + left
        self._progress.step()
        if self._meter.done % LOOK_EVERY == 0:
            self._look_at_the_disk()
        if pairing is not None and self._outcome_interval:
            counts = self._outcomes.of(pairing)
            if sum(counts) % self._outcome_interval == 0:
                self._outcome(pairing, counts)
        if self._rating_interval and self._meter.done % self._rating_interval == 0:
            self._rate()

    def _look_at_the_disk(self) -> None:
        """Warn once, early, when what is left of the disk will not do."""
        wanted, room = self._meter.wanted, self._room()
        if not self._warned and wanted is not None and room is not None and wanted > room:
            self._warned = True
            self._voice.note(
                f"the journal will want about {size(wanted)} more, its disk has {size(room)} left: make room"
            )

    def _outcome(self, pairing: tuple[str, str], counts: tuple[int, int, int]) -> None:
        first, second = pairing
        wins, losses, draws = counts
        state = self._sprt()
        pentanomial, los = self._outcomes.pentanomial(pairing), self._outcomes.superiority(pairing)
        self._voice.line(outcome_line(pairing, counts, state, pentanomial, los))
        self.event(
            "outcome", first=first, second=second, wins=wins, losses=losses, draws=draws,
            points=wins + draws / 2, games=sum(counts), sprt=None if state is None else state._asdict(),
            pentanomial=list(pentanomial), los=los,
        )  # fmt: skip

    def _rate(self) -> None:
        began = self._clock()
        if began < self._standings_after:
            return
        try:
            self._standings()
        except Exception:
            # What is told on the way must not end what is played.
            self._rating_interval = 0
            _log.exception("the standings cannot be told any more; the games go on")
        ended = self._clock()
        self._standings_after = ended + COST * (ended - began)

    def _happened(self, item: news.Happened) -> None:
        happening = item.happening
        name, told = _HAPPENED[type(happening)](happening)
        if isinstance(happening, happenings.DealtAgain):
            self._outcomes.take_back(happening.pair)
        self._fewer |= isinstance(happening, happenings.Suspended | happenings.PairingHalted)
        self.event(name, **_fields(happening))
        self._voice.note(told)

    def _unready(self, item: news.PairUnready) -> None:
        self.event("unready", **item._asdict())
        self._voice.note(f"pair {item.pair} could not be played: {item.bot} was not ready: {item.why}")

    def _told(self, item: news.Told) -> None:
        self.event("said", sentence=item.sentence)
        self._voice.note(item.sentence)

    def _paused(self, item: news.Paused) -> None:
        self.event("control", what="paused", value=item.cause)
        self._voice.note(f"paused: {item.why}")

    def _continued(self, item: news.Continued) -> None:
        self.event("control", what="continued", value=item.cause)
        self._voice.note("games begin again")

    def _limited(self, item: news.Limited) -> None:
        self.concurrency = item.concurrency
        self.event("control", what="concurrency", value=item.concurrency)
        self._voice.note(f"concurrency {item.concurrency}: the operator wants it")

    def _dropped(self, item: news.Dropped) -> None:
        self._fewer = True
        self.event("dropped", bot=item.bot)
        self._voice.note(f"{item.bot} is dropped: the operator wants it, its other games are left out")

    def _ending(self, item: news.Ending) -> None:
        self.event("control", what="ending", value=item.signal)
        if item.at_once:
            self._voice.note(f"{item.signal}: running games are stopped; they will be played again")
        else:
            games = "1 running game is" if item.awaited == 1 else f"{item.awaited} running games are"
            self._voice.note(f"{item.signal}: {games} awaited; a second signal stops them")

    def _nothing(self, item: news.Pondered) -> None:
        """What programs used is for reports."""


def _fields(happening: happenings.Happening) -> dict[str, Any]:
    """A happening as the fields of its event."""
    if isinstance(happening, happenings.Decided):
        return {"pair": happening.pair, **happening.state._asdict()}
    if isinstance(happening, happenings.RoundBegun):
        pairings = [[meeting.first, meeting.second] for meeting in happening.meetings]
        return {"number": happening.number, "pairings": pairings, "byes": list(happening.byes)}
    return {
        key: list(value) if isinstance(value, tuple) else value for key, value in happening._asdict().items()
    }


def _round(item: happenings.RoundBegun) -> tuple[str, str]:
    free = f"; without a game: {', '.join(item.byes)}" if item.byes else ""
    met = ", ".join(f"{meeting.first} - {meeting.second}" for meeting in item.meetings)
    return "round", f"round {item.number}: {met}{free}"


def _decided(item: happenings.Decided) -> tuple[str, str]:
    which = "elo1" if item.state.decision == "H1" else "elo0"
    return "decided", (
        f"the test is decided at pair {item.pair}: {which} is accepted ({item.state.decision}), "
        f"LLR {item.state.llr:.2f} ({item.state.lower:.2f} to {item.state.upper:.2f})"
    )


def _champion(item: happenings.Champion) -> tuple[str, str]:
    rest = f"; the finalists were {' and '.join(item.finalists)}" if item.finalists else ""
    return "champion", f"{item.name} has won the tournament{rest}"


_HAPPENED: Final[Mapping[type, Callable[[Any], tuple[str, str]]]] = {
    happenings.Suspended: lambda item: (
        "suspended",
        f"{item.bot} is suspended after {item.failures} failures in a row: its other games are left out",
    ),
    happenings.PairingHalted: lambda item: (
        "halted",
        f"{item.first} and {item.second} do not meet any more, two attempts in a row could not be played: "
        f"{item.why}",
    ),
    happenings.RoundBegun: _round,
    happenings.DealtAgain: lambda item: (
        "again",
        f"pair {item.pair} is dealt again (attempt {item.attempt}): {_AGAIN.get(item.why, item.why)}",
    ),
    happenings.Decided: _decided,
    happenings.StoppedByCrash: lambda item: (
        "stopped",
        f"{item.bot} {f'crashed in game {item.game} ({item.reason})' if item.game else 'was not ready'}, "
        "which stops the run (--stop-on-crash)",
    ),
    happenings.Advanced: lambda item: (
        "advanced",
        f"{item.winner} against {item.loser}: {item.winner} {_HOW.get(item.how, item.how)}",
    ),
    happenings.Champion: _champion,
}

_TELL: Final[Mapping[type, Callable[[Telling, Any], None]]] = {
    news.GameKept: Telling._game,
    news.Pondered: Telling._nothing,
    news.Happened: Telling._happened,
    news.PairUnready: Telling._unready,
    news.Told: Telling._told,
    news.Paused: Telling._paused,
    news.Continued: Telling._continued,
    news.Limited: Telling._limited,
    news.Dropped: Telling._dropped,
    news.Ending: Telling._ending,
}
