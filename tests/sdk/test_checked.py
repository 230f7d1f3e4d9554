"""What the SDK makes of a bot passes `tyrusd check`, the server's own examination of bots."""

from __future__ import annotations

import subprocess

import pytest

from tests.host.daemons import ROOT, command, run
from tests.sdk.peer import PATIENCE, environment
from tests.sdk.scripted import BOT


@pytest.mark.parametrize("kind", ["Watching", "awaited"])
def test_each_kind_of_bot_passes_as_a_program(kind: str) -> None:
    program = f"/usr/bin/env PYTHONPATH={ROOT} {' '.join(BOT)} tests.sdk.bots:{kind}"
    found = run("check", f"exec:{program}")
    assert found.returncode == 0, found.stdout + found.stderr
    assert ", 0 failed, " in found.stdout.splitlines()[-1]


def test_a_bundled_bot_passes_as_a_plugin_with_options() -> None:
    found = run("check", "plugin:cautious?bluff=100")
    assert found.returncode == 0, found.stdout + found.stderr
    assert ", 0 failed, " in found.stdout.splitlines()[-1]


@pytest.mark.parametrize("kind", ["by_view", "Following", "awaited"])
def test_each_kind_of_bot_resumes_over_tcp(kind: str) -> None:
    check = subprocess.Popen(
        command("check", "tcp:probe", "--only", "resume"), cwd=ROOT, env=environment(ROOT),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    bot: subprocess.Popen[str] | None = None
    try:
        assert check.stdout is not None
        _, host, port = check.stdout.readline().split()
        _, name, _, key = check.stdout.readline().split()
        words = ["--connect", f"{host}:{port}", "--name", name, "--key", key]
        bot = subprocess.Popen(
            [*BOT, f"tests.sdk.bots:{kind}", *words],
            cwd=ROOT,
            env=environment(ROOT),
            stderr=subprocess.PIPE,
            text=True,
        )
        told, _ = check.communicate(timeout=PATIENCE)
        assert check.returncode == 0, told
        assert "1 passed, 0 failed, 0 skipped" in told.splitlines()
    finally:
        for process in (check, bot):
            if process is not None:
                process.kill()
                process.communicate()
