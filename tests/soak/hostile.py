"""Hostile peers of a soak, all in one process (`python -m tests.soak.hostile JSON`)."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import trio

from tests.soak.size import Size, allow_files

LONGEST = 20.0  # seconds of one connection
TLS_HELLO = bytes.fromhex("16030100c8010000c40303") + bytes(189)
TELNET = bytes.fromhex("fffd18fffd20fffd23fffd27fffa1801fff0") + b"who\r\n"
HTTP = b"GET / HTTP/1.1\r\nHost: localhost\r\nUser-Agent: scanner\r\nAccept: */*\r\n\r\n"

Attack = Callable[["Foe"], Awaitable[None]]


class Foe:
    """One connection of a hostile peer."""

    def __init__(self, stream: trio.SocketStream, name: str, chance: random.Random) -> None:
        self.stream = stream
        self.name = name
        self.chance = chance

    async def say(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def rest(self, byes: Counter[str]) -> None:
        """Read to the end of the stream and note the goodbye."""
        told = b""
        async for data in self.stream:
            told = (told + data)[-4096:]
        _, found, bye = told.rpartition(b"\nbye ")
        byes[bye.split(b" ", 1)[0].decode("ascii", "replace") if found else "none"] += 1

    async def enter(self, kind: str = "human") -> None:
        await self.say(f"hello 0.1 {self.name} {kind}\n".encode())


async def binary(foe: Foe) -> None:
    for _ in range(5):
        await foe.say(foe.chance.randbytes(foe.chance.randrange(1, 4000)))


async def http(foe: Foe) -> None:
    await foe.say(HTTP)


async def tls(foe: Foe) -> None:
    await foe.say(TLS_HELLO)


async def telnet(foe: Foe) -> None:
    await foe.say(TELNET * 3)


async def long_line(foe: Foe) -> None:
    if foe.chance.random() < 0.5:
        await foe.enter()
    for _ in range(50):
        await foe.say(b"a" * 2000)


async def slow_loris(foe: Foe) -> None:
    """A letter now and then, and never an end."""
    for letter in b"hello 0.1 " + foe.name.encode() * 10:
        await foe.say(bytes([letter]))
        await trio.sleep(foe.chance.uniform(0.2, 1.0))


async def silent(foe: Foe) -> None:
    await trio.sleep(foe.chance.uniform(5, LONGEST))


async def flood(foe: Foe) -> None:
    """Lines without an end, whether they are read or not."""
    await foe.enter("bot")
    line = foe.chance.choice((b"who\n", b"ping x\n", b"look g1\n", b"place g1 1 S1 IC\n", b"seek side=Q\n"))
    while True:
        await foe.say(line * 500)


async def deaf(foe: Foe) -> None:
    """Asks for more and more and reads nothing."""
    await foe.enter()
    while True:
        await foe.say(b"games\nhelp\nwatch g%d\n" % foe.chance.randrange(1, 2000))
        await trio.sleep(0.2)


async def nonsense(foe: Foe) -> None:
    """Garbage after a proper hello."""
    await foe.enter("bot")
    for _ in range(30):
        await foe.say(foe.chance.randbytes(foe.chance.randrange(1, 80)).replace(b"\n", b"") + b"\n")


async def guess(foe: Foe) -> None:
    for _ in range(3):
        await foe.say(b"resume %s\n" % foe.chance.randbytes(16).hex().encode())


async def half_close(foe: Foe) -> None:
    """Says something, perhaps half a line, and then nothing more."""
    await foe.enter()
    await foe.say(foe.chance.choice((b"who\n", b"seek", b"place g1 1 S", b"")))
    await foe.stream.send_eof()


async def run_away(foe: Foe) -> None:
    await foe.say(b"hello 0.1 ")
    await foe.stream.aclose()


ATTACKS: tuple[Attack, ...] = (
    binary, http, tls, telnet, long_line, slow_loris, silent, flood, deaf, nonsense, guess, half_close,
    run_away,
)  # fmt: skip


class Horde:
    """So many peers, each with one attack after the other."""

    def __init__(self, port: int, seed: int) -> None:
        self.port = port
        self.seed = seed
        self.byes: Counter[str] = Counter()
        self.attacks: Counter[str] = Counter()
        self.unreached = 0  # connections that the server did not accept in time

    async def run(self, peers: int, seconds: float) -> None:
        with trio.move_on_after(seconds):
            async with trio.open_nursery() as nursery:
                for number in range(peers):
                    nursery.start_soon(self._peer, number)

    async def _peer(self, number: int) -> None:
        chance = random.Random(f"{self.seed} {number}")
        await trio.sleep(chance.uniform(0, 2))
        for turn in range(1_000_000):
            attack = ATTACKS[(number + turn) % len(ATTACKS)]
            try:
                with trio.fail_after(10):
                    stream = await trio.open_tcp_stream("127.0.0.1", self.port)
            except (OSError, trio.TooSlowError):
                self.unreached += 1
                await trio.sleep(1)
                continue
            self.attacks[attack.__name__] += 1
            async with stream:
                await self._attack(Foe(stream, f"foe-{number}-{turn}", chance), attack)
            await trio.sleep(chance.uniform(0.1, 1.0))

    async def _attack(self, foe: Foe, attack: Attack) -> None:
        """Do it, while somebody else reads what comes, unless the attack is not to read."""
        with trio.move_on_after(LONGEST):
            try:
                async with trio.open_nursery() as nursery:
                    if attack is not deaf:
                        nursery.start_soon(self._listen, foe, nursery.cancel_scope)
                    await attack(foe)
            except* (trio.BrokenResourceError, trio.ClosedResourceError):
                pass  # the server has had enough

    async def _listen(self, foe: Foe, scope: trio.CancelScope) -> None:
        try:
            await foe.rest(self.byes)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self.byes["reset"] += 1
        scope.cancel()


def main() -> None:
    given: dict[str, Any] = json.loads(sys.argv[1])
    size = Size(**given["size"])
    allow_files(size)
    horde = Horde(given["port"], given["seed"])
    trio.run(horde.run, size.hostile, size.minutes * 60)
    found = {"byes": horde.byes, "attacks": horde.attacks, "unreached": horde.unreached}
    (Path(given["folder"]) / "hostile.json").write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main()
