"""The socket in a run's directory: its operator asks, and changes how it is played, while it goes on."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, Protocol, TypeAlias

import msgspec
import trio
from msgspec import Meta, Struct

from tyrusd.host.ladder.refusals import CONTROL

MOST_GAMES: Final = 1024
LONGEST: Final = 4096  # bytes of a request
LONGEST_ANSWER: Final = 16 << 20
PATIENCE: Final = 10.0  # seconds for a request to come, and for its answer to be taken
CALLERS: Final = 8  # at once
_LONGEST_PATH: Final = 107  # bytes, on Linux

_BACKLOG: Final = 64

_log = logging.getLogger("tyrusd.ladder")


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
    with _short(folder) as path:
        path.unlink(missing_ok=True)  # of a run that was killed: the lock says that this one is alone
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            _bind(listener, str(path))
            try:
                path.chmod(stat.S_IRUSR | stat.S_IWUSR)
                listener.listen(_BACKLOG)
                task_status.started()
                await _accept(trio.socket.from_stdlib_socket(listener), controlled)
            finally:
                path.unlink(missing_ok=True)


def _bind(listener: socket.socket, address: str) -> None:
    listener.bind(address)


async def _accept(listener: trio.socket.SocketType, controlled: Controlled) -> None:
    callers = trio.Semaphore(CALLERS)
    async with trio.open_nursery() as nursery:
        while True:
            await callers.acquire()  # the others wait outside, until those have been silent for too long
            try:
                caller, _ = await listener.accept()
            except OSError as error:  # such as too many open files: it is no reason to end a run
                _log.warning("a caller of the control socket cannot be let in: %s", error.strerror)
                callers.release()
                await trio.sleep(1)
                continue
            nursery.start_soon(_serve, trio.SocketStream(caller), controlled, callers)


async def _serve(stream: trio.SocketStream, controlled: Controlled, callers: trio.Semaphore) -> None:
    try:
        await _converse(stream, controlled)
    finally:
        callers.release()


async def _converse(stream: trio.SocketStream, controlled: Controlled) -> None:
    async with stream:
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            with trio.move_on_after(PATIENCE) as limit:
                line = await _line(stream)
            if limit.cancelled_caught:
                return
            answer = await _answer(line, controlled)
            with trio.move_on_after(PATIENCE):
                await stream.send_all(msgspec.json.encode(answer) + b"\n")


async def _line(stream: trio.SocketStream) -> bytes:
    data = b""
    while b"\n" not in data and len(data) <= LONGEST:
        more = await stream.receive_some(LONGEST)
        if not more:
            break
        data += more
    return data.partition(b"\n")[0]


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

    Raises ControlError with a sentence when nobody plays there, or the request is refused.
    """
    folder = folder.absolute()
    try:
        with _short(folder) as path, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
            caller.settimeout(patience)
            caller.connect(str(path))
            caller.sendall(msgspec.json.encode(request) + b"\n")
            answer = _all(caller)
    except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
        raise ControlError(f"no ladder is played in {folder} now: `tyrusd ladder` begins one") from None
    except PermissionError:
        raise ControlError(f"the ladder in {folder} is somebody else's: only they can ask it") from None
    except TimeoutError:
        raise ControlError(f"the ladder in {folder} did not answer within {patience:g} s") from None
    except OSError as error:
        raise ControlError(f"the ladder in {folder} cannot be asked: {error.strerror or error}") from error
    try:
        found: dict[str, Any] = msgspec.json.decode(answer, type=dict[str, Any])
    except msgspec.DecodeError:
        raise ControlError(f"the ladder in {folder} ended before it had answered") from None
    if not found.get("ok"):
        raise ControlError(str(found.get("why", "the ladder says no")))
    return found


def _all(caller: socket.socket) -> bytes:
    data = bytearray()
    while len(data) < LONGEST_ANSWER and (more := caller.recv(65536)):
        data += more
    return bytes(data)


@contextmanager
def _short(folder: Path) -> Iterator[Path]:
    """A path of the control socket that fits into the address of a socket."""
    path = folder / CONTROL
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield path
        return
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield Path(f"/proc/self/fd/{descriptor}") / CONTROL
    finally:
        os.close(descriptor)
