"""Every link in a page of the project that leads to a file of ours, or to a heading, arrives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "tyrusd", "clients", "plugins", "tests")
_FENCED = re.compile(r"^(```|~~~).*?^\1\s*$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"(`+).*?\1", re.DOTALL)
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_REFERENCE = re.compile(r"^\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def _pages() -> list[Path]:
    """The pages of the project; what tools put into folders of their own is none."""
    found = [page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md")]
    return sorted([*ROOT.glob("*.md"), *found])


def headings(text: str) -> set[str]:
    """The fragments that the headings of a page get: repeated ones are numbered."""
    found: set[str] = set()
    for heading in _HEADING.findall(_FENCED.sub("", text)):
        words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        plain = re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-")
        name = plain
        for number in range(1, 100):
            if name not in found:
                break
            name = f"{plain}-{number}"
        found.add(name)
    return found


def links(text: str) -> list[str]:
    """The targets of the links of a page, in code not counted."""
    prose = _CODE.sub("", _FENCED.sub("", text))
    return [*_LINK.findall(prose), *_REFERENCE.findall(prose)]


def dead_links(page: Path, text: str) -> Iterator[str]:
    """The links of a page that lead nowhere, each with what is wrong."""
    for link in links(text):
        if _ELSEWHERE.match(link):
            continue
        name, _, fragment = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists():
            yield f"{link}: there is no {target}"
        elif ROOT not in (target, *target.parents):
            yield f"{link}: leads out of the project"
        elif fragment and target.suffix == ".md":
            there = text if target == page else target.read_text("utf-8")
            if fragment not in headings(there):
                yield f"{link}: {target.name} has no heading of that name"


@pytest.mark.parametrize("page", _pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_arrives(page: Path) -> None:
    assert list(dead_links(page, page.read_text("utf-8"))) == []


def test_there_are_pages_and_links_in_them() -> None:
    pages = _pages()
    assert {ROOT / name for name in ("README.md", "protocol.md", "docs/rules.md")} <= set(pages)
    assert sum(len(links(page.read_text("utf-8"))) for page in pages) > 50


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[a](nowhere.md)", 1),
        ("[a](#no-such-heading)", 1),
        ("[a](docs/rules.md#no-such-heading)", 1),
        ("[a][b]\n\n[b]: nowhere.md\n", 1),
        ("[a](../../etc/passwd)", 1),
        ("# One, *two* & `three`\n\n[a](#one-two--three) [b](docs/rules.md) [c](docs) [d](https://x.y/z)", 0),
        ("# Twice\n\n# Twice\n\n[a](#twice-1)", 0),
        ("`[a](nowhere.md)`\n\n```\n[a](nowhere.md)\n# Not a heading\n```\n", 0),
        ("```\n# Not a heading\n```\n\n[a](#not-a-heading)", 1),
    ],
)
def test_the_check_finds_dead_links_and_no_others(text: str, found: int) -> None:
    assert len(list(dead_links(ROOT / "README.md", text))) == found
