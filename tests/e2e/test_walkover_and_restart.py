"""A server that ends after a walkover, or after nobody came, starts again and its event goes on."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tests.e2e.test_club_evening_at_work import Person, admin
from tests.host.daemons import Daemon, running

CONFIG = "[limits]\nwalkover-after = 1.0\nevent-call = 1.0\nreconnect-window = 1.0\n"
PATIENCE = 20.0  # seconds; only a broken server needs them


def _encounters(data: Path) -> list[dict[str, object]]:
    found = admin(data, "event", "print", "cup")["encounters"]
    assert isinstance(found, list)
    return found


def _until_over(data: Path, count: int) -> None:
    end = time.monotonic() + PATIENCE
    while sum(pair["state"] == "over" for pair in _encounters(data)) < count:
        assert time.monotonic() < end, _encounters(data)
        time.sleep(0.1)


def _come(daemon: Daemon, *people: Person) -> None:
    address = daemon.addresses()[0]
    for person in people:
        person.come(address)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_an_event_goes_on_after_a_walkover_and_a_void_encounter(tmp_path: Path, how: signal.Signals) -> None:
    data, config = tmp_path / "data", tmp_path / "tyrusd.toml"
    config.write_text(CONFIG)
    serve = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data), "--config", str(config))
    ann, bea, cid = (Person(name) for name in ("ann", "bea", "cid"))
    with running(*serve) as daemon:
        _come(daemon, ann, bea, cid)
        admin(data, "event", "open", "cup", "roundrobin")
        for person in (ann, bea, cid):
            person.peer.say("join cup")
            assert person.peer.until("ok", "error").startswith("ok")
        bea.peer.close()
        cid.peer.close()
        admin(data, "event", "start", "cup")
        _until_over(data, 1)  # ann has won by walkover, or the two absent ones have not met
        daemon.signal(how)
        daemon.end()
        ann.peer.close()
    before = [pair for pair in _over(data, serve) if pair["state"] == "over"]
    assert before
    with running(*serve) as daemon:
        _come(daemon, ann)
        end = time.monotonic() + PATIENCE
        while admin(data, "event", "print", "cup")["state"] != "over":
            assert time.monotonic() < end
            time.sleep(0.1)
        told = admin(data, "event", "print", "cup")
        assert told["champion"] == "ann" and before[0] in _encounters(data)
        assert sum(pair["winner"] == "ann" for pair in _encounters(data)) == 2
        ann.peer.close()
        daemon.signal(signal.SIGTERM)
        code, _, errors = daemon.end()
        assert code == 0 and "Traceback" not in errors, errors
        assert "ann has won by walkover, " in errors and "cup is over: ann has won it" in errors, errors


def _over(data: Path, serve: tuple[str, ...]) -> list[dict[str, object]]:
    """What a server that starts again tells; it is killed at once, so nothing more has happened."""
    with running(*serve) as daemon:
        daemon.addresses()
        found = _encounters(data)
        daemon.signal(signal.SIGKILL)
        daemon.end()
    return found
