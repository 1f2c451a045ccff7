"""The program form of a kernel: its buffers, options and statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from smemdsl.compilers.capture.failing import CaptureError
from smemdsl.compilers.tilelang.capture import ir
from smemdsl.compilers.tilelang.capture.accesses import accesses
from smemdsl.compilers.tilelang.capture.bodies import NOTHING
from smemdsl.compilers.tilelang.capture.compiling import AGGRESSIVE, NO_TMA, NO_WARP_SPECIALIZE, Stages
from smemdsl.compilers.tilelang.capture.explicit import kernels
from smemdsl.compilers.tilelang.capture.reductions import layouts, reducers
from smemdsl.compilers.tilelang.capture.starts import depths
from smemdsl.compilers.tilelang.capture.variables import read_for_copies
from smemdsl.compilers.tilelang.capture.walking import Known, Walker
from smemdsl.core import dtypes

TMEM = "shared.tmem"
SLOT_BYTES = 4
"""Static bytes in which a tensor-memory array keeps its address."""
ARENA = (ir.DYNAMIC, "shared")


class Written(NamedTuple):
    """A program as plain data, and why it may not say all."""

    program: dict[str, Any] | None
    doubts: tuple[str, ...]


def write(stages: Stages, options: Mapping[str, Any], launch: int = 0, *, full: bool = False) -> Written:
    """The program form of the kernel of one launch; None, with the reason, where it cannot be written.

    With `full`, every statement that planning counts is there, as in the compiler's own arrays.
    """
    try:
        return _write(stages, options, launch, full=full)
    except CaptureError as error:
        return Written(None, (str(error),))


def _write(stages: Stages, options: Mapping[str, Any], launch: int, *, full: bool) -> Written:
    functions = list(stages.source.functions.values())
    if len(functions) != 1:
        raise CaptureError("no-program", f"the module has {len(functions)} functions")
    launches = _launches(functions[0].body)
    if launch >= len(launches):
        raise CaptureError("no-program", f"launch {launch + 1} of {len(launches)} is not in the source")
    body = launches[launch]
    special = _specialised(stages, launch, body)
    declared = _declarations(body)
    threads = ir.threads(body)
    walker = Walker(
        declared.names,
        {buffer.data for buffer in functions[0].buffer_map.values()},
        Known(
            layouts(stages.inferred),
            reducers(stages.reduced, threads),
            depths(stages.planned),
            special.split,
            special.dropped,
            _read_at_top(stages, launch, declared.names),
        ),
        threads,
        aggressive=bool(options.get(AGGRESSIVE)),
        full=full,
    )
    statements = [*walker.walk(body), *walker.left_scalars()]
    written = _options(options)
    if special.sibling:
        written["specialized_sibling"] = True
    if special.by_hand:
        written["warp_specialize"] = False
    versions = pipelined_barriers(body, declared.barriers)
    if versions:
        walker.doubt(
            "warp specialisation by hand in a pipelined loop: its barriers were measured in one kernel"
        )
        written["warp_specialize"] = False
    for name in read_for_copies(body, declared.names) if special.split else ():
        walker.doubt(f"a variable that copies of the split loop use is worked out from {name} before it")
    program = {
        "threads": threads,
        "options": written,
        "static": declared.slots + sum(n * versions.get(var, 1) for var, n in declared.barriers.items()),
        "buffers": declared.buffers,
        "program": statements or [dict(NOTHING)],
    }
    return Written(program, tuple(walker.doubts))


def pipelined_barriers(body: Any, barriers: Mapping[Any, int]) -> dict[Any, int]:
    """Versions of barriers that a kernel declares and uses in a pipelined loop: num_stages, like its tiles.

    Such a kernel is warp-specialised by hand; the compiler leaves that to it and pipelines the loop.
    """
    found: dict[Any, int] = {}
    for loop in (
        node for node in ir.nodes(body) if ir.kind(node) == "For" and "num_stages" in node.annotations
    ):
        stages = ir.constant(loop.annotations["num_stages"]) or 0
        used = {var for var, _ in accesses(loop.body) if var in barriers} if stages else ()
        found.update(dict.fromkeys(used, stages))
    return found


class _Special(NamedTuple):
    """What the pass that specialises warps made of a launch; it looks at all launches of a function."""

    split: bool
    """A loop of this launch was split."""
    sibling: bool = False
    """Not of this one, but of another one."""
    dropped: bool = False
    """No launch was split, and `num_stages` is gone since some launch asked for it."""
    by_hand: bool = False
    """Another launch is warp-specialised by hand, and the pass left them all alone."""


def _specialised(stages: Stages, launch: int, body: Any) -> _Special:
    after = _launches(next(iter(stages.after_split.functions.values())).body)
    if not stages.specialised:
        dropped = has_stages(body) and not has_stages(after[launch])
        by_hand = any(map(is_by_hand, after)) and not is_by_hand(body)
        return _Special(False, dropped=len(after) > 1 and dropped, by_hand=by_hand)
    split = ir.threads(after[launch]) != ir.threads(body)
    return _Special(split, sibling=not split and has_stages(body))


def _read_at_top(stages: Stages, launch: int, names: Mapping[Any, str]) -> frozenset[str]:
    """The shared buffers that a scalar outside every loop and `if` of the compiled kernel is read from."""
    device = list(kernels(stages).values())[launch]
    own = {str(var.name): name for var, name in names.items()}
    binds = (node for node in ir.at_top(device.body) if ir.kind(node) == "Bind")
    read = (var for node in binds for var, _ in accesses(node.value))
    return frozenset(own[str(var.name)] for var in read if str(var.name) in own)


def has_stages(body: Any) -> bool:
    """Whether some loop asks for software pipelining."""
    return any(ir.kind(node) == "For" and "num_stages" in node.annotations for node in ir.nodes(body))


def is_by_hand(body: Any) -> bool:
    """Whether a kernel is warp-specialised by hand, with `T.ws`."""
    return any(
        ir.kind(node) == "AttrStmt" and str(node.attr_key) in ("warp_specialize", "kWarpSpecializationScope")
        for node in ir.nodes(body)
    )


def _launches(node: Any) -> list[Any]:
    """The parts of a function that run on the GPU, each as one kernel."""
    if ir.kind(node) == "AttrStmt" and node.attr_key == "thread_extent":
        return [node]
    return [launch for child in ir.children(node) for launch in _launches(child)]


def _options(options: Mapping[str, Any]) -> dict[str, bool]:
    written = {}
    if options.get(NO_WARP_SPECIALIZE):
        written["warp_specialize"] = False
    if options.get(NO_TMA):
        written["tma"] = False
    if options.get(AGGRESSIVE):
        written["aggressive_merge"] = True
    return written


class _Declarations(NamedTuple):
    buffers: dict[str, dict[str, Any]]
    names: dict[Any, str]
    """By data variable."""
    barriers: dict[Any, int]
    """Static bytes, by data variable."""
    slots: int
    """Static bytes of tensor memory's addresses."""


def _declarations(body: Any) -> _Declarations:
    """The shared buffers, and what is static beside them."""
    buffers: dict[str, dict[str, Any]] = {}
    names: dict[Any, str] = {}
    barriers: dict[Any, int] = {}
    seen: Counter[str] = Counter()
    slots = 0
    new_names = ir.aliases(body)
    for block in _blocks(body):
        annotated = {str(key.name) for key in block.annotations.get("layout_map", {})}
        for buffer in block.alloc_buffers:
            scope = buffer.scope()
            if scope in ARENA:
                base = new_names.get(str(buffer.name), str(buffer.name))
                seen[base] += 1
                name = base if seen[base] == 1 else f"{base}_{seen[base]}"
                names[buffer.data] = name
                buffers[name] = _declared(ir.array(buffer), annotated=str(buffer.name) in annotated)
            elif scope in ir.STATIC:
                barriers[buffer.data] = ir.array(buffer).bytes
            elif scope == TMEM:
                slots += SLOT_BYTES
    return _Declarations(buffers, names, barriers, slots)


def _declared(array: ir.Array, *, annotated: bool) -> dict[str, Any]:
    dtype = dtypes.lookup(array.dtype)
    if dtype is not None and dtypes.storage_bytes(dtype, ir.elements(array.shape), None) == array.bytes:
        fields: dict[str, Any] = {"shape": list(array.shape), "dtype": array.dtype}
    else:
        fields = {"bytes": array.bytes}
    if annotated:
        fields["layout"] = "annotated"
    if array.scope != ir.DYNAMIC:
        fields["scope"] = "static"
    return fields


def _blocks(body: Any) -> list[Any]:
    return [node for node in ir.nodes(body) if ir.kind(node) == "SBlock"]
