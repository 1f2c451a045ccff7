"""Structure-aware mutations: a tree stays a tree, numbers become interesting ones, parts change places."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from benchmarks.fuzz.model import Tree

Path = tuple[Any, ...]
SCALARS: tuple[Any, ...] = (
    *(0, 1, 2, 3, 7, 16, 64, 128, 255, 1024, 4096, 65536, -1, 2**31, 2**40, 2**62, 2**63, 10**30),
    *(True, False, None, 1.5, "", "x", "2**62", "1 // 0", "a if", "9**9**9", "no", "float16", "int4", "f16"),
    *("sm_90a", "triton:sm_90", "sm_80", "h100", "100 KiB", "\x1b[2J", "=1+1", "a\nb", "\u202e", [], {}),
)


def paths(tree: Tree, here: Path = ()) -> Iterator[Path]:
    """Where every part of a tree is, the tree itself first."""
    yield here
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from paths(value, (*here, key))
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from paths(value, (*here, index))


def part(tree: Tree, path: Path) -> Tree:
    """The part that is there."""
    for step in path:
        tree = tree[step]
    return tree


def without(tree: Tree, path: Path) -> Tree:
    """A copy with that part left out."""
    copy = deepcopy(tree)
    del part(copy, path[:-1])[path[-1]]
    return copy


def replaced(tree: Tree, path: Path, value: Tree) -> Tree:
    """A copy with another part there."""
    if not path:
        return deepcopy(value)
    copy = deepcopy(tree)
    part(copy, path[:-1])[path[-1]] = deepcopy(value)
    return copy


def mutated(tree: Tree, others: tuple[Tree, ...], random: Random) -> Tree:
    """One to four changes; what is put in comes from this tree, from another, or from a list of scalars."""
    for _ in range(random.choice((1, 1, 1, 2, 2, 4))):
        tree = _once(tree, random.choice(others), random)
    return tree


def _once(tree: Tree, other: Tree, random: Random) -> Tree:  # noqa: PLR0911 - a way each
    listed = list(paths(tree))[1:]
    if not listed:
        return deepcopy(other)
    path = random.choice(listed)
    there = part(tree, path)
    way = random.randrange(10)
    if way == 0:
        return without(tree, path)
    if way == 1:
        return replaced(tree, path, part(tree, random.choice(listed)))
    if way == 2:
        return _beside(tree, path, random)
    if way == 3:
        return _grafted(tree, other, random)
    if isinstance(there, int) and not isinstance(there, bool) and way < 8:
        return replaced(tree, path, max(0, random.choice((there + 1, there - 1, there * 2, there // 2))))
    if isinstance(there, (dict, list)) and way < 9:
        return tree
    return replaced(tree, path, random.choice(SCALARS))


def _beside(tree: Tree, path: Path, random: Random) -> Tree:
    """A part twice: beside itself in a list, under another name in a mapping."""
    copy = deepcopy(tree)
    holder, twin = part(copy, path[:-1]), deepcopy(part(tree, path))
    if isinstance(holder, list):
        holder.insert(random.randrange(len(holder) + 1), twin)
    else:
        holder[f"{path[-1]}{random.choice((2, '_', 'x'))}"] = twin
    return copy


def _grafted(tree: Tree, other: Tree, random: Random) -> Tree:
    """A key of another scenario, at the top or in a buffer."""
    if not (isinstance(tree, dict) and isinstance(other, dict) and other):
        return tree
    copy = deepcopy(tree)
    key = random.choice(list(other))
    copy[key] = deepcopy(other[key])
    return copy
