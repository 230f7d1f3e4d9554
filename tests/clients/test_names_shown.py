"""What the client shows of display names, whatever a server says they are."""

from __future__ import annotations

import pytest

from tests.clients.test_client_messages import GREETING, WELCOME, Ear

START = (
    "start g1 I ann Bob variant=standard clock=none cap=none enemy-clock=none enemy-cap=none lenient=any "
    "seed=00000000000000000000000000000000 opener=B"
)


@pytest.fixture
def ear() -> Ear:
    return Ear(GREETING, WELCOME)


def test_who_shows_the_name_and_what_its_holder_is_called(ear: Ear) -> None:
    lines, _ = ear.hear("player Ada human free games=0 :Ада Лавлейс\n".encode())
    assert lines == ['  Ada (person, free) called "Ада Лавлейс"']
    lines, _ = ear.hear(b"player Ada human free games=0\n")
    assert lines == ["  Ada (person, free)"]


def test_a_game_that_begins_tells_whom_one_plays(ear: Ear) -> None:
    lines, _ = ear.hear(f"{START} :Боб 王\n".encode())
    assert 'Bob is called "Боб 王".' in lines
    lines, _ = Ear(GREETING, WELCOME).hear(f"{START}\n".encode())
    assert not any("called" in line for line in lines)


@pytest.mark.parametrize(
    ("display", "shown"),
    [
        ("\u202eada", "?ada"),
        ("a\u200bb", "a?b"),
        ("\u2066x\u2069", "?x?"),
        ('x" (bot, free)  "', "x' (bot, free)  '"),
        ("w" * 64, "w" * 29 + "..."),
        ("王" * 64, "王" * 14 + "..."),
    ],
)
def test_hostile_display_names_drive_no_terminal_and_look_like_nothing_else(
    ear: Ear, display: str, shown: str
) -> None:
    lines, _ = ear.hear(f"player Eve human free games=0 :{display}\n".encode())
    assert lines == [f'  Eve (person, free) called "{shown}"']
    lines, _ = ear.hear(f"{START} :{display}\n".encode())
    assert f'Bob is called "{shown}".' in lines


@pytest.mark.parametrize("display", ["\x1b[2J", "a\tb", "\x07", "\x9b2J"])
def test_control_bytes_never_get_so_far(ear: Ear, display: str) -> None:
    lines, _ = ear.hear(f"player Eve human free games=0 :{display}\n".encode())
    assert not any("called" in line for line in lines)
    assert not any(letter < " " or "\x7f" <= letter < "\xa0" for line in lines for letter in line)
