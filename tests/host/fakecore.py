"""A core for tests of the adapters: echoes lines, knows a few verbs, and remembers every call."""

from __future__ import annotations

from collections.abc import Callable

from tyrusd.core.requests import Answer, News, ReadOnce, Request, Round, Transport


class FakeCore:
    """Answers each line with itself; `quit` closes the peer, `pause` stops reading, `boom` raises."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.transports: dict[int, Transport] = {}
        self.heard: dict[int, bytes] = {}
        self.outbox: dict[int, bytearray] = {}
        self.journal: list[bytes] = []
        self.requests: list[Request] = []
        self.told: list[News] = []
        self.closed: set[int] = set()
        self.paused: set[int] = set()
        self.dirty: dict[int, None] = {}
        self.wake_at: float | None = None
        self.greeting = b"hi\n"
        self.drained: list[float] = []
        self.done = False
        self.unwelcome: set[str] = set()
        self.on_receive: Callable[[int, bytes], None] = lambda peer, data: None

    def connect(self, transport: Transport, now: float) -> int:
        peer = len(self.transports) + 1
        self.transports[peer] = transport
        self.outbox[peer] = bytearray()
        self.heard[peer] = b""
        self.calls.append(("connect", peer))
        self.say(peer, self.greeting)
        return peer

    def turns_away(self, host: str, now: float) -> bool:
        return host in self.unwelcome

    def say(self, peer: int, data: bytes) -> None:
        if peer in self.outbox and peer not in self.closed:
            self.outbox[peer] += data
            self.dirty[peer] = None

    def receive(self, peer: int, data: bytes, now: float) -> None:
        self.calls.append(("receive", peer, data))
        self.heard[peer] += data
        self.on_receive(peer, data)
        for line in data.splitlines(keepends=True):
            if line == b"boom\n":
                raise RuntimeError("a fault of the core")
            if line == b"pause\n":
                self.paused.add(peer)
            elif line == b"quit\n":
                self.close(peer, b"bye\n")
            else:
                self.say(peer, line)

    def close(self, peer: int, data: bytes) -> None:
        self.say(peer, data)
        self.closed.add(peer)

    def end_of_input(self, peer: int, now: float) -> None:
        self.calls.append(("end", peer))
        self.close(peer, b"bye\n")

    def lost(self, peer: int, now: float, cause: str = "", detail: str = "") -> None:
        self.calls.append(("lost", peer, cause, detail))
        self.outbox.pop(peer, None)
        self.dirty.pop(peer, None)

    def polled(self, peer: int, now: float) -> None:
        self.calls.append(("polled", peer))

    def tick(self, now: float) -> None:
        self.calls.append(("tick", now))
        if self.wake_at is not None and self.wake_at <= now:
            self.wake_at = None

    def answer(self, answer: Answer, now: float) -> None:
        self.calls.append(("answer", answer))

    def drain(self, now: float, grace: float) -> None:
        self.drained.append(grace)
        if grace == 0:
            self.done = True

    def part(self, sentence: str) -> None:
        for peer in list(self.outbox):
            self.close(peer, f"bye {sentence}\n".encode())

    def deadline(self) -> float | None:
        return self.wake_at

    @property
    def admits(self) -> bool:
        return not self.done

    @property
    def finished(self) -> bool:
        return self.done

    def collect(self) -> Round:
        found = Round(self.journal, self.requests, list(self.dirty), self.told)
        self.journal, self.requests, self.told, self.dirty = [], [], [], {}
        return found

    def output(self, peer: int) -> bytes:
        return bytes(self.outbox.get(peer, b"")[:65536])

    def sent(self, peer: int, count: int, now: float) -> None:
        del self.outbox[peer][:count]
        self.calls.append(("sent", peer, count))

    def closing(self, peer: int) -> bool:
        return peer not in self.outbox or peer in self.closed

    def reading(self, peer: int) -> bool:
        return peer in self.outbox and peer not in self.closed and peer not in self.paused

    # -- for tests -----------------------------------------------------------------------------------------

    def poll(self, peer: int) -> None:
        self.requests.append(ReadOnce(peer))

    def did(self, *call: object) -> bool:
        """Tell whether a call that begins like this was made."""
        return any(made[: len(call)] == call for made in self.calls)

    def lost_peers(self) -> list[int]:
        return [call[1] for call in self.calls if call[0] == "lost" and isinstance(call[1], int)]
