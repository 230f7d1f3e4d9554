"""The verb `check`: the conformance run over a connection of the lobby (protocol.md#checking)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tyrusd.core.conformance import STEPS, Result, Run, Setting, Verdict, Where
from tyrusd.core.conformance.items import Done, End, Open, Write
from tyrusd.core.failures import Refused
from tyrusd.wire import LIMITS, PROTOCOL_VERSION
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.player import Player
    from tyrusd.core.server import Server
    from tyrusd.core.session import Session

_SHOWN: Final = 160  # characters of a line that is quoted
_LONGEST: Final = LIMITS["text"].value
_OF_GAMES: Final = (wire.Place, wire.Resign, wire.Look)


class Check:
    """One run over one session; the server hands on what the bot says and wakes it at its deadline."""

    __slots__ = ("_late", "_run", "_server", "_session")

    def __init__(self, server: Server, session: Session, player: Player, now: float) -> None:
        setting = Setting(
            Where.LOBBY, player.name, server.new_check_id, server.secret, server.settings.server, settle=0.02
        )
        self._server = server
        self._session = session
        self._late = 0.0  # seconds for which the server itself stood still
        self._run = Run(setting, STEPS, now)
        hello = wire.Hello(
            version=PROTOCOL_VERSION, name=player.name, kind="bot", games=player.games, want=player.want
        )
        self._run.join(hello, session.transport.codec)

    def start(self, now: float) -> None:
        """Begin with the first step."""
        self._run.start(now)
        self._follow(now)

    def owes(self, item: wire.Message | wire.Refusal) -> bool:
        """Tell whether a line answers an open request of the check; such lines cost no rate."""
        return type(item) is wire.Place and self._run.owes(item)

    def take(self, item: wire.Message | wire.Refusal, now: float) -> bool:
        """Take what the bot has said; False if the server has to answer it as always."""
        if isinstance(item, _OF_GAMES):
            ours = item.game.startswith("c")
        else:
            ours = isinstance(item, wire.Pong | wire.Refusal)
        if ours:
            self._run.take(item, now - self._late)
            self._follow(now)
        # What is no line of the protocol fails a step, and is refused as anywhere.
        return ours and not isinstance(item, wire.Refusal)

    def credit(self, seconds: float) -> None:
        """The server stood still; the bot does not pay for that."""
        self._late += seconds

    def _tick(self, now: float) -> None:
        if self._session.check is self:
            self._run.tick(now - self._late)
            self._follow(now)

    def _follow(self, now: float) -> None:
        session, timers = self._session, self._server.timers
        for action in self._run.actions():
            match action:
                case Write(data):
                    session.write(data)
                case Done(result):
                    session.send(checked_message(result))
                case Open() | End():
                    raise AssertionError("a step without a connection of its own opens or ends one")
        deadline = self._run.deadline()
        if deadline is None:
            session.check = None
            timers.clear(("check", session.number))
        else:
            timers.set(("check", session.number), deadline + self._late, self._tick)


def begin(server: Server, session: Session, player: Player, message: wire.Check, now: float) -> None:
    """Answer the verb and begin; raises Refused when the player cannot be checked now."""
    if player.kind != "bot":
        raise Refused("unavailable", "A check is for bots: say hello with the kind bot.")
    if session.check is not None:
        raise Refused("unavailable", "A check is running already.")
    if player.seats:
        raise Refused("unavailable", "You are in a game; finish it first.")
    session.send(wire.Ok(message.tag, message.verb))
    session.check = Check(server, session, player, now)
    session.check.start(now)


def checked_message(result: Result) -> wire.Checked:
    """The line that tells what came of a step."""
    step = result.step
    sentence = result.sentence or f"As expected: {step.expects}."
    if result.verdict is Verdict.FAILED:
        sent = f"Sent: {result.sent[-1][:_SHOWN]} " if result.sent else ""
        came = f"Came: {result.came[-1][:_SHOWN]} " if result.came else "Nothing came. "
        sentence = f"{sentence}. {sent}{came}Expected: {step.expects}."
    text = "".join([letter if letter.isprintable() else " " for letter in sentence])
    text = text.encode("utf-8")[:_LONGEST].decode("utf-8", "ignore")
    return wire.Checked(step.number, step.name, result.verdict.value, text, step.section, len(STEPS))
