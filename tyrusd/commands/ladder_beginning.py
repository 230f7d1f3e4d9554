"""What a ladder says before its first game: what a failure does, how far bots are apart, what is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tyrusd.host.ladder.plan import LadderPlan, Pace

_GUESSABLE: Final = (
    "the seed was typed: whoever guesses it knows all deals, so leave --seed out where that matters"
)


def beginning(
    plan: LadderPlan, pace: Pace, processors: int, *, stops: bool, chosen: bool, cluster: str | None = None
) -> list[str]:
    """The lines, the first of which tells what the crash of a bot does: stops; chosen: by an option.

    cluster: the scheduler of the machines that play.
    """
    return [
        _on_crash(plan, stops=stops, chosen=chosen),
        _what(plan, pace, processors) if cluster is None else _on_machines(plan, pace, cluster),
        _apart(plan),
        *_tcp(plan),
        *([_GUESSABLE] if plan.typed_seed else []),
    ]


def _on_crash(plan: LadderPlan, *, stops: bool, chosen: bool) -> str:
    chosen = chosen or stops != (plan.tournament.sprt is not None)
    if stops:
        why = "--stop-on-crash" if chosen else "the default with --sprt"
        return f"the first crash of a bot stops the run ({why}); --no-stop-on-crash lets it go on"
    why = "--no-stop-on-crash" if chosen else "the default"
    return (
        f"a bot that fails loses that game, is started again, and the run goes on ({why}); "
        "--stop-on-crash stops it"
    )


def _what(plan: LadderPlan, pace: Pace, processors: int) -> str:
    games = "1 game at a time" if pace.concurrency == 1 else f"{pace.concurrency} games at a time"
    line = f"{_terms(plan)}; {games} in {_counted(pace.workers, 'process')}"
    if pace.concurrency > processors:
        line += (
            f"; that is more than the {_counted(processors, 'processor')} here, so bots share them and their "
            "times are not fair"
        )
    return line


def _on_machines(plan: LadderPlan, pace: Pace, cluster: str) -> str:
    games = _counted(pace.concurrency, "game")
    return (
        f"{_terms(plan)}; one game at a time for each thread of the workers at {cluster}, at most {games}; "
        "bots hear results there before they are kept here"
    )


def _terms(plan: LadderPlan) -> str:
    terms = plan.tournament
    count = f"{len(plan.entrants)} bots"
    deals = "deals until the test decides" if terms.rounds is None else f"{terms.rounds} deals a pairing"
    deals = "1 deal a pairing" if terms.rounds == 1 else deals
    once = "each played once" if _all_once(plan) else "each played twice with the seats swapped"
    if not _all_once(plan) and terms.unswapped:
        once += f" but for those of {' and '.join(_named(plan))}"
    share = "" if terms.shard is None else f"; share {terms.shard[0]} of {terms.shard[1]}"
    return f"{terms.kind} of {count}, {deals}, {once}{share}"


def _all_once(plan: LadderPlan) -> bool:
    """Whether no deal is played twice, since that is not wanted or one of any two may remember."""
    terms = plan.tournament
    return terms.games == 1 or len(terms.entrants) - len(terms.unswapped) < 2


def _named(plan: LadderPlan) -> list[str]:
    return [name for name in plan.tournament.entrants if name in plan.tournament.unswapped]


def _counted(number: int, word: str) -> str:
    plural = f"{word}es" if word.endswith("s") else f"{word}s"
    return f"1 {word}" if number == 1 else f"{number} {plural}"


def _apart(plan: LadderPlan) -> str:
    if all(entrant.seat.kind == "tcp" for entrant in plan.entrants):
        return "all bots come over tcp: nothing here keeps them from remembering"
    if plan.sandbox == "bwrap":
        return (
            "bots run in bubblewrap: the processes for first and for second games on a deal share no "
            "writable directory and no network"
        )
    if plan.tournament.games == 1:
        return "bots run without a sandbox: only their limits keep them from files and the network"
    return (
        "bots run without a sandbox: first and second games on a deal have processes of their own, but files "
        "or the network could carry what one has seen to the other (--sandbox bwrap prevents that)"
    )


def _tcp(plan: LadderPlan) -> list[str]:
    names = [entrant.name for entrant in plan.entrants if entrant.seat.kind == "tcp"]
    if not names or plan.tournament.games == 1:
        return []
    told = " and ".join(names)
    if plan.trust_memory:
        return [f"{told} over tcp may remember, and deals are swapped all the same (--trust-memory)"]
    return [f"{told} over tcp may remember a deal: its deals are played once, and the colours alternate"]
