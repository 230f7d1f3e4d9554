"""How a sitting of a ladder has ended: its exit code, the lines that say so, and the command that goes on."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from tyrusd.commands.running import FAILURE, GATE, INTERRUPTED

if TYPE_CHECKING:
    from tyrusd.commands.ladder_options import Typed
    from tyrusd.host.ladder.news import RunEnd
    from tyrusd.league.tournament.plan import TournamentPlan
    from tyrusd.league.tournament.tournament import Tournament

_WHY: Final = {
    "crash": "a bot crashed, which stops this run (--stop-on-crash); this goes on with the rest:",
    "deals": "the deals of the file are used up",
    "nobody": "no two bots are left that may play each other",
}
_UNDECIDED: Final = "the test ended undecided"
_ADVICE: Final = {
    "played": ": begin a run with more --rounds, or with none",
    "deals": ": begin a run with more deals (`tyrusd deals --count`), or without --deals",
}


class Verdict(NamedTuple):
    """How it ended; sentence: for stderr, lines: for the results. why: a word or a sentence for events."""

    code: int
    complete: bool
    why: str | None
    lines: tuple[str, ...] = ()
    sentence: str | None = None


def verdict_of(
    end: RunEnd | None, trouble: str | None, plan: TournamentPlan, tournament: Tournament
) -> Verdict:
    """Put together what is known of the end; trouble: a sentence, if the run could not go on."""
    lines = tuple(_lines(plan, tournament))
    failure = trouble or (end.failure if end is not None else None)
    if failure is not None or end is None:
        return Verdict(FAILURE, False, failure, lines, failure)
    if end.interrupted or not end.complete:
        sentence = "interrupted: what was played is kept, and this goes on with the rest:"
        return Verdict(INTERRUPTED, False, "interrupted", lines, sentence)
    why = _WHY.get(end.why or "")
    if end.why == "crash":
        return Verdict(FAILURE, False, end.why, lines, why)
    trouble = _nothing_worked(tournament)
    if trouble is not None:
        return Verdict(FAILURE, True, end.why, (*lines, *([why] if why else [])), trouble)
    if plan.sprt is not None:
        test = tournament.verdicts.test
        decision = None if test is None else test.decision
        undecided = [_UNDECIDED + _ADVICE.get(end.why or "", "")] if decision is None else []
        return Verdict(
            0 if decision == "H1" else GATE, True, end.why, (*lines, *([why] if why else []), *undecided)
        )
    return Verdict(0, True, end.why, (*lines, *([why] if why else [])))


def _nothing_worked(tournament: Tournament) -> str | None:
    """Why this is a failure although it was played to its end: a sentence, None where it is none."""
    absent = tournament.never_ready()
    if absent:
        names = " and ".join(absent)
        return (
            f"{names} did not start, or did not come, so not everything could be played: mend that, and "
            "begin another run"
        )
    return None if tournament.counted_games() else "no game was played that counts"


def _lines(plan: TournamentPlan, tournament: Tournament) -> list[str]:
    found = []
    standing = tournament.standing()
    if standing["champion"] is not None:
        finalists = " and ".join(standing["finalists"])
        found.append(f"winner: {standing['champion']}{f'; finalists: {finalists}' if finalists else ''}")
    elif standing["no_winner"] is not None:
        found.append(f"no winner: {standing['no_winner']}")
    found += [f"halted: {' - '.join(halt['pairing'])} ({halt['why']})" for halt in standing["halted"]]
    if standing["suspended"]:
        found.append(f"suspended: {', '.join(standing['suspended'])}")
    if standing["dropped"]:
        found.append(f"dropped: {', '.join(standing['dropped'])}")
    return found


def resume_line(wishes: Typed, where: Path, why: str | None = None) -> str:
    """The command that goes on with a run, told and played in the same way; why: what has stopped it."""
    words = ["ladder", "--resume", str(where)]
    numbers = (
        ("--concurrency", wishes.concurrency, None),
        ("--workers", wishes.workers, None),
        ("--dask", wishes.dask, None),
        ("--ratinginterval", wishes.ratinginterval, 100),
        ("--outcomeinterval", wishes.outcomeinterval, 10),
        ("--resultformat", wishes.resultformat, "default"),
        ("--events", wishes.events, None),
        ("--report", wishes.report, None),
        ("--listen", wishes.listen, "127.0.0.1:0"),
    )
    for option, value, usual in numbers:
        if value != usual:
            words += [option, str(value)]
    flags = (
        ("--no-stop-on-crash", why == "crash"),
        ("--affinity", wishes.affinity),
        ("--game-lines", wishes.game_lines),
        ("--allow-plaintext", wishes.allow_plaintext),
        ("--json", wishes.as_json),
    )
    words += [option for option, given in flags if given]
    return f"{command_line()} {shlex.join(words)}"


def command_line() -> str:
    """How this program was called, so that it can be called again."""
    name = Path(sys.argv[0]).name
    if name == "tyrusd":
        return shlex.quote(sys.argv[0])
    return f"{shlex.quote(sys.executable)} -m tyrusd" if name == "__main__.py" else "tyrusd"
