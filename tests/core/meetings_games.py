"""How each limit of a lobby is met, and how one stays just within it: games, offers, events, what is kept."""

from __future__ import annotations

from collections.abc import Callable
from unittest import mock

import pytest

from tests.core import meetings, owners
from tests.core.club_world import ClubWorld
from tests.core.meetings import Meeting, changed, counts, edge
from tests.core.stage import Stage, begin, play_on
from tests.core.standing_world import LadderWorld
from tyrusd.core import operator_words as words
from tyrusd.core.bans import MOST, Ban
from tyrusd.core.club import EventError
from tyrusd.core.counts import Counts
from tyrusd.core.lobby import Lobby
from tyrusd.core.operator import OperatorError
from tyrusd.core.requests import StartBot
from tyrusd.core.seatspec import SeatSpec
from tyrusd.league.standing_rows import RatingTable
from tyrusd.wire import encode_line


def games(over: bool) -> Counts:
    stage = Stage()
    begin(stage, extra=f"games={2 - over}").mover.say("seek")
    return counts(stage)


def games_total(over: bool) -> Counts:
    stage = Stage(changed(games_total=2))
    for number in range(1 + over):
        begin(stage, names=(f"a{number}", f"b{number}"))
    stage.join("cleo").say("seek")
    return counts(stage)


def spectators(over: bool) -> Counts:
    stage = Stage(changed(spectators_per_game=2))
    pair = begin(stage)
    for number in range(2 + over):
        stage.join(f"w{number}").say(f"watch {pair.game}")
    return counts(stage)


def watching(over: bool) -> Counts:
    stage = Stage(changed(watching_per_connection=2))
    running = [begin(stage, names=(f"a{number}", f"b{number}")).game for number in range(3)]
    peer = stage.join("cleo")
    for game in running[: 2 + over]:
        peer.say(f"watch {game}")
    return counts(stage)


def seek(over: bool) -> Counts:
    stage = Stage()
    stage.join("ada").say("seek")
    stage.wait(600 + edge(over))
    return counts(stage)


def offers(over: bool) -> Counts:
    stage = Stage(changed(challenges_made=2))
    ada = stage.join("ada")
    for number in range(2 + over):
        stage.join(f"other{number}")
        ada.say(f"challenge other{number}")
    return counts(stage)


def offers_received(over: bool) -> Counts:
    stage = Stage(changed(challenges_received=2))
    stage.join("ada")
    for number in range(2 + over):
        stage.join(f"other{number}").say("challenge ada")
    return counts(stage)


def challenge(over: bool) -> Counts:
    stage = Stage()
    ada, _ = stage.join("ada"), stage.join("bob")
    ada.say("challenge bob")
    stage.wait(120 + edge(over))
    return counts(stage)


def house_games(over: bool) -> Counts:
    stage = Stage(changed(house_games_per_player=2), lobby=Lobby({"house": SeatSpec("plugin", "house")}))
    ada = stage.join("ada", "bot", "games=3")
    ada.say("play house")
    (request,) = [request for request in stage.requests if isinstance(request, StartBot)]
    stage.connect("pipe", bot=request.id).say("hello 0.1 house bot games=4")
    for _ in range(1 + over):
        ada.say("play house")
    return counts(stage)


def listed(over: bool) -> Counts:
    stage = Stage(changed(listed=2))
    ada = stage.join("ada")
    for number in range(1 + over):
        stage.join(f"other{number}")
    ada.say("who")
    return counts(stage)


def forfeits(over: bool) -> Counts:
    world = LadderWorld(["ada", "bob"], settings=changed(ladder_gather=0.125, ping_after=1e5))
    world.join("ada", mute=lambda nth: nth < 2 + over)
    world.join("bob")
    world.play(400)
    return counts(world.stage)


def versions(over: bool) -> Counts:
    world = LadderWorld(["ada"], settings=changed(ladder_versions_per_day=2))
    wall = world.stage.now - world.stage.server.monotonic(0.0)
    begun: dict[str, dict[str | None, float]] = {"ada": {str(number): wall for number in range(1 + over)}}
    world.standing.take(RatingTable(begun=begun), world.stage.now)
    world.join("ada", agent="new")
    return counts(world.stage)


# -- events ------------------------------------------------------------------------------------------------


def events(over: bool) -> Counts:
    club = ClubWorld(changed(events_open=2))
    for name in ("one", "two"):
        club.open(name)
    if over:
        with pytest.raises(EventError, match="2 events are open"):
            club.open("three")
    return counts(club.stage)


def entrants(over: bool) -> Counts:
    club = ClubWorld(changed(event_entrants=2))
    club.open()
    club.join("ana", "ben")
    if over:
        club.stage.join("cleo").say("join cup")
    return counts(club.stage)


def _missing(seconds: float, start: bool) -> Counts:
    """Ben is not here for so long."""
    club = ClubWorld()
    club.open()
    club.join("ana", "ben")
    club.people["ben"].lose()
    if start:
        club.do("start")
    club.stage.wait(seconds)
    return counts(club.stage)


def walkover(over: bool) -> Counts:
    return _missing(300 + edge(over), True)


def call(over: bool) -> Counts:
    return _missing(60 + edge(over), True)


def event_window(over: bool) -> Counts:
    return _missing(900 + edge(over), False)


# -- what is kept ------------------------------------------------------------------------------------------


def event_steps(over: bool) -> Counts:
    club = ClubWorld(changed(event_steps_per_minute=4.0))
    club.open()
    club.join("ana")
    for word in ("withdraw", "join", "withdraw", "join")[: 3 + over]:
        club.people["ana"].say(f"{word} cup")
    return counts(club.stage)


def own_results(over: bool) -> Counts:
    stage = Stage(changed(own_results=2))
    anna, bob = owners.pair(stage)
    for _ in range(2 + over):
        anna.say(f"resign {owners.begin(anna, bob)}")
    return counts(stage)


def names(over: bool) -> Counts:
    stage = Stage()
    with mock.patch("tyrusd.core.archive.NAMES", 4):
        for number in range(2 + over):
            pair = begin(stage, names=(f"a{number}", f"b{number}"))
            pair.mover.say(f"resign {pair.game}")
    return counts(stage)


def kept(over: bool) -> Counts:
    def two_games(most: int) -> Stage:
        stage = Stage(changed(kept_bytes=most))
        anna, bob = owners.pair(stage)
        for _ in range(2):
            anna.say(f"resign {owners.begin(anna, bob)}")
        return stage

    return counts(two_games(two_games(1 << 30).server.archive._size - over))


def bans_kept(over: bool) -> Counts:
    stage = Stage()
    for number in range(MOST - 1):
        stage.server.presence.bans.add(Ban(f"n{number}"))
    lobby = stage.server.director
    assert isinstance(lobby, Lobby)
    lobby.operator.do(words.Ban("ada"), stage.now)
    if over:
        with pytest.raises(OperatorError, match="4096 bans already"):
            lobby.operator.do(words.Ban("bob"), stage.now)
    return counts(stage)


def _played(limit: str, most: int) -> Stage:
    stage = Stage(changed(**{limit: most}))
    pair = begin(stage, terms="clock=none cap=60")
    play_on(pair.mover, pair.other, pair.game, 10)
    pair.mover.say(f"resign {pair.game}")
    return stage


def _longest(stage: Stage, size: Callable[[bytes], int]) -> int:
    (dossier,) = stage.server.archive._games.values()
    return max(sum(size(data) for *_, data in story.steps or ()) for story in dossier.stories)


def log(over: bool) -> Counts:
    return counts(_played("log_bytes", _longest(_played("log_bytes", 1 << 30), len) - over))


def log_steps(over: bool) -> Counts:
    longest = _longest(_played("log_steps", 1 << 30), lambda data: 1)
    return counts(_played("log_steps", longest - over))


def page(over: bool) -> Counts:
    stage = Stage()
    anna, bob = owners.pair(stage)
    game = owners.begin(anna, bob)
    anna.say(f"resign {game}")
    *lines, _ = owners.asked(anna, f"log {game}")
    stage.server.settings = changed(log_page=sum(len(encode_line(line)) for line in lines) - over)
    owners.asked(anna, f"log {game}")
    return counts(stage)


_HERE = (games, games_total, forfeits, versions, spectators, watching, seek, offers, offers_received,
         challenge, house_games, listed, events, entrants, walkover, call, event_window, event_steps,
         own_results, names, kept, bans_kept, log, log_steps, page)  # fmt: skip
_THERE = (
    meetings.connections, meetings.host_connections, meetings.hello, meetings.hello_pipe, meetings.bot_start,
    meetings.first_line, meetings.resume_guesses, meetings.resume_delay, meetings.account_guesses,
    meetings.logins, meetings.client_line, meetings.frame, meetings.rate, meetings.burst, meetings.pauses,
    meetings.error_budget, meetings.error_refill, meetings.early_errors, meetings.line_bot,
    meetings.line_human, meetings.ping, meetings.pong, meetings.unread, meetings.unread_game,
    meetings.no_progress, meetings.window, meetings.restart_window, meetings.drain, meetings.store_deadline,
    meetings.store_retry, meetings.stall, meetings.heartbeat, meetings.margin,
    meetings.lenient_bot,
)  # fmt: skip

MEETINGS: dict[str, Meeting] = {meet.__name__.replace("_", "-"): meet for meet in (*_THERE, *_HERE)}
"""By the row of docs/limits.md."""

ALSO: dict[str, frozenset[str]] = {
    "pauses": frozenset({"lines_per_second"}),  # each pause is one
    "pong": frozenset({"ping_after"}),
    "walkover": frozenset({"event_call"}),
}
"""What else has to be met on the way to a limit."""
