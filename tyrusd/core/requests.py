"""What the core asks of the world, what the world answers, and what is worth telling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tyrusd.core.seatspec import SeatSpec
from tyrusd.core.story import Dossier
from tyrusd.wire import Codec


@dataclass(frozen=True, slots=True)
class Transport:
    """How a peer reached the server.

    host: canonical address (IPv4-mapped IPv6 folded to IPv4), or "pipe". bot: the StartBot request that
    brought this stream about, None for a peer that came by itself. cpu: tells how many microseconds of
    processor time that program has used, or None when nobody knows.
    """

    host: str
    codec: Codec
    kind: str  # "socket" | "pipe"
    bot: int | None = None
    cpu: Callable[[], int | None] | None = None


class Store(NamedTuple):
    """Append this framed record and sync all that is there; answer Stored or StoreFailed.

    payload: empty for a record that stands there already.
    """

    id: int
    game: str
    payload: bytes

    def __repr__(self) -> str:
        # The payload names every tile of a game whose end has not been told yet.
        return f"Store(id={self.id}, game={self.game!r}, {len(self.payload)} bytes)"


class StartBot(NamedTuple):
    """Start this seat's program and connect its stream with `Transport.bot = id`; if it cannot, BotFailed."""

    id: int
    name: str
    seat: SeatSpec


class StopBot(NamedTuple):
    """End that program (TERM, then KILL) and reap it; no answer."""

    id: int


class ReadOnce(NamedTuple):
    """Read this peer's input once without waiting, give it to `receive`, then call `polled`."""

    peer: int


class KeepLog(NamedTuple):
    """Write what is known of a finished game to its own file, if that is wanted; no answer, no haste.

    bots: the StartBot requests of Ivory's and Brown's programs, None for peers that came by themselves.
    """

    dossier: Dossier
    bots: tuple[int | None, int | None]


class DropLog(NamedTuple):
    """Remove the file of that game, if there is one; no answer, no haste."""

    game: str


class UseCode(NamedTuple):
    """Mark the seat code of this digest as used, once and durably; answer CodeUsed or CodeRefused."""

    id: int
    digest: bytes

    def __repr__(self) -> str:
        return f"UseCode(id={self.id})"


class KeepMerge(NamedTuple):
    """Let the rated games of one version of an account count for another, durably; answer about that.

    old, new: agent words, None for the version without one; by: the account that settles it; here: whether
    the new version is connected; begun: the versions that have begun rated games since the server began, with
    the number of the first one, for the store may not have those games yet. The answer is MergeKept or
    MergeRefused; newer ratings come by themselves.
    """

    id: int
    name: str
    old: str | None
    new: str | None
    by: str
    here: bool = False
    begun: tuple[tuple[str | None, int], ...] = ()


Request = Store | StartBot | StopBot | ReadOnce | KeepLog | DropLog | UseCode | KeepMerge


class Stored(NamedTuple):
    """The record is durable."""

    id: int


class StoreFailed(NamedTuple):
    """The record could not be made durable."""

    id: int
    why: str


class BotFailed(NamedTuple):
    """The program could not be started; why is one sentence."""

    id: int
    why: str


class CodeUsed(NamedTuple):
    """The code was not used before and is now; that is durable."""

    id: int


class CodeRefused(NamedTuple):
    """The code was used before or is revoked; why is a sentence if it could not be marked instead."""

    id: int
    why: str = ""


class MergeKept(NamedTuple):
    """The merge is durable."""

    id: int


class MergeRefused(NamedTuple):
    """The merge cannot be, or could not be kept; why is a sentence for who has asked."""

    id: int
    why: str


Answer = Stored | StoreFailed | BotFailed | CodeUsed | CodeRefused | MergeKept | MergeRefused


class GameOver(NamedTuple):
    """A game's result is durable and announced; record is the payload that was stored.

    note: the last words a crashed program left on its error output. pondered: for Ivory and Brown the
    milliseconds of processor time that the program used while it owed no decision, since this was last told
    of it; None where nobody knows. deal: the game on whose deal it was played, where that is told.
    """

    record: Mapping[str, Any]
    note: str = ""
    pondered: tuple[int | None, int | None] = (None, None)
    deal: str | None = None


class Halted(NamedTuple):
    """The schedule cannot go on; the sentence says why."""

    sentence: str


class Knocked(NamedTuple):
    """Somebody has come who cannot be let in; the sentence is for the operator, and is not told often."""

    sentence: str


class Misread(NamedTuple):
    """A line from a host was not text of the protocol at all; code is that of the error that answered it."""

    host: str
    code: str


class EventNews(NamedTuple):
    """Something has happened to a club event; about: what kind of thing, so that none hides another."""

    event: str
    about: str
    sentence: str


class Unready(NamedTuple):
    """A pair of games cannot be played, since a bot did not become ready: nothing more of it will come.

    bot: its name as an entrant; why: one sentence. Results of its games that were told before stand as
    records; a game of it that was running has ended as `aborted`.
    """

    pair: int
    attempt: int
    bot: str
    why: str


class PairDone(NamedTuple):
    """All games of a pair that were to be played here, and were not given back, are over and told."""

    pair: int
    attempt: int


class Finished(NamedTuple):
    """The schedule is played, or halted: nothing more will come."""


News = GameOver | Halted | Knocked | Misread | EventNews | Unready | PairDone | Finished


class Round(NamedTuple):
    """What a batch of steps leaves for the host: journal first, then output, then requests."""

    journal: list[bytes]
    requests: list[Request]
    dirty: list[int]
    news: list[News]

    def __repr__(self) -> str:
        # The journal names the tiles that have just been placed.
        return f"Round({len(self.journal)} journalled, {self.requests}, dirty {self.dirty}, {self.news})"
