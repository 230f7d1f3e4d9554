"""The verb `check` in a real server in memory: who may say it, what goes on meanwhile, how it ends."""

from __future__ import annotations

from tests.core.world import Peer, World
from tyrusd.core.conformance import STEPS, Need
from tyrusd.core.lobby import Lobby
from tyrusd.core.seatspec import SeatSpec
from tyrusd.rules.notation import read_view
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

SKIPPED = {step.name for step in STEPS if Need.CONNECTION in step.needs}


def lobby() -> World:
    return World(Lobby({"random": SeatSpec("plugin", "random")}))


class Player:
    """Answers whatever a peer is asked."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        self.checked: list[wire.Checked] = []
        self.others: list[wire.Message] = []
        self.asked: wire.Choose | None = None

    def answer(self, message: wire.Message) -> None:
        """Do what one message wants."""
        if isinstance(message, wire.Choose):
            self.asked = message
            tile = read_view(message.view).hand[0]
            self.peer.send(wire.Place(message.game, message.request, str(tile), "BT"))
        elif isinstance(message, wire.Ping):
            self.peer.send(wire.Pong(message.word))

    def play(self, steps: int = len(STEPS), rounds: int = 6000) -> dict[str, str]:
        """Go on until so many steps are done; what came of each."""
        for _ in range(rounds):
            came, self.peer.inbox = self.peer.inbox, []
            for message in came:
                assert isinstance(message, wire.Message)
                if isinstance(message, wire.Checked):
                    self.checked.append(message)
                else:
                    self.others.append(message)
                    self.answer(message)
            if len(self.checked) >= steps:
                break
            if not self.peer.inbox:
                self.peer.world.wait(0.02)
        return {line.name: line.finding for line in self.checked}


def test_a_good_bot_passes_all_that_one_connection_allows_and_is_in_the_lobby_again() -> None:
    world = lobby()
    ada = world.join("ada", "bot", "games=4")
    ada.say("check tag=t")
    player = Player(ada)
    found = player.play()
    assert [line.number for line in player.checked] == [step.number for step in STEPS]
    assert {name for name, finding in found.items() if finding == "skipped"} == SKIPPED
    assert "failed" not in found.values()
    assert {line.of for line in player.checked} == {len(STEPS)}
    assert [line.section for line in player.checked] == [step.section for step in STEPS]
    assert [message for message in player.others if isinstance(message, wire.Ok)] == [wire.Ok("t", "check")]
    ada.say("seek")
    assert ada.last(wire.Ok).re == "seek"
    ada.say("cancel")
    ada.say("check")
    assert ada.last(wire.Ok).re == "check", "it may be done again"


def test_a_bot_that_follows_the_events_and_one_that_plays_one_game_pass() -> None:
    for extra, more in (("games=2 want=events,full", set()), ("", {"several", "interleaved"})):
        ada = lobby().join("ada", "bot", extra)
        ada.say("check")
        found = Player(ada).play()
        assert {name for name, finding in found.items() if finding != "passed"} == SKIPPED | more


def test_nothing_of_a_check_is_journalled_stored_or_listed() -> None:
    world = lobby()
    ada, bob = world.join("ada", "bot"), world.join("bob", "human")
    before = len(world.journal)
    ada.say("check")
    Player(ada).play(12)
    bob.say("games")
    assert bob.last(wire.Ok).count == 0
    bob.say("watch c3")
    assert bob.last(wire.Error).code in ("no-game", "stale")
    ada.say("results")
    assert (len(world.journal), world.stored) == (before, [])


def test_a_failure_is_told_in_one_line() -> None:
    class Deaf(Player):
        def answer(self, message: wire.Message) -> None:
            if not isinstance(message, wire.Ping):
                super().answer(message)

    ada = lobby().join("ada", "bot")
    ada.say("check")
    player = Deaf(ada)
    player.play(15)
    ping = player.checked[14]
    assert (ping.name, ping.finding, ping.section) == ("ping", "failed", "liveness")
    assert ping.text.startswith("pong a did not come within 10.05 s. Sent: ping a ")
    assert "Expected: a pong with the same word each." in ping.text


def test_who_may_not_be_checked() -> None:
    world = lobby()
    ada, bob = world.join("ada", "bot"), world.join("bob", "bot")
    person = world.join("carol", "human")
    person.say("check")
    assert person.last(wire.Error).code == "unavailable"
    ada.say("seek")
    ada.say("check")
    assert (ada.last(wire.Error).code, ada.last(wire.Error).re) == ("unavailable", "check")
    bob.say("seek")
    for peer in (ada, bob):
        peer.say("check")
        assert "finish it first" in peer.last(wire.Error).text
    dora = world.join("dora", "bot")
    dora.say("play random")
    dora.say("check")
    assert "about to begin" in dora.last(wire.Error).text


def test_meanwhile_it_plays_nobody_and_everything_else_goes_on() -> None:
    world = lobby()
    ada, bob = world.join("ada", "bot", "games=4"), world.join("bob", "bot")
    ada.say("check")
    for line, code in (
        ("check", "unavailable"),
        ("seek", "unavailable"),
        ("play random", "unavailable"),
        ("play bob", "unavailable"),
        ("cancel", "unavailable"),
        ("place g1 1 S1 IC", "no-game"),
        ("who is", "syntax"),
    ):
        ada.say(line)
        assert ada.last(wire.Error).code == code, line
    bob.say("play ada")
    assert bob.last(wire.Error).code == "unavailable"
    bob.say("seek")
    assert not bob.got(wire.Start)
    ada.say("who")
    states = {player.name: player.state for player in ada.got(wire.Player)}
    assert states == {"ada": "checking", "bob": "seeking", "random": "house"}
    ada.say("ping still-here")
    assert ada.last(wire.Pong).word == "still-here"
    assert Player(ada).play(len(STEPS))["only-protocol"] == "failed", "`who is` was no line of the protocol"


def test_an_answer_that_comes_after_its_step_is_stale_and_costs_nothing() -> None:
    world = lobby()
    ada = world.join("ada", "bot")
    ada.say("check")
    player = Player(ada)
    player.play()
    assert player.asked is not None
    for game in (player.asked.game, "c1", "c2-Long-Id-0"):
        ada.say(f"place {game} 1 S1 IC")
        assert (ada.last(wire.Error).code, ada.last(wire.Error).cost) == ("stale", "ignored")
    for game in ("c9999", "c", "c01", "c-1", "x1"):
        ada.say(f"place {game} 1 S1 IC")
        assert ada.last(wire.Error).code == "no-game"


def test_quit_and_a_lost_connection_end_it() -> None:
    world = lobby()
    ada = world.join("ada", "bot")
    ada.say("check")
    ada.say("quit")
    assert ada.last(wire.Bye).reason == "bye" and ada.closed
    bob = world.join("bob", "bot")
    bob.say("check")
    bob.lose()
    world.wait(60)
    assert "check" not in {key[0] for key in world.server.timers._due if isinstance(key, tuple)}
    assert world.server.players == {}


def test_one_that_never_answers_is_through_with_it_in_bounded_time() -> None:
    ada = lobby().join("ada", "bot")
    ada.say("check")

    class Silent(Player):
        def answer(self, message: wire.Message) -> None:
            pass

    found = Silent(ada).play()
    assert found["flush"] == "failed"
    assert len(found) == len(STEPS)
    assert ada.world.now < 1100, "the rest is skipped at once"


def test_answers_cost_no_rate_and_floods_are_stopped_as_always() -> None:
    world = lobby()
    ada = world.join("ada", "bot")
    ada.say("check")
    for _ in range(40):
        ada.send_bytes(b"pong x\n" * 40)
        world.wait(0.5)
    assert ada.last(wire.Bye).reason == "slow-down"


def test_time_for_which_the_server_stood_still_is_not_the_bot_s() -> None:
    world = lobby()
    ada, bob, carol = world.join("ada", "bot"), world.join("bob", "bot"), world.join("carol", "bot")
    bob.say("seek")
    carol.say("seek")  # a running game has the server take note of the time
    ada.say("check")
    player = Player(ada)
    player.play(2)
    world.wait(0.1)
    world.now += 30
    world.server.tick(world.now)
    world.run()
    assert player.play(3)["flush"] == "passed"


def test_it_runs_over_frames_too() -> None:
    world = lobby()
    peer = world.connect(codec=Codec.FRAME)
    peer.send(wire.Hello("0.1", "ada", "bot", games=2))
    peer.send(wire.Check())
    found = Player(peer).play()
    assert {name for name, finding in found.items() if finding != "passed"} == SKIPPED | {"crlf"}
