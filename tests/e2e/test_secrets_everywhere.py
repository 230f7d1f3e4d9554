"""Every secret of a server that is at work, looked for in everything that it tells, writes and shows."""

from __future__ import annotations

import signal
import subprocess
import urllib.request
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from click.testing import CliRunner

from tests.e2e.account_serving import came, serving
from tests.host.daemons import Peer, command
from tyrusd.commands import main
from tyrusd.core.keys import key_digest

WRONG: Final = "CanaryOfAWrongKey" + "x" * 26


class Found(NamedTuple):
    """The secrets that were used, and what was told, by where it was."""

    secrets: dict[str, str]
    told: dict[str, bytes]


def secret_of(welcome: str) -> str:
    return next(word for word in welcome.split() if word.startswith("secret=")).removeprefix("secret=")


def printed(*words: str) -> bytes:
    """What a command prints, on both streams."""
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return (done.stdout + done.stderr).encode()


def files(directory: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted(directory.rglob("*")) if path.is_file())


def processes() -> bytes:
    """The argument lists and environments of all processes that may be read, as `ps axeww` shows them."""
    done = subprocess.run(["ps", "axeww"], capture_output=True, check=True)
    return done.stdout


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """A server with two accounts, right and wrong keys, a returned seat, and a game that is watched."""
    place = tmp_path_factory.mktemp("secrets")
    data, config = place / "data", place / "config.toml"
    config.write_text('[limits]\nlisted = 60\n[log]\nlevel = "debug"\n')
    for name in ("ada", "bob"):
        printed("account", "add", name, "--data", str(data))
    giving = ("account", "token", "--data", str(data))
    secrets = {"token": printed(*giving, "ada").decode().split()[0]}
    secrets["code"] = printed(*giving, "bob", "--code").decode().split()[0]
    told = {}
    admin = ("admin", "--data", str(data))
    words = ("--config", str(config), "--metrics", "127.0.0.1:0")
    with serving(data, *words) as (daemon, address), ExitStack() as stack:
        url = daemon.line().removeprefix("metrics ").removesuffix("/metrics")
        ada, welcome = came(address, "ada", secrets["token"])
        secrets["ada's secret"] = secret_of(welcome)
        bob, welcome = came(address, "bob", secrets["code"])
        secrets["bob's secret"] = secret_of(welcome)
        stranger, line = came(address, "ada", WRONG)
        assert line.startswith("error auth ")
        for peer in (ada, bob, stranger):
            stack.enter_context(closing(peer))
        stranger.say(f"resume {secret_of(welcome)[::-1]}", "quit")
        for peer in (ada, bob):
            peer.say("seek")
        game = bob.until("start").split()[1]
        watching = subprocess.Popen(command(*admin, "watch", game), stdout=subprocess.PIPE)
        assert watching.stdout is not None
        first = watching.stdout.readline()
        back = Peer(address)
        stack.enter_context(closing(back))
        back.say(f"resume {secret_of(welcome)}")
        secrets["bob's next secret"] = secret_of(back.until("welcome"))
        back.say("ping arrived")
        told["processes"] = processes()
        told["metrics"] = urllib.request.urlopen(f"{url}/metrics", timeout=60).read()
        told["health"] = urllib.request.urlopen(f"{url}/health", timeout=60).read()
        for word in ("status", "who", "games", "bans", "event list", "who --json"):
            told[f"admin {word}"] = printed(*admin, *word.split())
        told["config"] = printed("config", "--config", str(config))
        told["account list"] = printed("account", "list", "--data", str(data))
        printed("backup", str(place / "copy"), "--data", str(data))
        told["a backup"] = files(place / "copy")
        back.say(f"resign {game}")
        ada.until("over")
        told["admin watch"] = first + watching.communicate(timeout=60)[0]
        told["why"] = printed("why", game, "--data", str(data), "--log", "--json")
        told["export"] = printed("export", str(data / "journal.tyrus"), "--json")
        for peer in (ada, back):
            peer.close()
        daemon.signal(signal.SIGTERM)
        _, out, errors = daemon.end()
        told["output"], told["log"] = "\n".join([*daemon.printed, out]).encode(), errors.encode()
    told["data"] = files(data)
    return Found(secrets | {"a wrong key": WRONG}, told)


def spellings(secret: str) -> list[bytes]:
    """A secret as it is, and as it may be typed."""
    return [
        spelling.encode() for spelling in {secret, secret.lower(), secret.upper(), secret.replace("-", "")}
    ]


def test_d7_f095_no_secret_is_told_anywhere(found: Found) -> None:
    """Akuli/mantaray#64: a password was in the log."""
    assert len(set(found.secrets.values())) == 6
    for where, told in found.told.items():
        assert told, where
        for name, secret in found.secrets.items():
            assert not any(spelling in told for spelling in spellings(secret)), f"{name} is in {where}"


def test_d7_digests_are_in_the_store_and_nowhere_else(found: Found) -> None:
    """The control: what is kept of a token is found where it should be, and by the same search."""
    digest = key_digest(found.secrets["token"])
    holders = {where for where, told in found.told.items() if digest in told or digest.hex().encode() in told}
    assert holders == {"data", "a backup"}
    assert b"ada" in found.told["admin who"] and b"ada" in found.told["admin watch"]
