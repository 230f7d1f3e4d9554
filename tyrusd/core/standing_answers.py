"""What a standing ladder answers: its ratings, and to those who want two versions to be one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Final

from tyrusd.core import standing_lines
from tyrusd.core.accounts import Account
from tyrusd.core.failures import Refused, refuse
from tyrusd.core.player import Player
from tyrusd.core.rated_games import agent_of
from tyrusd.core.requests import Answer, KeepMerge, MergeKept, MergeRefused
from tyrusd.core.session import Session
from tyrusd.core.verbs import Answered
from tyrusd.league.standing_rows import RatingTable
from tyrusd.wire import messages as wire

if TYPE_CHECKING:
    from tyrusd.core.lobby import Lobby
    from tyrusd.league.match import Match
    from tyrusd.league.rated import Rated

_NO_AGENT: Final = "-"


class Answers:
    """The verbs about the table, and the table: the newest ratings that the host has handed in."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self.table = RatingTable()
        self._merging: set[str] = set()
        self._begun: dict[str, dict[str | None, int]] = {}  # by lower-case name and agent: the first game
        self._unrated: set[str] = set()  # lower-case names whose first rated games are in no table yet

    def began(self, match: Match, rated: Rated) -> None:
        """Hear of a rated game that begins, or that goes on after a restart; its index row comes later."""
        for name, agent in zip(match.names, rated.agents(), strict=True):
            self._begun.setdefault(name.lower(), {}).setdefault(agent, match.number)

    def take(self, table: RatingTable) -> None:
        """Take newer ratings."""
        self.table = table
        self._unrated = {name for name in self._unrated if not table.has(name)}

    def played(self, names: Iterable[str]) -> None:
        """Hear of a rated game that is over: who played it is in a later table."""
        self._unrated |= {name.lower() for name in names if not self.table.has(name)}

    def ratings(self, session: Session, player: Player, message: wire.Ratings, now: float) -> int:
        """Tell the table, or what there is of one account."""
        most = self._lobby.server.settings.listed
        told: list[wire.Rating | wire.Versus]
        if message.name is None:
            told = [standing_lines.rating(row) for row in self.table.rows[: most + 1]]
        else:
            told = list(islice(standing_lines.account(self.table, message.name), most + 1))
        if not told and (self._unrated if message.name is None else message.name.lower() in self._unrated):
            seconds = self._lobby.server.settings.ladder_refit
            whose = "The rated games" if message.name is None else f"The rated games of {message.name}"
            when = f"those are worked out {seconds:g} s after a game; ask again then."
            raise Refused("unavailable", f"{whose} are not in the ratings yet: {when}")
        if message.name is not None and not told:
            raise Refused("no-player", f"No game of {message.name} is rated; `ratings` lists all versions.")
        if len(told) > most:
            session.counts.limits["listed"] += 1
        session.tell(told[:most])
        return len(told[:most])

    def merge(self, session: Session, player: Player, message: wire.Merge, now: float) -> None:
        """Have the games of one version count for another, once that is durable."""
        lobby = self._lobby
        account = lobby.admission.accounts.find(message.name)
        who = player.account
        mine = account is not None and who is not None and who.lower() in _masters(account)
        if account is None or who is None or not mine:
            raise Refused(
                "unavailable", f"Only {message.name} itself, with a key, or its owner merges these."
            )
        if account.kind != "bot":
            raise Refused("unavailable", f"{account.name} is no bot: it has one version.")
        old, new = (None if word == _NO_AGENT else word for word in (message.old, message.new))
        if old == new:
            raise Refused("unavailable", "That is one version already.")
        if lobby.server.closing_down.begun:
            raise Refused("shutdown", "The server is closing; merge when it is back.")
        if player.name in self._merging:
            raise Refused("unavailable", "Your last merge is not done yet; wait for its answer.")
        self._merging.add(player.name)
        number = lobby.server.next_request()
        lobby.server.ask(
            KeepMerge(
                number,
                account.name,
                old,
                new,
                who,
                self._is_here(account.name, new),
                tuple(self._begun.get(account.name.lower(), {}).items()),
            ),
            lambda answer, at: self._merged(answer, session, player.name, message, at),
        )
        raise Answered

    def _is_here(self, name: str, agent: str | None) -> bool:
        bot = self._lobby.server.players.get(name.lower())
        return bot is not None and bot.session is not None and agent_of(bot) == agent

    def _merged(self, answer: Answer, session: Session, name: str, message: wire.Merge, now: float) -> None:
        self._merging.discard(name)
        if session.closing or session.retired:
            return
        if isinstance(answer, MergeKept):
            session.send(wire.Ok(message.tag, message.verb))
        elif isinstance(answer, MergeRefused):
            refuse(session, message, "unavailable", answer.why, now)


def _masters(account: Account) -> set[str]:
    owner = () if account.owner is None else (account.owner.lower(),)
    return {account.name.lower(), *owner}
