"""The configuration: every value has one place where it comes from, and all that is wrong is told at once."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from tyrusd.core.settings import DEFAULTS, Settings
from tyrusd.host.configuration.keys import BY_PATH, KEYS, NO_KEYS, TABLES
from tyrusd.host.configuration.kinds import Choice, Flag, Number, Whole
from tyrusd.host.configuration.lines import lines_of
from tyrusd.host.configuration.reading import LARGEST, Configuration, ConfigurationError, read_configuration


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tyrusd.toml"


def read(file: Path, text: str, environment: dict[str, str] | None = None, **options: Any) -> Configuration:
    file.write_text(text, "utf-8")
    return read_configuration(file, environment or {}, options)


def problems(file: Path, text: str, environment: dict[str, str] | None = None) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        read(file, text, environment)
    return caught.value.problems


def test_without_anything_the_defaults_are_those_of_the_core() -> None:
    found = read_configuration(None, {}, {})
    assert found.settings() == DEFAULTS
    assert {value.origin for value in found.values.values()} == {"default"}


def test_every_limit_of_the_core_is_a_key() -> None:
    set_by = [field for key in KEYS for field in key.settings]
    assert sorted([*set_by, *NO_KEYS]) == sorted(field.name for field in fields(Settings))
    assert len(BY_PATH) == len(KEYS) == len({key.variable for key in KEYS})
    assert [key.table for key in KEYS] == sorted((key.table for key in KEYS), key=TABLES.index)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_each_default_is_allowed_and_each_edge_is_sharp(key: Any, file: Path) -> None:
    kind = key.kind
    if isinstance(kind, Whole | Number):
        assert key.default is None or kind.take(key.default) == key.default
        step = 1 if isinstance(kind, Whole) else 0.001
        for value in (kind.low, kind.high):
            assert kind.take(value) == value == kind.read(f"{value:.12g}")
        wrong: tuple[Any, ...] = (
            kind.low - step,
            kind.high + step,
            "7",
            True,
            None,
            [1],
            float("nan"),
            float("inf"),
        )
        for value in wrong:
            with pytest.raises(ValueError, match=f"wants {kind.allowed}, not "):
                kind.take(value)
        for text in ("", " 7", "+7", "1_0", "7e1", "0x1", "-1", "\u0661", "true"):
            with pytest.raises(ValueError, match="wants "):
                kind.read(text)
    elif isinstance(kind, Choice | Flag):
        assert kind.take(key.default) == key.default
        for other in ("", "yes", 1, None):
            with pytest.raises(ValueError, match="wants "):
                kind.take(other)


def test_a_file_is_read_and_each_value_tells_its_line(file: Path) -> None:
    text = (
        '# A club\n[server]\nhosts = [\n  "127.0.0.1",\n]\nport = 0\n\n[limits]\nlisted = 20\n'
        'stall = 7\nopen-hosts = []\n[bots.house]\nweak = "plugin:random"\n'
    )
    found = read(file, text)
    assert (found["server.hosts"], found["server.port"], found["limits.listed"]) == (("127.0.0.1",), 0, 20)
    assert found["bots.house"] == {"weak": "plugin:random"}
    assert found.places["bots.house"] == {"weak": f"{file}, line 13"}
    origins = {path: value.origin for path, value in found.values.items() if value.origin != "default"}
    lines = {"server.hosts": 3, "server.port": 6, "limits.listed": 9, "limits.stall": 10}
    lines |= {"limits.open-hosts": 11, "bots.house": 12}
    assert origins == {path: f"{file}, line {line}" for path, line in lines.items()}
    settings = found.settings()
    assert (settings.listed, settings.stall, settings.open_hosts) == (20, 7.0, frozenset())
    assert isinstance(settings.stall, float)


def test_row_57_everything_that_is_wrong_is_told_with_its_line_and_what_is_allowed(file: Path) -> None:
    text = (
        '[server]\nport = 70000\nhots = 1\n\n[limits]\nlisted = "many"\nlistd = 3\nstall = nan\n'
        '[log]\nlevel = "loud"\n[bots.house]\nroot = "plugin:random"\ncleo = "tcp:x"\nabe = 3\n'
        "[tsl]\n"
    )
    found = problems(file, text, {"TYRUSD_SERVER_PORT": "x", "TYRUSD_LIMITS_LISTD": "3", "TYRUSD_OTHER": ""})
    starts = [
        f"{file}, line 2: [server] port wants a whole number from 0 to 65535, not 70000",
        f"{file}, line 3: [server] hots is not known; there are hosts, port, data, allow-plaintext, drain",
        f"{file}, line 6: [limits] listed wants a whole number from 1 to 100000, not 'many'",
        f"{file}, line 7: [limits] listd is not known; perhaps listed; `tyrusd config` lists all",
        f"{file}, line 8: [limits] stall wants a number from 2 to 3600, not nan",
        f"{file}, line 10: [log] level wants one of 'debug', 'info', 'warning', 'error', not 'loud'",
        f"{file}, line 12: [bots.house] root is no name for a bot: ",
        f"{file}, line 13: [bots.house] cleo wants plugin: or exec:, not 'tcp:x'",
        f"{file}, line 14: [bots.house] abe wants a seat as text in quotes, not 3",
        f"{file}, line 15: tsl is not known; there are the tables "
        "[server], [log], [bots], [lobby], [ladder], [metrics], [tls], [limits]",
        "the variable TYRUSD_LIMITS_LISTD of the environment is not known; perhaps TYRUSD_LIMITS_LISTED",
        "the variable TYRUSD_SERVER_PORT of the environment wants a whole number from 0 to 65535, not 'x'",
    ]
    assert len(found) == len(starts)
    for sentence, start in zip(found, starts, strict=True):
        assert sentence.startswith(start)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ('cleo = "tcp:x"', "cleo wants plugin: or exec:, not 'tcp:x'"),
        ("cleo = 3", "cleo wants a seat as text in quotes, not 3"),
        ('cleo = "greedy"', "cleo wants a seat: "),
        ('Ada = "plugin:a"\nada = "plugin:b"', "ada is there twice"),
    ],
)
def test_a_bot_that_is_wrong_is_named_with_its_line(file: Path, entry: str, sentence: str) -> None:
    (found,) = problems(file, f"[bots.house]\n{entry}")
    line = 2 + entry.count("\n")
    assert found.startswith(f"{file}, line {line}: [bots.house] {sentence}")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"[server\n", "line 1: this is no TOML: Expected ']'"),
        (b"[server]\nport = 3\nhosts = [\n\n", "line 3: this is no TOML: "),
        (b"[server]\nport = 1\nport = 2\n", "line 3: this is no TOML: Cannot overwrite a value at column 9"),
        (b"[server]\nport = \xff\n", "line 2: a byte that is no UTF-8"),
        (b"#" * (LARGEST + 1), f"it is larger than {LARGEST} bytes"),
        (b"a = " + b"[" * 20_000, "is no TOML: "),
        (b"server = 3\n", "line 1: server is a table: write [server] on a line of its own"),
    ],
)
def test_row_57_a_file_that_cannot_be_read_is_told(file: Path, data: bytes, sentence: str) -> None:
    file.write_bytes(data)
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(file, {}, {})
    assert len(caught.value.problems) == 1
    assert str(file) in caught.value.problems[0] and sentence in caught.value.problems[0]


def test_row_57_a_missing_file_is_told(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none.toml", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(ConfigurationError) as caught:
            read_configuration(path, {}, {})
        assert caught.value.problems[0].startswith(f"{path} cannot be read: {why}")


def test_what_was_typed_wins_over_the_environment_and_that_over_the_file(file: Path) -> None:
    text = "[limits]\nlisted = 11\nown-results = 12\n[server]\nport = 13\n[lobby]\nguests = false\n"
    environment = {
        "TYRUSD_LIMITS_OWN_RESULTS": "22", "TYRUSD_SERVER_PORT": "23", "TYRUSD_SERVER_HOSTS": "::1, 10.0.0.1",
        "TYRUSD_LOBBY_GUESTS": "true", "TYRUSD_BOTS_HOUSE": "abe=plugin:random\nbea=exec:bot --fast",
        "TYRUSD_FULL_SIZE": "1",
    }  # fmt: skip
    found = read(file, text, environment, **{"server.port": 33})
    values = {path: tuple(found.values[path]) for path in ("limits.listed", "limits.own-results")}
    assert values == {
        "limits.listed": (11, f"{file}, line 2"), "limits.own-results": (22, "TYRUSD_LIMITS_OWN_RESULTS")
    }  # fmt: skip
    assert tuple(found.values["server.port"]) == (33, "--port")
    assert found["server.hosts"] == ("::1", "10.0.0.1") and found["lobby.guests"] is True
    assert found["bots.house"] == {"abe": "plugin:random", "bea": "exec:bot --fast"}


def test_bots_that_are_typed_stand_beside_those_of_the_file(file: Path) -> None:
    text = '[bots.house]\nweak = "plugin:random"\nstrong = "plugin:greedy"\n'
    found = read(file, text, **{"bots.house": {"Weak": "plugin:cautious"}})
    assert found["bots.house"] == {"strong": "plugin:greedy", "Weak": "plugin:cautious"}
    assert found.places["bots.house"] == {"strong": f"{file}, line 3", "Weak": "--bot"}
    assert found.values["bots.house"].origin == f"{file}, line 1 and --bot"


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("listed = 204", None),
        ("listed = 205", "at most 204 lines, or at least 65600 bytes"),
        ("listed = 205\noutput-base = 65600", None),
        ("log-page = 32768", None),
        ("log-page = 32769", "at most 32768"),
        ("stall = 2", None),
        ("stall = 2\nheartbeat = 1.001", "at least 2.002 s"),
    ],
)
def test_values_that_contradict_each_other_are_told(file: Path, text: str, allowed: str | None) -> None:
    if allowed is None:
        read(file, f"[limits]\n{text}\n")
    else:
        (found,) = problems(file, f"[limits]\n{text}\n")
        assert found.endswith(f"allowed are {allowed}") and f"{file}, line 2" in found


def test_the_lines_of_keys_are_found_however_they_are_written() -> None:
    text = (
        'top = 1\n"quoted key" = """\n[server]\nport = 2\n"""\n\n[a.b]\nc.d = [\n  1,\n  # ]\n  2,\n]\n'
        "e = {f = 1}\n[[list]]\ng = '''\ne = 3'''\n[[list]]\ng = 4\n[ spaced . out ]\n"
    )
    assert lines_of(text) == {
        ("top",): 1, ("quoted key",): 2, ("a",): 7, ("a", "b"): 7, ("a", "b", "c"): 8,
        ("a", "b", "c", "d"): 8, ("a", "b", "e"): 13, ("a", "b", "e", "f"): 13, ("list",): 14,
        ("list", "g"): 15, ("spaced",): 19, ("spaced", "out"): 19,
    }  # fmt: skip


def test_what_is_wrong_cannot_drive_a_terminal(file: Path) -> None:
    found = problems(file, '[server]\n"\\u001b[2J" = 1\ndata = 1\n', {"TYRUSD_SERVER_PORT": "\x1b[2J"})
    assert not any("\x1b" in sentence for sentence in found) and len(found) == 3


# -- the standing ladder -----------------------------------------------------------------------------------


def test_a_ladder_is_configured_in_a_file_in_the_environment_and_by_what_is_typed(file: Path) -> None:
    text = '[ladder]\non = true\nclock = "60+0.5"\n[ladder.anchors]\nrandom = 0\ngreedy = -300\n'
    found = read(file, text)
    assert (found["ladder.on"], found["ladder.clock"]) == (True, "60+0.5")
    assert found["ladder.anchors"] == {"random": 0, "greedy": -300}
    assert found.places["ladder.anchors"] == {"random": f"{file}, line 5", "greedy": f"{file}, line 6"}
    environment = {"TYRUSD_LADDER_ON": "false", "TYRUSD_LADDER_CLOCK": "5+0", "TYRUSD_LADDER_ANCHORS": "a=-7"}
    found = read(file, text, environment)
    assert [found[f"ladder.{name}"] for name in ("on", "clock", "anchors")] == [False, "5+0", {"a": -7}]
    assert found.places["ladder.anchors"] == {"a": "TYRUSD_LADDER_ANCHORS"}
    typed: dict[str, Any] = {"ladder.anchors": {"Random": 5}}
    found = read(file, text, **typed)
    assert found["ladder.anchors"] == {"greedy": -300, "Random": 5}
    assert found.values["ladder.anchors"].origin == f"{file}, line 4 and --anchor"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('on = "yes"', "[ladder] on wants true or false, not 'yes'"),
        ('clock = "fast"', "[ladder] clock wants a BASE+INC in seconds as text in quotes, as in "),
        ('clock = "none"', "[ladder] clock wants a BASE+INC in seconds as text in quotes, as in "),
        ('clock = "0+0"', "[ladder] clock wants a BASE+INC in seconds as text in quotes, as in "),
        ("clock = 60", "[ladder] clock wants a BASE+INC in seconds as text in quotes, as in "),
        (
            "anchors = 3",
            "[ladder] anchors wants a table of house bots, each NAME = ELO, a whole number from ",
        ),
        (
            "anchors.random = 0.5",
            "[ladder.anchors] random wants a whole number from -10000 to 10000, not 0.5",
        ),
        ("anchors.random = true", "[ladder.anchors] random wants a whole number from -10000 to 10000, not "),
        ("anchors.random = -10001", "[ladder.anchors] random wants a whole number from -10000 to 10000, not"),
        ("anchors.start = 0", "[ladder.anchors] start is no name for a bot: start is a word of the protocol"),
        ("anchors.a = 0\nanchors.A = 1", "[ladder.anchors] A is there twice: names must differ in more than"),
        ("anker = 0", "[ladder] anker is not known; there are on, clock, anchors"),
    ],
)
def test_what_is_wrong_with_a_ladder_is_told_with_its_line(file: Path, line: str, sentence: str) -> None:
    [problem] = problems(file, f"[ladder]\n{line}\n")
    assert problem.startswith(f"{file}, line {2 + line.count(chr(10))}: {sentence}")


@pytest.mark.parametrize(
    ("variable", "text", "sentence"),
    [
        ("ANCHORS", "random", "wants one NAME=ELO a line, not 'random'"),
        ("ANCHORS", "random=1e3", "wants one NAME=ELO a line, not 'random=1e3'"),
        ("ANCHORS", "random=1\nrandom=2", "random is there twice"),
        ("ANCHORS", "random=99999", "random wants a whole number from -10000 to 10000, not 99999"),
        ("CLOCK", "", "wants a BASE+INC in seconds"),
    ],
)
def test_what_is_wrong_with_a_ladder_of_the_environment_is_told(
    file: Path, variable: str, text: str, sentence: str
) -> None:
    [problem] = problems(file, "", {f"TYRUSD_LADDER_{variable}": text})
    assert f"TYRUSD_LADDER_{variable}" in problem and sentence in problem
