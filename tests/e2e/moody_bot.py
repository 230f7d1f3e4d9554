"""A bot that fails in some of its games, chosen by its seed in them: `moody_bot.py FAULT EVERY`.

In the games that `fails` chooses it does FAULT (crash, hang, late, illegal or none) at its fifth decision.
Its other decisions are the first tile of its hand, for its own citadel. It needs nothing but Python.
"""

from __future__ import annotations

import os
import signal
import sys
import time

AT = 5


def fails(seed: str, every: int) -> bool:
    """Whether it fails in the game in which it has this seed."""
    return every > 0 and int(seed[:8], 16) % every == 0


def keys(line: str) -> dict[str, str]:
    return {word.partition("=")[0]: word.partition("=")[2] for word in line.split() if "=" in word}


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def place(line: str, tile: str | None = None) -> None:
    game, number = line.split()[1:3]
    found = keys(line)
    say(f"place {game} {number} {tile or found['hand'].split(',')[0]} {found['side']}C")


def fail(fault: str, line: str) -> None:
    if fault == "crash":
        print("it cannot go on", file=sys.stderr)
        os._exit(3)
    if fault == "hang":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(60)
    if fault == "late":
        time.sleep(1.2)
        place(line)
    else:
        hand = keys(line)["hand"].split(",")
        place(line, next(f"S{number}" for number in range(1, 11) if f"S{number}" not in hand))


def main() -> None:
    fault, every = sys.argv[1], int(sys.argv[2])
    decisions: dict[str, int] = {}
    moody: set[str] = set()
    sys.stdin.readline()
    say("hello 0.1 moody bot games=1")
    for line in sys.stdin:
        verb, game = [*line.split(), ""][:2]
        if verb == "start":
            decisions[game] = 0
            if fault != "none" and fails(keys(line)["seed"], every):
                moody.add(game)
        elif verb == "choose":
            decisions[game] += 1
            if game in moody and decisions[game] == AT:
                fail(fault, line)
            else:
                place(line)
        elif verb == "ping":
            say(f"pong {game}")


if __name__ == "__main__":
    main()
