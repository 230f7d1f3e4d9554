"""One table that says how every message is laid out: core fields in order, keys, free text.

Both codecs and the tables of protocol.md follow from it; a new verb is a type in the message files and a
row here.
"""

from typing import Final

from tyrusd.wire import client_messages as client
from tyrusd.wire import fields as kinds
from tyrusd.wire import lobby_messages as lobby
from tyrusd.wire import server_messages as server
from tyrusd.wire.base import Message
from tyrusd.wire.fields import Kind
from tyrusd.wire.layout import Field, Key, Schema
from tyrusd.wire.layout import core as _core
from tyrusd.wire.layout import may as _may
from tyrusd.wire.layout import need as _need
from tyrusd.wire.layout import schema as _schema

_TAG: Final = _may("tag", kinds.TAG)
_TERMS: Final = (
    _may("side", kinds.SIDE),
    _may("variant", kinds.VARIANT),
    _may("clock", kinds.CLOCK),
    _may("cap", kinds.CAP),
    _may("deal", kinds.GAME),
    _may("rated", kinds.YES_NO, "no"),
)
_GAME: Final = _core("GAME", kinds.GAME)
_EVENT: Final = _core("EVENT", kinds.NAME)
_WORD: Final = _core("WORD", kinds.WORD)
_TIMES: Final = (_need("left", kinds.TIME), _need("time", kinds.TIME), _need("enemy-time", kinds.TIME))
_SCORE: Final = tuple(_need(name, kinds.NUMBER) for name in ("games", "won", "drawn", "lost"))
_FORFEITS: Final = tuple(_may(name, kinds.NUMBER, 0) for name in ("forfeits", "forfeited", "flagged"))
_COUNTS: Final = (
    "IVORY-VOTES IVORY-BLOCKS IVORY-COUNTERS IVORY-SCORE BROWN-VOTES BROWN-BLOCKS BROWN-COUNTERS BROWN-SCORE"
)


def _event(layout: str, *core_kinds: Kind) -> tuple[Field, ...]:
    return _core(f"GAME SEQ {layout}", kinds.GAME, kinds.NUMBER, *core_kinds)


_CLIENT_ROWS: Final = (
    _schema(
        client.Hello,
        _core("VERSION NAME KIND", kinds.VERSION, kinds.OWN_NAME, kinds.PLAYER_KIND),
        _may("agent", kinds.WORD),
        _may("games", kinds.COUNT, 1),
        _may("want", kinds.CAPABILITY_LIST, ()),
        _may("key", kinds.SECRET),
        _TAG,
    ),
    _schema(client.Resume, _core("SECRET", kinds.SECRET), _TAG),
    _schema(
        client.Place,
        _core("GAME REQUEST TILE BUILDING", kinds.GAME, kinds.NUMBER, kinds.TILE, kinds.BUILDING),
        _TAG,
    ),
    _schema(client.Resign, _GAME, _TAG),
    _schema(client.Ping, _WORD, _TAG),
    _schema(client.Pong, _WORD, _TAG),
    _schema(client.Who, (), _TAG),
    _schema(client.Games, (), _TAG),
    _schema(client.Play, _core("NAME", kinds.NAME), *_TERMS, _TAG),
    _schema(client.Seek, (), *_TERMS, _TAG),
    _schema(client.Cancel, (), _may("challenge", kinds.GAME), _TAG),
    _schema(client.Challenge, _core("NAME", kinds.NAME), *_TERMS, _may("rounds", kinds.COUNT, 1), _TAG),
    _schema(client.Accept, _core("CHALLENGE", kinds.GAME), _TAG),
    _schema(client.Decline, _core("CHALLENGE", kinds.GAME), _may("why", kinds.DECLINE, "no"), _TAG),
    _schema(client.Rematch, _GAME, _TAG),
    _schema(client.Events, (), _TAG),
    _schema(client.Join, _EVENT, _TAG),
    _schema(client.Withdraw, _EVENT, _TAG),
    _schema(client.Bracket, _EVENT, _may("round", kinds.COUNT), _TAG),
    _schema(client.Ladder, _core("SWITCH", kinds.SWITCH), _may("games", kinds.COUNT), _TAG),
    _schema(client.Ratings, (), _may("name", kinds.NAME), _TAG),
    _schema(client.Merge, _core("NAME OLD NEW", kinds.NAME, kinds.WORD, kinds.WORD), _TAG),
    _schema(client.Watch, _GAME, _TAG),
    _schema(client.Unwatch, _GAME, _TAG),
    _schema(client.Look, _GAME, _TAG),
    _schema(
        client.Results,
        (),
        _may("max", kinds.COUNT, 20),
        _may("from", kinds.NUMBER, 0, "start"),
        _TAG,
    ),
    _schema(client.Record, _GAME, _TAG),
    _schema(client.Log, _GAME, _may("from", kinds.NUMBER, 0, "start"), _TAG),
    _schema(client.Why, _GAME, _TAG),
    _schema(client.Check, (), _TAG),
    _schema(client.Help, (), _TAG),
    _schema(client.Quit, (), _TAG),
)

_SERVER_ROWS: Final = (
    _schema(
        server.Greeting,
        _core("VERSION SERVER", kinds.VERSION, kinds.WORD),
        _need("caps", kinds.CAPABILITY_LIST),
        _need("client-line", kinds.NUMBER),
        _need("server-line", kinds.NUMBER),
        _need("games", kinds.COUNT),
        _need("hello", kinds.NUMBER),
    ),
    _schema(
        server.Welcome,
        _core("NAME KIND", kinds.NAME, kinds.PLAYER_KIND),
        _need("secret", kinds.SECRET),
        _need("games", kinds.COUNT),
        _may("want", kinds.CAPABILITY_LIST, ()),
    ),
    _schema(server.Ok, (), _TAG, _may("re", kinds.VERB), _may("count", kinds.NUMBER)),
    _schema(
        server.Error,
        _core("CODE COST", kinds.ERROR_CODE, kinds.COST),
        _TAG,
        _may("re", kinds.VERB),
        _may("game", kinds.GAME),
        _may("request", kinds.NUMBER),
        _may("why", kinds.WORD),
        text=True,
    ),
    _schema(server.Bye, _core("REASON", kinds.GOODBYE), text=True),
    _schema(
        server.Notice,
        _core("CODE", kinds.NOTICE),
        _may("in", kinds.NUMBER, attribute="in_ms"),
        text=True,
    ),
    _schema(client.Ping, _WORD),
    _schema(client.Pong, _WORD),
    _schema(
        lobby.Player,
        _core("NAME KIND STATE", kinds.NAME, kinds.PLAYER_KIND, kinds.STATE),
        _may("games", kinds.NUMBER),
        _may("agent", kinds.WORD),
        *_TERMS,
        _may("ladder", kinds.YES_NO, "no"),
        text=True,
        textless=True,
    ),
    _schema(
        lobby.Table,
        _core("GAME IVORY BROWN ELECTION WON", kinds.GAME, kinds.NAME, kinds.NAME, kinds.ELECTION, kinds.WON),
        _may("variant", kinds.VARIANT),
        _may("rated", kinds.COUNTED, "no"),
    ),
    _schema(
        lobby.Offer,
        _core("CHALLENGE FROM-NAME TO-NAME", kinds.GAME, kinds.NAME, kinds.NAME),
        _need("variant", kinds.VARIANT),
        Key("in", "in_ms", kinds.NUMBER, required=True),
        _may("rounds", kinds.COUNT, 1),
        _may("side", kinds.SIDE),
        _may("clock", kinds.CLOCK),
        _may("cap", kinds.CAP),
        _may("deal", kinds.GAME),
        _may("rated", kinds.COUNTED, "no"),
    ),
    _schema(lobby.Accepted, _core("CHALLENGE GAME", kinds.GAME, kinds.GAME)),
    _schema(lobby.Declined, _core("CHALLENGE WHY", kinds.GAME, kinds.WHY_DECLINED)),
    _schema(
        lobby.EventState,
        _core("EVENT KIND STATE ENTRANTS", kinds.NAME, kinds.EVENT_KIND, kinds.EVENT_STATE, kinds.NUMBER),
        _may("variant", kinds.VARIANT),
        _may("clock", kinds.CLOCK),
        _may("cap", kinds.CAP),
        _may("round", kinds.NUMBER),
        _may("rounds", kinds.NUMBER),
        _may("champion", kinds.NAME),
        _may("finalist", kinds.NAME),
    ),
    _schema(
        lobby.Standing,
        _core(
            "EVENT RANK NAME POINTS STATE",
            kinds.NAME,
            kinds.NUMBER,
            kinds.NAME,
            kinds.POINTS,
            kinds.ENTRANT_STATE,
        ),
        _may("games", kinds.NUMBER, 0),
        _may("byes", kinds.NUMBER, 0),
        _may("leaving", kinds.YES_NO, "no"),
    ),
    _schema(
        lobby.Encounter,
        _core(
            "EVENT ROUND ONE TWO STATE",
            kinds.NAME,
            kinds.NUMBER,
            kinds.NAME,
            kinds.NAME,
            kinds.ENCOUNTER_STATE,
        ),
        _may("game", kinds.GAME),
        _may("winner", kinds.NAME),
        _may("reason", kinds.WORD),
    ),
    _schema(
        lobby.Rating,
        _core("RANK NAME ELO LOW HIGH", kinds.NUMBER, kinds.NAME, kinds.ELO, kinds.ELO, kinds.ELO),
        *_SCORE,
        _may("agent", kinds.WORD),
        *_FORFEITS,
        _may("provisional", kinds.YES_NO, "no"),
        _may("anchor", kinds.YES_NO, "no"),
    ),
    _schema(
        lobby.Versus,
        _core("NAME ENEMY", kinds.NAME, kinds.NAME),
        *_SCORE,
        _may("agent", kinds.WORD),
        _may("enemy-agent", kinds.WORD, attribute="enemy_agent"),
        *_FORFEITS,
    ),
    _schema(lobby.HelpText, (), text=True),
    _schema(
        server.Start,
        _core("GAME SIDE OWN ENEMY", kinds.GAME, kinds.SIDE, kinds.NAME, kinds.NAME),
        _need("variant", kinds.VARIANT),
        _need("clock", kinds.CLOCK),
        _need("cap", kinds.CAP),
        _need("enemy-clock", kinds.CLOCK),
        _need("enemy-cap", kinds.CAP),
        _need("lenient", kinds.LENIENT),
        _need("seed", kinds.SEED),
        _need("opener", kinds.SIDE),
        _may("ponder", kinds.SWITCH, "on"),
        _may("rated", kinds.COUNTED, "no"),
        text=True,
        textless=True,
    ),
    _schema(server.Choose, _core("GAME REQUEST", kinds.GAME, kinds.NUMBER), *_TIMES, view=True),
    _schema(
        server.Turn,
        _core(
            "GAME REQUEST LEFT TIME ENEMY-TIME", kinds.GAME, kinds.NUMBER, kinds.TIME, kinds.TIME, kinds.TIME
        ),
    ),
    _schema(
        server.Snapshot,
        _core("GAME SEQ", kinds.GAME, kinds.NUMBER),
        _need("ivory", kinds.NAME),
        _need("brown", kinds.NAME),
        _need("ivory-time", kinds.TIME),
        _need("brown-time", kinds.TIME),
        view=True,
    ),
    _schema(server.Election, _event("NUMBER KIND OPENER", kinds.ELECTION, kinds.ELECTED, kinds.SIDE)),
    _schema(
        server.Placed,
        _event(
            "SIDE ELECTION TURN BUILDING FACE",
            kinds.SIDE,
            kinds.ELECTION,
            kinds.TURN,
            kinds.BUILDING,
            kinds.FACE,
        ),
    ),
    _schema(server.Revealed, _event("BUILDING ENTRIES", kinds.BUILDING, kinds.ENTRIES)),
    _schema(
        server.Tallied,
        _event(
            f"NUMBER KIND WINNER {_COUNTS}",
            kinds.ELECTION,
            kinds.ELECTED,
            kinds.RESULT,
            *[kinds.NUMBER] * 8,
        ),
    ),
    _schema(server.Drew, _event("SIDE TILES", kinds.SIDE, kinds.THREE_FACES)),
    _schema(server.Remaining, _event("SIDE TILES", kinds.SIDE, kinds.THREE_FACES)),
    _schema(
        server.Over,
        _event("WINNER REASON", kinds.SIDE_OR_NONE, kinds.REASON),
        _may("detail", kinds.WORD),
        _may("next", kinds.GAME),
    ),
    _schema(server.Away, _core("GAME SIDE MS", kinds.GAME, kinds.SIDE, kinds.NUMBER)),
    _schema(server.Back, _core("GAME SIDE", kinds.GAME, kinds.SIDE)),
    _schema(
        server.Result,
        _core(
            "GAME SIDE ENEMY OUTCOME REASON", kinds.GAME, kinds.SIDE, kinds.NAME, kinds.OUTCOME, kinds.REASON
        ),
        _may("detail", kinds.WORD),
        _may("variant", kinds.VARIANT),
        _may("placed", kinds.NUMBER),
        _may("deal", kinds.GAME),
        _may("rated", kinds.COUNTED, "no"),
    ),
    _schema(
        server.Recorded,
        _core("GAME PART", kinds.GAME, kinds.PART),
        _may("variant", kinds.VARIANT),
        _may("cards", kinds.NINE_KINDS),
        _may("opener", kinds.SIDE),
        _may("side", kinds.SIDE),
        _may("name", kinds.NAME),
        _may("seed", kinds.SEED),
        _may("clock", kinds.CLOCK),
        _may("cap", kinds.CAP),
        _may("lenient", kinds.NUMBER),
        _may("tiles", kinds.THIRTY_TILES),
        _may("number", kinds.NUMBER),
        _may("tile", kinds.TILE),
        _may("building", kinds.BUILDING),
        _may("kind", kinds.ELECTED),
        _may("won", kinds.RESULT),
        _may("ivory", kinds.FOUR_SUMS),
        _may("brown", kinds.FOUR_SUMS),
        _may("winner", kinds.SIDE_OR_NONE),
        _may("reason", kinds.REASON),
        _may("detail", kinds.WORD),
        _may("spent", kinds.NUMBER),
    ),
    _schema(server.Logged, _core("MS DIRECTION", kinds.NUMBER, kinds.DIRECTION), text=True),
    _schema(
        server.Verdict,
        _core("GAME SIDE OUTCOME REASON", kinds.GAME, kinds.SIDE, kinds.OUTCOME, kinds.REASON),
        _may("detail", kinds.WORD),
        _may("request", kinds.NUMBER),
        _may("limit", kinds.NUMBER),
        _may("waited", kinds.NUMBER),
        _may("overrun", kinds.NUMBER),
        _may("time", kinds.NUMBER),
        _may("clock", kinds.CLOCK),
        _may("cap", kinds.CAP),
        _may("refused", kinds.NUMBER),
        _may("errors", kinds.NUMBER),
        _may("lines", kinds.NUMBER),
        _may("left-out", kinds.NUMBER, attribute="left_out"),
    ),
    _schema(server.Stderr, (), text=True),
    _schema(server.Reason, (), text=True),
    _schema(
        server.Checked,
        _core("NUMBER NAME FINDING", kinds.NUMBER, kinds.NAME, kinds.FINDING),
        _need("section", kinds.WORD),
        _need("of", kinds.NUMBER),
        text=True,
    ),
)

CLIENT_SCHEMAS: Final[dict[str, Schema]] = {row.type.verb: row for row in _CLIENT_ROWS}
SERVER_SCHEMAS: Final[dict[str, Schema]] = {row.type.verb: row for row in _SERVER_ROWS}

# Ping and pong are the same type in both directions; the client's row also has the tag.
SCHEMA_OF: Final[dict[type[Message], Schema]] = {row.type: row for row in _SERVER_ROWS + _CLIENT_ROWS}


def schema_of(message: Message) -> Schema:
    """Return the layout of a message; TypeError for anything else."""
    schema = SCHEMA_OF.get(type(message))
    if schema is None:
        raise TypeError(f"{type(message).__name__} is no message")
    return schema
