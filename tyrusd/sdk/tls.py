"""An encrypted connection of a bot: one thread may read while another one writes."""

from __future__ import annotations

import socket
import ssl
import threading

from tyrusd.sdk.streams import READ_SIZE, READS_A_ROUND
from tyrusd.sdk.tcp import Link


class SecureLink(Link):
    """A TCP connection whose bytes are encrypted here.

    The state of the encryption is not for two threads at a time, and waiting for the network is not for
    while it is held: so it works on buffers in memory.
    """

    def __init__(self, connected: socket.socket, host: str) -> None:
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        # The file that the environment names as SSL_CERT_FILE takes the place of the machine's authorities.
        context = ssl.create_default_context()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=host)
        self._state = threading.Lock()
        patience = connected.gettimeout()
        super().__init__(connected)
        connected.settimeout(patience)
        self._shake_hands()
        connected.settimeout(self._silence)

    def _shake_hands(self) -> None:
        """Do the handshake; ssl.SSLError, an OSError, tells what is wrong with the other side."""
        while True:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                self._send_encrypted()
                more = self._socket.recv(READ_SIZE)
                if not more:
                    raise ConnectionResetError("it ended the connection instead of a handshake") from None
                self._incoming.write(more)
            else:
                self._send_encrypted()
                return

    def read(self) -> bytes:
        """Wait for bytes and return all that are there; none when the connection has ended or broken."""
        chunks = [self._receive()]
        # That the network has more does not mean that there is more to read: it may be of the protocol.
        with self._state:
            while chunks[-1] and len(chunks) < READS_A_ROUND:
                try:
                    chunks.append(self._tls.read(READ_SIZE))
                except ssl.SSLError:
                    break  # also when nothing is left; what is wrong is met again by the next round
        return b"".join(chunks)

    def _receive_some(self) -> bytes:
        while True:
            with self._state:
                try:
                    return self._tls.read(READ_SIZE)
                except ssl.SSLWantReadError:
                    pass
                except ssl.SSLError:
                    return b""  # the other side has ended it, or somebody has cut it off
            self._answer()
            more = self._socket.recv(READ_SIZE)
            with self._state:
                if more:
                    self._incoming.write(more)
                else:
                    self._incoming.write_eof()

    def _send_some(self, data: bytes) -> None:
        with self._state:
            try:
                self._tls.write(data)
            except ssl.SSLError as error:
                raise BrokenPipeError(str(error)) from error
        self._send_encrypted()

    def _send_encrypted(self) -> None:
        while True:
            with self._state:
                data = self._outgoing.read()
            if not data:
                return
            self._socket.sendall(data)

    def _answer(self) -> None:
        """Send what the protocol itself has to say.

        Who writes just now sends it as well; to wait for that one could be for ever, if the other side reads
        nothing before we do.
        """
        if self._outgoing.pending and self._sending.acquire(blocking=False):
            try:
                self._send_encrypted()
            finally:
                self._sending.release()


def encrypted(connected: socket.socket, host: str) -> SecureLink:
    """Encrypt a connection to a server whose certificate is valid for the host; OSError says why not."""
    return SecureLink(connected, host)
