"""docs/debugging.md shows what the commands and the server really say; only times may differ."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.transcripts.in_memory import InMemory

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "debugging.md").read_text("utf-8")
LIMIT = 120


def blocks() -> list[tuple[str, str]]:
    return re.findall(r"^```(python|console|text)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def pattern(line: str) -> re.Pattern[str]:
    """A line of the page: `…` is any text, spaces count once, and times are any times."""
    parts = [re.escape(part) for part in " ".join(line.split()).split("…")]
    text = ".*".join(parts)
    for before, after in ((r"for\\ ", r"\\ ms"), (r"\\\(", r"\\ ms")):
        text = re.sub(rf"({before})[0-9]+({after})", r"\1[0-9]+\2", text)
    return re.compile(re.sub(r"^[0-9]+(\\ [SC\\]*[SC-]\\ )", r"[0-9]+\1", text))


def fits(shown: list[str], real: list[str]) -> None:
    """Every line of the page is there, in this order, and where the page says … others may stand between."""
    lines = [" ".join(line.split()) for line in real if not line.startswith("tyrusd: this runs as root")]
    for line in shown:
        if line.strip() == "…":
            continue
        wanted = pattern(line)
        found = next((at for at, text in enumerate(lines) if wanted.fullmatch(text)), None)
        assert found is not None, f"the page has {line!r}; there is {lines}"
        assert found == 0 or "…" in "".join(shown), f"the page does not have {lines[:found]}"
        del lines[: found + 1]
    assert [line for line in lines if line] == []


@pytest.mark.timeout(LIMIT)
def test_the_commands_say_what_the_page_shows(tmp_path: Path) -> None:
    bot, codes = tmp_path / "mybot.py", []
    for kind, text in blocks():
        if kind == "python" and text.startswith("import"):
            bot.write_text(text, "utf-8")
        elif kind == "python":
            bot.write_text(
                re.sub(r"^ +tile = .*\n", text, bot.read_text("utf-8"), flags=re.MULTILINE), "utf-8"
            )
        elif kind == "console":
            command, *shown = text.splitlines()
            words = command.removeprefix("$ tyrusd ")
            done = subprocess.run(
                f"{sys.executable} -m tyrusd {words}",
                shell=True,
                cwd=tmp_path,
                env={"PYTHONPATH": str(ROOT), "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if words.startswith("match") else None,
                text=True,
                timeout=LIMIT,
                check=False,
            )
            codes.append(done.returncode)
            # Standard error comes in its own order: the page shows it first.
            real = done.stdout.splitlines()
            fits([line for line in shown if line], [line for line in real if line])
    assert codes == [0, 0, 0, 5]


def test_the_wire_says_what_the_page_shows() -> None:
    (text,) = [text for kind, text in blocks() if kind == "text"]
    carrier = InMemory()
    carrier.connect("C")
    for line in ("hello 0.1 anna bot", "play greedy side=I cap=1 clock=none"):
        carrier.send("C", line)
    carrier.wait(0.2)
    carrier.send("C", "place g1 01 S1 IC")
    carrier.wait(1.3)
    for _ in carrier.rest("C"):
        carrier.next_line("C")
    for line in text.splitlines():
        if line.startswith("C: "):
            assert carrier.rest("C") == []
            carrier.send("C", line[3:])
        else:
            heard = carrier.next_line("C")
            assert heard is not None
            wanted = ".*".join(re.escape(part) for part in line[3:].split("…"))
            assert re.fullmatch(wanted, heard), (line, heard)
    assert carrier.rest("C") == []
