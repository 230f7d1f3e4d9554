"""`tyrusd new-bot`: a bot's own distribution to begin with, complete with tests."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import click

# What each template becomes; the words in double braces are filled in.
FILES: Final = {
    "pyproject.toml.txt": "pyproject.toml",
    "bot.py.txt": "{module}.py",
    "test_bot.py.txt": "test_{module}.py",
    "README.md.txt": "README.md",
}


@click.command("new-bot", short_help="Write a new bot in Python, ready to install, with tests.")
@click.argument("name", metavar="NAME")
@click.option(
    "--dir",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="D",
    help="Directory to write to, new or empty.  [default: the name of the distribution]",
)
def command(name: str, directory: Path | None) -> None:
    """Write an installable distribution with one bot, which is then played as plugin:NAME.

    NAME is 1 to 32 letters, digits, _ or -. The directory gets pyproject.toml, the bot, its tests and a
    README that tells what to do with them; nothing is ever overwritten.
    """
    from tyrusd.commands.running import Failure, usage
    from tyrusd.core.seatspec import is_name

    if not is_name(name):
        usage(f"{name!r} is not a name of 1 to 32 letters, digits, _ or -")
    words = words_for(name)
    target = Path(words["distribution"]) if directory is None else directory
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        usage(f"{target} exists and is not an empty directory: choose another with --dir")
    try:
        target.mkdir(parents=True, exist_ok=True)
        for template, file in FILES.items():
            text = filled(template, words)
            (target / file.format(**words)).write_text(text, "utf-8", newline="\n")
    except OSError as error:
        raise Failure(f"{error.filename or target} cannot be written: {error.strerror}") from error
    click.echo(f"wrote {', '.join(file.format(**words) for file in FILES.values())} to {target}")
    click.echo(f"next: pip install -e {target} && tyrusd match plugin:{name} plugin:greedy --games 20")


def words_for(name: str) -> dict[str, str]:
    """The words that fill the templates for a bot of this name."""
    # Neither the module nor the distribution may be one that exists, as `random` or `tyrus-client` would be.
    plain = re.sub(r"[-_]+", "_", name.lower()).strip("_") or "new"
    module = f"tyrus_{plain}_bot"
    return {"name": name, "module": module, "distribution": module.replace("_", "-")}


def filled(template: str, words: dict[str, str]) -> str:
    """A template with its words."""
    text = (Path(__file__).with_name(template)).read_text("utf-8")
    for word, value in words.items():
        text = text.replace(f"{{{{{word}}}}}", value)
    return text
