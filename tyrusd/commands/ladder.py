"""`tyrusd ladder`: tournaments between bots, played over a night or a weekend, told while they go on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tyrusd.commands.ladder_options import WITH_RESUME, Typed, ladder_options
from tyrusd.commands.running import usage, warn_of_root

if TYPE_CHECKING:
    from tyrusd.host.ladder.directory import RunDirectory
    from tyrusd.host.ladder.plan import LadderPlan, Pace


# What a run keeps in its directory; nothing else may be written over it.
_OUR_FILES = frozenset({"journal.tyrus", "ladder.json", "manifest.json", "lock", "control.sock", "logs"})


def _read_config(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    """Let the values of a configuration stand where nothing is typed."""
    if value is not None:
        from tyrusd.commands.ladder_config import ConfigError, read_config

        options = [option for option in ctx.command.params if isinstance(option, click.Option)]
        try:
            ctx.default_map = read_config(value, options)
        except ConfigError as error:
            usage(str(error))
        except OSError as error:
            usage(f"{value} cannot be read: {error.strerror}")
    return value


@click.command("ladder", short_help="Play a tournament between bots and tell how strong they are.")
@click.argument(
    "config", type=click.Path(dir_okay=False, path_type=Path), required=False, metavar="[CONFIG.toml]",
    callback=_read_config, is_eager=True, expose_value=False,
)  # fmt: skip
@ladder_options
@click.pass_context
def command(ctx: click.Context, /, **typed: Any) -> None:
    """Play a tournament between two bots or more; CONFIG.toml may hold what is not typed.

    Each deal is played twice, the second time with the seats swapped, by another set of each bot's processes.
    Ctrl-C ends it when the running games are over, a second one at once; the last line printed goes on.
    """
    import logging

    from tyrusd.commands.ladder_plan import pace_of, plan_of, require_extra
    from tyrusd.commands.ladder_session import Session
    from tyrusd.host import logs

    wishes = Typed(**typed)
    _check_outputs(wishes)
    require_extra()
    logs.configure(logging.WARNING, stamped=False)
    if wishes.resume is not None:
        _refuse_with_resume(ctx)
        directory = _resumed(wishes.resume)
        where = wishes.resume
        pace = _paced(directory, wishes)
    else:
        plan = plan_of(wishes)
        pace = pace_of(wishes, plan)
        where = wishes.out or _new_name()
        directory = _begun(where, plan)
    try:
        warn_of_root()
        code = Session(wishes, directory, where, pace).play()
    finally:
        directory.close()
    ctx.exit(code)


def _paced(directory: RunDirectory, wishes: Typed) -> Pace:
    from tyrusd.commands.ladder_plan import pace_of

    try:
        return pace_of(wishes, directory.plan)
    except BaseException:
        directory.close()
        raise


def _refuse_with_resume(ctx: click.Context) -> None:
    """What a run is stands in its directory; only how it is played and told can be typed again."""
    for option in ctx.command.params:
        source = ctx.get_parameter_source(option.name or "")
        given = source in (click.core.ParameterSource.COMMANDLINE, click.core.ParameterSource.DEFAULT_MAP)
        if isinstance(option, click.Option) and given and option.name not in WITH_RESUME:
            usage(
                f"{option.opts[0]} cannot be given with --resume: the run goes on as it was begun; for "
                "something else begin another with --out"
            )


def _check_outputs(wishes: Typed) -> None:
    """Refuse outputs that exclude each other or have no place, before anything is started."""
    from tyrusd.commands.ladder_table import check_format

    if wishes.as_json and wishes.events == "-":
        usage("--json and --events - both want stdout: let one of them go, or name a file for --events")
    if wishes.noswap and wishes.games == 2 and _typed("games"):
        usage("--noswap and --games 2 say opposite things: leave one out")
    for option, file in (("--report", wishes.report), ("--events", wishes.events)):
        if file is None or file == "-":
            continue
        folder = Path(file).absolute().parent
        ours = wishes.resume or wishes.out
        if ours is not None and folder == ours.absolute():
            if Path(file).name in _OUR_FILES:
                usage(f"{option} {file}: the run keeps its own {Path(file).name} there, choose another name")
        elif not folder.is_dir():
            usage(f"{option} {file}: there is no directory {folder}")
        if Path(file).is_dir():
            usage(f"{option} {file} is a directory: name a file")
    both = [Path(file).absolute() for file in (wishes.events, wishes.report) if file is not None]
    if len(both) == 2 and both[0] == both[1]:
        usage("--events and --report name the same file: choose another for one of them")
    if wishes.events not in (None, "-") and wishes.resume is None and Path(wishes.events or "").exists():
        usage(f"--events {wishes.events} exists already: choose another file; only --resume writes on in it")
    check_format(wishes.resultformat)


def _typed(name: str) -> bool:
    source = click.get_current_context().get_parameter_source(name)
    return source is not click.core.ParameterSource.DEFAULT


def _new_name() -> Path:
    """A directory named after now, in UTC."""
    from datetime import UTC, datetime

    stem = datetime.now(UTC).strftime("ladder-%Y%m%d-%H%M%S")
    names = (Path(stem if number == 1 else f"{stem}-{number}") for number in range(1, 1000))
    return next(name for name in names if not name.exists())


def _begun(where: Path, plan: LadderPlan) -> RunDirectory:
    from tyrusd.host.ladder.directory import DirectoryError, RunDirectory

    try:
        return RunDirectory.begin(where, plan)
    except DirectoryError as error:
        usage(f"--out: {error}")


def _resumed(where: Path) -> RunDirectory:
    from tyrusd.commands.running import Failure
    from tyrusd.host.ladder.directory import DirectoryError, RunDirectory

    try:
        return RunDirectory.resume(where)
    except DirectoryError as error:
        raise Failure(str(error)) from error
