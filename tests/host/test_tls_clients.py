"""`tyrus` and `tyrus-bot` over encrypted connections: certificates are checked, and games are played."""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.host.certificates import Files, issue
from tests.host.daemons import PATIENCE, ROOT, run, running
from tyrusd.host.tls import server_context
from tyrusd.sdk import tls
from tyrusd.sdk.tcp import read_address


class Place(NamedTuple):
    address: str
    files: Files
    data: Path


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    files = issue(tmp_path / "certificates")
    data = tmp_path / "data"
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data), "--tls", "127.0.0.1:0")
    with running(*words, *files.options()) as daemon:
        daemon.addresses()
        _, host, port = daemon.line().split()
        yield Place(f"tls://{host}:{port}", files, data)


def started(words: list[str], authority: Path) -> subprocess.Popen[str]:
    program = Path(sys.executable).with_name(words[0])
    return subprocess.Popen(
        [str(program), *words[1:]],
        env={**os.environ, "PYTHONPATH": str(ROOT), "SSL_CERT_FILE": str(authority)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def bot(place: Place, name: str, authority: Path | None = None) -> subprocess.Popen[str]:
    words = ["tyrus-bot", "tyrusd_bundled.random_bot", "--connect", place.address, "--name", name, "--once"]
    return started(words, authority or place.files.authority)


def test_two_bots_play_a_game(place: Place) -> None:
    bots = [bot(place, name) for name in ("ada", "bob")]
    for one in bots:
        _, err = one.communicate(timeout=60)
        assert one.returncode == 0, err
    done = run("export", str(place.data / "journal.tyrus"), "--json")
    assert '"reason"' in done.stdout and "ada" in done.stdout and "bob" in done.stdout


def test_a_person_comes_and_goes(place: Place) -> None:
    person = started(["tyrus", place.address, "--name", "cleo"], place.files.authority)
    out, err = person.communicate("who\nquit\n", timeout=PATIENCE * 2)
    assert (person.returncode, err) == (0, "")
    assert "greedy" in out and "Goodbye." in out


def test_a_stranger_s_certificate_is_refused_by_both(place: Place, tmp_path: Path) -> None:
    other = issue(tmp_path / "other").authority
    one = bot(place, "ada", other)
    _, err = one.communicate(timeout=PATIENCE * 2)
    assert one.returncode == 1
    assert "cannot be reached" in err and "certificate" in err.lower()
    person = started(["tyrus", place.address], other)
    _, err = person.communicate("", timeout=PATIENCE * 2)
    assert person.returncode == 1
    assert "its certificate is not trusted" in err


def test_a_certificate_for_another_host_is_refused(tmp_path: Path) -> None:
    files = issue(tmp_path / "certificates", "club.example")
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path / "data"))
    with running(*words, "--tls", "127.0.0.1:0", *files.options()) as daemon:
        daemon.addresses()
        _, host, port = daemon.line().split()
        person = started(["tyrus", f"tls://{host}:{port}"], files.authority)
        _, err = person.communicate("", timeout=PATIENCE * 2)
        assert person.returncode == 1
        assert "its certificate is not trusted" in err


def test_a_plain_port_is_no_encrypted_one(tmp_path: Path) -> None:
    files = issue(tmp_path / "certificates")
    with running("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path / "data")) as daemon:
        ((host, port),) = daemon.addresses()
        person = started(["tyrus", f"tls://{host}:{port}"], files.authority)
        _, err = person.communicate("", timeout=PATIENCE * 2)
        assert person.returncode == 1 and "does not speak TLS" in err
        place = Place(f"tls://{host}:{port}", files, tmp_path)
        one = bot(place, "ada")
        _, err = one.communicate(timeout=PATIENCE * 2)
        assert one.returncode == 1 and "cannot be reached" in err


# -- the bot's own end ------------------------------------------------------------------------------------


def test_one_thread_reads_while_another_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = issue(tmp_path / "certificates")
    monkeypatch.setenv("SSL_CERT_FILE", str(files.authority))
    ours, theirs = socket.socketpair()
    ours.settimeout(PATIENCE)
    theirs.settimeout(PATIENCE)
    amount = 2_000_000

    def echo() -> None:
        with server_context(files.certificate, files.key).wrap_socket(theirs, server_side=True) as stream:
            left = amount
            while left > 0:
                data = stream.recv(65536)
                left -= len(data)
                stream.sendall(data)
            with contextlib.suppress(ssl.SSLError):
                stream.unwrap()  # tells the end, and waits for ours

    echoing = threading.Thread(target=echo)
    echoing.start()
    link = tls.encrypted(ours, "localhost")
    sent = os.urandom(amount)

    def write() -> None:
        for start in range(0, amount, 1000):
            link.write(sent[start : start + 1000])

    writing = threading.Thread(target=write)
    writing.start()
    found = bytearray()
    while len(found) < amount and (data := link.read()):
        found += data
    writing.join()
    assert bytes(found) == sent
    assert link.read() == b""  # the other side has ended it
    link.close()
    echoing.join()
    with pytest.raises((BrokenPipeError, OSError)):
        link.write(b"x")


def test_who_ends_it_instead_of_a_handshake_is_told(tmp_path: Path) -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    with ours, pytest.raises(OSError):
        tls.encrypted(ours, "localhost")
    assert read_address("tls://a:1").secure
