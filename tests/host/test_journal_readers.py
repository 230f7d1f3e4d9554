"""Everything that reads a journal reads every journal that may be written, whatever its records leave out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.host.journals import RATED, STARTED, new_match, write
from tyrusd.commands import main
from tyrusd.core.lobby import Lobby
from tyrusd.core.server import Server
from tyrusd.host import recovery
from tyrusd.host.journal import JOURNAL, JournalError
from tyrusd.host.journal_rows import JournalRows, compare
from tyrusd.host.recovery import recover
from tyrusd.league.club import ClubEvent, ClubTerms
from tyrusd.league.framing import HEADER, as_frame, frame, read_frames
from tyrusd.league.record import again_record, game_record, opened_record, refused_record
from tyrusd.league.salvage import salvage
from tyrusd.league.schema import Payload, check_payload
from tyrusd.rules.pieces import Side

NAMES = ("One", "two", "three", "four", "five")
AT = {"at": STARTED}
PLAYER: Payload = {"kind": "player", "sort": "bot", "games": 1, "want": [], "agent": None, "digests": []}
LADDER: Payload = {"pair": 1, "attempt": 1, "game": 1, "round": 1, "host": "h", "cpu": "c"}
MISSING = {
    "opened": ("terms",),
    "joined": ("name",),
    "withdrawn": ("name",),
    "started": ("seed",),
    "dropped": ("name",),
    "game": ("id", "pair", "attempt", "round"),
    "result": ("pair", "attempt", "round", "reason"),
}
STEP: Payload = {
    "kind": "event", "event": "cup", **AT, "name": "One", "seed": "5eed", "id": "g9", "pair": 1, "attempt": 1,
    "round": 1, "reason": "resigned",
    "terms": {"kind": "swiss", "variant": "standard", "clock": None, "cap": None, "rounds": None},
}  # fmt: skip


class Writer:
    """Makes up a journal: what may be left out is there, left out, or told to be nothing."""

    def __init__(self, data: st.DataObject) -> None:
        self.data = data
        self.records: list[Payload] = []
        self.games = 0

    def one(self, *choices: Any) -> Any:
        return self.data.draw(st.sampled_from(choices))

    def add(self, record: Payload, **optional: Any) -> None:
        for key, value in optional.items():
            how = self.one("there", "left out", "null")
            if how != "left out":
                record[key] = value if how == "there" else None
        check_payload(record)
        self.records.append(record)

    def game(self, names: tuple[str, str] = ("One", "two"), number: int = 0) -> None:
        """A game that is over, goes on, or stands there without its beginning; two follow a drawn one."""
        self.games += not number
        game = f"g{number or self.games}"
        match = new_match(game, names, self.one(RATED, None))
        opened = opened_record(match, started=STARTED)
        if self.one(True, False):
            del opened["game"]["fillings"]
        begun = self.one(True, True, False)
        if begun:
            self.add(opened, repeats="g1")
            match.issue(0.0)
            if self.one(True, False):
                self.add(refused_record(game, "ivory"))
        ends = self.one(True, True, False)
        if begun and (ends or self.one(True, False)) and self.one(True, False, False):
            self.add(again_record(game, self.one(None, f"g{self.games + 100}")))
        if ends or not begun:
            match.stop(self.one(Side.BROWN, None), "adjudicated", self.one("", "operator"), 1.0)
            ended = game_record(match, started=STARTED)
            if "fillings" not in opened["game"] and self.one(True, False):
                del ended["game"]["fillings"]
            self.add(ended, ladder=dict(LADDER, pair=self.games))

    def player(self, name: str) -> None:
        self.add({**PLAYER, "name": name}, account=name, key="0" * 64, ladder=self.one(0, 2))

    def event(self, name: str) -> None:
        """An event from its opening to some step: walkovers, void and aborted games, drops, whatever."""
        kind = self.one("knockout", "swiss", "roundrobin")
        terms = ClubTerms(kind, "standard", self.one(None, "60+1"), None, self.one(None, 1, 2))
        event = ClubEvent(name, terms)
        head = {"kind": "event", "event": name}
        self.add(head | {"what": "opened", **AT, "terms": terms._asdict()})

        def step(what: str, **keys: Any) -> None:
            record = head | {"what": what, **AT, **keys}
            event.apply(record)
            self.add(record)

        for player in NAMES[: self.one(2, 3, 4, 5)]:
            step("joined", name=player)
        if self.one(True, False):
            step("closed")
        step("started", seed="5eed")
        for _ in range(self.one(0, 3, 12)):
            assert event.tournament is not None
            task = None if event.ended else event.tournament.next()
            if task is None:
                break
            place: Payload = {"pair": task.pair, "attempt": task.attempt, "round": task.round}
            names = task.first, task.second
            how = self.one("walkover", "void", "game", "running", "aborted", "unmarked")
            if how in ("walkover", "void"):
                winner: Payload = (
                    {"name": self.one(*names)} if how == "walkover" else self.one({}, {"name": None})
                )
                step("result", **place, **winner, **self.one({}, {"id": None}), reason=how)
                continue
            self.games += 1
            game = self.games
            step("game", **place, id=f"g{game}")
            if how != "running":
                self.game(names, game)
            if how in ("game", "aborted"):
                reason = "aborted" if how == "aborted" else "resigned"
                step("result", **place, id=f"g{game}", name=names[0], reason=reason)
            if self.one(True, False, False) and not event.ended:
                step("dropped", name=self.one(*names))
            if self.one(True, False, False, False) and not event.ended:
                step("cancelled")


@given(st.data())
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    phases=(Phase.generate,),
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
    ],
)
def test_every_reader_reads_whatever_may_be_left_out(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    writer = Writer(data)
    writer.records.append({"kind": "run", "started": STARTED, "version": "1", "host": "h", "cpu": "c"})
    for _ in range(writer.one(1, 4)):
        {"game": writer.game, "player": lambda: writer.player(writer.one(*NAMES))}[
            writer.one("game", "player")
        ]()
    for name in writer.one((), ("cup",), ("cup", "league")):
        writer.event(name)
    directory = tmp_path_factory.mktemp("data") / "d"
    path = write(directory, map(as_frame, writer.records))
    content = path.read_bytes()
    assert [record for _, record in read_frames(content)] == writer.records
    assert not salvage(content).left_out
    damaged = bytearray(content)
    damaged[len(HEADER) + 20] ^= 1
    assert len(salvage(bytes(damaged)).gaps) == 1
    for words in (
        ("records", "check", str(path)),
        ("records", "check", str(path), "--repair", str(path.with_name("new.tyrus"))),
        ("export", "--json", str(path)),
        ("reindex", "--new-store", "--data", str(directory)),
        ("why", "g1", "--data", str(directory)),
    ):
        done = CliRunner().invoke(main, list(words))
        assert done.exception is None or isinstance(done.exception, SystemExit), (words, done.exception)
        assert words[0] == "why" or done.exit_code == 0, done.output
    assert compare(directory) == 0
    rows = list(JournalRows(path))
    found = recover(path, {}, indexed={row.id: hash(row) for row in rows})
    found.journal.close()
    assert {row.id for row in rows}.isdisjoint(row.id for row in found.missing)  # those were running
    server = Server(Lobby({}), lambda count: b"e" * count, 0.0, 0.0, recovered=found.recovered)
    going_on = {event.name for event in found.recovered.events if not event.ended}
    assert isinstance(server.director, Lobby) and going_on <= set(server.director.club.evenings)


@pytest.mark.parametrize(("what", "key"), [(what, key) for what, keys in MISSING.items() for key in keys])
def test_a_step_that_lacks_what_it_is_about_is_neither_written_nor_read(
    what: str, key: str, tmp_path: Path
) -> None:
    whole = STEP | {"what": what}
    frame(whole)
    lacking = {name: value for name, value in whole.items() if name != key}
    for wrong in (lacking, whole | {key: None}):
        with pytest.raises(ValueError, match=f"'{what}' of an event needs {key}"):
            frame(wrong)
        path = tmp_path / JOURNAL
        path.write_bytes(HEADER + as_frame(wrong) + frame({**PLAYER, "name": "One"}))
        with pytest.raises(JournalError, match=f"event needs {key}"):
            recover(path, {})


@pytest.mark.parametrize("where", ["add", "_sum_up"])
def test_what_nobody_has_foreseen_is_one_sentence_that_names_the_journal(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, [frame({**PLAYER, "name": "One"})])
    before = path.read_bytes()

    def fails(*_: object) -> None:
        raise KeyError("id")

    monkeypatch.setattr(recovery, where, fails)
    with pytest.raises(JournalError, match=f"^{path}: .*KeyError: 'id'.*fault of tyrusd") as told:
        recover(path, {})
    assert "\n" not in str(told.value) and path.read_bytes() == before
