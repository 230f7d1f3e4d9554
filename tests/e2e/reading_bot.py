"""A bot that looks for files where it starts, `reading_bot.py FILE,…`, tells what it read, and ends.

It does so at its second decision; its last line of error output is a JSON object. It needs nothing but
Python.
"""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    sys.stdin.readline()
    print("hello 0.1 reading bot games=1", flush=True)
    asked = 0
    for line in sys.stdin:
        if not line.startswith("choose "):
            continue
        asked += 1
        if asked == 2:
            found = {}
            for name in sys.argv[1].split(","):
                try:
                    with open(name, encoding="ascii") as file:  # noqa: PTH123 -- pathlib is slow to import
                        found[name] = len(file.read())
                except OSError as error:
                    found[name] = -error.errno if error.errno is not None else 0
            print(json.dumps(found), file=sys.stderr, flush=True)
            os._exit(9)
        words = line.split()
        keys = {word.partition("=")[0]: word.partition("=")[2] for word in words if "=" in word}
        print(f"place {words[1]} {words[2]} {keys['hand'].split(',')[0]} {keys['side']}C", flush=True)


main()
