"""A daemon with a configuration: it rules from the start, and SIGHUP reads it again and ends nothing."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.daemons import Daemon, Peer, run, running, wait_until


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tyrusd.toml"


@pytest.fixture
def daemon(file: Path, tmp_path: Path) -> Iterator[Daemon]:
    file.write_text(text(tmp_path, games=7), "utf-8")
    with running("serve", "--config", str(file), TYRUSD_LIMITS_LISTED="50") as found:
        yield found


def text(tmp_path: Path, games: int, more: str = "") -> str:
    return (
        f'[server]\nhosts = ["127.0.0.1"]\nport = 0\ndata = "{tmp_path / "data"}"\n'
        f"[limits]\ngames-per-connection = {games}\n{more}"
    )


def log_until(daemon: Daemon, words: str) -> list[str]:
    """The lines of the log up to one with these words."""
    assert daemon.process.stderr is not None
    found = []
    for line in daemon.process.stderr:
        found.append(line)
        if words in line:
            return found
    raise AssertionError(f"{words!r} is not in the log: {''.join(found)}")


def games_of(address: tuple[str, int]) -> str:
    """What a new connection is told of its games."""
    peer = Peer(address)
    words = peer.line().split()
    peer.close()
    return next(word for word in words if word.startswith("games="))


def test_row_55_a_configuration_rules_and_is_read_again_at_hup(
    daemon: Daemon, file: Path, tmp_path: Path
) -> None:
    [address] = daemon.addresses()
    log_until(daemon, "worst-case memory: ")
    here = Peer(address)
    assert "games=7" in here.line().split()

    file.write_text(text(tmp_path, 9, 'listed = 60\n[log]\nlevel = "warning"\n[lobby]\nguests = false\n'))
    daemon.signal(signal.SIGHUP)
    lines = log_until(daemon, "used only after a restart")
    assert lines[-1].endswith("changed, but used only after a restart: lobby.guests\n")
    assert games_of(address) == "games=9"
    here.say("hello 0.1 visitor human games=9")
    assert here.until("welcome").split()[1] == "visitor"  # guests are still let in, listed is the variable's
    here.close()

    file.write_text(text(tmp_path, 11, 'listed = "x"\n') + "nope = 1\n")
    daemon.signal(signal.SIGHUP)
    told = log_until(daemon, "the configuration stays as it was")
    assert [line.split(" ERROR ")[1] for line in told] == [
        f"not reloaded: {file}, line 7: [limits] listed wants a whole number from 1 to 100000, not 'x'\n",
        f"not reloaded: {file}, line 8: [limits] nope is not known; `tyrusd config` lists all\n",
        "the configuration stays as it was\n",
    ]
    assert games_of(address) == "games=9"

    file.unlink()
    daemon.signal(signal.SIGHUP)
    assert "cannot be read: No such file" in "".join(log_until(daemon, "the configuration stays"))
    assert games_of(address) == "games=9"

    file.write_text(text(tmp_path, 5, '[log]\nlevel = "info"\n'))
    daemon.signal(signal.SIGHUP)
    told = log_until(daemon, "configuration reloaded: ")
    assert "limits.games-per-connection is 5, was 9" in told[-1] and "log.level is 'info', was" in told[-1]
    assert games_of(address) == "games=5"
    daemon.signal(signal.SIGTERM)
    assert daemon.end()[0] == 0


def test_row_57_nothing_is_opened_when_a_configuration_is_bad(daemon: Daemon, tmp_path: Path) -> None:
    """Not even the port, which is in use: the configuration is told, not the port."""
    [(_, port)] = daemon.addresses()
    other = tmp_path / "other.toml"
    other.write_text(f'[server]\nport = {port}\ndata = "{tmp_path / "none"}"\n[limits]\nstall = 0\n')
    found = run("serve", "--config", str(other))
    assert found.returncode == 2 and not (tmp_path / "none").exists()
    assert found.stderr == (
        "tyrusd: the configuration cannot be used, something is wrong:\n"
        f"  {other}, line 5: [limits] stall wants a number from 2 to 3600, not 0\n"
    )


def test_a_bot_of_the_file_that_does_not_exist_is_told_with_its_line(file: Path) -> None:
    file.write_text('[bots.house]\ncleo = "plugin:nobody"\n', "utf-8")
    found = run("serve", "--config", str(file), "--port", "0")
    assert found.returncode == 2
    assert f"{file}, line 2: [bots.house] cleo = 'plugin:nobody': " in found.stderr


def test_f093_refused_connections_are_told_a_few_times_and_all_are_counted(tmp_path: Path) -> None:
    """EOSIO/eos#8455: each connection over the limit was a line of the log."""
    many = 400
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path / "data"))
    with running(*words, "--log-format", "json", TYRUSD_LIMITS_CONNECTIONS_TOTAL="1") as daemon:
        [address] = daemon.addresses()
        here = Peer(address)
        assert here.line().startswith("greeting ")
        for _ in range(many):
            refused = Peer(address)
            assert refused.rest() == ["bye busy :The server has its 1 connections; come again later."]
            refused.close()
        here.close()
        daemon.signal(signal.SIGTERM)
        code, _, err = daemon.end()
    assert code == 0
    told = [found for found in map(json.loads, err.splitlines()) if "refused" in found["message"]]
    single = [found for found in told if found["message"].startswith("refused a connection from 127.0.0.1")]
    counts = re.findall(r"([0-9,]+) more", " ".join(found["message"] for found in told))
    assert len(told) < 60 and len(single) + sum(int(count.replace(",", "")) for count in counts) == many
    assert {found["source"] for found in single} == {"refused connections"}


def test_the_thirty_third_of_a_host_is_told_busy_where_this_machine_is_no_open_host(
    daemon: Daemon, file: Path, tmp_path: Path
) -> None:
    """By default it is one: thirty-three of it are no more than anybody."""
    [address] = daemon.addresses()
    here = [Peer(address) for _ in range(33)]
    assert all(peer.line().startswith("greeting ") for peer in here)
    log_until(daemon, "worst-case memory: ")
    file.write_text(text(tmp_path, 7, 'open-hosts = ["pipe"]\n'))
    daemon.signal(signal.SIGHUP)
    log_until(daemon, "configuration reloaded: limits.open-hosts")

    def comes() -> bool:
        """Whether one more is let in; it stays then."""
        peer = Peer(address)
        if peer.line().startswith("greeting "):
            here.append(peer)
            return True
        peer.close()
        return False

    assert not comes()
    for peer in here[:2]:  # those over the limit may stay, and nobody comes before they are fewer
        peer.say("hello 0.1 ada human", "quit")
        peer.until("bye")
        peer.close()
    del here[:2]
    wait_until(comes)
    assert not comes()
    file.write_text(text(tmp_path, 7, 'open-hosts = ["pipe"]\nconnections-per-host = 34\n'))
    daemon.signal(signal.SIGHUP)
    log_until(daemon, "limits.connections-per-host is 34, was 32")
    assert [comes(), comes(), comes()] == [True, True, False]
    for peer in here:
        peer.say("hello 0.1 guest human")
        assert peer.line()[:8] in ("welcome ", "error ta")  # nobody was sent away
        peer.close()
