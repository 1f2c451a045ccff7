"""What the documentation says of the source: the picture of its rooms, and the map from features to tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.tools import feature_map, rooms
from docs.tools.rooms import Room, arrows, floors

NAMES = [(heading, name) for heading, names in feature_map.features().items() for name in names]


def house(**imports: str) -> dict[str, Room]:
    """Rooms and, in one text, what each imports."""
    return {name: Room(name, f"{name}.", frozenset(others.split())) for name, others in imports.items()}


def test_floors() -> None:
    """A room stands above the highest that it uses."""
    built = floors(house(cli="core judging", judging="core", core="", source="core"))
    assert [[room.name for room in level] for level in built] == [["core"], ["judging", "source"], ["cli"]]


def test_arrows_leave_out_what_follows() -> None:
    """An import that a chain of others stands for is not drawn."""
    found = arrows(house(cli="core judging", judging="core packing", packing="core", core=""))
    assert found == [("cli", "judging"), ("judging", "packing"), ("packing", "core")]


def test_the_picture_is_of_this_source() -> None:
    """`python -m docs.tools` would draw the same."""
    assert rooms.PICTURE.read_text(encoding="utf-8") == rooms.picture()


def test_at_most_twelve_floors() -> None:
    """A house that grows higher has lost its order."""
    assert len(floors(rooms.rooms())) <= 12


@pytest.mark.parametrize(("heading", "name"), NAMES, ids=[name for _, name in NAMES])
def test_every_feature_has_a_test(heading: str, name: str) -> None:
    """Some test names it."""
    assert feature_map.tests(name), f"{heading}: no test names {name}"


def test_the_map_lists_every_feature() -> None:
    """The page has a row for each, and every file it names is there."""
    text = feature_map.PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| (.*) \|$", text, re.MULTILINE)
    assert [name for name, _ in rows] == [name for _, name in NAMES]
    for path in {path for _, cell in rows for path in re.findall("`([^`]+)`", cell)}:
        assert (Path(__file__).parents[1] / path).is_file(), path
