"""No secret and no hidden tile of a running game is in the log of a server at debug level, come what may."""

from __future__ import annotations

import re
import signal
import sys
from pathlib import Path

import pytest

from tests.e2e.account_serving import account, came, serving
from tests.host.daemons import Peer

TILE = re.compile(r"(?<![A-Za-z0-9])[SMP](?:10|[1-9])(?![A-Za-z0-9])")
# A bot of this server that prints all that it gets, its hand among it.
CHATTY = """
import sys
print("hello 0.1 me bot games=9", flush=True)
for line in sys.stdin:
    print(line.rstrip(), file=sys.stderr, flush=True)
    words = dict(word.split("=", 1) for word in line.split() if "=" in word)
    if line.startswith("choose "):
        game, request = line.split()[1:3]
        print(f"place {game} {request} {words['hand'].split(',')[0]} IC", flush=True)
"""
# The lobby fails with everything that nobody may know in its error.
FAILS = """
from tyrusd.core.lobby import Lobby
def _games(lobby, session, player, message, now):
    tables = lobby.server.tables.values()
    hands = [(table.match.game.deal.ivory, table.match.game.hand(1)) for table in tables]
    raise RuntimeError(f"{hands} {[str(tile) for hand in hands for tile in hand[0]]} {player.secret} {line}")
line = "hello 0.1 carol bot key=%s"
Lobby._games = _games
"""
SHOWS = "from tyrusd.host import logs as unsafe\nunsafe._HIDDEN = ()\n"


def played(tmp_path: Path, more: str) -> tuple[str, list[str]]:
    """A server on which much goes wrong: its log, and the secrets that were used there."""
    data, bot = tmp_path / "data", tmp_path / "chatty.py"
    bot.write_text(CHATTY, "utf-8")
    account(data, "add", "carol")
    token = account(data, "token", "carol")
    code = account(data, "token", "carol", "--code")
    breaking = FAILS.replace("player.secret", "getattr(player, 'secret', '')") % token + more
    with serving(data, "--bot", f"chatty=exec:{sys.executable} {bot}", breaking=breaking) as (
        daemon,
        address,
    ):
        carol, welcome = came(address, "carol", token)
        secrets = [token, code, word(welcome, "secret")]
        guest = Peer(address)
        guest.say("hello 0.1 visitor human games=3")
        secrets.append(word(guest.until("welcome"), "secret"))
        carol.say("seek clock=none cap=none")
        guest.say("seek clock=none cap=none")
        game = guest.until("start").split()[1]
        guest.say("play chatty")
        other = guest.until("start").split()[1]
        request = asked(guest, other)
        guest.say(f"place {other} {request[2]} {word(' '.join(request), 'hand').split(',')[0]} IC")
        asked(guest, other)  # whoever began, the bot has placed by now
        carol.say(f"place {game} 1 S10 IC", f"place {game} 1 S10 ic S9 P3", "hand=S1,M2", "\x1b[2J S2")
        carol.say(f"hello 0.1 carol bot key={token}", f"resume {secrets[2]}")
        carol.until("error")
        for wrong in (f"resume {secrets[3]}x", f"hello 0.1 carol bot key={code}x"):
            stranger = Peer(address)
            stranger.say(wrong)
            stranger.close()
        daemon.signal(signal.SIGHUP)
        fails = Peer(address)
        fails.say("hello 0.1 another human", "games")
        fails.rest()
        for peer in (carol, guest, fails):
            peer.close()
        daemon.signal(signal.SIGTERM)
        daemon.signal(signal.SIGHUP)
        daemon.process.send_signal(signal.SIGINT)
        _, _, log = daemon.end()
    return log, [*secrets, re.sub("-", "", code)]


def asked(peer: Peer, game: str) -> list[str]:
    """The words of the next request in a game."""
    while True:
        request = peer.until("choose").split()
        if request[1] == game:
            return request


def word(line: str, key: str) -> str:
    return next(word.partition("=")[2] for word in line.split() if word.startswith(f"{key}="))


def found(log: str, secrets: list[str]) -> tuple[list[str], list[str]]:
    """The tiles and the secrets that are in a log."""
    return TILE.findall(log), [secret for secret in secrets if secret in log]


def test_d7_no_secret_and_no_tile_is_in_the_log_at_debug_level(tmp_path: Path) -> None:
    log, secrets = played(tmp_path, "")
    assert found(log, secrets) == ([], [])
    # All that might have told them is in there.
    for words in ("chatty: start ", "chatty: choose ", "hand=(tile)", "RuntimeError: [", "peer 1 comes from"):
        assert words in log, words
    assert "key=(hidden)" in log


def test_control_a_log_that_hides_nothing_has_them(tmp_path: Path) -> None:
    log, secrets = played(tmp_path, SHOWS)
    tiles, told = found(log, secrets)
    assert len(tiles) > 30 and secrets[0] in told


@pytest.mark.parametrize("text", ["S10", "hand=M1,P2", "IC.2.3.B.S4", "['P9']"])
def test_control_tiles_are_found(text: str) -> None:
    assert TILE.search(text)
