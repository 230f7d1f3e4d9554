"""All sample bots read a request alike, however it is written and sent, and decide alike."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.clients.decisions import decisions, positions
from tests.clients.recipes import LANGUAGES, recipe
from tests.clients.samples import GREETING, program
from tyrusd.rules.notation import read_view
from tyrusd.rules.pieces import building_of
from tyrusd.wire import messages as wire
from tyrusd.wire.line import encode_line

each_language = pytest.mark.parametrize("language", LANGUAGES)


def votes_at_home(request: wire.Choose) -> int:
    """The sum of the seat's own voters in its own building of the election."""
    view = read_view(request.view)
    assert view.viewer is not None
    home = building_of(view.viewer, view.kind)
    tiles = [seen.tile for seen in view.board if (seen.building, seen.side) == (home, view.viewer)]
    return sum(tile.number for tile in tiles if tile is not None and tile.profession == view.kind.voters)


def test_the_positions_make_the_first_language_do_all_that_it_can_do() -> None:
    asked = list(zip(positions(), decisions("python"), strict=True))
    assert len(asked) > 300
    done = set()
    for request, (tile, building) in asked:
        view = read_view(request.view)
        assert view.viewer is not None
        votes = (tile.profession, building) == (view.kind.voters, building_of(view.viewer, view.kind))
        done.add((votes, building.side == view.viewer))
    assert done == {(True, True), (False, False), (False, True)}, "it votes, blocks and saves"
    assert {0, 14, 15, 16} <= set(map(votes_at_home, positions())), "also around its limit of fifteen votes"


@each_language
def test_all_languages_decide_alike(language: str) -> None:
    assert decisions(language) == decisions("python")


@each_language
def test_it_finds_keys_by_name_in_any_order_among_others(language: str) -> None:
    with program(language) as talk:
        for request, decision in list(zip(positions(), decisions("python"), strict=True))[:20]:
            verb, name, number, *words = encode_line(request).decode("ascii").split()
            others = ["mood=", "x-side=I", "x-kind=T", "x-hand=S10", "hand-x=S10", "a=b=c"]
            line = " ".join([verb, name, number, *others[:3], *reversed(words), *others[3:]])
            talk.send_bytes(line.encode("ascii") + b"\n")
            assert talk.placed()[2:] == decision


@each_language
def test_it_does_not_mind_how_lines_are_cut_on_their_way(language: str) -> None:
    with program(language) as talk:
        stream = b"".join(map(encode_line, positions()[:8]))
        for at in range(0, len(stream), 97):
            talk.send_bytes(stream[at : at + 97])
        assert [talk.placed()[2:] for _ in range(8)] == decisions("python")[:8]


def test_the_shell_sample_runs_in_every_shell_that_is_here() -> None:
    shells = [[path] for path in map(shutil.which, ("sh", "dash", "bash", "ksh", "mksh")) if path is not None]
    busybox = shutil.which("busybox")
    if busybox is not None:
        shells.append([busybox, "sh"])
    assert shells
    for words in shells:
        done = subprocess.run(
            [*words, str(recipe("shell").source)],
            input=b"".join(map(encode_line, [GREETING, *positions()[:20]])),
            capture_output=True,
            check=True,
            timeout=60,
        )
        placed = [line.split()[3:] for line in done.stdout.decode("ascii").splitlines()[1:]]
        assert placed == [[str(tile), building.name] for tile, building in decisions("python")[:20]], words
        assert done.stderr == b""
