"""What a record may hold: the shape of each payload, field by field, in the order in which it is written."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, ValidationError, convert, to_builtins

Payload: TypeAlias = dict[str, Any]
"""One record as plain maps, lists, texts, integers and None, in one of the shapes below."""

LONGEST_DETAIL: Final = 4096
LONGEST_FILLING: Final = 1024  # characters of a seat's filling that are kept

SideWord: TypeAlias = Literal["ivory", "brown"]
CardLetter: TypeAlias = Literal["C", "M", "T"]
BuildingName: TypeAlias = Literal["IC", "IM", "IT", "BC", "BM", "BT"]
VariantName: TypeAlias = Literal["standard", "replay-ties"]
Reason: TypeAlias = Literal[
    "three-in-a-row",
    "majority",
    "remaining-tiles",
    "drawn",
    "resigned",
    "timeout",
    "illegal",
    "disconnected",
    "crashed",
    "protocol",
    "adjudicated",
    "walkover",
    "aborted",
    "void",
]
TileName: TypeAlias = Annotated[str, Meta(pattern=r"\A[SMP](?:[1-9]|10)\Z")]
# An id may become part of a file's name, so it holds nothing that a path could be made of.
GameId: TypeAlias = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{1,64}\Z")]
Word: TypeAlias = Annotated[str, Meta(pattern=r"\A[!-~]{1,64}\Z")]
EventName: TypeAlias = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9_-]{1,32}\Z")]
EventStep: TypeAlias = Literal[
    "opened",
    "joined",
    "withdrawn",
    "closed",
    "started",
    "paused",
    "resumed",
    "dropped",
    "game",
    "result",
    "cancelled",
]
Filling: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_FILLING)]
LimitText: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9.+a-z]{1,32}\Z")]
UtcText: TypeAlias = Annotated[
    str, Meta(pattern=r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z\Z")
]
Digest: TypeAlias = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Machine: TypeAlias = Annotated[str, Meta(min_length=1, max_length=128)]
Milliseconds: TypeAlias = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Number: TypeAlias = Annotated[int, Meta(ge=0, le=10**9)]
Sum: TypeAlias = Annotated[int, Meta(ge=0, le=165)]
ThirtyTiles: TypeAlias = Annotated[list[TileName], Meta(min_length=30, max_length=30)]
PlacedTile: TypeAlias = tuple[SideWord, TileName, BuildingName]


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class DealPart(_Part, frozen=True):
    """All chance of a game: the cards, both sides' tiles in hand-then-draw order, who opens."""

    cards: Annotated[list[CardLetter], Meta(min_length=9, max_length=9)]
    ivory: ThirtyTiles
    brown: ThirtyTiles
    opener: SideWord


class WordPair(_Part, frozen=True):
    """A word for each side."""

    ivory: Word
    brown: Word


class FillingPair(_Part, frozen=True):
    """What filled each seat, as it is written on a command line; None for a guest of a lobby."""

    ivory: Filling | None
    brown: Filling | None


class LimitPart(_Part, frozen=True):
    """A time control as text: the bank with its increment, and the cap."""

    clock: LimitText
    cap: LimitText


class LimitPair(_Part, frozen=True):
    """A time control for each side."""

    ivory: LimitPart
    brown: LimitPart


class NumberPair(_Part, frozen=True):
    """A number for each side, None for no limit."""

    ivory: Number | None
    brown: Number | None


class TimePair(_Part, frozen=True):
    """Milliseconds for each side, None without a bank."""

    ivory: Milliseconds | None
    brown: Milliseconds | None


class CountPart(_Part, frozen=True):
    """How a side's building was counted."""

    votes: Sum
    blocks: Sum
    counters: Sum
    score: Sum


class ElectionPart(_Part, frozen=True):
    """A finished election; the winner is None for a null election."""

    kind: CardLetter
    ivory: CountPart
    brown: CountPart
    winner: SideWord | None


class HeadPart(_Part, frozen=True, kw_only=True):
    """What is settled before the first placement; a record without fillings is of an older server."""

    number: Number
    variant: VariantName
    deal: DealPart
    seats: WordPair
    fillings: FillingPair = FillingPair(None, None)
    seeds: WordPair
    controls: LimitPair
    lenient: NumberPair


class GamePart(HeadPart, frozen=True, kw_only=True):
    """A game that is over: the same bytes whenever the same game is played, whatever its timing."""

    placements: Annotated[list[PlacedTile], Meta(max_length=54)]
    elections: Annotated[list[ElectionPart], Meta(max_length=9)]
    winner: SideWord | None
    reason: Reason
    detail: Annotated[str, Meta(max_length=LONGEST_DETAIL)]


class TimingPart(_Part, frozen=True):
    """When a game was played and how long everything took, in milliseconds."""

    started: UtcText
    spent: Annotated[list[Milliseconds], Meta(max_length=54)]
    cpu: Annotated[list[Milliseconds | None], Meta(max_length=54)]
    total: Milliseconds
    left: TimePair


class LadderPart(_Part, frozen=True):
    """Where a game stands in its tournament, and what machine it was played on."""

    pair: Number
    attempt: Number
    game: Literal[1, 2]
    round: Number
    host: Machine
    cpu: Machine


class RatedPart(_Part, frozen=True):
    """What makes a game count on a standing ladder: the agents of its versions, how they met, and flags."""

    ivory: Word | None
    brown: Word | None
    by: Literal["ladder", "lobby"]
    flags: Annotated[list[Literal["host", "owner"]], Meta(max_length=2)]


class OpenedRecord(_Part, frozen=True, tag_field="kind", tag="opened", omit_defaults=True):
    """A game has begun; `repeats` is the game whose deal it is played on, where that is another one."""

    id: GameId
    started: UtcText
    game: HeadPart
    repeats: GameId | None = None
    rated: RatedPart | None = None


class PlacedRecord(_Part, frozen=True, tag_field="kind", tag="placed"):
    """A tile was placed in a running game; `spent` is the time charged, in milliseconds."""

    id: GameId
    side: SideWord
    tile: TileName
    building: BuildingName
    spent: Milliseconds


class RefusedRecord(_Part, frozen=True, tag_field="kind", tag="refused"):
    """A placement against the rules was refused; only where not any number of them is forgiven."""

    id: GameId
    side: SideWord


class GameRecord(_Part, frozen=True, tag_field="kind", tag="game", omit_defaults=True):
    """A game is over; only one of a tournament has the part `ladder`, only a rated one the part `rated`."""

    id: GameId
    game: GamePart
    timing: TimingPart
    ladder: LadderPart | None = None
    rated: RatedPart | None = None


class AgainRecord(_Part, frozen=True, tag_field="kind", tag="again"):
    """A drawn game is to be followed by a new one; `next` is that one's id, None if none is to come any more.

    It stands before the record of the game's end, so that a server that is killed between the end and the new
    beginning leaves behind that there is one to come.
    """

    id: GameId
    next: GameId | None


class PlayerRecord(_Part, frozen=True, tag_field="kind", tag="player", omit_defaults=True):
    """Who may come back to a running game after a restart, and the digests of its secrets.

    Only the holder of an account has account and key: its name, and the digest of the key that it came with;
    only who is on the standing ladder has `ladder`, how many games it wants of it at once.
    """

    name: Word
    sort: Literal["bot", "human"]
    games: Number
    want: Annotated[list[Word], Meta(max_length=8)]
    agent: Word | None
    digests: Annotated[list[Digest], Meta(max_length=8)]
    account: Word | None = None
    key: Digest | None = None
    ladder: Number | None = None


class RunRecord(_Part, frozen=True, tag_field="kind", tag="run", omit_defaults=True):
    """A ladder was begun or resumed: when, by which tyrusd, on what machine, and whether a crash stops it."""

    started: UtcText
    version: Word
    host: Machine
    cpu: Machine
    stops: bool | None = None


class UnreadyRecord(_Part, frozen=True, tag_field="kind", tag="unready"):
    """A pair of games could not be played, since a bot never became ready; it is dealt again."""

    pair: Number
    attempt: Number
    bot: Word
    why: Annotated[str, Meta(max_length=LONGEST_DETAIL)]


class DroppedRecord(_Part, frozen=True, tag_field="kind", tag="dropped"):
    """The operator took a bot out of a ladder."""

    bot: Word
    at: UtcText


class EventTermsPart(_Part, frozen=True):
    """What a club event is played as; without a clock and a cap each kind of player has its default."""

    kind: Literal["knockout", "swiss", "roundrobin"]
    variant: VariantName
    clock: LimitText | None
    cap: LimitText | None
    rounds: Number | None


class EventRecord(_Part, frozen=True, tag_field="kind", tag="event", omit_defaults=True):
    """Something has happened to a club event; `what` says which of the other keys are there."""

    event: EventName
    what: EventStep
    at: UtcText
    terms: EventTermsPart | None = None
    name: Word | None = None
    seed: Word | None = None
    id: GameId | None = None
    pair: Number | None = None
    attempt: Number | None = None
    round: Number | None = None
    reason: Reason | None = None

    def __post_init__(self) -> None:
        """Let nobody write, or have to read, a step that lacks what it is about."""
        missing = [key for key in _NEEDED.get(self.what, ()) if getattr(self, key) is None]
        if missing:
            raise ValueError(f"a step {self.what!r} of an event needs {' and '.join(missing)}")


_NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "opened": ("terms",),
    "joined": ("name",),
    "withdrawn": ("name",),
    "started": ("seed",),
    "dropped": ("name",),
    "game": ("id", "pair", "attempt", "round"),
    "result": ("pair", "attempt", "round", "reason"),
}
"""What a step of an event cannot be without; a result without `id` is of a game that was not begun."""

Record: TypeAlias = (
    OpenedRecord
    | PlacedRecord
    | RefusedRecord
    | GameRecord
    | AgainRecord
    | PlayerRecord
    | RunRecord
    | UnreadyRecord
    | DroppedRecord
    | EventRecord
)


def check_payload(payload: object) -> Record:
    """Return a payload in its exact shape; raises ValueError, saying where it differs from every shape."""
    try:
        record: Record = convert(payload, Record)
    except ValidationError as problem:
        raise ValueError(str(problem)) from None
    return record


def canonical(payload: Payload) -> Payload:
    """Return a payload with its keys in the order in which they are written; ValueError as check_payload."""
    plain: Payload = to_builtins(check_payload(payload))
    return plain
