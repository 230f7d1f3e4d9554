"""Metrics and health of a real server: every metric of the page, no names, no tiles, no secrets."""

from __future__ import annotations

import errno
import json
import os
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from tests.host.daemons import ROOT, Daemon, login, run, running
from tests.host.test_operation_page import PAGE, rows, section
from tyrusd.core.counts import COUNTED
from tyrusd.host.met import WORDS
from tyrusd.host.metrics import MeteredJournal
from tyrusd.host.metrics_table import METRICS
from tyrusd.wire import ERRORS, GOODBYES, REASONS

Samples = dict[tuple[str, tuple[str, ...]], float]


class Place(NamedTuple):
    daemon: Daemon
    address: tuple[str, int]
    url: str
    data: Path

    def page(self, path: str) -> str:
        with urllib.request.urlopen(f"{self.url}{path}", timeout=10) as answer:
            return str(answer.read().decode())

    def samples(self) -> Samples:
        return {
            (sample.name, tuple(sample.labels.values())): sample.value
            for family in text_string_to_metric_families(self.page("/metrics"))
            for sample in family.samples
        }


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    data = tmp_path / "data"
    with running(
        "serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data), "--metrics", "127.0.0.1:0"
    ) as daemon:
        (address,) = daemon.addresses()
        line = daemon.line()
        assert re.fullmatch(r"metrics http://127\.0\.0\.1:[0-9]+/metrics", line)
        yield Place(daemon, address, line.removeprefix("metrics ").removesuffix("/metrics"), data)


def test_a_server_tells_what_it_does(place: Place) -> None:
    names = ("zebedee", "yolanda")
    one, two = (login(place.address, name, "bot", "agent=secret-agent/9") for name in names)
    for peer in (one, two):
        peer.say("seek")
    game = one.until("start").split()[1]
    two.until("start")
    one.say("nonsense", f"resign {game}")
    one.until("over")
    third = login(place.address, "xaver", "human")
    for peer in (one, third):
        peer.say("seek")
    second = third.until("start").split()[1]
    two.say("quit")
    two.until("bye")
    text = place.page("/metrics")
    samples = place.samples()
    assert samples["tyrusd_logins_total", ("guest", "bot")] == 2
    assert samples["tyrusd_logins_total", ("guest", "human")] == 1
    assert samples["tyrusd_games", ("running",)] == 1
    assert samples["tyrusd_results_total", ("resigned",)] == 1
    assert samples["tyrusd_errors_total", ("syntax",)] == 1
    assert samples["tyrusd_goodbyes_total", ("bye",)] == 1
    assert samples["tyrusd_connections_opened_total", ()] == 3
    assert samples["tyrusd_journal_append_seconds_count", ()] >= 2
    assert samples["tyrusd_journal_sync_seconds_count", ()] >= 1
    assert samples["tyrusd_journal_bytes_total", ()] > 100
    assert samples["tyrusd_loop_lag_seconds_count", ()] >= 0
    assert samples["process_open_fds", ()] > 5
    assert samples["process_resident_memory_bytes", ()] > 1e6
    for word in (*names, "xaver", "secret-agent", game, second, "127.0.0.1"):
        assert word not in text.replace("process_", ""), word
    assert not re.search(r"\b[SMP](?:10|[1-9])\b", text)  # tiles
    for peer in (one, two, third):
        peer.close()


def test_every_label_is_of_a_closed_list(place: Place) -> None:
    peer = login(place.address, "ada")
    peer.say("nonsense", "quit")
    peer.until("bye")
    peer.close()
    lists: dict[str, frozenset[str]] = {
        "tyrusd_results_total": frozenset(REASONS),
        "tyrusd_errors_total": frozenset(ERRORS),
        "tyrusd_goodbyes_total": frozenset(GOODBYES),
        "tyrusd_limits_total": COUNTED | frozenset(WORDS),
    }
    samples = place.samples()
    for (name, labels), _ in samples.items():
        if name in lists:
            assert labels[0] in lists[name]
    told = {labels[0]: times for (name, labels), times in samples.items() if name == "tyrusd_limits_total"}
    assert told == dict.fromkeys(COUNTED | frozenset(WORDS), 0)  # each is there from the start, at nothing


def test_limits_of_the_core_and_of_the_host_are_told_together(place: Place) -> None:
    with socket.create_connection(place.address, 10) as peer:
        peer.sendall(b"x" * 600 + b"\n")
        while peer.recv(4096):
            pass
    host, _, port = place.url.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port)), 10) as caller:
        caller.sendall(b"GET / HTTP/1.0\r\nA: " + b"a" * 9000 + b"\r\n\r\n")
        assert caller.recv(100).startswith(b"HTTP/1.1 400")
    samples = place.samples()
    met = {labels[0] for (name, labels), times in samples.items() if name == "tyrusd_limits_total" and times}
    assert met == {"client_line", "http_head"}


def test_every_metric_is_in_the_table_and_every_row_is_told(place: Place) -> None:
    families = list(text_string_to_metric_families(place.page("/metrics")))
    told = {
        (f"{family.name}_total" if family.type == "counter" else family.name, family.type)
        for family in families
        if not family.name.endswith("_created")
    }
    assert told == {(metric.name, metric.kind) for metric in METRICS}
    for family in families:
        for metric in METRICS:
            if metric.name.removesuffix("_total") == family.name and not family.name.startswith("process_"):
                assert family.documentation == metric.meaning


def test_the_page_has_the_table() -> None:
    assert rows(section("Metrics"), "metric") == [
        [f"`{metric.name}`", metric.kind, ", ".join(f"`{label}`" for label in metric.labels), metric.meaning]
        for metric in METRICS
    ]
    assert "`/health`" in PAGE


def test_health_tells_when_no_game_can_begin(place: Place) -> None:
    assert json.loads(place.page("/health")) == {"status": "ok"}
    ada, bob = (login(place.address, name, "human") for name in ("ada", "bob"))
    for peer in (ada, bob):
        peer.say("seek")
        peer.until("ok")
    assert run("admin", "drain", "--data", str(place.data)).returncode == 0
    with pytest.raises(urllib.error.HTTPError) as refused:
        place.page("/health")
    assert (refused.value.code, json.loads(refused.value.read())) == (503, {"status": "closing"})
    assert place.samples()["tyrusd_closing", ()] == 1
    ada.close()
    bob.close()


def test_metrics_are_for_this_machine_unless_plain_text_is_accepted(tmp_path: Path) -> None:
    done = run("serve", "--port", "0", "--data", str(tmp_path), "--metrics", "0.0.0.0:0")
    assert done.returncode == 2
    assert "--metrics 0.0.0.0 can be reached from other machines" in done.stderr
    done = run("serve", "--port", "0", "--data", str(tmp_path), "--metrics", "nowhere")
    assert done.returncode == 2 and "--metrics" in done.stderr and "HOST:PORT" in done.stderr


def test_without_the_extra_the_option_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "prometheus_client.py").write_text("raise ImportError")
    words = ("serve", "--port", "0", "--data", str(tmp_path / "data"))
    done = run(*words, "--metrics", "127.0.0.1:0", PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert done.returncode == 3
    assert "pip install 'tyrusd[web]'" in done.stderr
    with running(*words, PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}") as daemon:
        assert daemon.addresses()  # nothing else needs it


class Broken:
    durable = True

    def append(self, frames: Sequence[bytes]) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    def sync(self) -> None:
        raise OSError(errno.EIO, "broken")

    def close(self) -> None:
        pass


def test_a_journal_that_fails_is_counted_and_fails_all_the_same() -> None:
    registry = CollectorRegistry()
    journal = MeteredJournal(Broken(), registry)
    assert journal.durable
    with pytest.raises(OSError, match="no space"):
        journal.append([b"x"])
    with pytest.raises(OSError, match="broken"):
        journal.sync()
    journal.close()
    assert registry.get_sample_value("tyrusd_journal_failures_total", {"step": "append"}) == 1
    assert registry.get_sample_value("tyrusd_journal_failures_total", {"step": "sync"}) == 1
    assert registry.get_sample_value("tyrusd_journal_bytes_total") == 0


def test_a_server_with_a_ladder_tells_how_its_ratings_are(tmp_path: Path) -> None:
    words = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(tmp_path / "data"))
    ladder = ("--ladder", "--anchor", "random=0", "--anchor", "greedy=300", "--metrics", "127.0.0.1:0")
    with running(*words, *ladder) as daemon:
        (address,) = daemon.addresses()
        url = daemon.line().removeprefix("metrics ").removesuffix("/metrics")
        found = Place(daemon, address, url, tmp_path / "data").samples()
    names = ("tyrusd_ladder_games", "tyrusd_ladder_versions")
    assert [found[name, ()] for name in names] == [0, 2]
    assert [found["tyrusd_ladder_fits_total", (word,)] for word in ("done", "failed")] == [1, 0]
