"""Which bot plugins are installed: entry-point metadata only, no plugin's code is ever imported here."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions
from typing import Final, NamedTuple

from tyrusd.core.seatspec import is_name
from tyrusd.host.logs import escaped

GROUP: Final = "tyrusd_bots"
BUNDLED: Final = "tyrusd"  # the distribution whose bots wait in every lobby
_DOTTED = r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*"
_OBJECT = re.compile(rf"{_DOTTED}(:{_DOTTED})?", re.ASCII)


class Plugin(NamedTuple):
    """One installed bot: its name, the module (or module:attribute) that is it, and where it comes from."""

    name: str
    module: str
    distribution: str
    version: str
    path: str  # the directory its distribution was found in

    @property
    def origin(self) -> str:
        """The name that is never ambiguous: DISTRIBUTION/NAME."""
        return f"{self.distribution}/{self.name}"


class Broken(NamedTuple):
    """Something that claims to be a plugin and cannot be one; the reason is a sentence."""

    origin: str
    reason: str


class Listing(NamedTuple):
    """All installed plugins by name and origin, and what is broken already in its metadata."""

    plugins: tuple[Plugin, ...]
    broken: tuple[Broken, ...]

    def conflicts(self) -> dict[str, tuple[Plugin, ...]]:
        """Names that several distributions use, with all that use them."""
        named: dict[str, list[Plugin]] = {}
        for plugin in self.plugins:
            named.setdefault(plugin.name, []).append(plugin)
        return {name: tuple(plugins) for name, plugins in named.items() if len(plugins) > 1}


class UnknownPlugin(Exception):  # noqa: N818 -- it is not the program's error
    """No plugin can be meant; the text is a sentence that says which there are, or how to choose."""


def installed(found: Iterable[Distribution] | None = None) -> Listing:
    """Read the metadata of every installed distribution; broken metadata of one never hides another."""
    plugins: list[Plugin] = []
    broken: list[Broken] = []
    seen: set[str] = set()
    for distribution in distributions() if found is None else found:
        try:
            name = _distribution_name(distribution)
            if name in seen:
                continue  # shadowed: the first one on the path is the one that would be imported
            seen.add(name)
            for entry in distribution.entry_points.select(group=GROUP):
                problem = _problem(entry.name, entry.value)
                if problem is not None:
                    broken.append(Broken(escaped(f"{name}/{entry.name}"), escaped(problem)))
                else:
                    path = str(distribution.locate_file(""))
                    version = escaped(distribution.version)
                    plugins.append(Plugin(entry.name, entry.value, name, version, path))
        except Exception as error:  # metadata is foreign data, and every library version fails in its own way
            origin = str(getattr(distribution, "_path", "an installed distribution"))
            reason = f"its metadata cannot be read ({type(error).__name__}: {error})"
            broken.append(Broken(escaped(origin), escaped(reason)))
    plugins.sort(key=lambda plugin: (plugin.name, plugin.distribution))
    return Listing(tuple(plugins), tuple(broken))


def resolve(text: str, listing: Listing | None = None) -> Plugin:
    """Find the plugin meant by NAME or DISTRIBUTION/NAME; raises UnknownPlugin, saying what there is."""
    listing = installed() if listing is None else listing
    distribution, slash, name = text.rpartition("/")
    meant = [
        plugin
        for plugin in listing.plugins
        if plugin.name == name and (not slash or plugin.distribution == _normalized(distribution))
    ]
    if len(meant) == 1:
        return meant[0]
    if meant:
        origins = " and ".join(plugin.origin for plugin in meant)
        raise UnknownPlugin(f"the plugin name {name!r} stands for {origins}: write plugin:DISTRIBUTION/NAME")
    for origin, reason in listing.broken:
        if origin == f"{_normalized(distribution)}/{name}" or (not slash and origin.endswith(f"/{name}")):
            raise UnknownPlugin(f"the plugin {origin} is broken: {reason}")
    known = ", ".join(dict.fromkeys(plugin.name for plugin in listing.plugins)) or "none"
    raise UnknownPlugin(f"there is no plugin {text!r}; installed are: {known} (`tyrusd plugins` tells more)")


def _distribution_name(distribution: Distribution) -> str:
    name = distribution.metadata["Name"]
    if not isinstance(name, str) or not name:
        raise ValueError("there is no Name")
    # Every command shows it, and nobody may drive a terminal with the name of a distribution.
    return escaped(_normalized(name))


def _normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _problem(name: str, value: str) -> str | None:
    if not is_name(name):
        return "its name is not 1 to 32 letters, digits, _ or -"
    if _OBJECT.fullmatch(value) is None:
        return f"it names {value!r}, which is not a module like package.module or package.module:Bot"
    return None
