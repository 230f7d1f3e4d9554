"""Makes distributions in a directory as an installer leaves them: metadata, and a module that is the bot."""

from __future__ import annotations

from importlib.metadata import Distribution, PathDistribution
from pathlib import Path

GOOD_BOT = """
from tyrusd.sdk import Building, Placement, hookimpl

@hookimpl
def tyrusd_choose(requests):
    return [Placement(request.view.hand[0], Building.IC) for request in requests]

@hookimpl
def tyrusd_about():
    return "places its first tile"
"""


def install(
    directory: Path, name: str, entries: str, version: str = "1.0", metadata: str | None = None
) -> Distribution:
    """Write the metadata of one distribution; entries is the text of its entry points."""
    place = directory / f"{name.replace('-', '_')}-{version}.dist-info"
    place.mkdir(parents=True)
    text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n" if metadata is None else metadata
    (place / "METADATA").write_text(text)
    (place / "entry_points.txt").write_text(entries)
    return PathDistribution(place)


def install_bot(
    directory: Path, distribution: str, name: str, module: str, code: str = GOOD_BOT
) -> Distribution:
    """Write a distribution with one bot and the module that it names."""
    (directory / f"{module}.py").write_text(code)
    return install(directory, distribution, f"[tyrusd_bots]\n{name} = {module}\n")
