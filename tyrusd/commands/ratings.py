"""`tyrusd ratings`: the ratings of a standing ladder, and which versions count as one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tyrusd.host.store_ratings import RatingStore
    from tyrusd.league.rated import Version

_WORDS: Final[Mapping[str, int]] = {"merge": 2, "split": 1, "versus": 1}
_WANTED: Final = "ratings wants nothing, merge NAME/OLD NAME/NEW, split NAME/OLD, or versus NAME[/AGENT]"
BARE: Final = "-"
"""The agent of a version without one, where that has to be said."""


@click.command("ratings", short_help="Print the ratings of a server's ladder, merge versions of bots.")
@click.argument("action", required=False)
@click.argument("versions", nargs=-1)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Data directory of the server.  [default: the user's data directory]",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
def command(action: str | None, versions: tuple[str, ...], data: Path | None, as_json: bool) -> None:
    """Print or change the ratings of a server's standing ladder, also while it runs.

    ACTION is nothing (prints the table), versus NAME[/AGENT] (whom that account's versions, or one, have
    met), merge NAME/OLD NAME/NEW (the games of the old version count for the new one) or split NAME/OLD.
    """
    from tyrusd.commands.running import Failure, usage
    from tyrusd.commands.serve import data_directory
    from tyrusd.host.store import Store
    from tyrusd.host.store_file import StoreError
    from tyrusd.host.store_ratings import RatingStore

    if len(versions) != _WORDS.get(action or "", 0) or (action and action not in _WORDS):
        usage(_WANTED)
    if as_json and action in ("merge", "split"):
        usage(f"ratings {action} has no --json")
    directory = data_directory(data)
    if not directory.is_dir():
        usage(f"there is no data directory {directory}: say --data")
    try:
        with Store(directory, make=False) as store:
            _DO[action or ""](RatingStore(store), [_version(text) for text in versions], as_json)
            if action in ("merge", "split"):
                _refit(directory, RatingStore(store))
    except StoreError as error:
        raise Failure(str(error)) from error


def _version(text: str) -> Version:
    from tyrusd.commands.running import usage
    from tyrusd.core.seatspec import is_name
    from tyrusd.league.rated import Version

    found = Version.parse(text)
    if not is_name(found.name):
        usage(f"{text!r} is no version: write NAME/AGENT, NAME/- for a version without an agent, or NAME")
    return found


def _plain(version: Version) -> Version:
    """The version that somebody means who wrote NAME/-."""
    return version._replace(agent=None if version.agent == BARE else version.agent)


def _table(store: RatingStore, versions: Sequence[Version], as_json: bool) -> None:
    from tyrusd.commands.running import tell
    from tyrusd.screen.rating_table import merge_lines, rating_lines

    rows = [{**_told(row.version), **_figures(row)} for row in store.kept()]
    if as_json:
        merges = [
            {"name": old.name, "old": old.agent, "new": new.agent, "at": at, "by": by}
            for old, new, at, by in store.merges()
        ]
        _print({"ratings": rows, "merges": merges})
    elif rows:
        click.echo("\n".join(rating_lines(rows)))
        for line in merge_lines(
            [{**_told(old), "new": _told(new), "at": at, "by": by} for old, new, at, by in store.merges()]
        ):
            click.echo(line)
    else:
        tell("nobody has a rating yet: a server rates with serve --ladder, and fits after games", err=True)


def _versus(store: RatingStore, versions: Sequence[Version], as_json: bool) -> None:
    from tyrusd.commands.running import usage
    from tyrusd.league.merges import Merges
    from tyrusd.league.standing_table import meetings
    from tyrusd.screen.rating_table import version_text, versus_lines

    [said] = versions
    one, wanted = said.agent is not None, _plain(said)
    merges = store.known().merges
    anchors = {row.version.name: round(row.elo) for row in store.kept() if row.anchor and row.elo is not None}
    try:
        table = meetings(store.games(), merges, anchors)
        final = Merges(merges).final(wanted)
    except ValueError as error:
        usage(str(error))
    all_rows = table.of(wanted.name)
    rows = tuple(row for row in all_rows if row.version.key == final.key) if one else all_rows
    if not rows:
        usage(_no_version(wanted, [row.version for row in all_rows]))
    found = [
        {
            **_told(row.version),
            "versus": [{**_told(other), **met._asdict()} for other, met in table.met(row.version)],
        }
        for row in rows
    ]
    if as_json:
        _print({"versions": found})
        return
    for entry in found:
        click.echo(f"{version_text(entry)}:")
        click.echo("\n".join(f"  {line}" for line in versus_lines(entry["versus"])))


def _merge(store: RatingStore, versions: Sequence[Version], as_json: bool) -> None:
    from tyrusd.commands.running import tell, usage

    old, new = map(_plain, versions)
    fault = store.merge(old, new, "operator")
    if fault is not None:
        usage(fault)
    tell(
        f"the games of {old} count for {new} from now on; `tyrusd ratings split {old}` takes it back",
        err=True,
    )


def _split(store: RatingStore, versions: Sequence[Version], as_json: bool) -> None:
    from tyrusd.commands.running import tell, usage

    [old] = map(_plain, versions)
    if not store.split(old):
        versions = store.versions(old.name)
        if all(version.key != old.key for version in versions):
            usage(_no_version(old, versions))
        usage(f"the games of {old} count for no other version")
    tell(f"the games of {old} count for it again", err=True)


def _no_version(wanted: Version, versions: Sequence[Version]) -> str:
    """Say that a version has no rated game, and which ones of its account have."""
    from tyrusd.league.merges import versions_text

    if not versions:
        return f"{wanted} has no rated game; `tyrusd ratings` lists who has"
    return f"{wanted} has no rated game; those of {versions[0].name} are {versions_text(versions)}"


def _refit(directory: Path, store: RatingStore) -> None:
    """Fit the ratings here if no server does it: one that runs sees what has changed by itself."""
    from tyrusd.commands.running import Failure, tell
    from tyrusd.core.settings import DEFAULTS
    from tyrusd.host.journal import DataDirectory, JournalError
    from tyrusd.host.refit import RefitError, fit

    try:
        ours = DataDirectory(directory)
    except JournalError:
        tell("the server that runs there rates anew within seconds", err=True)
        return
    anchors = {row.version.name: round(row.elo) for row in store.kept() if row.anchor and row.elo is not None}
    try:
        store.keep(fit(store.path, anchors, DEFAULTS.ladder_provisional, DEFAULTS.ladder_versions)[0])
    except ImportError:
        tell(
            "the ratings change when a server is started: fitting them wants numpy, tyrusd[ladder]", err=True
        )
    except RefitError as error:
        raise Failure(str(error)) from error
    finally:
        ours.close()


def _told(version: Version) -> dict[str, Any]:
    return version._asdict()


def _figures(row: Any) -> dict[str, Any]:
    found = {key: value for key, value in row._asdict().items() if key != "version"}
    return {**found, "rank": row.rank or None}


def _print(found: object) -> None:
    import json

    click.echo(json.dumps(found, ensure_ascii=False, indent=2))


_DO: Final[Mapping[str, Callable[[RatingStore, Sequence[Version], bool], None]]] = {
    "": _table,
    "merge": _merge,
    "split": _split,
    "versus": _versus,
}
