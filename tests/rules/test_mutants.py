"""A fault planted in any row of the rules is found by a check of that row."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tyrusd.rules
from tests.rules import counting, endings, flow, golden, secrecy
from tests.rules.faults import FAULTS, Fault
from tests.rules.rows import CHECKS, Check, load_rules

# Importing these areas fills the register.
AREAS = (counting, endings, flow, golden, secrecy)
SOURCE = Path(tyrusd.rules.__file__).parent


@pytest.fixture
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder from which copies of the rules can be imported; they are forgotten afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("faulty_rules")]:
        del sys.modules[name]


def copy_of_rules(folder: Path, fault: Fault | None) -> Any:
    """A copy of the rules under another package name, with a fault or without."""
    package = folder / "faulty_rules"
    package.mkdir()
    for file in SOURCE.glob("*.py"):
        text = file.read_text("utf-8")
        if fault is not None and file.name == fault.file:
            assert text.count(fault.old) == 1, f"{fault.file} has changed; find {fault.old!r} a new place"
            text = text.replace(fault.old, fault.new)
        (package / file.name).write_text(text.replace("tyrusd.rules", "faulty_rules"), "utf-8")
    return load_rules("faulty_rules")


def failing(rules: Any, checks: list[Check]) -> list[str]:
    """The names of the checks that fail."""
    found = []
    for entry in checks:
        try:
            entry.run(rules)
        except Exception:  # whatever a fault leads to is a finding
            found.append(entry.name)
    return found


def test_a_copy_without_fault_passes_every_check(copies: Path) -> None:
    rules = copy_of_rules(copies, None)
    assert rules.Game.__module__ == "faulty_rules.game"
    assert failing(rules, CHECKS) == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"R{fault.row}-{fault.name.replace(' ', '-')}")
def test_a_check_of_the_row_finds_the_fault(fault: Fault, copies: Path) -> None:
    rules = copy_of_rules(copies, fault)
    # The golden games find most faults too, but a row must not depend on what they happen to hold.
    of_the_row = [entry for entry in CHECKS if fault.row in entry.rows and "golden" not in entry.name]
    assert failing(rules, of_the_row) != []


def test_every_row_has_a_fault() -> None:
    assert {fault.row for fault in FAULTS} == set(range(1, 18))
    assert len({(fault.row, fault.name) for fault in FAULTS}) == len(FAULTS)
