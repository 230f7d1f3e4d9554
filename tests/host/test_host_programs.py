"""What a seat's text starts, and what it gets."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.host.installing import install, install_bot
from tyrusd.core.seatspec import parse_seat
from tyrusd.host.plugins import installed
from tyrusd.host.programs import NoProgram, clean_environment, program_for, seat_name


def script(path: Path, mode: int = 0o755) -> Path:
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def test_a_relative_command_starts_where_tyrusd_was_started(tmp_path: Path) -> None:
    script(tmp_path / "my bot")
    program = program_for(parse_seat("exec:'./my bot' --level 3 'a b'"), tmp_path)
    assert program.command == (str(tmp_path / "my bot"), "--level", "3", "a b")
    assert program.directory == str(tmp_path)
    assert not program.frames


def test_a_bare_command_is_looked_up_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = script(tmp_path / "mybot")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program_for(parse_seat("exec:mybot x"), Path("/")).command == (str(tool), "x")


def test_there_is_no_shell(tmp_path: Path) -> None:
    script(tmp_path / "bot")
    with pytest.raises(NoProgram, match=r"'\./bot;' was not found"):
        program_for(parse_seat("exec:./bot; touch x"), tmp_path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("exec:./nosuch", r"'\./nosuch' was not found: there is no .*/nosuch"),
        ("exec:nosuch-program", "'nosuch-program' was not found on PATH$"),
        ("exec:plain", r"'plain' was not found on PATH; did you mean \./plain\?"),
        ("exec:./plain", r"'\./plain' cannot be run: .* not an executable file \(`chmod \+x`"),
        ("exec:./folder", "not an executable file"),
        ("exec:./bot 'open", "No closing quotation; close the quotes"),
        ("exec:''", "names no program"),
        ("plugin:nosuch", "no plugin 'nosuch'; installed are: .*random"),
        ("tcp:alice", "no program to start"),
    ],
)
def test_row_36_a_seat_that_cannot_be_started_is_told_in_a_sentence(
    tmp_path: Path, text: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    script(tmp_path / "plain", 0o644)
    (tmp_path / "folder").mkdir()
    script(tmp_path / "bot")
    with pytest.raises(NoProgram, match=sentence):
        program_for(parse_seat(text), tmp_path)


def test_a_plugin_is_run_by_our_python_in_a_private_directory(tmp_path: Path) -> None:
    listing = installed([install_bot(tmp_path, "my-bots", "mine", "my_bot_module")])
    program = program_for(parse_seat("plugin:mine"), listing=listing)
    assert program.command == (
        sys.executable, "-P", "-m", "tyrusd.sdk.child", "--module", "my_bot_module", "--name", "mine",
    )  # fmt: skip
    assert program.frames
    assert program.directory is None
    # It was found outside of the places that a fresh Python searches.
    assert str(tmp_path) in program.environment["PYTHONPATH"].split(os.pathsep)


def test_the_options_of_a_seat_are_handed_to_its_process(tmp_path: Path) -> None:
    listing = installed([install_bot(tmp_path, "my-bots", "mine", "my_bot_module")])
    program = program_for(parse_seat("plugin:my-bots/mine?level=3&book=a%26b=c"), listing=listing)
    assert program.command[-2:] == ("--option=level=3", "--option=book=a&b=c")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("plugin:mine?", r"after \? come options"),
        ("plugin:mine?level", "'level' is not OPTION=VALUE"),
        ("plugin:mine?=3", "'=3' is not OPTION=VALUE"),
        ("plugin:mine?level=3&", "'' is not OPTION=VALUE"),
        ("plugin:mine?level=é", "not printable ASCII"),
        ("plugin:mine?level=%ff", "does not stand for UTF-8"),
        ("plugin:?level=3", "wants a plugin's name"),
    ],
)
def test_options_that_cannot_be_read_are_told_with_the_seat(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        parse_seat(text)


def test_a_conflict_is_told_with_the_seat(tmp_path: Path) -> None:
    listing = installed([install(tmp_path, name, "[tyrusd_bots]\nx = m\n") for name in ("one", "two")])
    with pytest.raises(NoProgram, match="one/x and two/x"):
        program_for(parse_seat("plugin:x"), listing=listing)


def test_d3_the_environment_is_an_allow_list(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "TYRUSD_TOKEN",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "LD_PRELOAD",
        "AWS_SECRET_ACCESS_KEY",
        "SSH_AUTH_SOCK",
    ):
        monkeypatch.setenv(name, "secret")
    for name in ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ"):
        monkeypatch.setenv(name, "kept")
    assert clean_environment() == dict.fromkeys(("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ"), "kept")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("plugin:greedy", "greedy"),
        ("plugin:my-bots/greedy", "greedy"),
        ("plugin:greedy?level=3", "greedy"),
        ("plugin:my-bots/greedy?path=/x/y", "greedy"),
        ("tcp:Alice_2", "Alice_2"),
        ("exec:./mybot --fast", "mybot"),
        ("exec:/opt/bots/deep.thought.sh", "deep-thought"),
        ("exec:python3 clients/samples/python/bot.py", "bot"),
        ("exec:/usr/bin/python3.11 -u my_bot.py --level 2", "my_bot"),
        ("exec:node bot.js", "bot"),
        ("exec:/opt/venv/bin/tyrus-bot my_bot --option level=3", "my_bot"),
        ("exec:python3 -m my.module", "my"),
        ("exec:python3.11 -u -X dev -W error bot.py data.py", "bot"),
        ("exec:tclsh bot.tcl", "bot"),
        ("exec:tclsh8.6 bot", "bot"),
        ("exec:env tclsh bot.tcl", "bot"),
        ("exec:/usr/bin/env -i DEPTH=3 lua5.4 deep.lua", "deep"),
        ("exec:env ./mybot", "mybot"),
        ("exec:ruby -r json my_bot.rb", "my_bot"),
        ("exec:java -jar x.jar", "x"),
        ("exec:java -XX:+UseSerialGC -cp build/java Bot", "Bot"),
        ("exec:some-language run new.jl", "new"),
        ("exec:mytool weights.bin", "mytool"),
        ("exec:./mybot other.py", "mybot"),
        ("exec:env", "bot"),
        ("exec:python3 -c 'import this'", "python3"),
        ("exec:python3", "python3"),
        (f"exec:./{'b' * 40}", "b" * 32),
        ("exec:./бот", "bot"),
        ("exec:'", "bot"),
    ],
)
def test_a_seat_has_a_name(text: str, name: str) -> None:
    assert seat_name(parse_seat(text)) == name
