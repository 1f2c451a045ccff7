"""The map of an arena: every block where it lies, within the columns that there are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from smemdsl import load, loads
from smemdsl.api import Scenario
from smemdsl.picture import FREE, grid_of
from smemdsl.render.diagnostics import display_width
from smemdsl.render.map import ASCII, UNICODE, memory_map

EPILOGUE = """\
  0.0 KiB ┌────────────┬──────────┐
          │            │          │
          │            │ C_shared │
          │            │          │
 32.0 KiB │  A_shared  ├──────────┤
          │            │··········│
          │            │··········│
          │            │··········│
 64.0 KiB ├─┬──────────┤··········│
          │·│          │··········│
          │·│          │··········│
          │·│ B_shared │··········│
          │·│          │··········│
          │·│          │··········│
          │·│          │··········│
128.0 KiB └─┴──────────┴──────────┘
          9 10         57         59
             ▲ peak, slot 10
          sm_90 ends 99.0 KiB above the arena"""


def test_blocks_lie_where_the_table_says() -> None:
    """A at 0 over [9, 57), C at 0 over [57, 59), B at 64 KiB over [10, 57): drawn so, the peak marked."""
    assert memory_map(load("builtin:epilogue").check(num_stages=4, budget="sm_90"), 80) == EPILOGUE


def test_the_budget_is_a_line_where_it_cuts_the_arena() -> None:
    """An arena over its budget has a line at the budget's end, and words for it."""
    lines = memory_map(load("builtin:epilogue").check(num_stages=4, budget="sm_89"), 80).splitlines()
    (edge,) = [line for line in lines if line.startswith(" 99.0 KiB")]
    assert edge.startswith(" 99.0 KiB ════")
    assert lines[-1].endswith("sm_89 ends here: the rest is too much")


def test_ascii_has_no_other_characters() -> None:
    """A terminal without Unicode gets a map of the same shape in ASCII."""
    verdict = load("builtin:epilogue").check(num_stages=4)
    plain, drawn = memory_map(verdict, 80, ASCII), memory_map(verdict, 80, UNICODE)
    assert plain.isascii()
    assert list(map(len, plain.splitlines())) == list(map(len, drawn.splitlines()))


def test_what_cannot_be_drawn_is_said() -> None:
    """Too few columns, too many buffers, and an empty arena are told in a line."""
    verdict = load("builtin:epilogue").check()
    assert memory_map(verdict, 12) == "no map: it needs more than 12 columns"
    empty = loads("smemdsl: 1\nbuffers: {}").check()
    assert memory_map(empty, 80) == "no map: nothing lies in the arena"
    many = scenario([(i, i + 1, 16) for i in range(101)])
    assert memory_map(many.check(), 400) == "no map: 101 buffers are more than a map can show"


def scenario(lives: list[tuple[int, int, int]]) -> Scenario:
    """Buffers of given start, end and bytes."""
    rows = "".join(f"  b{i}: {{bytes: {size}, live: [{s}, {e}]}}\n" for i, (s, e, size) in enumerate(lives))
    return loads(f"smemdsl: 1\nalign: 16\nbuffers:\n{rows}")


LIVES = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 20), st.integers(1, 40)).map(
        lambda life: (life[0], life[0] + life[1], life[2] * 16)
    ),
    min_size=1,
    max_size=12,
)


@given(LIVES, st.integers(40, 160))
def test_a_map_keeps_to_its_columns(lives: list[tuple[int, int, int]], width: int) -> None:
    """No line is wider than the terminal, but for the words below; every buffer's first letter is there."""
    shown = memory_map(scenario(lives).check(), width)
    if shown.startswith("no map"):
        return
    lines = shown.splitlines()
    drawn = lines[:-3]
    assert all(display_width(line) <= width for line in drawn)
    assert sum(line.count("b") for line in drawn) >= len(lives)


@given(LIVES)
def test_the_grid_is_the_packing(lives: list[tuple[int, int, int]]) -> None:
    """Every cell belongs to the buffer that has its bytes in its slots, and to none where there is none."""
    plan = scenario(lives).plan()
    buffers, offsets = plan.lowered.buffers, plan.packing.offsets
    grid = grid_of(buffers, offsets, plan.packing.arena, None)
    for address, row in zip(grid.addresses, grid.owners, strict=False):
        for time, owner in zip(grid.times, row, strict=False):
            there = [
                i
                for i, (b, o) in enumerate(zip(buffers, offsets, strict=True))
                if b.start <= time < b.end and o <= address < o + b.bytes
            ]
            assert there == ([] if owner == FREE else [owner])
