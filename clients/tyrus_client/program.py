"""Reads the arguments of the command `tyrus`."""

import getpass
import secrets
import sys

import click

import tyrusd
from tyrus_client.address import DEFAULT_HOST, Address, read_address
from tyrus_client.naming import guest_name, is_name, name_from
from tyrus_client.wishes import Wishes


def _address(context: click.Context, parameter: click.Parameter, value: str) -> Address:
    try:
        return read_address(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _name(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and not is_name(value):
        raise click.BadParameter(f"{value!r}: a name is 1 to 32 letters, digits, _ or -")
    return value


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("server", callback=_address, default=DEFAULT_HOST, metavar="[HOST[:PORT]]")
@click.option(
    "--name", callback=_name, metavar="NAME", help="Your name at the table (default: your login name)."
)
@click.option("--play", callback=_name, metavar="BOT", help="Start a game with this player or bot at once.")
@click.version_option(tyrusd.__version__, prog_name="tyrus")
def command(server: Address, name: str | None, play: str | None) -> None:
    """Play Tyrus at a server, by typing short lines.

    Without an address the server on this machine is used. IPv6 addresses are written like [::1]:7433.
    Type help when you are in.
    """
    # Imported only now: --help and --version should not wait for it.
    from tyrus_client.start import start

    other_name = None
    if name is None:
        name, other_name = name_from(_login(), secrets.randbelow), lambda: guest_name(secrets.randbelow)
    sys.exit(start(server, Wishes(str(server), name, other_name, play)))


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""  # a user whom this system does not know by name
