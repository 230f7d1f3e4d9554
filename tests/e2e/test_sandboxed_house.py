"""A standing server whose bots are in the sandbox: they play, and its data directory is closed to them."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.e2e.unprivileged import require_bwrap
from tests.host.daemons import login, running
from tests.host.test_host_serving import play


def test_d3_house_bots_play_and_do_not_see_the_journal(tmp_path: Path) -> None:
    require_bwrap()
    data, spy = tmp_path / "data", tmp_path / "spy.sh"
    spy.write_text(f"ls -A {data} >&2; ls {tmp_path} >&2; exit 3\n")
    words = ("serve", "--host", "127.0.0.1", "--port", "0", "--data", str(data), "--sandbox", "bwrap",
             "--bot", f"spy=exec:sh {spy}")  # fmt: skip
    with running(*words, cwd=tmp_path) as daemon:
        [address] = daemon.addresses()
        with login(address, "visitor") as peer:
            peer.say("play greedy")
            assert " crashed" not in play(peer)
            peer.say("play spy")
            assert "exit status 3" in peer.until("error")
        daemon.signal(signal.SIGTERM)
        code, _, told = daemon.end()
    assert code == 0
    assert (data / "journal.tyrus").exists()
    lines = [line.rpartition("spy: ")[2] for line in told.splitlines() if " spy: " in line]
    # The directory is there and empty; beside it a bot may read what lies where the server was started.
    assert lines == ["data", "spy.sh"]
