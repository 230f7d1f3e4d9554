"""What a run of a ladder was made of: versions, and by what each bot would be known if it changed."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from tyrusd import __version__
from tyrusd.host.ladder.fingerprint import Fingerprint, fingerprint
from tyrusd.host.ladder.plan import LadderPlan
from tyrusd.host.plugins import installed
from tyrusd.league.framing import VERSION as RECORDS
from tyrusd.league.schema import Payload
from tyrusd.wire import PROTOCOL_VERSION

SCHEMA: Final = 1
_PACKAGES: Final = ("trio", "msgspec", "msgpack", "pluggy", "numpy", "distributed")

Hash: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class Machine(Struct, frozen=True, forbid_unknown_fields=True):
    """A machine that games of the run were played on, or that it was started on."""

    host: str
    cpu: str


class Manifest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a run began with; `machines` grows while it is played.

    plan: SHA-256 of ladder.json. deals: that of the file of deals. deals_file: where that
    was, so that bots do not see it after the run is resumed either. directory: where programs of exec: seats
    are started. packages: distributions that tyrusd runs on, those that are installed.
    """

    schema: Literal[1] = 1
    began: str
    tyrusd: str
    protocol: str
    records: int
    python: str
    packages: dict[str, str]
    system: str
    variant: str
    plan: Hash
    deals: Hash | None
    deals_file: str | None = None
    typed_seed: bool
    sandbox: str
    directory: str
    bots: list[Fingerprint]
    machines: list[Machine] = []


class _Version(Struct, frozen=True):
    schema: int


class ManifestError(ValueError):
    """A text is no manifest; the sentence says where it differs."""


def manifest_of(plan: LadderPlan, plan_hash: str, began: str, directory: Path) -> Manifest:
    """Describe a run that begins now; directory: where programs start.

    Raises NoProgram, with a sentence, when a bot's program or plugin does not exist.
    """
    listing = installed() if any(bot.seat.kind == "plugin" for bot in plan.entrants) else None
    return Manifest(
        began=began,
        tyrusd=__version__,
        protocol=PROTOCOL_VERSION,
        records=RECORDS,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        packages=dict(_packages()),
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        variant=plan.variant.name,
        plan=plan_hash,
        deals=plan.deals_hash,
        deals_file=None if plan.deals_file is None else str(directory / plan.deals_file),
        typed_seed=plan.typed_seed,
        sandbox=plan.sandbox,
        directory=str(directory),
        bots=[fingerprint(bot.name, bot.seat, directory, listing) for bot in plan.entrants],
    )


def changes(before: Manifest, now: Manifest) -> Iterator[str]:
    """Yield, as parts of a sentence, what differs so that games before and after cannot be compared."""
    for what, old, new in (
        ("tyrusd", before.tyrusd, now.tyrusd),
        ("the protocol", before.protocol, now.protocol),
        ("the format of records", str(before.records), str(now.records)),
        ("Python", _minor(before.python), _minor(now.python)),
    ):
        if old != new:
            yield f"{what} was {old} and is {new}"
    if before.plan != now.plan:
        yield f"the plan in ladder.json had the SHA-256 {before.plan[:16]}… and has {now.plan[:16]}…"
    if before.deals != now.deals:
        yield f"the file of deals had the SHA-256 {_short(before.deals)} and has {_short(now.deals)}"
    if before.directory != now.directory and any(bot.seat.startswith("exec:") for bot in now.bots):
        yield f"its programs were started in {before.directory}: `cd` there first (this is {now.directory})"
    for old_bot, new_bot in zip(before.bots, now.bots, strict=False):
        yield from old_bot.changes(new_bot)


def write_manifest(manifest: Manifest) -> bytes:
    """Return the text of a manifest; `read_manifest` reads it back."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"


def read_manifest(text: bytes) -> Manifest:
    """Read a manifest; raises ManifestError with a sentence."""
    try:
        found = msgspec.json.decode(text, type=_Version)
        if found.schema > SCHEMA:
            raise ManifestError(
                f"it has version {found.schema}, this tyrusd reads {SCHEMA}; use the tyrusd that wrote it"
            )
        return msgspec.json.decode(text, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ManifestError(f"it is not the manifest of a ladder ({error})") from None


def manifest_object(manifest: Manifest) -> dict[str, Any]:
    """Return a manifest as plain JSON data, for reports."""
    found: dict[str, Any] = msgspec.to_builtins(manifest)
    return found


def machines_of(records: Iterable[Payload]) -> list[Machine]:
    """The machines that a journal tells of, in the order in which they appear."""
    found: dict[Machine, None] = {}
    for record in records:
        part = record if record["kind"] == "run" else record.get("ladder")
        if part is not None:
            found[Machine(part["host"], part["cpu"])] = None
    return list(found)


def _packages() -> Iterator[tuple[str, str]]:
    for name in _PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue


def _minor(python: str) -> str:
    return ".".join(python.split(".")[:2])


def _short(hash_text: str | None) -> str:
    return "none" if hash_text is None else f"{hash_text[:16]}…"
