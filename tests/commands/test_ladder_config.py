"""The configuration of a ladder: the same words as the options, held to the same checks, with the line."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from tyrusd.commands.ladder import command
from tyrusd.commands.ladder_config import ConfigError, keys_of, read_config
from tyrusd.commands.ladder_words import TimeWords
from tyrusd.league.statistics.plan import SprtPlan

PAGE = (Path(__file__).parents[2] / "docs" / "ladder.md").read_text("utf-8")
OPTIONS = [option for option in command.params if isinstance(option, click.Option)]


def read(text: str, tmp_path: Path) -> dict[str, object]:
    file = tmp_path / "x.toml"
    file.write_text(text, encoding="utf-8")
    return read_config(file, OPTIONS)


def test_everything_can_stand_in_it(tmp_path: Path) -> None:
    found = read(
        """
        [ladder]
        tournament = "gauntlet"
        rounds = 50
        noswap = true
        stop-on-crash = false
        wait = 2.5
        shard = "1/3"
        report = "night.html"
        [each]
        clock = "10+0.1"
        cap = 60
        [sprt]
        elo0 = 0
        elo1 = 5.5
        model = "logistic"
        [[bot]]
        name = "A"
        plugin = "greedy"
        level = 3
        fast = true
        [[bot]]
        name = "B"
        exec = "./b --fast"
        cap = 0.5
        [[bot]]
        name = "C"
        tcp = true
        """,
        tmp_path,
    )
    bots = found.pop("bot")
    assert isinstance(bots, tuple)
    assert [(bot.name, str(bot.seat), bot.times.cap) for bot in bots] == [
        ("A", "plugin:greedy?level=3&fast=true", None),
        ("B", "exec:./b --fast", "0.5"),
        ("C", "tcp:C", None),
    ]
    assert found == {
        "tournament": "gauntlet",
        "rounds": 50,
        "noswap": True,
        "stop_on_crash": False,
        "wait": 2.5,
        "shard": (1, 3),
        "report": Path("night.html"),
        "each": TimeWords("10+0.1", "60"),
        "sprt": SprtPlan(0, 5.5, 0.05, 0.05, "logistic"),
    }


def test_the_keys_are_the_options() -> None:
    assert {f"--{key}" for key in keys_of(OPTIONS)} == {
        option.opts[0] for option in OPTIONS if option.name not in ("bot", "each", "sprt", "resume")
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[ladder]\nrounds = 5\nround = 3\n", "line 3: [ladder] round is not known; there are tournament, "),
        ("[ladder]\nrounds = 0\n", "line 2: [ladder] rounds 0 is not in the range"),
        (
            "[ladder]\nrounds = '5'\n",
            "line 2: [ladder] rounds wants a whole number from 1 to 1000000, not '5'",
        ),
        ("[ladder]\nrounds = true\n", "rounds wants a whole number from 1 to 1000000, not true"),
        ("[ladder]\nrounds = 5.0\n", "rounds wants a whole number"),
        ("[ladder]\nwait = '5'\n", "wait wants a number of seconds from 0.1 to 86400, not '5'"),
        ("[ladder]\nnoswap = 1\n", "noswap wants true or false, not 1"),
        ("[ladder]\nseed = 5\n", "line 2: [ladder] seed wants a text in quotes, not 5"),
        ("[ladder]\ndraws = 'both'\n", "line 2: [ladder] draws 'both' is not one of 'half', 'replay'"),
        ("[ladder]\ndraws = 1\n", "draws wants one of 'half', 'replay', not 1"),
        ("[ladder]\nshard = '3/1'\n", "line 2: [ladder] shard '3/1' is not K/N"),
        ("[ladder]\nresume = 'x'\n", "resume is not known"),
        ("# one\n[laddr]\nrounds = 5\n", "line 2: 'laddr' is not known; there are the tables [ladder]"),
        ("rounds = 5\n", "line 1: 'rounds' is not known; there are the tables"),
        ("ladder = 5\n", "line 1: [ladder] is a table: write [ladder] on a line of its own"),
        ("[bot]\nname = 'A'\n", "is a table for each bot: write [[bot]], with two brackets"),
        (
            "[[bot]]\nplugin='x'\n[[bot]]\nname = 'A b'\nplugin = 'x'\n",
            "line 4: [[bot]] number 2 name: name=",
        ),
        ("[[bot]]\nname = 'A'\n", "line 1: [[bot]] number 1: a bot has one of"),
        (
            "[[bot]]\nname = 'A'\nexec = './b'\nlevel = 3\n",
            "line 4: [[bot]] number 1 level is not known; there are name, plugin",
        ),
        ("[[bot]]\nname = 'A'\ntcp = false\n", "line 3: [[bot]] number 1 tcp wants true, not false"),
        ("[[bot]]\nplugin = 'x'\nlevel = [1]\n", "level wants a text or a number, not [1]"),
        ("[each]\nclock = '10'\n", "line 2: [each] clock: clock=10: a clock is"),
        ("[each]\ntc = '10+0.1'\n", "line 2: [each] tc is not known; here that is clock=BASE+INC"),
        ("[[bot]]\ncmd = './b'\n", "[[bot]] number 1 cmd is not known; here that is exec='COMMAND LINE'"),
        ("[each]\nlevel = 1\n", "line 2: [each] level is not known; there are clock, cap"),
        ("[sprt]\nelo0 = 0\nelo1 = 'x'\n", "line 3: [sprt] elo1: elo1=x: a number"),
        ("[sprt]\nelo0 = 0\n", "line 1: [sprt]: elo1= is missing"),
        ("[sprt]\nelo0 = inf\nelo1 = 5\n", "line 2: [sprt] elo0: elo0=inf"),
        ("[ladder\n", "is no TOML: "),
        ("[ladder]\nrounds = 1\nrounds = 2\n", "is no TOML: "),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_what_is_allowed(
    text: str, told: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError) as caught:
        read(text, tmp_path)
    assert str(caught.value).startswith(str(tmp_path / "x.toml"))
    assert told in str(caught.value)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(b"[ladder]\n\xff\n")
    with pytest.raises(ConfigError, match="line 2: a byte that is no UTF-8"):
        read_config(file, OPTIONS)
    file.write_bytes(b"#" * (1 << 21))
    with pytest.raises(ConfigError, match="larger than"):
        read_config(file, OPTIONS)


def test_the_examples_of_the_page_are_read(tmp_path: Path) -> None:
    examples = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert examples
    for text in examples:
        assert read(text, tmp_path)
