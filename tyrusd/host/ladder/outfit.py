"""What each worker of a machine is told first: its bots, how they are confined, its core, its listeners."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from pathlib import Path

from tyrusd.host import sandbox
from tyrusd.host.confinement import Confinement
from tyrusd.host.ladder.link import Setup
from tyrusd.host.ladder.machine import cores
from tyrusd.host.ladder.plan import LadderPlan, Pace
from tyrusd.host.ladder.terms import bot_words, confinement_words
from tyrusd.host.limits import Limits


def outfits(
    plan: LadderPlan,
    pace: Pace,
    listeners: Sequence[socket.socket],
    keys: Mapping[str, str],
    hidden: Sequence[Path],
    directory: Path,
) -> list[Setup]:
    """What to tell each of the workers; they begin no game before they get a share of the games.

    Raises NoSandbox where the plan's sandbox cannot work.
    """
    # Bots come to one address, so that only one process can wait for them there.
    count = 1 if listeners else max(1, pace.workers)
    box = sandbox.find() if plan.sandbox == "bwrap" else None
    confinement = Confinement(Limits(memory=plan.memory, cpu=plan.processor), box).hiding(*hidden)
    found = cores() if pace.affinity else []
    return [
        Setup(
            tuple([bot_words(entrant, keys) for entrant in plan.entrants]),
            plan.variant.name,  # type: ignore[arg-type]  # the names of all variants are those of records
            0,
            confinement_words(confinement),
            str(directory.absolute()),
            plan.wait,
            plan.start,
            plan.ponder,
            tuple([listener.fileno() for listener in listeners]),
            found[number % len(found)] if found else None,
        )
        for number in range(count)
    ]
