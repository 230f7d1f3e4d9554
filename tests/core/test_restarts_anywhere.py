"""A server is killed anywhere in a random life: the next one starts, and all that was told still stands."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.core.club_world import ClubWorld
from tests.core.live import LifeFailed, live
from tyrusd.core.club_evening import Evening
from tyrusd.core.player import Player
from tyrusd.core.server import Server
from tyrusd.host import recovery
from tyrusd.host.recovery import recover
from tyrusd.league.club import ClubEvent
from tyrusd.league.framing import HEADER
from tyrusd.league.record import Payload
from tyrusd.league.tournament.pair import Pair

LIVES = 10_000 if os.environ.get("TYRUSD_FULL_SIZE") else 320
PARTS = 4
FIRST = 1


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Recoveries tell a lot, and take their time to tell it."""
    logging.disable(logging.ERROR)
    yield
    logging.disable(logging.NOTSET)


def lives(directory: Path, first: int, count: int) -> Counter[str]:
    total: Counter[str] = Counter()
    for seed in range(first, first + count):
        total += live(seed, directory)
    return total


@pytest.mark.parametrize("part", range(PARTS))
def test_servers_that_are_killed_anywhere_start_again_and_nothing_told_is_lost(
    part: int, tmp_path: Path
) -> None:
    each = LIVES // PARTS
    total = lives(tmp_path, FIRST + part * each, each)
    assert total["lives"] == each and total["deaths"] > 2 * each
    for what in (
        "killed amid", "killed between", "killed power", "killed drain", "games that go on", "told drawn",
        "told timeout", "told majority", "events running at a restart", "events over at a restart",
        "event walkover", "event aborted", "event resigned", "rated by the ladder", "rated by the lobby",
        "dealt again", "on a deal of before", "with a bot of the house", "accepted",
    ):  # fmt: skip
        assert total[what], f"in none of these lives there was: {what}"


# -- controls: faults that a server had, or might have ------------------------------------------------------


def walkover_without_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server that reads a journal expects that every result of an event is one of a game."""
    take = recovery._Reading.take

    def strict(self: Any, offset: int, payload: Payload) -> None:
        if payload["kind"] == "event" and payload["what"] == "result":
            payload["id"]
        take(self, offset, payload)

    monkeypatch.setattr(recovery._Reading, "take", strict)


def later_round_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pair of a later round is called first, and the next server does not know that pair yet."""

    def advance(self: Evening, now: float) -> None:
        tournament = self.event.tournament
        if tournament is None or self.event.state != "running" or self._lobby.server.closing_down.begun:
            return
        while (task := tournament.next()) is not None:
            self.tasks[task.pair] = task
            if not self._plays(task):
                self.call(task, now)

    def numbered(self: ClubEvent, number: int) -> Pair:
        pairs = [] if self.tournament is None else self.tournament.pairs
        if not 0 < number <= len(pairs):
            raise ValueError(f"event {self.name} has no pair {number}")
        return pairs[number - 1]

    monkeypatch.setattr(Evening, "advance", advance)
    monkeypatch.setattr(ClubEvent, "_pair", numbered)


def id_given_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The id of a game that an event was about to begin is given to another one after a restart."""
    take = recovery._Reading.take

    def forgetful(self: Any, offset: int, payload: Payload) -> None:
        known = self.highest
        take(self, offset, payload)
        if payload["kind"] == "event":
            self.highest = known

    monkeypatch.setattr(recovery._Reading, "take", forgetful)


def nobody_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal does not know how those in an event come back."""
    recorded = Server.record_player

    def forgetful(self: Server, player: Player, anyway: bool = False) -> None:
        if not self.director.holds(player):
            recorded(self, player, anyway)

    monkeypatch.setattr(Server, "record_player", forgetful)


def told_before_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A result is counted in its event when the game ends, and not when that is durable."""
    from tyrusd.core.storing import Storing

    ask = Storing._ask

    def hasty(self: Any, pending: Any, now: float) -> None:
        ask(self, pending, now)
        if pending.attempts == 1:
            number = pending.asked
            self._announce(pending, now)
            pending.ids.discard(number)
            self._by_id.pop(number, None)
            self._server.timers.clear(("store", number))

    monkeypatch.setattr(Storing, "_ask", hasty)


@pytest.mark.parametrize(
    "plant",
    [walkover_without_id, later_round_called, id_given_twice, nobody_comes_back, told_before_it_is_kept],
)
def test_control_a_planted_fault_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(LifeFailed, match="live it again with"):
        lives(tmp_path, FIRST, LIVES)


# -- what was found: the smallest life of each ---------------------------------------------------------------


def test_the_id_of_a_game_that_an_event_was_about_to_begin_is_never_given_to_another(tmp_path: Path) -> None:
    """Killed between the event's record of a game and the beginning of that game."""
    world = ClubWorld()
    world.open()
    world.join("ana", "ben")
    world.do("start")
    frames = world.stage.kept
    at = next(number for number, entry in enumerate(frames) if b"opened" in entry and b"g1" in entry)
    path = tmp_path / "journal.tyrus"
    path.write_bytes(HEADER + b"".join(frames[:at]))
    found = recover(path, {})
    found.journal.close()
    (event,) = found.recovered.events
    assert list(event.running) == ["g1"] and not found.recovered.running
    assert found.recovered.games == 1
