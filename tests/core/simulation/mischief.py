"""What simulated peers do in idle moments: harmless questions, nonsense, floods, and leaving in every way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tyrusd.core.settings import DEFAULTS
from tyrusd.wire import Codec
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tests.core.simulation.client import Client
    from tests.core.simulation.link import Link

_GARBAGE = (
    b"\n", b"\r\n", b" \n", b"xyzzy\n", b"place\n", b"place g1 07 S10 IC\n", b"PLACE g1 1 S1 IC\n",
    b"place g1 1 S11 IC\n", b"place g1 1 S1 IC IC\n", b"place  g1 1 S1 IC\n", b"resign g99999\n",
    b"hello 0.1 again bot\n", b"who\tcares\n", b"nul\x00\n", b"ping \xff\xf4\xff\xfd\x06\n",
    b"ping \xc3\x28\n", b"\xef\xbb\xbfwho\n", b"place g1 1_0 S1 IC\n", b"play nobody-of-this-name\n",
    b"GET / HTTP/1.1\r\n", b"start g1 I\n", b"error x\n", b"\x1b[2J\n",
)  # fmt: skip
_HARMLESS = 8  # pieces of garbage of one that means well, far below every budget


def commit(client: Client, link: Link) -> None:
    """Do at most one thing."""
    chance, persona, sins = client.sim.chance, client.persona, client.party.sins
    framed = link.codec is Codec.FRAME
    client.sim.tally["idle moments"] += 1
    if not link.reads:
        client.say(link, *[wire.Help()] * 6)  # which has the longest answer
    if chance.random() < persona.garbage:
        _talk_nonsense(client, link, framed)
    elif chance.random() < persona.flood:
        sins.add("flood")
        ping = link.decoder.encode(wire.Ping(word="flood"))
        link.send(ping * chance.choice((61, 100, 1000, 8000)))
    elif chance.random() < persona.too_long:
        sins.add("garbage")
        link.send(b"\x7f\xff\xff\xff" if framed else b"x" * chance.choice((513, 600, 100_000)))
    elif chance.random() < persona.drop:
        sins.add("gone")
        link.lose(chance.choice(("", "exit status 3", "killed by signal 9")), "last words\n\x1b[2J of it")
    elif chance.random() < persona.half:
        sins.add("gone")
        if chance.random() < 0.5:
            client.say(link, wire.Who(), wire.Ping(word="last"))
        link.half_close()
    elif chance.random() < persona.quit:
        sins.add("gone")
        client.say(link, wire.Quit())
    elif chance.random() < persona.deaf:
        sins.add("deaf")
        link.reads = False
        client.later(chance.choice((0.5, 5.0, 60.0)), link, _hear_again)
    elif chance.random() < persona.hang:
        sins.add("hang")
        link.send(b"\x00\x00" if framed else b"plac")
        link.cut = True
    elif chance.random() < persona.ask:
        _ask(client, link)


def _hear_again(link: Link) -> None:
    link.reads = True
    link.sim.events.add(link.sim.now, link.drain, host=True)


def _talk_nonsense(client: Client, link: Link, framed: bool) -> None:
    chance = client.sim.chance
    if client.persona.good:
        if client.garbage >= _HARMLESS:
            return
    else:
        client.party.sins.add("garbage")
    client.garbage += 1
    if framed:
        # An array of an unknown verb is refused; bytes that are no msgpack end the connection.
        link.send(b"\x00\x00\x00\x05\x93\xa1x\x90\x80" if chance.random() < 0.9 else b"\x00\x00\x00\x01\xc1")
        return
    line = chance.choice(_GARBAGE)
    if line == b"xyzzy\n":
        tag = client.new_tag()
        line = f"xyzzy tag={tag}\n".encode()
        link.tags[tag] = link.sent + len(line)
    link.send(line)


def _ask(client: Client, link: Link) -> None:
    chance, sim = client.sim.chance, client.sim
    choices: list[wire.ClientMessage] = [wire.Ping(word="w"), wire.Pong(word="w"), wire.Help()]
    for game in [*client.seats, *client.watching]:
        choices.append(wire.Look(game=game))
    if sim.server.settings.output_base == DEFAULTS.output_base:  # or else a whole log does not fit
        choices.append(wire.Results())
        for game in [*client.old_games[-2:], *client.seats]:
            choices += [wire.Record(game=game), wire.Log(game=game), wire.Why(game=game)]
    if client.has_lobby:
        choices += [wire.Who(), wire.Games(), wire.Cancel()]
        foreign = [game for game in sim.server.tables if game not in client.seats]
        for game in foreign[:3]:
            choices += [wire.Watch(game=game)] * 2
        for game in client.watching:
            choices.append(wire.Unwatch(game=game))
    message = chance.choice(choices)
    if isinstance(message, wire.Watch):
        client.watching.add(message.game)
    elif isinstance(message, wire.Unwatch):
        client.watching.discard(message.game)
    client.say(link, message)
