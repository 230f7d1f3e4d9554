"""What holds for every test: signals work as in a terminal, however the tests themselves were started."""

from __future__ import annotations

import signal

# A shell lets its background jobs ignore these two, and programs inherit that. The tests interrupt programs.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
