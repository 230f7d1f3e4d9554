"""What a coordinator believes of a report: games that it asked for, as they can have been played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.host.cluster_stage import report_of
from tests.host.ladder_crew import played_game
from tests.host.ladder_plans import plan_of
from tyrusd.host.ladder.cluster_report import Checked, Report, read_report, write
from tyrusd.host.ladder.link import Log, PairDone, Pondered, Result, ToCoordinator, Told, Unready, framed
from tyrusd.league.framing import frame
from tyrusd.league.tournament.task import PairTask
from tyrusd.league.tournament.tournament import Tournament

PLAN = plan_of("anna", "bert", "carl", rounds=2)
ENTRANTS = {entrant.name: entrant for entrant in PLAN.entrants}


def tasks() -> list[PairTask]:
    tournament = Tournament(PLAN.tournament)
    return [task for _ in range(2) if (task := tournament.next()) is not None]


OTHER, TASK = tasks()  # of the second pair, both games are played out


def read(data: bytes, task: PairTask = TASK) -> Checked:
    return read_report(data, task, ENTRANTS, "standard", {"p9-1"})


def saying(*messages: ToCoordinator, fate: Any = "over") -> bytes:
    return write(Report(fate, b"".join(map(framed, messages))))


def result(record: dict[str, Any], game: str | None = None) -> Result:
    return Result(1, game or record["id"], frame(record))


def first(change: Callable[[dict[str, Any]], object] = lambda record: None) -> Result:
    """The first game of the task, with a change that leaves its shape right."""
    record = played_game(TASK, 1)
    change(record)
    return result(record)


def second() -> Result:
    return result(played_game(TASK, 2))


def test_an_honest_report_is_believed() -> None:
    found = read(write(report_of(TASK)))
    assert [game.record["id"] for game in found.games] == ["p2-1", "p2-2"]
    assert [game.framed for game in found.games] == [frame(played_game(TASK, game)) for game in (1, 2)]
    assert (found.unready, found.logs, found.told) == (None, [], [])


def test_what_else_is_said_of_the_pair_comes_with_it() -> None:
    found = read(
        saying(
            first(), second(), Log("p2-2", b"log"), Log("p9-1", b"late"), Pondered("p2-1", 5, None), Told("!")
        )
    )
    assert [log.text for log in found.logs] == [b"log", b"late"]
    assert found.pondered[0].ivory == 5
    assert found.told == ["!"]


def test_a_bot_that_is_not_ready_ends_the_pair_with_what_was_played() -> None:
    found = read(saying(first(), Unready(2, 1, TASK.second, "it could not be started")))
    assert found.unready is not None
    assert found.unready.bot == TASK.second
    assert len(found.games) == 1


def test_an_aborted_game_is_no_result() -> None:
    record = played_game(TASK, 1)
    record["game"] |= {"placements": [], "elections": [], "winner": None, "reason": "aborted", "detail": ""}
    record["timing"] |= {"spent": [], "cpu": []}
    assert read(saying(result(record), fate="returned")).games == []


def _moved(record: dict[str, Any]) -> None:
    record["game"]["placements"][0], record["game"]["placements"][1] = (
        record["game"]["placements"][1],
        record["game"]["placements"][0],
    )


def _won(record: dict[str, Any]) -> None:
    game = record["game"]
    game["winner"] = "brown" if game["winner"] == "ivory" else "ivory"


LIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "another deal": lambda record: record["game"]["deal"]["cards"].reverse(),
    "another opener": lambda record: record["game"]["deal"].update(
        opener="ivory" if record["game"]["deal"]["opener"] == "brown" else "brown"
    ),
    "other seeds": lambda record: record["game"]["seeds"].update(ivory="0" * 32),
    "other seats": lambda record: record["game"]["seats"].update(ivory="dora"),
    "another seat's filling": lambda record: record["game"]["fillings"].update(ivory="plugin:greedy"),
    "another clock": lambda record: record["game"]["controls"].update(ivory={"clock": "none", "cap": "9"}),
    "another variant": lambda record: record["game"].update(variant="replay-ties"),
    "another attempt": lambda record: record["ladder"].update(attempt=2),
    "another round": lambda record: record["ladder"].update(round=9),
    "no ladder": lambda record: record.pop("ladder"),
    "placements that cannot be": _moved,
    "another winner": _won,
    "a reason that is not so": lambda record: record["game"].update(reason="majority", detail="x"),
}


@pytest.mark.parametrize("lie", sorted(LIES))
def test_a_record_of_another_game_than_was_asked_for_is_refused(lie: str) -> None:
    with pytest.raises(ValueError, match="p2-1"):
        read(saying(first(LIES[lie]), second()))


REFUSED: dict[str, bytes] = {
    "nothing": b"",
    "no report": b"\xc1" * 20,
    "a list": b"\x90",
    "a fate of its own": write(Report("over")).replace(b"over", b"ovid"),
    "no results": saying(),
    "one result": saying(first()),
    "a result twice": saying(first(), first(), second()),
    "a game of another pair": saying(result(played_game(OTHER, 1))),
    "the name of another game": saying(result(played_game(TASK, 1), "p2-2"), second()),
    "a record that is no game": saying(
        Result(1, "p2-1", frame({"kind": "dropped", "bot": "anna", "at": "2031-05-06T07:08:09Z"})), second()
    ),
    "a damaged record": saying(Result(1, "p2-1", frame(played_game(TASK, 1))[:-3] + b"abc"), second()),
    "two records in one": saying(Result(1, "p2-1", frame(played_game(TASK, 1)) * 2), second()),
    "a log of a game nobody knows": saying(first(), second(), Log("p77-1", b"")),
    "an unready bot of another pair": saying(Unready(1, 1, TASK.first, "")),
    "an unready bot that does not play": saying(Unready(2, 1, "dora", "")),
    "half a frame": write(Report("over", framed(first())[:-1])),
    "a frame too long": write(Report("over", b"\xff\xff\xff\xff")),
    "a message nobody knows": write(Report("over", b"\0\0\0\x01\xc0")),
}


@pytest.mark.parametrize("what", sorted(REFUSED))
def test_what_was_not_asked_for_is_refused(what: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read(REFUSED[what])


def test_a_pair_done_of_anything_changes_nothing() -> None:
    assert len(read(saying(first(), second(), PairDone(5, 5))).games) == 2


def test_a_report_that_is_too_long_is_not_even_read() -> None:
    with pytest.raises(ValueError, match="bytes, at most"):
        read(bytes((16 << 20) + 1))
