"""Typed lines are read from whatever the standard input is, and its flags stay as they were."""

from __future__ import annotations

import fcntl
import os
import pty
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from tyrus_client.reader import LineReader


async def all_lines(reader: LineReader) -> list[str]:
    lines = []
    while (line := await reader.read_line()) is not None:
        lines.append(line)
    return lines


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    for descriptor in (reading, writing):
        try:
            os.close(descriptor)
        except OSError:
            assert descriptor == writing, "only the writing end may have been closed by the test"


async def test_a_file_is_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "typed"
    file.write_bytes(b"who\r\n\nplay greedy\nlast without end")
    with file.open("rb") as opened:
        lines = await all_lines(LineReader(opened.fileno()))
    assert lines == ["who", "", "play greedy", "last without end"]


async def test_the_null_device_is_an_empty_input() -> None:
    descriptor = os.open(os.devnull, os.O_RDONLY)
    try:
        assert await all_lines(LineReader(descriptor)) == []
    finally:
        os.close(descriptor)


async def test_a_pipe_gives_lines_as_they_are_completed(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    reader = LineReader(reading)
    os.write(writing, b"one\ntw")
    assert await reader.read_line() == "one"
    with trio.move_on_after(0) as scope:
        await reader.read_line()
    assert scope.cancelled_caught, "half a line is not given out"
    os.write(writing, b"o\n")
    assert await reader.read_line() == "two"
    os.close(writing)
    assert await reader.read_line() is None
    assert await reader.read_line() is None


async def test_bytes_that_are_no_text_and_endless_lines_do_no_harm(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    reader = LineReader(reading)
    os.write(writing, b"\xff\xfe\n" + b"x" * 30_000 + b"\nnext\n")
    assert await reader.read_line() == "\ufffd\ufffd"
    endless = await reader.read_line()
    assert endless is not None
    assert set(endless) == {"x"}
    assert len(endless) <= 8192
    assert await reader.read_line() == "next"


async def test_a_closed_input_is_an_empty_one() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    os.close(writing)
    assert await LineReader(reading).read_line() is None


async def test_a_terminal_is_read_and_its_flags_are_left_alone() -> None:
    keyboard, terminal = pty.openpty()
    try:
        before = fcntl.fcntl(terminal, fcntl.F_GETFL)
        reader = LineReader(terminal)
        os.write(keyboard, b"s10 ic\n")
        assert await reader.read_line() == "s10 ic"
        os.write(keyboard, b"\x04")  # Ctrl-D on an empty line
        assert await reader.read_line() is None
        assert fcntl.fcntl(terminal, fcntl.F_GETFL) == before
    finally:
        os.close(keyboard)
        os.close(terminal)


async def test_an_input_without_blocking_is_waited_for(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.set_blocking(reading, False)
    os.write(writing, b"one\n")
    assert await LineReader(reading).read_line() == "one"
