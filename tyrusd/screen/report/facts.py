"""Everything that the page of a run is made from, as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

Data: TypeAlias = Mapping[str, Any]
"""Plain maps, lists, texts, numbers and None, as JSON has them."""

CONFIDENCE: Final = 0.95
"""How often an interval of the page holds the true value."""


class Failure(NamedTuple):
    """A game that ended by a fault, or a pair that a bot never was ready for.

    game: its id, or that of the pair. opponent: the other name. sealed: the pair has not ended, so that
    nothing of the game may be shown. lines: what went over the wire before the fault. words: the end of the
    error output. log: where to read on, None where there is no log.
    """

    game: str
    bot: str
    opponent: str
    side: str
    reason: str
    detail: str
    sealed: bool
    lines: Sequence[str] = ()
    words: Sequence[str] = ()
    log: str | None = None


class Facts(NamedTuple):
    """What a report tells.

    title: what the run is called. stats: the statistics (docs/statistics.md). manifests: of each run, the
    versions, bots and machines. plans: of each run, what was to be played. games: the records that may be
    shown whole, in the order of the schedule, each with the number of its run, or 0 for the only one; see
    `selection`. machines: host, processor and how many games were played there. left_out: how many abnormal
    games there are beyond those shown. time: by bot, see `timing`. course: pairs and log-likelihood ratio as
    a sequential test went on, None without a test. open_seed: the runs are over, so that their seeds (which
    tell every deal) are in the plans.
    """

    title: str
    stats: Data
    manifests: Sequence[Data] = ()
    plans: Sequence[Data] = ()
    games: Sequence[tuple[int, Data]] = ()
    machines: Sequence[tuple[str, str, int]] = ()
    left_out: int = 0
    time: Mapping[str, Data] = MappingProxyType({})
    failures: Sequence[Failure] = ()
    course: Sequence[tuple[int, float]] | None = None
    open_seed: bool = False
