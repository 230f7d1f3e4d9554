"""Encrypted connections of a real server: as good as plain ones, and those who speak no TLS stop nobody."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import ssl
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.host.certificates import Files, issue
from tests.host.daemons import PATIENCE, Daemon, lines_with, login, run, running, wait_until
from tyrusd.host.tls import HANDSHAKES_PER_HOST, CertificateError, server_context


class Place(NamedTuple):
    daemon: Daemon
    plain: tuple[str, int]
    tls: tuple[str, int]
    files: Files
    data: Path

    def join(self, authority: Path | None = None, name: str = "127.0.0.1") -> TlsPeer:
        return TlsPeer(self.tls, authority or self.files.authority, name)


class TlsPeer:
    """One encrypted connection, line by line."""

    def __init__(self, address: tuple[str, int], authority: Path, name: str) -> None:
        plain = socket.create_connection(address, timeout=PATIENCE)
        try:
            self.socket = ssl.create_default_context(cafile=str(authority)).wrap_socket(
                plain, server_hostname=name, suppress_ragged_eofs=False
            )
        except BaseException:
            plain.close()
            raise
        self._file = self.socket.makefile("rb")

    def say(self, *lines: str) -> None:
        self.socket.sendall("".join(f"{line}\n" for line in lines).encode())

    def until(self, first: str) -> str:
        while line := self._file.readline().decode().rstrip("\n"):
            if line.split(" ", 1)[0] == first:
                return line
        raise AssertionError(f"the connection ended before {first} came")

    def rest(self) -> bytes:
        return self._file.read()

    def close(self) -> None:
        self._file.close()
        self.socket.close()

    def __enter__(self) -> TlsPeer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with encrypted(tmp_path) as found:
        yield found


@contextmanager
def encrypted(tmp_path: Path, *more: str) -> Iterator[Place]:
    """A server with an encrypted port."""
    files = issue(tmp_path / "certificates")
    data = tmp_path / "data"
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data), "--tls", "127.0.0.1:0")
    with running(*words, *files.options(), *more) as daemon:
        (plain,) = daemon.addresses()
        word, host, port = daemon.line().split()
        assert word == "tls"
        yield Place(daemon, plain, (host, int(port)), files, data)


def serial(peer: TlsPeer) -> object:
    certificate = peer.socket.getpeercert()
    assert certificate is not None
    return certificate["serialNumber"]


def test_an_encrypted_connection_is_a_connection(place: Place) -> None:
    with place.join() as ada, login(place.plain, "bob", "human") as bob:
        assert ada.until("greeting").startswith("greeting 0.1")
        ada.say("hello 0.1 ada human", "seek")
        ada.until("welcome")
        assert ada.socket.version() in ("TLSv1.2", "TLSv1.3")
        bob.say("seek")
        game = ada.until("start").split()[1]
        bob.say(f"resign {game}")
        assert ada.until("over").startswith(f"over {game}")
        ada.say("quit")
        assert ada.until("bye").startswith("bye bye")
        assert ada.rest() == b""  # a clean end: nobody has cut it off


def test_half_a_goodbye_is_answered(place: Place) -> None:
    with place.join() as ada:
        ada.until("greeting")
        ada.say("hello 0.1 ada human", "quit", *["who"] * 50)
        assert ada.until("bye").startswith("bye bye")


def test_long_answers_arrive_whole(place: Place) -> None:
    with place.join() as ada:
        ada.say("hello 0.1 ada human", *["help"] * 40, "ping done")
        ada.until("welcome")
        assert ada.until("pong") == "pong done"


def test_row_34_a_ban_and_the_caps_hold_for_encrypted_connections_too(place: Place) -> None:
    with place.join() as ada:
        ada.until("greeting")
        assert run("admin", "ban", "127.0.0.1", "--data", str(place.data)).returncode == 0
        assert ada.until("bye").startswith("bye kicked")
    # From now on no handshake is made for this host, which would be dear: it is closed at once.
    with pytest.raises((ssl.SSLError, OSError)):
        place.join()
    with socket.create_connection(place.tls, timeout=PATIENCE) as plain, contextlib.suppress(OSError):
        assert plain.recv(4096) == b""
    place.daemon.signal(signal.SIGTERM)
    code, _, err = place.daemon.end()
    assert code == 0 and "127.0.0.1 was closed before it was encrypted: this host may not connect now" in err


@pytest.mark.parametrize(
    "data", [b"hello 0.1 ada human\n", b"GET / HTTP/1.1\r\n\r\n", b"\x00" * 64, b"\x16\x03"]
)
def test_row_33_a_plain_client_is_closed_and_logged(place: Place, data: bytes) -> None:
    with socket.create_connection(place.tls, timeout=PATIENCE) as plain:
        plain.sendall(data)
        plain.shutdown(socket.SHUT_WR)
        try:
            while plain.recv(4096):
                pass
        except ConnectionResetError:
            pass
    with place.join() as ada:
        ada.until("greeting")
    place.daemon.signal(signal.SIGTERM)
    code, _, err = place.daemon.end()
    assert code == 0
    assert len(lines_with(err, "was closed before it was encrypted")) == 1
    assert "Traceback" not in err


def test_row_33_silent_clients_block_nobody_and_the_log_is_not_flooded(place: Place) -> None:
    silent = [socket.create_connection(place.tls, timeout=PATIENCE) for _ in range(HANDSHAKES_PER_HOST - 1)]
    with place.join() as ada:
        ada.until("greeting")
    for one in silent:
        one.close()
    for _ in range(100):
        with socket.create_connection(place.tls, timeout=PATIENCE) as plain:
            plain.sendall(b"no\n\n\n\n\n\n")

    def there() -> bool:
        with place.join() as peer:
            return peer.until("greeting") != ""

    wait_until(there)
    place.daemon.signal(signal.SIGTERM)
    code, _, err = place.daemon.end()
    assert code == 0
    assert len(lines_with(err, "before it was encrypted")) <= 40


def timer(server: tuple[str, int], client: socket.socket) -> str:
    """Which timer the system runs for the server's end of a connection: 02 is the one that keeps it alive."""
    ends = [f"0100007F:{port:04X}" for port in (server[1], client.getsockname()[1])]
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
    # While others come and go the system may list a connection twice.
    found = [row for row in rows if row[1:3] == ends]
    return found[-1][5].partition(":")[0]


def test_f040_a_machine_that_vanishes_is_noticed_by_the_system(place: Place) -> None:
    """thelounge/thelounge#255: who vanished without a word stayed connected for ever."""
    with place.join() as ada, login(place.plain, "bob", "human") as bob:
        ada.until("greeting")
        wait_until(lambda: timer(place.tls, ada.socket) == "02")
        wait_until(lambda: timer(place.plain, bob.socket) == "02")
    listener = socket.create_server(("127.0.0.1", 0))
    with listener, socket.create_connection(listener.getsockname()) as plain:
        accepted, _ = listener.accept()
        with accepted:
            assert timer(listener.getsockname(), plain) == "00"  # control: nobody asks after this one


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Place]:
    """A server for which this machine is a host like any other."""
    file = tmp_path / "strict.toml"
    file.write_text('[limits]\nopen-hosts = ["pipe"]\n', "utf-8")
    with encrypted(tmp_path, "--config", str(file)) as found:
        yield found


def test_handshakes_of_one_host_are_bounded_but_not_those_of_this_machine(place: Place) -> None:
    silent = [socket.create_connection(place.tls, timeout=PATIENCE) for _ in range(HANDSHAKES_PER_HOST + 3)]
    with place.join() as peer:
        assert peer.until("greeting")
    for one in silent:
        one.close()


def test_handshakes_of_one_host_are_bounded(strict: Place) -> None:
    place = strict
    silent = [socket.create_connection(place.tls, timeout=PATIENCE) for _ in range(HANDSHAKES_PER_HOST)]
    with socket.create_connection(place.tls, timeout=PATIENCE) as late:
        assert late.recv(1) == b""
    for one in silent:
        one.close()

    def there() -> bool:
        try:
            with place.join() as peer:
                return peer.until("greeting") != ""
        except OSError:
            return False

    wait_until(there)


def test_row_55_certificates_are_read_again_at_hup(place: Place) -> None:
    with place.join() as old:
        old.until("greeting")
        first = serial(old)
        newer = issue(place.files.certificate.parent)

        def renewed() -> bool:
            try:
                with place.join() as peer:
                    return serial(peer) != first
            except ssl.SSLCertVerificationError:
                return False

        place.daemon.signal(signal.SIGHUP)
        wait_until(renewed)
        old.say("hello 0.1 ada human")
        assert old.until("welcome").startswith("welcome ada")  # what is open stays open
    with place.join() as peer:
        second = serial(peer)
    newer.certificate.write_text("no certificate")
    told = run("admin", "reload", "--data", str(place.data))
    assert told.returncode == 1 and "stays as it was" in told.stderr
    with place.join() as peer:
        assert serial(peer) == second
    place.daemon.signal(signal.SIGTERM)
    _, _, err = place.daemon.end()
    (line,) = lines_with(err, "the certificate stays as it was")
    assert str(newer.certificate) in line
    assert len(lines_with(err, "the certificate is read again")) == 1


def test_clients_refuse_a_stranger_s_certificate_and_the_server_goes_on(place: Place, tmp_path: Path) -> None:
    other = issue(tmp_path / "other")
    with pytest.raises(ssl.SSLCertVerificationError):
        place.join(other.authority)
    with pytest.raises(ssl.SSLCertVerificationError):
        place.join(name="club.example")
    with place.join() as ada:
        ada.until("greeting")


def test_row_62_connections_of_every_end_give_their_descriptors_back(tmp_path: Path) -> None:
    files = issue(tmp_path / "certificates")
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path / "data"))
    ports = ("--tls", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
    with running(*words, *ports, *files.options()) as daemon:
        (plain,) = daemon.addresses()
        _, host, port = daemon.line().split()
        url = daemon.line().removeprefix("metrics ")
        place = Place(daemon, plain, (host, int(port)), files, tmp_path)

        def open_files() -> float:
            with urllib.request.urlopen(url, timeout=PATIENCE) as page:
                found = re.search(r"^process_open_fds (\S+)$", page.read().decode(), re.MULTILINE)
            assert found is not None
            return float(found[1])

        def come_and_go() -> None:
            for number in range(10):
                with place.join() as peer:
                    peer.say(f"hello 0.1 ada{number} human", "quit")
                    peer.until("bye")
                with place.join() as peer:
                    peer.until("greeting")  # and away without a word
                with socket.create_connection(place.tls, timeout=PATIENCE) as peer_without:
                    peer_without.sendall(b"no TLS at all\n\n\n")

        come_and_go()
        wait_until(lambda: open_files() < 40)
        before = open_files()
        come_and_go()
        wait_until(lambda: open_files() <= before)
        with urllib.request.urlopen(url, timeout=PATIENCE) as page:
            assert b"tyrusd_tls_failures_total 20.0" in page.read()


def test_what_cannot_be_used_is_told_before_anything_is_opened(tmp_path: Path) -> None:
    good, other = issue(tmp_path / "good"), issue(tmp_path / "other")
    words = ("serve", "--port", "0", "--data", str(tmp_path / "data"), "--tls", "127.0.0.1:0")

    def told(*more: str) -> str:
        done = run(*words, *more)
        assert done.returncode == 2 and done.stdout == ""
        assert not (tmp_path / "data").exists()
        return done.stderr

    assert "tls.certificate and tls.key as well" in told()
    assert "cannot be read: No such file" in told("--tls-cert", "nothing.pem", "--tls-key", str(good.key))
    mixed = told("--tls-cert", str(good.certificate), "--tls-key", str(other.key))
    assert "cannot be used" in mixed and str(other.key) in mixed
    swapped = told("--tls-cert", str(good.key), "--tls-key", str(good.certificate))
    assert "in PEM" in swapped


def test_a_key_with_a_password_is_refused_without_asking(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives import serialization

    files = issue(tmp_path / "files")
    key = serialization.load_pem_private_key(files.key.read_bytes(), None)
    files.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"secret"),
        )
    )
    with pytest.raises(CertificateError, match="without a password"):
        server_context(files.certificate, files.key)
