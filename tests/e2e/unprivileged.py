"""Runs commands as a user without rights, and tells whether bubblewrap can be tested on this machine."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

import pytest

from tests.host.daemons import ROOT
from tests.tools import require_tool
from tyrusd.host.sandbox import NoSandbox, find

NOBODY = 65534
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
NEEDED = (Path(sys.executable), Path(sys.executable).resolve(), Path(sys.prefix), ROOT)
TRIAL = (sys.executable, "-c", "import os, sys, trio, tyrusd.host.daemon; os.stat(sys.executable)")


def give_up(sentence: str) -> NoReturn:
    """Skip, or fail where everything must be run."""
    if os.environ.get("CI"):
        pytest.fail(sentence)
    pytest.skip(sentence)


def as_user(*words: str) -> list[str]:
    """The command that runs words as somebody who is not root: ourselves, if we are not."""
    if os.geteuid() != 0:
        return list(words)
    return [*_prefix(), *words]


@cache
def _prefix() -> tuple[str, ...]:
    for tool in ("setpriv", "unshare"):
        require_tool(tool)
    for prefix in (AS_NOBODY, ("unshare", "--mount", "sh", "-c", _opened_way(), "sh")):
        tried = _try(*prefix, *TRIAL)
        if tried.returncode == 0:
            return prefix
    give_up(f"a user without rights cannot run {sys.executable} here: {tried.stderr.strip()}")


def _opened_way() -> str:
    """A script for a mount namespace of its own: makes passable what only root may enter, then drops root."""
    lines = ["set -e"]
    for directory, steps in sorted(_closed().items()):
        closed = shlex.quote(str(directory))
        kept = [
            (shlex.quote(str(step)), f"/tmp/tyrusd-held-$$-{number}") for number, step in enumerate(steps)
        ]
        lines += [f"mkdir {hold}; mount --bind {step} {hold}" for step, hold in kept]
        lines += [f"mount -t tmpfs -o mode=0755 none {closed}"]
        lines += [
            f"mkdir {step}; mount --bind {hold} {step}; umount {hold}; rmdir {hold}" for step, hold in kept
        ]
    return "\n".join([*lines, f'exec {shlex.join(AS_NOBODY)} "$@"'])


def _closed() -> dict[Path, list[Path]]:
    """Directories on our way that others may not enter, each with the next steps of that way."""
    found: dict[Path, list[Path]] = {}
    for path in NEEDED:
        way = [path, *path.parents]
        for step, directory in pairwise(way):
            if not directory.stat().st_mode & 0o001 and step not in found.setdefault(directory, []):
                found[directory].append(step)
    return {directory: steps for directory, steps in found.items() if steps}


def _try(*words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": "/nonexistent"}
    return subprocess.run(
        words, cwd="/", env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@contextmanager
def own_directory() -> Iterator[Path]:
    """A directory that belongs to that user."""
    path = Path(tempfile.mkdtemp(prefix="tyrusd-test-"))
    try:
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def require_bwrap() -> None:
    """Skip where this kernel lets nobody make a sandbox; fail where it does and ours does not work."""
    require_tool("bwrap")
    try:
        find()
    except NoSandbox as error:
        if _try("unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "true").returncode == 0:
            pytest.fail(f"this machine can make sandboxes, but: {error}")
        pytest.skip(str(error))
