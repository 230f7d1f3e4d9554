"""A server with a ladder and two accounts, on which three rated games were played on the days before."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tests.core.accounts_world import Door
from tests.transcripts.in_memory import HOUSES, InMemory
from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.core.keys import key_digest
from tyrusd.core.ladder_terms import LadderTerms
from tyrusd.core.lobby import Lobby
from tyrusd.core.restoring import Recovered
from tyrusd.core.seatspec import SeatSpec
from tyrusd.league.fold import fold
from tyrusd.league.framing import HEADER, frame, read_frames
from tyrusd.league.rated import RatedGame, Version
from tyrusd.league.schema import Payload
from tyrusd.league.standing_table import rating_table

NAMES: Final = ("deep", "dull")
AGENTS: Final = {"deep": "agent=deep/1", "dull": ""}
WINNERS: Final = ("deep", "deep", "dull")
TOKENS: Final = {name: f"T0ken-of-{name}" for name in NAMES}
ACCOUNTS: Final = Accounts(
    [Account(name, "bot") for name in NAMES],
    [Key(key_digest(token), name, "token") for name, token in TOKENS.items()],
)
LADDER: Final = LadderTerms()


def earlier_games() -> list[Payload]:
    """The records of the games, as a journal has them."""
    place = Door(ACCOUNTS, recovered=Recovered(), ladder=LADDER)
    peers = {name: place.log_in(TOKENS[name], name, "bot", AGENTS[name]) for name in NAMES}
    for number, winner in enumerate(WINNERS, 1):
        peers["deep"].say("seek rated=yes side=I")
        peers["dull"].say("play deep rated=yes")
        peers[next(name for name in NAMES if name != winner)].say(f"resign g{number}")
    payloads = [payload for _, payload in read_frames(HEADER + b"".join(place.kept))]
    return [payload for payload in payloads if payload["kind"] in ("opened", "placed", "game")]


def write_journal(path: Path) -> None:
    """Write them where a daemon finds them."""
    path.write_bytes(HEADER + b"".join(frame(payload) for payload in earlier_games()))


def in_memory() -> InMemory:
    """A server that knows of these games."""
    finished = fold(enumerate(earlier_games())).finished.values()
    rated = [
        RatedGame(
            record["id"],
            Version(record["game"]["seats"]["ivory"], record["rated"]["ivory"]),
            Version(record["game"]["seats"]["brown"], record["rated"]["brown"]),
            record["game"]["winner"],
            record["game"]["reason"],
            record["game"]["deal"]["opener"],
            record["rated"]["by"],
        )
        for record in finished
    ]
    houses = {name: SeatSpec("plugin", name) for name in HOUSES}
    lobby = Lobby(houses, ACCOUNTS, True, LADDER)
    carrier = InMemory(lobby, Recovered(games=len(rated)))
    lobby.standing.take(rating_table(rated, {}, {}, 20), 0.0)
    return carrier
