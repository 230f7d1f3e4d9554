"""What a server would not start with is told by `tyrusd config` as well: all of it, each with its place."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Any

import pytest

from tests.host.certificates import issue
from tests.host.daemons import run
from tyrusd.host.configuration.checking import PLAINTEXT, faults
from tyrusd.host.configuration.reading import ConfigurationError, read_configuration

TWO = "two listeners cannot have port"
NO_LADDER = "there is no ladder: turn it on with ladder.on (--ladder), or take this out"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "club.toml"


def told(
    file: Path, text: str, environment: dict[str, str] | None = None, options: dict[str, Any] | None = None
) -> list[str]:
    file.write_text(text, "utf-8")
    try:
        read_configuration(file, environment or {}, options or {}, faults)
    except ConfigurationError as error:
        return [problem.replace(f"{file}, ", "") for problem in error.problems]
    return []


def test_everything_across_tables_is_told_at_once(file: Path, tmp_path: Path) -> None:
    text = (
        '[server]\nhosts = ["0.0.0.0"]\nport = 9433\n[ladder]\nclock = "60+1"\n[ladder.anchors]\nrandom = 0\n'
        'rando = 5\n[metrics]\nlisten = "0.0.0.0:9433"\n[tls]\nlisten = "127.0.0.1:9433"\n'
        f'certificate = "{tmp_path}/none.pem"\nkey = "{tmp_path}"\n[bots.house]\nabe = "plugin:nobody"\n'
    )
    found = told(file, text)
    starts = [
        "line 16: [bots.house] abe = 'plugin:nobody': ",
        f"line 7: [ladder.anchors] random: {NO_LADDER}",
        f"line 8: [ladder.anchors] rando: {NO_LADDER}",
        f"line 5: [ladder] clock: {NO_LADDER}",
        "line 8: [ladder.anchors] rando: an anchor is a bot of this server; there are abe, cautious, ",
        f"line 13: [tls] certificate: {tmp_path}/none.pem cannot be read: No such file",
        f"line 14: [tls] key: {tmp_path} cannot be read: Is a directory",
        f"line 2: [server] hosts 0.0.0.0 can be reached from other machines, and {PLAINTEXT}",
        f"line 10: [metrics] listen 0.0.0.0 can be reached from other machines, and {PLAINTEXT}",
        f"line 2: [server] hosts and line 12: [tls] listen: {TWO} 9433 on 127.0.0.1",
        f"line 2: [server] hosts and line 10: [metrics] listen: {TWO} 9433 on 0.0.0.0",
    ]
    assert len(found) == len(starts), found
    for sentence, start in zip(found, starts, strict=True):
        assert sentence.startswith(start)


def test_the_place_is_where_a_value_was_given(file: Path) -> None:
    environment = {"TYRUSD_METRICS_LISTEN": "0.0.0.0:0"}
    [found] = told(file, "", environment)
    assert found.startswith("the variable TYRUSD_METRICS_LISTEN of the environment 0.0.0.0 can be reached")
    [found] = told(file, "", environment, {"metrics.listen": "0.0.0.0:0"})
    assert found.startswith("--metrics 0.0.0.0 can be reached")
    assert not told(file, "[server]\nallow-plaintext = true\n", environment)
    [found] = told(file, "", options={"ladder.anchors": {"random": 3}})
    assert found == f"--anchor random=3: {NO_LADDER}"
    [found] = told(file, "", {"TYRUSD_LADDER_ON": "true", "TYRUSD_LADDER_ANCHORS": "rando=3"})
    assert "TYRUSD_LADDER_ANCHORS of the environment: an anchor is a bot of this server" in found
    [found] = told(file, "", options={"tls.listen": "127.0.0.1:0"})
    assert found == "tls.listen (--tls) wants tls.certificate and tls.key as well"


def test_a_key_that_is_not_that_of_the_certificate_is_told_with_both_places(
    file: Path, tmp_path: Path
) -> None:
    one, other = issue(tmp_path / "one"), issue(tmp_path / "other")
    text = '[tls]\nlisten = "127.0.0.1:0"\ncertificate = "{}"\nkey = "{}"\n'
    assert not told(file, text.format(one.certificate, one.key))
    [found] = told(file, text.format(one.certificate, other.key))
    assert found.startswith("line 3: [tls] certificate and line 4: [tls] key: ")
    assert f"{one.certificate} and {other.key} cannot be used (" in found


def test_nothing_is_said_of_values_that_are_wrong_by_themselves(file: Path) -> None:
    text = '[server]\nhosts = 3\nport = "x"\n[ladder]\non = 1\n[ladder.anchors]\nrandom = "x"\nrando = 1\n'
    found = told(file, text)
    assert [re.split(" wants | is ", sentence)[0] for sentence in found] == [
        "line 2: [server] hosts", "line 3: [server] port", "line 5: [ladder] on",
        "line 7: [ladder.anchors] random",
    ]  # fmt: skip
    assert "a list of addresses, each" in found[0]


@pytest.mark.parametrize(
    ("hosts", "metrics", "both"),
    [
        (["127.0.0.1"], "127.0.0.1:7", True),
        (["127.0.0.1"], "127.0.0.2:7", False),
        (["127.0.0.1"], "127.0.0.1:0", False),
        (["0.0.0.0"], "127.0.0.1:7", True),
        (["0.0.0.0"], "[::1]:7", False),
        (["::"], "[::1]:7", True),
        ([], "[::1]:7", True),
        ([], "127.0.0.1:7", True),
    ],
)
def test_which_addresses_are_the_same(file: Path, hosts: list[str], metrics: str, both: bool) -> None:
    text = f'[server]\nport = 7\nallow-plaintext = true\nhosts = {hosts}\n[metrics]\nlisten = "{metrics}"\n'
    assert [TWO in found for found in told(file, text)] == [True] * both


def test_the_clock_of_a_ladder_is_explained_once(file: Path) -> None:
    [found] = told(file, '[ladder]\non = true\nclock = "fast"\n')
    assert found.count("BASE") == found.count("increment 0 to 3600") == 1 and found.endswith("not 'fast'")


def test_a_variable_of_a_misspelt_table_is_refused_and_those_of_others_are_not_ours(file: Path) -> None:
    [found] = told(file, "", {"TYRUSD_LIMTS_LISTED": "3", "TYRUSD_TOKEN": "x", "TYRUSD_FULL_SIZE": "1"})
    assert found == (
        "the variable TYRUSD_LIMTS_LISTED of the environment is not known; perhaps it should begin with "
        "TYRUSD_LIMITS_"
    )


def test_both_commands_refuse_the_same_in_the_same_words(file: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    file.write_text(
        f'[server]\nport = {port}\n[metrics]\nlisten = "127.0.0.1:{port}"\n[ladder.anchors]\nx = 1\n'
    )
    first = run("config", "--config", str(file))
    second = run("serve", "--config", str(file), "--data", str(tmp_path / "data"))
    assert (first.returncode, first.stdout) == (second.returncode, second.stdout) == (2, "")
    assert first.stderr == second.stderr and "3 things are wrong" in first.stderr
    assert f"[server] port and {file}, line 4: [metrics] listen: {TWO} {port} on 127.0.0.1" in first.stderr
    assert not (tmp_path / "data").exists()
