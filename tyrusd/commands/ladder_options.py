"""The options of `tyrusd ladder`, in the order of its page, and what was typed of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

import click

from tyrusd.commands.ladder_words import BotType, BotWords, SprtType, TimesType, TimeWords
from tyrusd.commands.options import SecondsRange, WholeRange, bot_options

if TYPE_CHECKING:
    from tyrusd.league.statistics.plan import SprtPlan
    from tyrusd.league.tournament.plan import Draws, Kind

    _ShardBase = click.ParamType[tuple[int, int]]
else:  # older versions of click have no type arguments
    _ShardBase = click.ParamType

KINDS: Final = ("roundrobin", "gauntlet", "swiss", "knockout")
_MOST: Final = 1_000_000
_SHARD: Final = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")
_Command = TypeVar("_Command", bound=Callable[..., Any])


class ShardType(_ShardBase):
    """A fixed share of a ladder's pairs: K/N."""

    name = "share"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Read a share."""
        if isinstance(value, tuple):
            return value
        found = _SHARD.fullmatch(value)
        if found is None or int(found[1]) > int(found[2]):
            self.fail(f"{value!r} is not K/N, such as 1/3 for the first of three shares", param, ctx)
        return int(found[1]), int(found[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What was typed or stands in the configuration; None where that is worked out later."""

    bot: tuple[BotWords, ...]
    each: TimeWords
    tournament: Kind
    rounds: int | None
    games: Literal[1, 2]
    noswap: bool
    seeds: int | None
    swiss_rounds: int | None
    draws: Draws
    sprt: SprtPlan | None
    seed: str | None
    deals: Path | None
    variant: str
    ponder: str
    concurrency: int | None
    workers: int | None
    affinity: bool
    dask: str | None
    stop_on_crash: bool | None
    suspend_after: int
    out: Path | None
    resume: Path | None
    shard: tuple[int, int] | None
    ratinginterval: int
    outcomeinterval: int
    game_lines: bool
    resultformat: str
    events: str | None
    report: Path | None
    as_json: bool
    bot_memory: int
    bot_cpu: int | None
    sandbox: str
    bot_start: float
    trust_memory: bool
    listen: str
    wait: float
    allow_plaintext: bool


# What may be typed beside --resume: how a run is played and told, not what it is.
WITH_RESUME: Final = frozenset(
    {
        "resume", "concurrency", "workers", "affinity", "dask", "ratinginterval", "outcomeinterval",
        "resultformat", "game_lines", "events", "report", "as_json", "listen", "allow_plaintext",
        "stop_on_crash",
    }
)  # fmt: skip


def ladder_options(command: _Command) -> _Command:
    """Add all options to the command."""
    for option in reversed((*_PLAYED, *_PACE, *_RUN, *_TOLD)):
        command = option(command)
    return command


def _file(**more: Any) -> click.Path:
    return click.Path(path_type=Path, **more)


_PLAYED: Final = (
    click.option(
        "--bot", type=BotType(), multiple=True, metavar="WORDS",
        help='A bot, such as "name=A plugin=greedy level=3"; may be repeated.',
    ),
    click.option(
        "--each", type=TimesType(), default=TimeWords(), show_default=False, metavar="WORDS",
        help="Times of every bot, such as \"clock=10+0.1 cap=60\".  [default: clock=none cap=60]",
    ),
    click.option(
        "--tournament", type=click.Choice(KINDS), default="roundrobin", show_default=True,
        help="Who meets whom.",
    ),
    click.option(
        "--rounds", type=WholeRange(1, _MOST), metavar="N",
        help="Deals for each pairing.  [default: 1, with --sprt until it is decided]",
    ),
    click.option(
        "--games", type=WholeRange(1, 2), default=2, show_default=True, metavar="N",
        help="Games on each deal; 2: the second with the seats swapped.",
    ),
    click.option("--noswap", is_flag=True, help="The same as --games 1."),
    click.option(
        "--seeds", type=WholeRange(1, 1024), metavar="N",
        help="First bots that meet all others, or are seeded.  [default: gauntlet 1, knockout all]",
    ),
    click.option(
        "--swiss-rounds", type=WholeRange(1, 100), metavar="N",
        help="Rounds of a swiss tournament.  [default: as many as single out a winner]",
    ),
    click.option(
        "--draws", type=click.Choice(["half", "replay"]), default="half", show_default=True,
        help="What becomes of a drawn game.",
    ),
    click.option(
        "--sprt", type=SprtType(), metavar="WORDS",
        help="Sequential test, such as \"elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized\".",
    ),
    click.option("--seed", metavar="S", help="Text that decides all chance.  [default: 128 random bits]"),
    click.option(
        "--deals", type=_file(dir_okay=False), metavar="FILE", help="Deals of `tyrusd deals` to play."
    ),
    click.option(
        "--variant", type=click.Choice(["standard", "replay-ties"]), default="standard", show_default=True,
        help="Rules of a tie.",
    ),
    click.option(
        "--ponder", type=click.Choice(["on", "off"]), default="on", show_default=True,
        help="Whether bots are told that they may think on the other side's time.",
    ),
)  # fmt: skip

_PACE: Final = (
    click.option(
        "--concurrency", type=WholeRange(1, 1024), metavar="N",
        help="Games at a time.  [default: one for each processor]",
    ),
    click.option(
        "--workers", type=WholeRange(1, 1024), metavar="N",
        help="Processes that play them.  [default: one for each processor, at most N of --concurrency]",
    ),
    click.option("--affinity", is_flag=True, help="Keep each worker and its bots to a processor of its own."),
    click.option(
        "--dask", metavar="ADDRESS",
        help="Play on the machines of the Dask scheduler at tcp://HOST:PORT or tls://HOST:PORT.",
    ),
)  # fmt: skip

_RUN: Final = (
    click.option(
        "--stop-on-crash/--no-stop-on-crash", default=None, show_default=False,
        help="Whether the first crash of a bot ends the run.  [default: on with --sprt, otherwise off]",
    ),
    click.option(
        "--suspend-after", type=WholeRange(1, _MOST), default=10, show_default=True, metavar="N",
        help="Failures of a bot in a row after which the rest of its games are left out.",
    ),
    bot_options(auto=True),
    click.option(
        "--trust-memory", is_flag=True,
        help="Swap the seats on the deals of tcp bots, too, though they may remember.",
    ),
    click.option(
        "--listen", default="127.0.0.1:0", show_default=True, metavar="HOST:PORT",
        help="Where tcp bots connect.",
    ),
    click.option(
        "--wait", type=SecondsRange(0.1, 86_400), default=60.0, show_default=True, metavar="SECONDS",
        help="How long to wait for a tcp bot.",
    ),
    click.option(
        "--allow-plaintext", is_flag=True, help="Accept unencrypted traffic on addresses other than loopback."
    ),
    click.option(
        "--out", type=_file(), metavar="DIR",
        help="New directory of the run.  [default: ladder-DATE-TIME]",
    ),
    click.option("--resume", type=_file(), metavar="DIR", help="Go on with the run of that directory."),
    click.option("--shard", type=ShardType(), metavar="K/N", help="Play only the K-th of N fixed shares."),
)  # fmt: skip

_TOLD: Final = (
    click.option(
        "--ratinginterval", type=WholeRange(0, _MOST), default=100, show_default=True, metavar="N",
        help="Games after which the standings are printed; 0: never.",
    ),
    click.option(
        "--outcomeinterval", type=WholeRange(0, _MOST), default=10, show_default=True, metavar="N",
        help="Games of a pairing after which its wins, losses and draws are printed; 0: never.",
    ),
    click.option("--game-lines", is_flag=True, help="Print a line for every finished game."),
    click.option(
        "--resultformat", default="default", show_default=True, metavar="WORD|COLUMN,...",
        help="Columns of the standings.",
    ),
    click.option("--events", metavar="FILE|-", help="Tell everything that happens as JSON, a line each."),
    click.option(
        "--report", type=_file(dir_okay=False), metavar="FILE", help="Write a page of HTML at the end."
    ),
    click.option("--json", "as_json", is_flag=True, help="The statistics as one JSON object on stdout."),
)  # fmt: skip
