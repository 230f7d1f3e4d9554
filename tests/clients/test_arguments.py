"""What a person may give on the command line, and what is made of it before anything is connected."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tyrus_client.address import Address, read_address
from tyrus_client.naming import guest_name, is_name, name_from

TYRUS = [str(Path(sys.executable).with_name("tyrus"))]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("example.org", ("example.org", 7433)),
        ("example.org:1", ("example.org", 1)),
        ("127.0.0.1:65535", ("127.0.0.1", 65535)),
        ("[::1]:7434", ("::1", 7434)),
        ("[::1]", ("::1", 7433)),
        ("::1", ("::1", 7433)),
        ("2001:db8::7433", ("2001:db8::7433", 7433)),
    ],
)
def test_an_address_is_read(text: str, address: tuple[str, int]) -> None:
    assert read_address(text) == (*address, False)
    assert read_address(f"tls://{text}") == (*address, True)


@pytest.mark.parametrize(
    "text",
    [
        *("", ":7433", "host:", "host:0", "host:65536", "host:x", "host:+1", "host:7_0", "host:٣", "host: 1"),
        *("tls://", "tls://host:x", "tls://tls://host"),
        *("[::1", "[::1]7433", "[::1]:", "[]:7433", "host:000000001"),
    ],
)
def test_a_wrong_address_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r": (the (host|port)|an IPv6 address)"):
        read_address(text)


def test_an_address_is_shown_as_it_would_be_typed() -> None:
    assert str(Address("::1", 7433)) == "[::1]:7433"
    assert str(Address("example.org", 1)) == "example.org:1"
    assert str(Address("::1", 7434, secure=True)) == "tls://[::1]:7434"


@pytest.mark.parametrize(
    ("login", "name"),
    [
        ("ann", "ann"),
        ("Ann-Marie_2", "Ann-Marie_2"),
        ("DOMAIN\\user.name", "DOMAINusername"),
        ("é", "guest-0007"),
        ("x" * 40, "x" * 32),
        ("", "guest-0007"),
    ],
)
def test_a_login_name_becomes_a_name_the_server_takes(login: str, name: str) -> None:
    assert name_from(login, lambda below: 7) == name
    assert is_name(name)


def test_guest_names_have_four_digits() -> None:
    bounds: list[int] = []

    def highest(below: int) -> int:
        bounds.append(below)
        return below - 1

    assert guest_name(highest) == "guest-9999"
    assert bounds == [10_000]


@pytest.mark.parametrize("name", ["", "a b", "x" * 33, "é", "a\n", "a/b"])
def test_what_is_no_name(name: str) -> None:
    assert not is_name(name)


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TYRUS, *arguments], input=stdin, capture_output=True, text=True, check=False, timeout=60
    )


def test_help_names_every_option_and_the_address() -> None:
    done = run("--help")
    assert done.returncode == 0
    for word in ("HOST[:PORT]", "--name", "--play", "--version", "[::1]:7433"):
        assert word in done.stdout


def test_the_version_is_that_of_the_package() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, "tyrus, version 0.1.0\n")


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_do_not_wait_for_the_network_library(option: str) -> None:
    script = f"import sys, tyrus_client\nsys.argv = ['tyrus', '{option}']\ntry:\n    tyrus_client.main()\n"
    script += "except SystemExit:\n    pass\nprint('trio' in sys.modules, 'tyrusd.rules.game' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False False\n")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--name", "a b"], "1 to 32"),
        (["--play", "é"], "1 to 32"),
        (["host:0"], "port"),
        (["a", "b"], "extra"),
    ],
)
def test_a_wrong_argument_is_a_usage_error(arguments: list[str], word: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert word in done.stderr


def test_a_server_that_cannot_be_reached_costs_one_sentence_and_status_1() -> None:
    done = run("127.0.0.1:1", "--name", "ann")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("No server at 127.0.0.1:1 (Connection refused).")
    assert done.stderr.count("\n") == 1


def test_a_name_that_cannot_be_a_host_is_told_so() -> None:
    done = run("x" * 300, "--name", "ann")
    assert done.returncode == 1
    assert "no name of a host" in done.stderr
    assert done.stderr.count("\n") == 1
