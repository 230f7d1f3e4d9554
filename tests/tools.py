"""Programs of the system that some tests need: where they are, or why the test is skipped."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

# What to install where a tool is missing.
PACKAGES = {
    "node": "nodejs",
    "nc": "netcat-openbsd",
    "go": "golang-go",
    "java": "default-jdk-headless",
    "javac": "default-jdk-headless",
    "localedef": "locales",
    "systemd-analyze": "systemd",
}


def require_tool(name: str, *files: Path) -> str:
    """Return the path of a program; without it, or files that it needs, the test is skipped.

    It fails where everything must be run.
    """
    path = shutil.which(name)
    if path is None or not all(map(Path.exists, files)):
        sentence = f"{name} is not installed; install the package {PACKAGES.get(name, name)}"
        if os.environ.get("CI"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    return path
