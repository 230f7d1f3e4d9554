"""Keeps one bot process: starts it, reports how it ended, and leaves nothing of what it started.

Run as `python -I -S keeper.py CONTROL STATUS KEPT DIRECTORY PRIVATE LIMITS COMMAND…` by tyrusd.host.children,
never by hand; it imports nothing of tyrusd, so that it starts in a few milliseconds. DIRECTORY is where the
bot runs, PRIVATE what is removed after its end, LIMITS what tyrusd.host.limits writes.

Why a process of its own: a parent-death signal follows the *thread* that started the child, and trio starts
children in worker threads that come and go. This process has one thread. It holds a pipe from tyrusd, and
when that pipe ends, however tyrusd ended, it kills the bot's whole process group.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

GRACE = 2.0  # seconds between TERM and KILL
SWEEPS = 200  # rounds of killing what the bot left; each finds what the round before it let slip

# A fresh program expects all signals at their defaults, whatever Python or who started tyrusd ignores.
_RESTORED = tuple(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP})


def _prctl(option: int, value: int) -> None:
    # Where there is no prctl (not Linux) the pipe from tyrusd alone must do.
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _tasks() -> int:
    """How many tasks the whole system runs: no user has more, and it is one read."""
    try:
        with open("/proc/loadavg", encoding="ascii") as file:  # noqa: PTH123 -- pathlib is slow to import
            return int(file.read().split()[3].partition("/")[2])
    except (OSError, ValueError, IndexError):
        return 4096  # not Linux: a guess that stops only the worst


def _limit(text: str) -> None:
    """Set limits written as `AS=536870912,CPU=10:11,NPROC=+256`: soft and hard, `+` above what runs now."""
    for word in text.split(","):
        name, equals, value = word.partition("=")
        number = getattr(resource, f"RLIMIT_{name}", None)
        if not equals or number is None:
            continue  # this system has no such limit
        soft, _, hard = value.partition(":")
        wanted = int(soft) + (_tasks() if soft[0] == "+" else 0)
        most = int(hard) if hard else wanted
        highest = resource.getrlimit(number)[1]
        if highest != resource.RLIM_INFINITY:
            wanted, most = min(wanted, highest), min(most, highest)
        try:
            resource.setrlimit(number, (wanted, most))
        except (OSError, ValueError):
            if sys.platform == "linux":
                raise  # elsewhere some limits exist by name only


def _become(
    command: list[str], kept: Sequence[int], directory: str, limits: str, trouble: int, keeper: int
) -> None:
    """In the new process: own session, nothing inherited but the kept descriptors, then the bot's program."""
    try:
        os.setsid()
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        _prctl(PR_SET_NO_NEW_PRIVS, 1)
        if os.getppid() != keeper:
            os._exit(1)  # the keeper died before the signal was asked for
        for number in _RESTORED:
            signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        for descriptor in kept:
            os.set_inheritable(descriptor, True)
        if directory:
            os.chdir(directory)
        _limit(limits)  # last: nothing of ours should fail by them
        os.execv(command[0], command)
    except OSError as error:
        os.write(trouble, str(error.errno).encode("ascii"))
    finally:
        os._exit(127)


def _start(command: list[str], kept: Sequence[int], directory: str, limits: str) -> tuple[int, int]:
    """Start the bot; return its process id and 0, or 0 and the errno that stopped it."""
    # The write end closes by itself when the program is replaced: end of file means that the bot runs.
    read, write = os.pipe()
    keeper = os.getpid()
    child = os.fork()
    if child == 0:
        _become(command, kept, directory, limits, write, keeper)
    os.close(write)
    told = os.read(read, 16)
    os.close(read)
    if not told:
        return child, 0
    os.waitpid(child, 0)
    return 0, int(told)


def _kill_group(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _orphans() -> list[int]:
    """Everything that is now our child: what the bot started and left, even in sessions of its own."""
    try:
        with open("/proc/thread-self/children", encoding="ascii") as file:  # noqa: PTH123 -- pathlib is slow to import
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def _sweep(bot: int) -> None:
    """Kill the bot's group and all that was orphaned to us, until nothing is left."""
    _kill_group(bot, signal.SIGKILL)
    for _ in range(SWEEPS):
        for process in _orphans():
            if process != bot:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(process, signal.SIGKILL)
        _reap_orphans(bot)
        left = [process for process in _orphans() if process != bot]
        if not left:
            return
        time.sleep(0.01)


def _reap_orphans(bot: int) -> None:
    """Reap what ended, but not yet the bot itself: its number must stay taken until the sweep is done."""
    for process in _orphans():
        if process != bot:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(process, os.WNOHANG)


_reaped: dict[int, tuple[int, resource.struct_rusage]] = {}


def _ended(bot: int) -> bool:
    """Tell whether the bot ended, without reaping it: its number stays taken while its group is killed."""
    if hasattr(os, "waitid"):
        return os.waitid(os.P_PID, bot, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    # macOS has it from Python 3.13 on only.
    if bot not in _reaped:
        found, raw, used = os.wait4(bot, os.WNOHANG)
        if found:
            _reaped[bot] = raw, used
    return bot in _reaped


def _reap(bot: int) -> tuple[int, resource.struct_rusage]:
    """Reap the ended bot: its raw status and what it used."""
    if bot in _reaped:
        return _reaped[bot]
    _, raw, used = os.wait4(bot, 0)
    return raw, used


def _tell(status: int, text: str) -> None:
    with contextlib.suppress(OSError):  # tyrusd is gone: nobody needs to know
        os.write(status, text.encode("ascii") + b"\n")


def _watch(bot: int, control: int, wake: int) -> None:
    """Return when the bot has ended; TERM when a byte comes, then KILL; KILL at once when the pipe ends."""
    kill_at: float | None = None
    sources = [control, wake]
    while not _ended(bot):
        wait = None if kill_at is None else max(0.0, kill_at - time.monotonic())
        ready, _, _ = select.select(sources, [], [], wait)
        if wake in ready:
            os.read(wake, 4096)
            _reap_orphans(bot)
        if control in ready:
            if os.read(control, 64):
                kill_at = kill_at or time.monotonic() + GRACE
                _kill_group(bot, signal.SIGTERM)
                _kill_group(bot, signal.SIGCONT)  # a stopped process takes no TERM
            else:
                sources = [wake]
                _kill_group(bot, signal.SIGKILL)
        if kill_at is not None and time.monotonic() >= kill_at:
            _kill_group(bot, signal.SIGKILL)


def _remove(directory: str) -> None:
    import shutil  # here: it is slow to import, and the end has been told by now

    shutil.rmtree(directory, ignore_errors=True)


def main(arguments: Sequence[str]) -> int:
    """Keep one bot as the arguments say; the exit code says only whether the keeper itself did its work."""
    control, status = int(arguments[0]), int(arguments[1])
    kept = [int(word) for word in arguments[2].split(",") if word]
    directory, private, limits, command = arguments[3], arguments[4], arguments[5], list(arguments[6:])
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    # Signals of a terminal or of a service manager are tyrusd's to decide on; ours is the pipe.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    for descriptor in (control, status, *kept):
        os.set_inheritable(descriptor, False)
    bot, trouble = _start(command, kept, directory, limits)
    # The bot's ends of its pipes must be the bot's alone, or their end is never seen.
    empty = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(empty, descriptor)
    for descriptor in kept:
        os.close(descriptor)
    if trouble:
        _tell(status, f"failed {trouble}")
    else:
        _tell(status, f"started {bot}")
        _watch(bot, control, wake_read)
        _sweep(bot)
        raw, used = _reap(bot)
        code = os.waitstatus_to_exitcode(raw)
        end = f"killed {-code}" if code < 0 else f"exited {code}"
        # Milliseconds of processor time, and KiB of memory at its peak.
        memory = used.ru_maxrss // 1024 if sys.platform == "darwin" else used.ru_maxrss
        _tell(status, f"{end} {int((used.ru_utime + used.ru_stime) * 1000)} {memory}")
    if private:
        _remove(private)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
