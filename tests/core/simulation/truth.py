"""What has really happened, told by the journal and the store alone: the yardstick of all checks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tyrusd.league.clock import TimeControl
from tyrusd.league.framing import HEADER, read_frames
from tyrusd.rules.deal import Deal
from tyrusd.rules.events import ElectionOpened, Event
from tyrusd.rules.game import Game
from tyrusd.rules.notation import write_view
from tyrusd.rules.pieces import BUILDING_NAMED, KIND_OF_LETTER, SIDE_OF_WORD, TILE_NAMED, Side
from tyrusd.rules.variants import VARIANTS
from tyrusd.rules.view import view

MARGIN_MS = 50


def payloads(frames: bytes) -> list[dict[str, Any]]:
    """Read framed records."""
    return [dict(payload) for _, payload in read_frames(HEADER + frames)]


class TrueGame:
    """One game played along from its records."""

    def __init__(self, opened: dict[str, Any], now: float) -> None:
        head = opened["game"]
        deal = head["deal"]
        self.id: str = opened["id"]
        self.number: int = head["number"]
        self.seats: tuple[str, str] = (head["seats"]["ivory"], head["seats"]["brown"])
        self.lenient: tuple[int | None, int | None] = (head["lenient"]["ivory"], head["lenient"]["brown"])
        self.controls = tuple(TimeControl.parse(**head["controls"][side.word]) for side in Side)
        self.deal = Deal(
            tuple(KIND_OF_LETTER[letter] for letter in deal["cards"]),
            tuple(TILE_NAMED[name] for name in deal["ivory"]),
            tuple(TILE_NAMED[name] for name in deal["brown"]),
            SIDE_OF_WORD[deal["opener"]],
        )
        self.variant = VARIANTS[head["variant"]]
        self.game = Game(self.deal, self.variant)
        self.events: list[Event] = [ElectionOpened(1, self.game.kind, self.game.opener_now)]
        self.steps: list[tuple[Side, str, str]] = []
        self.seqs = [1]  # how many events there were after so many placements, an Over not counted
        self.banks: list[int | None] = [
            control.increment_ms if control.base_ms == 0 else control.base_ms for control in self.controls
        ]
        self.issued = now  # when the open request was issued, our own pauses made good
        self.stored: dict[str, Any] | None = None  # its record, once the store has told us it is kept
        self.over_due: float | None = None  # the first step at which the open request was overdue

    @property
    def placed(self) -> int:
        return len(self.steps)

    @property
    def mover(self) -> Side | None:
        return self.game.to_move

    def left_ms(self) -> int | None:
        """What the open request may take from its issue on."""
        if self.mover is None:
            return None
        bank, cap = self.banks[self.mover], self.controls[self.mover].cap_ms
        return min((limit for limit in (bank, cap) if limit is not None), default=None)

    def deadline(self) -> float | None:
        """The last moment for the answer to the open request."""
        left = self.left_ms()
        return None if left is None else self.issued + (left + MARGIN_MS) / 1000

    def place(self, side: Side, tile: str, building: str, spent: int, now: float) -> None:
        """Follow a placement of the journal; it must be legal, and charged as the clock says."""
        assert side == self.mover, f"{self.id}: {side.word} has placed in the other side's turn"
        elapsed = (now - self.issued) * 1000
        assert elapsed - 1.001 <= spent <= elapsed + 0.01, f"{self.id}: {spent} ms charged for {elapsed} ms"
        # Raises IllegalPlacement, which ends the simulation.
        events = self.game.place(side, TILE_NAMED[tile], BUILDING_NAMED[building])
        self.steps.append((side, tile, building))
        self.events += events
        self.seqs.append(len(self.events) - (self.game.outcome is not None))
        bank = self.banks[side]
        if bank is not None:
            self.banks[side] = max(0, bank - spent) + self.controls[side].increment_ms
        self.issued = now
        self.over_due = None

    def sightline(self, viewer: Side | None, placed: int) -> str:
        """What a viewer may know after so many placements."""
        if placed == self.placed:
            return write_view(view(self.game, viewer))
        again = Game(self.deal, self.variant)
        for side, tile, building in self.steps[:placed]:
            again.place(side, TILE_NAMED[tile], BUILDING_NAMED[building])
        return write_view(view(again, viewer))


class Truth:
    """All games, and the durable bytes in the order in which they became durable."""

    def __init__(self) -> None:
        self.games: dict[str, TrueGame] = {}
        self.durable: list[bytes] = []
        self.kept: dict[str, dict[str, Any]] = {}  # records that are in the store, told to the server or not

    def journal(self, entries: Iterable[bytes], now: float) -> None:
        """Take what a round journals."""
        for entry in entries:
            self.durable.append(entry)
            for payload in payloads(entry):
                if payload["kind"] == "opened":
                    assert payload["id"] not in self.games, f"{payload['id']} begins twice"
                    self.games[payload["id"]] = TrueGame(payload, now)
                else:
                    side = SIDE_OF_WORD[payload["side"]]
                    game = self.games[payload["id"]]
                    game.place(side, payload["tile"], payload["building"], payload["spent"], now)

    def keep(self, frames: bytes) -> None:
        """Take a record that the store has made durable."""
        self.durable.append(frames)
        for payload in payloads(frames):
            known = self.kept.setdefault(payload["id"], payload)
            assert known == payload, f"{payload['id']} has two different results"

    def stood_still(self, gap: float) -> None:
        """The server stood still and makes that good."""
        for game in self.games.values():
            game.issued += gap
            if game.over_due is not None:
                game.over_due += gap
