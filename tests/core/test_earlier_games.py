"""After a restart players ask about the games of before: results, records, reasons, and their deals."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import pytest

from tests.core.owners import asked, begin, play_out, refusal
from tests.core.stage import Stage
from tests.core.world import Peer
from tyrusd.core.archive import NAMES, Archive
from tyrusd.core.earlier import Finished, dossier_from
from tyrusd.core.lobby import Lobby
from tyrusd.core.newest import Newest
from tyrusd.core.requests import DropLog
from tyrusd.core.restoring import Recovered
from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.host.recovery import recover
from tyrusd.league.framing import HEADER
from tyrusd.rules.pieces import ALL_TILES, Side
from tyrusd.wire import messages as wire


class Club:
    """A lobby that can be killed and started again, with anna and bob in it."""

    def __init__(self, folder: Path, settings: Settings = DEFAULTS) -> None:
        self.settings = settings
        self.kept: list[bytes] = []
        self._journal = folder / "journal.tyrus"
        self._enter(Recovered())

    def _enter(self, recovered: Recovered) -> None:
        self.stage = Stage(self.settings, 1 + len(self.kept), Lobby({}), recovered=recovered)
        self.anna = self._comes("anna")
        self.bob = self._comes("bob")

    def _comes(self, name: str) -> Peer:
        if name not in self.stage.server.players:
            return self.stage.join(name, "bot", "games=4")
        peer = self.stage.connect()
        peer.say(f"resume {self.secrets[name]}")
        return peer

    def killed(self) -> Recovered:
        """Start again; return what the next server gets."""
        self.secrets = {name: getattr(self, name).last(wire.Welcome).secret for name in ("anna", "bob")}
        self.kept += self.stage.kept
        self._journal.write_bytes(HEADER + b"".join(self.kept))
        found = recover(self._journal, {}, self.settings)
        found.journal.close()
        self._enter(found.recovered)
        return found.recovered

    def game(self, how: str = "resign") -> str:
        """A game in which anna has Ivory, and its end."""
        game = begin(self.anna, self.bob, "clock=none cap=9")
        if how == "play":
            play_out(self.stage, game, self.anna, self.bob)
        elif how == "time":
            self.stage.wait(10)
        elif how == "illegal":
            match = self.stage.server.tables[game].match
            mover = (self.anna, self.bob)[match.game.to_move or 0]
            hand = match.game.hand(match.game.to_move or Side.IVORY)
            for tile in [tile for tile in ALL_TILES if tile not in hand][:3]:
                mover.say(f"place {game} 1 {tile} IC")
        else:
            self.bob.say(f"resign {game}")
        return game


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path)


def facts(peer: Peer, game: str) -> tuple[list[wire.Message], list[wire.Message]]:
    return asked(peer, "results"), asked(peer, f"record {game}")


@pytest.mark.parametrize("how", ["resign", "play", "time", "illegal"])
def test_results_and_records_are_what_they_were(club: Club, how: str) -> None:
    game = club.game(how)
    assert game not in club.stage.server.tables
    before = [facts(peer, game) for peer in (club.anna, club.bob)]
    assert all(len(results) == 2 and len(record) > 4 for results, record in before)
    club.killed()
    assert [facts(peer, game) for peer in (club.anna, club.bob)] == before
    club.killed()
    assert [facts(peer, game) for peer in (club.anna, club.bob)] == before


REASONS = {
    "resign": "bob (brown) resigned.",
    "time": " ran out of time (move-cap). More is not known: that was before this server was started.",
    "illegal": ", and no more was forgiven. More is not known: that was before this server was started.",
}


@pytest.mark.parametrize("how", REASONS)
def test_why_tells_what_the_record_tells(club: Club, how: str) -> None:
    game = club.game(how)
    club.killed()
    verdict, reason, done = asked(club.bob, f"why {game}")
    assert isinstance(verdict, wire.Verdict) and isinstance(reason, wire.Reason)
    assert (verdict.game, verdict.side, verdict.clock, verdict.cap) == (game, "B", "none", "9")
    assert (verdict.request, verdict.limit, verdict.waited, verdict.refused, verdict.errors) == (None,) * 5
    assert verdict.lines is None
    assert reason.text.endswith(REASONS[how])
    assert done == wire.Ok(None, "why", 2)


def test_the_log_is_said_to_be_no_more_in_memory(club: Club) -> None:
    game = club.game()
    assert isinstance(asked(club.anna, f"log {game}")[0], wire.Logged)
    club.killed()
    (error,) = asked(club.anna, f"log {game}")
    assert isinstance(error, wire.Error) and (error.code, error.cost) == ("unavailable", "retry")
    assert "is not in memory: it was played before this server was started" in error.text


def test_somebody_else_is_told_nothing_of_them(club: Club) -> None:
    game = club.game()
    club.killed()
    eve = club.stage.join("eve")
    assert asked(eve, "results") == [wire.Ok(None, "results", 0)]
    assert {refusal(eve, f"{verb} {game}") for verb in ("record", "log", "why", "rematch", "seek deal=")} <= {
        "no-game",
        "syntax",
    }
    assert refusal(eve, f"seek deal={game}") == "no-game"


def test_a_rematch_and_the_same_deal_can_be_asked_for(club: Club) -> None:
    game = club.game("play")
    first = club.anna.last(wire.Start)
    club.killed()
    club.anna.say(f"rematch {game}")
    club.bob.say(f"rematch {game}")
    again = club.anna.last(wire.Start)
    assert (again.side, again.cap, again.enemy_cap) == ("B", "9", "9")
    club.anna.say(f"seek deal={game} clock=300+2")
    club.bob.say(f"play anna deal={game} clock=300+2")
    repeat = club.anna.last(wire.Start)
    assert repeat.game not in (game, again.game)
    assert (repeat.side, repeat.seed, repeat.opener) == ("I", first.seed, first.opener)
    assert club.stage.server.tables[repeat.game].deal == game


# -- when all may be told ----------------------------------------------------------------------------------


def repeated(club: Club, game: str) -> str:
    """A new game on the deal of another; its id."""
    for peer in (club.anna, club.bob):
        peer.say(f"seek deal={game} clock=none cap=60")
    return club.anna.last(wire.Start).game


@pytest.mark.parametrize("killed", ["before", "during", "both", "never"])
def test_a_record_is_told_only_when_every_game_on_its_deal_is_over(club: Club, killed: str) -> None:
    first = club.game()
    if killed in ("before", "both"):
        club.killed()
    second = repeated(club, first)
    if killed in ("during", "both"):
        club.killed()
    for verb in ("record", "log", "why"):
        assert refusal(club.anna, f"{verb} {first}") == "unavailable"
        assert refusal(club.bob, f"{verb} {first}") == "unavailable"
    assert not any(isinstance(item, wire.Recorded) for item in (*club.anna.inbox, *club.bob.inbox))
    club.bob.say(f"resign {second}")
    assert isinstance(asked(club.anna, f"record {first}")[0], wire.Recorded)
    assert isinstance(asked(club.anna, f"record {second}")[0], wire.Recorded)


def test_of_three_games_on_a_deal_none_is_told_while_the_last_is_played(club: Club) -> None:
    first = club.game()
    second = repeated(club, first)
    club.bob.say(f"resign {second}")
    third = repeated(club, second)
    club.killed()
    assert third in club.stage.server.tables
    assert [refusal(club.anna, f"record {game}") for game in (first, second, third)] == ["unavailable"] * 3
    club.bob.say(f"resign {third}")
    club.killed()
    for game in (first, second, third):
        assert isinstance(asked(club.anna, f"record {game}")[0], wire.Recorded)
    found = asked(club.anna, "results")
    assert [item.deal for item in found if isinstance(item, wire.Result)] == [first, first, None]


# -- how many ----------------------------------------------------------------------------------------------


def test_of_each_name_as_many_are_known_as_are_kept(tmp_path: Path) -> None:
    club = Club(tmp_path, dataclasses.replace(DEFAULTS, own_results=3))
    games = [club.game() for _ in range(5)]
    assert len(club.killed().finished) == 3
    for peer in (club.anna, club.bob):
        found = asked(peer, "results")
        assert [item.game for item in found if isinstance(item, wire.Result)] == games[:1:-1]
    # The next one displaces the oldest, whose log may be in a file.
    newest = club.game()
    assert refusal(club.anna, f"record {games[2]}") == "no-game"
    assert isinstance(asked(club.anna, f"record {newest}")[0], wire.Recorded)
    assert [item.game for item in club.stage.requests if isinstance(item, DropLog)] == [games[2]]


def test_what_is_known_fits_into_the_memory_that_is_kept_for_it(tmp_path: Path) -> None:
    club = Club(tmp_path, dataclasses.replace(DEFAULTS, kept_bytes=20_000))
    for _ in range(12):
        club.game()
    found = club.killed().finished
    assert 2 < len(found) < 12 and found[-1].game == "g12"
    assert sum(dossier_from(game).size for game in found) <= 20_000
    assert len(club.stage.server.archive) == len(found)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_recovered_is_what_a_server_that_was_never_stopped_remembers(
    club: Club, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The choice that is made while a journal is read is the archive's own."""
    club.game()
    (one,) = club.killed().finished
    monkeypatch.setattr("tyrusd.core.archive.NAMES", 6)
    chance = random.Random(seed)
    settings = dataclasses.replace(DEFAULTS, own_results=chance.randint(1, 5), kept_bytes=60_000)
    archive = Archive(Stage(settings).server)
    newest: Newest[Finished] = Newest(settings.own_results, settings.kept_bytes, 6)
    names = [f"name{number}" for number in range(9)]
    for number in range(60):
        seats = chance.sample(names, 2)
        record = one.record.replace(b"\xa4anna", b"\xa5" + seats[0].encode())
        record = record.replace(b"\xa3bob", b"\xa5" + seats[1].encode())
        finished = Finished(f"g{number}", record + bytes(chance.randint(0, 9000)), None)
        dossier = dossier_from(finished._replace(record=record))._replace(record=finished.record)
        archive._remember(dossier)
        newest.add(finished.game, (story.name for story in dossier.stories), dossier.size, finished)
    assert [item.game for item in newest.items()] == list(archive._games)
    assert 2 < len(archive) < 60 and NAMES == 2000
