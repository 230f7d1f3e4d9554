"""Options: how they are declared, read from texts, and handed to the bot; each wrong one in one sentence."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.sdk.peer import PATIENCE, ROOT, command, environment, write_bot
from tyrusd.sdk import Option, OptionValue
from tyrusd.sdk.options import LONGEST_VALUE, MOST, WrongOptionError, check_declared, described, read_options

DECLARED = (
    Option("level", int, 1, "how deep", low=1, high=4),
    Option("risk", float, 0.5, "how bold", low=0, high=1),
    Option("fast", bool, False, "do not think"),
    Option("book", str, "all", "the openings", choices=("all", "none", "a b")),
    Option("path", str, "", "a file"),
    Option("any", int, 0, "any number"),
)
DEFAULTS = {"level": 1, "risk": 0.5, "fast": False, "book": "all", "path": "", "any": 0}


def test_without_anything_all_have_their_defaults() -> None:
    assert read_options(DECLARED, []) == DEFAULTS
    assert check_declared(list(DECLARED)) == DECLARED


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("level", "4", 4), ("level", "1", 1), ("any", "-12", -12), ("any", "0", 0),
        ("risk", "0", 0.0), ("risk", "1", 1.0), ("risk", "0.25", 0.25), ("risk", "5e-1", 0.5),
        ("fast", "true", True), ("fast", "false", False),
        ("book", "none", "none"), ("book", "a b", "a b"), ("path", "/x/é=&", "/x/é=&"), ("path", "", ""),
    ],
)  # fmt: skip
def test_a_value_is_read_as_its_type(name: str, text: str, value: OptionValue) -> None:
    found = read_options(DECLARED, [(name, text)])
    assert found == DEFAULTS | {name: value}
    assert type(found[name]) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "allowed"),
    [
        ("level", "0", "a whole number from 1 to 4"),
        ("level", "5", "a whole number from 1 to 4"),
        ("level", "", "a whole number from 1 to 4"),
        ("level", "01", "a whole number from 1 to 4"),
        ("level", "+1", "a whole number from 1 to 4"),
        ("level", "1_0", "a whole number from 1 to 4"),
        ("level", " 1", "a whole number from 1 to 4"),
        ("level", "٣", "a whole number from 1 to 4"),
        ("level", "2.0", "a whole number from 1 to 4"),
        ("any", "9" * 19, "a whole number"),
        ("risk", "1.01", "a number from 0 to 1"),
        ("risk", "nan", "a number from 0 to 1"),
        ("risk", "inf", "a number from 0 to 1"),
        ("risk", "1e999", "a number from 0 to 1"),
        ("risk", ".5", "a number from 0 to 1"),
        ("fast", "1", "true or false"),
        ("fast", "True", "true or false"),
        ("book", "some", "one of all, none, a b"),
        ("path", "a\tb", "a text of printable characters"),
        ("path", "x" * (LONGEST_VALUE + 1), "a text of printable characters"),
    ],
)
def test_a_wrong_value_is_told_with_what_is_allowed(name: str, text: str, allowed: str) -> None:
    with pytest.raises(WrongOptionError) as caught:
        read_options(DECLARED, [(name, text)])
    assert str(caught.value) == f"{name}={text} is not possible: {name} takes {allowed}"


def test_a_wrong_name_is_told_with_those_there_are() -> None:
    with pytest.raises(WrongOptionError, match=r"no option 'lvl': there are level \(a whole number from"):
        read_options(DECLARED, [("lvl", "1")])
    with pytest.raises(WrongOptionError, match="no option 'level': this bot has none"):
        read_options([], [("level", "1")])
    with pytest.raises(WrongOptionError, match="the option level is given twice"):
        read_options(DECLARED, [("level", "1"), ("level", "1")])


def option(**changed: Any) -> Option:
    return DECLARED[0]._replace(**changed)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("level", "str instead of a list of Option"),
        (None, "NoneType instead of a list of Option"),
        ([("level", int, 1, "how deep")], "tuple among the options"),
        ([option()] * 2, "the option 'level' is declared twice"),
        ([option(name=f"o{number}") for number in range(MOST + 1)], "33 options, and 32 are the most"),
        (
            [Option(f"o{number}", str, "", "x", choices=("", "y" * 200, "z" * 200)) for number in range(21)],
            "options whose help and choices have more than 8192 characters",
        ),
        ([option(name="Level")], "needs a name of 1 to 32 lower-case letters, digits or _"),
        ([option(name="l" * 33)], "needs a name of 1 to 32 lower-case letters, digits or _"),
        ([option(name=3)], "needs a name of 1 to 32 lower-case letters, digits or _"),
        ([option(type=list)], "needs the type int, float, bool or str"),
        ([option(type="int")], "needs the type int, float, bool or str"),
        ([option(help="")], "needs one line of help"),
        ([option(help="two\nlines")], "needs one line of help"),
        ([option(low=5)], "has a lowest value above its highest"),
        ([option(default=0)], "has the default 0, which is not a whole number from 1 to 4"),
        ([option(default=True)], "has the default True, which is not a whole number"),
        ([option(default=1.0)], "has the default 1.0, which is not a whole number"),
        ([option(choices=[1, 2])], "needs a tuple of choices"),
        ([option(choices=(2, 3))], "has the default 1, which is not one of 2, 3"),
        ([option(choices=(1, 5))], "has the choice 5, which is not"),
        ([Option("fast", bool, False, "quick", low=0)], "has limits, which only numbers have"),
        ([Option("risk", float, float("nan"), "how bold")], "has the default nan, which is not a number"),
    ],
)
def test_a_wrong_declaration_is_told(options: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence.replace("(", r"\(")):
        check_declared(options)


BOT = """
from tyrusd.sdk import Building, Option, Placement, hookimpl

@hookimpl
def tyrusd_options():
    return [Option("level", int, 1, "how deep", low=1, high=4), Option("book", str, "", "the openings")]
"""
WAYS = {
    "a hook": "@hookimpl\ndef tyrusd_configure(options):\n    print(sorted(options.items()))\n"
    "def choose(request):\n    pass\n",
    "a constructor": "class Bot:\n    def __init__(self, level, *, book):\n"
    "        print([('book', book), ('level', level)])\n    def choose(self, request):\n        pass\n",
    "a constructor that takes all": "class Bot:\n    def __init__(self, **options):\n"
    "        print(sorted(options.items()))\n    def choose(self, request):\n        pass\n",
}


def checked(module: str, folder: Path, *given: str) -> tuple[dict[str, Any], str]:
    done = subprocess.run(
        command(module, "--check", *[f"--option={word}" for word in given]),
        env=environment(ROOT, folder), capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    found: dict[str, Any] = json.loads(done.stdout)
    return found, done.stderr.decode()


@pytest.mark.parametrize("way", WAYS)
def test_a_bot_is_handed_the_values(tmp_path: Path, way: str) -> None:
    module = write_bot(tmp_path, BOT + WAYS[way])
    found, log = checked(module, tmp_path, "level=3", "book=a=b")
    assert (found["ok"], log) == (True, "[('book', 'a=b'), ('level', 3)]\n")
    _, log = checked(module, tmp_path)
    assert log == "[('book', ''), ('level', 1)]\n"


def test_the_check_tells_the_options_and_refuses_wrong_ones(tmp_path: Path) -> None:
    module = write_bot(tmp_path, BOT + WAYS["a hook"])
    found, _ = checked(module, tmp_path, "level=9")
    assert (found["ok"], found["reason"]) == (
        False, "level=9 is not possible: level takes a whole number from 1 to 4"
    )  # fmt: skip
    level = {
        "name": "level", "type": "int", "default": 1, "help": "how deep", "low": 1, "high": 4, "choices": [],
        "allowed": "a whole number from 1 to 4",
    }  # fmt: skip
    assert found["options"][0] == level == described(DECLARED[0])
