"""The messages that a server sends of its lobby: who is here, what is offered, what events are held."""

from tyrusd.wire.base import ServerMessage


class Player(ServerMessage, frozen=True, gc=False):
    """One line of the answer to who; `games` is how many the player is in, what follows `agent` its seek.

    text: what people may call the holder of an account.
    """

    verb = "player"
    name: str
    kind: str
    state: str
    games: int | None = None
    agent: str | None = None
    side: str | None = None
    variant: str | None = None
    clock: str | None = None
    cap: str | None = None
    deal: str | None = None
    rated: str = "no"
    ladder: str = "no"
    text: str | None = None


class Table(ServerMessage, frozen=True, gc=False):
    """One line of the answer to games; `won` lists the finished elections."""

    verb = "table"
    game: str
    ivory: str
    brown: str
    election: int
    won: str
    variant: str | None = None
    rated: str = "no"


class Offer(ServerMessage, frozen=True, gc=False):
    """A challenge, to both players; `side` is the reader's own, None for a toss, `in_ms` what time it has."""

    verb = "offer"
    challenge: str
    from_name: str
    to_name: str
    variant: str
    in_ms: int
    rounds: int = 1
    side: str | None = None
    clock: str | None = None
    cap: str | None = None
    deal: str | None = None
    rated: str = "no"


class Accepted(ServerMessage, frozen=True, gc=False):
    """A challenge was accepted: its game, or the next of its games, begins."""

    verb = "accepted"
    challenge: str
    game: str


class Declined(ServerMessage, frozen=True, gc=False):
    """Nothing more comes of a challenge; why is a word."""

    verb = "declined"
    challenge: str
    why: str


class EventState(ServerMessage, frozen=True, gc=False):
    """How a club event is; without a clock and a cap each kind of player has its default."""

    verb = "event"
    event: str
    kind: str
    state: str
    entrants: int
    variant: str | None = None
    clock: str | None = None
    cap: str | None = None
    round: int | None = None
    rounds: int | None = None
    champion: str | None = None
    finalist: str | None = None


class Standing(ServerMessage, frozen=True, gc=False):
    """One line of the table of a club event."""

    verb = "standing"
    event: str
    rank: int
    name: str
    points: str
    state: str
    games: int = 0
    byes: int = 0
    leaving: str = "no"


class Encounter(ServerMessage, frozen=True, gc=False):
    """Two who meet in a round of a club event; game: their newest one; reason: how it was decided."""

    verb = "encounter"
    event: str
    round: int
    one: str
    two: str
    state: str
    game: str | None = None
    winner: str | None = None
    reason: str | None = None


class Rating(ServerMessage, frozen=True, gc=False):
    """One version on the standing ladder; `rank` 0 and elo None for who is not ranked.

    low and high: where its strength is, in Elo; forfeits are lost by forfeit, forfeited won by one; agent
    None is the version without a word.
    """

    verb = "rating"
    rank: int
    name: str
    elo: int | None
    low: int | None
    high: int | None
    games: int
    won: int
    drawn: int
    lost: int
    agent: str | None = None
    forfeits: int = 0
    forfeited: int = 0
    flagged: int = 0
    provisional: str = "no"
    anchor: str = "no"


class Versus(ServerMessage, frozen=True, gc=False):
    """What one version has done against another; the fields as in Rating."""

    verb = "versus"
    name: str
    enemy: str
    games: int
    won: int
    drawn: int
    lost: int
    agent: str | None = None
    enemy_agent: str | None = None
    forfeits: int = 0
    forfeited: int = 0
    flagged: int = 0


class HelpText(ServerMessage, frozen=True, gc=False):
    """One line of the answer to help."""

    verb = "help"
    text: str
