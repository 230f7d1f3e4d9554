"""The socket in a run's directory: its operator asks, and changes how it is played, while it goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, Protocol, TypeAlias

import msgspec
import trio
from msgspec import Meta, Struct

from tyrusd.host.ladder.refusals import CONTROL
from tyrusd.host.local_socket import (
    LONGEST,
    Door,
    LocalSocketError,
    NobodyThereError,
    SilentError,
    ask_door,
    send_line,
    serve_door,
)

MOST_GAMES: Final = 1024

DOOR: Final = Door(
    CONTROL,
    "tyrusd.ladder",
    "the ladder in {}",
    "no ladder is played in {} now",
)


class _Request(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    pass


class Concurrency(_Request, frozen=True, tag="concurrency"):
    """Play so many games at a time."""

    games: Annotated[int, Meta(ge=1, le=MOST_GAMES)]


class Pause(_Request, frozen=True, tag="pause"):
    """Begin no game."""


class Resume(_Request, frozen=True, tag="resume"):
    """Begin games again."""


class Drop(_Request, frozen=True, tag="drop"):
    """Take a bot out."""

    bot: Annotated[str, Meta(max_length=64)]


class Status(_Request, frozen=True, tag="status"):
    """Tell how the run stands."""


Request: TypeAlias = Concurrency | Pause | Resume | Drop | Status


class ControlError(Exception):
    """The run cannot be asked, or says no; the text is a sentence."""


class NobodyPlays(ControlError):  # noqa: N818 -- what is the case
    """No run is played there now."""


class Controlled(Protocol):
    """What carries requests out."""

    async def carry_out(self, request: Request) -> dict[str, Any]:
        """Return what is to be answered beside `ok`. Raises ControlError for a request that it refuses."""


_decoder = msgspec.json.Decoder(Request)


async def serve_control(
    folder: Path,
    controlled: Controlled,
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Answer requests until cancelled. Raises OSError when the socket cannot be made."""

    async def answering(line: bytes, stream: trio.SocketStream) -> None:
        await send_line(stream, await _answer(line, controlled))

    await serve_door(folder, DOOR, answering, task_status=task_status)


async def _answer(line: bytes, controlled: Controlled) -> dict[str, Any]:
    try:
        if len(line) > LONGEST:
            raise ControlError(f"a request has at most {LONGEST} bytes")
        return {"ok": True, **await controlled.carry_out(_decoder.decode(line))}
    except ControlError as refusal:
        return {"ok": False, "why": str(refusal)}
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return {"ok": False, "why": f"that is no request: {error}"}


def ask(folder: Path, request: Request, patience: float) -> dict[str, Any]:
    """Put a request to the run in a directory; patience: seconds for its answer.

    Raises NobodyPlays, or ControlError with a sentence when it does not answer, or refuses the request.
    """
    try:
        found = next(ask_door(folder, DOOR, msgspec.json.encode(request), patience))
    except NobodyThereError as error:
        raise NobodyPlays(str(error)) from error
    except SilentError as error:
        raise ControlError(
            f"{error}: it may be stopped, or its disk stand still; what was asked may still be carried out"
        ) from error
    except LocalSocketError as error:
        raise ControlError(str(error)) from error
    if not found.get("ok"):
        raise ControlError(str(found.get("why", "the ladder says no")))
    return found
