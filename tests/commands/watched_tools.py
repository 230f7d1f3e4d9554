"""Opens the files of a directory with every tool that reads records, and tells what the interpreter did.

`python -m tests.commands.watched_tools DIRECTORY WORD` prints a JSON object: the exit code of each tool, and
each audited event (files, imports, processes, sockets, unpickling) that names WORD or is never allowed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner

from tyrusd.commands import main
from tyrusd.host.journal import JournalError
from tyrusd.host.recovery import recover

NEVER: Final = ("pickle.find_class", "os.system", "os.exec")


def tools(directory: Path) -> list[list[str]]:
    """The commands that open what is in the directory: a file of records, and a run of a ladder."""
    file, run = str(directory / "data" / "journal.tyrus"), str(directory / "run")
    out = directory / "out"
    found = [
        ["records", "check", file],
        ["records", "check", file, "--repair", str(out / "repaired")],
        ["export", file, "--json"],
        ["why", "g1", "--record", file],
        ["why", "g1", "--data", str(directory / "data"), "--json"],
        ["playback", file, "g1", "plugin:random", "--as", "ivory"],
        ["backup", str(out / "copy"), "--data", str(directory / "data")],
    ]
    if Path(run).exists():
        found += [
            ["records", "check", f"{run}/journal.tyrus"],
            ["stats", run],
            ["report", run, "--html", str(out / "page.html"), "--csv", str(out / "table.csv")],
            ["why", "p1-1", "--data", run],
        ]
    return found


def recovered(directory: Path) -> str:
    """Start from the journal as a server does."""
    try:
        recover(directory / "data" / "journal.tyrus", {}).journal.close()
    except JournalError as error:
        return str(error)
    return ""


def watched(directory: Path, word: str) -> dict[str, Any]:
    """Run every tool with an ear on what the interpreter does."""
    events: list[str] = []
    listening = False

    def hear(event: str, words: tuple[object, ...]) -> None:
        if listening:
            text = f"{event} {words!r}"[:300]
            if event in NEVER or word in text.lower():
                events.append(text)

    sys.addaudithook(hear)
    (directory / "out").mkdir()
    codes = {}
    for words in tools(directory):
        listening = True
        done = CliRunner().invoke(main, words)
        listening = False
        codes[" ".join(words).replace(f"{directory}/", "")] = [done.exit_code, done.output[-300:]]
    listening = True
    refused = recovered(directory)
    listening = False
    return {"codes": codes, "events": events, "refused": refused}


if __name__ == "__main__":
    print(json.dumps(watched(Path(sys.argv[1]), sys.argv[2])))
