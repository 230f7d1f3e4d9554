"""Deals that are played again: what `deal=GAME` of play and seek means, and who may ask for it."""

from __future__ import annotations

from tyrusd.core.archive import Archive
from tyrusd.core.failures import Refused
from tyrusd.core.player import Player
from tyrusd.core.terms import Repeat, Terms
from tyrusd.league.record import read_frame
from tyrusd.league.replay import deal_of
from tyrusd.wire import messages as wire


def terms_of(archive: Archive, player: Player, message: wire.Play | wire.Seek | wire.Challenge) -> Terms:
    """Read the terms of a verb; with a deal, those of a finished game of the player (protocol.md#lobby).

    Raises Refused for what cannot be played.
    """
    terms = Terms.of(message)
    if message.deal is None:
        return terms
    found = archive.find(message.deal, player.known_as)
    if found is None:
        raise Refused("no-game", f"There is no finished game {message.deal} of yours here; see `results`.")
    dossier, side = found
    if dossier.record is None:
        raise Refused("unavailable", f"{dossier.game} could not be stored, so its deal is lost.")
    if terms.side not in (None, side) or message.variant not in (None, dossier.variant):
        raise Refused("config", f"You had {side.word} in {dossier.game}, variant {dossier.variant}.")
    enemy = dossier.stories[side.other].name
    if isinstance(message, wire.Play | wire.Challenge) and enemy.lower() != message.name.lower():
        raise Refused("unavailable", f"{dossier.game} was played against {enemy}: play {enemy} again.")
    head = read_frame(dossier.record)["game"]
    seeds = (head["seeds"]["ivory"], head["seeds"]["brown"])
    repeat = Repeat(dossier.deal, deal_of(head), seeds)
    return terms._replace(side=side, variant=dossier.variant, repeat=repeat)
