"""One club event at work: players are called, games begin, results bring the next pairs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tyrusd.core import club_lines, club_news
from tyrusd.core.player import Player
from tyrusd.core.table import Table
from tyrusd.core.terms import Repeat, Terms
from tyrusd.league.clock import TimeControl
from tyrusd.league.club import ClubEvent, ClubTerms
from tyrusd.league.record import frame
from tyrusd.league.schema import Payload
from tyrusd.league.tournament.happenings import DealtAgain, Happening
from tyrusd.league.tournament.task import PairTask
from tyrusd.rules.events import Over
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.lobby import Lobby

_ABSENT, _HERE, _READY = range(3)


def control_of(terms: ClubTerms) -> TimeControl | None:
    """The time control of an event, None for the default of each player; ValueError with what is allowed."""
    if terms.clock is None and terms.cap is None:
        return None
    return TimeControl.parse(terms.clock or "none", terms.cap or "none")


class Evening:
    """What runs of an event; all that is to survive the process is in `event` and in its records.

    tasks: the pairs that are called or played, by their numbers.
    """

    def __init__(self, lobby: Lobby, event: ClubEvent) -> None:
        self._lobby = lobby
        self.event = event
        self.lines = club_lines.Lines(event)
        self.tasks: dict[int, PairTask] = {}

    # -- steps ---------------------------------------------------------------------------------------------

    def step(self, what: str, now: float, **keys: object) -> None:
        """Let something happen: into the journal, to those whom it concerns, and go on from there."""
        state, round_ = self.event.state, self._round
        told = self._record(what, now, keys)
        self._prune()
        for happening in told:
            self._tell(happening)
        if self.event.state != state:
            self._state_changed()
        if self._round != round_ and not self.event.ended:
            self._tell_round(state)
        self.advance(now)

    @property
    def _round(self) -> int:
        return 0 if self.event.tournament is None else self.event.tournament.round

    def _record(self, what: str, now: float, keys: dict[str, object]) -> list[Happening]:
        server = self._lobby.server
        record: Payload = {"kind": "event", "event": self.event.name, "what": what}
        record["at"] = server.time_of_day(now)
        record |= {key: value for key, value in keys.items() if value is not None}
        framed = frame(record)
        told = self.event.apply(record)
        server.journal(framed)
        server.news(club_news.step(self.event, record))
        return told

    def go_on(self, now: float) -> None:
        """Go on after a pause: who was called before is called anew."""
        before = list(self.tasks.values())
        self.step("resumed", now)
        for task in before:
            if self.tasks.get(task.pair) is task and not self._plays(task):
                self.call(task, now)

    def resume(self, now: float) -> None:
        """Go on after a restart: count what was kept, and call again where nobody plays."""
        tables = self._lobby.server.tables
        for game, place in list(self.event.running.items()):
            known = self.event.unmarked.get(game)
            if known is not None or game not in tables:
                winner, reason = known or (None, "aborted")
                # Nothing is called before all of these are counted: every one of them counts as running.
                self._record("result", now, {**_keys(place), "id": game, "name": winner, "reason": reason})
        self._prune()
        self.advance(now)

    def advance(self, now: float) -> None:
        """Hand out all pairs of this round that can be played now."""
        tournament = self.event.tournament
        if tournament is None or self.event.state != "running" or self._lobby.server.closing_down.begun:
            return
        while True:
            task = tournament.next()
            if task is None:
                return
            if task.round > tournament.round:  # it is the first that could be played: the others wait as well
                tournament.returned(task)
                return
            self.tasks[task.pair] = task
            if not self._plays(task):
                self.call(task, now)

    def _plays(self, task: PairTask) -> bool:
        return any(
            (place.pair, place.attempt) == (task.pair, task.attempt) for place in self.event.running.values()
        )

    def _prune(self) -> None:
        """Forget the pairs of which nothing counts any more."""
        tournament = self.event.tournament
        if tournament is None:
            return
        for pair, task in list(self.tasks.items()):
            over = self.event.ended or tournament.verdicts.cut_of(tournament.pairs[pair - 1]) is not None
            stale = tournament.pairs[pair - 1].current.number != task.attempt
            if over or stale or tournament.pairs[pair - 1].complete:
                self._forget(task)

    def _forget(self, task: PairTask) -> None:
        self._quiet(task)
        self.tasks.pop(task.pair, None)

    def _quiet(self, task: PairTask) -> None:
        for kind in ("call", "walkover"):
            self._lobby.server.timers.clear((kind, self.event.name, task.pair))

    # -- calling -------------------------------------------------------------------------------------------

    def hush(self) -> None:
        """Call nobody any more: the event is paused, or the server closes."""
        for task in self.tasks.values():
            self._quiet(task)

    def call(self, task: PairTask, now: float) -> None:
        """Call the two of a pair; their game begins at once if they are here."""
        # A timer from the first call on, so that a standstill of the server moves it like all others.
        due = now + self._lobby.server.settings.walkover_after
        key = ("walkover", self.event.name, task.pair)
        self._lobby.server.timers.set(key, due, lambda at: self._too_late(task, at))
        self._lobby.server.news(club_news.called(self.event, task.round, task.first, task.second))
        self._notify(task, self._players(task), now)
        self._again(task, now, silent=True)

    def _again(self, task: PairTask, now: float, silent: bool = False) -> None:
        """Begin, or call once more."""
        if not self._waits(task) or self._begin(task, now):
            return
        if not silent:
            self._lobby.server.counts.limits["event_call"] += 1
            self._notify(task, self._players(task), now)
        server = self._lobby.server
        when = now + server.settings.event_call
        server.timers.set(("call", self.event.name, task.pair), when, lambda at: self._again(task, at))

    def _too_late(self, task: PairTask, now: float) -> None:
        """Begin at the last moment, or let the absent one lose."""
        if self._waits(task) and not self._begin(task, now):
            self._missed(task, now)

    def _waits(self, task: PairTask) -> bool:
        return self.tasks.get(task.pair) is task and self.event.state == "running"

    def came(self, player: Player, now: float) -> None:
        """A player is here: perhaps somebody waits for it."""
        for task in self._of(player):
            if not self._begin(task, now):
                self._notify(task, [player], now)

    def has_room(self, player: Player, now: float) -> None:
        """A player's game is over: perhaps it is called."""
        for task in self._of(player):
            self._begin(task, now)

    def calls(self, player: Player) -> int:
        """Return to how many games a player is called that have not begun."""
        return len(self._of(player))

    def _of(self, player: Player) -> list[PairTask]:
        if self.event.state != "running":
            return []
        return [
            task
            for task in list(self.tasks.values())
            if player.name in (task.first, task.second) and not self._plays(task)
        ]

    def _notify(self, task: PairTask, players: Iterable[Player | None], now: float) -> None:
        due = self._lobby.server.timers.due(("walkover", self.event.name, task.pair))
        left = 0 if due is None else max(0, round((due - now) * 1000))
        sentence = f"{self.event.name}, round {task.round}: {task.first} against {task.second}; be here then."
        for player in players:
            if player is not None and player.session is not None:
                player.session.send(wire.Notice("called", sentence, left))

    def _players(self, task: PairTask) -> list[Player | None]:
        players = self._lobby.server.players
        return [players.get(name.lower()) for name in (task.first, task.second)]

    def _begin(self, task: PairTask, now: float) -> bool:
        """Begin a game if both are here and have room; whether it has."""
        lobby, server = self._lobby, self._lobby.server
        one, other = self._players(task)
        if one is None or other is None or self._plays(task) or not lobby.may_begin:
            return False
        if _presence(one) < _READY or _presence(other) < _READY:
            return False
        game = server.new_game_id()
        self._quiet(task)
        self._record("game", now, {**_keys(task), "id": game})
        for player in (one, other):
            _send(player, self._encounter(task.pair))
        repeat = Repeat(game, task.deal, task.seeds[0])
        terms = Terms(Side.IVORY, self.event.terms.variant, control_of(self.event.terms), repeat)
        lobby.begin(one, terms, other, terms.mirrored(), now, game)
        return True

    def _missed(self, task: PairTask, now: float) -> None:
        """Time is up: who is not here has lost to who is; with both away the game is void."""
        one, other = (_presence(player) for player in self._players(task))
        if one == other and one is not _ABSENT:
            self.call(task, now)  # both are here and play elsewhere, or no game may begin now
            return
        winner = None if one == other else task.first if one > other else task.second
        self._lobby.server.counts.limits["walkover_after"] += 1
        self._forget(task)
        reason = "void" if winner is None else "walkover"
        self.step("result", now, **_keys(task), name=winner, reason=reason)
        self._tell_result(task.pair, (task.first, task.second))

    # -- results -------------------------------------------------------------------------------------------

    def over(self, table: Table, now: float) -> None:
        """A game of this event is over and told."""
        place = self.event.running[table.game]
        told = table.ending[-1] if table.ending else None
        assert isinstance(told, Over)
        winner = None if told.winner is None else table.match.names[told.winner]
        names = self.event.seats(place)
        self.step("result", now, **_keys(place), id=table.game, name=winner, reason=told.reason)
        self._tell_result(place.pair, names)
        task = self.tasks.get(place.pair)
        if task is not None and task.attempt == place.attempt and self.event.state == "running":
            self.call(task, now)  # it was aborted, so it is still to be played

    def _tell_result(self, pair: int, names: tuple[str, str]) -> None:
        for name in names:
            player = self._lobby.server.players.get(name.lower())
            if player is not None:
                _send(player, self._encounter(pair))

    def _encounter(self, pair: int) -> wire.Encounter:
        tournament = self.event.tournament
        assert tournament is not None
        return club_lines.encounter(self.event, tournament.pairs[pair - 1])

    # -- telling -------------------------------------------------------------------------------------------

    def _tell(self, happening: Happening) -> None:
        if isinstance(happening, DealtAgain) and happening.why == "drawn":
            tournament = self.event.tournament
            assert tournament is not None
            pair = tournament.pairs[happening.pair - 1]
            sentence = f"{pair.first} against {pair.second} was drawn and is dealt again."
            for name in (pair.first, pair.second):
                player = self._lobby.server.players.get(name.lower())
                if player is not None:
                    _send(player, wire.Notice("event", f"{self.event.name}: {sentence}"))

    def _tell_round(self, before: str) -> None:
        """Tell that a round begins, and whoever has a bye in it of that."""
        event, number = self.event, self._round
        if event.state == before:  # else they were told with the new state
            self.tell_entrants(club_lines.event(event))
        byes = event.resting()
        self._lobby.server.news(club_news.round_begins(event, number, byes))
        for name in byes:
            sentence = f"{event.name}, round {number}: you have a bye, so you play again in the next round."
            _send(self._lobby.server.players.get(name.lower()), wire.Notice("event", sentence))

    def tell_entrants(self, *messages: wire.ServerMessage) -> None:
        """Tell all who have entered and are here."""
        for name in self.event.entrants:
            player = self._lobby.server.players.get(name)
            for message in messages if player is not None else ():
                _send(player, message)

    def tell_everybody(self, sentence: str) -> None:
        """Tell all who are here how the event is now."""
        for session in list(self._lobby.server.sessions.values()):
            if session.player is not None and not (session.is_pipe or session.closing):
                session.send(club_lines.event(self.event))
                session.send(wire.Notice("event", sentence))

    def _state_changed(self) -> None:
        event = self.event
        if event.ended:
            self.hush()
        if event.state == "over":
            verdict = club_lines.verdict(event)
            self._lobby.server.news(club_news.over(event, verdict))
            self.tell_everybody(verdict)
        elif event.state == "cancelled":
            self.tell_everybody(f"{event.name} is cancelled: no further game of it is played.")
        else:
            self.tell_entrants(club_lines.event(event))


def _keys(at: PairTask | object) -> dict[str, object]:
    return {key: getattr(at, key) for key in ("pair", "attempt", "round")}


def _presence(player: Player | None) -> int:
    if player is None or player.session is None:
        return _ABSENT
    return _READY if player.has_room else _HERE


def _send(player: Player | None, message: wire.ServerMessage) -> None:
    if player is not None and player.session is not None:
        player.session.send(message)
