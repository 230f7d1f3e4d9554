"""`tyrusd serve`: the standing server with its lobby."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tyrusd.commands.options import HOUSE, PLAINTEXT, WholeRange, bot_options, confinement, settings
from tyrusd.commands.running import tell

if TYPE_CHECKING:
    import socket

    from tyrusd.core.seatspec import SeatSpec


@click.command("serve", short_help="Serve people and bots until a signal ends it.")
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="H",
    help="Address to listen on; may be repeated.  [default: 127.0.0.1 and ::1]",
)
@click.option(
    "--port",
    type=WholeRange(0, 65535),
    default=7433,
    show_default=True,
    metavar="P",
    help="Port; 0 picks a free one.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Directory for the journal.  [default: the user's data directory]",
)
@click.option(
    "--bot",
    "bots",
    type=HOUSE,
    multiple=True,
    metavar="NAME=SEAT",
    help="A bot for the lobby, plugin: or exec:; may be repeated. The bundled bots are always there.",
)
@bot_options()
@click.option("--no-guests", is_flag=True, help="Let in accounts only (tyrusd account).")
@click.option(
    "--allow-plaintext", is_flag=True, help="Accept unencrypted traffic on addresses other than loopback."
)
def command(
    hosts: tuple[str, ...],
    port: int,
    data: Path | None,
    bots: tuple[tuple[str, SeatSpec], ...],
    bot_memory: int,
    bot_cpu: int | None,
    sandbox: str,
    bot_start: float,
    no_guests: bool,
    allow_plaintext: bool,
) -> None:
    """Serve the lobby: people and bots connect, find each other or a bot of this server, and play.

    Prints `listening HOST PORT` for each address when it is ready. SIGTERM or SIGINT ends it: no new games,
    30 seconds for running ones; a second signal ends it at once. Exit code 0 after that.
    """
    from tyrusd.commands.running import Failure, run
    from tyrusd.host import logs
    from tyrusd.host.addresses import bound_addresses

    logs.configure()
    houses = _houses(bots)
    directory = data_directory(data)
    confined = confinement(sandbox, bot_memory, bot_cpu)
    listeners = _listeners(hosts, port, allow_plaintext)
    addresses = bound_addresses(listeners)

    def ready() -> None:
        for address in addresses:
            tell(f"listening {address.host} {address.port}")
        first = addresses[0]
        tell(f"join with: tyrus {first}  or: nc {first.host} {first.port}")

    async def main() -> bool:
        from tyrusd.host.daemon import serve

        return await serve(
            listeners,
            directory,
            houses,
            ready,
            settings=settings(bot_start),
            confinement=confined,
            guests=not no_guests,
        )

    try:
        complete = run(main)
    finally:
        for listener in listeners:
            listener.close()
    if not complete:
        raise Failure("the end took too long: some results or goodbyes were dropped")


def _houses(bots: tuple[tuple[str, SeatSpec], ...]) -> dict[str, SeatSpec]:
    """The bundled bots and those that were asked for, all of which must exist."""
    from tyrusd.commands.running import check_options, usage
    from tyrusd.core.names import name_fault
    from tyrusd.core.seatspec import SeatSpec
    from tyrusd.host import plugins
    from tyrusd.host.programs import NoProgram, program_for

    listing = plugins.installed()
    houses = {
        plugin.name: SeatSpec("plugin", plugin.origin)
        for plugin in listing.plugins
        if plugin.distribution == plugins.BUNDLED
    }
    asked: set[str] = set()
    for name, seat in bots:
        fault = name_fault(name)
        if fault is not None:
            usage(f"--bot {name}=: {fault}")
        if name.lower() in asked:
            usage(f"--bot {name}= is given twice: names must differ, also in more than upper and lower case")
        asked.add(name.lower())
        try:
            program_for(seat, listing=listing)
        except NoProgram as error:
            usage(f"--bot {name}={seat}: {error}")
        for bundled in [bundled for bundled in houses if bundled.lower() == name.lower()]:
            del houses[bundled]
        houses[name] = seat
    check_options([seat for _, seat in bots])
    return houses


def _listeners(hosts: tuple[str, ...], port: int, allow_plaintext: bool) -> list[socket.socket]:
    import logging

    from tyrusd.commands.running import Failure, usage
    from tyrusd.host.addresses import DEFAULT_HOSTS, BindError, is_loopback, numeric_hosts, open_listeners

    try:
        if not hosts:
            listeners = open_listeners(DEFAULT_HOSTS, port, tolerate=DEFAULT_HOSTS[-1])
            if len(listeners) < len(DEFAULT_HOSTS):
                logging.getLogger("tyrusd.daemon").info(
                    "this machine has no ::1; listening on 127.0.0.1 only"
                )
            return listeners
        numeric = list(dict.fromkeys(found for host in hosts for found in numeric_hosts(host)))
        outside = [host for host in numeric if not is_loopback(host)]
        if outside and not allow_plaintext:
            usage(f"--host {outside[0]} can be reached from other machines, and {PLAINTEXT}")
        return open_listeners(numeric, port)
    except BindError as error:
        raise Failure(str(error)) from error


def data_directory(data: Path | None) -> Path:
    """The data directory that was asked for, or the user's own."""
    if data is not None:
        return data
    import platformdirs

    return platformdirs.user_data_path("tyrusd")
