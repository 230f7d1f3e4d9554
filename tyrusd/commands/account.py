"""`tyrusd account`: who has a name and a key on a standing server."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from tyrusd.core.accounts import Account
    from tyrusd.host.store import Store

ACTIONS: Final = ("add", "token", "revoke", "disable", "enable", "display", "list")
# Which options an action has.
_OPTIONS: Final[Mapping[str, frozenset[str]]] = {
    "add": frozenset({"kind", "display", "owner"}),
    "token": frozenset({"label", "code"}),
    "revoke": frozenset({"label"}),
    "list": frozenset({"json"}),
}


@click.command("account", short_help="Add accounts, give out their keys, take them back.")
@click.argument("action", type=click.Choice(ACTIONS), metavar="ACTION")
@click.argument("name", required=False)
@click.argument("text", required=False)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Data directory of the server.  [default: the user's data directory]",
)
@click.option("--kind", type=click.Choice(["bot", "human"]), help="With add: who it is.  [default: bot]")
@click.option("--display", metavar="TEXT", help="With add: a name in any script, for people's eyes only.")
@click.option("--owner", metavar="NAME", help="With add: the account of who runs this bot.")
@click.option("--label", metavar="TEXT", help="With token: a note; with revoke: only keys with this note.")
@click.option("--code", is_flag=True, help="With token: a seat code that can be typed and works once.")
@click.option("--json", "as_json", is_flag=True, help="With list: one JSON object on stdout.")
def command(action: str, name: str | None, text: str | None, data: Path | None, **options: Any) -> None:
    """Change or list the accounts of a server, also while it runs.

    ACTION is add NAME, token NAME (prints a new key, which nobody can print again), revoke NAME, disable
    NAME, enable NAME, display NAME TEXT (another name for people's eyes; "" for none) or list.
    """
    from tyrusd.commands.running import Failure, usage
    from tyrusd.commands.serve import data_directory
    from tyrusd.host.lost_store import refuse_lost
    from tyrusd.host.store import Store, open_to_owner_only
    from tyrusd.host.store_file import StoreError

    options["json"] = options.pop("as_json")
    for option, value in options.items():
        if value not in (None, False) and option not in _OPTIONS.get(action, frozenset()):
            usage(f"account {action} has no --{option}")
    if (name is None) is not (action == "list"):
        usage(f"account {action} wants a NAME" if name is None else "account list wants no NAME")
    if (text is None) is (action == "display"):
        usage(
            "account display wants a NAME and a TEXT" if text is None else f"account {action} has no {text!r}"
        )
    directory = data_directory(data)
    options |= {"text": text, "data": data}
    try:
        if action == "add":
            open_to_owner_only(directory)
            refuse_lost(directory)
        elif not directory.is_dir():
            usage(f"there is no data directory {directory}: add an account first, or say --data")
        with Store(directory, make=action == "add") as store:
            _DO[action](store, name or "", options)
    except StoreError as error:
        raise Failure(str(error)) from error


def _add(store: Store, name: str, options: Mapping[str, Any]) -> None:
    from tyrusd.commands.running import tell, usage
    from tyrusd.core.accounts import Account, display_fault
    from tyrusd.core.names import name_fault

    fault = name_fault(name)
    if fault is not None:
        usage(f"{name!r}: {fault}")
    display, owner = options["display"], options["owner"]
    if display is not None and (fault := display_fault(display)) is not None:
        usage(f"--display: {fault}")
    known = {account.name.lower(): account.name for account in store.list_accounts()}
    if owner is not None and owner.lower() not in known:
        usage(f"--owner {owner}: there is no such account")
    if name.lower() in _bundled():
        usage(f"{name} is a bot of every server; choose another name")
    owner = None if owner is None else known[owner.lower()]
    if not store.add(Account(name, options["kind"] or "bot", display, owner)):
        usage(f"there is an account or a bot of the server called {name} already, perhaps in other case")
    tell(f"added {name}; `{_command(options, 'token', name)}` gives it a key", err=True)


def _token(store: Store, name: str, options: Mapping[str, Any]) -> None:
    import base64
    import secrets

    from tyrusd.commands.running import tell, usage
    from tyrusd.core.accounts import Key, label_fault
    from tyrusd.core.keys import CODE_BYTES, key_digest, write_code

    label = options["label"]
    if label is not None and (fault := label_fault(label)) is not None:
        usage(f"--label: {fault}")
    if options["code"]:
        sort, secret = "code", write_code(base64.b32encode(secrets.token_bytes(CODE_BYTES)).decode("ascii"))
    else:
        sort, secret = "token", secrets.token_urlsafe(32)
    account = _known(store, name, options)
    if not store.add_key(Key(key_digest(secret), account.name, sort), label):
        usage(_nobody(name, options))
    click.echo(secret)
    if account.kind == "human":
        tell(f"this is shown once; `tyrus --name {account.name} --key` asks for it", err=True)
    else:
        tell(f"this is shown once; it is said as: hello 0.1 {account.name} bot key=...", err=True)


def _revoke(store: Store, name: str, options: Mapping[str, Any]) -> None:
    from tyrusd.commands.running import Failure, tell

    _known(store, name, options)
    label = options["label"]
    count = store.revoke(name, label)
    if not count:
        which = "no key that is worth anything" if label is None else f"no such key with the label {label!r}"
        raise Failure(
            f"nothing was revoked: {name} has {which}; `{_command(options, 'list')}` lists all keys"
        )
    tell("1 key revoked" if count == 1 else f"{count} keys revoked")


def _disable(disabled: bool) -> Callable[[Store, str, Mapping[str, Any]], None]:
    def change(store: Store, name: str, options: Mapping[str, Any]) -> None:
        from tyrusd.commands.running import usage

        if not store.disable(name, disabled):
            usage(_nobody(name, options))

    return change


def _display(store: Store, name: str, options: Mapping[str, Any]) -> None:
    from tyrusd.commands.running import usage
    from tyrusd.core.accounts import display_fault

    text = options["text"] or None
    if text is not None and (fault := display_fault(text)) is not None:
        usage(f"{text!r}: {fault}")
    if not store.set_display(name, text):
        usage(_nobody(name, options))


def _list(store: Store, name: str, options: Mapping[str, Any]) -> None:
    import json

    keys = store.list_keys()
    found = [
        {
            **account._asdict(),
            "keys": [
                {word: value for word, value in key._asdict().items() if word != "account"}
                for key in keys
                if key.account.lower() == account.name.lower()
            ],
        }
        for account in store.list_accounts()
    ]
    if options["json"]:
        click.echo(json.dumps({"accounts": found}, ensure_ascii=False, indent=2))
        return
    for entry in found:
        valid = [key for key in entry["keys"] if key["revoked"] is None]
        state = "disabled" if entry["disabled"] else "enabled"
        notes = [f"owner {entry['owner']}"] * bool(entry["owner"]) + [str(entry["display"] or "")]
        line = (
            f"{entry['name']}  {entry['kind']}  {state}  {len(valid)} keys  {'  '.join(filter(None, notes))}"
        )
        click.echo(line.rstrip())


def _known(store: Store, name: str, options: Mapping[str, Any]) -> Account:
    from tyrusd.commands.running import usage

    known = {account.name.lower(): account for account in store.list_accounts()}
    if name.lower() not in known:
        usage(_nobody(name, options))
    return known[name.lower()]


def _nobody(name: str, options: Mapping[str, Any]) -> str:
    return f"there is no account {name}; `{_command(options, 'list')}` lists them"


def _command(options: Mapping[str, Any], *words: str) -> str:
    """Return a command for the same data directory, as a shell takes it."""
    data = options["data"]
    return shlex.join(["tyrusd", "account", *words, *([] if data is None else ["--data", str(data)])])


def _bundled() -> set[str]:
    from tyrusd.host import plugins

    found = plugins.installed().plugins
    return {plugin.name.lower() for plugin in found if plugin.distribution == plugins.BUNDLED}


_DO: Final[Mapping[str, Callable[[Store, str, Mapping[str, Any]], None]]] = {
    "add": _add,
    "token": _token,
    "revoke": _revoke,
    "disable": _disable(True),
    "enable": _disable(False),
    "display": _display,
    "list": _list,
}
