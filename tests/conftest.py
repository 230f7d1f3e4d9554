"""What holds for every test: signals work as in a terminal, and every run draws the same examples."""

from __future__ import annotations

import signal

from hypothesis import settings

# A shell lets its background jobs ignore these two, and programs inherit that. The tests interrupt programs.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)

# Long searches for new examples are for whoever wants them; a test says the same each time it is run.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")
