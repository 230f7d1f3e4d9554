"""`tyrus-bot`: any Python bot as a program on stdin and stdout, or as a client over TCP.

Exit status: 0 the server is done with us, 1 it cannot be reached, refused us or was lost, 2 usage (also a
wrong option), 70 the bot's fault, 76 the server's bytes cannot be understood, 130 interrupted. The last line
on standard error then begins with `tyrus-bot: ` and is one sentence.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NoReturn

from tyrusd import __version__
from tyrusd.sdk.child import option_words, ready
from tyrusd.sdk.laddering import Laddering
from tyrusd.sdk.loading import BrokenPlugin
from tyrusd.sdk.options import WrongOptionError
from tyrusd.sdk.returning import CONNECT_SECONDS, RESTART_SECONDS, Returning
from tyrusd.sdk.seeking import Seeking
from tyrusd.sdk.serving import FAULT_OF_BOT, Fault, play
from tyrusd.sdk.streams import Descriptors, give_standard_streams_to_the_bot, leave
from tyrusd.sdk.talk import GAMES, Talk, introduction
from tyrusd.wire import Codec

if TYPE_CHECKING:
    from tyrusd.sdk.brains import Brain
    from tyrusd.sdk.tcp import Address

PREFIX: Final = "tyrus-bot"
KEY: Final = "TYRUS_KEY"  # the environment is not shown to other users, a command line is
UNREACHABLE: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
MOST_GAMES: Final = 256
_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}", re.ASCII)
_AGENT = re.compile(r"[!-9;<>-~][!-<>-~]{0,63}", re.ASCII)


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Run the bot to the end of its connection; never returns."""
    parser = _parser()
    options = parser.parse_args(_with_keys_joined(sys.argv[1:] if words is None else words))
    if options.ladder and not (options.connect and options.key):
        parser.error("--ladder wants --connect, and --key with the key of an account")
    try:
        _main(options)
    except (KeyboardInterrupt, BaseExceptionGroup) as error:
        # Trio wraps the interrupt if tasks are running; what they raise themselves never comes here.
        if isinstance(error, BaseExceptionGroup) and error.split(KeyboardInterrupt)[1] is not None:
            raise
        _end(Fault(INTERRUPTED, "interrupted"))


def _with_keys_joined(words: Sequence[str]) -> list[str]:
    """Write each `--key KEY` as one word: one key in 64 begins with a dash, like an option."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] == "--key":
            joined[-1] = f"--key={word}"
        else:
            joined.append(word)
    return joined


def _main(options: argparse.Namespace) -> NoReturn:
    # As with `python -m`: a bot in the directory one stands in is found.
    sys.path.insert(0, os.getcwd())  # noqa: PTH109 - sys.path holds texts
    if options.connect is None:
        stream = Descriptors(os.dup(0), os.dup(1))
        give_standard_streams_to_the_bot()
    try:
        brain = ready(options.bot, options.option)
    except WrongOptionError as wrong:
        _end(Fault(USAGE, f"{options.bot}: {wrong}"))
    except BrokenPlugin as broken:
        _end(Fault(FAULT_OF_BOT, broken.reason, broken.__cause__))
    if options.connect is None:
        _end(play(_talk(options, brain, None), brain, stream, options.bot))
    _end(_over_tcp(options, brain, options.connect))


def _parser() -> argparse.ArgumentParser:
    from tyrusd.sdk.tcp import read_address

    parser = argparse.ArgumentParser(
        prog=PREFIX,
        description="Run a Python bot as a program on stdin and stdout, or connect it to a server.",
        epilog="Exit codes: 0 done, 1 no server, 2 usage, 70 bot's fault, 76 server's, 130 interrupted.",
    )
    parser.add_argument(
        "bot", metavar="MODULE[:ATTRIBUTE]", help="where the bot is, as in my_bot or my_bot:Bot"
    )
    parser.add_argument(
        "--connect", type=_checked(read_address), metavar="HOST:PORT", help="play there over TCP"
    )
    parser.add_argument("--name", type=_checked(_name), help="the name to play under (default: the module's)")
    parser.add_argument(
        "--key", default=os.environ.get(KEY) or None,
        help=f"the key of a match's seat, or of an account with --lobby (default: ${KEY})",
    )  # fmt: skip
    parser.add_argument(
        "--lobby", action="store_true", help="the key is an account's: seek games in the lobby"
    )
    parser.add_argument(
        "--ladder", action="store_true", help="the key is an account's: play on the server's ladder"
    )
    parser.add_argument(
        "--agent", type=_checked(_agent), metavar="WORD", default=f"{PREFIX}/{__version__}",
        help="the bot's version, by which a ladder rates it (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--option", type=option_words, action="append", default=[], metavar="K=V", help="an option of the bot"
    )
    parser.add_argument(
        "--games", type=_checked(_games), metavar="N",
        help=f"games at once, up to {MOST_GAMES} (default: {GAMES}; 1 in a lobby)",
    )  # fmt: skip
    parser.add_argument("--once", action="store_true", help="in a lobby or on a ladder leave after N games")
    return parser


def _checked(read: Callable[[str], object]) -> Callable[[str], object]:
    """Let argparse tell the sentence of a ValueError."""

    def convert(text: str) -> object:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert


def _name(text: str) -> str:
    if _NAME.fullmatch(text) is None:
        raise ValueError(f"{text!r} is not a name of 1 to 32 letters, digits, _ or -")
    return text


def _agent(text: str) -> str:
    if _AGENT.fullmatch(text) is None:
        raise ValueError(f"{text!r} is not a word of 1 to 64 visible ASCII characters, without =")
    return text


def _games(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_GAMES):
        raise ValueError(f"{text!r} is not a number from 1 to {MOST_GAMES}")
    return int(text)


def _talk(options: argparse.Namespace, brain: Brain, seeking: Seeking | Laddering | None) -> Talk:
    name = options.name or options.bot.partition(":")[0].rpartition(".")[2]
    if _NAME.fullmatch(name) is None:
        name = "bot"
    games = options.games or (GAMES if seeking is None else 1)
    hello = introduction(brain, name, options.agent, games, options.key)
    return Talk(brain, hello, _say, Codec.LINE, seeking)


def _over_tcp(options: argparse.Namespace, brain: Brain, address: Address) -> Fault | None:
    from tyrusd.sdk.tcp import connect

    seeking = _seeking(options)
    talk = _talk(options, brain, seeking)
    returning = Returning(address, options.ladder, _say)
    try:
        link = connect(address, CONNECT_SECONDS)
    except OSError as error:
        return Fault(UNREACHABLE, f"{address.host} port {address.port} cannot be reached: {error}")
    while True:
        fault = play(talk, brain, link, options.bot)
        link.close()
        if fault is not None:
            return fault
        refusal = seeking.refusal if isinstance(seeking, Laddering) else None
        if refusal is None and returning.closes(talk):
            reopened = returning.reopened(talk)
            if reopened is None:
                return Fault(
                    UNREACHABLE, f"the server closed, and was not started again within {RESTART_SECONDS:g} s"
                )
            link = reopened
            continue
        refused = talk.refused or refusal
        if refused is not None and talk.finished:
            return Fault(UNREACHABLE, f"the server ended it: {refused}")
        if talk.finished:
            return None
        again = returning.resumed(talk)
        if again is None:
            return Fault(UNREACHABLE, "the connection to the server was lost")
        link = again


def _seeking(options: argparse.Namespace) -> Seeking | Laddering | None:
    games = options.games or 1
    if options.ladder:
        return Laddering(games, options.once)
    return None if options.key and not options.lobby else Seeking(games, options.once)


def _say(sentence: str) -> None:
    sys.stderr.write(f"{PREFIX}: {sentence}\n")


def _end(fault: Fault | None) -> NoReturn:
    if fault is not None:
        fault.print(PREFIX)
    leave(0 if fault is None else fault.status)


if __name__ == "__main__":
    main()
