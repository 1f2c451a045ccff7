"""Threads of the launch, as TileLang 0.1.15 compiled them: a GEMM that brings B in various ways."""

from __future__ import annotations

from typing import Any

import pytest

from smemdsl.compilers import lower
from smemdsl.program.lowered import LoweredProgram
from smemdsl.program.statements import CompilerOptions, Program
from tests.program.program_vocabulary import declared, statements

TMA: dict[str, Any] = {"copy": "B"}
GATE = [TMA, {"load": "G"}, {"compute": {"reads": ["G"]}}]
BRINGING: dict[str, list[dict[str, Any]]] = {
    "tma": [TMA],
    "tma under a condition": [{"if": [TMA]}],
    "tma in a loop": [{"loop": "s", "extent": 2, "body": [TMA]}],
    "element-wise": [{"load": "B"}],
    "element-wise, by an index in shared memory": [
        {"copy": {"to": "I", "bulk": True}},
        {"load": {"to": "B", "reads": ["I"]}},
    ],
    "tma, and gates element-wise": GATE,
    "tma, and gates element-wise under a condition": [TMA, {"if": GATE[1:2]}, GATE[2]],
    "tma, and gates element-wise in a loop": [TMA, {"loop": "s", "extent": 2, "body": GATE[1:2]}, GATE[2]],
}
PLAIN: list[dict[str, Any]] = [{"copy": {"to": "B", "tma": False}}]


def lowered(
    b: list[dict[str, Any]],
    threads: int | None,
    target: str = "sm_90a",
    options: CompilerOptions | None = None,
) -> LoweredProgram:
    """A GEMM whose tile of A is a TMA copy, and whose tile of B comes by the statements given."""
    m, n = (192, 96) if threads == 384 else (64, 64)
    gemm = {"gemm": {"a": "A", "b": "B", "m": m, "n": n, "k": 32}}
    loop = {"loop": "k", "extent": 32, "num_stages": 2, "body": [{"copy": "A"}, *b, gemm]}
    tiles = {"A": ([m, 32], "float16"), "B": ([32, n], "float16")}
    tiles |= {"G": ([32, n], "float32"), "I": ([32], "int32")}
    buffers = tuple(declared(name, {"shape": s, "dtype": dtype}) for name, (s, dtype) in tiles.items())
    return lower(
        Program(target, buffers, statements([loop], ("program",)), threads, options or CompilerOptions())
    )


@pytest.mark.parametrize(
    ("bringing", "threads", "target", "compiled"),
    [
        ("tma", 64, "sm_90a", 192),
        ("tma", 128, "sm_90a", 256),
        ("tma", 256, "sm_90a", 384),
        ("tma", 384, "sm_90a", 512),
        ("tma", 256, "sm_120a", 384),
        ("tma", 256, "sm_80", 256),
        ("tma under a condition", 256, "sm_90a", 384),
        ("tma in a loop", 256, "sm_90a", 384),
        ("element-wise", 256, "sm_90a", 512),
        ("element-wise, by an index in shared memory", 256, "sm_90a", 384),
        ("tma, and gates element-wise", 64, "sm_90a", 128),
        ("tma, and gates element-wise", 128, "sm_90a", 256),
        ("tma, and gates element-wise", 256, "sm_90a", 512),
        ("tma, and gates element-wise", 384, "sm_90a", 768),
        ("tma, and gates element-wise", 256, "sm_120a", 512),
        ("tma, and gates element-wise under a condition", 256, "sm_90a", 512),
        ("tma, and gates element-wise in a loop", 256, "sm_90a", 512),
    ],
)
def test_the_producer_has_a_group_or_all_the_threads(
    bringing: str, threads: int, target: str, compiled: int
) -> None:
    """128 threads beside the source's, but as many as those where the producer loads element-wise."""
    assert threads + lowered(BRINGING[bringing], threads, target).producer_threads == compiled


def test_no_producer_without_warp_specialisation() -> None:
    """A kernel that switches it off is launched as written."""
    assert lowered(BRINGING["tma"], 256, options=CompilerOptions(warp_specialize=False)).producer_threads == 0


@pytest.mark.parametrize(("threads", "doubted"), [(64, True), (128, False), (256, True), (384, True)])
def test_a_plain_copy_leaves_the_threads_in_doubt(threads: int, doubted: bool) -> None:
    """One program, two kernels: 256 threads became 384 where B was cast, 512 where its rows were odd."""
    doubts = lowered(PLAIN, threads).approximate
    assert any("producer threads" in doubt for doubt in doubts) == doubted
