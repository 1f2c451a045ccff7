"""The programs that ship are what TileLang 0.1.15 makes of their kernels, over a sweep of their parameters.

`program_points.jsonl` has one compiled configuration a line: `params` as the file takes them, threads of the
launch, arena (`total`), static bytes, versions and offset of each declared buffer, its alignment (left out
where all have 16), bytes and offset of each workspace (left out where there are none). `misses` would name
what the rules do not reproduce there, with the reason. `program_points_elsewhere.jsonl` has the same
kernels on other targets and with other options.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import smemdsl
from smemdsl.cli import cli
from smemdsl.judging.plan import ArenaPlan, make_plan
from smemdsl.program.statements import CompilerOptions
from smemdsl.scenario.spec import BufferSpec, ScenarioSpec, StatementSpec
from tests.shipped import FILES, ROOT, Row, load, rows

PROGRAMS = [name for name in FILES if name.startswith("programs/")]
TWINS = [name for name in PROGRAMS if name.endswith("_program")]
PAIRS = [name.removesuffix("_sm90") for name in PROGRAMS if name.endswith("_sm90")]


def named(points: Sequence[Row]) -> list[Any]:
    """The configurations as parameters, named by what sets them apart."""
    apart = ({**point.get("options", {}), **point["params"]} for point in points)
    settings = (",".join(f"{name}={value}" for name, value in each.items()) for each in apart)
    places = (f"{point['file']}-{point.get('target', '')}" for point in points)
    return [pytest.param(p, id=f"{at}-{how}") for p, at, how in zip(points, places, settings, strict=True)]


POINTS, ELSEWHERE = named(rows("program_points")), named(rows("program_points_elsewhere"))


def planned(point: Row) -> ArenaPlan:
    """The shipped file with the parameters, and the target and options, of a recorded configuration."""
    scenario = load(f"programs/{point['file']}")
    spec = scenario.spec
    assert spec.program is not None
    options = {**spec.program.options, **point.get("options", {})}
    program = spec.program._replace(target=point.get("target", spec.program.target), options=options)
    plan = make_plan(spec._replace(program=program), scenario.choices(point["params"]))
    assert not plan.violated
    assert plan.confidence == "exact"
    return plan


def found(plan: ArenaPlan) -> Row:
    """What a plan says, in the fields of a recorded configuration."""
    program = plan.lowered.program
    assert program is not None
    offsets = dict(zip((buffer.name for buffer in program.buffers), plan.packing.offsets, strict=True))
    declared = [buffer for buffer in program.buffers if buffer.why_exists is None]
    derived = [[buffer.bytes, offsets[buffer.name]] for buffer in program.buffers if buffer.why_exists]
    return {
        "total": plan.packing.arena,
        "static": plan.lowered.static_bytes,
        "versions": {buffer.name: buffer.versions for buffer in declared},
        "offsets": {buffer.name: offsets[buffer.name] for buffer in declared},
        "align": {buffer.name: buffer.align for buffer in declared},
        "workspaces": sorted(derived),
    }


@pytest.mark.parametrize("point", [*POINTS, *ELSEWHERE])
def test_a_configuration_is_what_the_compiler_made(point: Row) -> None:
    """Every recorded field is exact, but for the misses, which are stable."""
    recorded = {"align": dict.fromkeys(point["versions"], 16), "workspaces": [], **point}
    wrong = {field for field, value in found(planned(point)).items() if value != recorded[field]}
    assert wrong == set(point.get("misses", {}))


@pytest.mark.parametrize("point", [*POINTS, *ELSEWHERE])
def test_threads_are_those_of_the_launch(point: Row) -> None:
    """A warp-specialised kernel is launched with a producer's 128 threads more, any other as written."""
    assert planned(point).threads == point["threads"]


def test_the_sweeps_are_wide() -> None:
    """At least 200 configurations, both targets, and each file with its own values and five others."""
    points = rows("program_points")
    assert len(points) >= 200
    for name in PROGRAMS:
        own = [point["params"] for point in points if f"programs/{point['file']}" == name]
        assert {} in own
        assert len(own) >= 5


def test_other_targets_and_options_are_there() -> None:
    """Older and newer targets, and each option that a program may switch."""
    points = rows("program_points_elsewhere")
    assert {point["target"] for point in points} >= {"sm_75", "sm_89", "sm_100a", "sm_120a"}
    assert {option for point in points for option in point.get("options", {})} == set(
        CompilerOptions._fields[:3]
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_file_states_what_the_compiler_made(name: str) -> None:
    """What the file expects of itself is the arena of its recorded values."""
    [point] = [p for p in rows("program_points") if f"programs/{p['file']}" == name and not p["params"]]
    expect = load(name).spec.expect
    assert expect is not None
    assert [comparison.relation for comparison in expect.arena] == ["=="]
    assert load(name).own_verdicts()[0].failures == ()
    assert load(name).plan().packing.arena == point["total"]


def plain_statement(spec: StatementSpec) -> Any:
    """A statement without its places, for comparison."""
    numbers = {name: str(number) for name, number in texts(spec.numbers).items()}
    flags = {name: str(flag) for name, flag in texts(spec.flags).items()}
    body = [plain_statement(inner) for inner in spec.body]
    orelse = None if spec.orelse is None else [plain_statement(inner) for inner in spec.orelse]
    return spec.verb, dict(spec.buffers), numbers, flags, dict(spec.words), body, orelse


def texts(values: Any) -> Row:
    """Expressions by their text, numbers as they are."""
    return {name: getattr(value, "text", value) for name, value in values.items()}


def plain_buffer(spec: BufferSpec) -> Any:
    """A buffer's declaration without its places."""
    shape = None if spec.shape is None else [getattr(extent, "text", extent) for extent in spec.shape]
    return spec.name, shape, str(spec.dtype), spec.static, spec.annotated


@pytest.mark.parametrize("pair", PAIRS)
def test_a_pair_differs_in_its_target_alone(pair: str) -> None:
    """The files for sm_80 and sm_90 have the same parameters, constraints, options, statements, buffers."""

    def same(read: Callable[[ScenarioSpec], Any]) -> bool:
        return bool(read(older) == read(newer))

    older, newer = load(f"{pair}_sm80").spec, load(f"{pair}_sm90").spec
    assert older.program is not None
    assert newer.program is not None
    assert (older.program.target, newer.program.target) == ("sm_80", "sm_90a")
    assert same(lambda spec: [(name, getattr(value, "text", value)) for name, value in spec.params])
    assert same(lambda spec: [getattr(each, "text", each) for each in spec.constraints])
    assert same(lambda spec: getattr(spec.threads, "text", spec.threads))
    assert same(lambda spec: texts(spec.program.options if spec.program else {}))
    assert same(lambda spec: list(map(plain_statement, spec.program.statements if spec.program else ())))
    assert same(lambda spec: list(map(plain_buffer, spec.buffers)))


@pytest.mark.parametrize("name", TWINS)
@pytest.mark.parametrize("num_stages", range(1, 7))
def test_a_twin_has_the_arena_and_the_versions_of_the_explicit_file(name: str, num_stages: int) -> None:
    """The statements of plain, epilogue and carry come to the same bytes as their timelines."""
    twin = load(name).plan(num_stages=num_stages)
    explicit = load(name.removeprefix("programs/").removesuffix("_program")).plan(num_stages=num_stages)
    assert twin.packing.arena == explicit.packing.arena
    assert [buffer.name for buffer in twin.lowered.buffers] == [b.name for b in explicit.lowered.buffers]
    assert twin.lowered.versions == explicit.lowered.versions


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_expand_prints_is_the_same_kernel(name: str, tmp_path: Path) -> None:
    """As an explicit scenario it has the same offsets, arena, static bytes and threads of the launch."""
    result = CliRunner().invoke(cli, ["expand", str(ROOT / f"{name}.yaml")])
    assert result.exit_code == 0
    path = tmp_path / "explicit.yaml"
    path.write_text(result.stdout, "utf-8")
    written, explicit = load(name).plan(), smemdsl.load(path).plan()
    assert explicit.packing == written.packing
    assert explicit.lowered.static_bytes == written.lowered.static_bytes
    assert explicit.threads == written.threads


def test_every_kind_of_kernel_ships() -> None:
    """Twins of the first three scenarios, and the kernels that people write most."""
    assert TWINS == ["programs/carry_program", "programs/epilogue_program", "programs/plain_program"]
    kinds = ("mha_fwd", "mha_bwd", "gemm_staged", "dequant", "splitk", "chunk_scan", "mla", "fusedmoe")
    for kind in kinds:
        assert any(kind in pair for pair in PAIRS), kind
