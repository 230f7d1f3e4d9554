"""Reads the arguments of the command `tyrus`."""

import getpass
import os
import re
import secrets
import sys
from typing import Final

import click

import tyrusd
from tyrus_client.address import DEFAULT_HOST, Address, read_address
from tyrus_client.naming import guest_name, is_name, name_from
from tyrus_client.wishes import Wishes

_KEY: Final = "TYRUS_KEY"  # other users cannot read the environment
_FORM: Final = re.compile("[A-Za-z0-9_-]{1,128}")


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
@click.option(
    "--key",
    "asks",
    is_flag=True,
    help="Ask for the token or seat code of your account (default: $TYRUS_KEY).",
)
@click.version_option(tyrusd.__version__, prog_name="tyrus")
def command(server: Address, name: str | None, play: str | None, asks: bool) -> None:
    """Play Tyrus at a server, by typing short lines.

    Without an address the server on this machine is used. IPv6 addresses are written like [::1]:7433,
    encrypted connections like tls://HOST:PORT.
    Type help when you are in.
    """
    # Imported only now: --help and --version should not wait for it.
    from tyrus_client.start import start

    other_name = None
    if name is None:
        name, other_name = name_from(_login(), secrets.randbelow), lambda: guest_name(secrets.randbelow)
    key = _key(asks)
    if key is not None:
        other_name = None  # a key opens one name only
    sys.exit(start(server, Wishes(str(server), name, other_name, play, key)))


def _key(asks: bool) -> str | None:
    """The key of an account; never an argument, which everybody on this machine can read."""
    try:
        key = getpass.getpass("Key: ").strip() if asks else os.environ.get(_KEY, "")
    except EOFError:
        key = ""
    if asks and not key:
        raise click.UsageError("no key was given")
    if key and _FORM.fullmatch(key) is None:
        raise click.UsageError("a key is 1 to 128 letters, digits, _ or -")
    return key or None


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""  # a user whom this system does not know by name
