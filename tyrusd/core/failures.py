"""How a line is refused: one `error` line, and what it costs the sender."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import structs

from tyrusd.wire import ERRORS
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.session import Session


_LONGEST: Final = 250  # letters; even of four bytes each they are a free text of the protocol


def _log(session: Session, game: str | None, error: wire.Error) -> None:
    """Add an error line to the log of its game, or to those that have the line that it answers."""
    player = session.player
    if player is None or not player.seats:
        return
    seat = player.seats.get(game or "")
    logs = session.logged if seat is None else [seat[0].logs[seat[1]]]
    now = next(iter(player.seats.values()))[0].server.now
    if session.hides:
        error = structs.replace(error, text="What was wrong is not told here: the line has a secret.")
    for log in logs:
        log.errors += 1
        log.add(now, session.sent_as, session.encode(error))


class Refused(Exception):  # noqa: N818 - it is the peer's mistake, not ours
    """A verb cannot be done; `code` is a row of the error table, `sentence` tells the sender what to do.

    limit: the field of Settings that was met, if that is why.
    """

    def __init__(self, code: str, sentence: str, limit: str | None = None) -> None:
        super().__init__(sentence)
        self.limit = limit
        self.code = code
        self.sentence = sentence


def plain(text: str) -> str:
    """Return a sentence fit for a line; what went wrong may be told in a program's own last words."""
    return "".join([letter if letter.isprintable() else " " for letter in text[:_LONGEST]])


def refuse(
    session: Session,
    message: wire.ClientMessage | wire.Refusal,
    code: str,
    sentence: str,
    now: float | None = None,
    cost: str | None = None,
    why: str | None = None,
) -> None:
    """Answer a line with an error; with `now` given, a code that the table charges is charged.

    cost overrides the table's. A peer that has used up its errors is marked to be dismissed at the end of
    the step.
    """
    row = ERRORS[code]
    verb = message.verb
    game = getattr(message, "game", None)
    request = getattr(message, "request", None)
    error = wire.Error(code, cost or row.cost, sentence, message.tag, verb, game, request, why)
    session.send(error)
    session.counts.errors[code] += 1
    _log(session, game, error)
    if now is None or not row.budget:
        return
    errors = session.errors if session.player is not None else session.early
    if not errors.spend(now):
        session.counts.limits["early_errors" if session.player is None else "error_budget"] += 1
        sentence = "Too many lines that could not be understood; read protocol.md and come again."
        session.condemn("protocol", sentence)
