"""A bot that leaves marks wherever it may write, `marking.py DIRECTORY`, tells whose it finds, and ends.

Its last line of error output, which ends up in the note of its lost game, is one JSON object.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

MINE = f"mark-{os.urandom(8).hex()}"
PLACES = [
    Path(place) for place in (".", os.environ["HOME"], os.environ["TMPDIR"], "/tmp", "/var/tmp", "/dev/shm")
]


def names(directory: Path) -> list[str]:
    try:
        return sorted(path.name for path in directory.iterdir())
    except OSError:
        return []


def main() -> None:
    for place in PLACES:
        with suppress(OSError):
            (place / MINE).touch()
    print("hello 0.1 marking bot", flush=True)
    for line in sys.stdin:
        if line.startswith("choose"):
            break
    found = {name for place in PLACES for name in names(place) if name.startswith("mark-")}
    for place in PLACES:
        with suppress(OSError):
            (place / MINE).unlink()
    interfaces = [line.split(":")[0].strip() for line in Path("/proc/net/dev").read_text().splitlines()[2:]]
    facts = {"mine": MINE, "found": sorted(found), "net": interfaces, "run": names(Path(sys.argv[1]))}
    print(json.dumps(facts), file=sys.stderr, flush=True)
    sys.exit(3)


main()
