"""A bot for tests: `fault.py FAULT [N]` plays its first tile, and does FAULT at its N-th decision."""

import os
import signal
import sys
import time
from collections.abc import Callable

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"
AT = int(sys.argv[2]) if len(sys.argv) > 2 else 1


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def words(line: str) -> dict[str, str]:
    pairs = (word.partition("=") for word in line.split()[3:] if "=" in word)
    return {key: value for key, _, value in pairs}


def play(line: str, tile: str = "", building: str = "IC") -> None:
    game, number = line.split()[1:3]
    say(f"place {game} {number} {tile or words(line)['hand'].split(',')[0]} {building}")


def other_tile(line: str) -> str:
    hand = words(line)["hand"].split(",")
    return next(f"S{number}" for number in range(1, 11) if f"S{number}" not in hand)


def stubborn(line: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(1)


def grandchild(line: str) -> None:
    os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "1000")
    os._exit(4)


def fail(line: str) -> None:
    raise RuntimeError("it cannot go on")


def garbage(line: str) -> None:
    for _ in range(50):
        say("what is this?")


def flood(line: str) -> None:
    sys.stderr.write("x" * (1 << 20) + "\n")
    play(line)


FAULTS: dict[str, Callable[[str], object]] = {
    "exit-0": lambda line: os._exit(0),
    "exit-1": fail,
    "segv": lambda line: os.kill(os.getpid(), signal.SIGSEGV),
    "kill": lambda line: os.kill(os.getpid(), signal.SIGKILL),
    "hang": stubborn,
    "grandchild": grandchild,
    "illegal": lambda line: play(line, other_tile(line)),
    "garbage": garbage,
    "long": lambda line: say("x" * 2000),
    "flood": flood,
}

if FAULT == "no-hello":
    stubborn("")
if FAULT == "late-hello":
    time.sleep(1.5)
if FAULT == "early-exit":
    sys.exit("it does not like the weather")

hello = f"hello 0.1 fault bot games={8 if FAULT != 'one-game' else 1}\r\n"
sys.stdin.readline()
for letter in hello if FAULT == "late-hello" else [hello]:
    sys.stdout.write(letter)
    sys.stdout.flush()
decisions = 0
for received in sys.stdin:
    if received.startswith("choose "):
        decisions += 1
        if decisions == AT and FAULT in FAULTS:
            FAULTS[FAULT](received)
        else:
            play(received)
    elif received.startswith("ping "):
        say("pong " + received.split()[1])
