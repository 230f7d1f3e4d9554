"""Reads the configuration: defaults, a TOML file, the environment, options; tells all that is wrong."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.host.configuration.keys import BY_PATH, KEYS, PREFIX, TABLES, Key
from tyrusd.host.configuration.kinds import EntriesError
from tyrusd.host.configuration.lines import lines_of
from tyrusd.host.logs import escaped

LARGEST: Final = 1 << 18  # bytes of a file
HOUSE: Final = "bots.house"
ANCHORS: Final = "ladder.anchors"
_NAMED: Final = (HOUSE, ANCHORS)  # tables of bots by their names
_FEW: Final = 12
_ALIKE: Final = 0.75  # from here on the name of a table counts as misspelt
_AT: Final = re.compile(r" \(at line ([0-9]+), column ([0-9]+)\)$")
_AT_END: Final = " (at end of document)"
_TLS: Final = ("tls.listen", "tls.certificate", "tls.key")
LISTED_LINE: Final = 320  # bytes; no line of who or games is longer


class Value(NamedTuple):
    """An effective value, and where it comes from: `default`, a file and line, a variable or an option."""

    value: Any
    origin: str


class Configuration:
    """The effective value of every key; places: where each bot of bots.house and ladder.anchors is named."""

    def __init__(self, values: Mapping[str, Value], places: Mapping[str, Mapping[str, str]]) -> None:
        self.values = dict(values)
        self.places = dict(places)

    def __getitem__(self, path: str) -> Any:
        """The value of a key, by its path such as `server.port`."""
        return self.values[path].value

    def settings(self) -> Settings:
        """The limits of the core."""
        found = {field: self[key.path] for key in KEYS for field in key.settings}
        found["open_hosts"] = frozenset(found["open_hosts"])
        return Settings(server=DEFAULTS.server, **found)

    def changes(self, other: Configuration) -> list[Key]:
        """The keys whose values differ in another configuration."""
        return [key for key in KEYS if self[key.path] != other[key.path]]


class ConfigurationError(ValueError):
    """The configuration cannot be used; problems has a sentence for everything that is wrong with it."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        many = f"{len(problems)} things are wrong" if len(problems) > 1 else "something is wrong"
        super().__init__("\n  ".join([f"the configuration cannot be used, {many}:", *problems]))


Check: TypeAlias = Callable[[Configuration, Collection[str]], Iterable[str]]


def read_configuration(
    file: Path | None,
    environment: Mapping[str, str],
    options: Mapping[str, Any],
    check: Check = lambda configuration, bad: (),
) -> Configuration:
    """The effective configuration; nothing but the file is opened, unless check does that.

    options: values by the path of their keys, checked by the command already. check: what else is wrong with
    a configuration in which the values of some keys were bad by themselves. Raises ConfigurationError, which
    has the sentences of all of these.
    """
    problems: list[str] = []
    bad: set[str] = set()
    values = {key.path: Value(key.default, "default") for key in KEYS}
    places: dict[str, dict[str, str]] = {path: {} for path in _NAMED}
    if file is not None:
        values.update(_from_file(file, problems, bad, places))
    from_environment = _from_environment(environment, problems, bad)
    values.update(from_environment)
    for path in _NAMED:
        if path in from_environment:
            places[path] = dict.fromkeys(values[path].value, values[path].origin)
    for path, value in options.items():
        origin = str(BY_PATH[path].option)
        if path in _NAMED:  # bots that are typed stand beside those of the file
            before, typed = values[path], {name.lower() for name in value}
            kept = {name: told for name, told in before.value.items() if name.lower() not in typed}
            places[path] = {name: places[path][name] for name in kept} | dict.fromkeys(value, origin)
            values[path] = Value(kept | value, f"{before.origin} and {origin}" if kept else origin)
        else:
            values[path] = Value(value, origin)
    configuration = Configuration(values, places)
    problems += _contradictions(values, bad)
    problems += check(configuration, bad)
    if problems:
        raise ConfigurationError(problems)
    return configuration


def _from_file(
    file: Path, problems: list[str], bad: set[str], places: dict[str, dict[str, str]]
) -> dict[str, Value]:
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        problems.append(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}")
        return {}
    if len(data) > LARGEST:
        problems.append(f"{file}: it is larger than {LARGEST} bytes")
        return {}
    try:
        text = data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.append(f"{file}, line {line}: a byte that is no UTF-8")
        return {}
    try:
        found = tomllib.loads(text)
        lines = lines_of(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        problems.append(_no_toml(file, text, error))
        return {}
    values = dict(_checked(file, found, lines, problems, bad))
    for path in set(_NAMED) & set(values):
        for name in values[path].value:
            at = lines.get((*path.split("."), name))
            places[path][name] = f"{file}, line {at}" if at else str(file)
    return values


def _no_toml(file: Path, text: str, error: Exception) -> str:
    """What the parser says, with the line first, as in every other sentence."""
    sentence = str(error)
    found = _AT.search(sentence)
    if found is not None:
        return f"{file}, line {found[1]}: this is no TOML: {sentence[: found.start()]} at column {found[2]}"
    if sentence.endswith(_AT_END):
        sentence = f"{sentence.removesuffix(_AT_END)} at the end of the file"
        return f"{file}, line {text.rstrip().count(chr(10)) + 1}: this is no TOML: {sentence}"
    return f"{file}: this is no TOML: {sentence}"


def _checked(
    file: Path,
    found: Mapping[str, Any],
    lines: Mapping[tuple[str, ...], int],
    problems: list[str],
    bad: set[str],
) -> Iterator[tuple[str, Value]]:
    def place(*path: str) -> str:
        line = lines.get(path)
        return str(file) if line is None else f"{file}, line {line}"

    for table, content in found.items():
        if table not in TABLES:
            known = ", ".join(f"[{name}]" for name in TABLES)
            problems.append(f"{place(table)}: {escaped(table)} is not known; there are the tables {known}")
            continue
        if not isinstance(content, dict):
            problems.append(f"{place(table)}: {table} is a table: write [{table}] on a line of its own")
            continue
        for name, value in content.items():
            key = BY_PATH.get(f"{table}.{name}")
            if key is None:
                known = _known(name, [key.name for key in KEYS if key.table == table])
                problems.append(f"{place(table, name)}: [{table}] {escaped(name)} is not known; {known}")
                continue
            try:
                yield key.path, Value(key.kind.take(value), place(table, name))
            except EntriesError as error:
                bad.add(key.path)
                for entry, sentence in error.faults:
                    where, what = place(table, name, entry), f"[{table}.{name}] {entry}"
                    problems.append(f"{where}: {escaped(what)} {escaped(sentence)}")
            except ValueError as error:
                bad.add(key.path)
                problems.append(f"{place(table, name)}: [{table}] {name} {escaped(str(error))}")


def _known(name: str, names: list[str], prefix: str = "") -> str:
    """What there is: all of a few, of many those that are spelt alike."""
    if len(names) <= _FEW:
        return f"there are {', '.join(f'{prefix}{known}' for known in names)}"
    alike = [f"{prefix}{known}" for known in get_close_matches(name, names)]
    return f"perhaps {' or '.join(alike)}; " * bool(alike) + "`tyrusd config` lists all"


def _from_environment(environment: Mapping[str, str], problems: list[str], bad: set[str]) -> dict[str, Value]:
    known = {key.variable: key for key in KEYS}
    ours = tuple(f"{PREFIX}{table.upper()}_" for table in TABLES)
    found = {}
    for variable, text in sorted(environment.items()):
        key = known.get(variable)
        if key is not None:
            try:
                found[key.path] = Value(key.kind.read(text), variable)
            except EntriesError as error:
                bad.add(key.path)
                for entry, sentence in error.faults:
                    where = f"the variable {variable} of the environment: {escaped(entry)}"
                    problems.append(f"{where} {escaped(sentence)}")
            except ValueError as error:
                bad.add(key.path)
                problems.append(f"the variable {variable} of the environment {escaped(str(error))}")
        elif variable.startswith(ours):
            prefix = next(prefix for prefix in ours if variable.startswith(prefix))
            names = [name.removeprefix(prefix) for name in known if name.startswith(prefix)]
            told = _known(variable.removeprefix(prefix), names, prefix)
            problems.append(f"the variable {escaped(variable)} of the environment is not known; {told}")
        elif variable.startswith(PREFIX):
            word = variable.removeprefix(PREFIX).partition("_")[0]
            tables = get_close_matches(word, [table.upper() for table in TABLES], cutoff=_ALIKE)
            if tables:
                problems.append(
                    f"the variable {escaped(variable)} of the environment is not known; perhaps it should "
                    f"begin with {PREFIX}{tables[0]}_"
                )
    return found


def _contradictions(values: Mapping[str, Value], bad: set[str]) -> Iterator[str]:
    """What each value allows alone, but not together with another; bad: keys that are told already."""
    for keys, sentence in _against_each_other(values):
        if not bad & set(keys):
            yield sentence


def _against_each_other(values: Mapping[str, Value]) -> Iterator[tuple[tuple[str, ...], str]]:
    given = [path for path in _TLS if values[path].value is not None]
    if given and len(given) < len(_TLS):
        missing = [path for path in _TLS if path not in given]
        where = ", ".join(dict.fromkeys(values[path].origin for path in given))
        yield _TLS, f"{' and '.join(given)} ({where}) wants {' and '.join(missing)} as well"
    listed, base = values["limits.listed"], values["limits.output-base"]
    if listed.value * LISTED_LINE > base.value:
        yield (
            ("limits.listed", "limits.output-base"),
            (
                f"limits.listed ({listed.value}, {listed.origin}) and limits.output-base ({base.value}, "
                f"{base.origin}): an answer of so many lines would not fit; allowed are at most "
                f"{base.value // LISTED_LINE} lines, or at least {listed.value * LISTED_LINE} bytes"
            ),
        )
    page = values["limits.log-page"]
    if page.value > base.value // 2:
        yield (
            ("limits.log-page", "limits.output-base"),
            (
                f"limits.log-page ({page.value}, {page.origin}) and limits.output-base ({base.value}, "
                f"{base.origin}): a page must fit into half of the output; allowed are at most "
                f"{base.value // 2}"
            ),
        )
    stall, beat = values["limits.stall"], values["limits.heartbeat"]
    if stall.value < 2 * beat.value:
        yield (
            ("limits.stall", "limits.heartbeat"),
            (
                f"limits.stall ({stall.value:g}, {stall.origin}) and limits.heartbeat ({beat.value:g}, "
                f"{beat.origin}): standing still must be more than two heartbeats; allowed are at least "
                f"{2 * beat.value:g} s"
            ),
        )
