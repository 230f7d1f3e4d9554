"""How often limits of this process were met, beside those of its core: there is one count, as one log."""

from __future__ import annotations

from typing import Final

WORDS: Final = (
    "bot_errors", "codes_waiting", "console_behind", "console_callers", "console_request", "console_time",
    "console_watches", "descriptors", "fit", "fit_memory", "http_callers", "http_head", "http_rest",
    "http_time", "index_waiting", "linger", "log_backlog", "log_files", "log_message", "log_rate",
    "log_sources", "log_waiting", "tls_handshake", "tls_handshakes", "tls_handshakes_per_host",
)  # fmt: skip
"""Each is a row of docs/limits.md, and a label of tyrusd_limits_total."""

_counts: Final = dict.fromkeys(WORDS, 0)


def met(limit: str) -> None:
    """Count one more meeting; raises KeyError for a word that is not in WORDS.

    A word is counted by one thread only, whichever that is.
    """
    _counts[limit] += 1


def counted() -> dict[str, int]:
    """Return how often each was met since the process began."""
    return dict(_counts)
