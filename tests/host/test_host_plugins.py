"""Which plugins there are, from metadata alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.host.installing import install, install_bot
from tyrusd.host.plugins import BUNDLED, UnknownPlugin, installed, resolve


def test_the_bundled_bots_are_found_by_the_same_way_as_anyone_s() -> None:
    bundled = {plugin.name for plugin in installed().plugins if plugin.distribution == BUNDLED}
    assert {"random", "greedy", "cautious"} <= bundled


def test_row_42_no_plugin_is_imported_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    install_bot(tmp_path, "spy-bot", "spy", "spy_bot_module", "raise SystemExit('imported')")
    listing = installed()
    plugin = resolve("spy", listing)
    assert (plugin.module, plugin.distribution, plugin.version) == ("spy_bot_module", "spy-bot", "1.0")
    assert plugin.path == str(tmp_path)
    assert "spy_bot_module" not in sys.modules


def test_f085_row_43_a_name_of_two_distributions_must_be_written_in_full(tmp_path: Path) -> None:
    """pytest-dev/pluggy#64: which of two plugins came first depended on the order of their registration."""
    both = [
        install(tmp_path, "Bots_One", "[tyrusd_bots]\nsmart = one.bot\n"),
        install(tmp_path, "bots-two", "[tyrusd_bots]\nsmart = two.bot\nalone = two.alone\n"),
    ]
    for found in (both, both[::-1]):  # F085: the order of installation decides nothing
        listing = installed(found)
        assert set(listing.conflicts()) == {"smart"}
        with pytest.raises(
            UnknownPlugin, match=r"bots-one/smart and bots-two/smart.*plugin:DISTRIBUTION/NAME"
        ):
            resolve("smart", listing)
        assert resolve("bots-two/smart", listing).module == "two.bot"
        assert resolve("Bots.One/smart", listing).module == "one.bot"
        assert resolve("alone", listing).module == "two.alone"


def test_an_unknown_plugin_is_told_with_what_there_is(tmp_path: Path) -> None:
    listing = installed([install(tmp_path, "bots", "[tyrusd_bots]\nb = m.b\na = m.a\n")])
    with pytest.raises(UnknownPlugin, match=r"no plugin 'c'; installed are: a, b \(`tyrusd plugins`"):
        resolve("c", listing)
    with pytest.raises(UnknownPlugin, match="installed are: none"):
        resolve("c", installed([]))


def test_f083_broken_metadata_of_one_hides_no_other(tmp_path: Path) -> None:
    """simonw/llm#1351: one entry that could not be read kept all the others from being loaded."""
    good = install(tmp_path, "good", "[tyrusd_bots]\nfine = good.bot\n")
    damaged = install(tmp_path, "damaged", "[tyrusd_bots\nx = = =\n\x00")
    nameless = install(tmp_path, "nameless", "[tyrusd_bots]\nx = y\n", metadata="Metadata-Version: 2.1\n")
    empty = install(tmp_path, "empty", "")
    for found in ([damaged, nameless, empty, good], [good, empty, nameless, damaged]):
        listing = installed(found)
        assert [plugin.name for plugin in listing.plugins] == ["fine"]
        assert any("nameless" in broken.origin for broken in listing.broken)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("two words = m", "its name is not"),
        ("name.with.dots = m", "its name is not"),
        (f"{'n' * 33} = m", "its name is not"),
        ("good = m:attribute:more", "not a module"),
        ("good = m:", "not a module"),
        ("good = m:1", "not a module"),
        ("good = a-b", "not a module"),
        ("good = m [extra]", "not a module"),
    ],
)
def test_an_entry_that_cannot_be_a_bot_is_listed_as_broken(tmp_path: Path, entry: str, reason: str) -> None:
    listing = installed([install(tmp_path, "odd", f"[tyrusd_bots]\n{entry}\n")])
    assert not listing.plugins
    assert [broken.origin for broken in listing.broken] == [f"odd/{entry.partition(' = ')[0]}"]
    assert reason in listing.broken[0].reason


def test_an_entry_may_name_something_in_a_module(tmp_path: Path) -> None:
    listing = installed([install(tmp_path, "fine", "[tyrusd_bots]\ngood = m.sub:Bots.Best\n")])
    assert resolve("good", listing).module == "m.sub:Bots.Best"


def test_a_broken_entry_that_is_asked_for_says_why(tmp_path: Path) -> None:
    listing = installed([install(tmp_path, "odd", "[tyrusd_bots]\ngood = m:2\n")])
    for text in ("good", "odd/good"):
        with pytest.raises(UnknownPlugin, match=r"odd/good is broken: .*not a module"):
            resolve(text, listing)


def test_a_distribution_that_is_shadowed_is_not_a_conflict(tmp_path: Path) -> None:
    first = install(tmp_path / "a", "bots", "[tyrusd_bots]\nx = new.bot\n", version="2.0")
    second = install(tmp_path / "b", "bots", "[tyrusd_bots]\nx = old.bot\n", version="1.0")
    assert resolve("x", installed([first, second])).module == "new.bot"
