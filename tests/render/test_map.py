"""The map of an arena: every block where it lies, within the columns that there are."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl import load, loads
from smemdsl.api import Scenario
from smemdsl.output.formats.color import StyledText, highlight
from smemdsl.output.formats.diagnostics import display_width
from smemdsl.output.map import ASCII, LINES, UNICODE, Style, memory_map
from smemdsl.output.picture import FREE, grid_of

EPILOGUE = """\
          slots, not to scale; ┊ marks a span where nothing starts or ends
          9       10                    ┊                    57            59
                   ▼ peak, slot 10
  0.0 KiB ┌──────────────────────────────────────────────────┬──────────────┐ ┐
          │                                                  │              │ │
          │                                                  │   C_shared   │ │
          │                                                  │              │ │
 32.0 KiB │                     A_shared                     ├──────────────┤ │1
          │                                                  │░░░░░░░░░░░░░░│ │
          │                                                  │░░░░░░░░░░░░░░│ │
          │                                                  │░░░░░░░░░░░░░░│ │
 64.0 KiB ├───────┬──────────────────────────────────────────┤░░░░░░░░░░░░░░│ ┘
          │░░░░░░░│                                          │░░░░░░░░░░░░░░│
          │░░░░░░░│                                          │░░░░░░░░░░░░░░│
          │░░░░░░░│                 B_shared                 │░░░░░░░░░░░░░░│
          │░░░░░░░│                                          │░░░░░░░░░░░░░░│
          │░░░░░░░│                                          │░░░░░░░░░░░░░░│
          │░░░░░░░│                                          │░░░░░░░░░░░░░░│
128.0 KiB └───────┴──────────────────────────────────────────┴──────────────┘
          ┊ 99.0 KiB left
227.0 KiB ══ sm_90 ══════════════════════════════════════════════════════════
          ░░ free
          │1 share storage: A_shared, C_shared"""


def drawn(
    scenario: Scenario, width: int = 80, style: Style = UNICODE, budgets: Sequence[str] = ()
) -> StyledText:
    """The map of a scenario with its default parameters, on one budget or several."""
    return memory_map(scenario.verdicts(budgets), width, style)


def test_blocks_lie_where_the_table_says() -> None:
    """A at 0 over [9, 57), C at 0 over [57, 59), B at 64 KiB over [10, 57): drawn so, with all around it."""
    assert memory_map([load("builtin:epilogue").check(num_stages=4, budget="sm_90")], 80) == EPILOGUE


@pytest.mark.parametrize("width", [80, 132, 200])
def test_a_map_grows_with_the_terminal(width: int) -> None:
    """The budget's line, which is as wide as the map, ends where the bracket of what is shared begins."""
    shown = memory_map([load("builtin:epilogue").check(num_stages=4, budget="sm_90")], width)
    (line,) = (line for line in shown.splitlines() if " sm_90 ═" in line)
    assert len(line) == width - len(" │1")


def test_the_budget_is_a_line_where_it_cuts_the_arena() -> None:
    """An arena over its budget has a line at the budget's end, and words for it: 128 - 99 = 29 KiB."""
    lines = memory_map([load("builtin:epilogue").check(num_stages=4, budget="sm_89")], 80).splitlines()
    (edge,) = (line for line in lines if line.startswith(" 99.0 KiB"))
    assert edge.startswith(" 99.0 KiB ══ sm_89 ═══")
    assert "          ══ sm_89 ends here: 29.0 KiB too much" in lines


def test_every_budget_is_a_line() -> None:
    """One within the arena, one at its end, one above; two of the same size have one line."""
    text = "smemdsl: 1\nbuffers: {a: {bytes: 2048}}"
    lines = drawn(loads(text), 60, budgets=["1 KiB", "2 KiB", "2048", "4 KiB"]).splitlines()
    assert [line.split()[0] for line in lines if line.endswith("═══")] == ["1.0", "2.0", "4.0"]
    assert any("══ 2 KiB, 2048 ══" in line for line in lines)
    assert any(line.endswith("┊ 2.0 KiB left") for line in lines)


def test_a_budget_that_static_bytes_use_up() -> None:
    """4 KiB of which 5 are taken outside the arena: no line of the map, but words."""
    text = "smemdsl: 1\nbudget: 4 KiB\nstatic: 5120\nbuffers: {a: {bytes: 1024}}"
    assert "4 KiB ends before the arena begins: 2.0 KiB too much" in drawn(loads(text))


def test_a_request_that_is_too_much() -> None:
    """The arena fits and the launch asks for more than there is: the words say so."""
    text = "smemdsl: 1\nbudget: 4 KiB\nrequest: 5120\nbuffers: {a: {bytes: 1024}}"
    assert "1.0 KiB more is requested" in drawn(loads(text))


def test_ascii_has_no_other_characters() -> None:
    """A terminal without Unicode gets a map of the same shape in ASCII, whatever the buffers are called."""
    verdicts = load("builtin:epilogue").verdicts(["sm_90"])
    plain, shown = memory_map(verdicts, 80, ASCII), memory_map(verdicts, 80, UNICODE)
    assert plain.isascii()
    assert list(map(len, plain.splitlines())) == list(map(len, shown.splitlines()))
    assert "????" in drawn(loads("smemdsl: 1\nbuffers: {缓冲区甲: {bytes: 16}}"), style=ASCII)


def test_what_cannot_be_drawn_is_said() -> None:
    """Too few columns, too many buffers, and an empty arena are told in a line."""
    assert drawn(load("builtin:epilogue"), 12) == ("no map: it needs 20 columns, not 12")
    assert drawn(loads("smemdsl: 1\nbuffers: {}")) == "no map: nothing lies in the arena"
    many = scenario([(i, i + 1, 16) for i in range(101)])
    assert drawn(many, 400) == "no map: 101 buffers are more than a map can show"


@pytest.mark.parametrize("width", [24, 40, 60])
def test_words_are_wrapped(width: int) -> None:
    """In as few columns as it needs a map still says all that it says in many; none is wider."""
    shown = drawn(load("builtin:epilogue"), width)
    assert all(display_width(line) <= width for line in shown.splitlines())
    words = " ".join(shown.split())
    assert "share storage: A_shared, C_shared" in words
    assert drawn(load("builtin:epilogue"), 19) == "no map: it needs 20 columns, not 19"


def test_colours_change_no_character() -> None:
    """Each buffer has a background of its own; without the colours the text is the same."""
    shown = drawn(load("builtin:epilogue"), budgets=["sm_75"])
    colours = highlight(shown)
    assert re.sub(r"\x1b\[[0-9;]*m", "", colours).split("\n") == shown.split("\n")
    backgrounds = set(re.findall(r"48;5;(\d+)m[^\x1b]*([ABC])_shared", colours))
    assert len({number for number, _ in backgrounds}) == len(backgrounds) == 3


@pytest.mark.parametrize(
    "name", ["缓冲区", "e\u0301te\u0301", "$x^2$", "<script>alert(1)</script>", "n" * 200, "OK"]
)
def test_names_move_nothing(name: str) -> None:
    """Beside a name that is wide, long, or has marks without a width, every wall stays where it is."""
    text = (
        f"smemdsl: 1\nbuffers: {{{name!r}: {{bytes: 1024, live: [0, 2]}}, b: {{bytes: 1024, live: [2, 4]}}}}"
    )
    walls = [
        [display_width(line[:i]) for i, char in enumerate(line) if char == "│"][:3]
        for line in drawn(loads(text)).splitlines()
        if line.count("│") >= 3
    ]
    assert len(walls) == LINES
    assert walls == [walls[0]] * LINES


def scenario(lives: list[tuple[int, int, int]], name: str = "b") -> Scenario:
    """Buffers of given start, end and bytes."""
    rows = "".join(
        f"  {name}{i}: {{bytes: {size}, live: [{s}, {e}]}}\n" for i, (s, e, size) in enumerate(lives)
    )
    return loads(f"smemdsl: 1\nalign: 16\nbuffers:\n{rows}")


LIVES = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 20), st.integers(1, 40)).map(
        lambda life: (life[0], life[0] + life[1], life[2] * 16)
    ),
    min_size=1,
    max_size=12,
)


@given(LIVES, st.integers(20, 160), st.sampled_from([UNICODE, ASCII]), st.sampled_from(["b", "缓b"]))
def test_a_map_keeps_to_its_columns(
    lives: list[tuple[int, int, int]], width: int, style: Style, name: str
) -> None:
    """No line is wider than the terminal."""
    shown = memory_map(scenario(lives, name).verdicts(["256", "4 KiB"]), width, style)
    assert all(display_width(line) <= max(width, 40) for line in shown.splitlines())


@given(LIVES)
def test_every_buffer_is_named(lives: list[tuple[int, int, int]]) -> None:
    """Where there is room, each name stands in the map as often as there are buffers of it: once."""
    shown = re.split(r"░░ free|│1 share", drawn(scenario(lives), 400))[0]
    assert sorted(re.findall(r"\bb\d+\b", shown)) == sorted(f"b{i}" for i in range(len(lives)))


@given(LIVES)
def test_the_grid_is_the_packing(lives: list[tuple[int, int, int]]) -> None:
    """Every cell belongs to the buffer that has its bytes in its slots, and to none where there is none."""
    plan = scenario(lives).plan()
    buffers, offsets = plan.lowered.buffers, plan.packing.offsets
    grid = grid_of(buffers, offsets, plan.packing.arena)
    for address, row in zip(grid.addresses, grid.owners, strict=False):
        for time, owner in zip(grid.times, row, strict=False):
            there = [
                i
                for i, (b, o) in enumerate(zip(buffers, offsets, strict=True))
                if b.start <= time < b.end and o <= address < o + b.bytes
            ]
            assert there == ([] if owner == FREE else [owner])
