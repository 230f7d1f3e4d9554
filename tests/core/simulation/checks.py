"""The invariants: what must hold of every message the server queues, and after every step."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from tests.core.simulation.persona import NEEDS
from tests.core.simulation.truth import TrueGame, payloads
from tyrusd.core.requests import Store
from tyrusd.core.translate import SIDE_LETTER, event_message
from tyrusd.rules.game import PLAYED_OUT
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import SIDE_OF_LETTER, SIDE_OF_WORD, Side
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tests.core.simulation.link import Link
    from tests.core.simulation.run import Simulation

_EVENTS = (wire.Election, wire.Placed, wire.Revealed, wire.Tallied, wire.Drew, wire.Remaining)
_BYE_ROOM = 2048  # a goodbye is queued even when there is no room
_SLACK = 1e-6
_LAST_READ = 1.0  # seconds a host may take for the last read before a timeout


class Sight:
    """What one connection has been told of one game."""

    def __init__(self, side: Side | None, link: Link) -> None:
        self.side = side
        self.follows = side is None or "events" in link.client.want
        self.next: int | None = None  # the sequence number of the event that must come next
        self.asked = 0  # the highest request


class Checks:
    """Raises AssertionError at the first broken promise."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._sights: dict[int, dict[str, Sight]] = {}  # by link, then game
        self._reached: dict[tuple[str, str], int] = {}  # by player and game: the last event it was told
        self._overs: dict[str, tuple[object, ...]] = {}  # the one end of each game
        self._ended: set[str] = set()
        self._told_now: set[str] = set()

    # -- messages ------------------------------------------------------------------------------------------

    def seen(self, link: Link, message: wire.Message) -> None:
        """A message is in a peer's queue, and its round has been journalled."""
        assert link.bye is None, f"{link}: {message} after the goodbye"
        self._sim.tally[message.verb] += 1
        if isinstance(message, wire.Ok | wire.Error):
            self._answer(link, message)
        elif isinstance(message, wire.Bye):
            link.bye = message.reason
            self._sim.tally[f"bye {message.reason}"] += 1
        elif isinstance(message, wire.Start):
            self._start(link, message)
        elif isinstance(message, wire.Snapshot):
            self._snapshot(link, message)
        elif isinstance(message, _EVENTS):
            self._event(link, message)
        elif isinstance(message, wire.Choose | wire.Turn):
            self._request(link, message)
        elif isinstance(message, wire.Over):
            self._over(link, message)

    def _answer(self, link: Link, message: wire.Ok | wire.Error) -> None:
        if isinstance(message, wire.Error):
            self._sim.tally[f"error {message.code}"] += 1
        if message.tag is not None:
            assert message.tag in link.tags, f"{link}: a second answer, or one to nothing: {message}"
            del link.tags[message.tag]
        if message.re == "unwatch":
            game = link.unwatching.popleft()
            if isinstance(message, wire.Ok):
                self._sights.get(link.number, {}).pop(game, None)  # none if its end is held back

    def _sight(self, link: Link, game: str) -> Sight:
        found = self._sights.get(link.number, {}).get(game)
        assert found is not None, f"{link} is told of {game}, which it does not see"
        return found

    def _game(self, game: str) -> TrueGame:
        return self._sim.truth.games[game]

    def _start(self, link: Link, message: wire.Start) -> None:
        game = self._game(message.game)
        side = SIDE_OF_LETTER[message.side]
        assert game.seats[side] == message.own and game.seats[side.other] == message.enemy
        sights = self._sights.setdefault(link.number, {})
        assert message.game not in sights, f"{link}: {message.game} starts twice"
        sights[message.game] = Sight(side, link)

    def _snapshot(self, link: Link, message: wire.Snapshot) -> None:
        game = self._game(message.game)
        shown = read_view(message.view)
        sights = self._sights.setdefault(link.number, {})
        sight = sights.get(message.game)
        if sight is None:
            sight = sights[message.game] = Sight(shown.viewer, link)
        assert sight.side == shown.viewer, f"{link} sees {message.game} from the wrong side"
        placed = self._placed(game, message.seq)
        assert placed is not None, f"{link}: there is no moment with event {message.seq} in {game.id}"
        true = game.sightline(sight.side, placed)
        if shown.to_move is None and self._may_tell(game):
            true = _without_mover(true)  # it has ended by something that is not on the board
        assert message.view == true, f"{link}: {message} is not the truth"
        if sight.next is not None and sight.follows:
            assert message.seq == sight.next - 1, f"{link}: a snapshot at {message.seq} leaves a gap"
        reached = self._reached.get((link.client.name, game.id), 0) if sight.side is not None else 0
        assert message.seq >= reached, f"{link}: {game.id} goes back from {reached} to {message.seq}"
        sight.next = message.seq + 1
        self._note(link, sight, game.id, message.seq)
        self._kept_quiet(game, placed)

    def _placed(self, game: TrueGame, seq: int) -> int | None:
        found = [placed for placed, at in enumerate(game.seqs) if at == seq]
        return found[0] if found else None

    def _note(self, link: Link, sight: Sight, game: str, seq: int) -> None:
        if sight.side is not None:
            self._reached[link.client.name, game] = seq

    def _kept_quiet(self, game: TrueGame, placed: int) -> None:
        """What a placement that ended the game brought about is told only when the record is durable."""
        ends = game.game.outcome is not None and placed == game.placed
        assert not ends or self._may_tell(game), f"{game.id}: its end is told before it is stored"

    def _may_tell(self, game: TrueGame) -> bool:
        return game.stored is not None or self._sim.store.failures.get(game.id, 0) >= self._attempts

    @property
    def _attempts(self) -> float:
        return self._sim.server.settings.store_attempts or math.inf

    def _event(self, link: Link, message: wire.Message) -> None:
        game_id: str = message.game  # type: ignore[attr-defined]
        seq: int = message.seq  # type: ignore[attr-defined]
        game, sight = self._game(game_id), self._sight(link, game_id)
        assert sight.follows and sight.next is not None, f"{link} gets events of {game_id} before a snapshot"
        assert seq == sight.next, f"{link}: event {seq} of {game_id} instead of {sight.next}"
        assert seq <= len(game.events), f"{link}: event {seq} of {game_id} is not in the journal"
        assert message == event_message(game_id, seq, game.events[seq - 1], sight.side)
        if game.game.outcome is not None and len(game.seqs) > 1 and seq > game.seqs[-2]:
            self._kept_quiet(game, game.placed)
        sight.next += 1
        self._note(link, sight, game_id, seq)

    def _request(self, link: Link, message: wire.Choose | wire.Turn) -> None:
        game, sight = self._game(message.game), self._sight(link, message.game)
        number, side = message.request, sight.side
        assert side is not None, f"{link}: a spectator is asked for a placement"
        assert sight.asked <= number <= game.placed + 1, (
            f"{link}: request {number} of {game.id} is out of turn"
        )
        mover = game.mover if number == game.placed + 1 else game.steps[number - 1][0]
        assert side == mover, f"{link}: the wrong side is asked for placement {number} of {game.id}"
        if isinstance(message, wire.Choose):
            assert message.view == game.sightline(side, number - 1)
        if number == game.placed + 1:
            self._times(game, side, message)
        sight.asked = number

    def _times(self, game: TrueGame, side: Side, message: wire.Choose | wire.Turn) -> None:
        left, gone = game.left_ms(), (self._sim.now - game.issued) * 1000
        for told, true in ((message.left, left), (message.time, game.banks[side])):
            assert (told is None) == (true is None)
            if told is not None and true is not None:
                assert abs(told - max(0.0, true - gone)) <= 1.01, (
                    f"{game.id}: {told} ms told, {true} - {gone}"
                )
        assert message.enemy_time == game.banks[side.other]

    def _over(self, link: Link, message: wire.Over) -> None:
        game, sight = self._game(message.game), self._sight(link, message.game)
        end = (message.seq, message.winner, message.reason, message.detail, message.next)
        first = self._overs.setdefault(game.id, end)
        assert first == end, f"{link}: {game.id} ends as {end}, and for others as {first}"
        assert message.seq == game.seqs[-1] + 1, f"{link}: the end of {game.id} has number {message.seq}"
        assert not sight.follows or sight.next == message.seq, f"{link}: the end of {game.id} leaves a gap"
        if (message.reason, message.detail) == ("aborted", "storage"):
            assert self._may_tell(game)
            self._sim.tally["results given up"] += 1
        else:
            assert game.stored is not None, f"{game.id}: {message} before its record is durable"
            kept = game.stored["game"]
            winner = SIDE_LETTER[None if kept["winner"] is None else SIDE_OF_WORD[kept["winner"]]]
            assert (message.reason, message.winner) == (kept["reason"], winner)
            self._sim.told.add(game.id)
        del self._sights[link.number][game.id]
        self._told_now.add(game.id)

    def closed(self, link: Link) -> None:
        """A stream is gone."""
        self._sights.pop(link.number, None)

    # -- steps ---------------------------------------------------------------------------------------------

    def after_round(self) -> None:
        """Everything of one round has been looked at."""
        for game in self._told_now:
            for number, sights in self._sights.items():
                link = self._sim.links[number]
                session = self._sim.server.sessions.get(number)
                open_still = link.bye is None and session is not None and not session.overflown
                assert not open_still or game not in sights, f"{link} is not told the end of {game}"
        self._told_now.clear()

    def after_step(self) -> None:
        """The server has done all it had to."""
        sim = self._sim
        server = sim.server
        for player in server.players.values():
            assert len(player.seats) <= player.games, f"{player} is in more games than it declared"
            assert 0 <= player.owed <= len(player.seats), f"{player} owes {player.owed} decisions"
        for number, session in server.sessions.items():
            assert len(session.outbox) <= session.room + _BYE_ROOM, f"{session} has too much output"
            assert len(session.backlog) <= session.room + _BYE_ROOM, f"{session} has too much input"
            link = sim.links[number]
            if link.tags and link.bye is None and not session.overflown and server.reading(number):
                late = [tag for tag, end in link.tags.items() if end <= link.read]
                assert not late, f"{link} was given no answer to {late}"
        for game_id, table in server.tables.items():
            game, request = self._game(game_id), table.match.open_request
            assert (request is None) == (table.ending is not None)
            if request is not None:
                assert (request.number, request.side) == (game.placed + 1, game.mover)
                self._not_overdue(game)

    def _not_overdue(self, game: TrueGame) -> None:
        deadline, now = game.deadline(), self._sim.now
        if deadline is None or now <= deadline:
            game.over_due = None
            return
        if game.over_due is None:
            game.over_due = now
        assert now <= game.over_due + _LAST_READ + self._sim.longest_wait, f"{game.id} is overdue"

    def ended(self, request: Store) -> None:
        """A game has ended, as its record says; nobody has been told."""
        if request.game in self._ended:
            return
        self._ended.add(request.game)
        game = self._game(request.game)
        record = payloads(request.payload)[0]["game"]
        reason, winner, detail = record["reason"], record["winner"], record["detail"]
        sim = self._sim
        sim.tally[f"end {reason}"] += 1
        sim.tally["games"] += 1
        both = [sim.clients[name] for name in game.seats]
        if reason == "timeout":
            deadline = game.deadline()
            assert deadline is not None and sim.now >= deadline - _SLACK, f"{game.id}: too early a timeout"
        if reason in PLAYED_OUT:
            assert game.game.outcome is not None and game.game.outcome.reason == reason
        elif winner is not None:
            loser = both[SIDE_OF_WORD[winner].other]
            assert sim.finale or not loser.persona.good, f"{game.id}: {loser.name} loses as {reason} {detail}"
            assert loser.sins & NEEDS[reason], (
                f"{game.id}: {loser.name} ({loser.persona.name}) loses as {reason} {detail}, "
                f"but has only done {sorted(loser.sins)}"
            )
        elif reason == "void":
            gone = [client.sins & NEEDS[reason] for client in both]
            assert all(gone), f"{game.id} is void, but not both have left"
        else:
            assert reason == "aborted" and sim.may_abort, f"{game.id}: {reason} {detail}"


def _without_mover(sightline: str) -> str:
    return re.sub(r"\bmove=[IB-]", "move=-", sightline, count=1)
