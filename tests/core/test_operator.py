"""What the operator of a lobby asks is done, told, or refused in a sentence, and nothing else changes."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from tests.core.stage import Pair, Stage, again, answer_line, begin, play_on
from tests.core.world import Peer
from tyrusd.core import operator_words as words
from tyrusd.core.bans import MOST, Ban, Bans
from tyrusd.core.hosts import canonical_host
from tyrusd.core.lobby import Lobby
from tyrusd.core.operator import OperatorError
from tyrusd.core.seatspec import SeatSpec
from tyrusd.league.record import read_frame
from tyrusd.wire import messages as wire


def lobby_of(stage: Stage) -> Lobby:
    assert isinstance(stage.server.director, Lobby)
    return stage.server.director


def do(stage: Stage, word: words.Word) -> dict[str, Any]:
    told = lobby_of(stage).operator.do(word, stage.now)
    stage.run()
    assert json.loads(json.dumps(told)) == told  # plain values only
    return told


def refused(stage: Stage, word: words.Word) -> str:
    with pytest.raises(OperatorError) as refusal:
        do(stage, word)
    return str(refusal.value)


def over(peer: Peer) -> tuple[str, str, str | None]:
    told = peer.last(wire.Over)
    return told.winner, told.reason, told.detail


@pytest.fixture
def stage() -> Stage:
    return Stage(lobby=Lobby({"house": SeatSpec("plugin", "random")}))


# -- telling -----------------------------------------------------------------------------------------------


def test_who_and_games_tell_what_runs(stage: Stage) -> None:
    stage.connect("10.0.0.9")
    pair = begin(stage, ("human", "bot"), hosts=("10.0.0.1", "10.0.0.2"), extra="agent=x/1")
    stage.join("cleo")
    stage.wait(5)
    who = do(stage, words.Who())
    assert [entry["host"] for entry in who["new"]] == ["10.0.0.9"]
    ada, bob, cleo = who["players"]
    assert (ada["name"], ada["kind"], ada["state"], ada["host"]) == ("ada", "human", "full", "10.0.0.1")
    assert (ada["games"], ada["agent"], ada["silent"], ada["account"]) == ([pair.game], "x/1", 5, None)
    assert (bob["name"], cleo["state"]) == ("bob", "free")
    (game,) = do(stage, words.Games())["games"]
    assert {game["ivory"], game["brown"]} == {"ada", "bob"}
    assert (game["game"], game["state"], game["placed"], game["seconds"]) == (pair.game, "running", 0, 5)
    mover = game["ivory"] if game["move"] == "I" else game["brown"]
    assert pair.mover.last(wire.Welcome).name == mover
    pair.other.lose()
    away = next(entry for entry in do(stage, words.Who())["players"] if entry["state"] == "away")
    assert (away["host"], away["away"], away["silent"]) == (None, 60, None)


def test_nothing_that_is_told_names_a_tile_or_a_secret(stage: Stage) -> None:
    pair = begin(stage)
    pair.mover.say(answer_line(pair.mover, pair.game))
    secrets = [peer.last(wire.Welcome).secret for peer in (pair.mover, pair.other)]
    told = json.dumps([do(stage, word) for word in (words.Who(), words.Games(), words.Status())])
    for secret in secrets:
        assert secret not in told
    for number in range(1, 11):
        assert f'"S{number}"' not in told and f"M{number}" not in told


def test_status_counts(stage: Stage) -> None:
    pair = begin(stage)
    told = do(stage, words.Status())
    assert told == {
        "server": "tyrusd/0.1.0", "paused": False, "closing": False, "storage": "good", "connections": 2,
        "players": 2, "away": 0, "bots": 0, "games": 1, "ending": 0, "guests": True, "bans": 0,
    }  # fmt: skip
    stage.store_at_once = False
    pair.mover.say(f"resign {pair.game}")
    told = do(stage, words.Status())
    assert (told["games"], told["ending"]) == (0, 1)


# -- games -------------------------------------------------------------------------------------------------


def test_a_game_is_aborted(stage: Stage) -> None:
    pair = begin(stage)
    assert do(stage, words.Abort(pair.game)) == {"game": pair.game, "reason": "aborted"}
    assert over(pair.mover) == over(pair.other) == ("-", "aborted", "operator")
    assert read_frame(stage.stored[-1].payload)["game"]["reason"] == "aborted"
    assert refused(stage, words.Abort(pair.game)) == f"{pair.game} is over already"
    assert "there is no running game g77" in refused(stage, words.Abort("g77"))


@pytest.mark.parametrize("winner", ["I", "B", "draw"])
def test_a_game_is_adjudicated(stage: Stage, winner: Any) -> None:
    pair = begin(stage)
    names = lobby_of(stage).server.tables[pair.game].match.names
    told = do(stage, words.Adjudicate(pair.game, winner))
    name = {"I": names[0], "B": names[1], "draw": None}[winner]
    assert told == {"game": pair.game, "reason": "adjudicated", "winner": name}
    assert over(pair.mover) == ("-" if winner == "draw" else winner, "adjudicated", "operator")
    assert not stage.server.tables  # a draw by the operator is not dealt again
    pair.mover.say(f"why {pair.game}")
    assert pair.mover.last(wire.Verdict).outcome == (
        "drawn" if name is None else "won" if name == pair.mover.last(wire.Welcome).name else "lost"
    )
    assert refused(stage, words.Adjudicate(pair.game, winner)) == f"{pair.game} is over already"


def test_a_game_whose_end_waits_for_storage_is_over_for_the_operator_too(stage: Stage) -> None:
    pair = begin(stage)
    stage.store_at_once = False
    pair.mover.say(f"resign {pair.game}")
    assert refused(stage, words.Abort(pair.game)) == f"{pair.game} is over already"
    assert refused(stage, words.Adjudicate(pair.game, "I")) == f"{pair.game} is over already"


def test_while_paused_no_game_begins_and_running_ones_go_on(stage: Stage) -> None:
    pair = begin(stage, extra="games=2")
    assert "not paused" in refused(stage, words.Resume())
    assert do(stage, words.Pause()) == do(stage, words.Pause()) == {"paused": True}
    for line in ("seek", "play house", "challenge bob"):
        pair.mover.say(line)
        error = pair.mover.last(wire.Error)
        assert (error.code, error.re) == ("unavailable", line.split()[0])
        assert error.text == "The operator lets no game begin now; try again later."
    assert play_on(pair.mover, pair.other, pair.game, 4) == 4
    assert do(stage, words.Resume()) == {"paused": False}
    again(pair.mover, pair.other)


def test_while_paused_a_series_ends(stage: Stage) -> None:
    ada, bob = stage.join("ada"), stage.join("bob")
    ada.say("challenge bob rounds=3")
    bob.say(f"accept {bob.last(wire.Offer).challenge}")
    do(stage, words.Pause())
    ada.say(f"resign {ada.last(wire.Start).game}")
    assert ada.last(wire.Declined).why == bob.last(wire.Declined).why == "later"
    assert not stage.server.tables


def test_a_closing_server_is_not_paused(stage: Stage) -> None:
    stage.server.drain(stage.now, 10)
    assert "closing" in refused(stage, words.Pause())


# -- people and bots ---------------------------------------------------------------------------------------


def test_who_is_kicked_keeps_its_seats_and_may_come_back(stage: Stage) -> None:
    pair = begin(stage)
    name, secret = (getattr(pair.mover.last(wire.Welcome), word) for word in ("name", "secret"))
    assert do(stage, words.Kick(name.upper())) == {"kicked": name, "games": [pair.game]}
    assert pair.mover.last(wire.Bye).reason == "kicked" and pair.mover.closed
    assert pair.other.last(wire.Away).game == pair.game
    assert "away already" in refused(stage, words.Kick(name))
    back = stage.connect()
    back.say(f"resume {secret}")
    assert back.last(wire.Welcome).name == name


def test_nobody_and_bots_of_the_server_are_not_kicked(stage: Stage) -> None:
    assert "nobody is here as ada" in refused(stage, words.Kick("ada"))
    assert "bot of this server" in refused(stage, words.Kick("House"))


def test_row_61_an_announcement_comes_to_all_who_have_said_hello(stage: Stage) -> None:
    new = stage.connect()
    ada, bob = stage.join("ada"), stage.join("bob", "bot")
    assert do(stage, words.Announce("Lunch at noon, Grüße")) == {"told": 2}
    for peer in (ada, bob):
        notice = peer.last(wire.Notice)
        assert (notice.code, notice.text) == ("announce", "Lunch at noon, Grüße")
    assert not new.got(wire.Notice)
    assert do(stage, words.Announce("ß" * words.LONGEST_TEXT)) == {"told": 2}
    assert "printable" in refused(stage, words.Announce("two\nlines"))
    assert "printable" in refused(stage, words.Announce("\x1b[2J"))


# -- bans (faults 34, F051) --------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["10.0.0.1", "::ffff:10.0.0.1", "::FFFF:a00:1"])
def test_row_34_f051_a_banned_host_is_one_host_in_every_spelling(stage: Stage, typed: str) -> None:
    """brazilofmux/tinymux#800: by IPv6 a banned host had another name, and came in."""
    ada = stage.join("ada", host="10.0.0.1")
    fresh = stage.connect("10.0.0.1")
    bob = stage.join("bob", host="10.0.0.2")
    told = do(stage, words.Ban(typed))
    assert told == {"banned": "10.0.0.1", "until": None, "ended": 2}
    assert ada.last(wire.Bye).reason == fresh.last(wire.Bye).reason == "kicked"
    assert not bob.closed
    refused_one = stage.connect("10.0.0.1")
    assert refused_one.last(wire.Bye).reason == "kicked" and refused_one.closed
    assert not refused_one.got(wire.Greeting)
    assert do(stage, words.Bans()) == {"bans": [{"who": "10.0.0.1", "until": None}]}
    assert do(stage, words.Unban(typed)) == {"unbanned": "10.0.0.1"}
    assert stage.connect("10.0.0.1").got(wire.Greeting)
    assert "is not banned" in refused(stage, words.Unban(typed))


@pytest.mark.parametrize("typed", ["fe80::7", "fe80::7%eth0", "FE80:0::7%wlan0.12"])
def test_a_ban_of_a_link_local_host_holds_by_whatever_interface_it_comes(stage: Stage, typed: str) -> None:
    seen = canonical_host("fe80::7%eth1")  # as the system tells it
    ada = stage.join("ada", host=seen)
    assert do(stage, words.Ban(typed)) == {"banned": "fe80::7", "until": None, "ended": 1}
    assert ada.closed and stage.connect(seen).closed
    assert do(stage, words.Unban(typed)) == {"unbanned": "fe80::7"}
    assert not stage.connect(seen).closed


@pytest.mark.parametrize(
    "typed",
    ["fe80::1%\x1b[2J", "fe80::1%a\nb", "fe80::1%", "fe80::1% ", "fe80::1%é", "10.0.0.1%eth0", "%eth0"],
)
def test_a_zone_of_odd_characters_is_refused_and_nothing_is_kept(stage: Stage, typed: str) -> None:
    assert "neither a numeric address" in refused(stage, words.Ban(typed))
    assert "is not banned" in refused(stage, words.Unban(typed))
    assert do(stage, words.Bans()) == {"bans": []}


def test_a_ban_of_an_ipv6_host_is_of_that_alone(stage: Stage) -> None:
    do(stage, words.Ban("2001:db8::1"))
    assert stage.connect("2001:db8::1").closed and not stage.connect("2001:db8::2").closed


@pytest.mark.parametrize(
    ("typed", "told", "inside", "outside"),
    [
        ("2001:DB8:0:7::1/64", "2001:db8:0:7::/64", "2001:db8:0:7:ffff::9", "2001:db8:0:8::1"),
        ("192.0.2.77/24", "192.0.2.0/24", "192.0.2.255", "192.0.3.0"),
        ("::ffff:192.0.2.0/120", "192.0.2.0/24", "192.0.2.1", "192.0.1.255"),
        ("10.0.0.0/9", "10.0.0.0/9", "10.127.255.255", "10.128.0.0"),
        ("10.0.0.1/32", "10.0.0.1", "10.0.0.1", "10.0.0.2"),
    ],
)
def test_a_network_is_banned_and_let_in_again(
    stage: Stage, typed: str, told: str, inside: str, outside: str
) -> None:
    ada, bob = stage.join("ada", host=inside), stage.join("bob", host=outside)
    assert do(stage, words.Ban(typed)) == {"banned": told, "until": None, "ended": 1}
    assert ada.closed and not bob.closed
    assert stage.connect(inside).closed and not stage.connect(outside).closed
    assert do(stage, words.Unban(typed)) == {"unbanned": told}
    assert not stage.connect(inside).closed


@pytest.mark.parametrize(
    "typed", ["10.0.0.0/33", "10.0.0.0/0", "::/129", "10.0.0.0/", "/24", "ada/24", "10.0.0.0/-1",
              "fe80::%a/64", "10.0.0.0/8/8", "10.0.0.0/٣", "::ffff:10.0.0.0/90", "10.0.0.0/9999999"],
)  # fmt: skip
def test_what_is_no_network_is_refused(stage: Stage, typed: str) -> None:
    assert "neither a numeric address" in refused(stage, words.Ban(typed))


def test_a_ban_of_a_network_ends_in_time_and_one_of_a_host_in_it_stays(stage: Stage) -> None:
    do(stage, words.Ban("192.0.2.0/24", minutes=1))
    do(stage, words.Ban("192.0.2.7"))
    stage.wait(60)
    assert stage.connect("192.0.2.7").closed and not stage.connect("192.0.2.8").closed


def test_a_ban_of_a_host_costs_nobody_else_a_place(stage: Stage) -> None:
    do(stage, words.Ban("10.0.0.1"))
    for _ in range(40):
        assert stage.connect("10.0.0.1").closed
    do(stage, words.Unban("10.0.0.1"))
    for _ in range(stage.server.settings.connections_per_host):
        assert not stage.connect("10.0.0.1").closed


def test_a_banned_name_neither_comes_nor_comes_back(stage: Stage) -> None:
    pair = begin(stage, ("human", "human"))
    welcome = pair.mover.last(wire.Welcome)
    told = do(stage, words.Ban(welcome.name.upper(), minutes=30))
    assert (told["ended"], told["until"]) == (1, "2023-11-14T22:43:20.000Z")
    assert pair.mover.last(wire.Bye).reason == "kicked"
    back, new = stage.connect(), stage.connect()
    back.say(f"resume {welcome.secret}")
    new.say(f"hello 0.1 {welcome.name.title()} bot")
    assert back.last(wire.Error).code == new.last(wire.Error).code == "auth"
    stage.wait(60)
    assert over(pair.other)[1:] == ("disconnected", "abandoned")
    stage.wait(29 * 60 - 1)
    late = stage.connect()
    late.say(f"hello 0.1 {welcome.name} bot")
    assert late.last(wire.Error).code == "auth"
    stage.wait(1)
    late.say(f"hello 0.1 {welcome.name} bot")
    assert late.last(wire.Welcome).name == welcome.name
    assert do(stage, words.Bans()) == {"bans": []}


def test_what_cannot_be_banned(stage: Stage) -> None:
    assert "neither a numeric address" in refused(stage, words.Ban("host.example"))
    assert "bot of this server" in refused(stage, words.Ban("HOUSE"))
    for number in range(MOST):
        stage.server.presence.bans.add(Ban(f"name{number}"))
    assert f"there are {MOST} bans already" in refused(stage, words.Ban("one-more"))
    do(stage, words.Ban("name7", minutes=5))  # a ban may be changed


def test_bans_are_found_while_they_hold() -> None:
    bans = Bans([Ban("Ada", 50.0), Ban("10.0.0.1")])
    assert len(bans) == 2
    assert bans.find("ada", 49.9) == Ban("Ada", 50.0)
    assert bans.find("ADA", 50.0) is None
    assert bans.all(50.0) == [Ban("10.0.0.1")]
    assert not bans.remove("ada")
    assert bans.remove("::ffff:10.0.0.1")
    assert not bans.all(0.0)


# -- watching ----------------------------------------------------------------------------------------------


def watched(stage: Stage, pair: Pair) -> list[bytes]:
    lines: list[bytes] = []
    onlooker = lobby_of(stage).operator.watch(pair.game, lines.append)
    assert not onlooker.over
    play_on(pair.mover, pair.other, pair.game)
    assert onlooker.over
    return b"".join(lines).splitlines()


def test_an_onlooker_sees_what_a_spectator_sees(stage: Stage) -> None:
    pair = begin(stage)
    spectator = stage.join("cleo")
    spectator.forget()
    spectator.say(f"watch {pair.game}")
    seen = watched(stage, pair)
    told = [line for line in spectator.raw.splitlines() if not line.startswith(b"ok")]
    assert seen == told
    assert seen[0].startswith(b"snapshot") and seen[-1].startswith(b"over")
    assert len(seen) > 10


def test_an_onlooker_that_leaves_hears_no_more(stage: Stage) -> None:
    pair = begin(stage)
    lines: list[bytes] = []
    onlooker = lobby_of(stage).operator.watch(pair.game, lines.append)
    onlooker.leave()
    assert onlooker.over and not stage.server.tables[pair.game].watchers
    lines.clear()
    play_on(pair.mover, pair.other, pair.game, 3)
    assert not lines
    with pytest.raises(OperatorError, match="no running game g9"):
        lobby_of(stage).operator.watch("g9", lines.append)


# -- as lines ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "word",
    [
        words.Who(), words.Games(), words.Status(), words.Abort("g1"), words.Adjudicate("g1", "draw"),
        words.Kick("ada"), words.Ban("ada", 3), words.Ban("::1"), words.Unban("ada"), words.Bans(),
        words.Pause(), words.Resume(), words.Announce("hi"), words.Drain(), words.Reload(), words.Watch("g1"),
    ],
)  # fmt: skip
def test_words_are_read_as_they_are_written(word: words.AnyWord) -> None:
    assert words.read_word(msgspec.json.encode(word)) == word
    assert words.ARGUMENTS[str(json.loads(msgspec.json.encode(word))["do"])][0] is type(word)


@pytest.mark.parametrize(
    "line",
    [
        b"", b"{}", b"[]", b"\xff", b'{"do":"dance"}', b'{"do":"abort"}', b'{"do":"who","more":1}',
        b'{"do":"adjudicate","game":"g1","winner":"C"}', b'{"do":"ban","who":"ada","minutes":0}',
        b'{"do":"announce","text":""}', b'{"do":"announce","text":"' + b"x" * 251 + b'"}',
    ],
)  # fmt: skip
def test_what_is_no_word_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError, match="that is no request"):
        words.read_word(line)
