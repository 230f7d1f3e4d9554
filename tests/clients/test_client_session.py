"""What the client says and shows, against a real server in memory: whole games, the lobby, refusals."""

from __future__ import annotations

import re

import pytest

from tests.clients.people import Person, example_on, settle
from tests.core.world import World
from tyrus_client.session import DONE, FAILED
from tyrusd.core.lobby import Lobby
from tyrusd.wire import messages as wire


@pytest.fixture
def world() -> World:
    return World(Lobby({}))


def pair(world: World, terms: str = "clock=none") -> tuple[Person, Person]:
    """Two people in one game, ann as Ivory."""
    ann, bob = Person(world, "ann"), Person(world, "bob")
    settle(ann, bob)
    ann.type(f"seek ivory {terms}")
    bob.type("play ann " + terms)
    settle(ann, bob)
    return ann, bob


def to_move(ann: Person, bob: Person) -> tuple[Person, Person]:
    """The one who is asked now, and the other."""
    return (ann, bob) if ann.shown[-1].startswith("Your turn") else (bob, ann)


def play_out(*people: Person) -> None:
    """Play as the examples on the screens propose, until nobody is asked."""
    for _ in range(54):
        asked = [person for person in people if person.shown[-1].startswith("Your turn")]
        if not asked:
            return
        example = example_on(asked[0].text)
        assert example is not None
        asked[0].type(example)
        settle(*people)


def test_two_people_play_a_whole_game_from_what_their_screens_propose(world: World) -> None:
    ann, bob = pair(world)
    play_out(ann, bob)
    for person, enemy in ((ann, "bob"), (bob, "ann")):
        counts = re.findall(r"^Election (\d) is counted", person.text, re.MULTILINE)
        assert counts == [str(number) for number in range(1, len(counts) + 1)]
        assert len(counts) >= 3
        assert f"against {enemy}" in person.text
    results = {person.shown[-3] for person in (ann, bob)}
    assert results == {"You win the game.", "You lose the game."}
    assert ann.shown[-2] == bob.shown[-2] != ""
    assert ann.shown[-1] == "For another game: play NAME, or seek."
    assert ann.type("hand") == ["You are in no game. Start one with: play NAME, or seek"]


def test_every_event_is_told_once_and_faces_only_to_their_owner(world: World) -> None:
    ann, bob = pair(world)
    play_out(ann, bob)
    placed = [message for message in ann.sent if isinstance(message, wire.Place)]
    told = re.findall(r"^You placed (\w+) in .*\((\w\w)\)\.$", ann.text, re.MULTILINE)
    assert told == [(message.tile, message.building) for message in placed]
    hidden = re.findall(r"^Ivory placed a tile in .*\((\w\w)\)\.$", bob.text, re.MULTILINE)
    assert hidden == [message.building for message in placed]
    assert "Ivory drew 3 tiles." in bob.text
    assert not re.search(r"^Ivory drew [SMP]", bob.text, re.MULTILINE)


def test_a_spectator_sees_the_game_but_no_hand(world: World) -> None:
    ann, bob = pair(world)
    carl = Person(world, "carl")
    settle(carl)
    assert carl.type("games") == ["  g1: ann (Ivory) against bob (Brown), election 1, won so far: none"]
    first = carl.type("watch g1")
    assert "Your hand" not in "\n".join(first)
    assert first[-1].endswith("is to place a tile.")
    assert carl.type("hand") == ["You play in no game, so you hold no tiles."]
    assert carl.type("resign") == ["You are in no game. Start one with: play NAME, or seek"]
    assert carl.type("s1 ic") == ["You are in no game. Start one with: play NAME, or seek"]
    play_out(ann, bob)
    settle(carl)
    assert re.search(r"(Ivory \(ann\)|Brown \(bob\)) wins the game\.", carl.shown[-2])
    assert "You placed" not in carl.text


def test_who_stops_watching_hears_no_more(world: World) -> None:
    ann, bob = pair(world)
    carl = Person(world, "carl")
    settle(carl)
    carl.type("watch g1")
    assert carl.type("unwatch g1") == ["You look on no more."]
    seen = len(carl.shown)
    play_out(ann, bob)
    settle(carl)
    assert carl.shown[seen:] == []


def test_hand_board_and_past_show_what_the_player_may_know(world: World) -> None:
    ann, bob = pair(world)
    one, other = to_move(ann, bob)
    hand = one.type("hand")[0]
    assert len(hand.split()) == 9
    assert one.type("past") == ["No election is over yet."]
    assert one.type("board")[-2:] == [f"Your hand    {hand}", one.shown[-1]]
    assert one.shown[-1].startswith("Your turn")
    assert other.type("b")[-1].endswith("is to place a tile.")
    for _ in range(6):
        mover, _waiting = to_move(ann, bob)
        mover.type(str(example_on(mover.text)))
        settle(ann, bob)
    assert ann.type("past")[0].startswith("Election 1, ")


def test_a_placement_out_of_turn_or_of_a_tile_not_held_is_not_even_sent(world: World) -> None:
    ann, bob = pair(world)
    one, other = to_move(ann, bob)
    assert other.type("s1 ic") == ["It is not your turn."]
    hand = one.type("hand")[0].split()
    missing = next(
        tile for tile in ("S1", "S2", "S3", "S4", "M1", "M2", "M3", "P1", "P2", "P3") if tile not in hand
    )
    (line,) = one.type(f"{missing} ic")
    assert line == f"You do not hold {missing}. Your hand: {one.type('hand')[0]}"
    assert not any(isinstance(message, wire.Place) for message in one.sent + other.sent)


def test_a_second_placement_before_the_answer_waits(world: World) -> None:
    ann, bob = pair(world)
    one, _ = to_move(ann, bob)
    tiles = one.type("hand")[0].split()
    one.session.type(f"{tiles[0]} ic")
    one.session.type(f"{tiles[1]} ic")
    lines, messages = one.session.take()
    assert lines == ["Your tile is on its way; wait for the answer."]
    assert [message.verb for message in messages] == ["place"]


def test_a_refused_placement_can_be_replaced_by_another(world: World) -> None:
    ann, bob = pair(world)
    one, _ = to_move(ann, bob)
    tiles = one.type("hand")[0].split()
    one.session.type(f"{tiles[0]} ic")
    one.session.take()  # it never reaches the server, which is made to refuse it
    one.session.hear(
        wire.Error("illegal", "retry", "No.", re="place", game="g1", request=1, why="not-in-hand")
    )
    assert one.session.take()[0] == ["You do not hold that tile. Choose another."]
    assert one.type(f"{tiles[1]} ic")[0] == f"You placed {tiles[1]} in Ivory's Citadel (IC)."


def test_resigning_ends_the_game_for_both(world: World) -> None:
    ann, bob = pair(world)
    ann.type("resign")
    settle(bob)
    assert ann.shown[-3:-1] == ["You lose the game.", "Ivory resigned."]
    assert bob.shown[-3:-1] == ["You win the game.", "Ivory resigned."]


def test_a_clock_is_shown_and_runs_out(world: World) -> None:
    ann, bob = pair(world, "clock=300+5 cap=60")
    one, _ = to_move(ann, bob)
    terms = "Clock: 300 seconds, and 5 more after each placement; at most 60 for each."
    assert terms in one.text.replace("\n    ", " ")
    assert "won, 5:00" in one.text
    assert one.shown[-2] == "Time for this placement: 1:00."
    world.wait(61)
    settle(ann, bob)
    assert "ran out of time." in ann.shown[-2]


def test_the_server_is_asked_for_the_clocks_when_the_board_is(world: World) -> None:
    ann, bob = pair(world, "clock=300+0")
    one, _ = to_move(ann, bob)
    world.wait(100)
    assert "won, 3:20" in "\n".join(one.type("board"))


def test_who_lists_everybody(world: World) -> None:
    world.join("deep-blue", "bot")
    ann = Person(world, "ann")
    settle(ann)
    assert ann.type("who") == ["  deep-blue (bot, free)", "  ann (person, free)"]


def test_an_empty_list_has_words(world: World) -> None:
    ann = Person(world, "ann")
    settle(ann)
    assert ann.type("games") == ["No game is running."]


def test_seeking_is_confirmed_and_taken_back(world: World) -> None:
    ann = Person(world, "ann")
    settle(ann)
    assert ann.type("seek") == ["Waiting for an opponent. Take it back with: cancel"]
    assert ann.type("cancel") == ["Taken back."]
    assert ann.type("play nobody-here") == ["Nobody of that name is here. The command who lists the players."]


def test_a_second_game_is_refused_in_words_that_say_why(world: World) -> None:
    ann, _ = pair(world)
    cleo = Person(world, "cleo")
    cleo.settle()
    for typed in ("challenge cleo", "seek", "play cleo"):
        cleo.type("seek")
        told = ann.type(typed)
        assert told[-1] == "You are in a game already: play it to its end first, or resign it.", typed


def test_a_game_can_be_asked_for_at_the_start(world: World) -> None:
    ann = Person(world, "ann", play="bob")
    bob = Person(world, "bob")
    settle(bob)
    bob.type("seek")
    assert ann.shown == []
    settle(ann)
    assert "Game g1: you play" in ann.text


def test_a_login_name_that_is_taken_is_replaced_once(world: World) -> None:
    world.join("ann")
    world.join("guest-0001")
    ann = Person(world, "ann", other_name=lambda: "guest-0002")
    settle(ann)
    assert "Somebody else is ann now; trying guest-0002." in ann.shown
    assert ann.session.status is None
    unlucky = Person(world, "ann", other_name=lambda: "guest-0001")
    settle(unlucky)
    assert "Somebody else is guest-0001 now. Choose another name with --name" in unlucky.text
    assert unlucky.shown[-1].startswith("The server says: ")
    assert unlucky.session.status == FAILED


def test_a_chosen_name_that_is_taken_or_reserved_is_an_error(world: World) -> None:
    world.join("ann")
    for name, sentence in (
        ("ann", "Somebody else is ann now."),
        ("server", "The server gives nobody the name"),
    ):
        person = Person(world, name)
        settle(person)
        assert sentence in person.text and "with --name" in person.text
        assert "The server says: " in person.text
        assert person.session.status == FAILED


def test_a_login_name_that_nobody_may_have_is_replaced(world: World) -> None:
    """Whoever works as root has chosen no name."""
    person = Person(world, "operator", other_name=lambda: "guest-0002")
    settle(person)
    assert "The server gives nobody the name operator; trying guest-0002." in person.text
    assert "You are guest-0002." in person.text and person.session.status is None


def test_what_is_typed_before_the_welcome_is_done_after_it(world: World) -> None:
    ann = Person(world, "ann")
    ann.session.type("who")
    ann.session.type("dance")
    ann.session.type(None)
    settle(ann)
    assert ann.shown[-4:] == [
        "You are ann. Type help for the commands, or: play NAME, seek, who, games.",
        "dance: no such command. Type help for the list.",
        "  ann (person, free)",
        "Goodbye.",
    ]
    assert ann.session.status == DONE


@pytest.mark.parametrize("last", ["quit", "q", None])
def test_leaving_says_quit_and_ends_well(world: World, last: str | None) -> None:
    ann = Person(world, "ann")
    settle(ann)
    ann.type(last)
    assert ann.sent[-1] == wire.Quit()
    assert ann.shown[-1] == "Goodbye."
    assert ann.session.status == DONE


def test_a_resume_takes_the_seat_again_and_shows_the_position(world: World) -> None:
    ann, bob = pair(world)
    one, other = to_move(ann, bob)
    before = one.shown[-12:]
    one.reconnect()
    settle(ann, bob)
    assert "The connection broke. Trying to take your seat again, for 5:00 at most;" in one.text
    assert "You are back." in one.shown
    assert one.shown[-12:] == before
    assert any("has lost the connection; the seat is kept for 1:00." in line for line in other.shown)
    assert other.shown[-1].endswith("is back.")
    one.type(str(example_on(one.text)))
    settle(ann, bob)
    assert other.shown[-1].startswith("Your turn")
    play_out(ann, bob)
    assert {ann.shown[-3], bob.shown[-3]} == {"You win the game.", "You lose the game."}


def test_an_answer_that_was_lost_with_the_connection_can_be_given_again(world: World) -> None:
    ann, bob = pair(world)
    one, _ = to_move(ann, bob)
    example = str(example_on(one.text))
    one.session.type(example)
    one.session.take()  # the message goes down with the connection
    one.reconnect()
    assert one.type(example)[0].startswith("You placed ")


def test_who_has_no_seat_to_come_back_to_is_told_so(world: World) -> None:
    ann = Person(world, "ann")
    settle(ann)
    ann.reconnect()
    world.wait(5)
    ann.settle()
    assert ann.shown[-1] == "The server no longer keeps your seat."
    assert ann.session.status == FAILED


def test_the_secret_is_never_shown(world: World) -> None:
    ann, bob = pair(world)
    ann.reconnect()
    settle(ann, bob)
    secrets = {message.secret for message in [*ann.peer.got(wire.Welcome)]}
    assert secrets
    for person in (ann, bob):
        assert not any(secret in person.text for secret in secrets)
    assert any(isinstance(message, wire.Resume) for message in ann.sent)
