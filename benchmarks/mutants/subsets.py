"""Which modules are mutated, and the quick tests of each."""

from __future__ import annotations

PACKERS = tuple(
    f"tests/packing/test_{each}.py"
    for each in (
        *("arithmetic", "firstfit", "layout", "pack", "peak", "sequential", "sorted_list", "struct"),
        *("tilelang", "triton", "validate"),
    )
)
MODEL = ("tests/model", "tests/golden")
PROGRAMS = ("tests/program",)

SUBSETS: dict[str, tuple[str, ...]] = {
    "smemdsl/packing/optimal": (),  # a search: a change of its heuristics need not change an answer
    "smemdsl/packing": PACKERS,
    "smemdsl/compilers/tilelang/merge_shared_memory.py": PACKERS,
    "smemdsl/compilers/tilelang/no_reuse.py": PACKERS,
    "smemdsl/compilers/triton/allocate_shared_memory.py": PACKERS,
    "smemdsl/compilers/tilelang/rules": PROGRAMS,
    "smemdsl/compilers/triton/rules": PROGRAMS,
    "smemdsl/program": (*PROGRAMS, "tests/model"),
    "smemdsl/lowering": (*MODEL, *PROGRAMS, "tests/test_scenarios.py"),
    "smemdsl/judging/judge.py": (*MODEL, "tests/commands/test_check_and_pack.py"),
    "smemdsl/judging/verdict.py": (*MODEL, "tests/commands/test_check_and_pack.py"),
    "smemdsl/devices": ("tests/devices", *MODEL),
}
"""The first prefix that fits a module's path names its tests; no tests: the module is left out."""


def tests_of(module: str) -> tuple[str, ...]:
    """The test paths of a module; none where it is not mutated."""
    return next((tests for prefix, tests in SUBSETS.items() if module.startswith(prefix)), ())
