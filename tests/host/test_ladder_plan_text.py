"""A plan is read back as it was written, and any other text is refused in a sentence."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from tests.host.ladder_plans import plan_of
from tyrusd.core.seatspec import SeatSpec
from tyrusd.host.ladder.plan import LadderPlan
from tyrusd.host.ladder.plan_text import PlanError, plan_object, read_plan, write_plan
from tyrusd.league.clock import TimeControl
from tyrusd.league.statistics.plan import SprtPlan
from tyrusd.league.tournament.plan import TournamentPlan
from tyrusd.rules.deal import deal_from_bytes
from tyrusd.rules.variants import REPLAY_TIES

PLAN = plan_of("anna", "bert", "carl")


def unusual() -> LadderPlan:
    """A plan of which no field has its usual value."""
    terms = replace(
        PLAN.tournament,
        kind="gauntlet",
        seed="another ~seed",
        rounds=None,
        games=1,
        unswapped=frozenset({"carl", "anna"}),
        seeds=2,
        swiss_rounds=7,
        draws="replay",
        suspend_after=3,
        stop_on_crash=True,
        sprt=SprtPlan(-1.5, 5.25, 0.01, 0.2, "logistic"),
        shard=(2, 3),
    )
    anna = replace(
        PLAN.entrants[0],
        seat=SeatSpec("exec", "./b --text 'ü \"x\"'"),
        control=TimeControl.parse("10+0.125", "none"),
    )
    return LadderPlan(
        terms,
        (anna, *PLAN.entrants[1:]),
        variant=REPLAY_TIES,
        deals=tuple(deal_from_bytes(bytes([number])) for number in range(1, 4)),
        deals_hash="ab" * 32,
        typed_seed=not PLAN.typed_seed,
        sandbox="bwrap",
        memory=64,
        processor=100,
        start=2.5,
        wait=0.5,
        ponder=False,
        trust_memory=True,
    )


def test_every_field_is_read_back() -> None:
    plan = unusual()
    usual = LadderPlan(TournamentPlan("roundrobin", (), "s"), ())
    for field in (found for found in fields(LadderPlan) if found.compare):  # the others are no terms
        assert getattr(plan, field.name) != getattr(usual, field.name), f"{field.name} is not tried"
    for field in fields(TournamentPlan):
        assert getattr(plan.tournament, field.name) != getattr(usual.tournament, field.name), field.name
    assert read_plan(write_plan(plan)) == plan
    assert read_plan(write_plan(PLAN).encode()) == PLAN
    assert write_plan(read_plan(write_plan(plan))) == write_plan(plan)
    assert write_plan(PLAN) == write_plan(read_plan(write_plan(PLAN)))


def test_a_report_gets_all_but_the_deals() -> None:
    found = plan_object(unusual())
    assert json.loads(json.dumps(found)) == {
        key: value for key, value in json.loads(write_plan(unusual())).items() if key != "deals"
    }


def spoiled(**changes: Any) -> str:
    return json.dumps({**json.loads(write_plan(unusual())), **changes})


def with_bots(*names: str, seat: str = "plugin:random", clock: str = "none") -> str:
    bots = [{"name": name, "seat": seat, "clock": clock, "cap": "60"} for name in names]
    return spoiled(bots=bots, unswapped=[])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not the plan"),
        ("[]", "not the plan"),
        ("{}", "schema"),
        (b"\xff\xfe", "not the plan"),
        (spoiled(schema=2, more="x"), "version 2, this tyrusd reads 1; use the tyrusd that wrote it"),
        (spoiled(schema=0), "schema"),
        (spoiled(more=1), "more"),
        (spoiled(kind="league"), "league"),
        (spoiled(seed=""), "seed"),
        (spoiled(seed="a\nb"), "seed"),
        (spoiled(seed="x" * 65), "seed"),
        (spoiled(rounds=0), "rounds"),
        (spoiled(games=3), "games"),
        (spoiled(unswapped=["dora"]), "dora"),
        (spoiled(variant="chess"), "chess"),
        (spoiled(shard=[4, 3]), "share 4 of 3"),
        (spoiled(deals=["CCC x y I"]), "no deal"),
        (spoiled(deals=["CCCMMMTTT"]), "no deal"),
        (spoiled(deals_hash="AB"), "deals_hash"),
        (with_bots("a b"), "a b"),
        (with_bots("a", seat="what"), "what"),
        (with_bots("a", clock="fast"), "clock"),
        (with_bots("a", "A"), "same name"),
        (spoiled(memory=0.5), "memory"),
        (spoiled(wait=-1), "wait"),
        (spoiled(sprt={"elo0": 0, "elo1": 1, "alpha": 1.5, "beta": 0.1, "model": "logistic"}), "alpha"),
    ],
)
def test_any_other_text_is_refused(text: str | bytes, words: str) -> None:
    with pytest.raises(PlanError) as refusal:
        read_plan(text)
    assert words in str(refusal.value)
