"""Each event has its line for the one who did it, for the enemy and for spectators; so has each end."""

from __future__ import annotations

import pytest

from tests.screen.games import VIEWERS, played
from tyrusd.rules.events import Drew, ElectionOpened, Event, Over, Placed, Remaining, Revealed, Tallied
from tyrusd.rules.game import REASONS, WITHOUT_RESULT
from tyrusd.rules.pieces import TILE_NAMED, Building, Kind, Side
from tyrusd.rules.view import see
from tyrusd.screen.telling import tell_end, tell_event
from tyrusd.screen.texts import LANGUAGES

TEXTS = LANGUAGES["en"]
IVORY, BROWN = Side.IVORY, Side.BROWN
S10, M2, P7 = TILE_NAMED["S10"], TILE_NAMED["M2"], TILE_NAMED["P7"]
NAMES = ("ann", "greedy")


@pytest.mark.parametrize(
    ("event", "viewer", "line"),
    [
        (Placed(IVORY, 1, 1, Building.IC, S10), IVORY, "You placed S10 in Ivory's Citadel (IC)."),
        (Placed(IVORY, 1, 1, Building.BT, None), BROWN, "Ivory placed a tile in Brown's Temple (BT)."),
        (Placed(BROWN, 1, 2, Building.IM, None), None, "Brown placed a tile in Ivory's Market (IM)."),
        (Placed(BROWN, 1, 2, Building.IM, M2), None, "Brown placed M2 in Ivory's Market (IM)."),
        (Drew(BROWN, 3, (S10, M2, P7)), BROWN, "You drew S10, M2, P7."),
        (Drew(BROWN, 3, None), IVORY, "Brown drew 3 tiles."),
        (Drew(BROWN, 1, None), None, "Brown drew 1 tile."),
        (Drew(BROWN, 3, (S10, M2, P7)), None, "Brown drew S10, M2, P7."),
        (Remaining(IVORY, (S10, M2, P7)), BROWN, "Ivory has S10, M2, P7 left: 19."),
        (
            ElectionOpened(2, Kind.TEMPLE, BROWN),
            BROWN,
            "Election 2 of 9: a High Priest; priests vote in the Temples. First to place: you (Brown).",
        ),
        (
            ElectionOpened(9, Kind.CITADEL, BROWN),
            None,
            "Election 9 of 9: a General; soldiers vote in the Citadels. First to place: Brown.",
        ),
    ],
)
def test_an_event_is_told(event: Event, viewer: Side | None, line: str) -> None:
    assert tell_event(event, viewer, TEXTS) == line


@pytest.mark.parametrize("viewer", VIEWERS)
def test_only_what_the_count_tells_and_the_end_have_no_line(viewer: Side | None) -> None:
    events = played(1).events
    silent = {type(event) for event in events if tell_event(see(event, viewer), viewer, TEXTS) is None}
    assert silent == {Revealed, Tallied, Over}


@pytest.mark.parametrize("reason", REASONS)
def test_each_reason_for_an_end_is_told_in_words(reason: str) -> None:
    winner = None if reason in WITHOUT_RESULT or reason == "drawn" else BROWN
    for viewer in VIEWERS:
        result, why = tell_end(Over(winner, reason, ""), viewer, NAMES, TEXTS)
        assert why != TEXTS.say("reason", reason=reason, detail="none")
        assert (winner is None) == (result in ("The game is drawn.", "The game ends without a result."))


def test_the_winner_the_loser_and_a_spectator_are_told_each_in_their_words() -> None:
    over = Over(BROWN, "timeout", "clock")
    why = "Ivory ran out of time."
    assert tell_end(over, BROWN, NAMES, TEXTS) == ["You win the game.", why]
    assert tell_end(over, IVORY, NAMES, TEXTS) == ["You lose the game.", why]
    assert tell_end(over, None, NAMES, TEXTS) == ["Brown (greedy) wins the game.", why]


def test_a_drawn_game_is_not_one_without_a_result() -> None:
    assert tell_end(Over(None, "drawn", ""), IVORY, NAMES, TEXTS)[0] == "The game is drawn."
    assert tell_end(Over(None, "aborted", ""), IVORY, NAMES, TEXTS)[0] == "The game ends without a result."


def test_a_reason_of_a_newer_server_is_shown_as_it_is() -> None:
    told = tell_end(Over(IVORY, "struck-by-lightning", "twice"), IVORY, NAMES, TEXTS)
    assert told == ["You win the game.", "The reason given: struck-by-lightning (twice)."]
