"""Whoever keeps to the protocol is never sent away, however slow, clumsy, busy or fast."""

from __future__ import annotations

import random

import pytest

from tests.core.honest import Quick, at_once, in_one_packet, pass_time, person
from tests.core.stage import Stage, again, begin, play_on
from tests.core.test_limits import codes, goodbye
from tyrusd.core.player import Player
from tyrusd.core.session import Session
from tyrusd.wire import messages as wire

HOUR = 3600.0


@pytest.mark.parametrize("terms", ["clock=none cap=none", "clock=7200+30 cap=none"])
@pytest.mark.parametrize("by_key", [True, False])
def test_an_hour_of_typing_with_typos_and_ten_minutes_of_thinking(terms: str, by_key: bool) -> None:
    stage = Stage()
    ada, bob = stage.join("ada"), stage.join("bob")
    people = [
        person(ada, terms, random.Random(1), by_key, slow=600),
        person(bob, terms, random.Random(2), by_key, slow=45),
    ]
    pass_time(stage, people, HOUR)
    assert stage.now >= 1000 + HOUR
    for peer in (ada, bob):
        assert goodbye(peer) is None and stage.server.reading(peer.number)
        assert {"syntax", "illegal"} <= set(codes(peer)), "the typist has made no mistakes"
        assert len(peer.got(wire.Choose)) > 20


def test_ten_minutes_of_thinking_in_the_middle_of_a_game_lose_nothing() -> None:
    stage = Stage()
    pair = begin(stage, ("human", "human"), "clock=none cap=none")
    play_on(pair.mover, pair.other, pair.game, 5)
    stage.wait(600)
    assert play_on(pair.mover, pair.other, pair.game) > 0
    over = pair.mover.last(wire.Over)
    assert over.reason in {"majority", "three-in-a-row", "remaining-tiles", "drawn"}
    assert goodbye(pair.mover) is goodbye(pair.other) is None


def test_thirty_clients_behind_one_address_play_and_one_comes_back() -> None:
    stage = Quick()
    address = "203.0.113.9"
    bots = tuple(stage.bot(f"bot{number}", host=address) for number in range(30))
    at_once(stage, bots, 1, 60, 0.05)
    lost = bots[7]
    lost.peer.lose()
    stage.wait(5)
    lost.peer = stage.connect(address)
    lost.peer.send_bytes(b"resume %s\n" % lost.secret)
    at_once(stage, bots, 1, 300, 0.05)
    assert all(bot.ended >= 5 for bot in bots), [bot.ended for bot in bots]
    assert [bot.said for bot in bots] == [[]] * 30
    assert not any(bot.peer.closed for bot in bots)


def test_a_bot_with_256_games_answers_all_of_them_in_one_write() -> None:
    stage = Quick()
    bots = (stage.bot("ada", 256), stage.bot("bob", 256))
    most = 0
    for _ in range(330):
        at_once(stage, bots, 256, 1, 0.02)
        for bot in bots:  # the games stand still until all of them run
            most = max(most, len(bot.sides))
    assert all(bot.said == [] and not bot.peer.closed for bot in bots)
    assert most > 10 and bots[0].ended > 200


def test_256_games_that_all_wait_are_answered_and_sought_anew_at_once() -> None:
    """Each bot answers only when all games run: more than a hundred requests are due in one write."""
    stage = Quick()
    ada, bob = stage.bot("ada", 256), stage.bot("bob", 256)
    for _ in range(2):
        kept = {ada.peer.number: b"", bob.peer.number: b""}
        begun = ada.ended
        while len(ada.sides) < 256:
            for bot in (ada, bob):
                kept[bot.peer.number] += bot.answers()
                bot.peer.send_bytes(bot.seek())
            for bot in (ada, bob):
                kept[bot.peer.number] += bot.answers()
            stage.wait(0.01)
        assert max(data.count(b"\n") for data in kept.values()) > 100
        for bot in (ada, bob):
            bot.seeks = False
            bot.peer.send_bytes(kept[bot.peer.number])
        while ada.ended < begun + 256:
            for bot in (ada, bob):
                if said := bot.answers():
                    bot.peer.send_bytes(said)
            stage.wait(0.01)
    assert ada.ended == bob.ended == 512
    assert ada.said == bob.said == [] and not (ada.peer.closed or bob.peer.closed)


@pytest.mark.parametrize("verb", ["seek", "challenge"])
def test_a_pair_that_plays_a_hundred_games_a_second_is_not_slowed_down(verb: str) -> None:
    ended, told = _eight_seconds(verb)
    assert ended >= 790 and told == []


@pytest.mark.parametrize("verb", ["seek", "challenge"])
def test_control_without_the_rule_the_pair_is_told_slow_down(
    verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Player, "spend_game", lambda self: False)
    ended, told = _eight_seconds(verb)
    assert ended < 400 and any(b"slow-down" in line for line in told)


def _eight_seconds(verb: str) -> tuple[int, list[bytes]]:
    """Two bots begin a game every ten milliseconds, unless one before still waits to begin."""
    stage = Quick()
    ada, bob = stage.bot("ada"), stage.bot("bob")
    for _ in range(800):
        if ada.wants(1) and not ada.peer.closed:
            ada.peer.send_bytes(ada.seek(b"seek\n" if verb == "seek" else b"challenge bob\n"))
        if verb == "seek" and bob.wants(1) and not bob.peer.closed:
            bob.peer.send_bytes(bob.seek())
        for _ in range(40):
            said = [bot.answers() for bot in (ada, bob)]
            for bot, answers in zip((ada, bob), said, strict=True):
                if answers and not bot.peer.closed:
                    bot.peer.send_bytes(answers)
            if not any(said):
                break
        stage.wait(0.01)
    return min(ada.ended, bob.ended), ada.said + bob.said


@pytest.mark.parametrize(("games", "resigned", "free"), [(0, 0, 0), (1, 0, 1), (2, 0, 1), (0, 3, 0)])
def test_only_games_played_to_their_end_pay_for_beginning_the_next(
    games: int, resigned: int, free: int
) -> None:
    stage = Stage()
    one, two, game = begin(stage, ("human", "human"))
    for number in range(games + resigned):
        if number:
            game = again(one, two).game
        if number < games:
            play_on(one, two, game)
            while (following := one.last(wire.Over).next) is not None:  # a drawn game is dealt again
                play_on(one, two, following)
        else:
            one.say(f"resign {game}")
    stage.wait(60)
    one.forget()
    one.send_bytes(b"seek\ncancel\n" * 40)
    assert not stage.server.reading(one.number)
    answered = len(one.got(wire.Ok)) + len(one.got(wire.Error))
    assert answered == 61 + free, "a burst, one for the declared game, and what is earned"


def test_a_player_earns_no_more_than_it_may_play_at_once() -> None:
    player = Player("ada", "bot", None, games=3)
    for _ in range(5):
        player.earn_game()
    assert [player.spend_game() for _ in range(5)] == [True, True, True, False, False]


@pytest.mark.parametrize("verb", ["who", "games", "look", "help", "watch and unwatch", "ping"])
def test_asking_much_in_one_packet_is_refused_before_the_queue_overruns(verb: str) -> None:
    """The queue is not written before the step ends, so that a client cannot have read any of it."""
    stage = Stage()
    for number in range(110):
        begin(stage, names=(f"{'a' * 28}{number:03}", f"{'b' * 28}{number:03}"), extra=f"agent={'x' * 60}")
    pair = begin(stage, extra="want=events,full")
    play_on(pair.mover, pair.other, pair.game, 42)
    watched = next(game for game in stage.server.tables if game != pair.game)
    lines = {
        "look": f"look {pair.game}",
        "watch and unwatch": f"watch {watched}\nunwatch {watched}",
        "ping": f"ping {'p' * 64}",
    }
    peer = pair.mover
    peer.forget()
    in_one_packet(peer, lambda _: lines.get(verb, verb), 60)
    assert goodbye(peer) is None and not peer.closed
    assert set(codes(peer)) <= {"unavailable", "no-game"}
    if verb in {"who", "games", "look"}:
        assert "unavailable" in codes(peer)
    stage.wait(10)
    peer.forget()
    peer.say(lines.get(verb, verb).splitlines()[0])
    assert codes(peer) == [], "after it has read, it may ask again"
    assert play_on(pair.mover, pair.other, pair.game) > 0


@pytest.mark.parametrize("first", ["who", "games"])
def test_the_longest_list_leaves_room_for_the_answers_to_a_whole_burst(first: str) -> None:
    stage = Stage()
    for number in range(130):
        extra = f"agent={'x' * 64} games=256"
        begin(stage, names=(f"{'a' * 28}{number:03}", f"{'b' * 28}{number:03}"), extra=extra)
    peer = stage.join("ada")
    for rest in ("who", "games", "help", "watch g1", f"ping {'p' * 64} tag={'t' * 32}", "seek", "cancel"):
        peer.send_bytes(f"{first}\n".encode() + f"{rest}\n".encode() * 59)
        assert goodbye(peer) is None
        stage.wait(20)


@pytest.mark.parametrize("verb", ["who", "games"])
def test_control_without_the_rule_the_queue_overruns(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "is_behind", False)
    monkeypatch.setattr(Session, "tell", lambda self, lines: [self.send(line) for line in lines])
    stage = Stage()
    for number in range(110):
        begin(stage, names=(f"{'a' * 28}{number:03}", f"{'b' * 28}{number:03}"))
    peer = stage.join("ada")
    in_one_packet(peer, lambda _: verb, 60)
    assert goodbye(peer) == "too-slow"
