"""A bot for tests: `fault.py FAULT [N]` plays its first tile, and does FAULT at its N-th decision."""

import os
import signal
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else "none"
AT = int(sys.argv[2]) if len(sys.argv) > 2 else 1


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def words(line):
    return dict(word.split("=", 1) for word in line.split()[3:] if "=" in word)


def play(line, tile=None, building="IC"):
    game, number = line.split()[1:3]
    say(f"place {game} {number} {tile or words(line)['hand'].split(',')[0]} {building}")


def other_tile(line):
    hand = words(line)["hand"].split(",")
    return next(f"S{number}" for number in range(1, 11) if f"S{number}" not in hand)


def stubborn(line):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(1)


def grandchild(line):
    os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "1000")
    os._exit(4)


def fail(line):
    raise RuntimeError("it cannot go on")


FAULTS = {
    "exit-0": lambda line: os._exit(0),
    "exit-1": fail,
    "segv": lambda line: os.kill(os.getpid(), signal.SIGSEGV),
    "kill": lambda line: os.kill(os.getpid(), signal.SIGKILL),
    "hang": stubborn,
    "grandchild": grandchild,
    "illegal": lambda line: play(line, other_tile(line)),
    "garbage": lambda line: [say("what is this?") for _ in range(50)],
    "long": lambda line: say("x" * 2000),
    "flood": lambda line: (sys.stderr.write("x" * (1 << 20) + "\n"), play(line)),
    "pieces": lambda line: [say(""), play(line)],
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
