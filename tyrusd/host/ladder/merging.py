"""One directory out of those of several shares, which may come from different machines: all or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from tyrusd.host.journal import JOURNAL, FileJournal
from tyrusd.host.ladder.cluster_manifest import apart
from tyrusd.host.ladder.cluster_report import check_record
from tyrusd.host.ladder.directory import LOGS, DirectoryError
from tyrusd.host.ladder.files import write_whole
from tyrusd.host.ladder.manifest import machines_of, write_manifest
from tyrusd.host.ladder.past import PastRun, read_run
from tyrusd.host.ladder.plan import PLAN_FILE, LadderPlan
from tyrusd.host.ladder.plan_text import write_plan
from tyrusd.host.ladder.refusals import MANIFEST_FILE, plan_changes
from tyrusd.league.framing import frame
from tyrusd.league.schema import Payload
from tyrusd.league.tournament.fold import tournament_of
from tyrusd.league.tournament.merge import merge
from tyrusd.league.tournament.played import played_of
from tyrusd.league.tournament.task import PairTask
from tyrusd.league.tournament.tournament import Deals, Tournament
from tyrusd.rules.deal import deal_from_bytes, pair_secret, seat_seed, twin_secret
from tyrusd.rules.pieces import Side


class Merged(NamedTuple):
    """What was joined. notes: sentences that whoever asked for it should see."""

    tournament: Tournament
    notes: tuple[str, ...]


def merge_runs(out: Path, directories: Sequence[Path]) -> Merged:
    """Join shares into a new directory, which is a run like any other; nothing is written before all is well.

    Raises DirectoryError, with a sentence, for what is no share, shares that overlap, differ in their plan,
    versions or bots, and records that contradict their plan or themselves.
    """
    _refuse_taken(out)
    runs = [read_run(directory) for directory in directories]
    first = runs[0]
    for run in runs[1:]:
        _refuse_other_plan(first, run)
        _refuse_other_makers(first, run)
    try:
        records = merge([(run.plan.tournament, run.records) for run in runs])
    except ValueError as error:
        names = ", ".join(f"run {number} is {run.path}" for number, run in enumerate(runs, 1))
        raise DirectoryError(f"{error} ({names})") from error
    for run in runs:
        _refuse_lies(run)
    plan = replace(first.plan, tournament=replace(first.plan.tournament, shard=None))
    tournament = tournament_of(plan.tournament, records, _deals(plan))
    _write(out, plan, runs, records)
    return Merged(tournament, (*_missing(runs), *(note for run in runs for note in run.notes)))


def _refuse_taken(out: Path) -> None:
    try:
        taken = out.exists() and (not out.is_dir() or any(out.iterdir()))
    except OSError as error:
        raise DirectoryError(f"the directory {out} cannot be used: {error.strerror}") from error
    if taken:
        raise DirectoryError(f"{out} exists already: name a new directory, nothing is ever overwritten")


def _refuse_other_plan(first: PastRun, run: PastRun) -> None:
    one, other = (replace(each.plan.tournament, shard=None) for each in (first, run))
    if one.seed != other.seed:
        raise DirectoryError(
            f"{first.path} and {run.path} were played with different seeds, so they are no shares of one "
            "ladder: give every share the same --seed"
        )
    found = plan_changes(replace(first.plan, tournament=one), replace(run.plan, tournament=other))
    if found:
        raise DirectoryError(
            f"{first.path} and {run.path} are no shares of one ladder: {found[0].replace(' was ', ' is ', 1)}"
        )


def _refuse_other_makers(first: PastRun, run: PastRun) -> None:
    found = apart(first.manifest, run.manifest)
    if found:
        more = f" (and {len(found) - 1} more differences)" if len(found) > 1 else ""
        raise DirectoryError(f"{first.path} and {run.path} were not played by the same: {found[0]}{more}")


def _refuse_lies(run: PastRun) -> None:
    """See that every game was played on its deal, and that its placements lead to its result."""
    entrants = {entrant.name: entrant for entrant in run.plan.entrants}
    for record in run.records:
        played = played_of(record) if record["kind"] == "game" else None
        if played is None:
            continue
        try:
            task = _task(run, record)
            check_record(record, task, played.place.game, entrants, run.plan.variant.name)
        except ValueError as error:
            raise DirectoryError(f"{run.path / JOURNAL}: {error}") from error


def _task(run: PastRun, record: Payload) -> PairTask:
    """The pair as it was handed out, whatever the record says of it."""
    part, seed = record["ladder"], run.plan.tournament.seed
    pair = run.tournament.pairs[part["pair"] - 1]
    secret = pair_secret(seed, pair.number, part["attempt"])
    given = _deals(run.plan)
    deal = given(pair.number) if given is not None and part["attempt"] == 1 else None
    seeds = [
        (seat_seed(twin, Side.IVORY), seat_seed(twin, Side.BROWN))
        for twin in (twin_secret(secret, 1), twin_secret(secret, 2))
    ]
    return PairTask(
        pair.number,
        part["attempt"],
        pair.round,
        pair.first,
        pair.second,
        (1, 2),
        True,
        deal or deal_from_bytes(secret),
        (seeds[0], seeds[1]),
    )


def _deals(plan: LadderPlan) -> Deals | None:
    deals = plan.deals
    return None if deals is None else lambda pair: deals[pair - 1] if pair <= len(deals) else None


def _missing(runs: Sequence[PastRun]) -> Iterator[str]:
    shards = [run.plan.tournament.shard for run in runs]
    shares = max((shard[1] for shard in shards if shard is not None), default=1)
    there = {shard[0] for shard in shards if shard is not None}
    missing = sorted(set(range(1, shares + 1)) - there)
    if missing and there:
        told = ", ".join(map(str, missing))
        word = "share" if len(missing) == 1 else "shares"
        yield f"{word} {told} of {shares} {'is' if len(missing) == 1 else 'are'} missing"


def _write(out: Path, plan: LadderPlan, runs: Sequence[PastRun], records: Sequence[Payload]) -> None:
    text = write_plan(plan).encode()
    manifest = structs.replace(
        runs[0].manifest,
        began=min(run.manifest.began for run in runs),
        plan=sha256(text).hexdigest(),
        machines=machines_of(records),
    )
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        out.chmod(0o700)
        write_whole(out / MANIFEST_FILE, write_manifest(manifest))
        journal = FileJournal(out / JOURNAL, new=True)
        try:
            journal.append([frame(record) for record in records])
            journal.sync()
        finally:
            journal.close()
        for run in runs:
            _copy_logs(run.path / LOGS, out / LOGS)
        # The plan comes last: a directory that has one is whole.
        write_whole(out / PLAN_FILE, text)
    except OSError as error:
        raise DirectoryError(f"the directory {out} cannot be written: {error.strerror}") from error


def _copy_logs(there: Path, here: Path) -> None:
    """Copy the logs of a share; the names of games differ from share to share."""
    if not there.is_dir():
        return
    here.mkdir(mode=0o700, exist_ok=True)
    for file in sorted(there.iterdir()):
        if file.is_file() and not file.is_symlink():
            shutil.copyfile(file, here / file.name)
            (here / file.name).chmod(0o600)
