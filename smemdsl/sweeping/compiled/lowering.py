"""The interval model as terms: what `smemdsl.lowering.timeline` does, for all configurations at once.

Where a number may be out of its range, the generated code checks it and leaves the configuration to the plain
way, which has the message; so does whatever the rules here do not know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from smemdsl.core import dtypes
from smemdsl.core.buffers import Bytes
from smemdsl.scenario.spec import Access, BufferSpec, RegionSpec, ScenarioSpec
from smemdsl.sweeping.compiled.arithmetic import (
    add,
    bounded,
    choose,
    extreme,
    multiply,
    not_below,
    subtract,
    total,
)
from smemdsl.sweeping.compiled.expressions import TermEnv
from smemdsl.sweeping.compiled.fields import alignment, condition, dtype, least
from smemdsl.sweeping.compiled.terms import INT, CodeBuilder, Term, UncompilableError


class RegionTerms(NamedTuple):
    """A region of the timeline; a loop has stages."""

    begin: Term
    end: Term
    statements: Term
    steady: Term
    """First slot after the prologue."""
    stages: tuple[Term, ...]


class BufferTerms(NamedTuple):
    """A buffer with all its versions; 0 bytes where it does not exist."""

    name: str
    size: Term
    align: Term
    start: Term
    end: Term


class ModelTerms(NamedTuple):
    """The interval model of every configuration."""

    tiles: tuple[BufferTerms, ...]
    static: Term
    align: Term
    """The file's default alignment."""


class _SizedTerms(NamedTuple):
    name: str
    size: Term
    align: Term
    live: tuple[Term, Term] | None
    when: Term


def lower(build: CodeBuilder, spec: ScenarioSpec, env: TermEnv, align: Bytes | None) -> ModelTerms:
    """The model of a scenario without a program.

    Raises:
        UncompilableError: every configuration is in error, or the rules here do not know it.
    """
    file_align = alignment(build, spec.align if align is None else align, env)
    static = [least(build, 0, spec.static, env)]
    regions, end = _regions(build, spec.timeline, env)
    inside = []
    for buffer in spec.buffers:
        sized = _sized(build, buffer, regions, env, file_align)
        if buffer.static:
            static.append(sized.size)
        else:
            inside.append(sized)
    nothing, one = build.constant(0), build.constant(1)
    ends = [choose(build, item.when, item.live[1], one) for item in inside if item.live]
    whole = nothing, extreme(build, "max", [end, one, *ends])
    tiles = tuple(BufferTerms(item.name, item.size, item.align, *(item.live or whole)) for item in inside)
    return ModelTerms(tiles, total(build, static), file_align)


def _regions(
    build: CodeBuilder, timeline: Sequence[RegionSpec], env: TermEnv
) -> tuple[dict[str, RegionTerms], Term]:
    regions: dict[str, RegionTerms] = {}
    begin = build.constant(0)
    for spec in timeline:
        regions[spec.name] = region = _region(build, spec, begin, env)
        begin = region.end
    return regions, begin


def _region(build: CodeBuilder, spec: RegionSpec, begin: Term, env: TermEnv) -> RegionTerms:
    if spec.extent is None:
        count = least(build, 1, spec.statements, env)
        return RegionTerms(begin, build.pin(bounded(build, add(build, begin, count))), count, begin, ())
    extent = least(build, 1, spec.extent, env)
    stages = tuple([least(build, 0, stage, env) for stage in spec.stages])
    count = build.constant(len(stages))
    deepest = extreme(build, "max", stages)
    steady = build.pin(add(build, begin, multiply(build, deepest, count)))
    end = build.pin(bounded(build, add(build, steady, multiply(build, extent, count))))
    return RegionTerms(begin, end, count, steady, stages)


def _sized(
    build: CodeBuilder, spec: BufferSpec, regions: dict[str, RegionTerms], env: TermEnv, file_align: Term
) -> _SizedTerms:
    touched = [(regions[a.region], _statements(build, a, regions[a.region], env)) for a in spec.access]
    versions = _versions(build, spec, touched, env)
    size = build.pin(bounded(build, multiply(build, versions, _one_version(build, spec, env))))
    align = file_align if spec.align is None else alignment(build, spec.align, env)
    live = _live(build, spec, touched, env)
    when = condition(build, spec.when, env)
    return _SizedTerms(spec.name, choose(build, when, size, build.constant(0)), align, live, when)


def _one_version(build: CodeBuilder, spec: BufferSpec, env: TermEnv) -> Term:
    if spec.bytes is not None:
        return least(build, 0, spec.bytes, env)
    assert spec.shape is not None
    assert spec.dtype is not None
    elements = build.constant(1)
    for extent in spec.shape:
        elements = bounded(build, multiply(build, elements, least(build, 0, extent, env)))
    element = dtype(build, spec.dtype, env)
    storage = None if spec.storage_bits is None else least(build, 1, spec.storage_bits, env)
    return _storage(build, elements, element, storage)


def _storage(build: CodeBuilder, elements: Term, element: Term, storage: Term | None) -> Term:
    """As `dtypes.storage_bytes`: the bits of all elements, up to whole bytes."""
    width = storage or build.term(
        f"{build.function(dtypes.storage_width)}({{0}}.bits)", (element,), INT, 1, 1 << 20
    )
    if width.value is not None and width.low % 8 == 0:
        return multiply(build, elements, build.constant(width.low // 8))
    bits = multiply(build, elements, width)
    return build.term("(-(-{0} // 8))", (bits,), INT, 0, bits.high // 8 + 1, rising=bits.rising)


def _statements(build: CodeBuilder, access: Access, region: RegionTerms, env: TermEnv) -> list[Term]:
    if not access.statements:
        last = subtract(build, region.statements, build.constant(1))
        return [build.constant(i) for i in range(len(region.stages))] or [build.constant(0), last]
    indexes = [least(build, 0, index, env) for index in access.statements]
    for index in indexes:
        not_below(build, 1, subtract(build, region.statements, index))
    return indexes


def _versions(
    build: CodeBuilder, spec: BufferSpec, touched: Sequence[tuple[RegionTerms, list[Term]]], env: TermEnv
) -> Term:
    one = build.constant(1)
    if spec.versions is not None:
        return least(build, 1, spec.versions, env)
    if spec.stages is not None:
        first, last = (least(build, 0, stage, env) for stage in spec.stages)
        return not_below(build, 1, add(build, subtract(build, last, first), one))
    copies = []
    for region, indexes in touched:
        if region.stages:
            at = [_known(index) for index in indexes]
            deepest = extreme(build, "max", [region.stages[i] for i in at])
            copies.append(add(build, subtract(build, deepest, region.stages[min(at)]), one))
    return extreme(build, "max", copies) if copies else one


def _known(index: Term) -> int:
    if index.value is None:
        raise UncompilableError
    return index.low


def _live(
    build: CodeBuilder, spec: BufferSpec, touched: Sequence[tuple[RegionTerms, list[Term]]], env: TermEnv
) -> tuple[Term, Term] | None:
    if spec.live is not None:
        start, end = (least(build, 0, slot, env) for slot in spec.live)
        not_below(build, 1, subtract(build, end, start))
        return start, end
    if not touched:
        return None
    starts, ends = [], []
    for region, indexes in touched:
        starts.append(add(build, region.steady, extreme(build, "min", indexes)))
        last = add(build, extreme(build, "max", indexes), build.constant(1))
        ends.append(region.end if region.stages else add(build, region.begin, last))
    return extreme(build, "min", starts), extreme(build, "max", ends)
