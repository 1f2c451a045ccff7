"""The rooms of the package and the imports between them, as a picture: `docs/images/rooms.svg`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from docs.tools.console import ROOT

PACKAGE = ROOT / "smemdsl"
PICTURE = ROOT / "docs" / "images" / "rooms.svg"
_ASIDE = ("__init__", "_version", "__main__")
"""Names and start-up: every picture of a package has them, and they hide what matters."""
_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 196, 88, 22, 40, 20
_LINE, _FONT = 33, "system-ui, -apple-system, 'Segoe UI', sans-serif"


class Room(NamedTuple):
    """A folder, or a loose module, of the package."""

    name: str
    summary: str
    """The first line of its docstring."""
    imports: frozenset[str]
    """Rooms that it imports from."""


def rooms() -> dict[str, Room]:
    """Every room by its name, as the source has it now."""
    imports: dict[str, set[str]] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        room = _room(file)
        imports.setdefault(room, set()).update(_imported(ast.parse(file.read_text(encoding="utf-8"))))
    names = imports.keys() - set(_ASIDE)
    return {
        name: Room(name, _summary(name), frozenset(imports[name] & names - {name})) for name in sorted(names)
    }


def _room(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "smemdsl":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("smemdsl."):
            yield str(node.module).split(".")[1]
        elif isinstance(node, ast.Constant) and re.fullmatch(r"smemdsl(\.\w+)+", str(node.value)):
            yield str(node.value).split(".")[1]  # a table of modules that are imported by name
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("smemdsl."))


def _summary(name: str) -> str:
    folder = PACKAGE / name
    file = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    return (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def floors(house: dict[str, Room]) -> list[list[Room]]:
    """The rooms from the bottom up: each stands one floor above the highest that it imports from.

    Raises:
        graphlib.CycleError: rooms import each other in a circle.
    """
    floor: dict[str, int] = {}
    for name in TopologicalSorter({name: room.imports for name, room in house.items()}).static_order():
        floor[name] = 1 + max((floor[other] for other in house[name].imports), default=-1)
    return [[house[n] for n in house if floor[n] == level] for level in range(max(floor.values()) + 1)]


def arrows(house: dict[str, Room]) -> list[tuple[str, str]]:
    """Imports that no chain of others stands for: the fewest arrows that say who may use whom."""
    reach: dict[str, set[str]] = {}
    for name in TopologicalSorter({name: room.imports for name, room in house.items()}).static_order():
        reach[name] = set().union(house[name].imports, *(reach[other] for other in house[name].imports))
    return [
        (name, other)
        for name, room in house.items()
        for other in sorted(room.imports)
        if not any(other in reach[via] for via in room.imports - {other})
    ]


def picture() -> str:
    """The picture, as SVG: users above what they use."""
    house = rooms()
    levels = floors(house)[::-1]
    widest = max(len(level) for level in levels)
    width = 2 * _MARGIN + widest * _WIDTH + (widest - 1) * _GAP_X
    height = 2 * _MARGIN + len(levels) * _HEIGHT + (len(levels) - 1) * _GAP_Y
    places: dict[str, tuple[float, float]] = {}
    for row, level in enumerate(levels):
        wide = len(level) * _WIDTH + (len(level) - 1) * _GAP_X
        for column, room in enumerate(level):
            left = (width - wide) / 2 + column * (_WIDTH + _GAP_X)
            places[room.name] = (left, _MARGIN + row * (_HEIGHT + _GAP_Y))
    lines = [_arrow(places[one], places[other]) for one, other in arrows(house)]
    boxes = [_box(room, *places[room.name]) for level in levels for room in level]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="{_FONT}" '
        'role="img" aria-label="The rooms of the package; each uses those below it">',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0L8 4L0 8z" fill="#5b7a83"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#fbfdfd"/>',
        *lines,
        *boxes,
        "</svg>\n",
    ])  # fmt: skip


def _arrow(user: tuple[float, float], used: tuple[float, float]) -> str:
    """A curve from the foot of one box to the head of another."""
    x, y = user[0] + _WIDTH / 2, user[1] + _HEIGHT
    to_x, to_y = used[0] + _WIDTH / 2, used[1] - 2
    bend = (to_y - y) / 2
    path = f"M{x:g} {y:g}C{x:g} {y + bend:g} {to_x:g} {to_y - bend:g} {to_x:g} {to_y:g}"
    return f'<path d="{path}" fill="none" stroke="#9db4ba" stroke-width="1.4" marker-end="url(#tip)"/>'


def _box(room: Room, left: float, top: float) -> str:
    """A room: its name, and what it is for in up to four lines."""
    lines = wrap(room.summary.rstrip("."), _LINE)[:4]
    words = "".join(
        f'<text x="{left + 10:g}" y="{top + 36 + 13 * number}" font-size="11" fill="#3d4f54">'
        f"{escape(line)}</text>"
        for number, line in enumerate(lines)
    )
    return (
        f'<rect x="{left:g}" y="{top}" width="{_WIDTH}" height="{_HEIGHT}" rx="6" fill="#e3f1f1" '
        'stroke="#3b8686"/>'
        f'<text x="{left + 10:g}" y="{top + 19}" font-size="14" font-weight="600" fill="#0f3d3e">'
        f"{escape(room.name)}</text>{words}"
    )


def write() -> None:
    """Draw the picture anew."""
    PICTURE.write_text(picture(), encoding="utf-8", newline="\n")
