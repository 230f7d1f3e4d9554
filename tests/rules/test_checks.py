"""The rules pass all their checks: printed worked examples, rows of docs/rules.md, golden games."""

from typing import Any

import pytest

from tests.rules import counting, endings, flow, golden, secrecy
from tests.rules.rows import CHECKS, Check, load_rules

AREAS = (counting, endings, flow, golden, secrecy)
RULES: Any = load_rules("tyrusd.rules")


@pytest.mark.parametrize("entry", CHECKS, ids=lambda entry: entry.name)
def test_check(entry: Check) -> None:
    entry.run(RULES)


def test_every_row_has_a_check_and_every_check_a_name_of_its_own() -> None:
    assert {row for entry in CHECKS for row in entry.rows} == set(range(1, 18))
    assert len({entry.name for entry in CHECKS}) == len(CHECKS)
    assert {entry.run.__module__ for entry in CHECKS} == {area.__name__ for area in AREAS}
