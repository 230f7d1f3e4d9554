"""Puts the page of a run together: one file that needs nothing else and asks nobody."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import NamedTuple

from tyrusd.screen.report.background import manifest, model
from tyrusd.screen.report.bots import endings, time_used
from tyrusd.screen.report.courses import pentanomial, ratings_over_games, test_course
from tyrusd.screen.report.crosstable import crosstable, cycles
from tyrusd.screen.report.event import tournament
from tyrusd.screen.report.facts import Facts
from tyrusd.screen.report.failing import failures
from tyrusd.screen.report.markup import Markup, join, short, tag
from tyrusd.screen.report.replays import replays
from tyrusd.screen.report.standings import overview, standings


class Assets(NamedTuple):
    """The texts of page.css, and of viewer.js and sorting.js, that lie beside this file."""

    style: str
    viewer: str
    sorting: str


_SECTIONS = (
    ("standings", "Standings", standings),
    ("tournament", "Tournament", tournament),
    ("sprt", "Sequential test", test_course),
    ("pairs", "Pairs", pentanomial),
    ("crosstable", "Crosstable", crosstable),
    ("progress", "Rating over games", ratings_over_games),
    ("cycles", "Non-transitivity", cycles),
    ("endings", "Endings", endings),
    ("time", "Time", time_used),
    ("failures", "Failures", failures),
    ("replay", "Games", replays),
    ("model", "Model", model),
    ("manifest", "What was played", manifest),
)


def report_page(facts: Facts, assets: Assets) -> str:
    """Return the page as one HTML text, the same for the same facts.

    Nothing in it can be loaded from elsewhere or run but its own style and scripts, whose hashes it names.
    """
    scripts = (assets.sorting, assets.viewer)
    made = [(identity, title, part(facts)) for identity, title, part in _SECTIONS]
    there = [(identity, title, part) for identity, title, part in made if part is not None]
    contents = tag("ul", *(tag("li", tag("a", title, href=f"#{identity}")) for identity, title, _ in there))
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy(assets.style, scripts)),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name_="referrer", content="no-referrer"),
        tag("title", f"{short(facts.title)}: Tyrus ladder"),
        Markup(f"<style>{assets.style}</style>"),
    )
    body = tag(
        "body",
        overview(facts),
        tag("nav", contents, aria_label="Contents"),
        tag("main", *(part for _, _, part in there)),
        join(Markup(f"<script>{script}</script>") for script in scripts),
    )
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def policy(style: str, scripts: tuple[str, ...]) -> str:
    """Return the policy under which a browser takes this style and these scripts, and loads nothing."""
    allowed = " ".join(map(_hash, scripts))
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {allowed}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"
