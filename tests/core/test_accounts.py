"""Logging in with a token: who comes in under which name, wrong keys, and accounts that change meanwhile."""

from __future__ import annotations

import re

import pytest

from tests.core.accounts_world import (
    ADA,
    BOBS,
    CODE,
    KEYS,
    KNOWN,
    SPARE,
    STRANGER,
    TOKEN,
    Door,
    without,
)  # fmt: skip
from tests.core.stage import answer_line, asked, begin, play_on
from tests.core.world import Peer
from tyrusd.core.accounts import Account, Accounts, Key
from tyrusd.core.keys import key_digest, write_code
from tyrusd.core.seatspec import SeatSpec
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

TICK = 1e-6


def code(peer: Peer) -> str:
    return peer.last(wire.Error).code


def test_a_token_opens_its_account_in_the_spelling_and_kind_of_the_account() -> None:
    welcome = Door().log_in(TOKEN, "aDA", "bot").last(wire.Welcome)
    assert (welcome.name, welcome.kind) == ("Ada", "human")


def test_a_token_works_in_frames_as_well_and_gives_the_tag_back() -> None:
    door = Door()
    peer = door.connect(codec=Codec.FRAME)
    peer.send(wire.Hello(version="0.1", name="bob", kind="bot", key=BOBS, games=4, tag="t"))
    assert peer.last(wire.Welcome).games == 4 and peer.last(wire.Ok).tag == "t"


def test_guests_come_without_a_key_unless_the_name_is_an_account() -> None:
    door = Door()
    assert door.join("cleo").last(wire.Welcome).name == "cleo"
    peer = door.connect()
    peer.say("hello 0.1 ADA human")
    assert code(peer) == "auth" and not door.server.players.get("ada")


def test_where_no_guests_are_allowed_only_accounts_come_in() -> None:
    door = Door(guests=False)
    peer = door.connect()
    peer.say("hello 0.1 cleo human")
    assert code(peer) == "auth"
    assert door.log_in(TOKEN).got(wire.Welcome)


def test_a_guest_who_was_here_first_keeps_the_name_until_he_leaves() -> None:
    door = Door(Accounts())
    guest = door.join("ada")
    door.change(KNOWN)
    assert code(door.log_in(TOKEN)) == "taken" and not guest.got(wire.Bye)
    guest.say("quit")
    assert door.log_in(TOKEN).got(wire.Welcome)


def test_a_bot_of_the_server_keeps_its_name() -> None:
    door = Door(houses={"ada": SeatSpec("plugin", "house")})
    assert code(door.log_in(TOKEN)) == "taken"


# -- row 29: what is wrong with a key is not told -----------------------------------------------------------


def late(door: Door, key: str, name: str = "ada", host: str = STRANGER) -> tuple[bytes, float]:
    """The answer to a key that is not accepted, and how long it took."""
    peer = door.log_in(key, name, host=host)
    began = door.now
    assert peer.raw == b""
    door.wait(1 - TICK)
    assert peer.raw == b""
    door.wait(2 * TICK)
    assert peer.raw
    return peer.raw, round(door.now - began, 3)


def test_row_29_every_key_that_is_not_accepted_gets_the_same_bytes_at_the_same_time() -> None:
    answers = [
        late(Door(), "wrong"),
        late(Door(), TOKEN[:-1]),
        late(Door(), TOKEN + "x"),
        late(Door(), TOKEN.swapcase()),
        late(Door(), BOBS),
        late(Door(), key_digest(TOKEN).hex()),
        late(Door(), TOKEN, "nobody-here"),
        late(Door(), TOKEN, "bob"),
        late(Door(Accounts()), TOKEN),
        late(Door(without(disabled=True)), TOKEN),
        late(Door(without(TOKEN)), TOKEN),
        late(Door(without(disabled=True)), CODE),
        late(Door(without(CODE)), CODE),
        late(Door(Accounts((ADA,), [Key(key_digest(CODE), "Ada", "code", used=True)])), CODE),
    ]
    assert len(set(answers)) == 1
    assert answers[0][0].startswith(b"error auth retry re=hello :")


def test_row_29_whether_the_player_is_here_makes_no_difference() -> None:
    empty, full = Door(), Door()
    full.log_in(TOKEN)
    assert late(empty, "wrong") == late(full, "wrong")


def test_row_29_lines_behind_a_wrong_key_wait_for_its_answer() -> None:
    door = Door()
    peer = door.connect()
    peer.forget()
    peer.say(f"hello 0.1 ada human key=wrong tag=a\nhello 0.1 ada human key={TOKEN} tag=b")
    assert peer.raw == b""
    door.wait(1)
    assert [type(item) for item in peer.inbox] == [wire.Error, wire.Welcome, wire.Ok]


def test_row_29_four_wrong_keys_end_a_connection() -> None:
    door = Door()
    peer = door.connect()
    for _ in range(4):
        peer.say("hello 0.1 ada human key=wrong")
        door.wait(1)
    assert peer.last(wire.Bye).reason == "protocol"


def test_row_29_the_secret_of_a_welcome_is_no_key_and_a_key_is_no_secret() -> None:
    door = Door()
    ada = door.log_in(TOKEN)
    secret = ada.last(wire.Welcome).secret
    assert late(door, secret)[0].startswith(b"error auth")
    peer = door.connect()
    peer.say(f"resume {TOKEN}")
    door.wait(1)
    assert code(peer) == "auth" and not ada.got(wire.Bye)


# -- row 30: a second login --------------------------------------------------------------------------------


def test_row_30_the_second_login_of_an_account_wins_and_the_first_is_told() -> None:
    door = Door()
    one = door.log_in(TOKEN)
    two = door.log_in(SPARE)
    assert one.last(wire.Bye).reason == "replaced" and one.closed
    assert two.got(wire.Welcome) and not two.got(wire.Bye)
    assert len(door.server.players) == 1


@pytest.mark.parametrize("lost", [True, False])
@pytest.mark.parametrize("want", ["", "want=events,full"])
@pytest.mark.parametrize("placed", [0, 1, 6, 7, 17])
def test_row_30_a_login_gives_all_that_a_resume_gives(placed: int, want: str, lost: bool) -> None:
    """Two equal games; in one a player comes back by its secret, in the other by its token."""

    def played(login: bool) -> tuple[Peer, str]:
        door = Door()
        ada, cleo = door.log_in(TOKEN, extra=want), door.join("cleo", "bot")
        ada.say("seek side=I clock=100+2")
        cleo.say("seek side=B clock=100+2")
        game = ada.last(wire.Start).game
        play_on(ada, cleo, game, placed)
        door.wait(1)
        if lost:
            ada.lose("reset")
        if login:
            back = door.log_in(TOKEN, extra=want)
        else:
            back = door.connect()
            back.forget()
            back.say(f"resume {ada.last(wire.Welcome).secret}")
        if not lost:
            assert ada.last(wire.Bye).reason == "replaced"
        play_on(back, cleo, game, 4)
        assert back.got(wire.Start) and cleo.got(wire.Start)
        return back, cleo.text

    (one, ones), (two, twos) = played(login=True), played(login=False)
    assert one.raw == two.raw and ones == twos


def test_f055_after_a_second_login_the_first_connection_plays_no_more() -> None:
    """willianmarquess/open-mt2#189: one player could be logged in twice, and both copies lived."""
    door = Door()
    ada, cleo = door.log_in(TOKEN), door.join("cleo", "bot")
    ada.say("seek side=I")
    cleo.say("seek side=B")
    game = ada.last(wire.Start).game
    if asked(ada, game) is None:
        play_on(cleo, ada, game, 1)
    line, placed = answer_line(ada, game), len(door.server.tables[game].match.game.placements)
    back = door.log_in(TOKEN)
    assert ada.last(wire.Bye).reason == "replaced" and ada.closed
    seen = ada.raw
    ada.say(line)
    assert len(door.server.tables[game].match.game.placements) == placed
    back.say(line)  # the very same turn, from the other connection
    assert len(door.server.tables[game].match.game.placements) == placed + 1
    play_on(back, cleo, game, 8)
    assert ada.raw == seen
    assert len(door.server.tables[game].match.game.placements) == placed + 9
    assert [seat is door.server.players["ada"] for seat in door.server.tables[game].players].count(True) == 1


def test_f057_what_spectators_see_opens_no_seat() -> None:
    """colyseus/colyseus#354: an id that everybody saw was enough to take a seat."""
    door = Door()
    pair = begin(door, ("human", "human"), "clock=none cap=none", names=("cleo", "dora"))
    watcher = door.join("eve")
    watcher.say(f"watch {pair.game}\nwho\ngames")
    secrets = [peer.last(wire.Welcome).secret for peer in (pair.mover, pair.other, watcher)]
    assert len(set(secrets)) == 3 and all(re.fullmatch("[0-9a-f]{32}", secret) for secret in secrets)
    everything = {peer: peer.text for peer in (pair.mover, pair.other, watcher)}
    for owner, secret in zip(everything, secrets, strict=True):
        assert [peer for peer, text in everything.items() if secret in text] == [owner]
    shown = {word.partition("=")[2] or word for line in watcher.text.splitlines() for word in line.split()}
    usable = {word for word in shown if word and len(word) <= 128 and word.replace("-", "a").isalnum()}
    for word in sorted(usable - {watcher.last(wire.Welcome).secret}):
        peer = door.connect()
        peer.say(f"resume {word}\nhello 0.1 cleo human key={word}")
        door.wait(2.1)
        assert not peer.got(wire.Welcome), word
    assert not pair.mover.got(wire.Bye) and not pair.other.got(wire.Bye)
    back = door.connect()
    back.say(f"resume {secrets[0]}")
    assert back.got(wire.Welcome)  # the control: its owner's secret does, once
    back.say("ping so-it-arrived")
    pair.other.say(f"resign {pair.game}")
    newest = back.last(wire.Welcome).secret
    for peer in (back, pair.other):
        peer.lose()
    for worthless in (secrets[0], secrets[1], newest):  # the game is over, and they have gone
        peer = door.connect()
        peer.say(f"resume {worthless}")
        door.wait(2.1)
        assert not peer.got(wire.Welcome)


def test_many_logins_leave_no_secrets_behind() -> None:
    door = Door()
    for _ in range(20):
        door.log_in(TOKEN)
    assert len(door.server.players["ada"].secrets) == 2


def test_a_secret_of_the_welcome_resumes_an_account_and_counts_as_its_key() -> None:
    door = Door()
    pair = begin(door, names=("cleo", "dora"))
    ada = door.log_in(TOKEN)
    ada.say("seek")
    pair.mover.say("quit")
    secret = ada.last(wire.Welcome).secret
    back = door.connect()
    back.say(f"resume {secret}")
    assert back.got(wire.Welcome) and door.server.players["ada"].account == "Ada"
    door.change(without(TOKEN))
    assert back.last(wire.Bye).reason == "revoked"


# -- accounts that change while somebody is here ------------------------------------------------------------


@pytest.mark.parametrize("accounts", [without(TOKEN), without(disabled=True), Accounts()])
def test_who_came_with_a_key_that_is_revoked_has_to_go_and_cannot_resume(accounts: Accounts) -> None:
    door = Door()
    ada, bob, guest = door.log_in(TOKEN), door.log_in(BOBS, "bob", "bot"), door.join("cleo")
    ada.say("seek")
    guest.say("play ada")
    game = guest.last(wire.Start).game
    door.change(accounts)
    assert ada.last(wire.Bye).reason == "revoked" and ada.closed
    assert bool(bob.got(wire.Bye)) is (accounts.find("bob") is None) and not guest.got(wire.Bye)
    thief = door.connect()
    thief.say(f"resume {ada.last(wire.Welcome).secret}")
    door.wait(1)
    assert code(thief) == "auth"
    door.wait(60)
    over = guest.last(wire.Over)
    assert (over.game, over.reason) == (game, "disconnected")


def test_the_owner_of_a_revoked_token_comes_back_with_another_one() -> None:
    door = Door()
    ada, guest = door.log_in(TOKEN), door.join("cleo")
    ada.say("seek")
    guest.say("play ada")
    door.change(without(TOKEN))
    back = door.log_in(SPARE)
    assert back.last(wire.Start).game == guest.last(wire.Start).game
    door.wait(120)
    assert not back.got(wire.Bye)


def test_an_account_that_is_added_or_enabled_again_may_come_at_once() -> None:
    door = Door(without(disabled=True))
    late(door, TOKEN)
    door.change(KNOWN)
    assert door.log_in(TOKEN).got(wire.Welcome)


# -- what is kept and shown --------------------------------------------------------------------------------


def test_f095_nothing_shows_a_key() -> None:
    """Akuli/mantaray#64: a password was in the log."""
    door = Door()
    ada = door.log_in(TOKEN, host=STRANGER)
    door.log_in("CanaryWrong" + TOKEN, host=STRANGER)
    door.log_in(CODE, host=STRANGER)
    player = door.server.players["ada"]
    shown = repr((player, KNOWN, KEYS, door.asked, door.server.sessions, door.server.collect(), door.news))
    for secret in (TOKEN, CODE, CODE.replace("-", ""), key_digest(TOKEN).hex(), repr(key_digest(CODE))):
        assert secret not in shown
    assert not any(TOKEN.encode() in frame or CODE.encode() in frame for frame in door.kept)
    assert TOKEN not in ada.text


def test_the_digests_are_compared_whatever_is_found() -> None:
    assert KNOWN.opened("ada", key_digest(TOKEN)) == (ADA, KEYS[0])
    assert KNOWN.opened("ADA", key_digest(TOKEN)) == (ADA, KEYS[0])
    assert KNOWN.opened("bob", key_digest(TOKEN)) is None
    assert KNOWN.opened("ada", bytes(32)) is None
    orphan = Accounts((), [Key(key_digest("x"), "gone", "token")])
    assert orphan.opened("gone", key_digest("x")) is None
    assert Accounts((Account("x", "bot"),)).opened("x", key_digest("x")) is None


def test_codes_are_written_in_groups_and_read_however_they_are_typed() -> None:
    assert write_code("ABCDEFGHJKLMNPQ2") == CODE
    for typed in ("abcdefghjklmnpq2", "ABCD_EFGH_JKLM_NPQ2", "abcd-efgh-jklm-npq2"):
        assert key_digest(typed) == key_digest(CODE)
    assert key_digest("0BCD-1FGH-JKLM-NPQ8") == key_digest("OBCD-IFGH-JKLM-NPQB")
    assert key_digest("ABCD-EFGH-JKLM-NPQ9") != key_digest(CODE)


def test_the_newest_hello_says_how_many_games_and_which_lines() -> None:
    door = Door()
    door.log_in(BOBS, "bob", "bot", "games=2 agent=old/1")
    welcome = door.log_in(BOBS, "bob", "bot", "games=5 want=events agent=new/2").last(wire.Welcome)
    player = door.server.players["bob"]
    assert (welcome.games, welcome.want) == (5, ("events",))
    assert (player.games, player.want, player.agent) == (5, ("events",), "new/2")


@pytest.mark.parametrize("key", [BOBS, CODE, CODE.lower(), CODE.replace("-", "")])
def test_f095_a_key_in_a_wrong_line_is_in_no_log_of_the_game(key: str) -> None:
    """Akuli/mantaray#64: a password was in the log."""
    accounts = (ADA._replace(kind="bot"), Account("bob", "bot"))
    door = Door(Accounts(accounts, KEYS))
    bot, cleo = door.log_in(key, "bob" if key == BOBS else "ada", "bot"), door.join("cleo", "bot")
    bot.say("seek")
    cleo.say("seek")
    game = bot.last(wire.Start).game
    bot.say(f"place {game} 1 {key} IC\nplace {game} {key}\nnonsense {key}\n{key}\nhello 0.1 x bot key={key}\n"
            f"resume {key} {key}\nresign {game}")  # fmt: skip
    bot.forget()
    bot.say(f"log {game}")
    assert bot.got(wire.Logged) and "(hidden)" in bot.text
    for length in (len(key), 24):
        assert key[:length] not in bot.text and key[:length].upper() not in bot.text
