"""Nobody who cannot be told what goes on stops it: full disks, closed pipes (row 58)."""

from __future__ import annotations

import json
import socket
import subprocess
from pathlib import Path

from tests.host.daemons import ROOT, command


def test_row_58_a_match_goes_on_though_its_progress_cannot_be_told() -> None:
    words = command("match", "plugin:random", "plugin:greedy", "--games", "12", "--json")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            words, cwd=ROOT, stdout=subprocess.PIPE, stderr=full, text=True, timeout=60, check=False
        )
    assert done.returncode == 0
    assert json.loads(done.stdout)["played"] == 12


def test_row_58_a_daemon_serves_though_nobody_reads_where_it_listens(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = command("serve", "--host", "127.0.0.1", "--port", str(port), "--data", str(tmp_path / "data"))
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as daemon:
        assert daemon.stdout is not None and daemon.stderr is not None
        daemon.stdout.close()
        while line := daemon.stderr.readline():
            if b"limits" in line:  # it has begun
                break
        for _ in range(1000):
            with socket.socket() as link:
                if link.connect_ex(("127.0.0.1", port)) == 0:
                    assert link.recv(100).startswith(b"greeting ")
                    break
        else:
            raise AssertionError("it does not listen")
        daemon.terminate()
        assert daemon.wait(30) == 0
