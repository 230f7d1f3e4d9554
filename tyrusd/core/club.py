"""Club events of a lobby: the operator opens them, players enter, and their games are called and counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from tyrusd.core import club_news
from tyrusd.core.allowances import Allowances
from tyrusd.core.club_evening import Evening, control_of
from tyrusd.core.failures import Refused
from tyrusd.core.hosts import network_of
from tyrusd.core.lobby_part import LobbyPart, LobbyVerbs
from tyrusd.core.names import RESERVED
from tyrusd.core.player import Player
from tyrusd.core.seatspec import is_name
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.league.club import KINDS, MOST_ROUNDS, ClubEvent, ClubTerms
from tyrusd.league.record import frame
from tyrusd.rules.variants import VARIANTS
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.lobby import Lobby

_SEED_BYTES: Final = 16


class EventError(Exception):
    """What the operator wants of an event cannot be; the text is a sentence."""


class Club(LobbyPart):
    """The events of a lobby by lower-case name, in the order of opening; the newest ended ones stay."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self.evenings: dict[str, Evening] = {}
        self._steps: Allowances[str] = Allowances()  # by name
        self._steps_of_hosts: Allowances[str] = Allowances()  # by network

    # -- what the lobby asks -------------------------------------------------------------------------------

    def verbs(self) -> LobbyVerbs:
        """Events, join, withdraw and bracket."""
        return {
            wire.Events: self._events,
            wire.Join: self._join,
            wire.Withdraw: self._withdraw,
            wire.Bracket: self._bracket,
        }

    def holds(self, player: Player) -> float:
        """Who has entered is waited for, also between two games."""
        return self._lobby.server.settings.event_hold if self._entered(player) else 0.0

    def owns(self, game: str) -> bool:
        """Whether a running game is one of an event, which deals again by itself."""
        return any(game in evening.event.running for evening in self.evenings.values())

    def calls(self, player: Player) -> int:
        """Return to how many games a player is called that have not begun."""
        return sum(evening.calls(player) for evening in self.evenings.values())

    def came(self, player: Player, now: float) -> None:
        """Somebody may be waited for at a table."""
        for evening in list(self.evenings.values()):
            evening.came(player, now)

    def left(self, player: Player, now: float) -> None:
        """Who has left for good plays on in no event; while the server closes everybody leaves."""
        if self._lobby.server.closing_down.begun:
            return
        for evening in list(self.evenings.values()):
            if evening.event.plays(player.name):
                self._take_out(evening, evening.event.entrants[player.name.lower()], now)

    def over(self, table: Table, now: float) -> None:
        """Count the result of an event's game, or call who has room now."""
        for evening in list(self.evenings.values()):
            if table.game in evening.event.running:
                evening.over(table, now)
        if table.next_game is None:
            for evening in list(self.evenings.values()):
                for player in table.players:
                    evening.has_room(player, now)

    def closing(self, now: float) -> None:
        """Call nobody any more; the events go on when the server is back."""
        for evening in self.evenings.values():
            evening.hush()

    def resume(self, events: Sequence[ClubEvent], now: float) -> None:
        """Go on with the events of an earlier server."""
        for event in events:
            self.evenings[event.name.lower()] = Evening(self._lobby, event)
        self._forget_old()
        for evening in self.evenings.values():
            evening.resume(now)

    def _entered(self, player: Player) -> Evening | None:
        found = (evening for evening in self.evenings.values() if evening.event.plays(player.name))
        return next(found, None)

    def _take_out(self, evening: Evening, name: str, now: float) -> None:
        started = evening.event.tournament is not None
        evening.step("dropped" if started else "withdrawn", now, name=name)

    def _forget_old(self) -> None:
        ended = [name for name, evening in self.evenings.items() if evening.event.ended]
        for name in ended[: max(0, len(ended) - self._lobby.server.settings.events_open)]:
            del self.evenings[name]

    # -- verbs ---------------------------------------------------------------------------------------------

    def _find(self, name: str) -> Evening:
        evening = self.evenings.get(name.lower())
        if evening is None:
            raise Refused("unavailable", f"There is no event {name}; `events` lists them.")
        return evening

    def _events(self, session: Session, player: Player, message: wire.Events, now: float) -> int:
        return _told(session, [evening.lines.event() for evening in self.evenings.values()])

    def _bracket(self, session: Session, player: Player, message: wire.Bracket, now: float) -> int:
        lines = self._find(message.event).lines
        most = self._lobby.server.settings.listed
        table = lines.standings()[:most]
        games = lines.encounters()
        if message.round is not None:
            games = [game for game in games if game.round == message.round]
        left_out = max(0, len(games) + len(table) - most)
        if left_out:
            session.counts.limits["listed"] += 1
        return _told(session, [*table, *games[left_out:]])

    def _join(self, session: Session, player: Player, message: wire.Join, now: float) -> None:
        evening = self._find(message.event)
        event, most = evening.event, self._lobby.server.settings.event_entrants
        if self._lobby.server.closing_down.begun:
            raise Refused("shutdown", "The server is closing; join when it is back.")
        if event.state != "open":
            raise Refused("unavailable", f"{event.name} is {event.state}: nobody enters it any more.")
        other = self._entered(player)
        if other is not None:
            raise Refused("unavailable", f"You are in {other.event.name}; `withdraw` from it first.")
        if len(event.entrants) >= most:
            raise Refused("unavailable", f"{event.name} has its {most} entrants.", "event_entrants")
        if not self._may_step(session, player, now):
            sentence = "You have joined and withdrawn too often; try again in a few seconds."
            raise Refused("unavailable", sentence, "event_steps_per_minute")
        evening.step("joined", now, name=player.name)
        self._lobby.server.record_player(player)

    def _withdraw(self, session: Session, player: Player, message: wire.Withdraw, now: float) -> None:
        evening = self._find(message.event)
        if not evening.event.plays(player.name):
            raise Refused("unavailable", f"You have nothing more to play in {evening.event.name}.")
        self._may_step(session, player, now)  # it costs the same, and nobody is kept from going
        self._take_out(evening, evening.event.entrants[player.name.lower()], now)

    def _may_step(self, session: Session, player: Player, now: float) -> bool:
        """Count a step of a player and of its network: each is kept in the journal for ever."""
        settings, host = self._lobby.server.settings, session.transport.host
        most = settings.event_steps_per_minute
        by_name = self._steps.spend(player.name.lower(), most, now)
        by_host = host in settings.open_hosts or self._steps_of_hosts.spend(network_of(host), most, now)
        return by_name and by_host

    # -- the operator --------------------------------------------------------------------------------------

    def open(self, name: str, terms: ClubTerms, now: float) -> ClubEvent:
        """Open an event; raises EventError."""
        fault = self._fault(name, terms)
        if fault is not None:
            raise EventError(fault)
        event = ClubEvent(name, terms)
        record = {"kind": "event", "event": name, "what": "opened", "terms": terms._asdict()}
        record["at"] = self._lobby.server.time_of_day(now)
        self._lobby.server.journal(frame(record))
        self.evenings.pop(name.lower(), None)
        self._forget_old()
        evening = self.evenings[name.lower()] = Evening(self._lobby, event)
        self._lobby.server.news(club_news.opened(event))
        evening.tell_everybody(f"{name} is open: `join {name}` enters it.")
        return event

    def _fault(self, name: str, terms: ClubTerms) -> str | None:
        most = self._lobby.server.settings.events_open
        known = self.evenings.get(name.lower())
        if not is_name(name):
            return "the name of an event is 1 to 32 letters, digits, _ or -"
        if name.lower() in RESERVED:
            return f"{name} is a word of the protocol; choose another name"
        if self._lobby.server.closing_down.begun:
            return "the server is closing"
        if known is not None and not known.event.ended:
            return f"there is an event {known.event.name} already, and it is {known.event.state}"
        if terms.kind not in KINDS:
            return f"there is no kind {terms.kind!r} of event; there are {', '.join(KINDS)}"
        if terms.variant not in VARIANTS:
            return f"there is no variant {terms.variant!r}; there are {', '.join(VARIANTS)}"
        if terms.rounds is not None and not 1 <= terms.rounds <= MOST_ROUNDS:
            return f"an event has 1 to {MOST_ROUNDS} rounds, not {terms.rounds}"
        if sum(not evening.event.ended for evening in self.evenings.values()) >= most:
            self._lobby.server.counts.limits["events_open"] += 1
            return f"{most} events are open or running; cancel one, or let one end"
        try:
            control_of(terms)
        except ValueError as why:
            return str(why)
        return None

    def do(self, step: str, name: str, player: str | None, now: float) -> ClubEvent:
        """Close, start, pause, go-on, cancel or drop; raises EventError, and nothing has changed then."""
        evening = self.evenings.get(name.lower())
        if evening is None:
            raise EventError(f"there is no event {name}: `event list` tells them")
        event = evening.event
        if step not in _STEPS:
            raise EventError(f"an event knows {', '.join(_STEPS)}, not {step!r}")
        allowed = _STEPS[step]
        if event.state not in allowed:
            raise EventError(f"{event.name} is {event.state}; `{step}` is for one that is {_or(allowed)}")
        match step:
            case "start":
                if len(event.entrants) < 2:
                    raise EventError(f"{event.name} has {len(event.entrants)} entrants; two are needed")
                seed = self._lobby.server.entropy(_SEED_BYTES).hex()
                evening.step("started", now, seed=seed)
            case "drop":
                if player is None or not event.plays(player):
                    raise EventError(f"{player or 'nobody'} has nothing more to play in {event.name}")
                self._take_out(evening, event.entrants[player.lower()], now)
            case "pause":
                evening.step("paused", now)
                evening.hush()
            case "go-on":
                evening.go_on(now)
            case "close":
                evening.step("closed", now)
            case _:
                evening.step("cancelled", now)
        return event

    def told(self, name: str | None = None) -> list[dict[str, Any]]:
        """Return all events, or one with its table and its encounters, as plain data; raises EventError."""
        if name is None:
            return [_plain(evening.lines.event()) for evening in self.evenings.values()]
        evening = self.evenings.get(name.lower())
        if evening is None:
            raise EventError(f"there is no event {name}: `event list` tells them")
        lines = evening.lines
        return [
            _plain(lines.event())
            | {
                "table": [_plain(line) for line in lines.standings()],
                "encounters": [_plain(line) for line in lines.encounters()],
            }
        ]


_STEPS: Final[dict[str, tuple[str, ...]]] = {
    "close": ("open",),
    "start": ("open", "closed"),
    "pause": ("running",),
    "go-on": ("paused",),
    "drop": ("open", "closed", "running", "paused"),
    "cancel": ("open", "closed", "running", "paused"),
}
"""The operator's steps, and the states of an event in which each can be taken."""


def _or(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _plain(line: wire.ServerMessage) -> dict[str, Any]:
    return {name: getattr(line, name) for name in line.__struct_fields__}


def _told(session: Session, lines: Sequence[wire.ServerMessage]) -> int:
    session.tell(lines)
    return len(lines)
