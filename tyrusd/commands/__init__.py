"""The commands of tyrusd, one file each; their heavy imports happen when they run, so that help is quick."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

from tyrusd import __version__

COMMANDS: Final = ("serve", "match", "check", "plugins", "new-bot", "export", "why", "playback")


class _LazyGroup(click.Group):
    """Imports the file of a command only when that command, or the list of all, is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"tyrusd.commands.{cmd_name.replace('-', '_')}").command
        return command


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 failure, 2 usage, 3 missing extra, 5 check failed, 130 interrupted.",
)
@click.version_option(__version__, prog_name="tyrusd")
def main() -> None:
    """Serve the board game Tyrus to people and bots, and play matches between bots."""
