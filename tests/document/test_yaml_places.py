"""Positions: of values, of keys, and of characters inside a scalar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.core.errors import DocPath, Fault
from smemdsl.source.document import Document, Position, locate, parse

TEXT = """\
base: &base
  align: 128
  shape: [1, two, 3]
buffers:
  A:
    <<: *base
    dtype: float16
  B: {<<: [{when: x}, *base], dtype: "a\\tb"}
日本: [é, tile]
"""


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ((), (1, 1, 1)),
        (("base",), (1, 7, 1)),
        (("base", "align"), (2, 10, 3)),
        (("base", "shape"), (3, 10, 1)),
        (("base", "shape", 1), (3, 14, 3)),
        (("buffers", "A"), (6, 5, 1)),
        (("buffers", "A", "dtype"), (7, 12, 7)),
        (("buffers", "A", "align"), (2, 10, 3)),
        (("buffers", "A", "shape", 2), (3, 19, 1)),
        (("buffers", "B", "when"), (8, 19, 1)),
        (("buffers", "B", "align"), (2, 10, 3)),
        (("buffers", "B", "dtype"), (8, 38, 6)),
        (("日本", 1), (9, 9, 4)),
        (("buffers", "C"), (5, 3, 1)),
        (("base", "shape", 7), (3, 10, 1)),
        (("base", "align", "deeper"), (2, 10, 3)),
    ],
)
def test_places_of_values(where: DocPath, expected: tuple[int, int, int]) -> None:
    """A value is found through merge keys too; for one that is not there, the nearest around it."""
    assert locate(TEXT, where) == Position(*expected)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ((), (1, 1, 1)),
        (("base",), (1, 1, 4)),
        (("buffers", "A"), (5, 3, 1)),
        (("buffers", "A", "align"), (2, 3, 5)),
        (("日本",), (9, 1, 2)),
        (("日本", 1), (9, 9, 4)),
        (("buffers", "A", "nothing"), (5, 3, 1)),
    ],
)
def test_places_of_keys(where: DocPath, expected: tuple[int, int, int]) -> None:
    """A key is found where it is spelt out; an item of a list is its own key."""
    assert locate(TEXT, where, on_key=True) == Position(*expected)


# In each text the fault is at the character X of the value of `k`.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k: 1 + X\n", (1, 8)),
        ("k: '1 + X'\n", (1, 9)),
        ('k: "1 + X"\n', (1, 9)),
        ("k: &anchor 1 + X\n", (1, 16)),
        ("k: !!str 1 + X\n", (1, 14)),
        ("日本: 1\nk: é日 X\n", (2, 7)),
        ("k: '日本X' # X\n", (1, 7)),
        ("k: |\n  1 +\n  X\n", (3, 3)),
        ("k: |-\n    1 + X\n", (2, 9)),
        ("k: |\n\n  1 +\n\n  2 + X\n", (5, 7)),
        ("k: >\n  1 + X\n", (2, 7)),
        ("k:\n  1 + X\n", (2, 7)),
        ('k: "1\\x20+ X"\n', (1, 4)),
        ("k: 'it''s X'\n", (1, 4)),
        ("k: 1 +\n  X\n", (1, 4)),
        ("k: >\n  1 +\n  X\n", (1, 4)),
    ],
)
def test_places_inside_a_scalar(text: str, expected: tuple[int, int]) -> None:
    """A character has its own place; in a scalar that is folded or has escapes it is the scalar's."""
    value = parse("f.yaml", text).value["k"]
    assert locate(text, ("k",), offset=value.index("X"))[:2] == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x85", "\u2028", "\u2029"])
def test_every_line_end_counts(end: str) -> None:
    """Lines are those of YAML, so that the place and the source line agree."""
    text = end.join(["a: 1", "b: 2", "# é", "c: X + 1", ""])
    document = parse("f.yaml", text)
    diagnostic = document.diagnose(Fault(("c",), "code", "message", offset=4))
    assert (diagnostic.line, diagnostic.column, diagnostic.source) == (4, 8, "c: X + 1")


def test_a_fault_at_a_flag_has_no_line() -> None:
    """What a flag said is not part of the file."""
    diagnostic = Document("f.yaml", "n: 1\n", {"n": 1}).diagnose(Fault(("--set", "n"), "code", "is bad"))
    assert (diagnostic.line, diagnostic.message) == (None, "--set n: is bad")


def test_a_key_that_looks_like_a_flag_has_a_line() -> None:
    """A key may be written like a flag, and is still a fault of the file."""
    document = parse("f.yaml", "n: 1\n--set: 2\n")
    diagnostic = document.diagnose(Fault(("--set",), "code", "message", on_key=True))
    assert (diagnostic.line, diagnostic.column, diagnostic.length) == (2, 1, 5)


KEYS = st.text("abcé日", min_size=1, max_size=4)


@given(
    st.lists(st.tuples(KEYS, st.lists(KEYS, min_size=1, max_size=4)), min_size=1, unique_by=lambda x: x[0])
)
def test_what_is_located_is_there(entries: list[tuple[str, list[str]]]) -> None:
    """The text at the place of a key or of an item is that key or item."""
    text = "".join(f"{key}: [{', '.join(items)}]\n" for key, items in entries)
    lines = text.split("\n")

    def at(place: Position) -> str:
        return lines[place.line - 1][place.column - 1 : place.column - 1 + place.length]

    for key, items in entries:
        assert at(locate(text, (key,), on_key=True)) == key
        assert [at(locate(text, (key, i))) for i in range(len(items))] == items
