"""Rated games: what their records say of the two, who opens, what a draw and a restart leave of it."""

from __future__ import annotations

import dataclasses

import pytest

from tests.core.accounts_world import Door
from tests.core.rated_world import ACCOUNTS, ELSEWHERE, HOME, come, door, ended, opened, refusal, two
from tests.core.stage import play_on
from tests.core.world import Peer
from tyrusd.core.accounts import Account, Accounts
from tyrusd.core.lobby_part import LobbyPart
from tyrusd.core.requests import StartBot
from tyrusd.core.settings import DEFAULTS
from tyrusd.core.table import Table
from tyrusd.core.terms import Terms
from tyrusd.league.fold import fold
from tyrusd.league.framing import HEADER, read_frames
from tyrusd.league.rated import Arranged
from tyrusd.rules.pieces import Side
from tyrusd.wire import messages as wire

# -- versions -----------------------------------------------------------------------------------------------


def test_the_versions_are_those_at_the_beginning() -> None:
    place = door()
    _, echo = two(place, extras=("agent=bob/1", "agent=echo/7"))
    echo.lose()
    come(place, "echo", "agent=echo/8").say("resign g1")
    assert opened(place) == ended(place) == {"ivory": "bob/1", "brown": "echo/7", "by": "lobby", "flags": []}


def test_people_and_bots_without_an_agent_are_versions_without_a_word() -> None:
    place = door()
    two(place, "ada", "echo", ("agent=client/3", "agent=-"))
    assert (opened(place)["ivory"], opened(place)["brown"]) == (None, None)


def test_a_newer_version_of_a_bot_is_rated_as_that() -> None:
    place = door()
    bob, echo = two(place, extras=("agent=bob/1", ""))
    bob.say("resign g1")
    bob.say("quit")
    come(place, "bob", "agent=bob/2").say("seek rated=yes side=I")
    echo.say("play bob rated=yes")
    assert opened(place, "g2")["ivory"] == "bob/2"


# -- flags --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "flags"),
    [
        ("ada", "deep", ["owner"]),  # its own bot
        ("deep", "ada", ["owner"]),
        ("deep", "dull", ["owner"]),  # two bots of one owner
        ("echo", "foxy", ["owner"]),  # whose owner has no account
        ("ada", "bob", []),
        ("bob", "deep", []),
        ("deep", "echo", []),
    ],
)
@pytest.mark.parametrize(("hosts", "more"), [((HOME, HOME), ["host"]), ((HOME, ELSEWHERE), [])])
def test_one_owner_and_one_host_are_flagged(
    one: str, other: str, flags: list[str], hosts: tuple[str, str], more: list[str]
) -> None:
    place = door()
    bob, _ = two(place, one, other, hosts=hosts)
    assert opened(place)["flags"] == more + flags
    bob.say("resign g1")
    assert ended(place)["flags"] == more + flags


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "192.0.2.99"])
def test_an_address_that_tells_nothing_is_no_flag(host: str) -> None:
    settings = dataclasses.replace(DEFAULTS, open_hosts=DEFAULTS.open_hosts | {"192.0.2.99"})
    place = door(settings=settings)
    two(place, hosts=(host, host))
    assert opened(place)["flags"] == []


def test_owners_that_own_each_other_come_to_an_end() -> None:
    ring = Accounts([Account("a", "bot", owner="b"), Account("b", "bot", owner="A"), Account("c", "bot")])
    assert ring.related("a", "B") and ring.related("b", "a") and ring.related("c", "C")
    assert not ring.related("a", "c") and not ring.related("c", "nobody")


def test_the_owner_of_an_owner_is_behind_it_too() -> None:
    chain = Accounts(
        [Account("x", "bot", owner="y"), Account("y", "bot", owner="z"), Account("w", "bot", owner="Z")]
    )
    assert chain.related("x", "w") and chain.related("x", "z")


# -- anchors ------------------------------------------------------------------------------------------------


def test_a_game_with_an_anchor_is_rated_also_when_it_is_started_first() -> None:
    place = door()
    bob = come(place, "bob", "agent=bob/1", HOME)
    bob.say("play STEADY rated=yes side=I")
    (request,) = [request for request in place.requests if isinstance(request, StartBot)]
    steady = place.connect("pipe", kind="pipe", bot=request.id)
    steady.say("hello 0.1 whatever bot agent=steady/9")
    assert bob.last(wire.Start).rated == "yes"
    assert opened(place) == {"ivory": "bob/1", "brown": None, "by": "lobby", "flags": []}


# -- drawn games --------------------------------------------------------------------------------------------


def drawn(terms: Terms) -> tuple[Door, Peer, Peer]:
    """Two accounts whose game on some terms has just been drawn on the board."""
    for seed in range(60):
        place = door(seed=seed)
        bob, echo = come(place, "bob"), come(place, "echo")
        one, two = place.server.players["bob"], place.server.players["echo"]
        place.lobby.begin(one, terms, two, terms.mirrored(), place.now)
        place.run()
        play_on(bob, echo, "g1") if bob.got(wire.Choose) else play_on(echo, bob, "g1")
        if bob.last(wire.Over).reason == "drawn":
            return place, bob, echo
    raise AssertionError("none of sixty deals was drawn")


def ended_after(place: Door, later: Door) -> str:
    """How the first game was arranged, as the journals of two servers one after the other have it."""
    frames = read_frames(HEADER + b"".join(place.kept + later.kept))
    return str(fold(frames).finished["g1"]["rated"]["by"])


def test_a_drawn_rated_game_is_dealt_again_and_each_of_the_two_counts() -> None:
    place, bob, echo = drawn(Terms(None, "standard", None, rated="lobby"))
    assert bob.last(wire.Over).next == "g2"
    first, second = bob.got(wire.Start)
    assert first.side == second.side and second.rated == "yes"
    assert ended(place)["by"] == opened(place, "g2")["by"] == "lobby"
    echo.say("resign g2")
    assert ended(place, "g2")["by"] == "lobby"


@pytest.mark.parametrize("by", ["lobby", "ladder"])
def test_a_game_that_is_drawn_after_a_restart_is_dealt_again_as_if_there_had_been_none(by: Arranged) -> None:
    for seed in range(60):
        place, terms = door(seed=seed), Terms(None, "standard", None, rated=by)
        come(place, "bob"), come(place, "echo")
        one, two = place.server.players["bob"], place.server.players["echo"]
        place.lobby.begin(one, terms, two, terms.mirrored(), place.now)
        place.run()
        later = place.restarted(ACCOUNTS)
        bob, echo = come(later, "bob"), come(later, "echo")
        play_on(bob, echo, "g1") if bob.got(wire.Choose) else play_on(echo, bob, "g1")
        if bob.last(wire.Over).reason == "drawn":
            break
    else:
        raise AssertionError("none of sixty deals was drawn")
    assert ended_after(place, later) == by
    follows = bob.last(wire.Over).next
    assert follows == (None if by == "ladder" else "g2")
    if follows is not None:
        assert bob.last(wire.Start).rated == "yes"
        assert opened(later, follows)["by"] == "lobby"


def test_a_drawn_game_of_the_ladder_is_not_dealt_again() -> None:
    place, bob, _ = drawn(Terms(None, "standard", None, rated="ladder"))
    assert bob.last(wire.Over).next is None
    assert not place.server.tables
    assert ended(place)["by"] == "ladder"


# -- who opens ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [Side.IVORY, Side.BROWN])
@pytest.mark.parametrize("opens", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_who_opens_can_be_settled(side: Side, opens: bool, seed: int) -> None:
    place = door(seed=seed)
    bob, echo = come(place, "bob"), come(place, "echo")
    one, two = place.server.players["bob"], place.server.players["echo"]
    terms = Terms(side, "standard", None, rated="ladder", opener=opens)
    place.lobby.begin(one, terms, two, terms.mirrored(), place.now)
    place.run()
    assert terms.mirrored().mirrored() == terms
    letter = (side if opens else side.other).letter
    assert bob.last(wire.Start).opener == echo.last(wire.Start).opener == letter
    assert bool(bob.got(wire.Choose)) == opens and bool(echo.got(wire.Choose)) != opens


def test_who_opens_is_a_toss_otherwise() -> None:
    openers = {two(door(seed=seed))[0].last(wire.Start).opener for seed in range(12)}
    assert openers == {"I", "B"}


# -- what the parts of a lobby hear -------------------------------------------------------------------------


def test_the_parts_of_a_lobby_hear_of_every_game_with_its_terms() -> None:
    heard: list[tuple[str, str | None, str | None]] = []

    class Listener(LobbyPart):
        def began(self, table: Table, terms: tuple[Terms, Terms], now: float) -> None:
            heard.append((table.game, terms[0].rated, terms[1].rated))

    place = door()
    place.lobby.parts.append(Listener())
    bob, _ = two(place)
    bob.say("resign g1")
    bob.say("seek")
    come(place, "deep").say("play bob")
    assert heard == [("g1", "lobby", "lobby"), ("g2", None, None)]


# -- restarts -----------------------------------------------------------------------------------------------


def test_a_rated_game_is_rated_after_a_restart_with_the_versions_and_flags_of_its_beginning() -> None:
    place = door()
    two(place, "deep", "dull", ("agent=deep/1", "agent=dull/1"), (HOME, HOME))
    part = {"ivory": "deep/1", "brown": "dull/1", "by": "lobby", "flags": ["host", "owner"]}
    later = place.restarted(ACCOUNTS)
    deep = come(later, "deep", "agent=deep/2", ELSEWHERE)
    assert deep.last(wire.Start).rated == "flagged"
    deep.say("games")
    assert deep.last(wire.Table).rated == "flagged"
    deep.say("resign g1")
    come(later, "dull", "agent=dull/2", HOME)
    assert ended(later) == part


def test_a_refused_line_after_a_restart_is_refused_as_before() -> None:
    place = door()
    two(place)
    later = place.restarted(ACCOUNTS)
    bob = come(later, "bob", "games=2")
    bob.say("play plain rated=yes")
    assert refusal(bob)[0] == "unavailable"
    guest = later.join("guest", "bot")
    guest.say("seek rated=yes")
    assert refusal(guest)[0] == "unavailable"


def test_a_game_that_was_not_rated_is_not_after_a_restart() -> None:
    place = door()
    bob, echo = come(place, "bob"), come(place, "echo")
    bob.say("seek")
    echo.say("seek")
    later = place.restarted(ACCOUNTS)
    back = come(later, "bob")
    assert back.last(wire.Start).rated == "no"
    back.say("resign g1")
    come(later, "echo")
    assert ended(later) is None
