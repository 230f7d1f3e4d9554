"""The text of a ladder's plan: what `ladder.json` holds, read as strictly as it is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from tyrusd.core.seatspec import is_name, parse_seat
from tyrusd.host.ladder.plan import LadderEntrant, LadderPlan, SandboxWord
from tyrusd.league.clock import TimeControl
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.tournament.plan import Draws, Kind, TournamentPlan
from tyrusd.rules.deal import LONGEST_SEED, Deal
from tyrusd.rules.pieces import KIND_OF_LETTER, SIDE_OF_LETTER, TILE_NAMED
from tyrusd.rules.variants import VARIANTS

SCHEMA: Final = 1
"""Counts up when the text gets another shape."""

Count: TypeAlias = Annotated[int, Meta(ge=1, le=10**9)]
Seconds: TypeAlias = Annotated[float, Meta(gt=0, le=10**6)]


class PlanError(ValueError):
    """A text is no plan of a ladder; the sentence says where it differs."""


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class _Bot(_Part, frozen=True):
    name: str
    seat: str
    clock: str
    cap: str


class _Sprt(_Part, frozen=True):
    elo0: float
    elo1: float
    alpha: Annotated[float, Meta(gt=0, lt=1)]
    beta: Annotated[float, Meta(gt=0, lt=1)]
    model: Literal["normalized", "logistic"]


class _Text(_Part, frozen=True):
    schema: Literal[1]
    kind: Kind
    bots: Annotated[list[_Bot], Meta(max_length=10_000)]
    seed: Annotated[str, Meta(min_length=1, max_length=LONGEST_SEED, pattern=r"\A[ -~]*\Z")]
    typed_seed: bool
    rounds: Count | None
    games: Literal[1, 2]
    unswapped: list[str]
    seeds: Annotated[int, Meta(ge=0, le=10_000)]
    swiss_rounds: Count | None
    draws: Draws
    suspend_after: Count
    stop_on_crash: bool
    sprt: _Sprt | None
    shard: tuple[Count, Count] | None
    variant: str
    deals: list[str] | None
    deals_hash: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")] | None
    sandbox: SandboxWord
    memory: Count
    processor: Count | None
    start: Seconds
    wait: Seconds
    ponder: bool
    trust_memory: bool


class _Version(Struct, frozen=True):
    schema: int


def write_plan(plan: LadderPlan) -> str:
    """Return the text of a plan, the same for equal plans; `read_plan` reads it back."""
    return f"{msgspec.json.format(msgspec.json.encode(_text(plan)), indent=1).decode()}\n"


def plan_object(plan: LadderPlan) -> dict[str, Any]:
    """Return a plan as plain JSON data without its deals, for reports."""
    found: dict[str, Any] = msgspec.to_builtins(_text(plan))
    del found["deals"]
    return found


def read_plan(text: str | bytes) -> LadderPlan:
    """Read a plan's text; raises PlanError with a sentence for any other text, or one of a newer tyrusd."""
    try:
        found = msgspec.json.decode(text, type=_Version)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise PlanError(f"it is not the plan of a ladder ({error})") from None
    if found.schema > SCHEMA:
        raise PlanError(
            f"it has version {found.schema}, this tyrusd reads {SCHEMA}; use the tyrusd that wrote it"
        )
    try:
        shape = msgspec.json.decode(text, type=_Text)
        return _plan(shape)
    except ValueError as error:
        raise PlanError(f"it is not the plan of a ladder: {error}") from None


def _text(plan: LadderPlan) -> _Text:
    terms = plan.tournament
    return _Text(
        schema=1,
        kind=terms.kind,
        bots=[
            _Bot(bot.name, str(bot.seat), bot.control.clock_text, bot.control.cap_text)
            for bot in plan.entrants
        ],
        seed=terms.seed,
        typed_seed=plan.typed_seed,
        rounds=terms.rounds,
        games=terms.games,
        unswapped=sorted(terms.unswapped),
        seeds=terms.seeds,
        swiss_rounds=terms.swiss_rounds,
        draws=terms.draws,
        suspend_after=terms.suspend_after,
        stop_on_crash=terms.stop_on_crash,
        sprt=None if terms.sprt is None else _Sprt(*terms.sprt),
        shard=terms.shard,
        variant=plan.variant.name,
        deals=None if plan.deals is None else [_deal_text(deal) for deal in plan.deals],
        deals_hash=plan.deals_hash,
        sandbox=plan.sandbox,
        memory=plan.memory,
        processor=plan.processor,
        start=float(plan.start),
        wait=float(plan.wait),
        ponder=plan.ponder,
        trust_memory=plan.trust_memory,
    )


def _plan(shape: _Text) -> LadderPlan:
    _check(shape)
    entrants = tuple(
        LadderEntrant(bot.name, parse_seat(bot.seat), TimeControl.parse(bot.clock, bot.cap))
        for bot in shape.bots
    )
    sprt = shape.sprt
    return LadderPlan(
        TournamentPlan(
            kind=shape.kind,
            entrants=tuple(bot.name for bot in shape.bots),
            seed=shape.seed,
            rounds=shape.rounds,
            games=shape.games,
            unswapped=frozenset(shape.unswapped),
            seeds=shape.seeds,
            swiss_rounds=shape.swiss_rounds,
            draws=shape.draws,
            suspend_after=shape.suspend_after,
            stop_on_crash=shape.stop_on_crash,
            sprt=None if sprt is None else SprtPlan(sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta, sprt.model),
            shard=shape.shard,
        ),
        entrants,
        variant=VARIANTS[shape.variant],
        deals=None if shape.deals is None else tuple(map(_deal, shape.deals)),
        deals_hash=shape.deals_hash,
        typed_seed=shape.typed_seed,
        sandbox=shape.sandbox,
        memory=shape.memory,
        processor=shape.processor,
        start=shape.start,
        wait=shape.wait,
        ponder=shape.ponder,
        trust_memory=shape.trust_memory,
    )


def _check(shape: _Text) -> None:
    """Raise ValueError for what the shape alone does not exclude."""
    names = [bot.name for bot in shape.bots]
    for name in names:
        if not is_name(name):
            raise ValueError(f"the bot {name!r} has no name of 1 to 32 letters, digits, _ or -")
    if len({name.lower() for name in names}) != len(names):
        raise ValueError("two bots have the same name")
    strangers = sorted(set(shape.unswapped) - set(names))
    if strangers:
        raise ValueError(f"`unswapped` names {strangers[0]!r}, which is no bot of it")
    if shape.variant not in VARIANTS:
        raise ValueError(f"{shape.variant!r} is no variant of the rules")
    if shape.shard is not None and shape.shard[0] > shape.shard[1]:
        raise ValueError(f"there is no share {shape.shard[0]} of {shape.shard[1]}")


def _deal_text(deal: Deal) -> str:
    cards = "".join(kind.letter for kind in deal.cards)
    sides = (",".join(map(str, tiles)) for tiles in (deal.ivory, deal.brown))
    return " ".join((cards, *sides, deal.opener.letter))


def _deal(text: str) -> Deal:
    words: Sequence[str] = text.split(" ")
    try:
        cards, ivory, brown, opener = words
        return Deal(
            tuple(KIND_OF_LETTER[letter] for letter in cards),
            tuple(TILE_NAMED[name] for name in ivory.split(",")),
            tuple(TILE_NAMED[name] for name in brown.split(",")),
            SIDE_OF_LETTER[opener],
        )
    except (KeyError, ValueError) as error:
        raise ValueError(f"{text[:40]!r}… is no deal ({error})") from None
