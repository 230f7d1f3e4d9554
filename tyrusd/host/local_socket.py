"""A socket in a directory over which its owner asks a running process: one line of JSON, lines back."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import stat
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
import trio

from tyrusd.host.met import met

LONGEST: Final = 4096  # bytes of a request
LONGEST_ANSWER: Final = 16 << 20
PATIENCE: Final = 10.0  # seconds for a request to come, and for each line of its answer to be taken
CALLERS: Final = 16  # at once
LONGEST_PATH: Final = 107  # bytes, on Linux

_BACKLOG: Final = 64


class Door(NamedTuple):
    """Whose socket it is: its file, its log, and what is said of it, with {} for the directory."""

    file: str
    log: str
    whom: str
    nobody: str


class LocalSocketError(Exception):
    """Nobody can be asked; the text is a sentence."""


class NobodyThereError(LocalSocketError):
    """Nobody serves the directory."""


class SilentError(LocalSocketError):
    """Whoever serves it does not answer in time."""


Answering: TypeAlias = Callable[[bytes, trio.SocketStream], Awaitable[None]]
"""Gets the line, without its end and perhaps longer than LONGEST, and sends the answers."""


async def serve_door(
    folder: Path,
    door: Door,
    answering: Answering,
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Answer requests until cancelled; whoever calls it holds the lock of the directory.

    Raises OSError when the socket cannot be made.
    """
    listener = open_door(folder, door)
    task_status.started()
    await serve_open_door(listener, folder, door, answering)


def open_door(folder: Path, door: Door) -> socket.socket:
    """Make the socket, which only its owner can open, and let callers wait; raises OSError."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with short_path(folder, door.file) as path:
            path.unlink(missing_ok=True)  # of a process that was killed: the lock says that this one is alone
            _bind(listener, str(path))
            path.chmod(stat.S_IRUSR | stat.S_IWUSR)
            listener.listen(_BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


async def serve_open_door(listener: socket.socket, folder: Path, door: Door, answering: Answering) -> None:
    """Answer those who come to an open door until cancelled, then remove it."""
    try:
        with listener:
            await _accept(trio.socket.from_stdlib_socket(listener), answering, door)
    finally:
        with contextlib.suppress(OSError), short_path(folder, door.file) as path:
            path.unlink(missing_ok=True)


async def send_line(stream: trio.SocketStream, answer: Mapping[str, Any]) -> bool:
    """Send one line of an answer; False if its reader is gone, or does not take it in time."""
    with (
        contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError),
        trio.move_on_after(PATIENCE) as limit,
    ):
        await stream.send_all(msgspec.json.encode(answer) + b"\n")
        return True
    if limit.cancelled_caught:
        met("console_time")
    return False


def _bind(listener: socket.socket, address: str) -> None:
    listener.bind(address)


async def _accept(listener: trio.socket.SocketType, answering: Answering, door: Door) -> None:
    callers = trio.Semaphore(CALLERS)
    async with trio.open_nursery() as nursery:
        while True:
            if not callers.value:
                met("console_callers")
            await callers.acquire()  # the others wait outside, until those have been silent for too long
            try:
                caller, _ = await listener.accept()
            except OSError as error:  # such as too many open files: it is no reason to end
                logging.getLogger(door.log).warning(
                    "a caller of %s cannot be let in: %s", door.file, error.strerror
                )
                callers.release()
                await trio.sleep(1)
                continue
            nursery.start_soon(_serve, trio.SocketStream(caller), answering, callers)


async def _serve(stream: trio.SocketStream, answering: Answering, callers: trio.Semaphore) -> None:
    try:
        async with stream:
            with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                with trio.move_on_after(PATIENCE) as limit:
                    line = await _line(stream)
                if limit.cancelled_caught:
                    met("console_time")
                else:
                    await answering(line, stream)
    finally:
        callers.release()


async def _line(stream: trio.SocketStream) -> bytes:
    data = b""
    while b"\n" not in data and len(data) <= LONGEST:
        more = await stream.receive_some(LONGEST)
        if not more:
            break
        data += more
    line = data.partition(b"\n")[0]
    if len(line) > LONGEST:
        met("console_request")
    return line


def ask_door(
    folder: Path, door: Door, request: bytes, patience: float
) -> Generator[dict[str, Any], None, None]:
    """Put a request to whoever serves a directory; yield the lines of the answer.

    patience: seconds for the first line; later ones are waited for. Raises LocalSocketError with a sentence
    when nobody is there, or the answer is none.
    """
    folder = folder.absolute()
    whom = door.whom.format(folder)
    try:
        with short_path(folder, door.file) as path, socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(patience)
            caller.connect(str(path))
            caller.sendall(request + b"\n")
            with caller.makefile("rb") as answers:
                line = answers.readline(LONGEST_ANSWER)
                yield _decoded(line, whom)
                caller.settimeout(None)
                while line := answers.readline(LONGEST_ANSWER):
                    yield _decoded(line, whom)
    except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
        raise NobodyThereError(door.nobody.format(folder)) from None
    except PermissionError:
        raise LocalSocketError(f"{whom} is somebody else's: only they can ask it") from None
    except TimeoutError:
        raise SilentError(f"{whom} did not answer within {patience:g} s") from None
    except OSError as error:
        raise LocalSocketError(f"{whom} cannot be asked: {error.strerror or error}") from error


def _decoded(line: bytes, whom: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.DecodeError:
        raise LocalSocketError(f"{whom} ended before it had answered") from None
    return found


@contextmanager
def short_path(folder: Path, file: str) -> Iterator[Path]:
    """A path of a socket that fits into the address of one."""
    path = folder / file
    if len(os.fsencode(path)) <= LONGEST_PATH:
        yield path
        return
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield Path(f"/proc/self/fd/{descriptor}") / file
    finally:
        os.close(descriptor)
