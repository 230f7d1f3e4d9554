"""`tyrusd ladder --dask`: addresses and options that are refused before anything is made."""

from __future__ import annotations

from importlib import util
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.host.daemons import run
from tests.host.ladder_plans import plan_of
from tyrusd.commands.ladder_dask import check_address, cluster_pace
from tyrusd.commands.running import Missing, Refusal

PLAN = plan_of("anna", "bert")
HERE = "tcp://127.0.0.1:8786"


def typed(**more: Any) -> Any:
    usual = {"dask": HERE, "workers": None, "affinity": False, "allow_plaintext": False, "concurrency": None}
    return SimpleNamespace(**{**usual, **more})


@pytest.mark.parametrize(
    "address",
    ["8786", "127.0.0.1:8786", "http://127.0.0.1:8786", "tcp://127.0.0.1", "tcp://127.0.0.1:99999",
     "tcp://127.0.0.1:0", "tcp://a b:1", "inproc://1", "tcp://127.0.0.1:8786/x", ""],
)  # fmt: skip
def test_what_is_no_address_of_a_scheduler_is_refused(address: str) -> None:
    with pytest.raises(Refusal, match=r"an address is tcp://HOST:PORT or tls://HOST:PORT"):
        check_address(address, allow_plaintext=True)


@pytest.mark.parametrize("address", ["tcp://scheduler:8786", "tcp://10.0.0.5:8786", "tcp://[fd00::1]:8786"])
def test_plain_text_to_another_machine_wants_a_word(address: str) -> None:
    with pytest.raises(Refusal, match="can run programs on all machines"):
        check_address(address, allow_plaintext=False)
    check_address(address, allow_plaintext=True)
    check_address(address.replace("tcp:", "tls:"), allow_plaintext=False)


@pytest.mark.parametrize("address", [HERE, "tcp://localhost:8786", "tcp://[::1]:8786", "tcp://127.3.2.1:1"])
def test_this_machine_may_be_spoken_to_in_plain_text(address: str) -> None:
    check_address(address, allow_plaintext=False)


def test_the_threads_of_the_workers_decide_how_many_games_run() -> None:
    assert cluster_pace(typed(), PLAN).concurrency == 1024
    assert cluster_pace(typed(concurrency=3), PLAN).concurrency == 3


@pytest.mark.parametrize(
    ("more", "word"), [({"workers": 2}, "--workers"), ({"affinity": True}, "--affinity")]
)
def test_what_is_for_the_workers_of_this_machine_is_refused(more: dict[str, Any], word: str) -> None:
    with pytest.raises(Refusal, match=f"{word} is for the processes of this machine"):
        cluster_pace(typed(**more), PLAN)


def test_a_bot_that_connects_cannot_play_in_a_cluster(tmp_path: Path) -> None:
    words = ("--bot", "name=anna plugin=random", "--bot", "name=carl tcp", "--dask", HERE)
    done = run("ladder", *words, "--out", str(tmp_path / "run"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "carl comes over tcp" in done.stderr
    assert not (tmp_path / "run").exists()


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    with pytest.raises(Missing, match=r"needs: pip install 'tyrusd\[cluster\]'"):
        cluster_pace(typed(), PLAN)
