"""What a host is called: the one spelling of an address that caps, bans, lists and logs use."""

from __future__ import annotations

import contextlib
import ipaddress
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

_NETWORK: Final = 64  # bits: the smallest part of the IPv6 internet that one customer gets (RFC 6177)
_ZONE: Final = re.compile(r"[!-~]{1,64}")  # a name of an interface, as somebody may type it


def canonical_host(text: str) -> str:
    """Return the one spelling of a numeric address: IPv4-mapped IPv6 becomes IPv4; other text stays as it is.

    A zone (`%eth0`) is dropped: it tells by which interface of ours somebody came, not who that is. Caps,
    bans and logs use this spelling, so that one machine cannot be two hosts.
    """
    address, percent, _ = text.partition("%")
    return (_spelt(address) if percent else None) or _spelt(text) or text


def address_of(text: str) -> str | None:
    """Return the one spelling of a typed address, or None if the text is none, or has an odd zone."""
    address, percent, zone = text.partition("%")
    if percent and (":" not in address or _ZONE.fullmatch(zone) is None):
        return None
    return _spelt(address)


def hosts_of(text: str) -> str | None:
    """Return the one spelling of a typed address or network (`2001:db8::/64`); None if it is neither."""
    address, slash, length = text.partition("/")
    host = None if "%" in address else address_of(address)
    if not slash:
        return address_of(text)
    if host is None or not (length.isascii() and length.isdigit()):
        return None
    bits = int(length[:4]) - (96 if ":" in address and ":" not in host else 0)  # IPv4 that is written as IPv6
    if not 0 < bits <= bits_of(host):
        return None
    return host if bits == bits_of(host) else str(ipaddress.ip_network((host, bits), strict=False))


def networks_around(host: str, lengths: Iterable[int]) -> Iterator[str]:
    """Spell the networks of such lengths (bits) that a host is in; a text that is no host is in none."""
    with contextlib.suppress(ValueError):
        address = int(ipaddress.ip_address(host))
        kind = ipaddress.IPv6Network if ":" in host else ipaddress.IPv4Network
        for bits in lengths:
            if bits < bits_of(host):
                yield str(kind((address, bits), strict=False))


def bits_of(host: str) -> int:
    """How many bits an address in its one spelling has."""
    return 128 if ":" in host else 32


@lru_cache(maxsize=4096)
def network_of(host: str) -> str:
    """Return what counts as one machine: of IPv6 its network of 64 bits, of all else the host itself.

    Whoever has one address of IPv6 has as many as all of such a network. host: in its one spelling.
    """
    if ":" not in host:
        return host
    try:
        return str(ipaddress.IPv6Network((host, _NETWORK), strict=False))
    except ValueError:
        return host


def _spelt(text: str) -> str | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
