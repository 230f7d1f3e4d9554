"""Makes the plan of a ladder from what was typed; what does not fit together is refused in a sentence."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tyrusd.commands.options import seed_of
from tyrusd.commands.running import Missing, check_options, usage
from tyrusd.core.seatspec import is_name

if TYPE_CHECKING:
    from tyrusd.commands.ladder_options import Typed
    from tyrusd.host.ladder.plan import LadderEntrant, LadderPlan, Pace, SandboxWord
    from tyrusd.league.tournament.plan import TournamentPlan

MOST_BOTS: Final = 256
NEEDS: Final = "needs: pip install 'tyrusd[ladder]'"


def require_extra() -> None:
    """Refuse to begin what could not be told at its end: the statistics want numpy, the progress rich."""
    from importlib.util import find_spec

    missing = [name for name in ("numpy", "rich") if find_spec(name) is None]
    if missing:
        raise Missing(f"tyrusd ladder wants {' and '.join(missing)}; {NEEDS}")


def plan_of(typed: Typed) -> LadderPlan:
    """The plan, checked as far as anything can be before it starts; exit code 2 or 3 otherwise."""
    from tyrusd.host.ladder.plan import LadderPlan
    from tyrusd.rules.variants import VARIANTS

    entrants = _entrants(typed)
    terms = _terms(typed, entrants)
    deals, deals_hash = None, None
    if typed.deals is not None:
        from tyrusd.host.deal_files import read_deal_file

        try:
            deals, deals_hash = read_deal_file(typed.deals)
        except OSError as error:
            usage(f"--deals {typed.deals} cannot be read: {error.strerror}")
        except ValueError as error:
            usage(f"--deals {typed.deals}: {error}")
    plan = LadderPlan(
        terms,
        entrants,
        variant=VARIANTS[typed.variant],
        deals=deals,
        deals_hash=deals_hash,
        deals_file=typed.deals,
        typed_seed=typed.seed is not None,
        sandbox=_sandbox(typed.sandbox),
        memory=typed.bot_memory,
        processor=typed.bot_cpu,
        start=typed.bot_start,
        wait=typed.wait,
        ponder=typed.ponder == "on",
        trust_memory=typed.trust_memory,
    )
    _try_out(plan)
    return plan


def pace_of(typed: Typed, plan: LadderPlan) -> Pace:
    """How it is played: one game for each processor, unless something else was typed."""
    from tyrusd.host.ladder.plan import Pace

    if typed.dask is not None:
        from tyrusd.commands.ladder_dask import cluster_pace

        return cluster_pace(typed, plan)
    cores = processors()
    concurrency = typed.concurrency or cores
    workers = typed.workers or min(cores, concurrency)
    if any(entrant.seat.kind == "tcp" for entrant in plan.entrants):
        if typed.workers is not None and typed.workers > 1:
            usage("--workers: where a bot comes over tcp one process plays all games, so leave it out")
        workers = 1
    return Pace(concurrency, min(workers, concurrency), typed.affinity)


def processors() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _entrants(typed: Typed) -> tuple[LadderEntrant, ...]:
    from tyrusd.host.ladder.plan import LadderEntrant
    from tyrusd.host.programs import NoProgram, program_for, seat_name
    from tyrusd.league.clock import TimeControl

    if len(typed.bot) < 2:
        have = "no bot is" if not typed.bot else "one bot is"
        usage(f'a ladder wants two bots or more and {have} given: add --bot "name=A plugin=greedy"')
    if len(typed.bot) > MOST_BOTS:
        usage(f"{len(typed.bot)} bots are too many: a ladder has at most {MOST_BOTS}")
    entrants = []
    for bot in typed.bot:
        name = bot.name or seat_name(bot.seat)
        if not is_name(name):
            usage(f"--bot {bot.seat}: {name!r} is no name; give it one with name=")
        clock = bot.times.clock or typed.each.clock or "none"
        cap = bot.times.cap or typed.each.cap or "60"
        entrants.append(LadderEntrant(name, bot.seat, TimeControl.parse(clock, cap)))
        if bot.seat.kind != "tcp":
            try:
                program_for(bot.seat)
            except NoProgram as error:
                usage(f"--bot {name}: {error}")
    _refuse_equal_names([entrant.name for entrant in entrants])
    check_options([entrant.seat for entrant in entrants])
    return tuple(entrants)


def _refuse_equal_names(names: Sequence[str]) -> None:
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.lower(), name)
        if other is not name or names.count(name) > 1:
            usage(
                f"two bots have the name {name}"
                f"{'' if other == name else f' (the other is written {other})'}: "
                "give each its own with name="
            )


def _terms(typed: Typed, entrants: Sequence[LadderEntrant]) -> TournamentPlan:
    from tyrusd.league.tournament.plan import TournamentPlan

    kind, count = typed.tournament, len(entrants)
    if typed.sprt is not None and (count != 2 or kind != "roundrobin"):
        usage("--sprt is a test of two bots: give two, and no other --tournament")
    if typed.seeds is not None:
        if kind not in ("gauntlet", "knockout"):
            usage(f"--seeds is for --tournament gauntlet or knockout, and this is a {kind}")
        most = count - 1 if kind == "gauntlet" else count
        if typed.seeds > most:
            usage(f"--seeds {typed.seeds}: with {count} bots a {kind} has at most {most}")
    if typed.swiss_rounds is not None and kind != "swiss":
        usage(f"--swiss-rounds is for --tournament swiss, and this is a {kind}")
    if typed.shard is not None and kind not in ("roundrobin", "gauntlet"):
        usage(f"--shard needs pairings that are known before the first game, and a {kind} has none")
    if typed.shard is not None and typed.sprt is not None:
        usage("--shard and --sprt do not go together: a test looks at all pairs in their order")
    tcp = frozenset(entrant.name for entrant in entrants if entrant.seat.kind == "tcp")
    if typed.trust_memory and not tcp:
        usage("--trust-memory is for tcp bots, and there is none: others are kept apart in any case")
    rounds = typed.rounds if typed.rounds is not None else None if typed.sprt is not None else 1
    seeds = typed.seeds if typed.seeds is not None else count if kind == "knockout" else 1
    return TournamentPlan(
        kind=kind,
        entrants=tuple(entrant.name for entrant in entrants),
        seed=seed_of(typed.seed),
        rounds=rounds,
        games=1 if typed.noswap else typed.games,
        unswapped=frozenset() if typed.trust_memory else tcp,
        seeds=seeds,
        swiss_rounds=typed.swiss_rounds,
        draws=typed.draws,
        suspend_after=typed.suspend_after,
        stop_on_crash=typed.sprt is not None if typed.stop_on_crash is None else typed.stop_on_crash,
        sprt=typed.sprt,
        shard=typed.shard,
    )


def _try_out(plan: LadderPlan) -> None:
    """Let the tournament look at its terms, and count the deals that it wants."""
    from tyrusd.league.tournament.tournament import Tournament

    try:
        total = Tournament(plan.tournament).total_pairs
    except ValueError as error:
        usage(str(error))
    if plan.deals is not None and total is not None and len(plan.deals) < total:
        usage(
            f"--deals: {total} deals are wanted, and the file has {len(plan.deals)}: "
            f"make one with `tyrusd deals --count {total}`"
        )


def _sandbox(word: str) -> SandboxWord:
    """What bots run in: with `auto` bubblewrap where it works."""
    from tyrusd.host.sandbox import NoSandbox, find

    if word == "none":
        return "none"
    try:
        find()
    except NoSandbox as error:
        if word == "bwrap":
            raise Missing(str(error)) from error
        return "none"
    return "bwrap"
