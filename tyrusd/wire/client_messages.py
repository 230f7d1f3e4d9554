"""The messages a client sends, one frozen type per verb (protocol.md#client-messages)."""

from tyrusd.wire.base import ClientMessage, ServerMessage


class Hello(ClientMessage, frozen=True, gc=False):
    """Name oneself: the first line of a new connection."""

    verb = "hello"
    version: str
    name: str
    kind: str
    agent: str | None = None
    games: int = 1
    want: tuple[str, ...] = ()
    key: str | None = None

    def __repr__(self) -> str:
        key = "" if self.key is None else ", with a key"
        return f"<Hello {self.version} {self.name} {self.kind}{key}>"


class Resume(ClientMessage, frozen=True, gc=False):
    """Take over the seats of a lost connection: the first line instead of hello."""

    verb = "resume"
    secret: str

    def __repr__(self) -> str:
        return "<Resume>"  # nothing shows a secret


class Place(ClientMessage, frozen=True, gc=False):
    """Answer a request: put one tile of the hand into a building."""

    verb = "place"
    game: str
    request: int
    tile: str
    building: str


class Resign(ClientMessage, frozen=True, gc=False):
    """Give a game up."""

    verb = "resign"
    game: str


class Ping(ClientMessage, ServerMessage, frozen=True, gc=False):
    """Ask the other end for a pong; both directions (the server's has no tag)."""

    verb = "ping"
    word: str


class Pong(ClientMessage, ServerMessage, frozen=True, gc=False):
    """Answer a ping, repeating its word; both directions (the server's has no tag)."""

    verb = "pong"
    word: str


class Who(ClientMessage, frozen=True, gc=False):
    """Ask for the players who are here."""

    verb = "who"


class Games(ClientMessage, frozen=True, gc=False):
    """Ask for the running games."""

    verb = "games"


class Play(ClientMessage, frozen=True, gc=False):
    """Start a game with one named player; clock and cap in seconds as text, None for the server's default."""

    verb = "play"
    name: str
    side: str | None = None
    variant: str | None = None
    clock: str | None = None
    cap: str | None = None
    deal: str | None = None
    rated: str = "no"


class Seek(ClientMessage, frozen=True, gc=False):
    """Start a game with whoever seeks the same; fields as in Play."""

    verb = "seek"
    side: str | None = None
    variant: str | None = None
    clock: str | None = None
    cap: str | None = None
    deal: str | None = None
    rated: str = "no"


class Cancel(ClientMessage, frozen=True, gc=False):
    """Take one's seek back, or a challenge."""

    verb = "cancel"
    challenge: str | None = None


class Challenge(ClientMessage, frozen=True, gc=False):
    """Offer one player a game, or `rounds` games one after the other; the other fields as in Play."""

    verb = "challenge"
    name: str
    side: str | None = None
    variant: str | None = None
    clock: str | None = None
    cap: str | None = None
    deal: str | None = None
    rounds: int = 1
    rated: str = "no"


class Accept(ClientMessage, frozen=True, gc=False):
    """Begin the game that somebody offers."""

    verb = "accept"
    challenge: str


class Decline(ClientMessage, frozen=True, gc=False):
    """Refuse a game that somebody offers."""

    verb = "decline"
    challenge: str
    why: str = "no"


class Rematch(ClientMessage, frozen=True, gc=False):
    """Offer the opponent of a finished game another one, with the sides exchanged."""

    verb = "rematch"
    game: str


class Events(ClientMessage, frozen=True, gc=False):
    """Ask for the club events."""

    verb = "events"


class Join(ClientMessage, frozen=True, gc=False):
    """Enter a club event before it starts."""

    verb = "join"
    event: str


class Withdraw(ClientMessage, frozen=True, gc=False):
    """Leave a club event; from its start on, after the game that is being played."""

    verb = "withdraw"
    event: str


class Bracket(ClientMessage, frozen=True, gc=False):
    """Ask for the table and the encounters of a club event, of one round or of all."""

    verb = "bracket"
    event: str
    round: int | None = None


class Ladder(ClientMessage, frozen=True, gc=False):
    """Come onto the standing ladder or leave it; `games` at once, None for all that hello declared."""

    verb = "ladder"
    switch: str
    games: int | None = None


class Ratings(ClientMessage, frozen=True, gc=False):
    """Ask for the ratings of all versions, or for those of one account and whom they have met."""

    verb = "ratings"
    name: str | None = None


class Merge(ClientMessage, frozen=True, gc=False):
    """Have the games of one version of an account count for another; `-` is the version without a word."""

    verb = "merge"
    name: str
    old: str
    new: str


class Watch(ClientMessage, frozen=True, gc=False):
    """Become a spectator of a game."""

    verb = "watch"
    game: str


class Unwatch(ClientMessage, frozen=True, gc=False):
    """Stop watching a game."""

    verb = "unwatch"
    game: str


class Look(ClientMessage, frozen=True, gc=False):
    """Ask for a fresh snapshot of a game, and for one's open request in it once more."""

    verb = "look"
    game: str


class Results(ClientMessage, frozen=True, gc=False):
    """Ask for one's finished games, newest first: `max` of them, the first `start` left out (key `from`)."""

    verb = "results"
    max: int = 20
    start: int = 0


class Record(ClientMessage, frozen=True, gc=False):
    """Ask for everything of a finished game of one's own."""

    verb = "record"
    game: str


class Log(ClientMessage, frozen=True, gc=False):
    """Ask for the wire log of one's own seat, the first `start` lines left out (key `from`)."""

    verb = "log"
    game: str
    start: int = 0


class Why(ClientMessage, frozen=True, gc=False):
    """Ask why a game of one's own ended as it did."""

    verb = "why"
    game: str


class Check(ClientMessage, frozen=True, gc=False):
    """Have oneself checked, step by step, over this connection."""

    verb = "check"


class Help(ClientMessage, frozen=True, gc=False):
    """Ask for the list of verbs."""

    verb = "help"


class Quit(ClientMessage, frozen=True, gc=False):
    """Leave: everything already said is answered, then the connection ends."""

    verb = "quit"
