"""A bot that does one bad thing at one moment, `bad_bot.py FAULT PHASE [MARK [GAME]]`, and else plays along.

The moments: start (before it reads anything), handshake (instead of its hello), own (when it is asked in
GAME), other (when it has answered there), between (when the game g1 is over), shutdown (at the goodbye).
MARK is a file that is made when the fault begins; GAME is g2 if it is not given, `any` for the first one.
It needs nothing but Python.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable

Act = Callable[[str], object]

FAULT, PHASE = sys.argv[1], sys.argv[2]
DONE: list[str] = []
MARK = sys.argv[3] if len(sys.argv) > 3 else ""
GAME = sys.argv[4] if len(sys.argv) > 4 else "g2"
CHILDREN = 40


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def keys(line: str) -> dict[str, str]:
    return {word.partition("=")[0]: word.partition("=")[2] for word in line.split()[3:] if "=" in word}


def place(line: str, tile: str | None = None) -> None:
    game, number = line.split()[1:3]
    say(f"place {game} {number} {tile or keys(line)['hand'].split(',')[0]} IC")


def absent(line: str) -> str:
    hand = keys(line)["hand"].split(",")
    return next(f"S{number}" for number in range(1, 11) if f"S{number}" not in hand)


def sleep_for_ever() -> None:
    while True:
        time.sleep(60)


def hang(line: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sleep_for_ever()


def child() -> int:
    """A process of its own session, which neither the bot's end nor its group's reaches."""
    number = os.fork()
    if number == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sleep_for_ever()
    return number


def garbage(line: str) -> None:
    say("\n".join(["what is this?"] * 60))
    sleep_for_ever()


def flood(line: str) -> None:
    say("x" * 100_000)
    sleep_for_ever()


def fork_bomb(line: str) -> None:
    for _ in range(CHILDREN):
        child()
    os._exit(6)


def eat_memory(line: str) -> None:
    held: list[bytearray] = []
    while True:
        held.append(bytearray(1 << 24))


def burn(line: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        pass


def late(line: str, seconds: float | None = None) -> None:
    # Longer than it may take for a placement, but not for two; or longer than it may take to start.
    time.sleep(seconds or (2.5 if PHASE in ("start", "handshake") else 1.4))
    if line:
        place(line)


def think(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    GOES_ON.append(True)


def close_output(line: str) -> None:
    os.close(1)
    sleep_for_ever()


def grandchild(line: str) -> None:
    child()
    os._exit(4)


def ignore_term(line: str) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    GOES_ON.append(True)


def shout(line: str) -> None:
    sys.stderr.write("x" * (1 << 20) + "\n")
    sys.stderr.flush()
    GOES_ON.append(True)


def wrong_answers(*answers: str) -> Act:
    def answer(line: str) -> None:
        for text in answers:
            say(text)
        GOES_ON.append(PHASE != "own")  # asked, it says nothing right any more in this game

    return answer


GOES_ON: list[bool] = []
FAULTS: dict[str, Act] = {
    "none": lambda line: GOES_ON.append(True),
    "crash": lambda line: sys.exit("it cannot go on"),
    "exit-0": lambda line: os._exit(0),
    "segv": lambda line: os.kill(os.getpid(), signal.SIGSEGV),
    "hang": hang,
    "garbage": garbage,
    "flood": flood,
    "stderr-flood": shout,
    "fork-bomb": fork_bomb,
    "memory": eat_memory,
    "cpu": burn,
    "late": late,
    "wrong-id": wrong_answers(f"place {GAME} 53 S1 IC"),
    "wrong-game": wrong_answers("place g999 1 S1 IC"),
    "illegal": lambda line: (
        place(line, absent(line)) if line else wrong_answers(f"place {GAME} 1 S11 IC")(line)
    ),
    "closes-output": close_output,
    "grandchild": grandchild,
    "ignores-term": ignore_term,
}


# waits-SECONDS is a bot that takes its time, burns-SECONDS one that uses the processor's; both then go on.
if FAULT.startswith("waits-"):
    FAULTS[FAULT] = lambda line: late(line, float(FAULT[6:]))
if FAULT.startswith("burns-"):
    FAULTS[FAULT] = lambda line: think(float(FAULT[6:]))


def now(phase: str, line: str = "") -> bool:
    """Do the fault if its moment has come; whether the bot goes on as usual."""
    if phase != PHASE or DONE:
        return True
    DONE.append(phase)
    if MARK:
        os.close(os.open(MARK, os.O_WRONLY | os.O_CREAT, 0o600))
    FAULTS[FAULT](line)
    return GOES_ON == [True]


def main() -> None:
    now("start")
    sys.stdin.readline()
    now("handshake")
    say("hello 0.1 bad bot games=1")
    for line in sys.stdin:
        verb, game = [*line.split(), ""][:2]
        if verb == "choose":
            concerned = GAME in (game, "any")
            if not concerned or now("own", line):
                place(line)
                if concerned:
                    now("other")
        elif verb == "over" and game == "g1":
            now("between")
        elif verb == "bye":
            now("shutdown")
            return
        elif verb == "ping":
            say(f"pong {game}")


main()
