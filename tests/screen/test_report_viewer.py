"""The viewer of a report shows at every step what the rules say: its script is run, not trusted."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.screen.ladder_games import ASSETS, FAULTS, FOLDER, facts_of, ladder, round_robin
from tests.tools import require_tool
from tyrusd.rules.game import Game
from tyrusd.rules.pieces import BUILDING_NAMED, KIND_OF_LETTER, SIDE_OF_WORD, TILE_NAMED, Side
from tyrusd.rules.variants import VARIANTS
from tyrusd.screen.report.facts import Data
from tyrusd.screen.report.replays import embedded

GAMES = 34
TELL = """
const games = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(games.map((game) =>
  Array.from({ length: tyrusReplay.moves(game).length + 1 }, (_, step) => tyrusReplay.boardAt(game, step)))));
"""


@pytest.mark.parametrize("script", ["viewer.js", "sorting.js"])
def test_the_scripts_are_javascript(script: str) -> None:
    done = subprocess.run(
        [require_tool("node"), "--check", str(FOLDER / script)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("script", ["viewer.js", "sorting.js"])
def test_without_a_page_the_scripts_do_nothing(script: str) -> None:
    done = subprocess.run(
        [require_tool("node"), str(FOLDER / script)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def states(tmp_path: Path, games: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """What the viewer makes of games, at every step."""
    script = tmp_path / "tell.js"
    script.write_text(f"{ASSETS.viewer}\n{TELL}", encoding="utf-8")
    done = subprocess.run(
        [require_tool("node"), str(script)],
        input=json.dumps(games),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[list[dict[str, Any]]] = json.loads(done.stdout)
    return found


def position(game: Game) -> dict[str, Any]:
    """What the rules say, in the viewer's words."""
    return {
        "election": game.election,
        "turn": game.turn,
        "kind": game.kind.letter,
        "opener": game.opener_now.letter,
        "mover": None if game.to_move is None else game.to_move.letter,
        "hands": {side.letter: [str(tile) for tile in game.hand(side)] for side in Side},
        "reserve": game.reserve_count,
        "board": [
            [seen.building.name, seen.election, seen.turn, seen.side.letter, str(seen.tile)]
            for seen in game.board
        ],
        "won": "".join("N" if side is None else side.letter for side in game.winners),
    }


def shown(state: dict[str, Any]) -> dict[str, Any]:
    found = {
        key: state[key] for key in ("election", "turn", "kind", "opener", "mover", "hands", "reserve", "won")
    }
    keys = ("building", "election", "turn", "side", "tile")
    return {**found, "board": [[seen[key] for key in keys] for seen in state["board"]]}


def begun(record: Data) -> Game:
    from tyrusd.league.replay import deal_of

    return Game(deal_of(dict(record["game"])), VARIANTS[record["game"]["variant"]])


def test_every_step_of_the_viewer_is_the_one_of_the_rules(tmp_path: Path) -> None:
    facts = facts_of(ladder(round_robin(rounds=2), faulty=7))
    records = [record for _, record in facts.games][:GAMES]
    assert len(records) == GAMES
    assert any(record["game"]["reason"] in FAULTS for record in records)
    told = states(tmp_path, embedded(facts)["games"][:GAMES])
    steps = 0
    for record, found in zip(records, told, strict=True):
        game = begun(record)
        placements = record["game"]["placements"]
        assert len(found) == len(placements) + 1
        assert shown(found[0]) == position(game)
        for (side, tile, building), state in zip(placements, found[1:], strict=True):
            game.place(SIDE_OF_WORD[side], TILE_NAMED[tile], BUILDING_NAMED[building])
            assert shown(state) == position(game)
            assert state["placed"]["tile"] == tile
            steps += 1
    assert steps > 1000


def test_every_count_of_the_viewer_is_the_one_of_the_record(tmp_path: Path) -> None:
    facts = facts_of(ladder(round_robin(rounds=2), faulty=7))
    told = states(tmp_path, embedded(facts)["games"])
    counted = 0
    for (_, record), found in zip(facts.games, told, strict=True):
        elections = record["game"]["elections"]
        assert [each["number"] for each in found[-1]["elections"]] == list(range(1, len(elections) + 1))
        for wanted, shown_count in zip(elections, found[-1]["elections"], strict=True):
            assert shown_count["kind"] == wanted["kind"]
            assert (shown_count["I"], shown_count["B"]) == (wanted["ivory"], wanted["brown"])
            assert shown_count["winner"] == {"ivory": "I", "brown": "B", None: "N"}[wanted["winner"]]
            assert all(
                KIND_OF_LETTER[seen["building"][1]].letter == wanted["kind"] for seen in shown_count["tiles"]
            )
            counted += 1
    assert counted > 200


def test_the_end_by_the_board_is_seen_by_the_viewer(tmp_path: Path) -> None:
    facts = facts_of(ladder(round_robin(rounds=2), faulty=7))
    for (_, record), found in zip(facts.games, states(tmp_path, embedded(facts)["games"]), strict=True):
        by_board = record["game"]["reason"] in ("three-in-a-row", "majority", "remaining-tiles", "drawn")
        assert found[-1]["last"] == by_board
        assert not any(state["last"] for state in found[:-1])
