"""The yardstick: a bare trio SocketStream echo, one task a connection; prints its port."""

from __future__ import annotations

import contextlib
from functools import partial

import trio


async def _echo(stream: trio.SocketStream) -> None:
    # One reset connection must not end the others.
    with contextlib.suppress(trio.BrokenResourceError):
        async with stream:
            async for chunk in stream:
                await stream.send_all(chunk)


async def _main() -> None:
    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_tcp, _echo, 0, host="127.0.0.1")
        listeners = await nursery.start(serve)
        print(listeners[0].socket.getsockname()[1], flush=True)


if __name__ == "__main__":
    trio.run(_main)
