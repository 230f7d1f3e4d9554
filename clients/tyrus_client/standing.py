"""Tells the ratings of the standing ladder: where each version stands, and whom it has met."""

from collections.abc import Callable
from typing import Any, Final

from tyrusd.screen.texts import Texts
from tyrusd.wire import messages as wire


def tell_rating(message: wire.Rating, texts: Texts) -> str:
    """Return the line for one version; its rank is left out where it has none."""
    return texts.say(
        "rating" if message.rank else "rating.unranked",
        rank=message.rank,
        version=_version(message.name, message.agent),
        elo=texts.say("rating.no-elo") if message.elo is None else message.elo,
        range=_range(message, texts),
        score=_score(message, texts),
        notes="".join(_notes(message, texts)),
    )


def tell_versus(message: wire.Versus, texts: Texts) -> str:
    """Return the line for what one version has done against another."""
    return texts.say(
        "versus",
        version=_version(message.name, message.agent),
        enemy=_version(message.enemy, message.enemy_agent),
        score=_score(message, texts),
        notes="".join(_counts(message, texts)),
    )


def _version(name: str, agent: str | None) -> str:
    return name if agent is None else f"{name}/{agent}"


def _range(message: wire.Rating, texts: Texts) -> str:
    if message.elo is None or (message.low is None and message.high is None):
        return ""
    low, high = (texts.say("rating.open") if end is None else str(end) for end in (message.low, message.high))
    return texts.say("rating.range", low=low, high=high)


def _score(message: wire.Rating | wire.Versus, texts: Texts) -> str:
    games = texts.counted("offer.games", message.games)
    return texts.say("rating.score", games=games, won=message.won, drawn=message.drawn, lost=message.lost)


def _notes(message: wire.Rating, texts: Texts) -> list[str]:
    marks = [word for word in ("anchor", "provisional") if getattr(message, word) == "yes"]
    return [texts.say(f"rating.{mark}") for mark in marks] + _counts(message, texts)


def _counts(message: wire.Rating | wire.Versus, texts: Texts) -> list[str]:
    counts = [(word, getattr(message, word)) for word in ("forfeits", "forfeited", "flagged")]
    return [texts.say(f"rating.{word}", number=number) for word, number in counts if number]


TELL_STANDING: Final[dict[type, Callable[[Any, Texts], str]]] = {
    wire.Rating: tell_rating,
    wire.Versus: tell_versus,
}
