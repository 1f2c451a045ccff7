"""The arena that TileLang made: buffers with versions, alignments, lives and offsets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import prod
from typing import Any, NamedTuple

from smemdsl.compilers.capture.failing import CaptureError
from smemdsl.compilers.capture.request import CapturedBuffer
from smemdsl.compilers.tilelang.capture import ir
from smemdsl.compilers.tilelang.capture.compiling import NO_REUSE, Stages, merge_text
from smemdsl.compilers.tilelang.capture.plan_text import MergePlan, Planned, SymbolicError, parse_plan

MERGED = "buf_dyn_shmem"
"""What the merge pass calls the arena."""
ALIGN = 16
"""`align_bytes` of the merge pass."""


class Arena(NamedTuple):
    """The shared memory of one kernel."""

    buffers: tuple[CapturedBuffer, ...]
    total: int
    static: int
    threads: int


def kernels(stages: Stages) -> dict[str, Any]:
    """The device functions before the merge, by name, in the order of their launches.

    `SplitHostDevice` calls them main_kernel, main_kernel_1, main_kernel_2 and so on.
    """
    found = {
        str(name.name_hint): func
        for name, func in stages.split.functions.items()
        if func.attrs and "tirx.is_global_func" in func.attrs
    }
    return dict(sorted(found.items(), key=lambda item: _number(item[0])))


def _number(name: str) -> int:
    tail = name.rpartition("_")[2]
    return int(tail) if tail.isdecimal() and "_kernel_" in name else 0


def arena(stages: Stages, kernel: str, source: Any, options: Mapping[str, Any], target: Any) -> Arena:
    """What the compiler made of one kernel of a module.

    Raises:
        CaptureError: sizes are symbolic, or the compiler's messages and its code disagree.
    """
    name = next(n for n in stages.split.functions if str(n.name_hint) == kernel)
    before, after = stages.split[name], stages.merged[name]
    try:
        plan = parse_plan(merge_text(name, before, options, target))
    except SymbolicError as error:
        raise CaptureError("capture-symbolic", str(error)) from None
    static = sum(a.bytes for a in ir.arrays(after.body, ir.STATIC))
    threads = ir.threads(after.body)
    declared = _versions(stages, source)
    if plan is None:
        alone = [_alone(a, declared) for a in ir.arrays(after.body, (ir.DYNAMIC,))]
        return Arena(tuple(alone), sum(b.bytes for b in alone), static, threads)
    offsets, total = _offsets(after.body)
    placed = [b for b in plan.buffers if offsets.get(b.name)]
    if options.get(NO_REUSE):
        placed = [b._replace(offset=offsets[b.name].pop(0)) for b in placed]
    else:
        _agree(plan, offsets, total)
    named = zip(_unique(placed), placed, strict=True)
    buffers = tuple(_captured(b, name, declared.get(b.name)) for name, b in named)
    return Arena(buffers, total, static, threads)


class _Declared(NamedTuple):
    shape: tuple[int, ...]
    dtype: str
    versions: int


def _versions(stages: Stages, source: Any) -> dict[str, _Declared]:
    """Of each array of the source: what software pipelining made of its shape."""
    written: dict[str, ir.Array] = {a.name: a for a in ir.arrays(source.body, (ir.DYNAMIC,))}
    names = ir.aliases(source.body)
    found: dict[str, _Declared] = {}
    for func in stages.pipelined.functions.values():
        for a in ir.arrays(func.body, (ir.DYNAMIC,)):
            if (own := written.get(a.name)) is None:
                continue
            added = len(a.shape) - len(own.shape)
            versions = prod(a.shape[:added]) if a.shape[added:] == own.shape else max(1, a.bytes // own.bytes)
            found[names.get(a.name, a.name)] = _Declared(own.shape, own.dtype, versions)
    return found


def _alone(array: ir.Array, declared: Mapping[str, _Declared]) -> CapturedBuffer:
    """A single dynamic buffer: the compiler leaves it as it is, with neither plan nor alignment."""
    own = declared.get(array.name, _Declared(array.shape, array.dtype, 1))
    return CapturedBuffer(array.name, array.bytes, own.versions, None, None, 0, own.shape, own.dtype)


def _offsets(body: Any) -> tuple[dict[str, list[int]], int]:
    """Where the code after the merge has each buffer, and the size of the arena."""
    offsets: dict[str, list[int]] = {}
    total = 0
    for node in ir.nodes(body):
        if ir.kind(node) == "AllocBuffer" and str(node.buffer.name) == MERGED:
            total = ir.integer(node.buffer.shape[0])
        elif ir.kind(node) == "Bind" and ir.call_name(node.value) == "handle_add_byte_offset":
            offsets.setdefault(str(node.var.name), []).append(ir.integer(node.value.args[1]))
    return offsets, total


def _agree(plan: MergePlan, offsets: Mapping[str, list[int]], total: int) -> None:
    said = Counter((b.name, b.offset) for b in plan.buffers)
    made = Counter((name, offset) for name, places in offsets.items() for offset in places)
    if said != made or plan.total != total:
        raise CaptureError("capture-compile", "TileLang's merge plan is not what its code has")


def _unique(buffers: list[Planned]) -> list[str]:
    """Names, those that stand there twice with a number behind."""
    seen: Counter[str] = Counter()
    names = []
    for buffer in buffers:
        seen[buffer.name] += 1
        names.append(buffer.name if seen[buffer.name] == 1 else f"{buffer.name}_{seen[buffer.name]}")
    return names


def _captured(buffer: Planned, name: str, own: _Declared | None) -> CapturedBuffer:
    shape, dtype, versions = own or (None, None, 1)
    return CapturedBuffer(
        name, buffer.bytes, versions, buffer.align, buffer.live, buffer.offset, shape, dtype
    )
