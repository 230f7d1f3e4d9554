"""README.md's two lines of set-up do what they say, on a fresh clone with nothing but Python."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def sh_blocks() -> list[str]:
    return re.findall(
        r"^```sh\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )


def test_the_readme_has_two_sh_blocks_of_one_line() -> None:
    blocks = sh_blocks()
    assert len(blocks) == 2
    assert all(block.count("\n") == 1 for block in blocks)


def test_continuous_integration_runs_the_second_line_as_it_is_printed() -> None:
    awk = re.search(r"second_line=\$\((.*)\)\n", (ROOT / ".ci" / "run").read_text("utf-8"))
    assert awk is not None
    found = subprocess.run(
        ["bash", "-c", awk[1]], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert found == sh_blocks()[1]


@pytest.mark.timeout(600)
def test_the_first_line_ends_with_a_running_daemon(tmp_path: Path) -> None:
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", 7433)) == 0:
            pytest.fail(
                "something listens on port 7433 of this machine already; end it and run the test again"
            )
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("VIRTUAL_ENV", "PYTHON", "COV"))
    }
    environment = kept | {"XDG_DATA_HOME": str(tmp_path / "data")}
    command = ["sh", "-c", sh_blocks()[0]]
    with subprocess.Popen(
        command, cwd=clone, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        try:
            said = [process.stdout.readline()]
            while said[-1].startswith("listening "):
                said.append(process.stdout.readline())
            assert said[0] == "listening 127.0.0.1 7433\n"
            assert "tyrus" in said[-1], "the last line tells a person how to join"
            with (
                socket.create_connection(("127.0.0.1", 7433), timeout=10) as link,
                link.makefile("rb") as lines,
            ):
                assert lines.readline().startswith(b"greeting ")
        finally:
            os.killpg(process.pid, signal.SIGTERM)
