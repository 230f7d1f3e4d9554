"""Reads a page as strictly as no browser does: every tag closed in its place, every attribute looked at."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = frozenset({"meta", "input", "br", "hr"})


class Page(HTMLParser):
    """What a page consists of; AssertionError where its elements are not nested properly."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.styles: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == [], "elements that are never closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute twice in {tag}"
        self.elements.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag == "style":
            self.styles.append("")
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raise AssertionError(f"<{tag}/> is nothing in HTML")

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag, f"</{tag}> is out of place"

    def handle_data(self, data: str) -> None:
        inside = self._open[-1] if self._open else ""
        if inside == "script":
            attributes, before = self.scripts[-1]
            self.scripts[-1] = (attributes, before + data)
        elif inside == "style":
            self.styles[-1] += data
        else:
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data[:40]!r}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data[:40]!r}")

    @property
    def text(self) -> str:
        """All that is to be read."""
        return " ".join(self.texts)

    def all_of(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]

    def where(self, identity: str) -> tuple[str, dict[str, str | None]]:
        """The element with an id."""
        (found,) = [element for element in self.elements if element[1].get("id") == identity]
        return found
