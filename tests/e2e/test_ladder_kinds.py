"""Ladders of every kind, played by the real command: who met whom, who won, and what is printed of it."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from tests.e2e.ladders import CAUTIOUS, GREEDY, MOODY, RANDOM, bots, ladder
from tyrusd.commands.ladder_events import EVENTS
from tyrusd.league.record import read_frames
from tyrusd.league.replay import verify
from tyrusd.rules.deal import deal_from_bytes, pair_secret

PLUGINS = ("random", "random", "random", "greedy", "cautious")


def moody(*names: str) -> list[str]:
    return bots(*(f"name={name} exec='{MOODY} none 0'" for name in names))


def test_a_round_robin_of_three(tmp_path: Path) -> None:
    done = ladder(tmp_path / "run", *bots(RANDOM, GREEDY, CAUTIOUS), "--rounds", "2", "--seed", "three")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0].startswith("a bot that fails loses that game, is started again, and the run goes on")
    assert lines[-1] == "seed three (typed)"
    assert re.search(r"^rank +name +Elo +games +points", done.out, re.MULTILINE)
    assert "encounters (W-L-D):" in done.out
    games = done.games()
    assert len(games) == 12
    met = Counter(frozenset(game["game"]["seats"].values()) for game in games.values())
    assert set(met.values()) == {4} and len(met) == 3
    for number in range(1, 7):
        first, twin = games[f"p{number}-1"]["game"], games[f"p{number}-2"]["game"]
        assert first["deal"] == twin["deal"]
        assert first["seats"] == {"ivory": twin["seats"]["brown"], "brown": twin["seats"]["ivory"]}
        assert len({*first["seeds"].values(), *twin["seeds"].values()}) == 4
        deal = deal_from_bytes(pair_secret("three", number))
        assert first["deal"]["ivory"] == [str(tile) for tile in deal.ivory]
    for _, payload in read_frames((tmp_path / "run" / "journal.tyrus").read_bytes()):
        if payload["kind"] == "game":
            verify(payload)


def test_the_statistics_are_those_of_tyrusd_stats(tmp_path: Path) -> None:
    from tests.e2e.ladders import TYRUSD, finished

    done = ladder(tmp_path / "run", *bots(RANDOM, GREEDY), "--rounds", "3", "--json")
    assert done.code == 0, done.err
    again = finished([*TYRUSD, "stats", str(tmp_path / "run"), "--json"], tmp_path)
    mine, theirs = done.stats(), again.stats()
    assert mine == theirs
    assert mine["pairs"]["complete"] == 3
    assert "seed " in done.err and "rank" in done.err  # lines of results are beside


def test_a_gauntlet_meets_only_its_seed(tmp_path: Path) -> None:
    words = (*moody("a", "b", "c", "d"), "--tournament", "gauntlet", "--json", "--noswap")
    done = ladder(tmp_path / "run", *words)
    assert done.code == 0, done.err
    assert [len(done.games()), done.row("a")["games"]] == [3, 3]
    assert all("a" in game["game"]["seats"].values() for game in done.games().values())


def test_a_swiss_of_five_has_a_bye_each_round_and_no_rematch(tmp_path: Path) -> None:
    named = [f"name={name} plugin={plugin}" for name, plugin in zip("abcde", PLUGINS, strict=True)]
    words = (*bots(*named), "--tournament", "swiss", "--swiss-rounds", "3", "--seed", "x")
    done = ladder(tmp_path / "run", *words, "--events", str(tmp_path / "events"))
    assert done.code == 0, done.err
    events = [json.loads(line) for line in (tmp_path / "events").read_text().splitlines()]
    rounds = [event for event in events if event["event"] == "round"]
    assert [event["number"] for event in rounds] == [1, 2, 3]
    byes = [name for event in rounds for name in event["byes"]]
    assert len(byes) == len(set(byes)) == 3
    met = [frozenset(pairing) for event in rounds for pairing in event["pairings"]]
    assert len(met) == len(set(met)) == 6
    champion = next(event["name"] for event in events if event["event"] == "champion")
    assert f"winner: {champion}\n" in done.out
    placed = done.out.partition("by points and tie rules:\n")[2].splitlines()[:5]
    assert [line.split()[0] for line in placed] == ["1", "2", "3", "4", "5"]
    assert placed[0].split()[1] == champion
    assert all(" points, buchholz " in line for line in placed)


def test_a_knock_out_of_five_names_its_winner_and_finalists(tmp_path: Path) -> None:
    words = (*moody("a", "b", "c", "d", "e"), "--tournament", "knockout", "--seed", "k")
    done = ladder(tmp_path / "run", *words, "--events", str(tmp_path / "events"))
    assert done.code == 0, done.err
    events = [json.loads(line) for line in (tmp_path / "events").read_text().splitlines()]
    [champion] = [event for event in events if event["event"] == "champion"]
    assert len(champion["finalists"]) == 2 and champion["name"] in champion["finalists"]
    assert f"winner: {champion['name']}; finalists: {' and '.join(champion['finalists'])}\n" in done.out
    advanced = [event for event in events if event["event"] == "advanced"]
    assert len(advanced) == 4
    assert advanced[-1]["winner"] == champion["name"]


def test_a_sequential_test_ends_when_it_is_decided_and_its_exit_code_says_how(tmp_path: Path) -> None:
    terms = ("--sprt", "elo0=0 elo1=200", "--outcomeinterval", "2")
    good = ladder(tmp_path / "good", *bots(GREEDY, RANDOM), *terms)
    assert good.code == 0, good.err
    assert good.out.startswith("the first crash of a bot stops the run (the default with --sprt)")
    assert "H1 is accepted: elo1=200" in good.out
    assert re.search(r"^greedy - random: .*, LLR -?\d+\.\d\d \(-2\.94 to 2\.94\)$", good.out, re.MULTILINE)
    bad = ladder(tmp_path / "bad", *bots(RANDOM, GREEDY), *terms)
    assert bad.code == 4
    assert "H0 is accepted: elo0=0" in bad.out


def test_a_sequential_test_that_is_not_decided_is_4_too(tmp_path: Path) -> None:
    done = ladder(tmp_path / "run", *bots(GREEDY, RANDOM), "--sprt", "elo0=0 elo1=1", "--rounds", "1")
    assert done.code == 4
    assert "the test ended undecided" in done.out


def test_the_events_on_stdout_are_the_lines_of_the_page(tmp_path: Path) -> None:
    words = ("--rounds", "4", "--outcomeinterval", "4", "--ratinginterval", "2", "--events", "-")
    done = ladder(tmp_path / "run", *bots(RANDOM, GREEDY), *words)
    assert done.code == 0, done.err
    events = [json.loads(line) for line in done.out.splitlines()]
    for event in events:
        assert tuple(event) == ("event", "at", *EVENTS[event["event"]])
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", event["at"])
    names = Counter(event["event"] for event in events)
    assert (names["begin"], names["game"], names["outcome"], names["end"]) == (1, 8, 2, 1)
    assert names["standings"] >= 1
    assert (events[0]["event"], events[-1]["event"]) == ("begin", "end")
    assert (events[-1]["complete"], events[-1]["resume"], events[-1]["exit"]) == (True, None, 0)
    assert "deal" not in done.out and '"hand"' not in done.out
    assert "rank" in done.err


def test_the_seed_that_was_drawn_is_opened_at_the_end(tmp_path: Path) -> None:
    done = ladder(tmp_path / "run", *bots(RANDOM, GREEDY))
    seed = re.search(r"^seed ([0-9a-f]{32})$", done.out, re.MULTILINE)
    assert seed is not None and done.out.splitlines()[-1] == seed[0]
    deal = deal_from_bytes(pair_secret(seed[1], 1))
    assert done.games()["p1-1"]["game"]["deal"]["brown"] == [str(tile) for tile in deal.brown]


def test_deals_of_a_file_are_played_in_their_order(tmp_path: Path) -> None:
    from tests.e2e.ladders import TYRUSD, finished

    file = tmp_path / "deals"
    finished([*TYRUSD, "deals", "--count", "2", "--seed", "of the file", str(file)], tmp_path)
    done = ladder(tmp_path / "run", *bots(RANDOM, GREEDY), "--rounds", "2", "--deals", str(file))
    assert done.code == 0, done.err
    for pair in (1, 2):
        deal = deal_from_bytes(pair_secret("of the file", pair))
        assert done.games()[f"p{pair}-2"]["game"]["deal"]["ivory"] == [str(tile) for tile in deal.ivory]


def test_a_configuration_is_played_and_what_is_typed_goes_first(tmp_path: Path) -> None:
    from tests.e2e.ladders import TYRUSD, finished

    file = tmp_path / "night.toml"
    file.write_text(
        "[ladder]\nrounds = 9\nseed = 'x'\nsandbox = 'none'\nresultformat = 'minimal'\n"
        f"out = '{tmp_path / 'run'}'\n[each]\ncap = 20\n"
        "[[bot]]\nname = 'A'\nplugin = 'random'\n[[bot]]\nname = 'B'\nplugin = 'greedy'\ncap = 10\n"
    )
    done = finished([*TYRUSD, "ladder", str(file), "--rounds", "1"], tmp_path / "run")
    assert done.code == 0, done.err
    games = done.games()
    assert sorted(games) == ["p1-1", "p1-2"]
    assert games["p1-1"]["game"]["controls"]["ivory"]["cap"] in ("10", "20")
    assert "rank  name  points  games\n" in done.out
