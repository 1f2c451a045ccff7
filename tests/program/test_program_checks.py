"""Bad programs: each problem has a code, and the place of the statement or buffer at fault."""

from __future__ import annotations

from typing import Any

import pytest

from smemdsl.compilers import lower
from smemdsl.core.errors import FaultError
from smemdsl.program.statements import Gemm, Program
from tests.program.program_vocabulary import declared, program_of, statements

TILE = {"shape": [64, 64], "dtype": "float16"}
PIPELINED = {"loop": "k", "extent": 16, "num_stages": 2}


def program(body: list[dict[str, Any]], buffers: str = "ABC", **fields: Any) -> Program:
    """A program over square tiles of the named buffers."""
    tiles = tuple(declared(name, TILE) for name in buffers)
    return Program(fields.pop("target", "sm_80"), tiles, statements(body, ("program",)), 128, **fields)


def faults(bad: Program) -> list[tuple[str, tuple[str | int, ...]]]:
    """Codes and places of what is refused."""
    with pytest.raises(FaultError) as error:
        lower(bad)
    return [(fault.code, fault.where) for fault in error.value.faults]


def warnings(odd: Program) -> list[tuple[str, tuple[str | int, ...]]]:
    """Codes and places of what is only warned of."""
    found = lower(odd).warnings
    assert {fault.severity for fault in found} <= {"warning"}
    return [(fault.code, fault.where) for fault in found]


GEMM = {"a": "A", "b": "B", "m": 64, "n": 64, "k": 64}
COPIES = [{"copy": "A"}, {"copy": "B"}]

REFUSED: list[tuple[str, list[dict[str, Any]], list[tuple[str, tuple[str | int, ...]]]]] = [
    ("undeclared", [{"copy": "Z"}], [("undeclared-buffer", ("program", 0))]),
    (
        "undeclared in a loop",
        [{**PIPELINED, "body": [{"copy": "A"}, {"gemm": {**GEMM, "b": "Q"}}]}],
        [("undeclared-buffer", ("program", 0, "body", 1))],
    ),
    ("never written", [{"store": "A"}], [("read-before-write", ("program", 0))]),
    ("written later", [{"store": "A"}, {"copy": "A"}], [("read-before-write", ("program", 0))]),
    (
        "two copies into one buffer",
        [{**PIPELINED, "body": [*COPIES, {"copy": "A"}, {"gemm": GEMM}]}],
        [("overlapping-copies", ("program", 0, "body", 2))],
    ),
    (
        "two conditional copies into one buffer",
        [{**PIPELINED, "body": [{"if": [{"copy": "A"}]}, {"if": [{"copy": "A"}]}, {"store": "A"}]}],
        [("overlapping-copies", ("program", 0, "body", 1, "if", 0))],
    ),
    (
        "a copy overwritten",
        [{**PIPELINED, "body": [{"copy": "A"}, {"compute": {"reads": ["A"], "writes": ["A"]}}]}],
        [("overlapping-copies", ("program", 0, "body", 1))],
    ),
    ("no k", [*COPIES, {"gemm": {"a": "A", "b": "B", "m": 64, "n": 64}}], [("gemm-size", ("program", 2))]),
    ("k of 0", [*COPIES, {"gemm": {**GEMM, "k": 0}}], [("bad-number", ("program", 2))]),
    ("extent of 0", [{"loop": "k", "extent": 0, "body": COPIES}], [("bad-number", ("program", 0))]),
    (
        "negative stages",
        [{"loop": "k", "extent": 4, "num_stages": -1, "body": COPIES}],
        [("bad-number", ("program", 0))],
    ),
    ("policy", [*COPIES, {"gemm": {**GEMM, "policy": "full"}}], [("unknown-word", ("program", 2))]),
    ("instruction", [*COPIES, {"gemm": {**GEMM, "mma": "fma"}}], [("unknown-word", ("program", 2))]),
    (
        "a gemm operand with versions used outside its loop",
        [{**PIPELINED, "body": [*COPIES, {"gemm": GEMM}]}, {"store": "A"}],
        [("versions-clash", ("program", 1))],
    ),
]


@pytest.mark.parametrize(("body", "expected"), [pytest.param(*case[1:], id=case[0]) for case in REFUSED])
def test_a_bad_program_is_refused_at_its_place(
    body: list[dict[str, Any]], expected: list[tuple[str, tuple[str | int, ...]]]
) -> None:
    """The error has the code of the problem and the statement's place."""
    assert faults(program(body)) == expected


def test_every_error_is_reported() -> None:
    """One error does not hide the next."""
    assert len(faults(program([{"copy": "X"}, {"store": "A"}, {"loop": "k", "extent": 0, "body": []}]))) == 3


WARNED: list[tuple[str, list[dict[str, Any]], list[tuple[str, tuple[str | int, ...]]]]] = [
    ("untouched", [*COPIES, {"gemm": GEMM}], [("untouched-buffer", ("buffers", "C"))]),
    (
        "read in the loop that writes it",
        [*COPIES, {"loop": "k", "extent": 4, "body": [{"store": "C"}, {"compute": {"writes": ["C"]}}]}],
        [("read-before-write", ("program", 2, "body", 0))],
    ),
    (
        "written by other warps",
        [*COPIES, {"if": [{"store": "C"}], "else": [{"copy": "C"}]}],
        [("read-before-write", ("program", 2, "if", 0))],
    ),
    (
        "stages without copies",
        [*COPIES, {"copy": "C"}, {**PIPELINED, "body": [{"gemm": GEMM}, {"store": "C"}]}],
        [("stages-without-copies", ("program", 3))],
    ),
    (
        "versions outside the loop",
        [
            {**PIPELINED, "body": [{"copy": "A"}, {"compute": {"reads": ["A"], "writes": ["B", "C"]}}]},
            {"store": "A"},
        ],
        [("versions-clash", ("program", 1))],
    ),
]


@pytest.mark.parametrize(("body", "expected"), [pytest.param(*case[1:], id=case[0]) for case in WARNED])
def test_an_odd_program_is_warned_of_and_lowered(
    body: list[dict[str, Any]], expected: list[tuple[str, tuple[str | int, ...]]]
) -> None:
    """What the compiler accepts is lowered, with a warning at the place."""
    assert warnings(program(body)) == expected


def test_an_untouched_buffer_takes_no_space() -> None:
    """`merge-shared-memory/liveness`: it is not in the result."""
    assert [buffer.name for buffer in lower(program([*COPIES, {"gemm": GEMM}])).buffers] == ["A", "B"]


def test_a_compute_may_write_what_it_reads() -> None:
    """One statement that reads and writes a buffer is no read before a write."""
    assert warnings(program([{"compute": {"reads": ["A"], "writes": ["A"]}}], "A")) == []


@pytest.mark.parametrize("target", ["sm_91", "sm_9", "hopper", "gfx", ""])
def test_an_unknown_target_is_refused(target: str) -> None:
    """A target that the rules do not know is an error at its own place."""
    assert faults(program(COPIES, target=target, target_where=("target",))) == [
        ("unknown-target", ("target",))
    ]


def test_threads_are_asked_for_where_a_rule_needs_them() -> None:
    """A workspace has one element a thread, so its size needs them."""
    bare = program([*COPIES, {"reduce": {"cross_warp": True, "dtype": "float32"}}], "AB")._replace(
        threads=None
    )
    assert faults(bare) == [("no-threads", ("program", 2))]
    assert lower(bare._replace(threads=96)).buffers[-1].bytes == 96 * 4


def test_a_size_that_decides_nothing_may_be_left_out() -> None:
    """On sm_80 only K decides; with `mma: wgmma` not even that does on sm_90a."""
    tiles = program([*COPIES], "AB")
    bare = Gemm("A", "B", where=("program", 2))
    lower(tiles._replace(body=(*tiles.body, bare._replace(k=64))))
    lower(tiles._replace(body=(*tiles.body, bare._replace(mma="wgmma")), target="sm_90a"))
    assert faults(tiles._replace(body=(*tiles.body, bare), target="sm_90a")) == [
        ("gemm-size", ("program", 2))
    ]


def test_a_program_that_nests_too_deep_is_refused() -> None:
    """No nesting exhausts the stack: it is refused at the first statement beyond the limit."""
    body: list[dict[str, Any]] = [{"copy": "A"}]
    for _ in range(300):
        body = [{"if": body}]
    assert [code for code, _ in faults(program(body, "A"))] == ["too-deep"]


def test_a_program_that_unrolls_to_too_much_is_refused() -> None:
    """Nested pipelines multiply; no number of stages makes lowering slow."""
    body: list[dict[str, Any]] = [*COPIES, {"gemm": GEMM}]
    for name in "ijk":
        body = [{"loop": name, "extent": 9, "num_stages": 1000, "body": body}]
    assert faults(program(body, "AB")) == [("too-large", ("program", 0))]


def test_wgmma_is_refused_where_there_is_none() -> None:
    """`mma: wgmma` overrides the rule, but no target without wgmma obeys it."""
    body: list[dict[str, Any]] = [*COPIES, {"gemm": {**GEMM, "mma": "wgmma"}}]
    assert faults(program(body, "AB", target="sm_80")) == [("no-wgmma", ("program", 2))]


def test_a_sparse_gemm_is_refused_where_there_is_none() -> None:
    """The compiler has no `GEMM_SP` for sm_75."""
    body: list[dict[str, Any]] = [*COPIES, {"copy": "C"}, {"gemm": {**GEMM, "e": "C"}}]
    assert faults(program(body, "ABC", target="sm_75")) == [("no-sparse", ("program", 3))]


def test_indexes_copied_in_the_loop_that_gathers_by_them_are_refused() -> None:
    """Planning does not see the gather read them: the compiler says that it depends on a later stage."""
    body: list[dict[str, Any]] = [
        {"copy": "C"},
        {"load": {"to": "A", "reads": ["C"]}},
        {"gemm": {"a": "A", "m": 64, "n": 64, "k": 64}},
    ]
    assert faults(program([{**PIPELINED, "body": body}])) == [("unplannable", ("program", 0))]
    assert not lower(program([body[0], {**PIPELINED, "body": body[1:]}], "AC")).approximate


DOUBTS = [
    ("gfx942", [], ["measured on NVIDIA"]),
    ("sm_103", [], ["not measured on sm_103"]),
    ("sm_90a", [], []),
    (
        "sm_90a",
        [{**PIPELINED, "body": [{"copy": "C"}, {"copy": {"to": "A", "tma": False}}, {"store": "C"}]}],
        ["producer"],
    ),
    ("sm_90a", [{**PIPELINED, "body": [{"copy": "C"}, {"store": "C"}, {"compute": {"writes": ["A"]}}]}], []),
    ("sm_90a", [{**PIPELINED, "body": [{"if": COPIES}, {"if": [{"gemm": GEMM}]}]}], ["by hand"]),
]


@pytest.mark.parametrize(("target", "body", "words"), DOUBTS)
def test_what_is_not_covered_is_said(target: str, body: list[dict[str, Any]], words: list[str]) -> None:
    """The result is marked approximate, with the reason."""
    reasons = lower(program([*COPIES, *body], target=target)).approximate
    assert len(reasons) == len(words)
    assert all(word in reason for word, reason in zip(words, reasons, strict=True))


def test_amd_targets_other_than_gfx950_do_not_pipeline() -> None:
    """The compiler turns the loop into a plain one there."""
    body = [{**PIPELINED, "body": [*COPIES, {"gemm": GEMM}]}]
    pipelined = {
        target: lower(program(body, target=target)).loops[0].pipelined for target in ("gfx942", "gfx950")
    }
    assert pipelined == {"gfx942": False, "gfx950": True}


def test_the_vocabulary_reads_a_recorded_program() -> None:
    """The reader used here keeps the places of nested statements."""
    record = {"target": "sm_80", "threads": 128, "buffers": {"A": TILE}, "program": [{"if": [{"copy": "A"}]}]}
    [conditional] = program_of(record).body
    assert conditional.where == ("program", 0)
