"""The messages the server sends, one frozen type per verb (protocol.md#server-messages).

Times are milliseconds; None stands for `none`. Optional fields are None when the line does not have them.
"""

from tyrusd.wire.base import ServerMessage


class Greeting(ServerMessage, frozen=True, gc=False):
    """The server's first line: protocol, server, capabilities and limits."""

    verb = "greeting"
    version: str
    server: str
    caps: tuple[str, ...]
    client_line: int
    server_line: int
    games: int
    hello: int


class Welcome(ServerMessage, frozen=True, gc=False):
    """The answer to hello and resume; `secret` is what a later resume needs."""

    verb = "welcome"
    name: str
    kind: str
    secret: str
    games: int
    want: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Welcome {self.name} {self.kind}>"  # nothing shows a secret


class Ok(ServerMessage, frozen=True, gc=False):
    """A line was accepted, or an asking line is completely answered."""

    verb = "ok"
    tag: str | None = None
    re: str | None = None
    count: int | None = None


class Error(ServerMessage, frozen=True, gc=False):
    """A line was refused; code and cost are those of the error table."""

    verb = "error"
    code: str
    cost: str
    text: str
    tag: str | None = None
    re: str | None = None
    game: str | None = None
    request: int | None = None
    why: str | None = None


class Bye(ServerMessage, frozen=True, gc=False):
    """The server's last line on this connection."""

    verb = "bye"
    reason: str
    text: str


class Notice(ServerMessage, frozen=True, gc=False):
    """Something to know that needs no answer; `in_ms` is the key `in`."""

    verb = "notice"
    code: str
    text: str
    in_ms: int | None = None


class Start(ServerMessage, frozen=True, gc=False):
    """A game begins; `lenient` None means any number of illegal placements.

    text: what a person may call the enemy, if that is the holder of an account.
    """

    verb = "start"
    game: str
    side: str
    own: str
    enemy: str
    variant: str
    clock: str
    cap: str
    enemy_clock: str
    enemy_cap: str
    lenient: int | None
    seed: str
    opener: str
    ponder: str = "on"
    rated: str = "no"
    text: str | None = None


class Choose(ServerMessage, frozen=True, gc=False):
    """A complete request: a placement is due; `view` is the sightline."""

    verb = "choose"
    game: str
    request: int
    left: int | None
    time: int | None
    enemy_time: int | None
    view: str


class Turn(ServerMessage, frozen=True, gc=False):
    """A short request, for seats that follow the events."""

    verb = "turn"
    game: str
    request: int
    left: int | None
    time: int | None
    enemy_time: int | None


class Snapshot(ServerMessage, frozen=True, gc=False):
    """Everything the receiver may know of a game after event `seq`; `view` is the sightline."""

    verb = "snapshot"
    game: str
    seq: int
    ivory: str
    brown: str
    ivory_time: int | None
    brown_time: int | None
    view: str


class Election(ServerMessage, frozen=True, gc=False):
    """Event: an election's card is turned up."""

    verb = "election"
    game: str
    seq: int
    number: int
    kind: str
    opener: str


class Placed(ServerMessage, frozen=True, gc=False):
    """Event: a tile was placed; `face` is ? for everybody but its owner."""

    verb = "placed"
    game: str
    seq: int
    side: str
    election: int
    turn: int
    building: str
    face: str


class Revealed(ServerMessage, frozen=True, gc=False):
    """Event: all tiles of one building are turned up and leave the board."""

    verb = "revealed"
    game: str
    seq: int
    building: str
    entries: str


class Tallied(ServerMessage, frozen=True, gc=False):
    """Event: an election is decided; `winner` N is a null election."""

    verb = "tallied"
    game: str
    seq: int
    number: int
    kind: str
    winner: str
    ivory_votes: int
    ivory_blocks: int
    ivory_counters: int
    ivory_score: int
    brown_votes: int
    brown_blocks: int
    brown_counters: int
    brown_score: int


class Drew(ServerMessage, frozen=True, gc=False):
    """Event: a side drew three tiles; only its owner sees which."""

    verb = "drew"
    game: str
    seq: int
    side: str
    tiles: str


class Remaining(ServerMessage, frozen=True, gc=False):
    """Event: a side's last three tiles are shown, because they decide."""

    verb = "remaining"
    game: str
    seq: int
    side: str
    tiles: str


class Over(ServerMessage, frozen=True, gc=False):
    """Event: the game ended; everybody who sees the game gets it, `next` is the game that follows."""

    verb = "over"
    game: str
    seq: int
    winner: str
    reason: str
    detail: str | None = None
    next: str | None = None


class Away(ServerMessage, frozen=True, gc=False):
    """A seat lost its connection; `ms` until the seat is lost."""

    verb = "away"
    game: str
    side: str
    ms: int


class Back(ServerMessage, frozen=True, gc=False):
    """A seat's player is back."""

    verb = "back"
    game: str
    side: str


class Result(ServerMessage, frozen=True, gc=False):
    """One line of the answer to results; `deal` is the game whose deal was repeated."""

    verb = "result"
    game: str
    side: str
    enemy: str
    outcome: str
    reason: str
    detail: str | None = None
    variant: str | None = None
    placed: int | None = None
    deal: str | None = None
    rated: str = "no"


class Recorded(ServerMessage, frozen=True, gc=False):
    """One item of the answer to record; which keys it has depends on its part."""

    verb = "recorded"
    game: str
    part: str
    variant: str | None = None
    cards: str | None = None
    opener: str | None = None
    side: str | None = None
    name: str | None = None
    seed: str | None = None
    clock: str | None = None
    cap: str | None = None
    lenient: int | None = None
    tiles: str | None = None
    number: int | None = None
    tile: str | None = None
    building: str | None = None
    kind: str | None = None
    won: str | None = None
    ivory: str | None = None
    brown: str | None = None
    winner: str | None = None
    reason: str | None = None
    detail: str | None = None
    spent: int | None = None


class Logged(ServerMessage, frozen=True, gc=False):
    """One line of a wire log; `ms` since the first request of the game."""

    verb = "logged"
    ms: int
    direction: str
    text: str


class Verdict(ServerMessage, frozen=True, gc=False):
    """The facts of the answer to why; times in ms, None for what does not apply."""

    verb = "verdict"
    game: str
    side: str
    outcome: str
    reason: str
    detail: str | None = None
    request: int | None = None
    limit: int | None = None
    waited: int | None = None
    overrun: int | None = None
    time: int | None = None
    clock: str | None = None
    cap: str | None = None
    refused: int | None = None
    errors: int | None = None
    lines: int | None = None
    left_out: int | None = None


class Stderr(ServerMessage, frozen=True, gc=False):
    """One of the last lines of a program's error output."""

    verb = "stderr"
    text: str


class Reason(ServerMessage, frozen=True, gc=False):
    """Why a game ended as it did, in words."""

    verb = "reason"
    text: str


class Checked(ServerMessage, frozen=True, gc=False):
    """What came of one step of a check; `section` is an anchor of protocol.md, `of` the number of steps."""

    verb = "checked"
    number: int
    name: str
    finding: str
    text: str
    section: str
    of: int
