"""Plays whole games between two bots in one process, by the real rules and views: for a bot's own tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import Any, Final, NamedTuple

from tyrusd.rules.deal import deal_from_bytes, game_secret, seat_seed
from tyrusd.rules.events import Event as RuleEvent
from tyrusd.rules.events import Over
from tyrusd.rules.game import Game, IllegalPlacement
from tyrusd.rules.notation import write_view
from tyrusd.rules.pieces import Side
from tyrusd.rules.variants import VARIANTS
from tyrusd.rules.view import see, view
from tyrusd.sdk.brains import Asked, Brain
from tyrusd.sdk.events import Snapshot
from tyrusd.sdk.loading import Bot, load, load_object
from tyrusd.sdk.options import OptionValue, write_value
from tyrusd.sdk.request import GameStart, Placement, Request, Turn
from tyrusd.sdk.talk import GAMES

NAMES: Final = ("bot_a", "bot_b")


class Results(NamedTuple):
    """How often the first bot won, lost and drew, and how often games ended for which reason."""

    wins: int
    losses: int
    draws: int
    reasons: Mapping[str, int]

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.losses + self.draws


class IllegalChoiceError(Exception):
    """A bot placed what the rules do not allow; the text tells which bot, when, why, and what it saw."""


def installed(name: str) -> str:
    """Return where the installed bot of that name is, such as `greedy`; ValueError tells which there are."""
    bots = entry_points(group="tyrusd_bots")
    found = {entry.value for entry in bots if entry.name == name}
    if not found:
        raise ValueError(f"no bot {name!r} is installed; there are {', '.join(sorted(bots.names))}")
    if len(found) > 1:
        raise ValueError(f"the name {name!r} stands for {' and '.join(sorted(found))}: write one of them")
    return found.pop()


def play_games(
    bot_a: Any,
    bot_b: Any,
    games: int = 100,
    seed: str = "arena",
    *,
    options_a: Mapping[str, OptionValue] | None = None,
    options_b: Mapping[str, OptionValue] | None = None,
    variant: str = "standard",
) -> Results:
    """Play games and return the results of the first bot; every deal is played twice, with sides exchanged.

    A bot is a function, class, object or module as tyrusd runs it, or where one is: "module:attribute". The
    same seed gives the same deals. Raises IllegalChoiceError for a placement that the rules do not allow,
    BrokenPlugin for what is no bot, WrongOptionError for options it does not have, ValueError for a variant
    or seed that is none, and what a bot raises.
    """
    if variant not in VARIANTS:
        raise ValueError(f"there is no variant {variant!r}; there are {', '.join(VARIANTS)}")
    loaded = (_loaded(bot_a, NAMES[0]), _loaded(bot_b, NAMES[1]))
    given = (options_a or {}, options_b or {})
    if given[0] != given[1] and loaded[0].shares_options_with(loaded[1]):
        raise ValueError("bot_a and bot_b are one module, whose tyrusd_configure takes options only once")
    brains = (_brain(loaded[0], given[0]), _brain(loaded[1], given[1]))
    wins = losses = draws = 0
    reasons: dict[str, int] = {}
    for first in range(0, games, GAMES):
        numbers = range(first, min(games, first + GAMES))
        tables = [_Table(number, seed, variant, brains) for number in numbers]
        _play_out(tables, brains)
        for table in tables:
            over = table.over
            assert over is not None
            reasons[over.reason] = reasons.get(over.reason, 0) + 1
            wins += over.winner == table.first
            losses += over.winner == table.first.other
            draws += over.winner is None
    return Results(wins, losses, draws, reasons)


def _loaded(bot: Any, name: str) -> Bot:
    return load(bot) if isinstance(bot, str) else load_object(bot, getattr(bot, "__name__", name))


def _brain(loaded: Bot, options: Mapping[str, OptionValue]) -> Brain:
    return loaded.brain([(key, write_value(value)) for key, value in options.items()])


def _play_out(tables: list[_Table], brains: tuple[Brain, Brain]) -> None:
    """Ask each bot for all its games at once, as a server with many games would, until all are over."""
    while running := [table for table in tables if table.over is None]:
        for number, brain in enumerate(brains):
            due = [table for table in running if table.over is None and table.mover == number]
            if not due:
                continue
            asked = [table.asked(brain) for table in due]
            for table, placement in zip(due, _answers(brain, asked, due), strict=True):
                table.place(placement)


def _answers(brain: Brain, asked: list[Asked], tables: list[_Table]) -> Iterable[Placement]:
    try:
        if brain.awaits:
            from tyrusd.sdk.awaiting import choose_all

            return choose_all(brain, asked)
        return brain.choose(asked)
    except Exception as error:
        seen = "\n".join(table.sight for table in tables[:4])
        error.add_note(f"It was asked in {len(tables)} games; what it saw in the first:\n{seen}")
        raise


@dataclass(slots=True)
class _Table:
    """One game; the first bot has Ivory in even games."""

    number: int
    seed: str
    variant: str
    brains: tuple[Brain, Brain]
    first: Side = field(init=False)
    game: Game = field(init=False)
    seeds: tuple[str, str] = field(init=False)
    over: Over | None = None

    def __post_init__(self) -> None:
        # Two games have one deal: what luck gives one bot, it gives the other in the next.
        secret = game_secret(self.seed, self.number // 2)
        self.seeds = (seat_seed(secret, Side.IVORY), seat_seed(secret, Side.BROWN))
        self.first = Side(self.number % 2)
        self.game = Game(deal_from_bytes(secret), VARIANTS[self.variant])
        for side in Side:
            brain = self.brains[self._seat(side)]
            brain.started(self._start(side))
            if brain.wants:
                brain.event(self.name, Snapshot(view(self.game, side)))

    @property
    def name(self) -> str:
        return f"g{self.number + 1}"

    @property
    def mover(self) -> int:
        """Which of the bots is asked."""
        return self._seat(self._side())

    @property
    def sight(self) -> str:
        """What the side to move sees, as one line."""
        return write_view(view(self.game, self._side()))

    def _side(self) -> Side:
        assert self.game.to_move is not None
        return self.game.to_move

    def _seat(self, side: Side) -> int:
        return 0 if side == self.first else 1

    def _start(self, side: Side) -> GameStart:
        own, enemy = NAMES[self._seat(side)], NAMES[self._seat(side.other)]
        limits, opener = ("none", "none", "none", "none"), self.game.deal.opener
        return GameStart(self.name, side, own, enemy, self.variant, *limits, 0, self.seeds[side], opener)

    def asked(self, brain: Brain) -> Asked:
        """The request that is due."""
        number, side = self.game.placed_count + 1, self._side()
        if brain.wants and "full" not in brain.wants:
            return Turn(self.name, number, None, None, None)
        enemy = NAMES[self._seat(side.other)]
        return Request(self.name, number, None, None, None, view(self.game, side), self.seeds[side], enemy)

    def place(self, placement: Placement) -> None:
        """Place a tile and tell both bots what follows."""
        side = self._side()
        tile, building = placement
        try:
            events = self.game.place(side, tile, building)
        except IllegalPlacement as illegal:
            who, held = NAMES[self._seat(side)], ",".join(map(str, self.game.hand(side)))
            raise IllegalChoiceError(
                f"{who} ({side.word}) chose {tile} into {building.name} in game {self.number + 1}, election "
                f"{self.game.election}, turn {self.game.turn}, but its hand is {held}: {illegal.sentence} "
                f"It saw: {self.sight}"
            ) from None
        for event in events:
            self._tell(event)

    def _tell(self, event: RuleEvent) -> None:
        if isinstance(event, Over):
            self.over = event
            for brain in self.brains:
                brain.over(self.name, event)
            return
        for side in Side:
            brain = self.brains[self._seat(side)]
            if brain.wants:
                seen = see(event, side)
                assert not isinstance(seen, Over)
                brain.event(self.name, seen)
