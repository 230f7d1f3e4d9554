"""`tyrusd serve` that kills itself when a result is stored and not announced yet; run by a test.

`python -m tests.e2e.server_dying N WORDS...` is `tyrusd serve WORDS...` up to its N-th result.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from tyrusd.commands import main
from tyrusd.core.storing import Storing


def die_at(number: int) -> None:
    """End this process by SIGKILL at the start of that announcement, when its result is durable."""
    announced = 0
    announce = Storing._announce

    def dying(self: Storing, *words: Any) -> None:
        nonlocal announced
        announced += 1
        if announced == number:
            os.kill(os.getpid(), signal.SIGKILL)
        announce(self, *words)

    setattr(Storing, "_announce", dying)  # noqa: B010 -- a method is replaced on purpose


if __name__ == "__main__":
    die_at(int(sys.argv[1]))
    main(["serve", *sys.argv[2:]])
