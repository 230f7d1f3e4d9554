"""`tyrusd new-bot` writes what works at once: built, installed, its tests passed, played in every way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.e2e.matches import ROOT, play
from tests.plugins.test_example import run
from tests.sdk.peer import environment
from tyrusd.commands.new_bot import FILES, words_for
from tyrusd.rules.game import PLAYED_OUT

NAME = "Deep-Thought"
MODULE = "tyrus_deep_thought_bot"
TYRUS_BOT = Path(sys.executable).with_name("tyrus-bot")


def tyrusd(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tyrusd", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("new")
    done = tyrusd("new-bot", NAME, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "tyrusd match plugin:Deep-Thought" in done.stdout
    return folder / "tyrus-deep-thought-bot"


@pytest.fixture(scope="module")
def site(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory into which its wheel is installed."""
    folder = tmp_path_factory.mktemp("built")
    run("build", "--wheel", "--no-isolation", "--outdir", str(folder), cwd=source)
    (wheel,) = folder.glob("*.whl")
    run("pip", "install", "--quiet", "--no-deps", "--target", str(folder / "site"), str(wheel), cwd=folder)
    return folder / "site"


def test_the_templates_are_in_the_wheel_of_tyrusd(tmp_path: Path) -> None:
    run("build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), cwd=ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {f"tyrusd/commands/new_bot/{template}" for template in FILES} <= set(names)


def test_it_writes_four_files_with_nothing_left_to_fill_in(source: Path) -> None:
    files = [file for file in source.iterdir() if file.is_file()]
    assert {file.name for file in files} == {name.format(module=MODULE) for name in FILES.values()}
    assert not any("{{" in file.read_text("utf-8") for file in files)


def test_its_own_tests_pass_against_what_was_installed(source: Path, site: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib",
         "--rootdir", str(source), "-c", os.devnull, str(source / f"test_{MODULE}.py")],
        env=environment(site, ROOT), cwd="/", capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout


def test_its_types_are_strict(source: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "."],
        cwd=source, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("way", ["plugin", "exec", "tcp"])
def test_it_plays(site: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(site))
    assert TYRUS_BOT.is_file(), "tyrus-bot is not installed beside this Python: pip install -e ."
    seats = {
        "plugin": f"plugin:{NAME}?least=5",
        # A program has a clean environment, so it is told itself where the module is.
        "exec": f"exec:/usr/bin/env PYTHONPATH={site} {TYRUS_BOT} {MODULE} --option least=5",
        "tcp": "tcp:deep",
    }
    over_tcp = f'exec "{TYRUS_BOT}" {MODULE} --option least=5 --connect "$1:$2" --name "$3" --key "$4"'
    clients = {"deep": ["/bin/sh", "-c", over_tcp, "sh"]} if way == "tcp" else {}
    found = play((seats[way], "plugin:random"), clients, "--games", "40", "--concurrency", "8", "--seed", "3")
    assert set(found["endings"]) <= PLAYED_OUT, f"somebody forfeited: {found['endings']}"
    assert found["seats"][0]["wins"] > 20
    assert found["seats"][0]["seat"] == seats[way]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["deep thought"], "'deep thought' is not a name of 1 to 32 letters, digits, _ or -"),
        (["deep", "--dir", "full"], "full exists and is not an empty directory: choose another with --dir"),
        (["deep", "--dir", "full/file"], "'full/file' is a file"),
    ],
)
def test_it_refuses_and_overwrites_nothing(tmp_path: Path, words: list[str], sentence: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("precious")
    done = tyrusd("new-bot", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert [path.name for path in tmp_path.rglob("*")] == ["full", "file"]
    assert (tmp_path / "full" / "file").read_text() == "precious"


def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    done = tyrusd("new-bot", "deep", "--dir", "file/deep", cwd=tmp_path)
    assert done.returncode == 1
    assert "cannot be written: Not a directory" in done.stderr


@pytest.mark.parametrize(
    ("name", "module", "distribution"),
    [
        ("random", "tyrus_random_bot", "tyrus-random-bot"),
        ("3D", "tyrus_3d_bot", "tyrus-3d-bot"),
        ("-x__Y-", "tyrus_x_y_bot", "tyrus-x-y-bot"),
        ("--", "tyrus_new_bot", "tyrus-new-bot"),
    ],
)
def test_every_name_gives_a_module_and_a_distribution(name: str, module: str, distribution: str) -> None:
    assert words_for(name) == {"name": name, "module": module, "distribution": distribution}
    assert module.isidentifier()
