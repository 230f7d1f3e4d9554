"""Looks who comes to a cluster and who goes, and lets only those play that are what the manifest says."""

from __future__ import annotations

import math
from typing import Final, Protocol

import trio

from tyrusd.host.ladder import cluster_task
from tyrusd.host.ladder.cluster_client import ClusterClient, Machine, NoCluster
from tyrusd.host.ladder.cluster_fleet import Fleet
from tyrusd.host.ladder.cluster_manifest import differences
from tyrusd.host.ladder.crewing import Said, WorkerEvent
from tyrusd.host.ladder.manifest import Manifest, write_manifest
from tyrusd.host.logs import escaped

LOOK: Final = 1.0  # seconds between two looks
PATIENCE: Final = 60.0  # seconds without a machine that may play; then the run is given up


class Watched(Protocol):
    """Who wants to know of machines."""

    def refuse(self, address: str, sentence: str) -> None:
        """A machine may not play (any more)."""

    def lose(self, address: str) -> None:
        """A machine is gone with what it had."""

    def give_up(self, sentence: str) -> None:
        """Nobody can play."""

    def later(self, event: WorkerEvent) -> None:
        """Something is to be told."""


class Watch:
    """refused: machines that may not play, each with the sentence that says why."""

    def __init__(self, client: ClusterClient, fleet: Fleet, manifest: Manifest, patience: float) -> None:
        self.refused: dict[str, str] = {}
        self._client = client
        self._fleet = fleet
        self._manifest = manifest
        self._text = write_manifest(manifest)
        self._patience = patience
        self._asking: set[str] = set()

    async def run(self, watched: Watched) -> None:
        """Look for ever; after `give_up` there is nothing more to look for."""
        since, trouble = trio.current_time(), "no worker has joined it"
        async with trio.open_nursery() as nursery:
            while True:
                try:
                    machines = {machine.address: machine for machine in await self._client.machines()}
                except NoCluster as error:
                    machines, trouble = {}, str(error)
                for address in self._fleet.addresses:
                    if address not in machines:
                        watched.lose(address)
                self.refused = {one: why for one, why in self.refused.items() if one in machines}
                for address, machine in machines.items():
                    if not (address in self._fleet or address in self.refused or address in self._asking):
                        self._asking.add(address)
                        nursery.start_soon(self._ask, machine, watched)
                now = trio.current_time()
                if self._fleet or self._asking:
                    since = now
                elif now - since >= self._patience:
                    trouble = next(iter(self.refused.values()), trouble)
                    watched.give_up(
                        f"nobody in the cluster of {self._client.address} could play for "
                        f"{math.ceil(self._patience)} s: {trouble}"
                    )
                await trio.sleep(LOOK)

    async def _ask(self, machine: Machine, watched: Watched) -> None:
        """Let a machine play if it is what the manifest says."""
        address, name = machine.address, f"{machine.host} ({machine.address})"
        try:
            answers = await self._client.ask(cluster_task.look, [address], self._text)
            answer = answers.get(address, "it is gone")
        except NoCluster as error:
            answer = str(error)
        finally:
            self._asking.discard(address)
        if isinstance(answer, str):
            why = f"it cannot be asked what it has: is this tyrusd there? ({escaped(answer)})"
            watched.refuse(address, f"{name} may not play: {why}")
            return
        different = differences(self._manifest, answer)
        if different is not None:
            watched.refuse(address, f"{name} may not play: {escaped(different)}")
            return
        self._fleet.accept(machine)
        at_a_time = "1 game" if machine.slots == 1 else f"{machine.slots} games"
        watched.later(Said(f"{name} plays, {at_a_time} at a time"))
