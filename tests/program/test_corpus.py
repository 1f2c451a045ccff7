"""Recorded lowerings of public kernels against the rules: what TileLang 0.1.15 made of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from smemdsl.compilers import lower
from smemdsl.policies import pack
from smemdsl.program.lowered import LoweredProgram
from tests.program.program_vocabulary import program_of
from tests.recorded import rows

PROGRAMS = rows("tilelang_programs")
COVERED = [record for record in PROGRAMS if record.get("covered", True)]


def named(cases: Iterable[dict[str, Any]]) -> list[Any]:
    """The cases as parameters, named by their ids."""
    return [pytest.param(case, id=case["id"]) for case in cases]


def reproduced(field: str) -> list[Any]:
    """The covered programs of which the rules are known to give a field."""
    return named([case for case in COVERED if field not in case.get("not_reproduced", ())])


def placed(lowered: LoweredProgram) -> tuple[dict[str, int], int]:
    """Offsets by name, and the arena, as the compiler packs."""
    packing = pack("tilelang", [buffer.interval for buffer in lowered.buffers], 16)
    return dict(zip((buffer.name for buffer in lowered.buffers), packing.offsets, strict=True)), packing.arena


@pytest.mark.parametrize("case", named(COVERED))
def test_the_arena_is_the_compilers_to_the_byte(case: dict[str, Any]) -> None:
    """The total of every covered program is exact."""
    assert placed(lower(program_of(case)))[1] == case["total"]


@pytest.mark.parametrize("case", reproduced("offsets"))
def test_every_offset_is_the_compilers(case: dict[str, Any]) -> None:
    """Each declared buffer and each workspace lies where the compiler put it."""
    lowered = lower(program_of(case))
    offsets, _ = placed(lowered)
    declared = {name: offset for name, _, _, _, offset in case["expected"]}
    assert {name: offset for name, offset in offsets.items() if name in declared} == declared
    derived = [[buffer.bytes, offsets[buffer.name]] for buffer in lowered.buffers if buffer.why_exists]
    assert sorted(derived) == sorted(case.get("workspaces", []))


@pytest.mark.parametrize("case", named(PROGRAMS))
def test_versions_and_sizes_are_the_compilers(case: dict[str, Any]) -> None:
    """Every buffer that takes space has the compiler's versions and bytes, and no other does."""
    lowered = lower(program_of(case))
    found = {
        buffer.name: [buffer.bytes, buffer.versions] for buffer in lowered.buffers if not buffer.why_exists
    }
    assert found == {name: [size, versions] for name, size, versions, _, _ in case["expected"]}


@pytest.mark.parametrize("case", reproduced("align"))
def test_alignments_are_the_compilers(case: dict[str, Any]) -> None:
    """Every alignment that the compiler printed is what the rules give."""
    found = {buffer.name: buffer.align for buffer in lower(program_of(case)).buffers}
    for name, _, _, align, _ in case["expected"]:
        assert align in (None, found[name]), name


@pytest.mark.parametrize("case", reproduced("static"))
def test_static_bytes_are_the_compilers(case: dict[str, Any]) -> None:
    """Static arrays and barriers add up, with the barriers that the kernel allocates itself."""
    static = lower(program_of(case)).static_bytes + case.get("static_extra", 0)
    assert case["static"] in (None, static)


@pytest.mark.parametrize("case", named([case for case in PROGRAMS if "program_extended" in case]))
def test_a_fuller_program_makes_an_uncovered_kernel_exact(case: dict[str, Any]) -> None:
    """Where a fuller program is recorded, its total is exact."""
    assert placed(lower(program_of(case, "program_extended")))[1] == case["total"]
