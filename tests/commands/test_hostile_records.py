"""Records that somebody made to harm who opens them: refused, or told as text, by every tool."""

from __future__ import annotations

import ast
import json
import os
import pickle
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import pytest

from tests.core.stage import Stage, begin, play_on
from tests.host.ladder_plans import plan_of
from tests.host.ladder_stage import stage_in
from tyrusd.core.lobby import Lobby
from tyrusd.core.restoring import Recovered
from tyrusd.host.journal import FileJournal, JournalError
from tyrusd.host.store import Store
from tyrusd.league.framing import HEADER, frame, placed_frame, read_frames
from tyrusd.league.schema import Payload

ROOT: Final = Path(__file__).parents[2]
CANARY: Final = "canary"  # in every hostile text; nothing but text may ever be made of it
HUGE: Final = (
    b"\xc6\xff\xff\xff\xff",
    b"\xdd\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
)


class Harm:
    """What runs a command when it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (os.system, (f"touch {CANARY}",))


def framed(payload: bytes) -> bytes:
    """The payload in a frame whose length and checksum are right."""
    return len(payload).to_bytes(4, "big") + crc32(payload).to_bytes(4, "big") + payload


def a_game() -> tuple[list[bytes], Payload]:
    """The records of a whole game, and that of its end."""
    stage = Stage(lobby=Lobby({}), recovered=Recovered())
    pair = begin(stage)
    play_on(pair.mover, pair.other, pair.game)
    payloads = [payload for _, payload in read_frames(HEADER + b"".join(stage.kept))]
    return stage.kept, next(payload for payload in payloads if payload["kind"] == "game")


def with_hostile_words() -> bytes:
    """A record that is right in every way, whose words are paths, commands, modules and tags."""
    _, payload = a_game()
    game = payload["game"]
    game["seats"] = {"ivory": f"../../{CANARY}", "brown": f"$(touch,{CANARY})"}
    game["fillings"] = {"ivory": f"exec:touch {CANARY}", "brown": f"plugin:{CANARY}_module"}
    game["seeds"] = {"ivory": f"/tmp/{CANARY}", "brown": f"!!python/object/apply:os.system[{CANARY}]"}
    return frame(payload)


FILES: Final = {
    "a pickle": pickle.dumps(Harm()),
    "a pickle behind the header": HEADER + pickle.dumps(Harm()),
    "a pickle in a frame": HEADER + framed(pickle.dumps(Harm())) + placed_frame("g1", "ivory", "S1", "IC", 0),
    "a huge length": HEADER + b"\xff\xff\xff\xff\xff\xff\xff\xff",
    **{f"a frame that announces {data.hex()}": HEADER + framed(data) for data in HUGE},
}


def opened(directory: Path, journal: bytes) -> dict[str, Any]:
    """Open a journal with every tool, in a process that tells what it did."""
    (directory / "data").mkdir(mode=0o700)
    Store(directory / "data").close()  # without one nothing is copied
    (directory / "data" / "journal.tyrus").write_bytes(journal)
    words = [sys.executable, "-m", "tests.commands.watched_tools", str(directory), CANARY]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=directory, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert CANARY not in {path.name for path in (*directory.rglob("*"), *directory.parent.iterdir())}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


async def run_with_hostile_words(path: Path) -> None:
    """A run of a ladder, one of whose games was played on a machine with a hostile name."""
    stage = stage_in(path, plan_of("anna", "bert", rounds=1))
    await stage.play()
    stage.run.close()
    journal = path / "journal.tyrus"
    kept = [payload for _, payload in read_frames(journal.read_bytes())]
    for payload in kept:
        if payload["kind"] == "game":
            payload["ladder"] |= {"host": f"../../{CANARY}", "cpu": f"$(touch {CANARY})"}
            payload["game"]["detail"] = f"<script src={CANARY}>"
    journal.write_bytes(HEADER + b"".join(map(frame, kept)))


async def test_f090_words_of_a_record_are_never_code_a_module_or_a_path(tmp_path: Path) -> None:
    """Monstrofil/replays_unpack#22 (CVE-2022-31265): a replay ran code in whoever opened it."""
    place = tmp_path / "some" / "place"
    place.mkdir(parents=True)
    await run_with_hostile_words(place / "run")
    found = opened(place, HEADER + with_hostile_words())
    assert found["events"] == [] and found["refused"] == ""
    codes = {tool: code for tool, (code, _) in found["codes"].items()}
    journal = "data/journal.tyrus"
    for tool in (
        f"records check {journal}",
        f"export {journal} --json",
        "stats run",
        "backup out/copy --data data",
    ):
        assert codes[tool] == 0, found["codes"][tool]
    assert CANARY in found["codes"][f"why g1 --record {journal}"][1]


@pytest.mark.parametrize("name", ["a pickle", "a pickle in a frame"])
def test_f090_a_pickle_is_refused_by_every_tool(tmp_path: Path, name: str) -> None:
    """Monstrofil/replays_unpack#22 (CVE-2022-31265): a replay ran code in whoever opened it."""
    place = tmp_path / "some" / "place"
    place.mkdir(parents=True)
    found = opened(place, FILES[name])
    assert found["events"] == []
    assert "bad record at byte " in found["refused"]
    for tool, (code, output) in found["codes"].items():
        copies = tool.startswith("backup") or "--repair" in tool
        assert copies or (code != 0 and "Traceback" not in output), (tool, output)


def test_f090_control_an_unpickled_file_is_heard_of(tmp_path: Path) -> None:
    """The ear of the test above hears what a tool would do that unpickles."""
    code = (
        "import sys, pickle; from tests.commands import watched_tools as tools;"
        "tools.recovered = lambda where: pickle.loads((where / 'data' / 'journal.tyrus').read_bytes());"
        "tools.tools = lambda where: []; from pathlib import Path; import json;"
        "print(json.dumps(tools.watched(Path(sys.argv[1]), 'canary')))"
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "journal.tyrus").write_bytes(FILES["a pickle"])
    words = [sys.executable, "-c", code, str(tmp_path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert {event.split()[0] for event in json.loads(done.stdout)["events"]} >= {
        "pickle.find_class",
        "os.system",
    }
    assert (tmp_path / CANARY).exists()


def unsafe(source: str) -> Iterator[str]:
    """Ways in a text by which data could become code."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = (
                [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            )
            yield from (name for name in names if name.split(".")[0] in UNSAFE)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("eval", "exec", "__import__"):
            yield ast.unparse(node.func)


UNSAFE: Final = {"pickle", "marshal", "shelve", "yaml", "dill", "cloudpickle", "runpy"}


def test_f090_nothing_of_ours_can_make_code_of_data() -> None:
    """Monstrofil/replays_unpack#22 (CVE-2022-31265): a replay ran code in whoever opened it."""
    files = [path for room in ("tyrusd", "clients", "plugins") for path in (ROOT / room).rglob("*.py")]
    found = {path.name: list(unsafe(path.read_text("utf-8"))) for path in files}
    assert {name: ways for name, ways in found.items() if ways} == {}
    assert list(unsafe("import pickle\nfrom yaml import load\neval(x)")) == ["pickle", "yaml", "eval"]


@pytest.mark.parametrize("name", [name for name in FILES if "huge" in name or "announces" in name])
def test_f088_a_record_that_asks_for_gigabytes_is_refused_before_they_are_taken(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """msgpack/msgpack-python#55, borgbackup/borg#2139: five bytes made a reader ask for four gigabytes."""
    frames, _ = a_game()
    path = tmp_path / "journal.tyrus"
    whole = HEADER + frames[0]
    hostile = whole + FILES[name][len(HEADER) :]
    told = f"{path}: bad record at byte {len(whole)}: "
    path.write_bytes(hostile + b"".join(frames[1:]))
    tracemalloc.start()
    try:
        with pytest.raises(JournalError, match=f"^{re.escape(told)}"):
            FileJournal(path)
        assert path.read_bytes() == hostile + b"".join(frames[1:])
        if "huge" not in name:  # at the end it may be what a power cut left: cut off, and saved
            path.write_bytes(hostile)
            FileJournal(path).close()
            assert told in caplog.text
            assert path.read_bytes() == whole
            assert (tmp_path / f"journal.tyrus.tail-{len(whole)}").read_bytes() == hostile[len(whole) :]
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()
