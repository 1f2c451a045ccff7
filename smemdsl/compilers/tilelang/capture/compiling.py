"""Compiling a prim_func without a GPU, and keeping what the compiler knows between its passes."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from smemdsl.compilers.capture.failing import CaptureError, attempt, check_options
from smemdsl.compilers.capture.stderr import with_stderr
from smemdsl.compilers.tilelang.capture.compiler import module

MERGE = "tl.MergeSharedMemoryAllocations"
CHECKED = "tl.VerifyBufferInit"
PLAN = "tl.PipelinePlanning"
INFER = "tl.LayoutInference"
PIPELINE = "tl.InjectSoftwarePipeline"
REDUCERS = "tl.ReducerPlanAndMaterialize"
SPECIALISE = "tl.ProducerConsumerWarpSpecialized"
DEBUG = "tl.debug_merge_shared_memory_allocations"
_AFTER = {
    CHECKED: "source",
    SPECIALISE: "after_split",
    PLAN: "planned",
    PIPELINE: "pipelined",
    INFER: "inferred",
    REDUCERS: "reduced",
    MERGE: "merged",
}
_WANTED = frozenset(["source", "planned", "pipelined", "inferred", "reduced", "split", "merged"])
NO_REUSE = "tl.disable_shared_memory_reuse"
NO_TMA = "tl.disable_tma_lower"
NO_WARP_SPECIALIZE = "tl.disable_warp_specialized"
AGGRESSIVE = "tl.enable_aggressive_shared_memory_merge"


class Stages(NamedTuple):
    """The module at the places that matter."""

    source: Any
    """Checked and simplified, as it is once more before planning: what the kernel says."""
    after_split: Any
    """After warps were specialised; the source where that pass does not run."""
    planned: Any
    """After planning: a pipelined loop's statements have stages and order numbers."""
    pipelined: Any
    """After software pipelining: buffers have their versions, and still the names of the source."""
    inferred: Any
    """After layout inference: fragments have their layouts."""
    reduced: Any
    """After the reducers were planned: each has the steps of its all-reduce."""
    split: Any
    """Before the merge: one function a kernel, buffers flat."""
    merged: Any
    specialised: bool
    seconds: float
    doubt: str
    """What went wrong after the merge, which all that is wanted here comes before; may be empty."""


def target_of(name: str) -> Any:
    """The compiler's own target.

    Raises:
        CaptureError: it has no such target.
    """
    if not re.fullmatch("sm_[0-9]+[af]?", name):
        raise CaptureError(
            "capture-target", f"{name!r} is not a target that TileLang compiles for", "such as sm_90a"
        )
    target = module("tvm").target.Target
    return attempt("capture-target", f"no target {name!r}", lambda: target({"kind": "cuda", "arch": name}))


def compile_stages(func: Any, options: Mapping[str, Any], target: Any) -> Stages:
    """Run all passes and code generation, but not NVIDIA's compiler.

    Raises:
        CaptureError: the kernel does not compile; the message is the compiler's.
    """
    seen: dict[str, Any] = {}
    begin = time.process_time()
    doubt = ""
    try:
        with _context(options, [_observer(seen)]), target:
            lower = module("tilelang").lower
            attempt("capture-compile", "the kernel does not compile", lambda: lower(func, target=target))
    except CaptureError as error:
        if not seen.keys() >= _WANTED:
            raise
        doubt = f"after shared memory was laid out, {error}"
    seconds = time.process_time() - begin
    if "source" in seen:
        with target:
            seen["source"] = module("tilelang.transform").Simplify()(seen["source"])
        seen.setdefault("after_split", seen["source"])
    if not seen.keys() >= _WANTED:
        raise CaptureError("capture-compile", f"the compiler ran no {MERGE}: no GPU kernel?")
    specialised = any(
        int(f.attrs.get("tl_tiled_ws_applied", 0)) for _, f in seen["pipelined"].functions.items() if f.attrs
    )
    return Stages(**seen, specialised=specialised, seconds=seconds, doubt=doubt)


def _observer(seen: dict[str, Any]) -> Any:
    class Observer:
        def run_before_pass(self, mod: Any, info: Any) -> None:
            if info.name == MERGE:
                seen["split"] = mod

        def run_after_pass(self, mod: Any, info: Any) -> None:
            if (name := _AFTER.get(info.name)) is not None:
                seen[name] = mod

    return module("tvm.ir.instrument").pass_instrument(Observer)()


def _context(options: Mapping[str, Any], instruments: list[Any]) -> Any:
    context = module("tvm").transform.PassContext
    check_options("TileLang", options, [str(name) for name in context.list_configs()])
    return attempt(
        "capture-options",
        "the compiler does not take these pass options",
        lambda: context(opt_level=3, config=dict(options), instruments=instruments),
    )


def merge_text(name: Any, func: Any, options: Mapping[str, Any], target: Any) -> str:
    """What the merge pass prints of its plan for one kernel: with reuse, or it prints no alignments."""
    merge = module("tilelang.transform").MergeSharedMemoryAllocations(
        enable_aggressive_merge=bool(options.get(AGGRESSIVE)), disable_reuse=False
    )
    alone = module("tvm").IRModule({name: func})
    with _context({**options, DEBUG: True}, []), target:
        return with_stderr(lambda: merge(alone))[1]
