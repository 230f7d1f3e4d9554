"""Of all that can come out of a server's tasks, one exception with one sentence is left."""

from __future__ import annotations

import pytest
import trio

from tyrusd.host.journal import JournalError
from tyrusd.host.running import TroubleError, run_to_end
from tyrusd.host.storekeeper import StorageLost


async def fails(error: BaseException) -> None:
    await trio.lowlevel.checkpoint()
    raise error


def test_a_result_is_handed_on() -> None:
    async def main() -> int:
        await trio.lowlevel.checkpoint()
        return 7

    assert run_to_end(main) == 7


@pytest.mark.parametrize("error", [StorageLost("check the disk"), JournalError("check the disk")])
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_row_49_trouble_with_storage_is_one_sentence_however_deep_it_was(
    error: Exception, depth: int
) -> None:
    async def main(left: int = depth) -> None:
        if not left:
            await fails(error)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(main, left - 1)

    with pytest.raises(TroubleError, match=r"^check the disk$"):
        run_to_end(main)


def test_an_interrupt_comes_alone() -> None:
    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(fails, KeyboardInterrupt())

    with pytest.raises(KeyboardInterrupt):
        run_to_end(main)


def test_a_fault_of_ours_stays_what_it_is() -> None:
    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(fails, RuntimeError("a fault"))

    with pytest.RaisesGroup(pytest.RaisesExc(RuntimeError, match="a fault")):
        run_to_end(main)
