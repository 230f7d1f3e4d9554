"""One worker, a real process, and its link: what it refuses, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.host.daemons import wait_until
from tests.host.ladders import noted, noting, plan, task
from tests.host.test_host_children import alive
from tyrusd.host.ladder import link
from tyrusd.host.ladder.machine import machine
from tyrusd.host.ladder.process import COMMAND
from tyrusd.host.ladder.terms import ConfinementWords, bot_words, task_words


def setup(*seats: str, **terms: Any) -> link.Setup:
    bots = tuple(
        [bot_words(entrant, {}) for entrant in plan(seats or ("plugin:greedy", "plugin:random")).entrants]
    )
    found = link.Setup(bots, "standard", 2, ConfinementWords(512), "/")
    return msgspec.structs.replace(found, **terms)


class Link:
    """The coordinator's end of a worker's link."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._frames = link.Frames()
        self._heard: list[link.ToCoordinator] = []

    def say(self, *messages: link.ToWorker) -> None:
        self.send(b"".join(map(link.framed, messages)))

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def hear(self) -> link.ToCoordinator:
        while not self._heard:
            assert self.process.stdout is not None
            data = os.read(self.process.stdout.fileno(), 65536)
            assert data, "the worker has ended"
            self._heard += map(link.read_by_coordinator, self._frames.feed(data))
        return self._heard.pop(0)

    def ended(self, *, closing: bool = False) -> tuple[int, list[link.ToCoordinator], str]:
        """Wait for the end: the exit code, what it still said, its error output.

        closing: end its input first.
        """
        assert self.process.stdin and self.process.stdout and self.process.stderr
        if closing:
            self.process.stdin.close()
        rest = self._heard + list(
            map(link.read_by_coordinator, self._frames.feed(self.process.stdout.read()))
        )
        err = self.process.stderr.read().decode()
        return self.process.wait(20), rest, err


@contextmanager
def worker(*messages: link.ToWorker) -> Iterator[Link]:
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            found = Link(process)
            found.say(*messages)
            yield found
        finally:
            process.kill()


def test_a_pair_is_played_and_kept() -> None:
    with worker(setup(), link.Play(task_words(task(3))), link.Finish()) as found:
        assert found.hear() == link.Ready(found.process.pid, *machine())
        results = []
        while not isinstance(said := found.hear(), link.PairDone):
            assert isinstance(said, link.Result)
            results.append(said)
            # Twice, and for one that nobody waits for: neither does harm.
            found.say(link.Kept(said.id), link.Kept(said.id), link.Kept(9999))
        assert said == link.PairDone(3, 1)
        assert sorted(result.game for result in results) == ["p3-1", "p3-2"]
        assert found.ended() == (0, [link.Bye()], "")


def test_it_answers_at_once_although_games_run(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    with worker(setup(noting(file, 1.0), "plugin:random"), link.Play(task_words(task(1)))) as found:
        found.hear()
        wait_until(lambda: noted(file, "game"))
        found.say(link.Ask(7))
        assert found.hear() == link.Alive(7)


@pytest.mark.parametrize("way", ["end of input", "SIGTERM"])
def test_it_ends_with_its_bots_and_reports_nothing_of_running_games(tmp_path: Path, way: str) -> None:
    file = tmp_path / "notes"
    with worker(setup(noting(file, 0.5), "plugin:random"), link.Play(task_words(task(1)))) as found:
        found.hear()
        wait_until(lambda: len(noted(file, "game")) == 2)
        if way == "SIGTERM":
            found.process.send_signal(signal.SIGTERM)
        code, rest, _ = found.ended(closing=way == "end of input")
        assert (code, rest) == (1, [])
        wait_until(lambda: not any(alive(note["pid"]) for note in noted(file, "start")), 5)


def test_an_aborted_result_is_nobody_s(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    with worker(setup(noting(file, 0.5), "plugin:random"), link.Play(task_words(task(1)))) as found:
        found.hear()
        wait_until(lambda: len(noted(file, "game")) == 2)
        found.say(link.Abort())
        code, rest, err = found.ended()
        assert (code, rest, err) == (0, [link.Bye()], "")
        assert len(noted(file, "over")) == 2  # the bots are told that nothing comes of it


def test_a_result_that_was_not_kept_before_an_abort_is_not_told_as_won(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    with worker(setup(noting(file), "plugin:random"), link.Play(task_words(task(1, games=(1,))))) as found:
        found.hear()
        assert isinstance(found.hear(), link.Result)
        found.say(link.Abort())
        code, rest, _ = found.ended()
        assert (code, rest) == (0, [link.Bye()])
        [over] = noted(file, "over")
        assert " aborted" in over["line"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", "a frame of 1195725856 bytes is announced, at most 4194304 are allowed"),
        (b"\0\0\0\1\xc1", "a frame cannot be read: "),
        (link.framed(link.Kept(1)), "the first frame is Kept and not Setup"),
        (link.framed(setup()) + link.framed(setup()), "a worker is set up once"),
        (
            link.framed(setup(bots=())) + link.framed(link.Play(task_words(task(1)))),
            "a pair cannot be played: ",
        ),
        (
            link.framed(setup(bots=2 * setup().bots)),
            "the setup cannot be used: two bots of a ladder have one name",
        ),
    ],
    ids=["text", "garbage", "order", "twice", "strangers", "names"],
)
def test_what_makes_no_sense_ends_it_with_a_sentence(data: bytes, sentence: str) -> None:
    with worker() as found:
        found.send(data)
        code, rest, err = found.ended()
        assert code == 1
        assert rest in ([], [link.Ready(found.process.pid, *machine())])
        [line] = err.splitlines()
        assert sentence in line


def test_a_worker_without_a_coordinator_says_so() -> None:
    done = subprocess.run([*COMMAND, "--help"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "tyrusd: a worker is started by `tyrusd ladder`, not by hand\n"


def test_a_worker_whose_parent_is_gone_plays_nothing() -> None:
    done = subprocess.run(
        [*COMMAND, "--parent", "1"], capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")


def test_its_memory_is_its_own() -> None:
    with worker(setup()) as found:
        found.hear()
        # Processes of the same user read it otherwise; what is not dumpable belongs to root.
        owner = Path(f"/proc/{found.process.pid}/mem").stat().st_uid
        assert owner == 0
        dumpable = subprocess.run(
            [sys.executable, "-c", "import ctypes; print(ctypes.CDLL(None).prctl(3))"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert dumpable.stdout == "1\n"  # the control: a program is dumpable unless it says otherwise
        assert os.getsid(found.process.pid) == found.process.pid  # a session of its own
