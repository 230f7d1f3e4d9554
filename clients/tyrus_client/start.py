"""Runs the client on the standard streams, and turns every way to end into an exit status."""

import io
import os
import sys
from collections.abc import Iterable
from typing import Final

import trio

from tyrus_client.address import Address
from tyrus_client.link import Link, UnreachableError, connect
from tyrus_client.reader import LineReader
from tyrus_client.session import FAILED, Session
from tyrus_client.wishes import Wishes
from tyrusd.screen.clean import printable
from tyrusd.screen.texts import LANGUAGES

INTERRUPTED: Final = 130  # 128 and the number of SIGINT, as shells have it
_STDIN: Final = 0


def start(address: Address, wishes: Wishes) -> int:
    """Play at the server of that address until the person or the server ends it; return the exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name may hold what the terminal's character set has not.
        sys.stdout.reconfigure(errors="replace")
    texts = LANGUAGES["en"]
    status = FAILED

    async def dial() -> trio.abc.Stream:
        return await connect(address)

    try:
        status = trio.run(Link(Session(wishes, texts), dial, LineReader(_STDIN), _show).run)
    except* KeyboardInterrupt:
        status = INTERRUPTED
    except* BrokenPipeError:
        # Nobody reads any more. What is left in the buffer must not be tried once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except* UnreachableError as errors:
        why = printable(str(errors.exceptions[0]))
        _complain(texts.say("link.unreachable", address=address, why=why))
    return status


def _show(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)  # noqa: T201 - this is what the client is for
    sys.stdout.flush()


def _complain(sentence: str) -> None:
    print(sentence, file=sys.stderr)  # noqa: T201 - the one thing there is to say
