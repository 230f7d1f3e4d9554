"""`tyrusd ladder --dask`: what has to be so before games are handed to the machines of a cluster."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING, Final

from tyrusd.commands.running import Missing, usage

if TYPE_CHECKING:
    from tyrusd.commands.ladder_options import Typed
    from tyrusd.host.ladder.plan import LadderPlan, Pace

NEEDS: Final = "needs: pip install 'tyrusd[cluster]'"
MOST: Final = 1024  # games at a time, as with --concurrency
_ADDRESS: Final = re.compile(r"(tcp|tls)://(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")


def cluster_pace(typed: Typed, plan: LadderPlan) -> Pace:
    """As many games at a time as the machines have threads; exit code 2 or 3 where it cannot be."""
    from importlib.util import find_spec

    from tyrusd.host.ladder.plan import Pace

    check_address(typed.dask or "", allow_plaintext=typed.allow_plaintext)
    for option, given in (("--workers", typed.workers), ("--affinity", typed.affinity)):
        if given:
            usage(f"{option} is for the processes of this machine, and --dask has workers of its own")
    tcp = [entrant.name for entrant in plan.entrants if entrant.seat.kind == "tcp"]
    if tcp:
        usage(
            f"--dask: {tcp[0]} comes over tcp, and the machines of a cluster do not listen for bots: "
            "play without --dask, or give it a plugin= or exec="
        )
    if find_spec("distributed") is None:
        raise Missing(f"tyrusd ladder --dask wants distributed; {NEEDS}")
    return Pace(typed.concurrency or MOST, 1)


def check_address(address: str, *, allow_plaintext: bool) -> None:
    """Refuse what is no address of a scheduler, and one that others could read and write on the way."""
    found = _ADDRESS.fullmatch(address)
    if found is None or not 0 < int(found[3]) < 65536:
        usage(
            f"--dask {address}: an address is tcp://HOST:PORT or tls://HOST:PORT, such as tcp://127.0.0.1:8786"
        )
    if found[1] == "tcp" and not allow_plaintext and not _is_loopback(found[2].strip("[]")):
        usage(
            f"--dask {address}: whoever can reach it, or stands on the way, can run programs on all "
            "machines; use tls:// or a tunnel, or add --allow-plaintext where the network is yours alone"
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
