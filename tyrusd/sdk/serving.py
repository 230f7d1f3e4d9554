"""Plays a bot to the end of its connection, and says in one sentence whose fault a bad end is."""

from __future__ import annotations

import sys
import traceback
from typing import Final, NamedTuple

from tyrusd.sdk.brains import Brain
from tyrusd.sdk.loading import BrokenPlugin, told
from tyrusd.sdk.streams import Stream
from tyrusd.sdk.talk import Garbled, Talk

FAULT_OF_BOT: Final = 70  # EX_SOFTWARE of sysexits.h
FAULT_OF_SERVER: Final = 76  # EX_PROTOCOL


class Fault(NamedTuple):
    """Why a process must end: its exit status, one sentence, and what the bot raised."""

    status: int
    sentence: str
    error: BaseException | None = None

    def print(self, prefix: str) -> None:
        """Tell it on standard error: the traceback of what the bot raised, then the sentence."""
        if self.error is not None:
            traceback.print_exception(self.error)
        sys.stderr.write(f"{prefix}: {self.sentence}\n")


def play(talk: Talk, brain: Brain, stream: Stream, module: str) -> Fault | None:
    """Play until the server or its stream ends; None, or what went wrong."""
    try:
        if brain.awaits:
            # Trio is loaded for those bots only that are written for it.
            from tyrusd.sdk.awaiting import serve

            serve(talk, brain, stream)
        else:
            _serve(talk, stream)
    except Garbled as garbled:
        return Fault(FAULT_OF_SERVER, str(garbled))
    except BrokenPlugin as broken:
        return Fault(FAULT_OF_BOT, broken.reason)
    except (Exception, SystemExit) as error:
        return Fault(FAULT_OF_BOT, f"{module} raised {told(error)}", error)
    return None


def _serve(talk: Talk, stream: Stream) -> None:
    while not talk.finished:
        data = stream.read()
        if not data:
            return
        talk.receive(data)
        answers = talk.answers()
        try:
            stream.write(answers)
        except BrokenPipeError:
            return
