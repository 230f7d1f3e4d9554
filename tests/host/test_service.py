"""The service: what systemd is told, and that the unit file is one, hardened, and fits the server."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.daemons import PATIENCE, Peer, running
from tests.tools import require_tool
from tyrusd.commands.running import MISSING_EXTRA, USAGE
from tyrusd.core.settings import DEFAULTS
from tyrusd.host.assembly import HURRY
from tyrusd.host.daemon import GRACE
from tyrusd.host.service_manager import SLACK, ServiceManager

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "packaging" / "tyrusd.service"
EXPOSURE = 16  # tenths: systemd calls less than 20 "OK"


class Manager:
    """A service manager that only listens."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(PATIENCE)

    def told(self) -> dict[str, str]:
        lines = self.socket.recv(4096).decode().splitlines()
        return dict(line.split("=", 1) for line in lines)


@pytest.fixture(params=["file", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Manager, str]]:
    name = f"tyrusd-test-{tmp_path.name}-{id(tmp_path)}"
    abstract = request.param == "abstract"
    if abstract and sys.platform != "linux":
        pytest.skip("only Linux has abstract sockets")
    found = Manager(f"\0{name}" if abstract else str(tmp_path / "notify"))
    yield found, f"@{name}" if abstract else str(tmp_path / "notify")
    found.socket.close()


def test_systemd_is_told_of_the_start_a_reload_and_the_end(
    manager: tuple[Manager, str], tmp_path: Path
) -> None:
    found, address = manager
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path / "data"))
    with running(*words, NOTIFY_SOCKET=address, TYRUSD_SERVER_DRAIN="0.5", WATCHDOG_USEC="400000") as daemon:
        [port] = daemon.addresses()
        assert found.told() == {"READY": "1", "STATUS": "serving"}
        Peer(port).close()
        assert [found.told(), found.told()] == [{"WATCHDOG": "1"}] * 2
        daemon.signal(signal.SIGHUP)
        told = [message for message in (found.told() for _ in range(4)) if "WATCHDOG" not in message][:2]
        assert told[0].pop("MONOTONIC_USEC").isdigit()
        assert told == [
            {"RELOADING": "1", "STATUS": "reloading"}, {"READY": "1", "STATUS": "serving"},
        ]  # fmt: skip
        daemon.signal(signal.SIGTERM)
        while "STOPPING" not in (message := found.told()):
            pass
        assert message["EXTEND_TIMEOUT_USEC"] == str(int((0.5 + HURRY + SLACK) * 1e6))
        assert daemon.end()[0] == 0


def test_a_hangup_during_the_start_ends_nothing(tmp_path: Path) -> None:
    """SIGHUP ends a process that does not expect it; a large journal takes a while to be read."""
    script = (
        "import os, signal\nfrom tyrusd.host import daemon\nreal = daemon.recover\n"
        "def recover(*words):\n    os.kill(os.getpid(), signal.SIGHUP)\n    return real(*words)\n"
        "daemon.recover = recover\nfrom tyrusd.commands import main\nmain()\n"
    )
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path / "data"))
    process = subprocess.Popen(
        [sys.executable, "-c", script, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("listening ")
        process.terminate()
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()


def test_without_a_manager_or_with_one_that_is_gone_nothing_happens(tmp_path: Path) -> None:
    for address in ("", str(tmp_path / "nobody"), "@" + "x" * 500, "\0"):
        environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"}
        manager = ServiceManager(environment)
        assert environment == {} and manager._interval == 0  # the watchdog is somebody else's
        manager.ready()
        manager.reloading()
        manager.stopping(1)


def test_a_manager_that_does_not_read_stops_nobody(tmp_path: Path) -> None:
    found = Manager(str(tmp_path / "notify"))
    manager = ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "notify")})
    for _ in range(5000):
        manager.ready()
    found.socket.close()


# -- the unit file -----------------------------------------------------------------------------------------


def value(name: str) -> str:
    (found,) = re.findall(rf"^{name}=(.*)$", UNIT.read_text("utf-8"), re.MULTILINE)
    return str(found)


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit file, with a program that this machine has."""
    text = UNIT.read_text("utf-8")
    assert "\nExecStart=/usr/bin/tyrusd serve --config /etc/tyrusd/tyrusd.toml " in text
    copy = tmp_path / "tyrusd.service"
    copy.write_text(text.replace("/usr/bin/tyrusd", sys.executable), "utf-8")
    return copy


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    tool = require_tool("systemd-analyze")
    return subprocess.run([tool, *words], capture_output=True, text=True, timeout=60, check=False)


def test_systemd_accepts_the_unit(unit: Path) -> None:
    done = analyze("verify", "--man=no", str(unit))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("line", ["ProtectSytem=strict", "Type=notfy", "TimeoutStopSec=soon"])
def test_control_systemd_tells_what_is_wrong_with_a_unit(unit: Path, line: str) -> None:
    unit.write_text(unit.read_text("utf-8").replace("[Service]\n", f"[Service]\n{line}\n"), "utf-8")
    done = analyze("verify", "--man=no", str(unit))
    assert "tyrusd.service:" in done.stderr and ", ignoring" in done.stderr


def test_systemd_finds_the_unit_hardened(unit: Path) -> None:
    words = ("security", "--offline=true", "--no-pager", f"--threshold={EXPOSURE}")
    done = analyze(*words, str(unit))
    assert done.returncode == 0, done.stdout + done.stderr
    soft = re.sub(
        r"^(Protect|Private|Restrict|SystemCall).*$", "", unit.read_text("utf-8"), flags=re.MULTILINE
    )
    unit.write_text(soft, "utf-8")
    assert analyze(*words, str(unit)).returncode != 0  # the control


def test_the_unit_fits_the_server() -> None:
    assert float(value("TimeoutStopSec")) >= GRACE + HURRY + 5
    assert value("ExecReload") == "/bin/kill -HUP $MAINPID" and value("Type") == "notify"
    assert value("RestartPreventExitStatus").split() == [str(USAGE), str(MISSING_EXTRA)]
    assert int(value("LimitNOFILE")) > 2 * DEFAULTS.connections_total
    assert float(value("WatchdogSec")) > 10 * DEFAULTS.stall


def test_the_page_tells_the_unit_as_it_is() -> None:
    page = (ROOT / "docs" / "service.md").read_text("utf-8")
    for name in ("TimeoutStopSec", "WatchdogSec", "LimitNOFILE", "WorkingDirectory"):
        assert f"`{name}={value(name)}`" in page
    assert f"exposure of {EXPOSURE / 10}" in page
