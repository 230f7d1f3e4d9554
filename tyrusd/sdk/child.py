"""The process a bot plugin runs in: it blocks, speaks frames, and sends what the bot prints to its log.

    python -m tyrusd.sdk.child --read-fd R --write-fd W --module MODULE --name NAME [--agent WORD]
    python -m tyrusd.sdk.child --module MODULE --check

Exit status: 0 the server is done with us, 70 the bot's fault, 76 the server's bytes cannot be understood.
The last line on stderr then begins with `tyrusd-bot: ` and is one sentence. `--check` loads the plugin,
prints one JSON object {"ok", "reason", "summary"} on stdout, and exits with 0 whatever it found.
"""

from __future__ import annotations

import argparse
import os
import select
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from tyrusd.sdk.loading import Bot, BrokenPlugin, load, told

FAULT_OF_BOT: Final = 70  # EX_SOFTWARE of sysexits.h
FAULT_OF_SERVER: Final = 76  # EX_PROTOCOL
READ_SIZE: Final = 65_536  # bytes; a Linux pipe holds as much
READS_A_ROUND: Final = 16  # then the bot is asked, even if more keeps coming


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Run the child, or only check the plugin; never returns."""
    options = _parser().parse_args(words)
    # The server's pipe may be 0 and 1 themselves: copies are taken before these are given to the bot.
    # Copies are also not inherited, so nothing the bot starts can read or hold the pipe.
    if options.check:
        stdout = os.dup(1)
        _give_standard_streams_to_the_bot()
        _check(options.module, stdout)
    read_fd, write_fd = os.dup(options.read_fd), os.dup(options.write_fd)
    for inherited in {options.read_fd, options.write_fd} - {0, 1, 2}:
        os.close(inherited)
    _give_standard_streams_to_the_bot()
    try:
        bot = load(options.module)
    except BrokenPlugin as broken:
        _leave(FAULT_OF_BOT, broken.reason, broken.__cause__)
    _serve(bot, options.name, options.agent, read_fd, write_fd)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tyrusd.sdk.child", description="Run one bot plugin for tyrusd.")
    parser.add_argument("--module", required=True, help="the module the entry point names")
    parser.add_argument("--read-fd", type=int, default=0, help="file descriptor to read frames from")
    parser.add_argument("--write-fd", type=int, default=1, help="file descriptor to write frames to")
    parser.add_argument("--name", default="bot", help="the name to play under")
    parser.add_argument("--agent", help="one word that tells program and version")
    parser.add_argument(
        "--check", action="store_true", help="only load the plugin and tell whether it can be used"
    )
    return parser


def _give_standard_streams_to_the_bot() -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    # Line by line, or a crash would lose what the bot printed last.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]


def _check(module: str, stdout: int) -> NoReturn:
    import json

    try:
        found = {"ok": True, "reason": "", "summary": load(module).about()}
    except BrokenPlugin as broken:
        found = {"ok": False, "reason": broken.reason, "summary": ""}
    except (Exception, SystemExit) as error:
        found = {"ok": False, "reason": f"{module}: tyrusd_about raised {told(error)}", "summary": ""}
    _write(stdout, json.dumps(found).encode("ascii") + b"\n")
    _exit(0)


def _serve(bot: Bot, name: str, agent: str | None, read_fd: int, write_fd: int) -> NoReturn:
    # Not needed to check a plugin, so `tyrusd plugins` does not pay for it.
    from tyrusd.sdk.talk import Garbled, Talk

    talk = Talk(bot.choose, name, agent, _say)
    while not talk.finished:
        data = _read_all(read_fd)
        if not data:
            break
        try:
            talk.receive(data)
            answers = talk.answers()
        except Garbled as garbled:
            _leave(FAULT_OF_SERVER, str(garbled))
        except BrokenPlugin as broken:
            _leave(FAULT_OF_BOT, broken.reason)
        except (Exception, SystemExit) as error:
            _leave(FAULT_OF_BOT, f"{bot.module} raised {told(error)}", error)
        try:
            _write(write_fd, answers)
        except BrokenPipeError:
            break
    _exit(0)


def _read_all(fd: int) -> bytes:
    """Wait for bytes and return all that are there; none at the end of the stream."""
    chunks = [os.read(fd, READ_SIZE)]
    # The bot should see every decision that waits in one call, so the pipe is emptied before it is asked.
    while chunks[-1] and len(chunks) < READS_A_ROUND and select.select([fd], [], [], 0)[0]:
        chunks.append(os.read(fd, READ_SIZE))
    return b"".join(chunks)


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _say(sentence: str) -> None:
    sys.stderr.write(f"tyrusd-bot: {sentence}\n")


def _leave(status: int, sentence: str, error: BaseException | None = None) -> NoReturn:
    if error is not None:
        import traceback

        traceback.print_exception(error)
    _say(sentence)
    _exit(status)


def _exit(status: int) -> NoReturn:
    sys.stdout.flush()
    sys.stderr.flush()
    # A thread or exit handler of the bot must not keep the process, nor change its exit status.
    os._exit(status)


if __name__ == "__main__":
    main()
