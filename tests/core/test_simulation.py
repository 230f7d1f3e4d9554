"""Thousands of simulated faulty games keep every invariant, and planted faults break one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.core.simulate import SimulationFailed, main, run_many, simulate
from tyrusd.core.intake import Intake
from tyrusd.core.lobby import Lobby
from tyrusd.core.presence import Presence
from tyrusd.core.server import Server
from tyrusd.core.session import Session
from tyrusd.core.table import Table
from tyrusd.league.match import Match
from tyrusd.league.record import placed_frame
from tyrusd.rules.pieces import SIDE_WORDS
from tyrusd.wire import messages as wire

BATCHES = 18  # of about five seconds each on one core; docs/testing.md has the long run
GAMES_PER_BATCH = 200
_SEEDS_APART = 1000


@pytest.mark.parametrize("batch", range(BATCHES))
def test_faulty_games_keep_every_invariant(batch: int) -> None:
    assert run_many(1 + batch * _SEEDS_APART, GAMES_PER_BATCH)["games"] >= GAMES_PER_BATCH


SEEN = {
    "end": ("three-in-a-row", "majority", "remaining-tiles", "drawn", "resigned", "timeout", "illegal",
            "disconnected", "crashed", "protocol", "aborted", "void"),
    "bye": ("bye", "slow-down", "too-slow", "line-too-long", "replaced", "shutdown", "busy", "timeout",
            "protocol"),
    "error": ("syntax", "bad-byte", "bad-encoding", "state", "auth", "no-game", "no-player", "unavailable",
              "not-your-turn", "stale", "illegal", "too-many-games", "storage", "timeout"),
    "store": ("good", "fails", "slow", "mute", "lost"),
    "program": ("good", "fails", "never", "late", "mute", "dies"),
}  # fmt: skip


def test_the_simulation_meets_what_it_is_there_for() -> None:
    """The batches would prove little if they never met a fault."""
    missing = {f"{kind} {word}" for kind, words in SEEN.items() for word in words}
    missing |= {
        "resumed",
        "pauses made good",
        "results given up",
        "matches finished",
        "matches halted",
        "ping",
    }
    for seed in range(500_000, 500_200):
        missing -= simulate(seed).keys()
        if not missing:
            return
    raise AssertionError(f"two hundred simulations never met {sorted(missing)}")


def test_a_seed_decides_everything() -> None:
    assert simulate(7) == simulate(7) != simulate(8)


# -- controls: each fault is planted in the core, and some seed finds it -----------------------------------


def _announce_before_stored(patch: pytest.MonkeyPatch) -> None:
    store = Server.store

    def hasty(self: Server, table: Table, now: float) -> None:
        store(self, table, now)
        table.announce(now)

    patch.setattr(Server, "store", hasty)


def _duplicate_an_event(patch: pytest.MonkeyPatch) -> None:
    broadcast = Table._broadcast

    def stammering(self: Table, events: Any, seq: int) -> None:
        broadcast(self, events, seq)
        if self.seq % 7 == 0:
            broadcast(self, events, seq)

    patch.setattr(Table, "_broadcast", stammering)


def _let_a_second_placement_in(patch: pytest.MonkeyPatch) -> None:
    place = Table.place

    def generous(self: Table, session: Session, side: Any, message: wire.Place, now: float) -> bool:
        again = message.request == self.match.game.placed_count and self.ending is None
        answered = place(self, session, side, message, now)
        if again and not answered:
            word = SIDE_WORDS[side]
            self.server.journal(placed_frame(self.game, word, message.tile, message.building, 0))
        return answered

    patch.setattr(Table, "place", generous)
    patch.setattr(Intake, "_heard_from", lambda self, session: None)


def _send_before_the_journal(patch: pytest.MonkeyPatch) -> None:
    def hasty(self: Server, peer: int) -> bytes:
        session = self.sessions.get(peer)
        return b"" if session is None else bytes(session.outbox)

    patch.setattr(Server, "output", hasty)


def _swallow_a_tag(patch: pytest.MonkeyPatch) -> None:
    send = Session.send

    def silent(self: Session, message: wire.ServerMessage) -> None:
        if not (isinstance(message, wire.Ok) and message.re == "help"):
            send(self, message)

    patch.setattr(Session, "send", silent)


def _answer_a_tag_twice(patch: pytest.MonkeyPatch) -> None:
    send = Session.send

    def stammering(self: Session, message: wire.ServerMessage) -> None:
        send(self, message)
        if isinstance(message, wire.Error) and message.code == "stale":
            send(self, message)

    patch.setattr(Session, "send", stammering)


def _forfeit_too_early(patch: pytest.MonkeyPatch) -> None:
    deadline = Match.deadline
    patch.setattr(Match, "deadline", lambda self: None if (at := deadline(self)) is None else at - 0.05)


def _never_forfeit(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "declare_timeout", lambda self, now: None)


def _do_not_read_once_more(patch: pytest.MonkeyPatch) -> None:
    def hasty(self: Server, session: Session, table: Table) -> None:
        table.declare_timeout(self.now)

    patch.setattr(Server, "read_once", hasty)


def _let_the_clock_run_in_a_pause(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Presence, "stood_still", lambda self, gap: None)


def _queue_without_a_limit(patch: pytest.MonkeyPatch) -> None:
    def write(self: Session, data: bytes) -> None:
        if not self.closing:
            self.outbox += data
            self.dirty[self.number] = self

    patch.setattr(Session, "write", write)


def _seat_more_than_declared(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Lobby, "check_free", lambda self, player: None)


def _forget_to_forget(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Presence, "seat_freed", lambda self, player, now: None)


def _show_the_past(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "seq", property(lambda self: self.match.game.event_count - 1))


def _lose_with_the_enemy(patch: pytest.MonkeyPatch) -> None:
    abandon = Table.abandon
    patch.setattr(Table, "abandon", lambda self, side, now: abandon(self, side.other, now))


def _tell_two_ends(patch: pytest.MonkeyPatch) -> None:
    announce = Table.announce

    def twice(self: Table, now: float) -> None:
        watchers = list(self.watchers.values())
        announce(self, now)
        over = (
            self._encode(watchers[0], None, self.ending[-1:], self.seq) if watchers and self.ending else b""
        )
        for watcher in watchers:
            watcher.write(over)

    patch.setattr(Table, "announce", twice)


def _raise_at_a_line(patch: pytest.MonkeyPatch) -> None:
    def broken(self: Lobby, session: Session, *_: object) -> int:
        raise KeyError("games")

    patch.setattr(Lobby, "_games", broken)


PLANTED: dict[Callable[[pytest.MonkeyPatch], None], str] = {
    _announce_before_stored: "before it is stored|before its record is durable|which it does not see",
    _duplicate_an_event: "instead of",
    _let_a_second_placement_in: "in the other side's turn",
    _send_before_the_journal: "never collected",
    _swallow_a_tag: "no answer to",
    _answer_a_tag_twice: "a second answer",
    _forfeit_too_early: "loses as timeout|too early",
    _never_forfeit: "is overdue",
    _do_not_read_once_more: "loses as timeout",
    _let_the_clock_run_in_a_pause: "loses as timeout|ms charged for|is overdue|ms told|too early",
    _queue_without_a_limit: "too much output",
    _seat_more_than_declared: "more games than it declared",
    _forget_to_forget: "are left at the end|has neither|does not end",
    _show_the_past: "is not the truth|no moment|instead of|leaves a gap",
    _lose_with_the_enemy: "loses as disconnected",
    _tell_two_ends: "which it does not see",
    _raise_at_a_line: "KeyError",
}


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__.strip("_"))
def test_a_planted_fault_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(SimulationFailed) as failure:
        for seed in range(1, 100):
            simulate(seed)
    assert re.search(PLANTED[plant], str(failure.value)), failure.value
    assert "python -m tests.core.simulate --seed" in str(failure.value)


def test_the_command_prints_how_to_repeat_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["simulate", "--games", "5", "--first-seed", "3"])
    assert main() == 0
    assert "all invariants held" in capsys.readouterr().out
    _raise_at_a_line(monkeypatch)
    monkeypatch.setattr("sys.argv", ["simulate", "--games", "1000"])
    assert main() == 1
    repeat = re.search(r"repeat it with: python -m tests.core.simulate --seed (\d+)", capsys.readouterr().err)
    assert repeat is not None
    monkeypatch.setattr("sys.argv", ["simulate", "--seed", repeat[1]])
    assert main() == 1
