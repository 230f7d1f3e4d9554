"""The words of --bot, --each and --sprt: what they come to, and what is refused how."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tyrusd.commands.ladder_words import TimeWords, bot_of, sprt_of, times_of, words_of
from tyrusd.core.seatspec import plugin_words
from tyrusd.league.statistics.plan import SprtPlan


@pytest.mark.parametrize(
    ("text", "name", "seat", "times"),
    [
        ("name=A plugin=greedy level=3", "A", "plugin:greedy?level=3", (None, None)),
        ("plugin=dist/greedy", None, "plugin:dist/greedy", (None, None)),
        ("name=A plugin='greedy?level=3' style=bold", "A", "plugin:greedy?level=3&style=bold", (None, None)),
        ("name=A plugin=x 'text=a & b'", "A", "plugin:x?text=a%20%26%20b", (None, None)),
        ("name=B exec='./b --fast' clock=10+0.1 cap=5", "B", "exec:./b --fast", ("10+0.1", "5")),
        ("name=B exec=\"python3 'my bot.py'\"", "B", "exec:python3 'my bot.py'", (None, None)),
        ("name=C tcp cap=none", "C", "tcp:C", (None, "none")),
    ],
)
def test_a_bot_is_read(text: str, name: str | None, seat: str, times: tuple[str | None, str | None]) -> None:
    bot = bot_of(words_of(text))
    assert (bot.name, str(bot.seat), bot.times) == (name, seat, TimeWords(*times))


@given(st.text(min_size=1, max_size=30))
def test_any_value_of_an_option_reaches_the_plugin(value: str) -> None:
    bot = bot_of({"plugin": "x", "o": value}) if value.isprintable() else None
    if bot is not None:
        assert plugin_words(bot.seat.text) == ("x", (("o", value),))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "a bot has one of plugin=NAME, exec='COMMAND LINE' and tcp"),
        ("name=A", "a bot has one of"),
        ("name=A plugin=x exec=y", "a bot has one of"),
        ("name=A plugin=x tcp", "a bot has one of"),
        ("greedy", "'greedy' is not KEY=VALUE"),
        ("name=A plugin=x name=B", "name= is there twice"),
        ("name=A 'plugin=x", "close the quotes"),
        ("name='A b' plugin=x", "name=A b: a name is 1 to 32 letters"),
        ("name= plugin=x", "name=: a name is"),
        ("name=\x1b[31m plugin=x", "a name is 1 to 32"),
        (f"name={'a' * 33} plugin=x", "a name is 1 to 32"),
        ("name=ä plugin=x", "a name is 1 to 32"),
        ("name=A plugin=", "plugin=: wants a plugin's name"),
        ("name=A exec=", "exec: wants a command line"),
        ("tcp", "a tcp bot needs name=NAME"),
        ("name=A tcp=x", "tcp=x: write the bare word tcp"),
        ("name=A tcp level=3", "level= is not known here; there are name, plugin, exec, tcp, clock, cap"),
        ("name=A exec=./b tc=10+0.1", "tc=: here that is clock=BASE+INC"),
        ("plugin=x tc=5+1", "tc=: here that is clock=BASE+INC; an option of the plugin that is called so"),
        ("plugin=x timemargin=5", "an answer may always come 50 ms after its time; an option of"),
        ("name=A cmd=./b", "write exec='COMMAND LINE' for cmd"),
        ("name=A plugin=x clock=10", "clock=10: a clock is"),
        ("name=A plugin=x cap=0", "cap=0: a cap is"),
        ("name=A plugin=x 1x=3", "'1x' is no name of an option"),
    ],
)
def test_a_bot_is_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        bot_of(words_of(text))


def test_times_of_all() -> None:
    assert times_of(words_of("clock=10+0.1 cap=60")) == TimeWords("10+0.1", "60")
    assert times_of({}) == TimeWords(None, None)
    with pytest.raises(ValueError, match="level= is not known here; there are clock, cap"):
        times_of(words_of("level=3"))
    with pytest.raises(ValueError, match="tc=: here that is clock="):
        times_of(words_of("tc=10+0.1"))


def test_a_test_is_read() -> None:
    assert sprt_of(words_of("elo0=-1.5 elo1=5")) == SprtPlan(-1.5, 5, 0.05, 0.05, "normalized")
    assert sprt_of(words_of("elo0=-.5 elo1=5. alpha=.1 beta=.25")) == SprtPlan(-0.5, 5, 0.1, 0.25)
    words = "elo0=0 elo1=10 alpha=0.1 beta=0.02 model=logistic"
    assert sprt_of(words_of(words)) == SprtPlan(0, 10, 0.1, 0.02, "logistic")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "elo0= is missing"),
        ("elo0=0", "elo1= is missing"),
        ("elo0=5 elo1=0", "elo0 is the smaller"),
        ("elo0=0 elo1=0", "elo0 is the smaller"),
        ("elo0=nan elo1=5", "elo0=nan: a number from -1000 to 1000"),
        ("elo0=. elo1=5", "elo0=.: a number from -1000 to 1000"),
        ("elo0=-. elo1=5", "elo0=-.: a number from"),
        ("elo0=0 elo1=1e3", "elo1=1e3: a number"),
        ("elo0=0 elo1=1001", "elo1=1001: a number"),
        ("elo0=0 elo1=5 alpha=0", "alpha=0: a number from 0.0001 to 0.4999"),
        ("elo0=0 elo1=5 beta=0.5", "beta=0.5: a number from"),
        ("elo0=0 elo1=5 model=bayes", "model=bayes: the models are normalized and logistic"),
        ("elo0=0 elo1=5 gamma=1", "gamma= is not known here; there are elo0, elo1"),
    ],
)
def test_a_test_is_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        sprt_of(words_of(text))
