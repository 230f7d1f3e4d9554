"""Whether a tournament has a winner: only where nothing that was left out could change the first place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from tyrusd.league.pairing.ranking import Row, level
from tyrusd.league.tournament.forms import blames
from tyrusd.league.tournament.pair import Pair
from tyrusd.league.tournament.verdicts import Halt

if TYPE_CHECKING:
    from tyrusd.league.tournament.tournament import Tournament

_ENDED: Final = {
    "crash": "a crash ended the tournament",
    "deals": "the deals were used up",
    "nobody": "no two were left that may play each other",
}


def names_winner(tournament: Tournament) -> bool:
    """Whether a tournament of this plan is one that somebody can win."""
    return tournament.plan.kind != "gauntlet" and tournament.plan.sprt is None


def no_winner(tournament: Tournament, rows: Sequence[Row]) -> str | None:
    """Why a tournament that is over has no winner; rows: its table. A clause without a full stop.

    None where it has one, where it goes on, and where its plan names none in any case.
    """
    why, plan = tournament.why_over, tournament.plan
    if why is None or not names_winner(tournament):
        return None
    if plan.shard is not None:
        return f"this is share {plan.shard[0]} of {plan.shard[1]}, and what the others hold is missing"
    if why != "played":
        return _ENDED.get(why, f"it was ended before all was played ({why})")
    if not tournament.counted_games():
        return "no game was played that counts"
    if plan.kind == "knockout":
        return _of_knockout(tournament)
    first = rows[0].name
    if first in tournament.verdicts.gone:
        return _gone(tournament, first)
    if plan.kind == "swiss" and tournament.pairs[-1].round != tournament.form.rounds:
        last = tournament.pairs[-1].round
        return f"only {last} of {tournament.form.rounds} rounds could be paired{_causes(tournament)}"
    ahead = [row.name for row in rows if row.points > rows[0].points]
    if ahead:
        return f"{ahead[0]} has more points than {first}, but no game of its own that counts"
    left_out = _left_out(tournament)
    chances = Counter(name for pair in left_out for name in (pair.first, pair.second))
    open_to = (row for row in rows[1:] if chances[row.name])
    if any(row.points + plan.games * chances[row.name] >= rows[0].points for row in open_to):
        return _could_change(sum(len(pair.games) for pair in left_out), _causes(tournament))
    if level(rows[0], rows[1], buchholz=plan.kind == "swiss"):
        return f"{rows[0].name} and {rows[1].name} are level by points and all tie rules"
    return None


def halts_of(tournament: Tournament) -> list[Halt]:
    """The pairings that go no further, by the pair at which they ended, unless that was played in vain."""
    halts = sorted(tournament.verdicts.halted.values())
    return [halt for halt in halts if tournament.pairs[halt.pair - 1].cut in (None, "halted")]


def _left_out(tournament: Tournament) -> list[Pair]:
    """The pairs that were not played, or do not count, and for which nobody was given the points."""
    cut = [pair for pair in tournament.pairs if tournament.verdicts.cut_of(pair) is not None]
    if tournament.plan.kind != "swiss":
        return cut
    gone, blame = tournament.verdicts.gone, blames(tournament.pairs)
    return [pair for pair in cut if not pair.names & gone and blame.get(pair.names) is None]


def _of_knockout(tournament: Tournament) -> str | None:
    winner = tournament.form.champion
    if winner is None:
        return f"nobody was left to win the final{_causes(tournament)}"
    if winner in tournament.verdicts.gone:
        return _gone(tournament, winner)
    ties = [tie for ties in tournament.form.bracket() for tie in ties]
    if not any(tie["winner"] == winner and tie["how"] in ("won", "seed") for tie in ties):
        return f"{winner}, who is the last, has won no tie by playing{_causes(tournament)}"
    for tie in ties:
        if tie["how"] in ("won", "seed") and (games := _could_turn(tournament, tie)):
            return _could_change(games, _causes(tournament))
    return None


def _could_turn(tournament: Tournament, tie: dict[str, Any]) -> int:
    """The games of a tie that were not played, if its loser could have won it by them; else 0."""
    pairs = [tournament.pairs[number - 1] for number in tie["pairs"]]
    cut = [pair for pair in pairs if tournament.verdicts.cut_of(pair) is not None]
    ahead = abs(tie["points"][0] - tie["points"][1])
    games = sum(len(pair.games) for pair in cut)
    return games if cut and tournament.plan.games * len(cut) >= ahead else 0


def _gone(tournament: Tournament, name: str) -> str:
    how = "dropped" if name in tournament.verdicts.dropped else "suspended"
    return f"{name}, who is first, was {how}"


def _could_change(games: int, causes: str) -> str:
    counted = "1 game that does not count" if games == 1 else f"{games} games that do not count"
    return f"{counted} could change the first place{causes}"


def _causes(tournament: Tournament) -> str:
    verdicts = tournament.verdicts
    found = [
        *_named(verdicts.dropped, "dropped"),
        *_named(verdicts.suspended, "suspended"),
        *_named((f"{halt.first} - {halt.second}" for halt in halts_of(tournament)), "halted"),
    ]
    return f" ({'; '.join(found)})" if found else ""


def _named(names: Iterable[str], what: str) -> list[str]:
    told = list(names)
    more = f" and {len(told) - 5} more" if len(told) > 5 else ""
    return [f"{what}: {', '.join(told[:5])}{more}"] if told else []
