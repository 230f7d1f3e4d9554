"""How the ends of Dask's tasks are read: bytes, the death of every worker, errors, and what is no bytes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.host.dask_clusters import require_dask
from tyrusd.host.ladder.cluster_client import ClusterClient, NoCluster, Returned, _returned


def future(status: str, error: Exception | None = None) -> Any:
    return SimpleNamespace(status=status, exception=lambda timeout: error)


def test_bytes_are_what_a_task_returns() -> None:
    assert _returned("k", future("finished"), b"abc") == Returned("k", b"abc")
    assert _returned("k", future("finished"), [1]) == Returned("k", None, "it returned list, not bytes")
    assert _returned("k", future("lost"), None) == Returned("k", None, "its worker was lost")
    assert _returned("k", future("cancelled"), None) == Returned("k", None, "its worker was lost")


def test_a_task_that_dask_gives_up_is_deadly_and_another_error_is_not() -> None:
    require_dask()
    from distributed.scheduler import KilledWorker

    worker: Any = SimpleNamespace(address="tcp://127.0.0.1:1")
    assert _returned("k", future("error", KilledWorker("k", worker, 3)), None).deadly
    told = _returned("k", future("error", ValueError("no\n\x1b[2J" + 400 * "x")), None)
    assert (told.data, told.deadly) == (None, False)
    assert told.why.startswith("ValueError: no ?[2Jx")
    assert len(told.why) == 300


async def test_a_scheduler_that_is_not_there_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    require_dask()
    monkeypatch.setattr("tyrusd.host.ladder.cluster_client.CONNECTING", 0.5)
    client = ClusterClient("tcp://127.0.0.1:1", lambda key: None)
    with pytest.raises(NoCluster, match=r"tcp://127\.0\.0\.1:1 cannot be reached \(OSError"):
        await client.connect()
    client.drop(["unknown"])
    await client.close()
    with pytest.raises(NoCluster, match="is gone"):
        await client.machines()
