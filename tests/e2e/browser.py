"""A browser without a window, driven through pipes: it opens no port, and reaches no network."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium-headless-shell", "chromium", "google-chrome", "chrome")
PATIENCE = 30.0  # seconds for one answer; only a broken browser needs them
# The browser reads commands from descriptor 3 and writes to 4, whatever numbers our ends have.
PLACED = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(word), fcntl.F_DUPFD, 10) for word in sys.argv[1:3]]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def browser_path() -> str:
    """Where a browser is; without one the test is skipped."""
    for name in NAMES:
        path = shutil.which(name)
        if path is not None:
            return path
    pytest.skip(f"no browser is installed (one of {', '.join(NAMES)}); on Debian: chromium-headless-shell")


class Browser:
    """One page of a browser; `events` are all that it has told, such as requests and errors."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to, self._from = to_browser, from_browser
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []

    def begin(self) -> None:
        """Have a page, to which everything is said from now on."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.ask(f"{domain}.enable")

    def open(self, file: Path) -> None:
        """Show a file, and wait until its scripts have run."""
        self.events.clear()
        self.ask("Page.navigate", url=file.resolve().as_uri())
        while not self.told("Page.loadEventFired"):
            self._read()

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result."""
        self._number += 1
        number = self._number
        words: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session is not None:
            words["sessionId"] = self._session
        os.write(self._to, json.dumps(words).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def value(self, expression: str) -> Any:
        """What an expression of JavaScript comes to in the page."""
        found = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str, times: int = 1) -> None:
        """Press a key."""
        for _ in range(times):
            for kind in ("rawKeyDown", "keyUp"):
                self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def told(self, method: str) -> list[dict[str, Any]]:
        """The events of a kind so far."""
        return [event["params"] for event in self.events if event.get("method") == method]

    def _read(self) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._from], [], [], max(0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            data = os.read(self._from, 65536)
            assert data, "the browser has ended"
            self._buffer += data
        words, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(words)
        if "method" in message:
            self.events.append(message)
        return message


@contextmanager
def browser(home: Path) -> Iterator[Browser]:
    """Start a browser that finds no host; home: a directory for what it keeps."""
    path = browser_path()
    read, to_browser = os.pipe()
    from_browser, write = os.pipe()
    words = [
        sys.executable, "-I", "-S", "-c", PLACED, str(read), str(write), path, "--headless", "--no-sandbox",
        "--disable-gpu", "--no-first-run", f"--user-data-dir={home}", "--remote-debugging-pipe",
        "--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking", "about:blank",
    ]  # fmt: skip
    process = subprocess.Popen(
        words, pass_fds=(read, write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=home
    )
    os.close(read)
    os.close(write)
    try:
        found = Browser(to_browser, from_browser)
        found.begin()
        yield found
    finally:
        os.close(to_browser)
        process.kill()
        process.wait()
        os.close(from_browser)
