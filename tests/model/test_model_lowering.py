"""From a bound scenario to slots, versions, bytes, alignments and lives, by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.api import Scenario, loads
from smemdsl.lowering.timeline import IntervalModel, lower, place_regions
from smemdsl.scenario.binding import bind
from tests.texts import GEMM, scenario


def lowered(scenario: Scenario, align: int | None = None, **params: Any) -> IntervalModel:
    """The interval model of one configuration."""
    return lower(scenario.spec, bind(scenario.spec, scenario.choices(params)), align)


def one(timeline: str, fields: str) -> tuple[int, int, int]:
    """Versions and life of the buffer `b` of 4 bytes."""
    model = lowered(scenario(f"timeline: [{timeline}]\nbuffers: {{b: {{bytes: 4, {fields}}}}}\n"))
    (buffer,) = model.buffers
    return model.versions[0], buffer.start, buffer.end


K = "{region: k, extent: 16, stages: [0, 0, 3]}"
"""Three statements, 16 iterations, largest stage 3: (16 + 3) * 3 = 57 slots, of which 9 are prologue."""


@pytest.mark.parametrize(
    ("timeline", "expected"),
    [
        ("a, b, c", {"a": (0, 1), "b": (1, 2), "c": (2, 3)}),
        ("{region: a}, {region: b, statements: 3}", {"a": (0, 1), "b": (1, 4)}),
        (K, {"k": (0, 57)}),
        (f"init, {K}, {{region: end, statements: 2}}", {"init": (0, 1), "k": (1, 58), "end": (58, 60)}),
        ("{region: k, extent: 1, stages: [0]}", {"k": (0, 1)}),
        ("{region: k, extent: 5, stages: [2, 1]}, z", {"k": (0, 14), "z": (14, 15)}),
    ],
)
def test_slots(timeline: str, expected: dict[str, tuple[int, int]]) -> None:
    """A plain region takes a slot a statement, a loop (extent + largest stage) * statements."""
    spec = scenario(f"timeline: [{timeline}]\nbuffers: {{}}\n").spec
    regions, end = place_regions(spec.timeline, {}, [])
    assert {name: (region.begin, region.end) for name, region in regions.items()} == expected
    assert end == max(end for _, end in expected.values())


@pytest.mark.parametrize(
    ("timeline", "fields", "expected"),
    [
        # In plain regions: from the first statement touched to the last.
        ("a, b, c", "access: [b]", (1, 1, 2)),
        ("a, b, c", "access: [a, c]", (1, 0, 3)),
        ("a, b, c", "access: [c, a]", (1, 0, 3)),
        ("{region: a, statements: 5}", "access: {a: [1, 3]}", (1, 1, 4)),
        ("{region: a, statements: 5}", "access: {a: [3, 1, 1]}", (1, 1, 4)),
        ("{region: a, statements: 5}", "access: [a]", (1, 0, 5)),
        ("{region: a, statements: 5}, b", "access: {b: [0], a: [4]}", (1, 4, 6)),
        # In a loop: from the first statement after the prologue to the end of the loop.
        (K, "access: {k: [0, 2]}", (4, 9, 57)),
        (K, "access: {k: [1, 2]}", (4, 10, 57)),
        (K, "access: {k: [2]}", (1, 11, 57)),
        (K, "access: {k: [0, 1]}", (1, 9, 57)),
        (K, "access: [k]", (4, 9, 57)),
        (f"i, {K}", "access: {k: [2], i: [0]}", (1, 0, 58)),
        (f"{K}, z", "access: {k: [1], z: [0]}", (1, 10, 58)),
        (f"{K}, z", "access: {z: [0]}", (1, 57, 58)),
        # Without stages of its own, in the loop that gives the most copies.
        (f"{K}, {{region: q, extent: 2, stages: [0, 1]}}", "access: {k: [0, 2], q: [0, 1]}", (4, 9, 63)),
        (f"{K}, {{region: q, extent: 2, stages: [0, 5]}}", "access: {k: [0, 2], q: [0, 1]}", (6, 9, 71)),
        # The stage of the first statement counts, and the greatest of all.
        ("{region: k, extent: 2, stages: [3, 0]}", "access: [k]", (1, 6, 10)),
        ("{region: k, extent: 2, stages: [0, 3, 1]}", "access: {k: [2, 1]}", (1, 10, 15)),
        ("{region: k, extent: 2, stages: [0, 3, 1]}", "access: {k: [2, 0, 1]}", (4, 9, 15)),
        # Copies that the file states.
        (K, "access: {k: [0, 2]}, versions: 2", (2, 9, 57)),
        (K, "access: {k: [0, 2]}, def_stage: 0, use_stage: 1", (2, 9, 57)),
        (K, "access: {k: [0, 2]}, def_stage: 3, use_stage: 3", (1, 9, 57)),
        ("a", "access: [a], versions: 7", (7, 0, 1)),
        # Life outright, and throughout.
        ("a, b, c", "live: [1, 9]", (1, 1, 9)),
        ("a, b, c", "live: [0, 1]", (1, 0, 1)),
        ("a, b, c", "align: 4", (1, 0, 3)),
        (K, "versions: 2", (2, 0, 57)),
        ("", "align: 4", (1, 0, 1)),
        ("", "live: [5, 6]", (1, 5, 6)),
    ],
)
def test_versions_and_lives(timeline: str, fields: str, expected: tuple[int, int, int]) -> None:
    """Copies and half-open lives follow from stages and accesses, unless the file states them."""
    assert one(timeline, fields) == expected


def test_throughout_reaches_the_last_life() -> None:
    """A buffer without a life is live over [0, max(end of the timeline, greatest end of any life, 1))."""
    model = lowered(scenario("timeline: [a, b]\nbuffers: {x: {bytes: 4}, y: {bytes: 4, live: [3, 9]}}\n"))
    assert [(b.start, b.end) for b in model.buffers] == [(0, 9), (3, 9)]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ("bytes: 100", 100),
        ("bytes: 1 KiB", 1024),
        ("bytes: 3 * 5", 15),
        ("bytes: 0", 0),
        ("shape: [128, 64], dtype: float16", 16384),
        ("shape: [128, 64 + 8], dtype: float16", 18432),
        ("shape: [3], dtype: float32", 12),
        ("shape: [3, 0], dtype: float32", 0),
        ("shape: [3], dtype: bool", 3),
        ("shape: [3], dtype: int4", 2),
        ("shape: [65], dtype: float4_e2m1fn", 33),
        ("shape: [65], dtype: float4_e2m1fn, storage_bits: 8", 65),
        ("shape: [65], dtype: int1", 65),
        ("shape: [65], dtype: tfloat32", 260),
        ("shape: [4], dtype: int8, versions: 3", 12),
        ("bytes: 10, versions: 3", 30),
    ],
)
def test_bytes(size: str, expected: int) -> None:
    """Bytes are versions times those of one version, which the dtype sizes as the compiler does."""
    model = lowered(scenario(f"buffers: {{b: {{{size}}}}}\n"))
    assert model.buffers[0].bytes == expected


@pytest.mark.parametrize(
    ("top", "fields", "expected"),
    [
        ("", "", 128),
        ("align: 16\n", "", 16),
        ("align: 1\n", "", 1),
        ("align: 1 KiB\n", "", 1024),
        ("align: 2 ** 5\n", "", 32),
        ("align: 16\n", ", align: 256", 256),
        ("align: 16\n", ", align: 2 * 4", 8),
        ("align: 16\n", ", swizzle: 128B", 1024),
        ("", ", swizzle: 64B", 512),
        ("", ", swizzle: 32B", 256),
        ("align: 16\n", ", swizzle: none", 128),
    ],
)
def test_alignments(top: str, fields: str, expected: int) -> None:
    """The buffer's own alignment or that of its swizzle, else the file's, else 128."""
    model = lowered(scenario(f"{top}buffers: {{b: {{bytes: 4{fields}}}}}\n"))
    assert model.buffers[0].align == expected


def test_the_alignment_of_the_command_line() -> None:
    """It replaces the file's, and not what stands on a buffer."""
    text = "align: 128\nbuffers: {a: {bytes: 4}, b: {bytes: 4, align: 64}, c: {bytes: 4, swizzle: 128B}}\n"
    model = lowered(scenario(text), align=16)
    assert ([b.align for b in model.buffers], model.align) == ([16, 64, 1024], 16)


def test_a_buffer_under_a_condition() -> None:
    """`when` leaves a buffer out, and what is wrong with one that is left out does not matter."""
    buffers = "a: {bytes: 4}, b: {bytes: n - 1, when: on}, c: {bytes: 8, when: n == 0}"
    text = f"params: {{on: false, n: 0}}\nbuffers: {{{buffers}}}\n"
    assert [b.name for b in lowered(scenario(text)).buffers] == ["a", "c"]
    assert [b.name for b in lowered(scenario(text), on=True, n=5).buffers] == ["a", "b"]


def test_static_buffers_and_bytes() -> None:
    """A static buffer is outside the arena: its bytes join those of `static`, its life counts for nothing."""
    static = "s: {bytes: 8, versions: 2, scope: static, live: [0, 99]}, t: {bytes: 1, scope: static}"
    model = lowered(scenario(f"static: 100\nbuffers: {{a: {{bytes: 4}}, {static}}}\n"))
    assert [(b.name, b.end) for b in model.buffers] == [("a", 1)]
    assert [(s.name, s.versions, s.bytes) for s in model.statics] == [("s", 2, 16), ("t", 1, 1)]
    assert model.static_bytes == 117


# Section 5 of the format's description: 128 x 128 x 64, float16, 16 iterations.
@pytest.mark.parametrize(
    ("stages", "expected"),
    [
        (2, {"A_shared": (2, 32768, 3, 51), "B_shared": (2, 32768, 4, 51), "C_shared": (1, 32768, 51, 53)}),
        (4, {"A_shared": (4, 65536, 9, 57), "B_shared": (4, 65536, 10, 57), "C_shared": (1, 32768, 57, 59)}),
    ],
)
def test_the_staged_gemm(stages: int, expected: dict[str, tuple[int, int, int, int]]) -> None:
    """The numbers that must come out."""
    model = lowered(loads(GEMM), num_stages=stages)
    found = zip(model.buffers, model.versions, strict=True)
    assert {b.name: (versions, b.bytes, b.start, b.end) for b, versions in found} == expected


@st.composite
def scenarios(draw: st.DrawFn) -> tuple[str, list[tuple[str, int, list[int]]]]:
    """A timeline in text, with its regions: name, extent (0: plain), stages (their number: statements)."""
    regions = []
    for i in range(draw(st.integers(1, 4))):
        extent = draw(st.integers(0, 5))
        stages = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
        regions.append((f"r{i}", extent, stages))
    lines = [
        f"  - {{region: {name}, extent: {extent}, stages: {stages}}}"
        if extent
        else f"  - {{region: {name}, statements: {len(stages)}}}"
        for name, extent, stages in regions
    ]
    text = "timeline:\n" + "\n".join(lines) + "\nbuffers:\n"
    for i in range(draw(st.integers(1, 5))):
        chosen = draw(st.lists(st.sampled_from(regions), min_size=1, unique_by=lambda region: region[0]))
        access = ", ".join(
            f"{name}: {draw(st.lists(st.integers(0, len(stages) - 1), min_size=1, max_size=3))}"
            for name, _, stages in chosen
        )
        text += f"  b{i}: {{bytes: 4, access: {{{access}}}}}\n"
    return text, regions


@given(scenarios())
def test_lives_lie_inside(case: tuple[str, list[tuple[str, int, list[int]]]]) -> None:
    """Every life is there and inside the timeline, the sum of its regions; copies are 1 or more."""
    text, regions = case
    model = lowered(scenario(text))
    end = sum(
        (extent + max(stages)) * len(stages) if extent else len(stages) for _, extent, stages in regions
    )
    for buffer, versions in zip(model.buffers, model.versions, strict=True):
        assert 0 <= buffer.start < buffer.end <= end
        assert versions >= 1
        assert buffer.bytes == 4 * versions


@given(scenarios(), st.data())
def test_a_longer_loop_moves_what_comes_later(
    case: tuple[str, list[tuple[str, int, list[int]]]], data: st.DataObject
) -> None:
    """With twice the iterations, what lies before a loop stays, and what lies behind it moves."""
    text, regions = case
    loops = [region for region in regions if region[1]]
    if not loops:
        return
    name, extent, stages = data.draw(st.sampled_from(loops))
    longer = text.replace(f"region: {name}, extent: {extent},", f"region: {name}, extent: {2 * extent},")
    before, _ = place_regions(scenario(text).spec.timeline, {}, [])
    after, _ = place_regions(scenario(longer).spec.timeline, {}, [])
    added = extent * len(stages)
    begin, end = before[name].begin, before[name].end
    for one, other in zip(before.values(), after.values(), strict=True):
        assert other.begin == one.begin + (added if one.begin > begin else 0)
    for was, now in zip(lowered(scenario(text)).buffers, lowered(scenario(longer)).buffers, strict=True):
        assert now.start == was.start + (added if was.start >= end else 0)
        assert now.end == was.end + (added if was.end >= end else 0)
