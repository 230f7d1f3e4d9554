"""The stage with all that is told beside the peers' bytes, and every way by which games of a lobby begin."""

from __future__ import annotations

import json
import logging
import random
from typing import ClassVar, Final

from prometheus_client.metrics_core import Metric

from tests.secrecy.scripts import Act, Script, Seat, Setting, any_seat, random_script
from tests.secrecy.stage import NAMES, Stage
from tyrusd.core import operator_words as words
from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.core.keys import key_digest
from tyrusd.core.ladder_terms import LadderTerms
from tyrusd.core.lobby import Lobby
from tyrusd.core.onlooker import Onlooker
from tyrusd.host import met
from tyrusd.host.chronicle import Chronicle
from tyrusd.host.metrics import Metrics
from tyrusd.host.ports import Ports
from tyrusd.league.clock import TimeControl
from tyrusd.rules.deal import Deal
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire

CONTROL: Final = TimeControl.parse("600+5", "none")
KEYS: Final = {name: f"T0kenOf{name}" + "k" * 33 for name in NAMES.values()}
ACCOUNTS: Final = Accounts(
    [Account(name, "bot") for name in KEYS],
    [Key(key_digest(key), name, "token") for name, key in KEYS.items()],
)
# What depends on the process in which the tests run, and not on the server; so do the limits of `met.WORDS`.
NOT_OURS: Final = ("tyrusd_children",)


class Ear(logging.Handler):
    """Hears all that is logged, before anything is hidden or left out."""

    def __init__(self, heard: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self._heard = heard

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self._heard.append(f"{record.name}: {record.getMessage()}")


class Beside(Stage):
    """A performance, and what operators, watchers, programs that watch over it and its log are told."""

    way: ClassVar[str] = "seek"

    def __init__(
        self, script: Script, deals: tuple[Deal, ...], owner: Side, names: tuple[Deal, ...] | None = None
    ) -> None:
        self.beside: list[list[str]] = []
        self._told: list[str] = []
        self._onlookers: dict[str, Onlooker] = {}
        self._news = 0
        # They are the process's, and it has done other things.
        met._counts.update(dict.fromkeys(met.WORDS, 0))
        super().__init__(script, deals, owner, names)

    @property
    def director(self) -> Lobby:
        lobby = self.world.server.director
        assert isinstance(lobby, Lobby)
        return lobby

    # -- how a game begins ---------------------------------------------------------------------------------

    def lobby(self) -> Lobby:
        return Lobby(
            {}, ACCOUNTS, True, LadderTerms(CONTROL, {}) if self.way in ("rated", "ladder") else None
        )

    def _come(self, side: Side, seat: Seat) -> None:
        name = NAMES[side]
        peer = self.playing[side] = self._connect(side, seat)
        self._send(
            peer, wire.Hello(version="0.1", name=name, kind="bot", want=seat.want, key=KEYS[name], games=1)
        )
        if side is Side.IVORY:
            return
        ivory, brown = self.playing[Side.IVORY], self.playing[Side.BROWN]
        terms = {letter: self._terms(letter) for letter in "IB"}
        if self.way == "seek":
            self._say(ivory, f"seek {terms['I']}")
            self._say(brown, f"seek {terms['B']}")
        elif self.way == "rated":
            self._say(ivory, f"seek {terms['I']} rated=yes")
            self._say(brown, f"seek {terms['B']} rated=yes")
        elif self.way == "challenge":
            self._say(brown, f"challenge {NAMES[Side.IVORY]} {terms['B']}")
            self._say(ivory, "accept c-1")
        elif self.way == "event":
            setting = self.script.setting
            self._do(words.Event("open", "cup", "knockout", clock=setting.clock, variant=setting.variant))
            self._say(ivory, "join cup")
            self._say(brown, "join cup")
            self._do(words.Event("close", "cup"))
            self._do(words.Event("start", "cup"))
        else:
            self._say(ivory, "ladder on")
            self._say(brown, "ladder on")
            self.world.wait(1.5)
        self._seat_as_dealt()

    def _seat_as_dealt(self) -> None:
        """Where the server gives the sides, whoever has Ivory plays the script's Ivory."""
        match = self.world.server.tables["g1"].match
        if match.names[Side.IVORY].lower() != NAMES[Side.IVORY]:
            self.playing = {side: self.playing[side.other] for side in Side}
            self.owned = {self.playing[self.owner].number}

    def _do(self, word: words.Word) -> str:
        told = self.director.operator.do(word, self.world.now)
        self.world.run()
        return json.dumps(told)

    # -- what is told beside -------------------------------------------------------------------------------

    def do(self, act: Act) -> None:
        super().do(act)
        for name in set(self.world.server.tables) - set(self._onlookers):
            self._onlookers[name] = self.director.operator.watch(name, self._watched)
        self._told += [self._do(word) for word in (words.Status(), words.Who(), words.Games(), words.Bans())]
        self._told += [self._do(words.Event("list"))]
        self._told += [self._do(words.Event("print", "cup"))] if self.way == "event" else []
        self._told += self._pages() + self._logged()
        self.beside.append(list(self._told))
        self._told.clear()

    def _watched(self, data: bytes) -> None:
        self._told.append(data.decode("ascii"))

    def _pages(self) -> list[str]:
        """The metrics that are the server's own, and its health."""
        metrics = Metrics(self.world.server, self.director, Ports())
        ours: list[Metric] = [family for family in metrics.collect() if family.name not in NOT_OURS]
        health = metrics.page("/health")
        assert len(ours) > 10 and health is not None
        told = [
            f"{family.name} {[each for each in family.samples if each.labels.get('limit') not in met.WORDS]}"
            for family in ours
        ]
        return [*told, repr(health)]

    def _logged(self) -> list[str]:
        """What a standing server logs of the news since the last act, at any level."""
        heard: list[str] = []
        ear, logger = Ear(heard), logging.getLogger("tyrusd")
        level, handlers = logger.level, logger.handlers[:]
        # A handler of this process counts by its own clock what it leaves out, and writes that into a line.
        logger.handlers[:] = [ear]
        logger.setLevel(logging.DEBUG)
        try:
            chronicle = Chronicle()
            for news in self.world.news[self._news :]:
                chronicle.tell(news)
        finally:
            logger.handlers[:] = handlers
            logger.setLevel(level)
        self._news = len(self.world.news)
        return heard


def way_of(way: str) -> type[Beside]:
    """The stage on which games begin in one way."""
    return type(way.capitalize(), (Beside,), {"way": way})


WAYS: Final = {way: way_of(way) for way in ("seek", "challenge", "event", "rated", "ladder")}


def script_for(way: str, chance: random.Random) -> Script:
    """A script for seats that bots with accounts take; where the server says who opens, it says the same."""
    while True:
        seats = [any_seat(chance)._replace(kind="bot") for _ in Side]
        lobby = way in ("seek", "challenge", "event")
        variant = chance.choice(("standard", "replay-ties")) if lobby else "standard"
        clock = "600+5" if way in ("rated", "ladder") else chance.choice(("600+5", "30+1"))
        script = random_script(chance, Setting(seats[0], seats[1], True, variant, clock))
        stage = WAYS[way](script, script.deals, Side.IVORY)
        if stage.games["g1"].deal == script.deals[0]:
            return script
