"""What an operator can ask of a running server, as values: one type a word, read from JSON."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from tyrusd.core.bans import MOST_MINUTES

LONGEST_TEXT: Final = 250  # letters of an announcement: even of four bytes each they fit into a line

_Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
_Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]


class Word(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Something to be done or told."""


class Who(Word, frozen=True, tag="who"):
    """Tell who is here."""


class Games(Word, frozen=True, tag="games"):
    """Tell which games run."""


class Status(Word, frozen=True, tag="status"):
    """Tell how the server is."""


class Abort(Word, frozen=True, tag="abort"):
    """End a game without a result."""

    game: _Id


class Adjudicate(Word, frozen=True, tag="adjudicate"):
    """Decide a game."""

    game: _Id
    winner: Literal["I", "B", "draw"]


class Kick(Word, frozen=True, tag="kick"):
    """End the connection of a player."""

    name: _Name


class Ban(Word, frozen=True, tag="ban"):
    """Let a host or a name not in any more; minutes: None for ever."""

    who: _Name
    minutes: Annotated[int, Meta(ge=1, le=MOST_MINUTES)] | None = None


class Unban(Word, frozen=True, tag="unban"):
    """Lift a ban."""

    who: _Name


class Bans(Word, frozen=True, tag="bans"):
    """Tell who is banned."""


class Pause(Word, frozen=True, tag="pause"):
    """Let no new game begin."""


class Resume(Word, frozen=True, tag="resume"):
    """Let games begin again."""


class Announce(Word, frozen=True, tag="announce"):
    """Tell everybody something."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)]


class Event(Word, frozen=True, tag="event"):
    """Take a step of a club event; what: the kind of one that is opened, or the player that is dropped."""

    step: Literal["open", "close", "start", "pause", "go-on", "drop", "cancel", "print", "list"]
    name: _Name | None = None
    what: _Name | None = None
    clock: _Id | None = None
    cap: _Id | None = None
    rounds: Annotated[int, Meta(ge=0, le=1000)] | None = None
    variant: _Id | None = None


class Drain(Word, frozen=True, tag="drain"):
    """Close down as SIGTERM does."""


class Reload(Word, frozen=True, tag="reload"):
    """Read again what SIGHUP reads again."""


class Watch(Word, frozen=True, tag="watch"):
    """Tell the public view of a game, line by line, until it is over."""

    game: _Id


AnyWord: TypeAlias = (
    Who | Games | Status | Abort | Adjudicate | Kick | Ban | Unban | Bans | Pause | Resume | Announce
    | Event | Drain | Reload | Watch
)  # fmt: skip

ARGUMENTS: Final[dict[str, tuple[type[Word], str]]] = {
    "status": (Status, ""),
    "who": (Who, ""),
    "games": (Games, ""),
    "watch": (Watch, "GAME"),
    "abort": (Abort, "GAME"),
    "adjudicate": (Adjudicate, "GAME I|B|draw"),
    "kick": (Kick, "NAME"),
    "ban": (Ban, "HOST|NAME [MINUTES]"),
    "unban": (Unban, "HOST|NAME"),
    "bans": (Bans, ""),
    "announce": (Announce, "TEXT"),
    "event": (Event, "STEP [NAME] [KIND|PLAYER] [KEY=VALUE]..."),
    "pause": (Pause, ""),
    "resume": (Resume, ""),
    "reload": (Reload, ""),
    "drain": (Drain, ""),
}
"""Every word with its type and how its arguments are typed."""

_decoder = msgspec.json.Decoder(AnyWord)


def read_word(line: bytes) -> AnyWord:
    """Read a word from a line of JSON; ValueError with a sentence."""
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"that is no request: {error}") from None
