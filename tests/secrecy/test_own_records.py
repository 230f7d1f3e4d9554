"""Logs and records show a seat no more than it saw, and nobody else's; before the end of a deal, nothing."""

from __future__ import annotations

import random
import re

import pytest

from tests.secrecy.games import PEOPLE, beginning
from tests.secrecy.pairs import Pair, random_face_pair
from tests.secrecy.scripts import GUESTS, random_script
from tests.secrecy.stage import Stage
from tyrusd.core.archive import Archive
from tyrusd.core.story import Dossier, log_of, whole_story
from tyrusd.core.wirelog import joined, told
from tyrusd.host.shelf import log_text
from tyrusd.rules.pieces import Side
from tyrusd.wire import encode_line
from tyrusd.wire import messages as wire

FACE = re.compile(r"(?<![A-Za-z0-9])[SMP](?:10|[1-9])(?![0-9])")
VERBS = ("record g1", "log g1", "why g1", "results")


def dossiers(stage: Stage) -> list[Dossier]:
    return list(stage.world.server.archive._games.values())


def logs(stage: Stage, side: Side) -> list[list[wire.Logged]]:
    """What a seat's logs say now, of finished and of running games, also those that are not kept."""
    server = stage.world.server
    found = [log_of(dossier.stories[side]) for dossier in dossiers(stage)]
    for table in server.tables.values():
        log = table.logs[side]
        found.append(list(told(log.steps, table.match.began or 0.0, log.left_out)))
    return found


def heard(stage: Stage, side: Side) -> set[str]:
    """Every line that the peers of a seat were sent, as text."""
    owned = {peer.number for who, peer in stage.playing.items() if who is side}
    owned |= stage.owned if side is stage.owner else set()
    if side is not stage.owner:
        outsiders = set(stage.world.peers) - stage.owned - {guest.number for guest in stage.guests}
        owned |= outsiders
    lines = (encode_line(message).decode() for number in owned for message in stage.messages(number))
    return {line.removesuffix("\n") for line in lines}


@pytest.mark.parametrize("seed", range(12))
def test_a_log_holds_only_what_its_seat_was_sent_and_said(seed: int) -> None:
    script = random_script(random.Random(seed))
    stage = Stage(script, script.deals, Side.IVORY).perform()
    counted = 0
    for side in Side:
        lines = heard(stage, side)
        known = set(FACE.findall(" ".join(lines)))
        for log in logs(stage, side):
            whole = [(line.direction, line.text) for line in joined(log)]
            for direction, text in whole:
                if direction == "S" and not text.startswith("bye "):
                    assert text in lines, text
                    counted += 1
            # What the seat said itself may name any tile; what it was told may not.
            assert set(FACE.findall(" ".join(text for way, text in whole if way == "S"))) <= known
    assert counted > 20 or not any(dossier.has_log for dossier in dossiers(stage))


def _told_of(pair: Pair, stage: Stage) -> list[list[wire.Logged]]:
    return logs(stage, stage.owner.other)


@pytest.mark.parametrize("start", range(0, 120, 30))
def test_the_other_seat_s_log_is_the_same_in_both_worlds(start: int) -> None:
    """Nothing in it depends on a face of the owner's that has not been shown, nor does any fact of why."""
    lines = 0
    for seed in range(start, start + 30):
        pair = random_face_pair(seed)
        first, second = _told_of(pair, pair.first), _told_of(pair, pair.second)
        assert first == second, seed
        lines += sum(map(len, first))
        other = pair.first.owner.other
        stories = [
            [list(whole_story(dossier, other, full=True)) for dossier in dossiers(stage)]
            for stage in (pair.first, pair.second)
        ]
        assert stories[0] == stories[1], seed
    assert lines > 300


def test_a_log_of_the_wrong_seat_would_be_noticed() -> None:
    """The control: the owner's own logs do differ between the worlds."""
    differ = 0
    for seed in range(30):
        pair = random_face_pair(seed)
        differ += logs(pair.first, pair.first.owner) != logs(pair.second, pair.second.owner)
    assert differ > 10


def test_guests_learn_nothing_of_running_or_finished_games() -> None:
    chance = random.Random(5)
    script, _ = beginning(PEOPLE, 20, chance)
    stage = Stage(script, script.deals, Side.IVORY).perform()
    for phase in ("running", "over"):
        for guest in range(GUESTS):
            before = len(stage.messages(stage.guests[guest].number))
            for verb in VERBS:
                stage._say(stage.guests[guest], verb)
            answers = stage.messages(stage.guests[guest].number)[before:]
            own = [answer for answer in answers if not isinstance(answer, wire.Placed)]
            assert [getattr(answer, "code", answer.verb) for answer in own] == ["no-game"] * 3 + ["ok"], phase
            assert FACE.search(repr(own)) is None
        if phase == "running":
            for side in Side:
                before = len(stage.messages(stage.playing[side].number))
                for verb in VERBS[:3]:
                    stage._say(stage.playing[side], verb)
                refused = stage.messages(stage.playing[side].number)[before:]
                assert [getattr(answer, "code", "") for answer in refused] == ["unavailable"] * 3
            stage._say(stage.playing[Side.IVORY], "resign g1")
            stage.world.run()


def test_the_enemy_s_tiles_come_with_the_record_and_not_with_the_log() -> None:
    chance = random.Random(6)
    script, game = beginning(PEOPLE, 8, chance)
    stage = Stage(script, script.deals, Side.IVORY).perform()
    assert game.outcome is None
    for session in stage.world.server.players.values():
        session.kind = "bot"  # so that the log of a resigned game is kept
    stage._say(stage.playing[Side.BROWN], "resign g1")
    ivory, number = stage.playing[Side.IVORY], stage.playing[Side.IVORY].number
    hidden = {str(tile) for tile in script.deals[0].tiles(Side.BROWN)[9:]}
    before = len(stage.messages(number))
    stage._say(ivory, "log g1")
    stage._say(ivory, "why g1")
    log = [message for message in stage.messages(number)[before:] if isinstance(message, wire.Logged)]
    seen = {text for line in log for text in re.findall(r"\.B\.([SMP][0-9]+)", line.text)}
    revealed = {
        str(tile.tile) for group in stage.games["g1"].past for tile in group if tile.side is Side.BROWN
    }
    assert log and seen <= revealed
    before = len(stage.messages(number))
    stage._say(ivory, "record g1")
    record = " ".join(map(repr, stage.messages(number)[before:]))
    assert all(tile in record for tile in hidden)


def test_nothing_that_is_kept_prints_a_tile() -> None:
    script = random_script(random.Random(3))
    stage = Stage(script, script.deals, Side.IVORY).perform()
    archive: Archive = stage.world.server.archive
    found = dossiers(stage)
    assert found
    kept: list[object] = [archive, stage.world.requests, stage.world.news[:0]]
    kept += [*found, *(story for dossier in found for story in dossier.stories)]
    for value in kept:
        assert FACE.search(repr(value)) is None, value


def test_no_file_of_a_log_holds_a_secret() -> None:
    for seed in range(6):
        script = random_script(random.Random(seed))
        stage = Stage(script, script.deals, Side.IVORY).perform()
        secrets = {
            message.secret
            for number in stage.world.peers
            for message in stage.messages(number)
            if isinstance(message, wire.Welcome)
        }
        text = b"".join(line for dossier in dossiers(stage) for line in log_text(dossier)).decode()
        assert secrets and not [secret for secret in secrets if secret in text]
