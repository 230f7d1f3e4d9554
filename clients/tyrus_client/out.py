"""Collects what the client has to show and to send until somebody takes it."""

from collections.abc import Iterable

from tyrusd.screen.clean import printable
from tyrusd.screen.lines import fitted
from tyrusd.screen.texts import Texts
from tyrusd.wire import messages as wire


class Out:
    """Lines for the person and messages for the server, in the order in which they came up."""

    __slots__ = ("_lines", "_messages", "texts")

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._lines: list[str] = []
        self._messages: list[wire.ClientMessage] = []

    def say(self, code: str, **facts: object) -> None:
        """Show the sentence of that code."""
        self.show(self.texts.say(code, **facts))

    def show(self, *lines: str) -> None:
        """Show these lines as they are."""
        self._lines.extend(lines)

    def send(self, message: wire.ClientMessage) -> None:
        """Send this message."""
        self._messages.append(message)

    def take(self) -> tuple[list[str], list[wire.ClientMessage]]:
        """Return the lines (clean, at most 79 characters) and the messages, each once."""
        lines = fitted(_clean(self._lines))
        messages = self._messages
        self._lines, self._messages = [], []
        return lines, messages


def _clean(lines: Iterable[str]) -> Iterable[str]:
    # Every line passes here, whoever its words are from: no other place needs to think of it.
    return (printable(line) for line in lines)
