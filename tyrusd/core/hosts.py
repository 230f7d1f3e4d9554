"""What a host is called: the one spelling of an address that caps, bans, lists and logs use."""

from __future__ import annotations

import ipaddress


def canonical_host(text: str) -> str:
    """Return the one spelling of a numeric address: IPv4-mapped IPv6 becomes IPv4; other text stays as it is.

    Caps, bans and logs use this spelling, so that one machine cannot be two hosts.
    """
    return address_of(text) or text


def address_of(text: str) -> str | None:
    """Return the one spelling of a numeric address, or None if the text is none."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)
