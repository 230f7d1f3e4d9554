"""What a person is told about time."""

from typing import NamedTuple

from tyrusd.screen.texts import Texts


class Clocks(NamedTuple):
    """Milliseconds on each side's clock; None for a side that plays without one."""

    ivory_ms: int | None
    brown_ms: int | None


def duration(milliseconds: int | None, texts: Texts) -> str:
    """Return a time as minutes:seconds (or hours:minutes:seconds), rounded down; None is no limit at all."""
    if milliseconds is None:
        return texts.say("no-limit")
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}"
    return f"{minutes}:{seconds:02}"
