"""Names of hosts, and how listeners are bound."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator

import pytest

from tyrusd.host import addresses
from tyrusd.host.addresses import (
    Address,
    BindError,
    bound_addresses,
    canonical_host,
    is_loopback,
    numeric_hosts,
    open_listeners,
    parse_address,
)


@pytest.fixture
def opened() -> Iterator[list[socket.socket]]:
    sockets: list[socket.socket] = []
    yield sockets
    for each in sockets:
        each.close()


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("::ffff:127.0.0.1", "127.0.0.1"),
        ("::FFFF:7f00:1", "127.0.0.1"),
        ("::1", "::1"),
        ("0:0:0:0:0:0:0:1", "::1"),
        ("2001:DB8::0:1", "2001:db8::1"),
        ("pipe", "pipe"),
        ("fe80::1%eth0", "fe80::1"),
        ("FE80:0::1%wlan0.7", "fe80::1"),
        ("fe80::1%an odd name", "fe80::1"),
        ("::ffff:192.0.2.1%eth0", "192.0.2.1"),
    ],
)
def test_row_34_one_host_has_one_spelling(text: str, canonical: str) -> None:
    assert canonical_host(text) == canonical


@pytest.mark.parametrize("text", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_loopback_is_known_in_every_spelling(text: str) -> None:
    assert is_loopback(text)


@pytest.mark.parametrize("text", ["0.0.0.0", "::", "192.0.2.1", "localhost.example", "::ffff:192.0.2.1"])
def test_everything_else_is_not_loopback(text: str) -> None:
    assert not is_loopback(text)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:0", Address("127.0.0.1", 0)),
        ("[::1]:7433", Address("::1", 7433)),
        ("localhost:65535", Address("localhost", 65535)),
    ],
)
def test_an_address_is_read_and_written(text: str, address: Address) -> None:
    assert parse_address(text) == address
    assert str(address) == text


@pytest.mark.parametrize(
    "text", ["", "7433", ":7433", "host", "host:", "host:65536", "host:-1", "::1:7433", "h:٣"]
)
def test_an_address_of_another_form_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="HOST:PORT"):
        parse_address(text)


def test_an_unknown_host_is_named() -> None:
    with pytest.raises(BindError, match=r"'no host\.invalid' is unknown"):
        numeric_hosts("no host.invalid")


def test_port_0_gives_both_hosts_the_same_port(opened: list[socket.socket]) -> None:
    opened += open_listeners(["127.0.0.1", "127.0.0.2"], 0)
    first, second = bound_addresses(opened)
    assert (first.host, second.host) == ("127.0.0.1", "127.0.0.2")
    assert first.port == second.port != 0


def test_a_port_that_one_host_has_taken_is_not_chosen(
    opened: list[socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The second host never has the first one's port: after some attempts two ports are accepted.
    real = addresses._open_one

    def refusing(host: str, port: int, options: tuple[str, str]) -> socket.socket:
        if host == "127.0.0.2" and port:
            raise BindError("taken", errno.EADDRINUSE)
        return real(host, port, options)

    monkeypatch.setattr(addresses, "_open_one", refusing)
    opened += open_listeners(["127.0.0.1", "127.0.0.2"], 0)
    first, second = bound_addresses(opened)
    assert first.port != second.port


def test_row_52_a_port_in_use_names_host_port_and_a_way_out(opened: list[socket.socket]) -> None:
    opened += open_listeners(["127.0.0.1"], 0)
    port = bound_addresses(opened)[0].port
    with pytest.raises(BindError, match=rf"port {port} on 127\.0\.0\.1 is in use.*--port") as told:
        open_listeners(["127.0.0.1"], port)
    assert told.value.errno == errno.EADDRINUSE


def test_f049_a_port_with_connections_in_time_wait_can_be_bound_again() -> None:
    """python-trio/trio#39: after a stop the port could not be bound for a while, or two servers had it."""
    [listener] = open_listeners(["127.0.0.1"], 0)
    port = listener.getsockname()[1]
    client = socket.create_connection(("127.0.0.1", port))
    server, _ = listener.accept()
    server.close()  # our side closes first and so keeps the port in TIME_WAIT
    client.recv(1)
    client.close()
    listener.close()
    with pytest.raises(OSError, match="in use"), socket.socket() as control:
        control.bind(("127.0.0.1", port))
    [again] = open_listeners(["127.0.0.1"], port)
    again.close()


def test_an_ipv6_listener_leaves_ipv4_alone(opened: list[socket.socket]) -> None:
    opened += open_listeners(["::1"], 0)
    assert opened[0].getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY) == 1


def test_a_host_that_this_machine_lacks_is_refused_and_leaves_nothing_open() -> None:
    with pytest.raises(BindError, match=r"no address 192\.0\.2\.1.*--host"):
        open_listeners(["127.0.0.1", "192.0.2.1"], 0)


def test_a_host_that_may_be_missing_is_left_out(opened: list[socket.socket]) -> None:
    opened += open_listeners(["127.0.0.1", "192.0.2.1"], 0, tolerate="192.0.2.1")
    assert [address.host for address in bound_addresses(opened)] == ["127.0.0.1"]


def test_when_no_host_is_left_that_is_an_error() -> None:
    with pytest.raises(BindError, match=r"none of 192\.0\.2\.1"):
        open_listeners(["192.0.2.1"], 0, tolerate="192.0.2.1")
