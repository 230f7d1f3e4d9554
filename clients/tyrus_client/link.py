"""Carries a session over the network: passes messages and typed lines on, and resumes after a break."""

import os
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Final, Protocol

import trio

from tyrus_client.address import Address
from tyrus_client.pauses import PAUSES, Pauses
from tyrus_client.session import DONE, Session
from tyrusd.wire.connection import Connection, Role

CONNECT_SECONDS: Final = 10.0
GREETING_SECONDS: Final = 10.0
GOODBYE_SECONDS: Final = 5.0
_CHUNK: Final = 65536


class UnreachableError(Exception):
    """No connection to the server could be made; the argument says why, in a few words."""


class Lines(Protocol):
    """Where typed lines come from."""

    async def read_line(self) -> str | None:
        """Return the next line without its end, None when there are no more."""


Show = Callable[[Iterable[str]], None]
Dial = Callable[[], Awaitable[trio.abc.Stream]]


async def connect(address: Address) -> trio.abc.Stream:
    """Return a connection to the server; UnreachableError when there is none to be had, and why.

    A secure one is to a server whose certificate is valid for the host; the file that the environment names
    as SSL_CERT_FILE takes the place of the authorities that this machine trusts.
    """
    with trio.move_on_after(CONNECT_SECONDS):
        try:
            stream = await trio.open_tcp_stream(address.host, address.port)
            return await _encrypted(stream, address.host) if address.secure else stream
        except OSError as error:
            raise UnreachableError(_why(error)) from error
        except UnicodeError as error:
            raise UnreachableError("that is no name of a host") from error
    raise UnreachableError(f"no answer in {CONNECT_SECONDS:.0f} seconds")


async def _encrypted(plain: trio.SocketStream, host: str) -> trio.abc.Stream:
    import ssl  # only who wants it waits for it

    stream = trio.SSLStream(plain, ssl.create_default_context(), server_hostname=host)
    try:
        await stream.do_handshake()
    except trio.BrokenResourceError as error:
        await trio.aclose_forcefully(plain)
        cause = error.__cause__
        if isinstance(cause, ssl.SSLCertVerificationError):
            raise UnreachableError(f"its certificate is not trusted: {cause.verify_message}") from error
        raise UnreachableError("it does not speak TLS there") from error
    except BaseException:
        await trio.aclose_forcefully(plain)
        raise
    return stream


def _why(error: OSError) -> str:
    # Trio sums up its attempts, one for each address of the host; the first says it best.
    first = error.__cause__.exceptions[0] if isinstance(error.__cause__, BaseExceptionGroup) else error
    if isinstance(first, OSError) and first.errno is not None and first.errno > 0:
        return os.strerror(first.errno)
    return error.strerror or str(error)


class Link:
    """One session on its way through one connection, or several when one breaks."""

    def __init__(self, session: Session, dial: Dial, lines: Lines, show: Show) -> None:
        self._session = session
        self._dial = dial
        self._lines = lines
        self._show = show
        self._pauses = Pauses()
        self._stream: trio.abc.Stream | None = None
        # Two tasks have something to send: the one that listens and the one that reads what is typed.
        self._sending = trio.Lock()
        self._quitting = trio.Event()

    async def run(self) -> int:
        """Connect, and stay until the session is over; return its exit status.

        UnreachableError when the first connection cannot be made.
        """
        stream = await self._dial()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._pass_on_typed, nursery.cancel_scope)
            await self._stay(stream)
            nursery.cancel_scope.cancel()
        await self._flush()
        return DONE if self._session.status is None else self._session.status

    async def _stay(self, stream: trio.abc.Stream) -> None:
        while True:
            await self._listen(stream)
            if not self._session.broken():
                return
            again = await self._dial_again()
            if again is None:
                self._session.give_up()
                return
            stream = again

    async def _dial_again(self) -> trio.abc.Stream | None:
        """Try to connect until it succeeds, with growing pauses; None when it has taken too long."""
        why, told = None, 0.0
        while (pause := self._pauses.next(trio.current_time())) is not None:
            if pause != told:
                self._session.waiting(pause, why, last=pause == PAUSES[-1])
                told = pause
            await self._flush()
            await trio.sleep(pause)
            try:
                return await self._dial()
            except UnreachableError as error:
                why = str(error)
        return None

    async def _listen(self, stream: trio.abc.Stream) -> None:
        """Pass on what the server sends until the session or the stream is over."""
        connection = Connection(Role.CLIENT)
        async with stream:
            self._stream = stream
            welcomed = False
            while self._session.status is None and not self._session.turned_away and not connection.dead:
                data = await self._receive(stream)
                if not data:
                    break
                for message in connection.receive(data):
                    self._session.hear(message)
                if self._session.welcomed and not welcomed:
                    welcomed = True
                    self._pauses.back(trio.current_time())
                await self._flush()
            self._stream = None

    async def _receive(self, stream: trio.abc.Stream) -> bytes:
        patience = float("inf") if self._session.greeted else GREETING_SECONDS
        with trio.move_on_after(patience):
            try:
                return bytes(await stream.receive_some(_CHUNK))
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return b""
        return b""

    async def _pass_on_typed(self, everything: trio.CancelScope) -> None:
        line: str | None = ""
        while line is not None and not self._session.leaving:
            line = await self._lines.read_line()
            self._session.type(line)
            await self._flush()
            if self._session.status is not None:
                everything.cancel()  # the person has left while there was no connection
        # If the input ended before the welcome, the session says quit only after it.
        await self._quitting.wait()
        await trio.sleep(GOODBYE_SECONDS)
        everything.cancel()  # the server has not said goodbye, so it is not waited for

    async def _flush(self) -> None:
        lines, messages = self._session.take()
        self._show(lines)
        if self._session.leaving:
            self._quitting.set()
        if not messages or self._stream is None:
            return
        connection = Connection(Role.CLIENT)
        data = b"".join(connection.encode(message) for message in messages)
        async with self._sending:
            # Whoever listens to a broken stream finds out too, and knows what to do.
            with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await self._stream.send_all(data)
