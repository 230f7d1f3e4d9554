"""Encrypted connections that go wrong: each at its own deadline, and at the cost of nobody else."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from tests.host.certificates import issue
from tests.host.daemons import login, running
from tests.host.fakecore import FakeCore
from tests.host.test_tls import Place
from tyrusd.host import tls
from tyrusd.host.engine import Engine
from tyrusd.host.journal import MemoryJournal
from tyrusd.host.tls import TlsPort


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    files = issue(tmp_path / "certificates")
    data = tmp_path / "data"
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data), "--tls", "127.0.0.1:0")
    with running(*words, *files.options()) as daemon:
        (plain,) = daemon.addresses()
        _, host, port = daemon.line().split()
        yield Place(daemon, plain, (host, int(port)), files, data)


@pytest.mark.parametrize("sent", [b"", b"\x16", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"])
async def test_row_33_a_handshake_has_a_deadline_that_bytes_do_not_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(tls, "HANDSHAKE", 0.3)
    files = issue(tmp_path / "certificates")
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    core = FakeCore()
    port = TlsPort([listener], files.certificate, files.key)
    port.attach(Engine(core, MemoryJournal(), trio.current_time))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(port.run)
        began = trio.current_time()
        async with await trio.open_tcp_stream(*listener.getsockname()) as slow:
            with trio.move_on_after(0.2):
                for byte in sent:
                    await slow.send_all(bytes([byte]))
                    await trio.sleep(0.02)
            context = ssl.create_default_context(cafile=str(files.authority))
            plain = await trio.open_tcp_stream(*listener.getsockname())
            async with trio.SSLStream(plain, context, server_hostname="127.0.0.1") as good:
                with trio.fail_after(5):
                    assert await good.receive_some(3) == b"hi\n"  # the silent one delays nobody
                    with contextlib.suppress(trio.BrokenResourceError):
                        assert await slow.receive_some(99) == b""
                assert 0.25 < trio.current_time() - began < 2
                await good.send_all(b"line\n")
                assert await good.receive_some(5) == b"line\n"  # the deadline was the handshake's alone
        nursery.cancel_scope.cancel()
    assert port.failed == 1 and len(core.transports) == 1


def test_row_33_a_record_that_is_broken_later_costs_that_connection_only(place: Place) -> None:
    with login(place.plain, "bob", "human") as bob:
        with place.join() as ada:
            ada.until("greeting")
            ada.say("hello 0.1 ada human", "seek")
            ada.until("welcome")
            bob.say("seek")
            game = bob.until("start").split()[1]
            ada.until("start")
            os.write(ada.socket.fileno(), b"this is no record of TLS\r\n" * 9)
            assert bob.until("away").startswith(f"away {game} ")
        with place.join() as cleo:
            assert cleo.until("greeting")
        bob.say(f"resign {game}")
        assert bob.until("over").startswith(f"over {game} ")
    place.daemon.signal(signal.SIGTERM)
    code, _, err = place.daemon.end()
    assert code == 0 and "Traceback" not in err
