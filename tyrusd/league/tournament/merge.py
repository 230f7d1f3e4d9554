"""One journal out of several that each hold a share of the same tournament."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Final

from tyrusd.league.schema import Payload
from tyrusd.league.tournament.fold import tournament_of
from tyrusd.league.tournament.plan import TournamentPlan

_LAST: Final = 10**10  # past the number of any pair


def merge(journals: Sequence[tuple[TournamentPlan, Iterable[Payload]]]) -> list[Payload]:
    """Return the records of all shares as one journal of the whole tournament (docs/tournaments.md#shares).

    Beginnings of runs come first, then everything by pair and attempt, then who was dropped. Shares may be
    missing; who goes on with the whole tournament plays their pairs. Raises ValueError, saying which run is
    at fault: for shares that overlap, plans that differ, and records that contradict their plan.
    """
    whole = _whole([plan for plan, _ in journals])
    kept: list[tuple[int, int, Payload]] = []
    for number, (plan, records) in enumerate(journals, 1):
        own = list(records)
        try:
            tournament_of(plan, own)
        except ValueError as fault:
            raise ValueError(f"run {number} contradicts itself: {fault}") from None
        kept += [(*_place(record), record) for record in own if _belongs(record)]
    # A pair is in one share only, so a stable order leaves what was told about it as it was told.
    kept.sort(key=lambda placed: placed[:2])
    merged = [record for _, _, record in kept]
    tournament_of(whole, merged)
    return merged


def _whole(plans: Sequence[TournamentPlan]) -> TournamentPlan:
    if not plans:
        raise ValueError("there is nothing to merge; name the directories of two shares or more")
    first = plans[0]
    whole = replace(first, shard=None)
    taken: dict[int, int] = {}
    for number, plan in enumerate(plans, 1):
        for name in (field.name for field in fields(plan)):
            one, other = getattr(whole, name), getattr(replace(plan, shard=None), name)
            if one != other:
                raise ValueError(
                    f"run 1 and run {number} are not of one tournament: {name} is {_shown(one)} in the first "
                    f"and {_shown(other)} in the other; merge only shares of one plan and seed"
                )
        if plan.shard is None or first.shard is None:
            if len(plans) > 1:
                alone = number if plan.shard is None else 1
                raise ValueError(
                    f"run {alone} is the whole tournament, so it overlaps the others; leave it out"
                )
            continue
        share, shares = plan.shard
        if shares != first.shard[1]:
            raise ValueError(
                f"run 1 is one of {first.shard[1]} shares and run {number} one of {shares}, which may overlap"
                "; merge only shares of one division"
            )
        if taken.setdefault(share, number) != number:
            raise ValueError(
                f"run {taken[share]} and run {number} overlap: both are share {share} of {shares}; "
                "leave one out"
            )
    return whole


def _shown(value: object) -> str:
    return repr(sorted(value) if isinstance(value, frozenset) else value)[:200]


def _belongs(record: Payload) -> bool:
    """Whether a record says something of the tournament; unfinished games do not."""
    kind = record["kind"]
    if kind == "game":
        return record.get("ladder") is not None and record["game"]["reason"] != "aborted"
    return kind in ("run", "unready", "dropped")


def _place(record: Payload) -> tuple[int, int]:
    kind = record["kind"]
    if kind == "run":
        return 0, record.get("stops") is False  # where one share went on after a crash, the whole does
    if kind == "dropped":
        return _LAST, 0  # a bot that was dropped from one share has played its pairs of the others
    where = record["ladder"] if kind == "game" else record
    return where["pair"], where["attempt"]
