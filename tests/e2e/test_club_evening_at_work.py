"""A club evening over real sockets: a no-show, a drawn game, a drop-out, and a server that is killed."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from threading import Thread

from tests.host.daemons import Daemon, Peer, run, running

NAMES = ("ana", "ben", "cleo", "dora", "emil", "fritz", "gerda", "hugo", "ines", "jan", "karl")
CONFIG = "[limits]\nwalkover-after = 3.0\nevent-call = 1.0\nreconnect-window = 1.0\n"


class Person:
    """A client that a person might sit at; it plays the first tile of its hand until the event is over."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.secret = ""
        self.verdict = ""
        self.peer: Peer

    def come(self, address: tuple[str, int]) -> None:
        """Say hello, or resume."""
        self.peer = Peer(address)
        self.peer.until("greeting")
        self.peer.say(f"resume {self.secret}" if self.secret else f"hello 0.1 {self.name} human")
        welcome = self.peer.until("welcome", "error").split()
        assert welcome[0] == "welcome", welcome
        self.secret = next(word for word in welcome if word.startswith("secret=")).removeprefix("secret=")

    def play(self) -> None:
        """Play whatever comes."""
        self.peer.socket.settimeout(30)
        while not self.verdict:
            line = self.peer.line()
            assert line, "the connection has ended"
            first, *rest = line.split(" ")
            if first == "choose":
                hand = next(word for word in rest if word.startswith("hand=")).removeprefix("hand=")
                self.peer.say(f"place {rest[0]} {rest[1]} {hand.split(',')[0]} IC")
            elif first == "notice" and rest[0] == "event" and " is over: " in line:
                self.verdict = " ".join(rest[1:])


def admin(data: Path, *words: str) -> dict[str, object]:
    done = run("admin", *words, "--data", str(data), "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def games(data: Path) -> dict[str, tuple[str, str]]:
    listed = admin(data, "games")["games"]
    assert isinstance(listed, list)
    return {game["game"]: (game["ivory"], game["brown"]) for game in listed}


def begin(data: Path, daemon: Daemon) -> tuple[dict[str, Person], str]:
    """The first part of the evening, up to the kill; the people, and who has dropped out."""
    address = daemon.addresses()[0]
    people = {name: Person(name) for name in NAMES}
    admin(data, "event", "open", "evening", "knockout", "clock=600+5")
    for person in people.values():
        person.come(address)
        person.peer.say("join evening")
        assert person.peer.until("ok", "error").startswith("ok")
    people["karl"].peer.close()
    admin(data, "event", "start", "evening")
    first, second, *_ = games(data).items()
    admin(data, "adjudicate", first[0], "draw")
    assert people[first[1][0]].peer.until("over").split()[3] == "-"
    assert " I " in people[first[1][0]].peer.until("start")  # dealt again, with the same colours
    left, stays = second[1]
    people[left].peer.close()
    assert "disconnected" in people[stays].peer.until("over")
    daemon.signal(signal.SIGKILL)
    daemon.end()
    for name, person in people.items():
        if name not in (left, "karl"):
            person.peer.close()
    return people, left


def test_eleven_people_play_a_knock_out_to_its_end(tmp_path: Path) -> None:
    data, config = tmp_path / "data", tmp_path / "tyrusd.toml"
    config.write_text(CONFIG)
    serve = ("serve", "--port", "0", "--host", "127.0.0.1", "--data", str(data), "--config", str(config))
    with running(*serve) as daemon:
        people, left = begin(data, daemon)
    there = [person for name, person in people.items() if name not in (left, "karl")]
    with running(*serve) as daemon:
        address = daemon.addresses()[0]
        for person in there:
            person.come(address)
        players = [Thread(target=person.play) for person in there]
        for player in players:
            player.start()
        for player in players:
            player.join(40)
            assert not player.is_alive()
        for person in there:
            person.peer.close()
        told = admin(data, "event", "print", "evening")
        shown = run("admin", "event", "print", "evening", "--data", str(data)).stdout
        daemon.signal(signal.SIGTERM)
        code, _, errors = daemon.end()
        assert code == 0, errors
    champion, finalist = told["champion"], told["finalist"]
    verdict = f":evening is over: {champion} has won it, and the other finalist is {finalist}."
    assert {person.verdict for person in there} == {verdict}
    assert f"won by {champion}, before {finalist}" in shown.splitlines()
    encounters = told["encounters"]
    assert isinstance(encounters, list) and len(encounters) == 10
    (walkover,) = [pair for pair in encounters if "karl" in (pair["one"], pair["two"])]
    assert walkover["game"] is None and walkover["winner"] not in (None, "karl")
    assert {encounters[-1]["one"], encounters[-1]["two"]} == {champion, finalist}
    ends = run("export", "--json", str(data / "journal.tyrus")).stdout.splitlines()
    reasons = [json.loads(line)["reason"] for line in ends]
    assert reasons.count("adjudicated") == reasons.count("disconnected") == 1 and "aborted" not in reasons
