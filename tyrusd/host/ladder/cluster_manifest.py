"""Whether another machine has what the manifest of a run says: the same tyrusd, Python and bots."""

from __future__ import annotations

import platform
import re
from pathlib import Path
from typing import Final

import msgspec

from tyrusd import __version__
from tyrusd.core.seatspec import parse_seat
from tyrusd.host import sandbox
from tyrusd.host.ladder.fingerprint import File, Fingerprint, fingerprint
from tyrusd.host.ladder.manifest import Manifest, ManifestError, changes, read_manifest, write_manifest
from tyrusd.host.programs import NoProgram
from tyrusd.league.framing import VERSION as RECORDS
from tyrusd.wire import PROTOCOL_VERSION

_IN_TIME: Final = re.compile(r" was (.*) and is (.*)")

CANNOT: Final = b"cannot: "
"""What a machine says first that lacks something; a sentence follows."""


def found_here(manifest: bytes) -> bytes:
    """Return the manifest as it would be on this machine, or CANNOT and what is missing here."""
    try:
        asked = read_manifest(manifest)
        here = Path(asked.directory)
        if asked.sandbox == "bwrap":
            sandbox.find()
        bots = [fingerprint(bot.name, parse_seat(bot.seat), here) for bot in asked.bots]
    except (ManifestError, NoProgram, sandbox.NoSandbox, ValueError) as error:
        return CANNOT + str(error).encode("utf-8", "replace")
    return write_manifest(
        msgspec.structs.replace(
            asked,
            tyrusd=__version__,
            protocol=PROTOCOL_VERSION,
            records=RECORDS,
            python=f"{platform.python_implementation()} {platform.python_version()}",
            bots=bots,
        )
    )


def differences(manifest: Manifest, found: bytes) -> str | None:
    """Tell, as parts of a sentence, why a machine that found this may not play; None: it may."""
    if found.startswith(CANNOT):
        return found[len(CANNOT) :].decode("utf-8", "replace")
    try:
        here = read_manifest(found)
    except ManifestError as error:
        return f"what it says of itself cannot be read: {error}"
    return "; ".join(apart(manifest, here)) or None


def apart(one: Manifest, other: Manifest) -> list[str]:
    """Tell, as parts of a sentence, in what two machines differ so that their games cannot be compared."""
    if [bot.name for bot in one.bots] != [bot.name for bot in other.bots]:
        return ["they name different bots"]
    other = msgspec.structs.replace(other, plan=one.plan)  # who has the same plan is not asked here
    # The wording is that of a resumption, where time has passed; here two machines stand side by side.
    return [
        _IN_TIME.sub(r" is \1 here and \2 there", part)
        for part in changes(_placeless(one), _placeless(other))
    ]


def _placeless(manifest: Manifest) -> Manifest:
    """Forget where files lie: machines may keep the same ones in different places."""
    return msgspec.structs.replace(manifest, bots=[_without_folders(bot) for bot in manifest.bots])


def _without_folders(bot: Fingerprint) -> Fingerprint:
    return msgspec.structs.replace(bot, files=[File(Path(file.path).name, file.sha256) for file in bot.files])
