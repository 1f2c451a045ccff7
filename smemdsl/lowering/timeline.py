"""From a bound scenario to the interval model: slots, versions, bytes, alignments and live ranges.

`smemdsl.sweeping.compiled.lowering` says the same for all configurations of a sweep at once: a rule that
changes here changes there. A property test holds the two together.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from smemdsl.core import dtypes
from smemdsl.core.buffers import Buffer, Bytes, Slot
from smemdsl.core.errors import DocPath, Fault, FaultError
from smemdsl.scenario.binding import Env, at_least, condition, dtype
from smemdsl.scenario.spec import Access, BufferSpec, Expr, Number, RegionSpec, ScenarioSpec

if TYPE_CHECKING:
    from smemdsl.program.lowered import LoweredProgram as ProgramLowered

MAX_BYTES = MAX_SLOTS = 2**63 - 1


class PlacedRegion(NamedTuple):
    """A region at its place on the line of slots: [begin, end)."""

    begin: Slot
    end: Slot
    statements: int
    stages: tuple[int, ...]
    """Stage of each statement of a loop's body; empty for a plain region."""

    @property
    def steady(self) -> Slot:
        """First slot after the prologue: the pipeline's largest stage times its body comes before."""
        return self.begin + max(self.stages, default=0) * self.statements


class StaticBuffer(NamedTuple):
    """A static shared array: outside the arena."""

    name: str
    versions: int
    bytes: Bytes


class IntervalModel(NamedTuple):
    """The interval model of a scenario: `versions[i]` belongs to `buffers[i]`."""

    buffers: tuple[Buffer, ...]
    versions: tuple[int, ...]
    statics: tuple[StaticBuffer, ...]
    static_bytes: Bytes
    """All static bytes: the file's `static` and the static buffers."""
    align: Bytes
    """The file's default alignment."""
    program: "ProgramLowered | None" = None
    """Where a program was lowered: the rules that gave each value, loops, and doubts."""


class _Sized(NamedTuple):
    spec: BufferSpec
    versions: int
    bytes: Bytes
    align: Bytes
    live: tuple[Slot, Slot] | None
    """None: throughout."""


def lower(spec: ScenarioSpec, env: Env, align: Bytes | None = None) -> IntervalModel:
    """The interval model; `align` overrides the file's default alignment.

    Raises:
        FaultError: with the first fault of each region and buffer.
    """
    file_align, static, faults = defaults(spec, env, align)
    regions, end = place_regions(spec.timeline, env, faults)
    sized = []
    for buffer in spec.buffers:
        try:
            if condition(buffer.when, env):
                sized.append(_size(buffer, regions, env, file_align))
        except FaultError as error:
            faults += error.faults
    if faults:
        raise FaultError(faults)
    return _assemble(sized, end, static, file_align)


def defaults(spec: ScenarioSpec, env: Env, align: Bytes | None) -> tuple[Bytes, Bytes, list[Fault]]:
    """The default alignment (`align` instead of the file's, if given), static bytes, and faults."""
    try:
        file_align = alignment(spec.align if align is None else align, env, ("align",))
        return file_align, at_least(0, spec.static, env, "static", ("static",)), []
    except FaultError as error:
        return 1, 0, list(error.faults)


def place_regions(
    timeline: Sequence[RegionSpec], env: Env, faults: list[Fault]
) -> tuple[dict[str, PlacedRegion], Slot]:
    """The regions on consecutive slots from 0, and the end of the last; faults are added to the list."""
    regions: dict[str, PlacedRegion] = {}
    begin = 0
    for spec in timeline:
        try:
            regions[spec.name] = region = _place(spec, begin, env)
            begin = region.end
        except FaultError as error:
            faults += error.faults
    return regions, begin


def _place(spec: RegionSpec, begin: Slot, env: Env) -> PlacedRegion:
    """A plain region of n statements takes n slots; a loop of n, extent k and largest stage s (k + s) * n."""
    if spec.extent is None:
        count = at_least(1, spec.statements, env, "statements", (*spec.where, "statements"))
        return _bounded(spec, PlacedRegion(begin, begin + count, count, ()))
    extent = at_least(1, spec.extent, env, "extent", (*spec.where, "extent"))
    stages = tuple([at_least(0, stage, env, f"stages[{i}]") for i, stage in enumerate(spec.stages)])
    count = len(stages)
    return _bounded(spec, PlacedRegion(begin, begin + (extent + max(stages)) * count, count, stages))


def _bounded(spec: RegionSpec, region: PlacedRegion) -> PlacedRegion:
    """Slots stay below 2^63, as every number of the format does."""
    if region.end > MAX_SLOTS:
        message = f"the region {spec.name!r} ends at slot 2^63 or later"
        raise FaultError([Fault(spec.where, "expr-overflow", message)])
    return region


def _size(spec: BufferSpec, regions: dict[str, PlacedRegion], env: Env, file_align: Bytes) -> _Sized:
    touched = [
        (regions[a.region], _statements(a, regions[a.region], env))
        for a in spec.access
        if a.region in regions
    ]
    versions = _versions(spec, touched, env)
    size = versions * one_version(spec, env)
    if size > MAX_BYTES:
        raise _too_large(spec)
    align = file_align if spec.align is None else alignment(spec.align, env, (*spec.where, "align"))
    return _Sized(spec, versions, size, align, _live(spec, touched, env))


def one_version(spec: BufferSpec, env: Env) -> Bytes:
    """Bytes of one version, from `bytes` or from shape and dtype."""
    if spec.bytes is not None:
        return at_least(0, spec.bytes, env, "bytes", (*spec.where, "bytes"))
    assert spec.shape is not None
    assert spec.dtype is not None
    elements = 1
    for i, extent in enumerate(spec.shape):
        elements *= at_least(0, extent, env, f"shape[{i}]", (*spec.where, "shape", i))
        if elements > MAX_BYTES:
            raise _too_large(spec)
    bits = spec.storage_bits
    storage = None if bits is None else at_least(1, bits, env, "storage_bits", (*spec.where, "storage_bits"))
    return dtypes.storage_bytes(dtype(spec.dtype, env), elements, storage)


def _too_large(spec: BufferSpec) -> FaultError:
    return FaultError([Fault(spec.where, "expr-overflow", "its size is 2^63 bytes or more", on_key=True)])


def alignment(value: Number, env: Env, where: DocPath) -> Bytes:
    """An alignment: a power of two."""
    result = at_least(1, value, env, "align", where)
    if result & (result - 1):
        place = value.where if isinstance(value, Expr) else where
        raise FaultError([Fault(place, "out-of-range", f"alignment must be a power of two, not {result}")])
    return result


def _statements(access: Access, region: PlacedRegion, env: Env) -> list[int]:
    """Indexes of the statements that touch a buffer in a region."""
    if not access.statements:
        return list(range(region.statements)) if region.stages else [0, region.statements - 1]
    indexes = []
    for i, index in enumerate(access.statements):
        where = (*access.where, i)
        value = at_least(0, index, env, f"{access.region}[{i}]", where)
        if value >= region.statements:
            last = (
                "only statement 0" if region.statements == 1 else f"statements 0 to {region.statements - 1}"
            )
            raise FaultError([Fault(where, "statement-range", f"{access.region!r} has {last}, not {value}")])
        indexes.append(value)
    return indexes


def _versions(spec: BufferSpec, touched: Sequence[tuple[PlacedRegion, list[int]]], env: Env) -> int:
    """Copies: outright, from the stages that define and use it, from the loops that touch it, or 1."""
    if spec.versions is not None:
        return at_least(1, spec.versions, env, "versions", (*spec.where, "versions"))
    if spec.stages is not None:
        first = at_least(0, spec.stages[0], env, "def_stage", (*spec.where, "def_stage"))
        last = at_least(0, spec.stages[1], env, "use_stage", (*spec.where, "use_stage"))
        if last < first:
            message = f"`use_stage` ({last}) lies before `def_stage` ({first}): no copy would be left"
            raise FaultError([Fault((*spec.where, "use_stage"), "reversed-stages", message)])
        return last - first + 1
    loops = [(region.stages, indexes) for region, indexes in touched if region.stages]
    return max((max(stages[i] for i in at) - stages[min(at)] + 1 for stages, at in loops), default=1)


def _live(
    spec: BufferSpec, touched: Sequence[tuple[PlacedRegion, list[int]]], env: Env
) -> tuple[Slot, Slot] | None:
    """Outright, or from the first touch to the last; a loop touches again until it ends."""
    if spec.live is not None:
        start = at_least(0, spec.live[0], env, "live[0]", (*spec.where, "live", 0))
        end = at_least(0, spec.live[1], env, "live[1]", (*spec.where, "live", 1))
        if end <= start:
            message = f"the live range [{start}, {end}) is {'empty' if end == start else 'reversed'}"
            raise FaultError([Fault((*spec.where, "live"), "reversed-interval", message)])
        return start, end
    if not touched:
        return None
    starts = [region.steady + min(at) for region, at in touched]
    ends = [region.end if region.stages else region.begin + max(at) + 1 for region, at in touched]
    return min(starts), max(ends)


def _assemble(sized: Sequence[_Sized], end: Slot, static: Bytes, align: Bytes) -> IntervalModel:
    inside = [item for item in sized if not item.spec.static]
    whole = (0, max([end, 1, *(item.live[1] for item in inside if item.live)]))
    statics = tuple(
        StaticBuffer(item.spec.name, item.versions, item.bytes) for item in sized if item.spec.static
    )
    return IntervalModel(
        tuple([Buffer(item.spec.name, item.bytes, item.align, *(item.live or whole)) for item in inside]),
        tuple([item.versions for item in inside]),
        statics,
        static + sum(item.bytes for item in statics),
        align,
    )
