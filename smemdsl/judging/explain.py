"""Why each buffer has the versions, the life and the alignment that it has."""

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING, NamedTuple

from smemdsl.core.buffers import PlacedBuffer
from smemdsl.judging.plan import ArenaPlan
from smemdsl.scenario.spec import BufferSpec

if TYPE_CHECKING:
    from smemdsl.program.lowered import LoweredProgram as ProgramLowered


class BufferReason(NamedTuple):
    """One value of one buffer, and the rule that gave it."""

    buffer: str
    what: str
    """existence, versions, life, alignment, or static for what lies outside the arena."""
    value: str
    rule: str
    """Name of a compiler's rule, such as `inject-pipeline/versions`; `file` where the scenario says it."""
    text: str


def reasons(plan: ArenaPlan) -> tuple[BufferReason, ...]:
    """The reasons of all buffers, static ones last, in the order of the layout."""
    if plan.lowered.program is not None:
        return tuple(_of_program(plan.lowered.program))
    specs = {buffer.name: buffer for buffer in plan.spec.buffers}
    loops = {region.name for region in plan.spec.timeline if region.extent is not None}
    return tuple(reason for buffer in plan.layout for reason in _of_file(specs[buffer.name], buffer, loops))


def _of_program(lowered: "ProgramLowered") -> Iterator[BufferReason]:
    from smemdsl.program.provenance import explain

    return (
        BufferReason(reason.subject, reason.about, reason.value, *reason.why) for reason in explain(lowered)
    )


def _of_file(spec: BufferSpec, buffer: PlacedBuffer, loops: Set[str]) -> Iterator[BufferReason]:
    start, end = buffer.live or (0, 0)
    yield BufferReason(spec.name, "versions", str(buffer.versions), "file", _versions(spec, loops))
    yield BufferReason(spec.name, "life", f"[{start}, {end})", "file", _life(spec))
    yield BufferReason(spec.name, "alignment", str(buffer.align), "file", _alignment(spec))


def _versions(spec: BufferSpec, loops: Set[str]) -> str:
    if spec.versions is not None:
        return "`versions` says so"
    if spec.stages is not None:
        return "use_stage - def_stage + 1"
    touched = [access.region for access in spec.access if access.region in loops]
    if touched:
        return f"from the stages of its statements in {', '.join(touched)}"
    return "no pipelined loop touches it" if spec.access else "nothing asks for copies"


def _life(spec: BufferSpec) -> str:
    if spec.live is not None:
        return "`live` says so"
    if spec.access:
        return f"from the first touch to the last, in {', '.join(access.region for access in spec.access)}"
    return "throughout: neither `access` nor `live` is given"


def _alignment(spec: BufferSpec) -> str:
    return "the file's default" if spec.align is None else "the buffer's own `align` or `swizzle`"
