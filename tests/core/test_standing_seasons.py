"""Hundreds of rated games in a whole lobby, with bots that come, go, drop, come back and merge."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest

from tests.core.standing_world import ROCK, Bot, LadderWorld, accounts_of
from tyrusd.league.replay import deal_of
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.wire import messages as wire

ANCHORS = {ROCK: 1000}
NAMES = [f"bot{number}" for number in range(10)]


class Unruly:
    """What bots do beside playing, decided by chance; all of it is what honest ones do."""

    def __init__(self, world: LadderWorld, seed: int) -> None:
        self.world = world
        self.chance = random.Random(seed)
        self.done: Counter[str] = Counter()
        self.disabled: set[str] = set()

    def act(self) -> None:
        """Let one bot do one thing."""
        world = self.world
        bot = world.bots[self.chance.choice([name for name in NAMES if name not in self.disabled])]
        deeds: dict[str, Callable[[Bot], None]] = {
            "drop": world.lose, "leave": self._leave, "off": self._off, "on": self._on, "merge": self._merge,
            "seek": self._seek, "wait": lambda bot: None,
        }  # fmt: skip
        if bot.peer is None:
            deeds = {"resume": world.resume, "log in": world.log_in}
        deed = self.chance.choice(list(deeds))
        deeds[deed](bot)
        self.done[deed] += 1
        if bot.peer is not None and not any(isinstance(item, wire.Welcome) for item in bot.heard[-3:]):
            self.world.say(bot, "ping w")

    def _leave(self, bot: Bot) -> None:
        self.world.say(bot, "quit")

    def _off(self, bot: Bot) -> None:
        self.world.say(bot, "ladder off")

    def _on(self, bot: Bot) -> None:
        self.world.say(bot, f"ladder on games={self.chance.randint(1, bot.games)}")

    def _merge(self, bot: Bot) -> None:
        self.world.rate()
        bot.heard.clear()
        self.world.say(bot, f"merge {bot.name} v1 v2")

    def _seek(self, bot: Bot) -> None:
        self.world.say(bot, self.chance.choice(["seek", "seek rated=yes", "cancel", "who", "ratings"]))

    def disable(self, name: str) -> None:
        """The operator disables an account."""
        world = self.world
        self.disabled.add(name)
        changed = accounts_of(world.names, off=self.disabled)
        world.accounts = changed
        world.stage.server.step(lambda now: world.lobby.admission.changed(changed, now), world.stage.now)
        world.stage.run()
        world.look()


def season(seed: int, kills: int = 0, anchors: dict[str, int] | None = None) -> LadderWorld:
    """Half an hour of ten bots, from the quick to the slow."""
    world = LadderWorld(NAMES, anchors)
    chance = random.Random(seed)
    for number, name in enumerate(NAMES):
        last = chance.randrange(1, 5)
        world.join(
            name,
            thinks=0.2 * 1.5**number,
            games=1 + number % 3,
            agent=f"v{1 + number % 2}",
            gives_up=lambda game, last=last: (game * 7 + last) % 6,
        )
    unruly = Unruly(world, seed)
    for turn in range(120):
        world.play(10)
        if turn < 110:
            unruly.act()
        if turn == 60:
            unruly.disable(NAMES[3])
        if kills and turn % (120 // (kills + 1)) == 7:
            world.kill()
            for name in NAMES:
                if name not in unruly.disabled:
                    (world.resume if chance.random() < 0.7 else world.log_in)(world.bots[name])
        if turn % 10 == 9:
            world.audit()
    return world


@pytest.mark.parametrize("seed", range(3))
def test_bots_come_and_go_and_every_promise_is_kept(seed: int) -> None:
    world = season(seed, anchors=ANCHORS if seed % 2 else None)
    assert len(world.finished()) > 200
    for bot in world.bots.values():
        assert bot.most <= bot.games, f"{bot.name} had {bot.most} games at once and declared {bot.games}"
    told = world.standing.answers.table
    world.rate()
    rated = sum(row.games for row in world.standing.answers.table.rows)
    assert rated == 2 * sum(world.audit().values()) and told is not world.standing.answers.table


@pytest.mark.parametrize("seed", range(10, 12))
def test_kills_in_the_middle_lose_nothing_and_count_nothing_twice(seed: int) -> None:
    world = season(seed, kills=5, anchors=ANCHORS if seed % 2 else None)
    assert len(world.finished()) > 150
    opened = Counter(record["id"] for record in world.records() if record["kind"] == "opened")
    assert set(opened.values()) == {1}
    ended = {record["id"] for record in world.records() if record["kind"] == "game"}
    assert set(opened) - ended == set(world.stage.server.tables)


def test_no_immediate_rematch_while_somebody_else_waits() -> None:
    world = LadderWorld(NAMES)
    for number, name in enumerate(NAMES):
        world.join(name, thinks=0.2 * 1.5**number)
    world.play(1200)
    assert len(world.finished()) > 300
    began = {record["id"]: record["started"] for record in world.records() if record["kind"] == "opened"}
    for bot in world.bots.values():
        for before, after in pairwise(bot.starts):
            if before.enemy != after.enemy:
                continue
            # Both have waited five seconds, in which nobody else became free.
            assert began[after.game] > began[before.game]
            others = [
                start.game for name, other in world.bots.items() if name not in (bot.name, after.enemy)
                for start in other.starts if began[start.game] == began[after.game]
            ]  # fmt: skip
            assert len(others) % 2 == 0


def test_the_fast_do_not_wait_for_the_slowest() -> None:
    """Thirteen minutes; a game of the slow one takes as long as its clock allows, those of the others 5 s."""

    def games(slowest: float) -> tuple[float, int]:
        world = LadderWorld(NAMES)
        for name in NAMES:
            world.join(name, thinks=slowest if name == NAMES[-1] else 0.6, gives_up=lambda game: 3)
        world.play(800)
        *fast, slow = (len(world.bots[name].overs) for name in NAMES)
        return sum(fast) / len(fast), slow

    equal, _ = games(0.6)
    among, slow = games(14.0)
    assert slow < equal / 5
    assert among > 0.8 * equal


def test_everybody_meets_everybody() -> None:
    world = LadderWorld(NAMES[:6])
    for number, name in enumerate(world.names):
        world.join(name, thinks=0.2 * 1.5**number)
    world.play(900)
    assert len(world.audit()) == 15


# -- the opener that the balance gives tells nothing of the deal -------------------------------------------


def entropy_of(deals: int) -> Callable[[int], bytes]:
    """Chance that is the same but for the deals, which are drawn from 32 bytes."""
    same, own = random.Random(7), random.Random(deals)
    return lambda count: (own if count == 32 else same).randbytes(count)


def pairings(deals: int) -> tuple[list[tuple[str, str, str]], list[object]]:
    world = LadderWorld(NAMES[:5], ANCHORS, entropy=entropy_of(deals))
    for number, name in enumerate(world.names):
        world.join(name, thinks=0.2 * 1.5**number, gives_up=lambda game: game % 3)
    world.play(400)
    heads = [record["game"] for record in world.records() if record["kind"] == "opened"]
    met = [(head["seats"]["ivory"], head["seats"]["brown"], head["deal"]["opener"]) for head in heads]
    return met, [(head["deal"]["cards"], head["deal"]["ivory"]) for head in heads]


def test_who_meets_whom_and_who_opens_is_the_same_in_two_worlds_with_other_deals() -> None:
    """Whoever knows the pairs, the sides and the openers of a ladder knows nothing of any deal."""
    (one, deals), (other, others) = pairings(1), pairings(2)
    assert len(one) > 100 and one == other
    assert all(mine != theirs for mine, theirs in zip(deals, others, strict=True))
    assert {opener for _, _, opener in one} == {"ivory", "brown"}


def test_the_rest_of_a_deal_is_what_its_secret_gives() -> None:
    """Only the opener is replaced: cards and tiles come from the secret as in any other game."""
    drawn: list[bytes] = []
    chance = random.Random(3)

    def entropy(count: int) -> bytes:
        data = chance.randbytes(count)
        if count == 32:
            drawn.append(data)
        return data

    world = LadderWorld(NAMES[:3], entropy=entropy)
    for name in world.names:
        world.join(name)
    world.play(100)
    heads = [record["game"] for record in world.records() if record["kind"] == "opened"]
    assert len(heads) == len(drawn) > 5
    for head, secret in zip(heads, drawn, strict=True):
        deal, raw = deal_of(head), deal_from_bytes(secret)
        assert (deal.cards, deal.ivory, deal.brown) == (raw.cards, raw.ivory, raw.brown)
