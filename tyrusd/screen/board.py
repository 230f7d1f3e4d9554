"""Draws a position: buildings, elections, players and clocks, cards to come, hand, what is asked."""

from collections.abc import Sequence
from typing import Final

from tyrusd.rules.deal import HAND_SIZE
from tyrusd.rules.events import SeenTile
from tyrusd.rules.game import ELECTIONS, TURNS
from tyrusd.rules.pieces import ALL_CARDS, Building, Kind, Profession, Side, Tile, building_of
from tyrusd.rules.view import View
from tyrusd.screen.clocks import Clocks, duration
from tyrusd.screen.lines import WIDTH
from tyrusd.screen.texts import Texts

_LABEL: Final = 13
_COLUMN: Final = (WIDTH - _LABEL) // 3
_PREFIX: Final = 4  # "IC: " before the tiles of a building
_CELL: Final = (WIDTH - _LABEL) // ELECTIONS


def draw_position(view: View, texts: Texts, clocks: Clocks | None, names: Sequence[str]) -> str:
    """Return the position in lines of at most 79 characters; `names` are the players', Ivory's first."""
    parts = [
        _headline(view, texts),
        "",
        *draw_buildings(view, texts),
        "",
        *draw_elections(view, texts),
        _players(view, texts, clocks, names),
        _to_come(view, texts),
    ]
    if view.viewer is not None:
        parts.append(_labelled(texts.say("label.hand"), draw_hand(view.hand, texts)))
    parts.append(ask(view, texts))
    return "\n".join(part.rstrip() for part in parts)


def draw_buildings(view: View, texts: Texts) -> list[str]:
    """Return the board: the viewer's own buildings in the lower row; face-down tiles show only their side."""
    lower = Side.IVORY if view.viewer is None else view.viewer
    heads = [
        texts.say("board.voting" if kind is view.kind else "board.kind", kind=texts.kind(kind))
        for kind in Kind
    ]
    lines = [" " * _LABEL + "".join(head.ljust(_COLUMN) for head in heads)]
    for side in (lower.other, lower):
        code = "board.own-side" if side is view.viewer else "board.side"
        lines.extend(_row(view, side, texts.say(code, side=texts.side(side)), texts))
    return lines


def draw_hand(hand: Sequence[Tile], texts: Texts) -> str:
    """Return the tiles of a hand, with a gap between the professions."""
    groups = [" ".join(str(tile) for tile in hand if tile.profession is one) for one in Profession]
    return "   ".join(group for group in groups if group) or texts.say("nothing")


def draw_elections(view: View, texts: Texts) -> list[str]:
    """Return the nine elections in three lines: numbers, the cards turned up so far, the winners."""
    none = texts.say("not-yet")
    kinds = [card.letter for card in view.cards]
    winners = [texts.winner(side) for side in view.winners]
    rows = (
        ("label.election", [str(number) for number in range(1, ELECTIONS + 1)]),
        ("label.card", kinds + [none] * (ELECTIONS - len(kinds))),
        ("label.won", winners + [none] * (ELECTIONS - len(winners))),
    )
    return [_labelled(texts.say(code), "".join(cell.ljust(_CELL) for cell in cells)) for code, cells in rows]


def draw_score(winners: Sequence[Side | None], texts: Texts) -> str:
    """Return how many representatives each side has, in one line."""
    ivory, brown = (winners.count(side) for side in Side)
    return texts.say("score", ivory=ivory, brown=brown, null=len(winners) - ivory - brown)


def ask(view: View, texts: Texts) -> str:
    """Return the one sentence that tells what the viewer should do now."""
    if view.to_move is None:
        return texts.say("ask.over")
    if view.to_move is not view.viewer:
        return texts.say("ask.wait", side=texts.side(view.to_move))
    example = f"{view.hand[-1]} {building_of(view.viewer, view.kind).name}".lower()
    return texts.say("ask.place", example=example)


def _headline(view: View, texts: Texts) -> str:
    letter = view.kind.letter
    return texts.say(
        "board.headline",
        number=view.election,
        of=ELECTIONS,
        representative=texts.say(f"representative.{letter}"),
        electors=texts.say(f"electors.{letter}"),
        turn=view.turn,
        turns=TURNS,
    )


def _players(view: View, texts: Texts, clocks: Clocks | None, names: Sequence[str]) -> str:
    counts = [view.winners.count(side) for side in Side]
    cells = []
    for side in Side:
        facts = {"side": texts.side(side), "name": names[side], "count": counts[side]}
        if clocks is None:
            cells.append(texts.say("board.player", **facts))
        else:
            cells.append(texts.say("board.player-clock", clock=duration(clocks[side], texts), **facts))
    both = texts.say("gap").join(cells)
    if _LABEL + len(both) <= WIDTH:
        return _labelled(texts.say("label.players"), both)
    return "\n".join([_labelled(texts.say("label.players"), cells[0]), _labelled("", cells[1])])


def _to_come(view: View, texts: Texts) -> str:
    left = {kind: ALL_CARDS.count(kind) - view.cards.count(kind) for kind in Kind}
    cards = texts.listed(f"{texts.kind(kind)} {number}" for kind, number in left.items() if number)
    reserve = texts.counted("board.reserve", view.reserve)
    return _labelled(texts.say("label.to-come"), texts.say("board.to-come", cards=cards, reserve=reserve))


def _row(view: View, side: Side, label: str, texts: Texts) -> list[str]:
    columns = [_cell(view, building_of(side, kind), texts) for kind in Kind]
    height = max(len(column) for column in columns)
    lines = []
    for number in range(height):
        cells = [column[number] if number < len(column) else "" for column in columns]
        lines.append(
            (label if number == 0 else "").ljust(_LABEL) + "".join(cell.ljust(_COLUMN) for cell in cells)
        )
    return lines


def _cell(view: View, building: Building, texts: Texts) -> list[str]:
    tokens = [face(seen) for seen in view.board if seen.building is building] or [texts.say("not-yet")]
    per_line = (_COLUMN - _PREFIX) // 4
    lines = [" ".join(tokens[start : start + per_line]) for start in range(0, len(tokens), per_line)]
    prefixes = [f"{building.name}: ".ljust(_PREFIX)] + [" " * _PREFIX] * (len(lines) - 1)
    return [prefix + line for prefix, line in zip(prefixes, lines, strict=True)]


def face(seen: SeenTile) -> str:
    """Return a tile on the board by name, or, face down, by the letter of its side and a question mark."""
    return f"{seen.side.letter}?" if seen.tile is None else str(seen.tile)


def _labelled(label: str, text: str) -> str:
    return label.ljust(_LABEL) + text


assert HAND_SIZE * 4 + 6 + _LABEL <= WIDTH, "the widest hand fits on one line"
