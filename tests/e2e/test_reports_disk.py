"""A data directory whose disk is full: nothing that is there is harmed, and nothing needs a restart."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Protocol

import pytest

from tests.e2e.account_serving import serving
from tests.host.daemons import Daemon, Peer, login
from tests.tools import require_tool
from tyrusd.host.journal import JOURNAL
from tyrusd.league.framing import whole_frames

# As if the disk were full while a file is there: a part is written, and then it fails.
FULL_DISK = """
import errno
from tyrusd.host import journal
from pathlib import Path
real, full = os.write, Path({flag!r})
class Disk:
    def __getattr__(self, name):
        return getattr(os, name)
    def write(self, descriptor, data):
        if not full.exists():
            return real(descriptor, data)
        if len(data) > 9:
            return real(descriptor, data[:9])
        raise OSError(errno.{error}, os.strerror(errno.{error}))
journal.os = Disk()
"""
PAGE = 4096  # bytes: the last one of a file can be filled on a full disk
ROOM = 400  # bytes: less than the record of a game takes


class Disk(Protocol):
    """Where the data is, and how its disk becomes full."""

    data: Path
    breaking: str

    def fill(self) -> None:
        """Leave no room."""

    def free(self) -> None:
        """Make room again."""


class Injected:
    """A disk on which writes fail as soon as they are told to."""

    def __init__(self, directory: Path, error: str) -> None:
        self.data = directory / "data"
        self._flag = directory / "full"
        self.breaking = FULL_DISK.format(flag=str(self._flag), error=error)

    def fill(self) -> None:
        self._flag.touch()

    def free(self) -> None:
        self._flag.unlink()


class Tiny:
    """A file system of one MiB in memory."""

    breaking = ""

    def __init__(self, directory: Path) -> None:
        self.data = directory / "data"
        self._filler = directory / "filler"

    def fill(self) -> None:
        with self._filler.open("wb", buffering=0) as filler:
            try:
                while filler.write(bytes(512)):
                    pass
            except OSError:
                return

    def free(self) -> None:
        self._filler.unlink()


@contextmanager
def disk(kind: str, tmp_path: Path) -> Iterator[Disk]:
    """A disk of one kind; a tiny one only where file systems may be mounted."""
    if kind != "tmpfs":
        yield Injected(tmp_path, kind)
        return
    require_tool("mount")
    tried = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "none", str(tmp_path)],
        capture_output=True,
        check=False,
    )
    if tried.returncode != 0:
        pytest.skip("nobody but root can mount a tiny file system")
    try:
        yield Tiny(tmp_path)
    finally:
        subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def records(data: Path) -> list[str]:
    """The kinds of all whole records of the journal; nothing else is in it."""
    frames, tail = whole_frames((data / JOURNAL).read_bytes())
    assert tail is None
    return [f"{payload['kind']} {payload.get('id', '')}".strip() for _, payload in frames]


def ended(daemon: Daemon, *peers: Peer) -> str:
    """End the server, when its peers have gone; its log."""
    for peer in peers:
        peer.close()
    daemon.signal(signal.SIGTERM)
    code, _, log = daemon.end()
    assert code == 0 and "Traceback" not in log
    return log


def pair_of(stack: ExitStack, address: tuple[str, int], *names: str) -> list[Peer]:
    return [stack.enter_context(closing(login(address, name))) for name in names]


def word(line: list[str], key: str) -> str:
    return next(found.partition("=")[2] for found in line if found.startswith(f"{key}="))


def silent(peer: Peer, seconds: float) -> bool:
    """Whether nothing comes for a while."""
    peer.socket.settimeout(seconds)
    try:
        return not peer.socket.recv(1, socket.MSG_PEEK)
    except TimeoutError:
        return True
    finally:
        peer.socket.settimeout(10.0)


@pytest.mark.parametrize("kind", ["tmpfs", "EDQUOT"])
def test_f077_a_result_that_finds_the_disk_full_is_kept_when_there_is_room_again(
    tmp_path: Path, kind: str
) -> None:
    """luanti-org/luanti#187: files of players were cut to nothing when the disk was full."""
    with disk(kind, tmp_path) as place, ExitStack() as stack:
        daemon, address = stack.enter_context(serving(place.data, breaking=place.breaking))
        ada, bob, cleo, dora = pair_of(stack, address, "ada", "bob", "cleo", "dora")
        for peer in (ada, bob):
            peer.say("seek")
        game = bob.until("start").split()[1]
        while PAGE - (place.data / JOURNAL).stat().st_size % PAGE > ROOM:  # see PAGE
            ada.say(f"resign {game}")
            bob.until("over")
            for peer in (ada, bob):
                peer.say("seek")
            game = bob.until("start").split()[1]
        before = (place.data / JOURNAL).read_bytes()
        assert f"opened {game}" in records(place.data)
        place.fill()
        ada.say(f"resign {game}")
        assert bob.until("notice", "over").startswith("notice storage ")
        assert ada.until("notice").startswith("notice storage ")
        cleo.say("seek")
        assert cleo.until("error", "ok").startswith("error storage retry ")
        assert (place.data / JOURNAL).read_bytes() == before  # cut back to the last whole record
        place.free()
        assert bob.until("over").split()[4] == "resigned"
        for peer in (cleo, dora):
            peer.say("seek")
        last = dora.until("start").split()[1]
        cleo.say(f"resign {last}")
        dora.until("over")
        log = ended(daemon, ada, bob, cleo, dora)
        told = "a result cannot be written, trying again: "
        assert told in log
        assert (place.data / JOURNAL).read_bytes().startswith(before)
        numbers = range(1, int(last[1:]) + 1)
        assert [each for each in records(place.data) if each.startswith("game ")] == [
            f"game g{number}" for number in numbers
        ]


@pytest.mark.parametrize("error", ["ENOSPC", "EIO"])
def test_f077_a_placement_that_finds_the_disk_full_waits_and_is_told_to_nobody(
    tmp_path: Path, error: str
) -> None:
    """luanti-org/luanti#187: files of players were cut to nothing when the disk was full."""
    with disk(error, tmp_path) as place, ExitStack() as stack:
        daemon, address = stack.enter_context(serving(place.data, breaking=place.breaking))
        ada, bob = pair_of(stack, address, "ada", "bob")
        for peer in (ada, bob):
            peer.say("seek clock=60+0")
        starts = {peer: peer.until("start").split() for peer in (ada, bob)}
        opener, other = sorted(starts, key=lambda peer: f"opener={starts[peer][2]}" not in starts[peer])
        request = opener.until("choose").split()
        game, hand = request[1], word(request, "hand").split(",")
        before = (place.data / JOURNAL).read_bytes()
        place.fill()
        opener.say(f"place {game} {request[2]} {hand[0]} IC tag=late")
        assert silent(other, 0.4) and silent(opener, 0.1)
        assert (place.data / JOURNAL).read_bytes() == before
        place.free()
        while (line := opener.until("ok", "error")) == "ok re=seek":
            pass
        assert line == "ok tag=late re=place"
        answer = other.until("choose").split()
        assert answer[1:3] == [game, "2"]
        assert int(word(answer, "left")) > 59_500  # nobody pays for the disk
        other.say(f"resign {game}")
        opener.until("over")
        log = ended(daemon, ada, bob)
        assert os.strerror(getattr(errno, error)) in log
        kinds = records(place.data)
        assert kinds.count(f"placed {game}") == 1 and kinds[-1] == f"game {game}"
