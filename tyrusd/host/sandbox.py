"""Puts a bot into bubblewrap: what it may read there, and that it sees nothing else of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tyrusd.host.programs import Program

TRIAL: Final = 10.0  # seconds for one empty sandbox
DEPTH: Final = (
    2  # processes between bubblewrap, as we started it, and the bot: itself and its namespace's init
)
_SIGNALLED: Final = 128  # above this bubblewrap's exit status is a signal of the bot

# Programs and libraries; of /etc only what programs need to start, since other files there may be secret.
_SYSTEM: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime",
    "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/ssl", "/etc/perl", "/etc/java-17-openjdk",
)  # fmt: skip
_ALONE: Final = (
    "--die-with-parent", "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
    "--unshare-cgroup-try", "--cap-drop", "ALL",
)  # fmt: skip
_PRIVATE: Final = "/tmp"


class NoSandbox(Exception):  # noqa: N818 -- it is not our error
    """Bots cannot be put into a sandbox here; the text is a sentence that says what to do."""


class Sandbox(NamedTuple):
    """A bubblewrap that works here, and what bots must not see although it lies where they may read.

    What is hidden must exist when a bot starts: what comes later cannot be covered.
    """

    bwrap: str
    hidden: tuple[Path, ...] = ()

    def wrap(self, program: Program, private: str) -> tuple[str, ...]:
        """The command that runs a program with no network, a read-only file system and a private /tmp."""
        words = [self.bwrap, *_ALONE]
        # What is higher comes first, or it would cover what lies in it.
        roots = sorted({*map(Path, _SYSTEM), *_roots(program)}, key=lambda path: (len(path.parts), path))
        below = [root for root in roots if Path(_PRIVATE) in (root, *root.parents)]
        for root in roots:
            if root not in below:
                words += ["--ro-bind-try", str(root), str(root)]
        words += ["--bind", private, _PRIVATE, "--proc", "/proc", "--dev", "/dev"]
        for root in below:
            if root != Path(_PRIVATE):
                words += ["--ro-bind-try", str(root), str(root)]
        for path in map(Path.absolute, self.hidden):
            if path.is_dir():
                words += ["--tmpfs", str(path), "--remount-ro", str(path)]
            elif path.exists():
                words += ["--ro-bind", "/dev/null", str(path)]
        words += ["--remount-ro", "/", "--chdir", program.directory or _PRIVATE]
        for name in ("HOME", "TMPDIR"):
            words += ["--setenv", name, _PRIVATE]
        return (*words, "--", *program.command)


def find() -> Sandbox:
    """Find a bubblewrap that works; raises NoSandbox with one sentence otherwise."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise NoSandbox(
            "--sandbox bwrap needs bubblewrap, which is not installed: install the system's package "
            "`bubblewrap`, or choose --sandbox none"
        )
    trial = [
        bwrap,
        *_ALONE,
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--",
        "/bin/sh",
        "-c",
        ":",
    ]
    try:
        done = subprocess.run(
            trial, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TRIAL, check=False
        )
        why = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
    except (OSError, subprocess.TimeoutExpired) as error:
        why = str(error)
    else:
        if done.returncode == 0:
            return Sandbox(str(Path(bwrap).absolute()))
    raise NoSandbox(
        f"bubblewrap cannot make a sandbox here ({why}): allow this user to create user namespaces, "
        "or choose --sandbox none"
    )


def told_through(end: str) -> str:
    """How a bot ended, from how its bubblewrap did: that exits with 128 and the bot's signal."""
    status = end.removeprefix("exit status ")
    if status == end or int(status) <= _SIGNALLED:
        return end
    from tyrusd.host.children import signal_name

    number = int(status) - _SIGNALLED
    return f"killed by signal {number} ({signal_name(number)})"


def _roots(program: Program) -> Iterator[Path]:
    """What a program's files can be read from: its own place, where it starts, and its Python's."""
    if program.directory is not None:
        yield Path(program.directory)
    for word in program.command:
        if word.startswith("/"):
            yield from _homes(Path(word))
    searched = program.environment.get("PYTHONPATH", "")
    yield from (Path(entry) for entry in searched.split(os.pathsep) if entry.startswith("/"))
    if program.frames:
        # Installed packages may lie elsewhere, as those that are installed to be edited do.
        found = (Path(entry) for entry in (sys.prefix, sys.base_prefix, *sys.path) if entry.startswith("/"))
        yield from (path for path in found if path != Path("/"))


def _homes(path: Path) -> Iterator[Path]:
    """The directories of a file and of what it is a link to; of a `bin` also what lies beside it."""
    for _ in range(40):  # as many links as the system follows
        if not path.exists():
            return
        home = path if path.is_dir() else path.parent
        yield home.parent if home.name in ("bin", "shims") and home != Path("/bin") else home
        if not path.is_symlink():
            return
        path = Path(os.path.normpath(path.parent / path.readlink()))
