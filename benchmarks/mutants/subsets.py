"""Which modules are mutated, and the quick tests of each."""

from __future__ import annotations


def _packing(*names: str) -> tuple[str, ...]:
    return tuple(f"tests/packing/test_{each}.py" for each in names)


JUDGING = (
    "tests/model/test_model_judging.py",
    "tests/golden",
    "tests/model",
    "tests/fitting/test_filling.py",
)
OCCUPANCY = tuple(
    f"tests/devices/test_{each}.py" for each in ("occupancy", "occupancy_steps", "budget", "device_names")
)
PROGRAMS = ("tests/program/test_planning.py", "tests/program/test_corpus.py", "tests/program")

SUBSETS: dict[str, tuple[str, ...]] = {
    "smemdsl/packing/optimal": (),  # a search: a change of its heuristics need not change an answer
    "smemdsl/packing/firstfit.py": _packing("firstfit"),
    "smemdsl/packing/lives.py": _packing("triton", "firstfit"),
    "smemdsl/packing/sorted_list.py": _packing("sorted_list", "tilelang"),
    "smemdsl/packing/validate.py": _packing("validate"),
    "smemdsl/packing/layout.py": (*_packing("layout"), "tests/golden"),
    "smemdsl/packing": _packing("arithmetic", "peak", "struct", "sequential", "pack"),
    "smemdsl/compilers/tilelang/merge_shared_memory.py": _packing("tilelang"),
    "smemdsl/compilers/tilelang/no_reuse.py": _packing("sequential", "tilelang", "pack"),
    "smemdsl/compilers/triton/allocate_shared_memory.py": _packing("triton"),
    "smemdsl/compilers/tilelang/rules": PROGRAMS,
    "smemdsl/compilers/triton/rules": ("tests/program/test_triton_table.py", *PROGRAMS),
    "smemdsl/program": ("tests/program/test_program_checks.py", *PROGRAMS, "tests/model"),
    "smemdsl/lowering/timeline.py": ("tests/model/test_model_lowering.py", "tests/model"),
    "smemdsl/lowering": ("tests/golden", "tests/test_scenarios.py", *PROGRAMS, "tests/model"),
    "smemdsl/judging/judge.py": JUDGING,
    "smemdsl/judging/verdict.py": JUDGING,
    "smemdsl/judging/fill.py": ("tests/fitting/test_filling.py",),
    "smemdsl/judging/expect.py": ("tests/model/test_model_expectations.py", "tests/golden"),
    "smemdsl/devices/launchable.py": ("tests/model/test_launchable.py", *OCCUPANCY),
    "smemdsl/devices": OCCUPANCY,
}
"""The first prefix that fits a module's path names its tests; no tests: the module is left out.

The tests that tell most come first: the first that fails ends the run.
"""


def tests_of(module: str) -> tuple[str, ...]:
    """The test paths of a module; none where it is not mutated."""
    return next((tests for prefix, tests in SUBSETS.items() if module.startswith(prefix)), ())
