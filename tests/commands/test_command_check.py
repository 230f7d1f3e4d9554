"""`tyrusd check` as it is typed: what it prints, its JSON, its exit codes."""

from __future__ import annotations

import json
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.host.daemons import run, running
from tyrusd.core.conformance import STEPS

PYTHON = shlex.quote(sys.executable)
SAMPLE = f"exec:{PYTHON} clients/samples/python/bot.py"

LEFT_OUT = "left out by --only: 45 only-protocol, which looks at every line"


def script(folder: Path, text: str) -> str:
    """A seat for a bot that is written here."""
    file = folder / "bot.py"
    file.write_text(text, encoding="utf-8")
    return f"exec:{PYTHON} {shlex.quote(str(file))}"


def test_a_few_steps_by_number_and_name() -> None:
    found = run("check", SAMPLE, "--only", "ping,11,crlf")
    assert found.returncode == 0, found.stderr
    assert found.stdout.splitlines() == [
        "11 empty-past       passed",
        "15 ping             passed",
        "20 crlf             passed",
        "3 passed, 0 failed, 0 skipped",
        LEFT_OUT,
    ]
    assert found.stderr == ""


BAD = """
import sys
print("hello 0.1 bad bot", flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "ping":
        print("pong PONG", flush=True)
    elif words[0] == "choose":
        sys.exit("I give up\\x1b[2J")
"""


def test_a_failure_is_shown_with_all_that_its_author_needs(tmp_path: Path) -> None:
    found = run("check", script(tmp_path, BAD), "--only", "empty-past,ping")
    assert found.returncode == 5, found.stderr
    lines = found.stdout.splitlines()
    assert lines[0] == (
        "11 empty-past       failed: it ended or closed the connection (exit status 1; "
        "its last words: I give up\\x1b[2J)"
    )
    assert lines[-7:] == [
        "15 ping             failed: it sent pong PONG, not pong a",
        "     sent     ping a",
        "     came     pong PONG",
        "     expected a pong with the same word each",
        "     see      protocol.md#liveness",
        "0 passed, 2 failed, 0 skipped",
        LEFT_OUT,
    ]
    (choose,) = [line for line in lines if line.startswith("     sent     choose c1 ")]
    assert " side=B " in choose and choose.endswith("past=-")


TALKS = """
import sys
print("hello 0.1 bad bot", flush=True)
for line in sys.stdin:
    if line.startswith("ping"):
        print("pong", line.split()[1], flush=True)
        print("I got a ping, key=sesame", "\\x07", flush=True)
"""


def test_a_line_that_is_none_is_shown_where_it_came_and_in_the_last_step(tmp_path: Path) -> None:
    found = run("check", script(tmp_path, TALKS), "--only", "ping,only-protocol")
    assert found.returncode == 5, found.stderr
    lines = found.stdout.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("45 only-protocol    failed"))
    assert lines[at + 1] == "     sent     nothing"
    assert lines[at + 2].startswith("     came     I got a ping, key=")
    assert "\\x07 (no line of the protocol: " in lines[at + 2] and "sesame" not in found.stdout
    assert LEFT_OUT not in lines


def objects(*words: str) -> tuple[int, dict[str, Any]]:
    found = run("check", "--json", *words)
    assert len(found.stdout.splitlines()) == 1
    return found.returncode, json.loads(found.stdout)


def test_json_is_one_object(tmp_path: Path) -> None:
    seat = script(tmp_path, BAD)
    code, found = objects(seat, "--only", "ping,resume")
    assert code == 5
    assert {key: found[key] for key in ("name", "seat", "complete", "passed", "failed", "skipped")} == {
        "name": "bot", "seat": seat, "complete": True, "passed": 0, "failed": 1, "skipped": 1
    }  # fmt: skip
    ping, resume = found["steps"]
    assert ping == {
        "number": 15,
        "name": "ping",
        "section": "protocol.md#liveness",
        "verdict": "failed",
        "sentence": "it sent pong PONG, not pong a",
        "sends": STEPS[14].sends,
        "expects": STEPS[14].expects,
        "sent": ["ping a"],
        "came": ["pong PONG"],
    }
    assert resume["verdict"] == "skipped"


def test_skipped_steps_do_no_harm() -> None:
    assert objects(SAMPLE, "--only", "resume")[0] == 0


def test_a_bot_that_cannot_be_started_is_a_failure_of_the_command(tmp_path: Path) -> None:
    file = tmp_path / "bot"
    file.write_text("no program\n")
    file.chmod(0o755)
    found = run("check", f"exec:{file}", "--only", "ping")
    assert found.returncode == 1
    assert "tyrusd: bot could not be checked: " in found.stderr and "could not be started" in found.stderr


def test_a_bot_that_never_connects_is_a_failure_of_the_command() -> None:
    found = run("check", "tcp:late", "--wait", "0.2", "--only", "1")
    assert found.returncode == 1
    assert found.stdout.startswith("listening 127.0.0.1 ")
    assert found.stderr.endswith("late could not be checked: it did not connect within 0.2 s\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nonsense"], "is not a seat"),
        (["plugin:nosuch"], "nosuch"),
        (["exec:./nosuch"], "nosuch"),
        ([SAMPLE, "--only", "ping,46"], "--only '46' is no step: give numbers from 1 to 45 or names"),
        ([SAMPLE, "--only", ""], "--only '' is no step"),
        (["tcp:x", "--listen", "0.0.0.0:0"], "--allow-plaintext"),
        (["tcp:x", "--listen", "nonsense"], "--listen"),
        (["tcp:x", "--wait", "0"], "--wait"),
    ],
)
def test_what_cannot_be_done_is_refused_at_once(words: list[str], sentence: str) -> None:
    found = run("check", *words)
    assert found.returncode == 2
    assert sentence in found.stderr
    assert found.stdout == ""


def test_a_signal_breaks_it_off_and_tells_what_was_done() -> None:
    with running("check", SAMPLE) as daemon:
        assert daemon.line() == " 1 start-up         passed"
        daemon.signal(signal.SIGINT)
        code, out, err = daemon.end()
    assert code == 130
    assert out.splitlines()[-1].endswith(" skipped")  # all steps were wanted
    assert err == "tyrusd: interrupted: the check was broken off\n"


def test_who_reads_only_the_first_line_does_not_break_it() -> None:
    with running("check", SAMPLE, "--only", "ids,ping") as daemon:
        assert daemon.line() == " 7 ids              passed"
        assert daemon.process.stdout is not None
        daemon.process.stdout.close()
        assert daemon.process.wait(20) == 0
        assert daemon.process.stderr is not None
        assert daemon.process.stderr.read() == ""


def test_a_bot_that_stays_after_the_goodbye_is_found_and_ended(tmp_path: Path) -> None:
    stays = (
        "import sys, time\nprint('hello 0.1 bad bot', flush=True)\n"
        "for line in sys.stdin: pass\ntime.sleep(3600)\n"
    )
    found = run("check", script(tmp_path, stays), "--only", "bye,end-of-input")
    assert found.returncode == 5
    failed = [line for line in found.stdout.splitlines() if " failed: " in line]
    assert failed == [
        "41 bye              failed: it had not ended 5 s after bye and the end of its input",
        "43 end-of-input     failed: it had not ended 5 s after the end of its input",
    ]
