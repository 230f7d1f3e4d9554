"""Finished games of an earlier server, as its journal tells of them: what is known without their logs."""

from __future__ import annotations

from typing import NamedTuple

from tyrusd.core.story import Dossier, Story
from tyrusd.league.rated import Rated, rated_word
from tyrusd.league.record import Payload, read_frame
from tyrusd.rules.pieces import SIDE_OF_WORD


class Finished(NamedTuple):
    """A game as it was stored; repeats: the game whose deal it was played on, None for a deal of its own."""

    game: str
    record: bytes
    repeats: str | None = None


def dossier_from(finished: Finished) -> Dossier:
    """Return what is kept of a game that an earlier server has stored."""
    payload = read_frame(finished.record)
    head = payload["game"]
    ivory, brown = (_story(payload, word) for word in SIDE_OF_WORD)
    return Dossier(
        finished.game,
        finished.repeats or finished.game,
        head["variant"],
        len(head["placements"]),
        None if head["winner"] is None else SIDE_OF_WORD[head["winner"]],
        head["reason"],
        head["detail"],
        finished.record,
        (ivory, brown),
        rated=rated_word(Rated.of(payload.get("rated"))),
        earlier=True,
    )


def _story(payload: Payload, word: str) -> Story:
    head = payload["game"]
    return Story(
        SIDE_OF_WORD[word],
        head["seats"][word],
        "",
        None,
        0.0,
        clock=head["controls"][word]["clock"],
        cap=head["controls"][word]["cap"],
        time=payload["timing"]["left"][word],
    )
