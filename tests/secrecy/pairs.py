"""Pairs of worlds: the same script on two deals, and where the bytes that the others get differ."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from tests.secrecy.scripts import Place, Script, random_script
from tests.secrecy.stage import Chunk, Stage
from tests.secrecy.twins import reordered_deal, shuffled_draws, twin_deal
from tyrusd.rules.pieces import Side


class Pair(NamedTuple):
    """Two performances of a script up to a cut; alarms tell what an outsider could tell them apart by."""

    first: Stage
    second: Stage
    cut: int

    @property
    def alarms(self) -> list[str]:
        return list(_differences(self.first.outsiders(self.cut), self.second.outsiders(self.cut)))

    @property
    def differs_for_the_owner(self) -> bool:
        return self.first.own() != self.second.own()


def _differences(first: dict[int, list[Chunk]], second: dict[int, list[Chunk]]) -> Iterator[str]:
    if first.keys() != second.keys():
        yield f"other peers: {sorted(first)} and {sorted(second)}"
    for number, chunks in first.items():
        others = second.get(number, [])
        for at, pair in enumerate(zip(chunks, others, strict=False)):
            if pair[0] != pair[1]:
                yield f"peer {number}, chunk {at}: {pair[0]} and {pair[1]}"
                break
        else:
            if len(chunks) != len(others):
                yield f"peer {number}: {len(chunks)} and {len(others)} chunks"


def face_pair(script: Script, owner: Side, cut: int, chance: random.Random) -> Pair:
    """The script up to the cut, and again with everything hidden at the cut exchanged."""
    first = Stage(script, script.deals, owner).perform(cut)
    return Pair(first, twin_of(script, first, owner, cut, chance), cut)


def face_pair_on(kind: type[Stage], script: Script, owner: Side, cut: int, chance: random.Random) -> Pair:
    """The same on another kind of stage."""
    first = kind(script, script.deals, owner).perform(cut)
    return Pair(first, twin_of(script, first, owner, cut, chance), cut)


def twin_of(script: Script, first: Stage, owner: Side, cut: int, chance: random.Random) -> Stage:
    """The second performance, on what was not known in the first one at the cut."""
    facts = first.marks[cut - 1].known
    deals = tuple(
        twin_deal(deal, fact, owner, chance) for deal, fact in zip(script.deals, facts, strict=True)
    )
    return type(first)(script, deals, owner).perform(cut)


def order_pair(script: Script, owner: Side, chance: random.Random) -> Pair:
    """The script, and again with the owner's tiles drawn at other times; he places the same faces."""
    script = script._replace(acts=tuple(act for act in script.acts if not isinstance(act, Place) or act.held))
    first = Stage(script, script.deals, owner).perform()
    played = {int(name[1:]) - 1: game for name, game in first.games.items()}
    deals = tuple(
        reordered_deal(played[at], owner, chance) if at in played else deal
        for at, deal in enumerate(script.deals)
    )
    second = Stage(script, deals, owner, names=script.deals).perform()
    return Pair(first, second, len(script.acts))


def draws_pair(script: Script, owner: Side, chance: random.Random) -> Pair:
    """The script, and again with each of the owner's draws in another order; nobody sees a difference."""
    deals = tuple(shuffled_draws(deal, owner, chance) for deal in script.deals)
    first = Stage(script, script.deals, owner).perform()
    second = Stage(script, deals, owner, names=script.deals).perform()
    return Pair(first, second, len(script.acts))


def random_face_pair(seed: int) -> Pair:
    """The pair of a seed: a whole script for even seeds, a beginning of one for odd ones."""
    chance = random.Random(seed)
    script = random_script(chance)
    cut = chance.randrange(1, len(script.acts)) if seed % 2 else len(script.acts)
    return face_pair(script, Side(chance.randrange(2)), cut, chance)
