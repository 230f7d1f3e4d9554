"""For each step a bot that is good but for what the step looks for."""

from __future__ import annotations

from tests.conformance.bots import Bot, Returning

ABSENT = "not in hand"


class Dumb(Bot):
    def on_greeting(self, words: list[str]) -> None:
        self.say("hello 0.1 tested bot", after=11)


class Human(Bot):
    hello = "hello 0.1 tested human games={games}"


class Buffered(Bot):
    """Keeps all answers back until its input ends."""

    def place(self, game: str, request: str, tile: str, building: str) -> None:
        self._held = f"place {game} {request} {tile} {building}"

    def input_ended(self) -> None:
        self.say(self._held)
        super().input_ended()


class Impatient(Bot):
    """Wants the greeting at once."""

    def read(self, data: bytes) -> None:
        if self.now - self.began > 0.3 and self.greeted_at is None:
            self.leave("exit status 1")
            return
        self.greeted_at = self.now
        super().read(data)


class OneRead(Bot):
    """Takes its first read for a line."""

    def read(self, data: bytes) -> None:
        if self.greeted_at is None and not data.endswith(b"\n"):
            self.leave("exit status 1")
        self.greeted_at = self.now
        super().read(data)


class StrictGreeting(Bot):
    def on_greeting(self, words: list[str]) -> None:
        known = ("caps", "client-line", "server-line", "games", "hello")
        if not all(word.partition("=")[0] in known for word in words[2:]):
            self.leave("exit status 1")
        super().on_greeting(words)


class ShortIds(Bot):
    def place(self, game: str, request: str, tile: str, building: str) -> None:
        super().place(game[:8], request, tile, building)


class Illegal(Bot):
    """Places what it has not got, in one step."""

    where = ""

    def decide(self, seen: dict[str, str]) -> tuple[str, str]:
        tile, building = super().decide(seen)
        if self.step == self.where and self.is_wrong(seen):
            hand = seen["hand"].split(",")
            tile = next(name for name in (f"S{number}" for number in range(1, 11)) if name not in hand)
        return tile, building

    def is_wrong(self, seen: dict[str, str]) -> bool:
        return True


def illegal(step: str) -> type[Illegal]:
    """A bot that places what it has not got in this step."""
    return type("Illegal", (Illegal,), {"where": step})


class OnlyBrown(Illegal):
    where = "as-ivory"


class LastLegal(Illegal):
    where = "legal"

    def is_wrong(self, seen: dict[str, str]) -> bool:
        return seen["election"] == "7"


class NineTiles(Illegal):
    """Thinks that a hand is never smaller than seven."""

    where = "last-election"

    def is_wrong(self, seen: dict[str, str]) -> bool:
        return seen["hand"].count(",") < 4


class ShortPong(Bot):
    def on_ping(self, words: list[str]) -> None:
        self.say(f"pong {words[0][:32]}")


class Busy(Bot):
    """Does not look at its input while it owes an answer, except to lose it."""

    def line(self, text: str) -> None:
        if text == "ping while-asked":
            return
        super().line(text)


class NeedsNumbers(Bot):
    key_it_reads = "left"

    def decide(self, seen: dict[str, str]) -> tuple[str, str]:
        if not seen[self.key_it_reads].isdigit():
            self.leave("exit status 1")
        return super().decide(seen)


class NoBank(Bot):
    def on_start(self, words: list[str]) -> None:
        if "clock=none" not in words:
            self.leave("exit status 1")


class Slow(Bot):
    """Thinks for 0.3 seconds, however little time there is."""

    def place(self, game: str, request: str, tile: str, building: str) -> None:
        self.say(f"place {game} {request} {tile} {building}", after=0.3)


class NoCarriageReturn(Bot):
    def read(self, data: bytes) -> None:
        if b"\r" in data:
            self.leave("exit status 1")
        super().read(data)


class OneByteAtATime(Bot):
    """Loses a line that comes in single bytes."""

    def read(self, data: bytes) -> None:
        if len(data) > 1 or self.step != "split":
            super().read(data)


class LineARead(Bot):
    """Takes each read for whole lines: the beginning of the next one is lost."""

    def read(self, data: bytes) -> None:
        if self.step == "together":
            data = data[: data.rfind(b"\n") + 1]
        super().read(data)


class Positional(Bot):
    def decide(self, seen: dict[str, str]) -> tuple[str, str]:
        own = [key for key in seen if key in ("left", "time", "side", "kind", "hand", "past")]
        if own[0] != "left":
            self.leave("exit status 1")
        return super().decide(seen)


class SmallBuffer(Bot):
    def line(self, text: str) -> None:
        super().line(text[:4000] if not text.startswith("choose") or len(text) <= 4000 else "cut")


class AnswersAll(Bot):
    """Answers what it does not know with a placement."""

    def line(self, text: str) -> None:
        if text.startswith("omen "):
            self.say(f"place {text.split(' ')[1]} 8 S1 IC")
        super().line(text)


class StrictKeys(Bot):
    verb = "start"

    def line(self, text: str) -> None:
        if text.startswith(f"{self.verb} ") and "mood=fine" in text:
            self.leave("exit status 1")
        super().line(text)


class StrictChoose(StrictKeys):
    verb = "choose"


class StrictReasons(Bot):
    def on_over(self, words: list[str]) -> None:
        if words[3] == "ides-of-march":
            self.leave("exit status 1")


class AnswersNotices(Bot):
    def on_notice(self, words: list[str]) -> None:
        if self.step == "notice":
            self.say("place c1 1 S1 IC")


class AnswersAway(Bot):
    def on_away(self, words: list[str]) -> None:
        self.say(f"place {words[0]} 16 S1 IC")


class LastRequestOnly(Bot):
    """Answers only the last request of what it has read."""

    def read(self, data: bytes) -> None:
        lines = data.split(b"\n")
        if data.count(b"choose ") > 1:
            lines = lines[-2:]
        super().read(b"\n".join(lines))


class OneGame(Bot):
    """Mixes its games up: it answers with the hand of the game that was begun last."""

    def decide(self, seen: dict[str, str]) -> tuple[str, str]:
        if self.step == "interleaved":
            self._hand = getattr(self, "_hand", seen["hand"].split(",")[0])
            return self._hand, seen["side"] + seen["kind"]
        return super().decide(seen)


class Eager(Bot):
    """Answers the request after next at once, too."""

    def place(self, game: str, request: str, tile: str, building: str) -> None:
        super().place(game, request, tile, building)
        if self.step == "unasked":
            self.say(f"place {game} {int(request) + 2} {tile} {building}", after=0.1)


class OnceOnly(Bot):
    """Answers no request twice."""

    def __init__(self) -> None:
        super().__init__()
        self._seen: set[tuple[str, str]] = set()

    def place(self, game: str, request: str, tile: str, building: str) -> None:
        if self.step == "asked-again" and (game, request) in self._seen:
            return
        self._seen.add((game, request))
        super().place(game, request, tile, building)


class GivesUpAtErrors(Bot):
    code = "illegal"

    def on_error(self, words: list[str]) -> None:
        if words[0] == self.code and self.step in ("illegal-retry", "stale"):
            self.leave("exit status 1")


class GivesUpAtStale(GivesUpAtErrors):
    code = "stale"


class OneGameOnly(Bot):
    """Ends after its first game."""

    def on_over(self, words: list[str]) -> None:
        if self.step == "next-game":
            self.leave()


class Hangs(Bot):
    """After a loss by time it waits for something, for ever."""

    def __init__(self) -> None:
        super().__init__()
        self._hung = False

    def on_over(self, words: list[str]) -> None:
        self._hung = self._hung or (words[3] == "timeout" and self.step == "after-forfeit")

    def on_choose(self, words: list[str]) -> None:
        if not self._hung:
            super().on_choose(words)


class ForgetsTheEnd(Illegal):
    where = "game-as-brown"

    def is_wrong(self, seen: dict[str, str]) -> bool:
        return seen["election"] == "3"


class BadStatus(Bot):
    def on_bye(self, words: list[str]) -> None:
        self.leave("exit status 3")


class LastWord(Bot):
    def on_bye(self, words: list[str]) -> None:
        self.say("pong thanks")
        super().on_bye(words)


class NoEnd(Bot):
    """Ends at a goodbye only."""

    def input_ended(self) -> None:
        pass


class Chatty(Bot):
    def place(self, game: str, request: str, tile: str, building: str) -> None:
        self.say("I think that this is good:")
        super().place(game, request, tile, building)


class WrongSecret(Returning):
    def on_greeting(self, words: list[str]) -> None:
        if "secret" in self.memory:
            self.say("resume wrong")
        else:
            super().on_greeting(words)


BAD: dict[str, type[Bot]] = {
    "start-up": Dumb,
    "hello": Human,
    "flush": Buffered,
    "greeting-late": Impatient,
    "greeting-pieces": OneRead,
    "greeting-keys": StrictGreeting,
    "ids": ShortIds,
    "legal": LastLegal,
    "as-ivory": OnlyBrown,
    "as-brown": illegal("as-brown"),
    "empty-past": illegal("empty-past"),
    "long-past": illegal("long-past"),
    "last-election": NineTiles,
    "replay-ties": illegal("replay-ties"),
    "ping": ShortPong,
    "ping-asked": Busy,
    "no-limit": NeedsNumbers,
    "bank": NoBank,
    "hurry": Slow,
    "crlf": NoCarriageReturn,
    "split": OneByteAtATime,
    "together": LineARead,
    "key-order": Positional,
    "longest-line": SmallBuffer,
    "unknown-type": AnswersAll,
    "start-keys": StrictKeys,
    "request-keys": StrictChoose,
    "unknown-words": StrictReasons,
    "notice": AnswersNotices,
    "away-back": AnswersAway,
    "several": LastRequestOnly,
    "interleaved": OneGame,
    "unasked": Eager,
    "asked-again": OnceOnly,
    "illegal-retry": GivesUpAtErrors,
    "stale": GivesUpAtStale,
    "next-game": OneGameOnly,
    "after-forfeit": Hangs,
    "game-as-ivory": illegal("game-as-ivory"),
    "game-as-brown": ForgetsTheEnd,
    "bye": BadStatus,
    "after-bye": LastWord,
    "end-of-input": NoEnd,
    "only-protocol": Chatty,
}
