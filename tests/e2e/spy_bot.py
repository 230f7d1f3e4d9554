"""A bot that tries what bots must not do, `spy_bot.py RECORD PORT FILE`, tells what it got, and ends.

When it is asked it looks for the processes of tyrusd and of its opponent, reads their memory, RECORD and
others' private directories, connects to PORT, writes FILE and starts processes until it cannot. Its last line
of error output, which tyrusd quotes, is one JSON object. It needs nothing but Python.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

RECORD, PORT, FILE = Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
OPPONENT = b"bad_bot.py"
PIECE = 1 << 22
ATTACH, DETACH = 16, 17
PROCESSES = 4000


def commands() -> dict[int, bytes]:
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                found[int(entry.name)] = (entry / "cmdline").read_bytes()
            except OSError:
                continue
    return found


def parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def memory(process: int) -> bytes:
    """The writable memory of a process."""
    held = b""
    place_of = Path(f"/proc/{process}")
    with (place_of / "maps").open() as maps, (place_of / "mem").open("rb", 0) as mem:
        for line in maps:
            place, rights = line.split()[:2]
            start, end = (int(word, 16) for word in place.split("-"))
            if rights.startswith("rw"):
                try:
                    mem.seek(start)
                    held += mem.read(min(end - start, PIECE))
                except (OSError, ValueError):
                    continue
    return held


def attach(process: int) -> str:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(ATTACH, process, 0, 0) != 0:
        return os.strerror(ctypes.get_errno())
    os.waitpid(process, 0x40000000)
    libc.ptrace(DETACH, process, 0, 0)
    return "attached"


def outcome(attempt: Callable[[], object]) -> object:
    try:
        return attempt()
    except OSError as error:
        return type(error).__name__


def connect() -> str:
    with socket.create_connection(("127.0.0.1", PORT), 2):
        return "connected"


def others_files() -> list[str]:
    mine = Path(os.environ["TMPDIR"])
    homes = [path for path in mine.parent.iterdir() if path.name.startswith("tyrusd-bot-") and path != mine]
    return [str(path) for home in homes for path in [home, *home.iterdir()]]


def spawn() -> dict[str, object]:
    """Start processes until it is refused, and end them."""
    started: list[int] = []
    refused = ""
    while len(started) < PROCESSES and not refused:
        try:
            number = os.fork()
        except OSError as error:
            refused = type(error).__name__
            break
        if number == 0:
            while True:
                time.sleep(60)
        started.append(number)
    for number in started:
        os.kill(number, signal.SIGKILL)
        os.waitpid(number, 0)
    return {"started": len(started), "refused": refused}


def report() -> dict[str, object]:
    seen = commands()
    record = str(RECORD).encode()
    servers = [pid for pid, words in seen.items() if b"match" in words and b"--record\0" + record in words]
    opponents = [pid for pid, words in seen.items() if OPPONENT in words and b"keeper.py" not in words]
    opponents = [pid for pid in opponents if pid not in servers]
    if servers:  # other matches may run on this machine
        opponents = [pid for pid in opponents if parent(parent(pid)) in servers]
    return {
        "servers": len(servers),
        "opponents": len(opponents),
        "server memory": [outcome(lambda pid=pid: len(memory(pid)) > 0) for pid in servers],  # type: ignore[misc]
        "server attach": [attach(pid) for pid in servers],
        "opponent memory": [outcome(lambda pid=pid: b"hand=" in memory(pid)) for pid in opponents],  # type: ignore[misc]
        "opponent attach": [attach(pid) for pid in opponents],
        "record": outcome(lambda: len(RECORD.read_bytes())),
        "others' files": outcome(others_files),
        "network": outcome(connect),
        "file": outcome(lambda: FILE.write_text("spied")),
        "processes": spawn(),
        "user": os.getuid(),
    }


def main() -> None:
    sys.stdin.readline()
    print("hello 0.1 spy bot", flush=True)
    asked = 0
    for line in sys.stdin:
        if not line.startswith("choose "):
            continue
        asked += 1
        if asked == 2:  # by now the opponent has been asked as well, and the record has begun
            sys.stderr.write(json.dumps(report()) + "\n")
            sys.stderr.flush()
            os._exit(9)
        words = line.split()
        hand = next(word for word in words if word.startswith("hand="))[5:].split(",")
        print(f"place {words[1]} {words[2]} {hand[0]} IC", flush=True)


main()
