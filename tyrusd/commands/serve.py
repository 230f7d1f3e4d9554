"""`tyrusd serve`: the standing server with its lobby."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tyrusd.commands.options import ANCHOR, CLOCK, HOUSE, WholeRange, bot_options
from tyrusd.commands.ports import open_ports
from tyrusd.commands.running import tell

if TYPE_CHECKING:
    import socket


@click.command("serve", short_help="Serve people and bots until a signal ends it.")
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A configuration in TOML (tyrusd config); options win over it.",
)
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
@click.option(
    "--ladder", is_flag=True, help="Rate games, and pair bots with accounts that want it (extra: ladder)."
)
@click.option(
    "--ladder-clock",
    type=CLOCK,
    metavar="BASE+INC",
    help="Seconds for each side of every rated game, and what each placement adds.  [default: none]",
)
@click.option(
    "--anchor",
    "anchors",
    type=ANCHOR,
    multiple=True,
    metavar="NAME=ELO",
    help="A bot of this server whose rating is given; may be repeated.",
)
@click.option("--no-guests", is_flag=True, help="Let in accounts only (tyrusd account).")
@click.option(
    "--allow-plaintext", is_flag=True, help="Accept unencrypted traffic on addresses other than loopback."
)
@click.option(
    "--tls",
    metavar="HOST:PORT",
    help="Listen there for encrypted connections, with --tls-cert and --tls-key.",
)
@click.option(
    "--tls-cert",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Certificate and those above it, in PEM; SIGHUP reads it again.",
)
@click.option(
    "--tls-key",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The certificate's key in PEM; SIGHUP reads it again.",
)
@click.option("--metrics", metavar="HOST:PORT", help="Tell metrics and health there over HTTP.")
@click.option(
    "--log-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Log lines for people, or one JSON object a line.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="The least important log lines that are written.",
)
@click.pass_context
def command(ctx: click.Context, /, file: Path | None, **_: Any) -> None:
    """Serve the lobby: people and bots connect, find each other or a bot of this server, and play.

    Prints `listening HOST PORT` for each address when it is ready. SIGTERM or SIGINT ends it: no new games,
    30 seconds for running ones; a second signal ends it at once. Exit code 0 after that. SIGHUP reads the
    configuration again.
    """
    from tyrusd.commands.configured import Reread, prepared
    from tyrusd.commands.running import Failure, run, warn_of_root
    from tyrusd.host import logs
    from tyrusd.host.addresses import bound_addresses

    reread = Reread(file, ctx)
    config = reread()
    logs.configure_by(config["log.level"], config["log.format"])
    houses, ladder, confined = prepared(config)
    directory = data_directory(config["server.data"])
    warn_of_root()
    ports = open_ports(config)
    listeners = _listeners(config["server.hosts"], config["server.port"])
    addresses = bound_addresses(listeners)
    lines = ports.lines()

    def ready() -> None:
        for address in addresses:
            tell(f"listening {address.host} {address.port}")
        first = addresses[0]
        tell(f"join with: tyrus {first}  or: nc {first.host} {first.port}")
        for line in lines:
            tell(line)

    async def main() -> bool:
        from tyrusd.host.configuration.reloading import Reloader
        from tyrusd.host.daemon import serve

        return await serve(
            listeners,
            directory,
            houses,
            ready,
            settings=config.settings(),
            grace=config["server.drain"],
            confinement=confined,
            guests=config["lobby.guests"],
            reloader=Reloader(config, reread.again),
            ports=ports,
            ladder=ladder,
        )

    try:
        complete = run(main)
    finally:
        for listener in listeners:
            listener.close()
        ports.close()
    if not complete:
        raise Failure("the end took too long: some results or goodbyes were dropped")


def _listeners(hosts: tuple[str, ...], port: int) -> list[socket.socket]:
    import logging

    from tyrusd.commands.running import Failure
    from tyrusd.host.addresses import DEFAULT_HOSTS, BindError, numeric_hosts, open_listeners

    try:
        if not hosts:
            listeners = open_listeners(DEFAULT_HOSTS, port, tolerate=DEFAULT_HOSTS[-1])
            if len(listeners) < len(DEFAULT_HOSTS):
                logging.getLogger("tyrusd.daemon").info(
                    "this machine has no ::1; listening on 127.0.0.1 only"
                )
            return listeners
        numeric = list(dict.fromkeys(found for host in hosts for found in numeric_hosts(host)))
        return open_listeners(numeric, port)
    except BindError as error:
        raise Failure(str(error)) from error


def data_directory(data: Path | None) -> Path:
    """The data directory that was asked for, or the user's own."""
    if data is not None:
        return data
    import platformdirs

    return platformdirs.user_data_path("tyrusd")
