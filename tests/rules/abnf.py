"""Turns a grammar in ABNF (the part of RFC 5234 and 7405 that our pages use) into a regular expression."""

import re

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<literal>(?:%[si])?"[^"]*") | %x(?P<low>[0-9A-F]+)-(?P<high>[0-9A-F]+) | (?P<repeat>\d*\*\d*)
    | (?P<name>[A-Za-z][A-Za-z0-9-]*) | (?P<mark>[()/\[\]])
    )""",
    re.VERBOSE,
)
_CORE = {"SP": " "}


def rules_of(grammar: str) -> dict[str, str]:
    """The rules by name, comments taken out, continuation lines joined."""
    rules: dict[str, str] = {}
    name = ""
    for line in grammar.splitlines():
        # A semicolon begins a comment, unless it stands between quotes.
        text = "".join(re.findall(r'^(?:"[^"]*"|[^";])*', line))
        head = re.match(r"^([a-z][a-z0-9-]*)\s*=\s*(.*)$", text)
        if head:
            name = head.group(1)
            rules[name] = head.group(2)
        elif text.strip():
            rules[name] += " " + text.strip()
    return rules


def pattern_of(grammar: str, start: str) -> str:
    """The regular expression of one rule; ValueError for anything this reader does not know."""
    rules = rules_of(grammar)

    def expand(text: str) -> str:
        found = ""
        repeat = ""
        position = 0
        text = text.rstrip()
        while position < len(text):
            token = _TOKEN.match(text, position)
            if token is None:
                raise ValueError(f"unknown grammar at {text[position:]!r}")
            position = token.end()
            if token["repeat"]:
                low, _, high = token["repeat"].partition("*")
                repeat = f"{{{low or 0},{high}}}"
                continue
            if token["mark"]:
                depth_mark = token["mark"]
                if depth_mark == "/":
                    found += "|"
                    continue
                end = _closing(text, position - 1)
                inner = f"(?:{expand(text[position:end])})" + ("?" if depth_mark == "[" else "")
                position = end + 1
            elif token["literal"]:
                word = token["literal"]
                sensitive = word.startswith("%s") or not re.search("[A-Za-z]", word)
                plain = re.escape(word[word.index('"') + 1 : -1])
                inner = plain if sensitive else f"(?i:{plain})"
            elif token["low"]:
                inner = f"[\\x{token['low']}-\\x{token['high']}]"
            else:
                inner = _CORE.get(token["name"]) or f"(?:{expand(rules[token['name']])})"
            found += f"(?:{inner}){repeat}" if repeat else inner
            repeat = ""
        return found

    return expand(rules[start])


def _closing(text: str, start: int) -> int:
    depth = 0
    for position in range(start, len(text)):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text[position], 0)
        if depth == 0:
            return position
    raise ValueError(f"no closing bracket in {text!r}")
