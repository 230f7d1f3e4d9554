"""One way to ask every kind of bot: hooks, a function, an object, or an object of its own for each game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeAlias

from tyrusd.rules.events import Over
from tyrusd.rules.pieces import Building, Tile
from tyrusd.sdk.events import Event
from tyrusd.sdk.request import GameStart, Placement, Request, Turn

Asked: TypeAlias = Request | Turn


class BrokenPlugin(Exception):  # noqa: N818 - the word that `tyrusd plugins` prints
    """The plugin cannot be used; `reason` is one sentence that names the module and the cause."""

    def __init__(self, module: str, cause: str) -> None:
        self.reason = f"{module}: {cause}"
        super().__init__(self.reason)


class Brain(Protocol):
    """A bot ready to play. `wants` are the capabilities it needs; `awaits` tells which question to use."""

    wants: tuple[str, ...]
    awaits: bool

    def started(self, start: GameStart) -> None:
        """A game begins."""

    def event(self, game: str, event: Event) -> None:
        """Something happened in a game."""

    def over(self, game: str, over: Over) -> None:
        """A game has ended."""

    def gone(self, game: str) -> None:
        """A game has ended while the connection was lost, nobody knows how."""

    def choose(self, asked: Sequence[Asked]) -> list[Placement]:
        """Answer everything that waits, in its order; raises BrokenPlugin and whatever the bot raises."""

    async def choose_one(self, asked: Asked) -> Placement:
        """Answer one request, if `awaits`; the same errors."""


class HookBrain:
    """A bot that answers all waiting requests in one call of the hook `tyrusd_choose`."""

    wants: tuple[str, ...] = ()
    awaits = False

    def __init__(self, module: str, hook: Callable[..., object]) -> None:
        self._module = module
        self._hook = hook

    def started(self, start: GameStart) -> None:
        """Nothing: such a bot knows of a game what its requests tell."""

    def event(self, game: str, event: Event) -> None:
        """Nothing, as above."""

    def over(self, game: str, over: Over) -> None:
        """Nothing, as above."""

    def gone(self, game: str) -> None:
        """Nothing, as above."""

    def choose(self, asked: Sequence[Asked]) -> list[Placement]:
        """Ask the bot for everything at once; as many placements in the same order.

        Whether a placement is legal is not looked at: the server judges that, and nothing is ever put in its
        place.
        """
        answer = self._hook(requests=asked)
        if not isinstance(answer, Sequence) or isinstance(answer, str | bytes):
            raise BrokenPlugin(
                self._module, f"tyrusd_choose returned {_named(answer)}, not a list of Placement"
            )
        if len(answer) != len(asked):
            raise BrokenPlugin(
                self._module, f"tyrusd_choose returned {len(answer)} placements for {len(asked)} requests"
            )
        for placement in answer:
            if not isinstance(placement, Placement):
                raise BrokenPlugin(
                    self._module, f"tyrusd_choose returned {_named(placement)} among its placements"
                )
            if not (isinstance(placement.tile, Tile) and isinstance(placement.building, Building)):
                raise BrokenPlugin(
                    self._module, f"tyrusd_choose returned {placement!r}, not (Tile, Building)"
                )
        return list(answer)

    async def choose_one(self, asked: Asked) -> Placement:
        """Never asked: hooks answer together."""
        raise NotImplementedError


class GameBrain:
    """A bot with `choose` for one decision: one object for all games, or one made for each game.

    view: `choose` takes only the view of a request. events: the objects have `event`.
    """

    def __init__(
        self,
        module: str,
        make: Callable[[], Any],
        *,
        view: bool,
        wants: tuple[str, ...],
        awaits: bool,
    ) -> None:
        self._module = module
        self._make = make
        self._view = view
        self._bots: dict[str, Any] = {}
        self.wants = wants
        self.awaits = awaits

    def started(self, start: GameStart) -> None:
        """Make the game's bot and tell it."""
        bot = self._bots[start.game] = self._make()
        if (tell := getattr(bot, "started", None)) is not None:
            tell(start)

    def event(self, game: str, event: Event) -> None:
        """Tell the game's bot."""
        if (bot := self._bots.get(game)) is not None:
            bot.event(event)

    def over(self, game: str, over: Over) -> None:
        """Tell the game's bot, and let it go."""
        bot = self._bots.pop(game, None)
        if (tell := getattr(bot, "over", None)) is not None:
            tell(over)

    def gone(self, game: str) -> None:
        """Let the game's bot go."""
        self._bots.pop(game, None)

    def choose(self, asked: Sequence[Asked]) -> list[Placement]:
        """Ask the bot of each game in turn."""
        return [self._checked(self._bots[one.game].choose(self._shown(one))) for one in asked]

    async def choose_one(self, asked: Asked) -> Placement:
        """Ask the bot of one game."""
        return self._checked(await self._bots[asked.game].choose(self._shown(asked)))

    def _shown(self, asked: Asked) -> object:
        return asked.view if self._view and isinstance(asked, Request) else asked

    def _checked(self, answer: object) -> Placement:
        if isinstance(answer, tuple) and len(answer) == 2:
            tile, building = answer
            if isinstance(tile, Tile) and isinstance(building, Building):
                return Placement(tile, building)
            raise BrokenPlugin(self._module, f"choose returned {answer!r}, not (Tile, Building)")
        raise BrokenPlugin(self._module, f"choose returned {_named(answer)}, not a Placement")


class FunctionBot:
    """A function as the object that a GameBrain asks."""

    __slots__ = ("choose",)

    def __init__(self, choose: Callable[..., object]) -> None:
        self.choose: Final = choose


def _named(value: object) -> str:
    return "None" if value is None else type(value).__name__
