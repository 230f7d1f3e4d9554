"""Records tell what filled each seat, and records without it are read as before."""

from __future__ import annotations

import msgpack

from tests.league.matches import STARTED, new_match
from tyrusd.league.export import export_object
from tyrusd.league.framing import HEADER, frame, read_frames
from tyrusd.league.match import Match
from tyrusd.league.record import game_record
from tyrusd.league.replay import verify
from tyrusd.league.schema import LONGEST_FILLING, Payload


def aborted(*fillings: str | None) -> Payload:
    match = new_match()
    with_fillings = Match(
        match.game_id, match.number, match.game.deal, match.game.variant, match.controls, (0, 0),
        match.names, match.seeds, (fillings[0], fillings[1]),
    )  # fmt: skip
    with_fillings.stop(None, "aborted", "", 0.0)
    return game_record(with_fillings, started=STARTED)


def test_a_record_and_its_export_show_the_seats_with_their_options() -> None:
    record = aborted("plugin:cautious?bluff=0", None)
    ((_, read),) = read_frames(HEADER + frame(record))
    verify(read)
    shown = {"ivory": "plugin:cautious?bluff=0", "brown": None}
    assert read["game"]["fillings"] == export_object(read)["fillings"] == shown


def test_a_long_command_or_one_that_is_no_text_is_kept_as_far_as_it_goes() -> None:
    record = aborted("exec:./bot " + "x" * 2000, "exec:./bot \udcff")
    ((_, read),) = read_frames(HEADER + frame(record))
    assert len(read["game"]["fillings"]["ivory"]) == LONGEST_FILLING
    assert read["game"]["fillings"]["brown"] == "exec:./bot ?"


def test_a_record_of_an_older_server_is_read_verified_and_exported() -> None:
    record = aborted(None, None)
    del record["game"]["fillings"]
    packed = msgpack.packb(record)
    whole = frame(aborted(None, None))
    ((_, known),) = read_frames(HEADER + whole)
    assert "fillings" in known["game"]
    verify(msgpack.unpackb(packed))
    assert export_object(record)["fillings"] == {"ivory": None, "brown": None}
    ((_, read),) = read_frames(HEADER + frame(record))
    assert read == known
