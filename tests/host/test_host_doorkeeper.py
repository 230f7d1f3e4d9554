"""The doorkeeper: codes are marked in a thread, changes of others are seen, trouble is told once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import pytest
import trio
import trio.testing

from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.core.keys import key_digest
from tyrusd.core.requests import Answer, CodeRefused, CodeUsed, UseCode
from tyrusd.host.doorkeeper import Doorkeeper
from tyrusd.host.engine import Engine
from tyrusd.host.store import Store
from tyrusd.host.store_file import StoreError

CODE = key_digest("code")


class Told:
    """What an engine would be told."""

    def __init__(self) -> None:
        self.answered: list[Answer] = []
        self.accounts: list[Accounts] = []
        self.handlers: list[object] = []
        self.told = trio.Event()

    def handle(self, kind: object, handler: object) -> None:
        self.handlers.append(handler)

    def answers(self, answers: Sequence[Answer]) -> None:
        self.answered += answers
        self._tell()

    def flush(self) -> None:
        pass

    def act(self, action: object) -> None:
        assert callable(action)
        action(1.0)
        self._tell()

    def _tell(self) -> None:
        self.told.set()
        self.told = trio.Event()

    async def until(self, count: int, what: list[Answer] | list[Accounts]) -> None:
        with trio.fail_after(10):
            while len(what) < count:
                await self.told.wait()


def keeper(store: Store, told: Told, interval: float = 0.01) -> Doorkeeper:
    doorkeeper = Doorkeeper(
        store,
        store.version(),
        store.accounts(),
        lambda accounts, now: told.accounts.append(accounts),
        interval,
    )
    doorkeeper.attach(cast("Engine", told))
    return doorkeeper


def filled(data: Path) -> Store:
    store = Store(data)
    store.add(Account("Ada", "human"))
    store.add_key(Key(CODE, "Ada", "code"))
    return store


def test_of_many_requests_for_one_code_the_first_gets_it(tmp_path: Path) -> None:
    async def main() -> None:
        with filled(tmp_path) as store:
            told = Told()
            doorkeeper = keeper(store, told)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(doorkeeper.run)
                for number in range(1, 4):
                    doorkeeper.use(UseCode(number, CODE))
                await told.until(3, told.answered)
                nursery.cancel_scope.cancel()
            assert told.answered == [CodeUsed(1), CodeRefused(2), CodeRefused(3)]
            assert told.handlers == [doorkeeper.use] and not told.accounts

    trio.run(main)


def test_what_others_change_is_handed_on_and_what_nobody_changes_is_not(tmp_path: Path) -> None:
    async def main() -> None:
        with filled(tmp_path) as store, Store(tmp_path) as other:
            told = Told()
            async with trio.open_nursery() as nursery:
                nursery.start_soon(keeper(store, told).run)
                await trio.sleep(0.1)
                assert not told.accounts
                other.add(Account("cleo", "bot"))
                await told.until(1, told.accounts)
                nursery.cancel_scope.cancel()
            assert told.accounts[0].find("cleo") is not None

    trio.run(main)


def test_what_was_changed_before_the_doorkeeper_began_is_seen_as_well(tmp_path: Path) -> None:
    async def main() -> None:
        with filled(tmp_path) as store, Store(tmp_path) as other:
            told = Told()
            doorkeeper = keeper(store, told)
            other.add(Account("cleo", "bot"))
            async with trio.open_nursery() as nursery:
                nursery.start_soon(doorkeeper.run)
                await told.until(1, told.accounts)
                nursery.cancel_scope.cancel()
            assert told.accounts[0].find("cleo") is not None

    trio.run(main)


def test_the_log_tells_of_accounts_only_when_they_have_changed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A merge of versions changes no account; nor does a code that this server has used itself."""

    async def main() -> list[int]:
        counts = []
        with filled(tmp_path) as store, Store(tmp_path) as other:
            told = Told()
            doorkeeper = keeper(store, told)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(doorkeeper.run)
                doorkeeper.use(UseCode(1, CODE))
                await told.until(1, told.answered)
                with other.transaction() as database:
                    database.execute("INSERT INTO merge VALUES ('Ada', '1', '2', 'now', 'operator')")
                await told.until(1, told.accounts)
                await trio.testing.wait_all_tasks_blocked()
                counts.append(len(said(caplog)))
                other.set_display("Ada", "Ада")
                await told.until(2, told.accounts)
                await trio.testing.wait_all_tasks_blocked()
                counts.append(len(said(caplog)))
                nursery.cancel_scope.cancel()
            assert told.accounts[1].display_of("ada") == "Ада"
        return counts

    logging.getLogger("tyrusd").propagate = True
    with caplog.at_level(logging.INFO, "tyrusd"):
        assert trio.run(main) == [0, 1]


def said(caplog: pytest.LogCaptureFixture) -> dict[int, logging.LogRecord]:
    """What was logged of changed accounts, each once, although a record may come by two ways."""
    return {id(record): record for record in caplog.records if "accounts have changed" in record.getMessage()}


def test_trouble_with_the_store_is_told_once_and_a_code_is_not_lost_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fails = [True]
    real = Store.use_code

    def use_code(store: Store, digest: bytes) -> bool:
        if fails[0]:
            raise StoreError(f"{store.path} cannot be used: disk I/O error")
        return real(store, digest)

    def version(store: Store) -> int:
        if fails[0]:
            raise StoreError(f"{store.path} cannot be used: disk I/O error")
        return 0

    async def main() -> None:
        with filled(tmp_path) as store:
            told = Told()
            doorkeeper = keeper(store, told)
            monkeypatch.setattr(Store, "use_code", use_code)
            monkeypatch.setattr(Store, "version", version)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(doorkeeper.run)
                doorkeeper.use(UseCode(1, CODE))
                await told.until(1, told.answered)
                await trio.sleep(0.1)
                fails[0] = False
                doorkeeper.use(UseCode(2, CODE))
                await told.until(2, told.answered)
                await told.until(1, told.accounts)
                nursery.cancel_scope.cancel()
            first, second = told.answered
            assert isinstance(first, CodeRefused) and "disk I/O error" in first.why
            assert second == CodeUsed(2)

    logging.getLogger("tyrusd").propagate = True
    with caplog.at_level(logging.DEBUG, "tyrusd"):
        trio.run(main)
    # One record may reach the test by two ways, by the logger's own handlers and by those of its parents.
    errors = {id(record): record for record in caplog.records if record.levelno >= logging.ERROR}
    (error,) = errors.values()
    assert "going on with the accounts known so far" in error.getMessage()


def test_codes_beyond_all_measure_are_refused_at_once(tmp_path: Path) -> None:
    with filled(tmp_path) as store:
        told = Told()
        doorkeeper = keeper(store, told)
        for number in range(0x10001):
            doorkeeper.use(UseCode(number, CODE))
        (refused,) = told.answered
        assert isinstance(refused, CodeRefused) and refused.why


async def test_whoever_says_an_unknown_key_has_the_store_looked_at_soon_and_not_for_each(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []
    with filled(tmp_path) as store:
        version = store.version()

        def looked() -> int:
            looks.append(trio.current_time())
            return version

        async def run_sync(work: Callable[[], object], **_: object) -> object:
            return work()

        monkeypatch.setattr(store, "version", looked)
        monkeypatch.setattr(trio.to_thread, "run_sync", run_sync)
        doorkeeper = keeper(store, Told(), 2.0)
        looks.clear()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(doorkeeper.run)
            await trio.sleep(1.0)
            assert not looks
            for _ in range(100):  # within a second
                doorkeeper.look()
                await trio.sleep(0.01)
            assert 5 <= len(looks) <= 6 and looks[0] - 1.0 < 0.01
            looks.clear()
            await trio.sleep(6.1)
            assert len(looks) in (3, 4)  # control: as often as before
            nursery.cancel_scope.cancel()
