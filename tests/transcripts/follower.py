"""Follows a game by its events alone, as protocol.md tells bots with a memory, and misses none."""

from __future__ import annotations

from tyrusd.rules.events import SeenTile
from tyrusd.rules.notation import read_entries, read_view, write_view
from tyrusd.rules.pieces import (
    BUILDING_NAMED,
    KIND_OF_LETTER,
    SIDE_OF_LETTER,
    TILE_NAMED,
    Side,
)
from tyrusd.rules.view import View
from tyrusd.wire import messages as wire

TURNS = 6
_WINNERS = {"I": Side.IVORY, "B": Side.BROWN, "N": None}


class Follower:
    """One viewer's picture of one game: begun by a snapshot, kept by events, checked by complete lines."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.view: View | None = None
        self.seq = 0
        self.checked = 0  # how often the picture was compared with a complete line
        self.over: wire.Over | None = None
        self._revealed: tuple[SeenTile, ...] = ()

    def hear(self, message: wire.Message) -> None:
        """Take a message; AssertionError when it does not fit to what came before."""
        if getattr(message, "game", None) != self.game:
            return
        if isinstance(message, wire.Snapshot):
            self._compare(message.view, message.seq)
            self.view, self.seq = read_view(message.view), message.seq
        elif isinstance(message, wire.Choose) and self.view is not None:
            self._compare(message.view, self.seq)
        elif hasattr(message, "seq"):
            assert self.over is None, "an event after the end"
            assert message.seq == self.seq + 1, f"event {message.seq} after {self.seq}"
            self.seq = message.seq
            self._apply(message)

    def broken_off(self) -> None:
        """The connection is lost: what comes next is a snapshot, and the picture may have moved on."""
        self.view = None

    def _compare(self, sightline: str, seq: int) -> None:
        if self.view is not None:
            assert (write_view(self.view), self.seq) == (sightline, seq)
            self.checked += 1

    def _apply(self, message: wire.Message) -> None:
        view = self.view
        assert view is not None, "an event before the snapshot"
        match message:
            case wire.Placed():
                side = SIDE_OF_LETTER[message.side]
                tile = TILE_NAMED.get(message.face)
                where = BUILDING_NAMED[message.building]
                seen = SeenTile(where, message.election, message.turn, side, tile)
                hand = tuple(held for held in view.hand if held != tile)
                view = view._replace(hand=hand, board=(*view.board, seen))
                if message.turn < TURNS:
                    view = view._replace(turn=message.turn + 1, to_move=side.other)
            case wire.Revealed():
                shown = read_entries(message.entries)
                where = BUILDING_NAMED[message.building]
                lay = [seen[:4] for seen in view.board if seen.building is where]
                assert lay == [seen[:4] for seen in shown], "revealed is what had been placed, in its order"
                self._revealed += shown
                view = view._replace(board=tuple(seen for seen in view.board if seen.building is not where))
            case wire.Tallied():
                winners = (*view.winners, _WINNERS[message.winner])
                view = view._replace(winners=winners, past=(*view.past, self._revealed))
                self._revealed = ()
            case wire.Drew():
                if SIDE_OF_LETTER[message.side] is view.viewer:
                    drawn = [TILE_NAMED[name] for name in message.tiles.split(",")]
                    view = view._replace(hand=tuple(sorted((*view.hand, *drawn))))
                if message.side == "B":
                    view = view._replace(reserve=view.reserve - 3)
            case wire.Election():
                kind = KIND_OF_LETTER[message.kind]
                view = view._replace(
                    election=message.number, kind=kind, turn=1, to_move=SIDE_OF_LETTER[message.opener],
                    cards=(*view.cards, kind),
                )  # fmt: skip
            case wire.Over():
                self.over = message
                view = view._replace(to_move=None)
            case _:
                assert isinstance(message, wire.Remaining), message
        self.view = view
