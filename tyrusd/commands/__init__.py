"""The commands of tyrusd, one file each; their heavy imports happen when they run, so that help is quick."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

import click

from tyrusd import __version__

COMMANDS: Final = (
    "serve", "config", "account", "ratings", "admin", "backup", "reindex", "match", "ladder", "ladder-ctl",
    "merge", "stats", "report", "deals", "check", "plugins", "new-bot", "export", "records", "why",
    "playback",
)  # fmt: skip
# Errors of a write to a stream; commands turn those of their own files into sentences before they get here.
_OUTPUT: Final = frozenset({errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


class _LazyGroup(click.Group):
    """Imports the file of a command only when that command, or the list of all, is asked for."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; Ctrl-C ends it in a sentence at any moment, and so does an output that is full."""
        try:
            found = super().invoke(ctx)
            sys.stdout.flush()
        except KeyboardInterrupt:
            from tyrusd.commands.running import Interruption

            raise Interruption("interrupted") from None
        except OSError as error:
            if error.filename is not None or error.errno not in _OUTPUT:
                raise
            _drop_output()
            if error.errno == errno.EPIPE:  # whoever reads has what he wanted, as `head` has
                ctx.exit()
            from tyrusd.commands.running import Failure

            raise Failure(f"the output cannot be written: {error.strerror}") from error
        return found

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"tyrusd.commands.{cmd_name.replace('-', '_')}").command
        return command


def _drop_output() -> None:
    """Let what is still in the buffer go nowhere; else Python complains of it at its end."""
    with suppress(OSError):  # a stdout without a descriptor, as in tests
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 failure, 2 usage, 3 missing extra, 4 test not passed, 5 check failed, "
    "130 interrupted.",
)
@click.version_option(__version__, prog_name="tyrusd")
def main() -> None:
    """Serve the board game Tyrus to people and bots, and play matches between bots."""
