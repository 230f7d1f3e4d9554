"""`tyrusd deals`: a file of deals, for ladders that are to play the same ones."""

from __future__ import annotations

import click

from tyrusd.commands.options import WholeRange, seed_of


@click.command("deals", short_help="Make a file of deals for ladders.")
@click.argument("file", metavar="FILE|-")
@click.option(
    "--count",
    type=WholeRange(1, 1_000_000),
    required=True,
    metavar="N",
    help="How many deals.",
)
@click.option("--seed", metavar="S", help="Text that decides them.  [default: 128 random bits]")
def command(file: str, count: int, seed: str | None) -> None:
    """Write N deals to a new FILE, one a line, or to stdout with `-`.

    They are those that `tyrusd ladder --seed S` plays, pair by pair. `tyrusd ladder --deals FILE` plays them.
    """
    from pathlib import Path

    from tyrusd.commands.running import Failure, usage
    from tyrusd.host.deal_files import write_deal_file
    from tyrusd.league.deal_text import write_deal
    from tyrusd.rules.deal import deal_from_bytes, pair_secret

    text = seed_of(seed)
    deals = (deal_from_bytes(pair_secret(text, pair)) for pair in range(1, count + 1))
    head = f"tyrusd deals 1, count {count}, seed {text}"
    if file == "-":
        click.echo(f"# {head}")
        for deal in deals:
            click.echo(write_deal(deal))
    else:
        try:
            digest = write_deal_file(Path(file), head, deals)
        except FileExistsError:
            usage(f"{file} exists already: choose another file, deals never overwrite")
        except OSError as error:
            raise Failure(f"{file} cannot be written: {error.strerror}") from error
        click.echo(f"{count} deals in {file}, SHA-256 {digest}")
    if seed is not None:
        click.echo(f"tyrusd: the seed {text} was typed: who guesses it knows every deal", err=True)
