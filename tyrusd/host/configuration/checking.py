"""Checks what a configuration wants of its surroundings: bots that exist, whole files, free addresses."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tyrusd.core.seatspec import SeatSpec, parse_seat
from tyrusd.host.addresses import DEFAULT_HOSTS, BindError, is_loopback, numeric_hosts, parse_address
from tyrusd.host.configuration.keys import BY_PATH, PREFIX
from tyrusd.host.configuration.reading import ANCHORS, HOUSE, Configuration

PLAINTEXT: Final = (
    "traffic is not encrypted, so anyone on the way can read hands and take over seats: "
    "use a loopback address (with an SSH tunnel or VPN), or accept that with --allow-plaintext"
)
_ANYWHERE: Final = ("0.0.0.0", "::")  # a listener there has the port of each address of its family


class _Listener(NamedTuple):
    """An address that is asked for; key: by which, place: where that was said."""

    key: str
    place: str
    host: str
    port: int


def faults(config: Configuration, bad: Collection[str] = ()) -> Iterator[str]:
    """Yield a sentence for all that a server would not start with; certificates are read for it.

    bad: keys whose values are wrong by themselves, so that nothing can be said of them together with others.
    """
    if HOUSE not in bad:
        yield from _missing_bots(config)
    if "ladder.on" not in bad:
        yield from _without_ladder(config)
    if not {HOUSE, ANCHORS} & set(bad):
        yield from _no_bots(config)
    if not {"tls.certificate", "tls.key"} & set(bad):
        yield from _files(config)
    listeners = []
    for key in ("server.port", "tls.listen", "metrics.listen"):
        if not ({key, "server.hosts"} if key == "server.port" else {key}) & set(bad):
            try:
                listeners += _listeners(config, key)
            except (BindError, ValueError) as error:  # what was typed is not checked before
                yield f"{place_of(config, 'server.hosts' if key == 'server.port' else key)}: {error}"
    if "server.allow-plaintext" not in bad:
        yield from _plain(config, listeners)
    yield from _twice(listeners)


def place_of(config: Configuration, path: str) -> str:
    """Where a value was given, as sentences begin that say what is wrong with it."""
    origin, key = config.values[path].origin, BY_PATH[path]
    return _place(origin, f"[{key.table}] {key.name}")


def _place(origin: str, named: str) -> str:
    if origin == "default":
        return named
    if origin.startswith("-"):
        return origin
    if origin.startswith(PREFIX):
        return f"the variable {origin} of the environment"
    return f"{origin}: {named}"


def _place_of_bot(config: Configuration, table: str, name: str) -> str:
    origin = config.places[table][name]
    value = config[table][name]
    return f"{origin} {name}={value}" if origin.startswith("-") else _place(origin, f"[{table}] {name}")


# -- bots --------------------------------------------------------------------------------------------------


def houses_of(config: Configuration) -> dict[str, SeatSpec]:
    """The bots of the server by name: the bundled ones, and those that were asked for."""
    from tyrusd.host import plugins

    asked = {name: parse_seat(text) for name, text in config[HOUSE].items()}
    known = {name.lower() for name in asked}
    bundled = {
        plugin.name: SeatSpec("plugin", plugin.origin)
        for plugin in plugins.installed().plugins
        if plugin.distribution == plugins.BUNDLED and plugin.name.lower() not in known
    }
    return bundled | asked


def _missing_bots(config: Configuration) -> Iterator[str]:
    from tyrusd.host import plugins
    from tyrusd.host.programs import NoProgram, program_for

    listing = plugins.installed()
    for name, text in config[HOUSE].items():
        try:
            program_for(parse_seat(text), listing=listing)
        except NoProgram as error:
            place = _place_of_bot(config, HOUSE, name)
            yield f"{place}: {error}" if place.startswith("-") else f"{place} = {text!r}: {error}"


def _without_ladder(config: Configuration) -> Iterator[str]:
    if config["ladder.on"]:
        return
    why = "there is no ladder: turn it on with ladder.on (--ladder), or take this out"
    for name in config[ANCHORS]:
        yield f"{_place_of_bot(config, ANCHORS, name)}: {why}"
    if config["ladder.clock"] is not None:
        yield f"{place_of(config, 'ladder.clock')}: {why}"


def _no_bots(config: Configuration) -> Iterator[str]:
    known = sorted(houses_of(config), key=str.lower)
    for name in config[ANCHORS]:
        if name.lower() not in {house.lower() for house in known}:
            place = _place_of_bot(config, ANCHORS, name)
            yield f"{place}: an anchor is a bot of this server; there are {', '.join(known)}"


# -- files -------------------------------------------------------------------------------------------------


def _files(config: Configuration) -> Iterator[str]:
    files: list[Path] = []
    for path in ("tls.certificate", "tls.key"):
        file = config[path]
        if file is None:
            continue
        try:
            file.read_bytes()
            files.append(file)
        except OSError as error:
            yield f"{place_of(config, path)}: {file} cannot be read: {error.strerror}"
    if len(files) == 2:
        from tyrusd.host.tls import CertificateError, server_context

        try:
            server_context(files[0], files[1])
        except CertificateError as error:
            places = " and ".join(place_of(config, path) for path in ("tls.certificate", "tls.key"))
            yield f"{places}: {error}"


# -- addresses ---------------------------------------------------------------------------------------------


def _listeners(config: Configuration, key: str) -> list[_Listener]:
    """The numeric addresses of a key; raises BindError for an unknown host, ValueError for no address."""
    if key == "server.port":
        hosts, port = config["server.hosts"], config[key]
        place = place_of(config, "server.hosts" if hosts else key)
        return [
            _Listener(key, place, found, port)
            for found in dict.fromkeys(
                found for host in hosts or DEFAULT_HOSTS for found in numeric_hosts(host)
            )
        ]
    if config[key] is None:
        return []
    address = parse_address(config[key])
    return [
        _Listener(key, place_of(config, key), found, address.port) for found in numeric_hosts(address.host)
    ]


def _plain(config: Configuration, listeners: list[_Listener]) -> Iterator[str]:
    if not config["server.allow-plaintext"]:
        for listener in listeners:
            if listener.key != "tls.listen" and not is_loopback(listener.host):
                yield f"{listener.place} {listener.host} can be reached from other machines, and {PLAINTEXT}"


def _twice(listeners: list[_Listener]) -> Iterator[str]:
    for number, one in enumerate(listeners):
        for other in listeners[:number]:
            same_family = (":" in one.host) == (":" in other.host)
            overlap = one.host == other.host or (same_family and {one.host, other.host} & set(_ANYWHERE))
            if overlap and one.port == other.port != 0:
                what = f"{other.place} and {one.place}" if one.key != other.key else one.place
                yield f"{what}: two listeners cannot have port {one.port} on {one.host}; choose another"
                break
