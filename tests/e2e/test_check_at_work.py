"""All bots of this project pass `tyrusd check`: samples by pipe and socket, plugins, the kit's own client."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tests.clients.recipes import LANGUAGES, command
from tests.e2e.checks import Checking
from tests.e2e.serving import serving
from tests.host.daemons import login
from tyrusd.core.conformance import STEPS, Need
from tyrusd.rules.notation import read_view
from tyrusd.wire import Checked, Choose, Ping, decode_server_line

ONE_GAME = {"several", "interleaved"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_samples_pass_as_programs_and_over_tcp(language: str) -> None:
    words = command(language)
    pipe, tcp = Checking(f"exec:{shlex.join(words)}"), Checking("tcp:tested")
    host, port, name, key = tcp.invitation()
    tcp.start([*words, host, port, name, key])
    by_pipe, by_tcp = pipe.end(), tcp.end()
    assert (by_pipe.code, by_pipe.failures) == (0, [])
    assert by_pipe.names("skipped") == {"resume"}
    assert (by_tcp.code, by_tcp.failures) == (0, [])
    assert by_tcp.names("skipped") <= {"resume", "end-of-input"}


@pytest.mark.parametrize("name", ["random", "greedy", "cautious"])
def test_the_bundled_plugins_pass(name: str) -> None:
    found = Checking(f"plugin:{name}").end()
    assert (found.code, found.failures) == (0, [])
    assert found.names("skipped") == {"resume", "crlf"}


def test_the_client_of_the_kit_passes_and_resumes() -> None:
    whole, apart = Checking("tcp:whole"), Checking("tcp:apart", "--only", "end-of-input,resume")
    for checking in (whole, apart):
        host, port, name, key = checking.invitation()
        checking.start(
            [sys.executable, "-m", "tyrusd.sdk.runner", "tyrusd_bundled.greedy_bot",
             "--connect", f"{host}:{port}", "--name", name, f"--key={key}"]
        )  # fmt: skip
    found, by_itself = whole.end(), apart.end()
    assert (found.code, found.failures) == (0, [])
    assert (by_itself.code, by_itself.names("passed")) == (0, {"end-of-input", "resume"})


def test_a_bot_in_the_lobby_of_a_real_server_is_checked_over_its_connection(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as port, login(("127.0.0.1", port), "ada", "bot", "games=2") as peer:
        peer.say("check tag=now")
        assert peer.line() == "ok tag=now re=check"
        checked: list[Checked] = []
        while len(checked) < len(STEPS):
            message = decode_server_line(peer.line().removesuffix("\r").encode())
            if isinstance(message, Checked):
                checked.append(message)
            elif isinstance(message, Choose):
                tile = read_view(message.view).hand[0]
                peer.say(f"place {message.game} {message.request} {tile} BT")
            elif isinstance(message, Ping):
                peer.say(f"pong {message.word}")
        skipped = {step.name for step in STEPS if Need.CONNECTION in step.needs}
        assert {line.name for line in checked if line.finding == "skipped"} == skipped
        assert {line.text for line in checked if line.finding == "failed"} == set()
        peer.say("play random")
        assert peer.until("start").startswith("start g1 ")
