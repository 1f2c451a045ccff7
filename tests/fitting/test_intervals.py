"""Tables of intervals: what is read, what is refused and where, what it is packed by and judged by."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemdsl
from smemdsl import ScenarioError, loads
from smemdsl.core.buffers import Buffer
from smemdsl.policies import pack
from tests.commands.running import run

SMALL = "id,lower,upper,size\n1,0,3,4\n2,3,9,4\n3,0,9,4\n4,9,21,4\n5,0,21,4\n"
"""Five buffers; at most three of them are live at once: 12 bytes do."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the small table under names with and without a capacity."""
    monkeypatch.chdir(tmp_path)
    for name in ("small.12.csv", "small.11.csv", "small.csv"):
        (tmp_path / name).write_text(SMALL, encoding="utf-8")
    return tmp_path


def problems(text: str) -> list[str]:
    """`line:column message` of everything that is wrong with a table."""
    with pytest.raises(ScenarioError) as caught:
        loads(text, "t.csv")
    return [f"{d.line}:{d.column} {d.message}" for d in caught.value.diagnostics]


def test_half_open() -> None:
    """A buffer that starts where another ends may take its place: three are live at once, never four."""
    plan = loads(SMALL, "a.csv").plan()
    assert (plan.policy, plan.packing.arena, plan.packing.proved) == ("optimal", 12, True)
    assert plan.lowered.buffers[0] == Buffer("1", 4, 1, 0, 3)


def test_alignment() -> None:
    """The fifth column is the alignment; without it a buffer may lie anywhere."""
    text = "id,lower,upper,size,alignment\na,0,2,5,1\nb,0,2,8,8\n"
    assert loads(text, "a.csv").plan().packing.arena == 13  # b at 0, a behind it
    assert loads(text.replace("8,8", "7,8").replace("5,1", "5,4"), "a.csv").plan().packing.arena == 13


@pytest.mark.parametrize(
    "text",
    [
        SMALL.replace("3,0,9,4\n", "\n\n3,0,9,4\n   \n"),
        SMALL.replace("\n", "\r\n"),
        "\n" + SMALL,
        "size, upper, lower, id\n4,3,0,1\n4,9,3,2\n 4,9,0,3\n4,21,9,4\n4,21,0,5",
        SMALL.replace("size\n", "size,offset\n").replace(",4\n", ",4,77\n"),
        SMALL.replace("3,0,9", '"3",0,9'),
    ],
)
def test_the_same_table(text: str) -> None:
    """Blank lines, ends of lines, blanks, the order of columns and given offsets change nothing."""
    expected = loads(SMALL, "a.csv").plan().lowered.buffers
    assert sorted(loads(text, "a.csv").plan().lowered.buffers) == sorted(expected)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("6,0,3", "4:1 3 fields, where 4 are named above"),
        ("6,0,3,4,5", "4:1 5 fields, where 4 are named above"),
        ("6,x,3,4", "4:3 lower is 'x', not a whole number of 0 or more and below 2^63"),
        ("6,-1,3,4", "4:3 lower is '-1', not a whole number of 0 or more and below 2^63"),
        ("6,0,3.0,4", "4:5 upper is '3.0', not a whole number of 0 or more and below 2^63"),
        ("6,0,3,", "4:7 size is empty"),
        (f"6,0,3,{2**63}", f"4:7 size is '{2**63}', not a whole number of 0 or more and below 2^63"),
        ("6,3,3,4", "4:5 upper is 3, but must be above lower, 3"),
        ("1,0,3,4", "4:1 id 1 stands in line 2 already"),
        (",0,3,4", "4:1 the id is empty, or cannot be printed"),
    ],
)  # fmt: skip
def test_bad_rows(row: str, expected: str) -> None:
    """A bad row is an error at its line and field, also behind a blank line."""
    assert problems(f"id,lower,upper,size\n1,0,3,4\n\n{row}\n7,0,3,4\n") == [expected]


def test_all_that_is_wrong() -> None:
    """Every bad row is told, and the first line first."""
    assert [line.split()[0] for line in problems("id,lower,upper,size\nx\n1,5,4,1\n2,a,b,c\n")] == [
        "2:1", "3:5", "4:3", "4:5", "4:7",
    ]  # fmt: skip
    assert problems("id,lower,upper,sise\n1,0,3,4\n") == [
        "1:16 unknown column 'sise'",
        "1:1 there is no column size",
    ]
    assert problems("id,id,lower,upper,size\n") == ["1:4 the column 'id' stands here twice"]
    assert problems("1,0,3,4\n2,0,3,4\n")[-1] == "1:1 there is no column id, lower, upper, size"
    assert problems("id,lower,upper,size,alignment\n1,0,3,4,12\n2,0,3,4,0\n3,0,3,4,\n") == [
        "2:9 alignment is 12, but must be a power of two",
        "3:9 alignment is 0, but must be a power of two",
        "4:9 alignment is empty",
    ]
    assert problems("")[-1] == "1:1 there is no column id, lower, upper, size"


def test_capacity_in_the_name(folder: Path) -> None:
    """NAME.CAPACITY.csv is judged by its capacity, 1 where it does not fit; --budget comes first."""
    done = run("pack", "small.12.csv")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("small (small.12.csv), policy optimal\n")
    assert "12 B (0.012 KiB) of 12 B (0.012 KiB), 100 %" in done.out
    assert run("pack", "small.11.csv").code == 1
    assert run("pack", "small.11.csv", "--budget", "12").code == 0
    assert run("pack", "small.11.csv", "--budget", "12", "--policy", "sequential").code == 1


def test_without_a_capacity(folder: Path) -> None:
    """Without a capacity the sum of the sizes is the budget, and a note says so; also on standard input."""
    done = run("pack", "small.csv")
    assert (done.code, "of 20 B" in done.out) == (0, True)
    why = "names no capacity (NAME.CAPACITY.csv), so the sum of its sizes is the budget: give --budget"
    note = f"note: {{}} {why}\n"
    assert done.err == note.format("small.csv")
    assert run("pack", "-", stdin=SMALL.encode()).err == note.format("<stdin>")
    assert run("pack", "small.csv", "--budget", "12").err == ""


def test_json(folder: Path) -> None:
    """Offsets, bound and proof as data, rows in the order of the file."""
    (result,) = json.loads(run("pack", "small.12.csv", "--format", "json").out)["results"]
    assert (result["policy"], result["lower_bound_bytes"], result["proved"]) == ("optimal", 12, True)
    assert [buffer["name"] for buffer in result["buffers"]] == list("12345")


def test_a_finding_points_at_the_row(folder: Path) -> None:
    """What is over budget is told at the line of the largest buffer at the peak."""
    (folder / "big.9.csv").write_text("id,lower,upper,size\n\na,0,2,4\nb,0,2,6\n", encoding="utf-8")
    out = run("check", "big.9.csv", "--format", "concise").out
    assert re.match(r"big\.9\.csv:4:1: error\[over-budget\] big takes 10 of 9 B", out)


def test_expand(folder: Path) -> None:
    """A table as a scenario file packs to the same arena."""
    text = run("expand", "small.12.csv").out
    assert loads(text).check().arena_bytes == 12


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(1, 9), st.integers(0, 50), st.sampled_from([1, 2, 16])),
        max_size=8,
    )
)
def test_round_trip(rows: list[tuple[int, int, int, int]]) -> None:
    """Every table gives its buffers, with the arena that they have."""
    buffers = [Buffer(f"n{i}", size, a, start, start + n) for i, (start, n, size, a) in enumerate(rows)]
    lines = [f"{b.name},{b.start},{b.end},{b.bytes},{b.align}" for b in buffers]
    plan = smemdsl.loads("\n".join(["id,lower,upper,size,alignment", *lines]), "a.csv").plan()
    assert list(plan.lowered.buffers) == buffers
    assert plan.packing == pack("optimal", buffers, 1)
