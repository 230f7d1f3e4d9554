"""`tyrusd account`: what it prints, what it keeps, and the exit codes of its refusals."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tyrusd.commands import main
from tyrusd.core.keys import key_digest
from tyrusd.host.store import STORE, Store


def run(data: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["account", *words, "--data", str(data)])


def listed(data: Path) -> list[dict[str, object]]:
    found = json.loads(run(data, "list", "--json").stdout)["accounts"]
    assert isinstance(found, list)
    return found


def test_a_bot_and_a_person_get_accounts_and_keys(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert run(data, "add", "Ada", "--kind", "human", "--display", "Ада").exit_code == 0
    assert run(data, "add", "deep-bot", "--owner", "ADA").exit_code == 0
    token = run(data, "token", "deep-bot")
    code = run(data, "token", "ada", "--code", "--label", "door")
    assert (token.exit_code, code.exit_code) == (0, 0)
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}\n", token.stdout)
    assert re.fullmatch(r"[A-Z2-7]{4}(-[A-Z2-7]{4}){3}\n", code.stdout)
    assert token.stdout.strip() not in token.stderr
    with Store(data) as store:
        accounts = store.accounts()
    assert accounts.opened("deep-bot", key_digest(token.stdout.strip())) is not None
    assert accounts.opened("Ada", key_digest(code.stdout.strip().lower())) is not None
    ada, bot = listed(data)
    assert (ada["name"], ada["kind"], ada["display"], ada["disabled"]) == ("Ada", "human", "Ада", False)
    assert (bot["kind"], bot["owner"]) == ("bot", "Ada")
    plain = run(data, "list").stdout.splitlines()
    assert plain == ["Ada  human  enabled  1 keys  Ада", "deep-bot  bot  enabled  1 keys  owner Ada"]


@pytest.mark.parametrize("data", ["data", "the club's data", "$HOME"])
def test_the_command_that_is_told_after_adding_works_as_it_stands(tmp_path: Path, data: str) -> None:
    """A person copies it into a shell."""
    added = run(tmp_path / data, "add", "deep-bot").stderr
    (told,) = re.findall(r"`tyrusd (.*)` gives it a key", added)
    token = CliRunner().invoke(main, shlex.split(told))
    assert token.exit_code == 0, token.stderr
    with Store(tmp_path / data) as store:
        assert store.accounts().opened("deep-bot", key_digest(token.stdout.strip())) is not None
    nobody = run(tmp_path / data, "token", "cleo")
    (told,) = re.findall(r"`tyrusd (.*)` lists them", nobody.stderr)
    assert CliRunner().invoke(main, shlex.split(told)).stdout.startswith("deep-bot ")


def test_how_a_key_is_said_is_told_with_the_name_and_kind_of_the_account(tmp_path: Path) -> None:
    run(tmp_path, "add", "Ada", "--kind", "human")
    run(tmp_path, "add", "Deep")
    assert run(tmp_path, "token", "deep").stderr.endswith("it is said as: hello 0.1 Deep bot key=...\n")
    assert run(tmp_path, "token", "ada", "--code").stderr.endswith("`tyrus --name Ada --key` asks for it\n")


def test_a_display_name_is_changed_and_taken_away(tmp_path: Path) -> None:
    run(tmp_path, "add", "Ada", "--display", "Ада")
    run(tmp_path, "token", "ada")
    for text, shown in (("Ада Лавлейс", "Ада Лавлейс"), ("", None)):
        done = run(tmp_path, "display", "ada", text)
        assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
        assert listed(tmp_path)[0]["display"] == shown
    assert run(tmp_path, "list").stdout == "Ada  bot  enabled  1 keys\n"


def test_keys_are_taken_back_and_accounts_closed_and_opened(tmp_path: Path) -> None:
    run(tmp_path, "add", "ada")
    for label in ("home", "home", "club"):
        run(tmp_path, "token", "ada", "--label", label)
    assert run(tmp_path, "revoke", "ADA", "--label", "home").stdout == "2 keys revoked\n"
    assert run(tmp_path, "revoke", "ada").stdout == "1 key revoked\n"
    again = run(tmp_path, "revoke", "ada")
    assert again.exit_code == 1 and "nothing was revoked: ada has no key that is worth any" in again.stderr
    again = run(tmp_path, "revoke", "ada", "--label", "nosuch")
    assert again.exit_code == 1 and "ada has no such key with the label 'nosuch'" in again.stderr
    assert run(tmp_path, "disable", "Ada").exit_code == 0
    assert listed(tmp_path)[0]["disabled"] is True
    assert run(tmp_path, "list").stdout == "ada  bot  disabled  0 keys\n"
    assert run(tmp_path, "enable", "ada").exit_code == 0
    assert listed(tmp_path)[0]["disabled"] is False


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("add", "start"), "a word of the protocol"),
        (("add", "SERVER"), "a word of the protocol"),
        (("add", "S10"), "a word of the protocol"),
        (("add", "a.b"), "1 to 32 letters"),
        (("add", "../ada"), "1 to 32 letters"),
        (("add", "Туrus-bot"), "1 to 32 letters"),
        (("add", "ADA"), "already"),
        (("add", "Random"), "is a bot of every server"),
        (("add", "rob"), "already"),
        (("add", "cleo", "--owner", "nobody-here"), "no such account"),
        (("add", "cleo", "--display", "a\u202eb"), "--display: a display name"),
        (("add", "cleo", "--code"), "account add has no --code"),
        (("token", "cleo"), "there is no account cleo"),
        (("token", "ada", "--label", ""), "--label: a label"),
        (("token", "ada", "--json"), "account token has no --json"),
        (("revoke", "cleo"), "there is no account cleo"),
        (("disable", "cleo"), "there is no account cleo"),
        (("display", "cleo", "Cleo"), "there is no account cleo"),
        (("display", "ada"), "wants a NAME and a TEXT"),
        (("display", "ada", "a\u202eb"), "a display name"),
        (("display", "ada", " "), "a display name"),
        (("enable", "ada", "Ada"), "account enable has no 'Ada'"),
        (("enable",), "wants a NAME"),
        (("list", "ada"), "wants no NAME"),
        (("steal", "ada"), "Invalid value"),
    ],
)
def test_row_60_what_cannot_be_done_is_a_sentence_and_exit_code_2(
    tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    run(tmp_path, "add", "ada")
    with Store(tmp_path) as store:
        store.keep_houses(["Rob"])
    before = listed(tmp_path)
    done = run(tmp_path, *words)
    assert done.exit_code == 2 and sentence in done.stderr and done.stdout == ""
    assert listed(tmp_path) == before


def test_a_directory_that_is_not_there_is_made_by_add_alone(tmp_path: Path) -> None:
    done = run(tmp_path / "nowhere", "list")
    assert done.exit_code == 2 and "there is no data directory" in done.stderr
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("words", [("list",), ("add", "cleo"), ("token", "ada"), ("revoke", "ada")])
def test_a_damaged_store_is_a_sentence_and_exit_code_1_and_stays_as_it_is(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    run(tmp_path, "add", "ada")
    path = tmp_path / STORE
    path.write_bytes(path.read_bytes()[:5000])
    before = path.read_bytes()
    done = run(tmp_path, *words)
    assert done.exit_code == 1 and done.stderr.startswith(f"tyrusd: {path} is damaged")
    assert len(done.stderr.splitlines()) == 1 and path.read_bytes() == before
