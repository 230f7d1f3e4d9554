"""Which versions are one: the games of an old one count for a newer one of the same account."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from tyrusd.league.rated import Version

_LISTED: Final = 8  # a sentence is not the place for more

VersionKey: TypeAlias = tuple[str, str | None]
"""What `Version.key` returns."""


class Merges:
    """Which version's games count for another one of the same account."""

    def __init__(self, merges: Mapping[Version, Version]) -> None:
        """Take what was merged; ValueError where that goes round in a circle."""
        self._next = {old.key: new for old, new in merges.items()}
        for old in merges:
            self.final(old)

    def final(self, version: Version) -> Version:
        """The version for which a version's games count in the end; ValueError for a circle."""
        passed = {version.key}
        found = version
        while (further := self._next.get(found.key)) is not None:
            if further.key in passed:
                raise ValueError(f"the merges of {version} go round in a circle: one of them must be split")
            passed.add(further.key)
            found = further
        return found


def versions_text(versions: Iterable[Version]) -> str:
    """List versions as somebody writes them who names one: NAME/AGENT, NAME/- without an agent."""
    found = sorted(f"{version.name}/{version.agent or '-'}" for version in versions)
    more = "" if len(found) <= _LISTED else f" and {len(found) - _LISTED} more"
    return ", ".join(found[:_LISTED]) + more


def merge_fault(merges: Mapping[Version, Version], old: Version, new: Version) -> str | None:
    """Return a sentence that says why the games of `old` cannot count for `new` from now on, or None."""
    if old.name.lower() != new.name.lower():
        return f"{old} and {new} are not versions of one account"
    if old.key == new.key:
        return f"{old} is the same version"
    known = {one.key: other for one, other in merges.items()}
    if old.key in known:
        back = f"`tyrusd ratings split {old}` takes that back"
        return f"{old} counts for {known[old.key]} already; {back}, which is the operator's"
    try:
        Merges({**merges, old: new})
    except ValueError:
        return f"{new} counts for {old} already, so this would go round in a circle"
    return None


def gap_fault(
    order: Sequence[Version], merges: Mapping[Version, Version], old: Version, new: Version
) -> str | None:
    """Return a sentence that says why an account may not merge these by itself, or None.

    order: its versions by their first rated games; one that is not there comes last. An account may join what
    lies side by side in that order, and nothing else: who could leave versions out would choose games by
    their results. The merge is one that merge_fault allows.
    """
    places = {version.key: place for place, version in enumerate(order)}
    began, until = (places.get(version.key, len(order)) for version in (old, new))
    if began >= until:
        return f"{old} did not begin before {new}: the games of an older version count for a newer one"
    joined = Merges({**merges, old: new})
    final = joined.final(new).key
    group = [place for place, version in enumerate(order) if joined.final(version).key == final]
    last = max(*group, places.get(final, len(order)))
    between = [version for version in order[min(group) : last] if joined.final(version).key != final]
    if not between:
        return None
    first = versions_text(between[:1])
    return (
        f"{first} began to play between those that would be one and does not count for {new}: "
        f"merge it first, so that no version is left out"
    )
