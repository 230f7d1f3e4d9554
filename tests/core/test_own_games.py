"""What players may ask about their own finished games, what they are refused, and how long it is kept."""

from __future__ import annotations

import dataclasses

import pytest

from tests.core.owners import asked, begin, pair, play_out, refusal
from tests.core.world import World
from tests.transcripts.seats import match_world
from tyrusd.core.lobby import Lobby
from tyrusd.core.requests import DropLog, KeepLog, StoreFailed
from tyrusd.core.settings import DEFAULTS
from tyrusd.league.record import read_frame
from tyrusd.rules.pieces import ALL_TILES, Side
from tyrusd.wire import Logged, Ok, Reason, Recorded, Result, Start, Stderr, Verdict, Welcome
from tyrusd.wire import messages as wire

# -- results -----------------------------------------------------------------------------------------------


def test_results_are_listed_newest_first_in_pages() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    for number in range(25):
        game = begin(anna, bob)
        (anna if number % 2 else bob).say(f"resign {game}")
    found = asked(anna, "results")
    assert [message.game for message in found[:-1] if isinstance(message, Result)] == [
        f"g{number}" for number in range(25, 5, -1)
    ]
    assert found[-1] == Ok(None, "results", 20)
    rest = asked(anna, "results from=20 max=256")
    assert [message.game for message in rest[:-1] if isinstance(message, Result)] == [
        f"g{number}" for number in range(5, 0, -1)
    ]
    assert rest[0] == Result("g5", "I", "bob", "won", "resigned", "brown", "standard", 0)
    assert rest[1] == Result("g4", "I", "bob", "lost", "resigned", "ivory", "standard", 0)
    assert asked(anna, "results from=25") == [Ok(None, "results", 0)]
    assert refusal(anna, "results max=0") == "syntax"


def test_the_last_hundred_games_of_a_name_are_kept_and_their_files_dropped_after_that() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    for _ in range(102):
        bob.say(f"resign {begin(anna, bob)}")
        world.now += 1
    assert asked(anna, "results max=256")[-1] == Ok(None, "results", 100)
    assert refusal(anna, "why g2") == "no-game"
    assert asked(anna, "why g3")[-1] == Ok(None, "why", 2)
    assert [request.game for request in world.requests if isinstance(request, DropLog)] == ["g1", "g2"]


def test_games_that_the_board_did_not_decide_are_not_dropped() -> None:
    world = World(Lobby({}), dataclasses.replace(DEFAULTS, own_results=1, reconnect_window=1.0))
    anna, bob = pair(world)
    game = begin(anna, bob, "clock=none cap=0.1")
    world.wait(1)
    assert game not in world.server.tables
    bob.say(f"resign {begin(anna, bob)}")
    assert refusal(anna, f"why {game}") == "no-game"
    assert not [request for request in world.requests if isinstance(request, DropLog)]


def test_what_is_kept_in_memory_is_bounded() -> None:
    world = World(Lobby({}), dataclasses.replace(DEFAULTS, kept_bytes=40_000))
    anna, bob = pair(world)
    for _ in range(40):
        bob.say(f"resign {begin(anna, bob)}")
        world.now += 1
    archive = world.server.archive
    assert 1 < len(archive) < 40
    assert sum(dossier.size for dossier in archive.games_of("anna")) <= 40_000
    assert asked(anna, "results")[0] == Result("g40", "I", "bob", "won", "resigned", "brown", "standard", 0)
    assert refusal(anna, "record g1") == "no-game"


def test_names_that_have_not_played_for_longest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tyrusd.core.archive.NAMES", 3)
    world = World(Lobby({}))
    anna, bob = pair(world)
    bob.say(f"resign {begin(anna, bob)}")
    carl, dora = world.join("carl", "bot"), world.join("dora", "bot")
    dora.say(f"resign {begin(carl, dora)}")
    assert [len(world.server.archive.games_of(name)) for name in ("anna", "bob", "carl", "dora")] == [
        0,
        1,
        1,
        1,
    ]


# -- whose, and when ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["record", "log", "why"])
def test_a_running_game_and_somebody_elses_are_refused(verb: str) -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    other = world.join("eve")
    game = begin(anna, bob)
    assert refusal(anna, f"{verb} {game}") == "unavailable"
    running = asked(other, f"{verb} {game}")
    bob.say(f"resign {game}")
    over, never = asked(other, f"{verb} {game}"), asked(other, f"{verb} g77")
    assert refusal(other, f"{verb} {game}") == "no-game"
    assert str(running) == str(over) == str(never).replace("g77", game)
    assert isinstance(asked(anna, f"{verb} {game}")[-1], Ok)


def test_a_game_belongs_to_a_name_whoever_has_it_now() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    game = begin(anna, bob)
    bob.say(f"resign {game}")
    secret = anna.last(Welcome).secret
    again = world.connect()
    again.say(f"resume {secret}")
    assert isinstance(asked(again, f"record {game}")[-1], Ok)
    again.say("quit")
    assert isinstance(asked(world.join("ANNA"), f"why {game}")[-1], Ok)


def test_a_game_is_published_when_every_game_on_its_deal_is_over() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world, extra="games=2")
    first = begin(anna, bob)
    bob.say(f"resign {first}")
    bob.say(f"seek deal={first}")
    anna.say(f"play bob deal={first}")
    again = anna.last(Start)
    assert again.game == "g2"
    for verb in ("record", "log", "why"):
        assert [refusal(peer, f"{verb} {first}") for peer in (anna, bob)] == ["unavailable"] * 2
    assert isinstance(asked(anna, "results")[0], Result)
    # On another deal they can play as much as they like.
    other = begin(anna, bob)
    bob.say("resign g2")
    assert other in world.server.tables
    records = [[str(message) for message in asked(anna, f"record {game}")[:-2]] for game in (first, "g2")]
    assert [line.replace("g2", first) for line in records[1]] == records[0]


def test_a_result_that_waits_for_its_record_is_not_told() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    game = begin(anna, bob)
    world.store_at_once = False
    bob.say(f"resign {game}")
    assert refusal(anna, f"record {game}") == "unavailable"
    assert asked(anna, "results") == [Ok(None, "results", 0)]


def test_a_game_that_could_not_be_stored_has_no_record_and_no_winner() -> None:
    world = World(Lobby({}), dataclasses.replace(DEFAULTS, store_attempts=5))
    anna, bob = pair(world)
    game = begin(anna, bob)
    world.store_at_once = False
    bob.say(f"resign {game}")
    for _ in range(5):
        world.server.answer(StoreFailed(world.stored[-1].id, "the disk is full"), world.now)
        world.run()
        world.wait(2)
    assert asked(anna, "results")[0] == Result(game, "I", "bob", "none", "aborted", "storage", "standard", 0)
    assert refusal(anna, f"record {game}") == "unavailable"
    assert refusal(anna, f"play bob deal={game}") == "unavailable"
    verdict = asked(anna, f"why {game}")[0]
    assert isinstance(verdict, Verdict) and verdict.outcome == "none"


def test_in_the_seat_of_a_match_the_same_verbs_hold() -> None:
    world, ada, bob = match_world(games=2)
    bob.say("resign g1")
    assert isinstance(asked(ada, "record g1")[-1], Ok)
    assert refusal(ada, "log g2") == "unavailable"
    assert asked(bob, "results")[0] == Result("g1", "B", "ada", "lost", "resigned", "brown", "standard", 0)
    assert world.server.tables.keys() == {"g2"}


# -- record ------------------------------------------------------------------------------------------------


def test_a_record_is_told_completely() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    game = begin(anna, bob)
    play_out(world, game, anna, bob)
    payload = read_frame(world.stored[0].payload)
    head, timing = payload["game"], payload["timing"]
    *items, ok = asked(bob, f"record {game}")
    assert ok == Ok(None, "record", len(items))
    told = [item for item in items if isinstance(item, Recorded)]
    assert len(told) == len(items) == 4 + len(head["placements"]) + len(head["elections"])
    deal, ivory, brown = told[:3]
    assert (deal.cards, deal.opener) == ("".join(head["deal"]["cards"]), head["deal"]["opener"][0].upper())
    assert ivory.tiles == ",".join(head["deal"]["ivory"]) and brown.tiles == ",".join(head["deal"]["brown"])
    assert (ivory.name, brown.name) == ("anna", "bob")
    assert (ivory.seed, brown.seed) == (head["seeds"]["ivory"], head["seeds"]["brown"])
    placed = [(item.side, item.tile, item.building) for item in told if item.part == "placed"]
    assert placed == [(side[0].upper(), tile, building) for side, tile, building in head["placements"]]
    assert [item.spent for item in told if item.part == "placed"] == timing["spent"]
    elections = [(item.kind, item.won) for item in told if item.part == "tallied"]
    letters = {None: "N", "ivory": "I", "brown": "B"}
    assert elections == [(found["kind"], letters[found["winner"]]) for found in head["elections"]]
    assert told[-1].part == "over" and told[-1].reason == head["reason"]


# -- log and why -------------------------------------------------------------------------------------------


def test_a_log_comes_in_pages_that_fit() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    game = begin(anna, bob)
    for _ in range(100):
        anna.say(f"look {game}")
        world.now += 1
    bob.say(f"resign {game}")
    anna.forget()
    lines: list[Logged] = []
    while True:
        before = len(anna.raw)
        *page, ok = asked(anna, f"log {game} from={len(lines)}")
        assert len(anna.raw) - before <= DEFAULTS.log_page + 100
        assert ok == Ok(None, "log", len(page))
        if not page:
            break
        lines += [line for line in page if isinstance(line, Logged)]
    assert len(lines) > 150
    (verdict, *_) = asked(anna, f"why {game}")
    assert isinstance(verdict, Verdict) and verdict.lines == len(lines)


def test_nothing_is_sent_that_the_queue_does_not_take() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    game = begin(anna, bob)
    play_out(world, game, anna, bob)
    number, now = anna.number, world.now
    for _ in range(30):
        world.server.receive(number, f"log {game}\n".encode(), now)
    session = world.server.sessions[number]
    assert not session.overflown and len(session.outbox) <= session.room
    world.run()
    codes = [message.code for message in anna.got(wire.Error)]
    assert codes and set(codes) == {"unavailable"}
    assert isinstance(asked(anna, f"log {game}")[-1], Ok)


def test_people_get_logs_of_what_the_board_did_not_decide_only() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world, "human")
    game = begin(anna, bob, "clock=none cap=1")
    bob.say(f"resign {game}")
    assert refusal(anna, f"log {game}") == "unavailable"
    assert isinstance(asked(anna, f"record {game}")[-1], Ok)
    late = begin(anna, bob, "clock=none cap=1")
    world.wait(2)
    assert isinstance(asked(anna, f"log {late}")[-1], Ok)
    assert [request.dossier.game for request in world.requests if isinstance(request, KeepLog)] == [late]


def test_a_late_answer_tells_by_how_much() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    game = begin(anna, bob, "clock=none cap=1")
    side = world.server.tables[game].match.game.to_move
    late, other = (anna, bob) if side is Side.IVORY else (bob, anna)
    world.wait(1.2)
    other.say(f"place {game} 1 S1 IC")
    late.say(f"place {game} 2 S1 IC")
    for seconds in (0.3, 5):
        world.wait(seconds)
        late.say(f"place {game} 1 S1 IC")
    verdict, *lines = asked(late, f"why {game}")
    assert isinstance(verdict, Verdict)
    found = (verdict.request, verdict.limit, verdict.waited, verdict.overrun, verdict.cap, verdict.time)
    assert found == (1, 1000, 1050, 500, "1", None)
    logged = [(line.ms, line.direction, line.text) for line in lines if isinstance(line, Logged)]
    assert logged[-1] == (1500, "C", f"place {game} 1 S1 IC")
    (reason,) = [line for line in lines if isinstance(line, Reason)]
    assert "500 ms after the time was up" in reason.text
    (winner, words) = asked(other, f"why {game}")[:2]
    assert isinstance(winner, Verdict) and winner.overrun is None and isinstance(words, Reason)
    kept = [request.dossier for request in world.requests if isinstance(request, KeepLog)]
    assert [dossier.stories[side or Side.IVORY].overrun for dossier in kept] == [None, 500]


@pytest.mark.parametrize(
    ("line", "blamed"),
    [
        ("place g1 2 {tile} IC", "its answer after 16 ms was refused (not-your-turn) and no other came in"),
        ("place g1 1 {absent} IC", "its answer after 16 ms was refused (illegal, not-in-hand) and no other"),
        ("place g1 01 {tile} IC", "its answer after 16 ms was refused (syntax) and no other came in time"),
        ("PLACE g1 1 {tile} IC", "its line after 16 ms was refused (syntax) and no other came in time"),
        ("look g7", "was open for 1050 ms. Think less"),
        ("ping x", "was open for 1050 ms. Think less"),
    ],
)
def test_a_refused_answer_is_blamed_for_the_timeout_that_follows(line: str, blamed: str) -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    game = begin(anna, bob, "clock=none cap=1")
    match = world.server.tables[game].match.game
    side = match.to_move
    assert side is not None
    hand = match.hand(side)
    absent = next(tile for tile in ALL_TILES if tile not in hand)
    world.wait(0.016)
    (anna if side is Side.IVORY else bob).say(line.format(tile=hand[0], absent=absent))
    world.wait(2)
    for peer in (anna, bob):
        (reason,) = [item for item in asked(peer, f"why {game}") if isinstance(item, Reason)]
        assert "(move-cap): request 1, which might take 1000 ms, " in reason.text and blamed in reason.text


def test_a_refused_answer_and_a_late_one_are_both_told() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    game = begin(anna, bob, "clock=none cap=1")
    side = world.server.tables[game].match.game.to_move
    late = anna if side is Side.IVORY else bob
    world.wait(0.2)
    late.say(f"place {game} 2 S1 IC\nlook g7")
    world.wait(1.3)
    late.say(f"place {game} 1 S1 IC")
    (reason,) = [item for item in asked(late, f"why {game}") if isinstance(item, Reason)]
    told = "its answer after 200 ms was refused (not-your-turn) and the next one came 500 ms after the time"
    assert told in reason.text and "answer it once more" in reason.text


def test_an_answer_that_was_refused_before_the_last_request_is_not_blamed() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    game = begin(anna, bob, "clock=none cap=1")
    match = world.server.tables[game].match.game
    for number in (1, 2):
        side = match.to_move
        assert side is not None
        peer = anna if side is Side.IVORY else bob
        peer.say(f"place {game} 0{number} {match.hand(side)[0]} IC")
        peer.say(f"place {game} {number} {match.hand(side)[0]} IC")
    world.wait(2)
    (reason,) = [item for item in asked(anna, f"why {game}") if isinstance(item, Reason)]
    assert "refused" not in reason.text


def test_why_shows_at_most_a_few_lines_with_the_request_first() -> None:
    world = World(Lobby({}))
    anna, bob = pair(world)
    game = begin(anna, bob, "clock=none cap=10")
    side = world.server.tables[game].match.game.to_move
    late = anna if side is Side.IVORY else bob
    for _ in range(15):
        late.say("place bad")
    world.wait(11)
    lines = [line for line in asked(late, f"why {game}") if isinstance(line, Logged)]
    assert len(lines) == 12
    assert lines[0].text.startswith("choose g1 1 ") and lines[-1].text.startswith("over g1 ")
    verdict = asked(late, f"why {game}")[0]
    assert isinstance(verdict, Verdict) and verdict.errors == 15


def test_the_last_words_of_a_program_are_told() -> None:
    world, ada, _ = match_world()
    table = world.server.tables["g1"]
    table.forfeit(Side.IVORY, "crashed", "exit status 1", world.now, "warming up\nIndexError: \x1b[1mno\n\n")
    world.run()
    words = [line.text for line in asked(ada, "why g1") if isinstance(line, Stderr)]
    assert words == ["warming up", "IndexError:  [1mno"]
