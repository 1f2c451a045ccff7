"""Single rules, on kernels made to tell them apart and compiled with TileLang 0.1.15."""

from __future__ import annotations

from typing import Any

import pytest

from smemdsl.compilers import lower
from smemdsl.core.errors import FaultError
from smemdsl.program.lowered import LoweredProgram
from smemdsl.program.provenance import explain, plain_loops
from smemdsl.program.statements import CompilerOptions, Program
from tests.program.program_vocabulary import declared, statements

HALF = {"shape": [64, 64], "dtype": "float16"}
DEFAULT = CompilerOptions()
SINGLE = {"shape": [64, 64], "dtype": "float32"}


def lowered(
    body: list[dict[str, Any]], buffers: dict[str, Any], target: str, options: CompilerOptions = DEFAULT
) -> LoweredProgram:
    """What a program becomes, with 128 threads."""
    tiles = tuple(declared(name, fields) for name, fields in buffers.items())
    return lower(Program(target, tiles, statements(body, ("program",)), 128, options))


def read(*names: str) -> dict[str, Any]:
    """A statement that only reads."""
    return {"compute": {"reads": list(names)}}


def pipelined(
    name: str, num_stages: int, body: list[dict[str, Any]], extent: int | str = 16
) -> dict[str, Any]:
    """A pipelined loop."""
    return {"loop": name, "extent": extent, "num_stages": num_stages, "body": body}


ELSEWHERE = {
    "nowhere else": ([], [], 3),
    "copied before": ([{"copy": "A"}], [], 1),
    "loaded before": ([{"load": "A"}], [], 1),
    "copied and read before": ([{"copy": "A"}, read("A")], [], 1),
    "written before": ([{"compute": {"writes": ["A"]}}], [], 1),
    "read after": ([], [read("A")], 1),
    "stored after": ([], [{"store": "A"}], 1),
    "copied and read after": ([], [{"copy": "A"}, read("A")], 1),
    "a second loop, 2": ([], [pipelined("j", 2, [{"copy": "A"}, read("A")])], 3),
    "a second loop, 3": ([], [pipelined("j", 3, [{"copy": "A"}, read("A")])], 3),
    "a second loop, 1": ([], [pipelined("j", 1, [{"copy": "A"}, read("A")])], 1),
}


@pytest.mark.parametrize("case", ELSEWHERE)
def test_a_buffer_touched_outside_its_pipelined_loop(case: str) -> None:
    """Sm_80: one version if some place sees one, else what the first loop needs."""
    before, after, expected = ELSEWHERE[case]
    loop = pipelined("k", 3, [{"copy": "A"}, {"copy": "B"}, read("A", "B")])
    found = lowered([*before, loop, *after], {"A": HALF, "B": HALF}, "sm_80").buffers
    assert [buffer.versions for buffer in found] == [expected, 3]


def test_an_if_with_an_empty_else_is_one_statement() -> None:
    """What `T.ws` encloses is planned as a whole, as compiled of a copying and a multiplying half."""
    gemm = {"gemm": {"a": "A", "b": "B", "m": 64, "n": 64, "k": 64}}
    halves: list[dict[str, Any]] = [
        {"if": [{"copy": "A"}, {"copy": "B"}], "else": []},
        {"if": [gemm], "else": []},
    ]
    found = lowered([pipelined("k", 2, halves)], {"A": HALF, "B": HALF}, "sm_90a", OFF)
    assert [(loop.stages, loop.order) for loop in found.loops] == [((0, 1), (0, 1))]
    assert [buffer.versions for buffer in found.buffers] == [2, 2]


def test_a_pipeline_in_a_pipeline_is_plain() -> None:
    """`inject-pipeline/prologue`: planning does not look into a loop that it plans."""
    inner = pipelined("k", 3, [{"copy": "A"}, {"copy": "B"}, read("A", "B")])
    body = [pipelined("i", 2, [{"copy": "C"}, inner, read("C")])]
    found = lowered(body, {"A": HALF, "B": HALF, "C": HALF}, "sm_80")
    assert {buffer.name: buffer.versions for buffer in found.buffers} == {"A": 1, "B": 1, "C": 2}
    assert [loop.pipelined for loop in found.loops] == [True, False]


TWO_LOOPS = [(2, 3, 2, 3), (4, 2, 4, 2), (3, 3, 3, 3), (2, 1, 1, 1), (1, 3, 1, 3)]


@pytest.mark.parametrize(("first", "second", "shared", "own"), TWO_LOOPS)
def test_a_buffer_of_two_loops_has_the_versions_of_the_first(
    first: int, second: int, shared: int, own: int
) -> None:
    """`inject-pipeline/versions` on sm_80: A is filled in both loops, C in the second alone."""
    loops = [
        pipelined("k", first, [{"copy": "A"}, {"copy": "B"}, read("A", "B")]),
        pipelined("j", second, [{"copy": "A"}, {"copy": "C"}, read("A", "C")]),
    ]
    found = lowered(loops, {"A": HALF, "B": HALF, "C": HALF}, "sm_80").buffers
    assert [buffer.versions for buffer in found] == [shared, first, own]


@pytest.mark.parametrize(("target", "first", "second"), [("sm_80", 2, 3), ("sm_80", 2, 1), ("sm_90a", 3, 3)])
def test_an_operand_of_two_loops_that_disagree_is_refused(target: str, first: int, second: int) -> None:
    """The compiler fails on it: its layout has the first number of versions, the loop another."""
    gemm = {"m": 64, "n": 64, "k": 64}
    loops = [
        pipelined("k", first, [{"copy": "A"}, {"copy": "B"}, {"gemm": {"a": "A", "b": "B", **gemm}}]),
        pipelined("j", second, [{"copy": "A"}, {"copy": "C"}, {"gemm": {"a": "A", "b": "C", **gemm}}]),
    ]
    with pytest.raises(FaultError, match="the compiler refuses it"):
        lowered(loops, {"A": HALF, "B": HALF, "C": HALF}, target)


@pytest.mark.parametrize("last", [read("A"), {"store": "A"}, {"compute": {"writes": ["A"]}}])
def test_a_versioned_buffer_after_a_split_loop_is_refused(last: dict[str, Any]) -> None:
    """In a warp-specialised kernel the compiler fails on any touch after the loop."""
    loop = pipelined("k", 3, [{"copy": "A"}, read("A")])
    with pytest.raises(FaultError, match="the compiler refuses it"):
        lowered([loop, last], {"A": HALF}, "sm_90a")


def scaling(*, is_global: bool) -> dict[str, Any]:
    """A dequantisation, with scales from global memory or without."""
    return {"compute": {"reads": ["A"], "writes": ["C"], "global": is_global}}


@pytest.mark.parametrize(
    ("target", "fill", "versions"),
    [
        ("sm_90a", scaling(is_global=True), 3),
        ("sm_90a", scaling(is_global=False), 1),
        ("sm_90a", {"loop": "i", "extent": 4, "body": [scaling(is_global=True)]}, 3),
        ("sm_90a", {"loop": "i", "extent": 4, "body": [scaling(is_global=False)]}, 1),
        ("sm_80", scaling(is_global=True), 1),
    ],
)
def test_what_fills_from_global_memory_in_part_has_versions(
    target: str, fill: dict[str, Any], versions: int
) -> None:
    """As compiled in `tests/oracle/kernels/fills.py`: only where warps are specialised."""
    loop = pipelined("k", 3, [{"copy": "A"}, {"copy": "B"}, fill, read("C", "B")])
    found = lowered([loop], {"A": HALF, "B": HALF, "C": HALF}, target).buffers
    assert [buffer.versions for buffer in found] == [3, 3, versions]


def test_one_stage_after_a_split_loop_keeps_its_versions() -> None:
    """A second loop with num_stages 1 sees the versions that the first made."""
    loops = [
        pipelined("k", 2, [{"copy": "A"}, {"copy": "B"}, read("A", "B")]),
        pipelined("j", 1, [{"copy": "A"}, {"copy": "C"}, read("A", "C")]),
    ]
    found = lowered(loops, {"A": HALF, "B": HALF, "C": HALF}, "sm_90a").buffers
    assert [buffer.versions for buffer in found] == [2, 2, 1]


ENDS: dict[str, dict[str, Any]] = {
    "store": {"store": "D"},
    "plain store": {"store": {"from": "D", "tma": False}},
    "reduction": {"atomic_add": {"from": "D", "tma": True}},
    "plain reduction": {"atomic_add": {"from": "D"}},
}
OFF, NO_TMA = CompilerOptions(warp_specialize=False), CompilerOptions(tma=False)
MERGING: list[tuple[str, CompilerOptions, str, bool, bool]] = [
    ("sm_90a", DEFAULT, "store", False, True),
    ("sm_90a", DEFAULT, "plain store", False, False),
    ("sm_90a", DEFAULT, "plain store", True, True),
    ("sm_90a", DEFAULT, "reduction", False, True),
    ("sm_90a", DEFAULT, "plain reduction", False, False),
    ("sm_90a", OFF, "store", False, True),
    ("sm_90a", OFF, "store", True, True),
    ("sm_90a", OFF, "plain store", True, False),
    ("sm_90a", OFF, "reduction", True, True),
    ("sm_90a", NO_TMA, "store", False, False),
    ("sm_90a", NO_TMA, "store", True, True),
    ("sm_90a", NO_TMA, "reduction", False, True),
    ("sm_90a", OFF._replace(tma=False), "store", True, False),
    ("sm_90a", OFF._replace(tma=False), "reduction", True, True),
    ("sm_80", DEFAULT, "store", False, False),
    ("sm_80", DEFAULT, "store", True, False),
]


@pytest.mark.parametrize(("target", "options", "end", "loop", "merged"), MERGING)
def test_an_if_is_one_slot_only_in_a_kernel_with_tma(
    target: str, options: CompilerOptions, end: str, loop: bool, merged: bool
) -> None:
    """The two copies under one `if` share a slot exactly where some statement is TMA."""
    body: list[dict[str, Any]] = [{"if": [{"copy": "A"}, {"load": "B"}]}]
    if loop:
        body.append(pipelined("k", 2, [{"copy": "C"}, read("C")], extent=8))
    body += [{"compute": {"writes": ["D"]}}, ENDS[end]]
    buffers = {"A": HALF, "B": HALF, "D": SINGLE} | ({"C": HALF} if loop else {})
    first, second = lowered(body, buffers, target, options).buffers[:2]
    assert (first.start == second.start) == merged


def test_rules_are_named_for_every_value() -> None:
    """Each buffer says which rule gave its versions, life and alignment, a workspace also why it is there."""
    gemm = {"gemm": {"a": "A", "b": "B", "m": 64, "n": 64, "k": 64}}
    reduce = {"reduce": {"cross_warp": True, "dtype": "float32"}}
    body = [pipelined("k", 2, [{"copy": "A"}, {"copy": "B"}, gemm]), reduce]
    reasons = explain(lowered(body, {"A": HALF, "B": HALF}, "sm_90a"))
    assert [(each.subject, each.about, each.value, each.why.rule) for each in reasons] == [
        ("A", "versions", "2", "inject-pipeline/versions"),
        ("A", "life", "[0, 2)", "warp-specialize/split"),
        ("A", "alignment", "1024", "merge-shared-memory/alignment"),
        ("B", "versions", "2", "inject-pipeline/versions"),
        ("B", "life", "[0, 2)", "warp-specialize/split"),
        ("B", "alignment", "1024", "merge-shared-memory/alignment"),
        ("workspace", "existence", "512 B", "lower-reduce/workspace"),
        ("workspace", "versions", "1", "lower-reduce/workspace"),
        ("workspace", "life", "[2, 3)", "lower-reduce/workspace"),
        ("workspace", "alignment", "16", "merge-shared-memory/alignment"),
        ("barriers", "static", "32 B", "warp-specialize/barriers"),
    ]


def test_loops_are_told_in_source_order() -> None:
    """Planned loops have their arrays; a plain loop has none."""
    inner = pipelined("k", 3, [{"copy": "A"}, {"copy": "B"}, read("A", "B")])
    body = [{"loop": "i", "extent": 4, "body": [inner]}, {"loop": "j", "extent": 2, "body": [read("A")]}]
    assert plain_loops(lowered(body, {"A": HALF, "B": HALF}, "sm_80")) == [
        {"loop": "i", "pipelined": False, "stages": [], "order": []},
        {"loop": "k", "pipelined": True, "stages": [0, 0, 2], "order": [0, 1, 2]},
        {"loop": "j", "pipelined": False, "stages": [], "order": []},
    ]


NEIGHBOURS = [(64, 64, True), (96, 96, True), (128, 128, False), (256, 256, False), (64, 128, False)]


@pytest.mark.parametrize("kind", ["copy", "load", "write"])
@pytest.mark.parametrize(("first", "second", "merged"), NEIGHBOURS)
def test_neighbours_of_one_count_below_the_threads_are_one_slot(
    kind: str, first: int, second: int, merged: bool
) -> None:
    """`merge-if/conditions`, with 128 threads and a TMA store in the kernel."""
    moves = [{kind: name} if kind != "write" else {"compute": {"writes": [name]}} for name in "AB"]
    body = [*moves, {"compute": {"writes": ["C"]}}, {"store": "C"}, read("A"), read("B")]
    vectors = {name: {"shape": [count], "dtype": "float32"} for name, count in (("A", first), ("B", second))}
    one, two = lowered(body, {**vectors, "C": HALF}, "sm_90a").buffers[:2]
    assert (one.start == two.start) == merged


ROWS = [
    ((16, 4, 64), 16, 128),
    ((2, 8, 64), 16, 1024),
    ((8, 1, 64), 16, 128),
    ((4, 64), 16, 128),
    ((8, 64), 16, 1024),
    ((2, 4, 8, 64), 16, 1024),
    ((64, 48), 16, 256),
    ((64, 24), 16, 128),
    ((64, 8), 16, 128),
    ((4, 16, 32), 32, 1024),
    ((64,), 16, 128),
]


@pytest.mark.parametrize("filled", [False, True])
@pytest.mark.parametrize(("shape", "bits", "align"), ROWS)
def test_a_tile_stored_by_tma_is_aligned_by_its_rows(
    shape: tuple[int, ...], bits: int, align: int, filled: bool
) -> None:
    """The same whether TMA also fills it; in its rows, fewer than 8 of them count as none."""
    fields = {"shape": list(shape), "dtype": f"float{bits}"}
    fill: list[dict[str, Any]] = [pipelined("q", 1, [{"copy": "A"}, read("A")], extent=8)] if filled else []
    body = [*fill, {"compute": {"writes": ["A"]}}, {"store": "A"}]
    assert lowered(body, {"A": fields}, "sm_90a").buffers[0].align == align


def test_a_tile_that_tma_only_fills_is_not_swizzled() -> None:
    """`merge-shared-memory/alignment`: 128 for a buffer that no gemm reads."""
    body = [pipelined("q", 2, [{"copy": "A"}, read("A")], extent=8)]
    assert lowered(body, {"A": HALF}, "sm_90a").buffers[0].align == 128
