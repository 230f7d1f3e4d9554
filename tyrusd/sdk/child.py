"""The process a bot plugin runs in: it blocks, speaks frames, and sends what the bot prints to its log.

    python -m tyrusd.sdk.child --read-fd R --write-fd W --module MODULE[:ATTRIBUTE] --name NAME [--agent WORD]
        [--option K=V]...
    python -m tyrusd.sdk.child --module MODULE[:ATTRIBUTE] --check [--option K=V]...

Exit status: 0 the server is done with us, 70 the bot's fault, 76 the server's bytes cannot be understood.
The last line on stderr then begins with `tyrusd-bot: ` and is one sentence. `--check` loads the plugin and
looks at the options, prints one JSON object {"ok", "reason", "summary", "options"} on stdout, and exits with
0 whatever it found.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from tyrusd.sdk.brains import Brain
from tyrusd.sdk.loading import BrokenPlugin, load, told
from tyrusd.sdk.options import Option, WrongOptionError, described
from tyrusd.sdk.streams import Descriptors, give_standard_streams_to_the_bot, leave

PREFIX = "tyrusd-bot"


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Run the child, or only check the plugin; never returns."""
    options = _parser().parse_args(words)
    # The server's pipe may be 0 and 1 themselves: copies are taken before these are given to the bot.
    # Copies are also not inherited, so nothing the bot starts can read or hold the pipe.
    if options.check:
        stdout = os.dup(1)
        give_standard_streams_to_the_bot()
        _check(options.module, options.option, stdout)
    read_fd, write_fd = os.dup(options.read_fd), os.dup(options.write_fd)
    for inherited in {options.read_fd, options.write_fd} - {0, 1, 2}:
        os.close(inherited)
    give_standard_streams_to_the_bot()
    _play(options, Descriptors(read_fd, write_fd))


def option_words(text: str) -> tuple[str, str]:
    """Read K=V of a command line."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tyrusd.sdk.child", description="Run one bot plugin for tyrusd.")
    parser.add_argument("--module", required=True, help="what the entry point names")
    parser.add_argument("--read-fd", type=int, default=0, help="file descriptor to read frames from")
    parser.add_argument("--write-fd", type=int, default=1, help="file descriptor to write frames to")
    parser.add_argument("--name", default="bot", help="the name to play under")
    parser.add_argument("--agent", help="one word that tells program and version")
    parser.add_argument(
        "--option", type=option_words, action="append", default=[], metavar="K=V", help="an option of the bot"
    )
    parser.add_argument(
        "--check", action="store_true", help="only load the plugin and tell whether it can be used"
    )
    return parser


def ready(module: str, given: Sequence[tuple[str, str]]) -> Brain:
    """Load a bot and hand it its options; raises BrokenPlugin, or WrongOptionError for the options."""
    bot = load(module)
    try:
        return bot.brain(given)
    except (BrokenPlugin, WrongOptionError):
        raise
    except (Exception, SystemExit) as error:
        raise BrokenPlugin(module, f"raised {told(error)}") from error


def _check(module: str, given: Sequence[tuple[str, str]], stdout: int) -> NoReturn:
    import json

    reason, summary = "", ""
    options: tuple[Option, ...] = ()
    hook = "tyrusd_about"
    try:
        bot = load(module)
        summary = bot.about()
        hook = "tyrusd_options"
        options = bot.options()
        ready(module, given)
    except BrokenPlugin as broken:
        reason = broken.reason
    except WrongOptionError as wrong:
        reason = str(wrong)
    except (Exception, SystemExit) as error:
        reason = f"{module}: {hook} raised {told(error)}"
    found = {
        "ok": not reason,
        "reason": reason,
        "summary": "" if reason else summary,
        "options": [described(option) for option in options],
    }
    Descriptors(0, stdout).write(json.dumps(found).encode("ascii") + b"\n")
    leave(0)


def _play(options: argparse.Namespace, stream: Descriptors) -> NoReturn:
    # Not needed to check a plugin, so `tyrusd plugins` does not pay for it.
    from tyrusd.sdk.serving import FAULT_OF_BOT, Fault, play
    from tyrusd.sdk.talk import Talk, introduction

    def say(sentence: str) -> None:
        sys.stderr.write(f"{PREFIX}: {sentence}\n")

    fault: Fault | None
    try:
        brain = ready(options.module, options.option)
    except BrokenPlugin as broken:
        fault = Fault(FAULT_OF_BOT, broken.reason, broken.__cause__)
    except WrongOptionError as wrong:
        fault = Fault(FAULT_OF_BOT, f"{options.module}: {wrong}")
    else:
        talk = Talk(brain, introduction(brain, options.name, options.agent), say)
        fault = play(talk, brain, stream, options.module)
    if fault is not None:
        fault.print(PREFIX)
        leave(fault.status)
    leave(0)


if __name__ == "__main__":
    main()
