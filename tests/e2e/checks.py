"""Runs `tyrusd check` over real pipes and sockets, and reads its JSON."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from tests.host.daemons import ROOT, command

LIMIT = 120.0  # seconds


class Found(NamedTuple):
    """The exit code and object of a check, and what it said on its error output."""

    code: int
    object: dict[str, Any]
    errors: str

    def names(self, verdict: str) -> set[str]:
        """The steps that ended so."""
        return {step["name"] for step in self.object["steps"] if step["verdict"] == verdict}

    @property
    def failures(self) -> list[dict[str, Any]]:
        """The steps that failed, whole, for messages of tests."""
        return [step for step in self.object["steps"] if step["verdict"] == "failed"]


class Checking:
    """A check that runs."""

    def __init__(self, *words: str) -> None:
        self._stack = ExitStack()
        self._process = self._stack.enter_context(
            subprocess.Popen(
                command("check", "--json", *words),
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )

    def invitation(self) -> tuple[str, str, str, str]:
        """Host, port, name and key that a tcp seat is told."""
        assert self._process.stderr is not None
        listening, host, port = self._process.stderr.readline().split()
        seat, name, key, secret = self._process.stderr.readline().split()
        assert (listening, seat, key) == ("listening", "seat", "key")
        return host, port, name, secret

    def start(self, words: Sequence[str]) -> None:
        """Start the bot of a tcp seat."""
        self._stack.callback(subprocess.Popen(words, stderr=subprocess.DEVNULL, cwd=ROOT).wait, 20)

    def end(self) -> Found:
        """Wait for the end."""
        with self._stack:
            try:
                out, errors = self._process.communicate(timeout=LIMIT)
            finally:
                self._process.kill()
            return Found(self._process.returncode, json.loads(out), errors)
