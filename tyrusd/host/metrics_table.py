"""Every metric of a server: its name, kind and labels, and what it counts (docs/operation.md#metrics)."""

from __future__ import annotations

from typing import Final, NamedTuple


class Metric(NamedTuple):
    """One metric; a label never holds what a peer has chosen."""

    name: str
    kind: str  # "counter" | "gauge" | "histogram"
    labels: tuple[str, ...]
    meaning: str


METRICS: Final[tuple[Metric, ...]] = (
    Metric("tyrusd_info", "gauge", ("version",), "always 1"),
    Metric("tyrusd_connections_opened_total", "counter", (), "connections so far, programs included"),
    Metric("tyrusd_connections", "gauge", ("state",), "open ones: `new` before hello, `in`, `closing`"),
    Metric("tyrusd_players", "gauge", ("state",), "players `here`, and `away` with their seats kept"),
    Metric("tyrusd_logins_total", "counter", ("kind", "how"),
           "hellos and resumes of a `bot` or `human`: `guest`, `account` or `program`"),
    Metric("tyrusd_games", "gauge", ("state",), "`running`, and `ending`: the result is not stored yet"),
    Metric("tyrusd_results_total", "counter", ("reason",), "games that are over and told, by reason"),
    Metric("tyrusd_errors_total", "counter", ("code",), "`error` lines, by code"),
    Metric("tyrusd_goodbyes_total", "counter", ("reason",), "`bye` lines, by reason"),
    Metric("tyrusd_limits_total", "counter", ("limit",), "how often a limit was met, or a ban"),
    Metric("tyrusd_heartbeats_total", "counter", (), "steps that were taken only because anybody is here"),
    Metric("tyrusd_tls_failures_total", "counter", (), "closed before the encryption: late, or not let in"),
    Metric("tyrusd_paused", "gauge", (), "1 while no game begins, by the operator's wish"),
    Metric("tyrusd_closing", "gauge", (), "1 from the first signal to the end"),
    Metric("tyrusd_storage_troubled", "gauge", (), "1 while results or placements cannot be stored"),
    Metric("tyrusd_store_lost", "gauge", (), "1 while the store of the accounts was removed or replaced"),
    Metric("tyrusd_journal_append_seconds", "histogram", (), "handing records to the system, for each batch"),
    Metric("tyrusd_journal_sync_seconds", "histogram", (), "waiting until results are on the disk"),
    Metric("tyrusd_journal_bytes_total", "counter", (), "bytes appended"),
    Metric("tyrusd_journal_failures_total", "counter", ("step",), "an `append` or a `sync` that failed"),
    Metric("tyrusd_ladder_games", "gauge", (), "rated games that the ratings were fitted from last"),
    Metric("tyrusd_ladder_versions", "gauge", (), "versions in the ratings, anchors included"),
    Metric("tyrusd_ladder_fits_total", "counter", ("outcome",), "fits of the ratings, `done` or `failed`"),
    Metric("tyrusd_programs", "gauge", (), "programs of house bots that run or start"),
    Metric("tyrusd_children", "gauge", (), "child processes, where the system tells"),
    Metric("tyrusd_loop_lag_seconds", "histogram", (), "how late the event loop was, four times a second"),
    Metric("tyrusd_loop_stalls_total", "counter", (), "times that it was more than 0.1 s late"),
    Metric("process_open_fds", "gauge", (), "open files and sockets"),
    Metric("process_max_fds", "gauge", (), "how many there may be"),
    Metric("process_resident_memory_bytes", "gauge", (), "memory in use"),
    Metric("process_virtual_memory_bytes", "gauge", (), "memory reserved"),
    Metric("process_cpu_seconds_total", "counter", (), "processor time used"),
    Metric("process_start_time_seconds", "gauge", (), "when the process began, in seconds since 1970"),
)  # fmt: skip

BY_NAME: Final = {metric.name: metric for metric in METRICS}
