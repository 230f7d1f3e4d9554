"""Decides which games of a run may be shown whole, and which of those a page has room for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from tyrusd.rules.game import PLAYED_OUT, REASONS
from tyrusd.screen.report.facts import Data

ABNORMAL: Final = frozenset(REASONS) - PLAYED_OUT - {"resigned"}
"""Ends that neither the board nor a player decided."""
OTHERS: Final = 200  # games that ended as games should
MOST_ABNORMAL: Final = (
    600  # pairs with such games; a run in which everything fails must not make a page without bounds
)

_Item = TypeVar("_Item")


class Chosen(NamedTuple):
    """The games to show, in the order of the schedule, and how many abnormal ones there was no room for."""

    games: list[Data]
    left_out: int


def opened(records: Iterable[Data], once: Callable[[Data], bool]) -> list[Data]:
    """Return the records that may be shown: of pairs of which every game has ended (docs/rules.md, R17).

    records: of finished games of one run; those of no tournament are passed over. once: whether the deal of
    a record's pair is played only once. An attempt that was dealt again opens with the pair, at the latest.
    """
    attempts: dict[int, dict[int, list[Data]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        place = record.get("ladder")
        if place is not None:
            attempts[place["pair"]][place["attempt"]].append(record)
    found: list[Data] = []
    for pair in sorted(attempts):
        shown = False
        # From the last attempt to the first: when one is over, so are all before it.
        for attempt in sorted(attempts[pair], reverse=True):
            games = sorted(attempts[pair][attempt], key=_game)
            shown = shown or len({_game(game) for game in games}) == 2 or once(games[0])
            if shown:
                found.extend(games)
    return sorted(found, key=_schedule)


def choose(games: Sequence[Data], others: int = OTHERS, abnormal: int = MOST_ABNORMAL) -> Chosen:
    """Return all abnormal games, and about so many others, the games of a pair always together.

    The others are spread evenly over the pairings, and over the course of each. games: as from `opened`.
    """
    pairs: dict[tuple[int, int], list[Data]] = defaultdict(list)
    for game in games:
        pairs[game["ladder"]["pair"], game["ladder"]["attempt"]].append(game)
    faulty = [pair for pair in pairs.values() if any(map(_is_abnormal, pair))]
    kept = spread(faulty, abnormal)
    left_out = sum(map(_is_abnormal, games)) - sum(_is_abnormal(game) for pair in kept for game in pair)
    whole = [pair for pair in pairs.values() if not any(map(_is_abnormal, pair))]
    shown = [game for pair in (*kept, *_by_turns(_by_pairing(whole), others)) for game in pair]
    return Chosen(sorted(shown, key=_schedule), left_out)


def spread(items: Sequence[_Item], most: int) -> list[_Item]:
    """Return at most so many items at even distances, the first and the last with them, in their order."""
    if len(items) <= most:
        return list(items)
    if most <= 1:
        return list(items[:most])
    return [items[number * (len(items) - 1) // (most - 1)] for number in range(most)]


def _by_pairing(pairs: Iterable[list[Data]]) -> dict[tuple[str, str], list[list[Data]]]:
    found: dict[tuple[str, str], list[list[Data]]] = defaultdict(list)
    for pair in pairs:
        seats = pair[0]["game"]["seats"]
        first, second = sorted((seats["ivory"], seats["brown"]))
        found[first, second].append(pair)
    return found


def _by_turns(pairings: Mapping[tuple[str, str], list[list[Data]]], games: int) -> list[list[Data]]:
    """One pair of each pairing after the other, as long as there is room for a game."""
    shares = dict.fromkeys(pairings, 0)
    room, before = games, -1
    while room != before:
        before = room
        for pairing, share in shares.items():
            if share < len(pairings[pairing]) and room > 0:
                shares[pairing] += 1
                room -= len(pairings[pairing][share])
    return [pair for pairing, share in shares.items() for pair in spread(pairings[pairing], share)]


def _is_abnormal(record: Data) -> bool:
    return record["game"]["reason"] in ABNORMAL


def _game(record: Data) -> int:
    number: int = record["ladder"]["game"]
    return number


def _schedule(record: Data) -> tuple[int, int, int]:
    place = record["ladder"]
    return place["pair"], place["attempt"], place["game"]
