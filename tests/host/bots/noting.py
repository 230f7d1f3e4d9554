"""A bot that notes in FILE who it is and what it hears: `noting.py FILE [SECONDS to think]`."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any

FILE = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
PAUSE = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0
HOME_OF = {"S": "C", "M": "M", "P": "T"}


def note(what: str, **facts: Any) -> None:
    line = json.dumps({"what": what, "pid": os.getpid(), **facts})
    os.write(FILE, line.encode() + b"\n")


def main() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # only what is really killed ends
    signal.signal(signal.SIGINT, lambda *_: note("interrupted"))
    cores = sorted(os.sched_getaffinity(0))
    note("start", tmpdir=os.environ["TMPDIR"], home=os.environ["HOME"], cores=cores)
    print("hello 0.1 noting bot games=16", flush=True)
    for line in sys.stdin:
        verb, *words = line.split()
        if verb == "start":
            note("game", game=words[0])
        elif verb == "choose":
            time.sleep(PAUSE)
            seen = dict(word.split("=", 1) for word in words[2:])
            tile = seen["hand"].split(",")[0]
            print(f"place {words[0]} {words[1]} {tile} {seen['side']}{HOME_OF[tile[0]]}", flush=True)
        elif verb == "over":
            note("over", game=words[0], at=time.monotonic(), line=line.strip())
        elif verb == "ping":
            print(f"pong {words[0]}", flush=True)


main()
