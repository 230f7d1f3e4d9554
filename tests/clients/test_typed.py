"""What a person types becomes one command, or one hint that says how to write it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tyrus_client.typed import LOCAL, Placing, Saying, Showing, Unclear, read_typed
from tyrusd.rules.pieces import ALL_TILES, TILE_NAMED, Building
from tyrusd.screen.texts import LANGUAGES
from tyrusd.wire import messages as wire
from tyrusd.wire.line import decode_client_line, encode_line

TEXTS = LANGUAGES["en"]


@pytest.mark.parametrize("line", ["s10 ic", "S10 IC", "ic s10", "  Ic   S10  ", "s10\tic"])
def test_a_placement_is_a_tile_and_a_building_in_any_order(line: str) -> None:
    assert read_typed(line) == Placing(TILE_NAMED["S10"], Building.IC)


def test_every_tile_and_building_can_be_typed() -> None:
    for tile in ALL_TILES:
        for building in Building:
            assert read_typed(f"{tile} {building.name}".lower()) == Placing(tile, building)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("play greedy", wire.Play("greedy")),
        ("PLAY Greedy", wire.Play("Greedy")),
        ("play greedy ivory", wire.Play("greedy", side="I")),
        ("play greedy Brown replay-ties", wire.Play("greedy", side="B", variant="replay-ties")),
        ("play greedy clock=300+5 cap=60", wire.Play("greedy", clock="300+5", cap="60")),
        ("seek", wire.Seek()),
        ("seek b clock=none", wire.Seek(side="B", clock="none")),
        ("cancel", wire.Cancel()),
        ("cancel c-1", wire.Cancel("c-1")),
        ("challenge bob", wire.Challenge("bob")),
        ("challenge bob brown clock=300+5 games=3", wire.Challenge("bob", "B", clock="300+5", rounds=3)),
        ("accept c-1", wire.Accept("c-1")),
        ("decline c-1", wire.Decline("c-1")),
        ("decline c-1 later", wire.Decline("c-1", "later")),
        ("rematch g1", wire.Rematch("g1")),
        ("play bob rated", wire.Play("bob", rated="yes")),
        ("seek Rated=YES ivory", wire.Seek("I", rated="yes")),
        ("seek rated=no", wire.Seek()),
        ("challenge bob rated=yes games=2", wire.Challenge("bob", rounds=2, rated="yes")),
        ("ratings", wire.Ratings()),
        ("Ratings Deep-bot", wire.Ratings("Deep-bot")),
        ("merge deep Deep/1 -", wire.Merge("deep", "Deep/1", "-")),
        ("events", wire.Events()),
        ("join cup", wire.Join("cup")),
        ("withdraw cup", wire.Withdraw("cup")),
        ("bracket cup", wire.Bracket("cup")),
        ("who", wire.Who()),
        ("Games", wire.Games()),
        ("watch g1", wire.Watch("g1")),
        ("unwatch g1", wire.Unwatch("g1")),
    ],
)
def test_the_lobby_is_asked(line: str, message: wire.ClientMessage) -> None:
    assert read_typed(line) == Saying(message)


@pytest.mark.parametrize("word", sorted(LOCAL))
def test_what_the_client_knows_itself_is_one_word(word: str) -> None:
    assert read_typed(word.upper()) == Showing(word)
    assert read_typed(f"{word} now") == Unclear("usage.word", {"word": word})


@pytest.mark.parametrize(
    ("short", "word"), [("b", "board"), ("h", "help"), ("?", "help"), ("q", "quit"), ("exit", "quit")]
)
def test_some_words_have_a_short_form(short: str, word: str) -> None:
    assert read_typed(short) == Showing(word)


@pytest.mark.parametrize("line", ["", " ", "\t"])
def test_an_empty_line_is_nothing(line: str) -> None:
    assert read_typed(line) is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("s11 ic", "typed.no-tile"),
        ("bt m0", "typed.no-tile"),
        ("p5 zz", "typed.no-building"),
        ("xx p5", "typed.no-building"),
        ("s10", "usage.place"),
        ("ic", "usage.place"),
        ("s10 s9", "usage.place"),
        ("ic im", "usage.place"),
        ("s10 ic now", "usage.place"),
        ("s10ic", "typed.unknown"),
        ("dance", "typed.unknown"),
        ("play", "usage.play"),
        ("challenge", "usage.challenge"),
        ("challenge bob games=x", "usage.challenge"),
        ("challenge bob games=2 games=3", "usage.challenge"),
        ("accept", "usage.accept"),
        ("decline c-1 maybe", "usage.decline"),
        ("decline c-1 no no", "usage.decline"),
        ("cancel c-1 c-2", "usage.cancel"),
        ("join", "usage.join"),
        ("play a/b", "usage.play"),
        ("play greedy white", "usage.play"),
        ("play greedy ivory brown", "usage.play"),
        ("play greedy clock=x", "usage.play"),
        ("play greedy cap=", "usage.play"),
        ("play greedy colour=red", "usage.play"),
        ("seek somebody", "usage.seek"),
        ("seek rated rated=no", "usage.seek"),
        ("play bob rated=perhaps", "usage.play"),
        ("ratings a b", "usage.ratings"),
        ("ratings a/b", "usage.ratings"),
        ("merge deep old", "usage.merge"),
        ("merge deep old new now", "usage.merge"),
        ("watch", "usage.watch"),
        ("watch g1 g2", "usage.watch"),
        ("watch é", "usage.watch"),
        ("unwatch", "usage.unwatch"),
        ("who now", "usage.word"),
    ],
)
def test_what_is_not_clear_gets_a_hint(line: str, code: str) -> None:
    command = read_typed(line)
    assert isinstance(command, Unclear)
    assert command.code == code
    assert TEXTS.say(command.code, **command.facts)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [("s11 ic", "There is no tile S11."), ("p5 zz", "There is no building ZZ."), ("ci p5", "building CI.")],
)
def test_a_tile_or_building_that_does_not_exist_is_named(line: str, sentence: str) -> None:
    command = read_typed(line)
    assert isinstance(command, Unclear) and sentence in TEXTS.say(command.code, **command.facts)


@settings(max_examples=300, derandomize=True, deadline=None, database=None)
@given(st.text(max_size=60))
def test_whatever_is_typed_what_is_sent_can_be_sent(line: str) -> None:
    command = read_typed(line)
    if isinstance(command, Unclear):
        assert TEXTS.say(command.code, **command.facts)
    elif isinstance(command, Saying):
        assert decode_client_line(encode_line(command.message).removesuffix(b"\n")) == command.message
