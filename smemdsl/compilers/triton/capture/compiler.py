"""Triton itself: imported by name, since only the worker may load it, and asked for its version first."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from smemdsl.compilers.capture.failing import CaptureError, attempt, installed
from smemdsl.compilers.triton.capture.options import checked

KNOWN = ("3.9",)
"""Versions, without the patch, whose passes and messages this package reads."""
_TARGET = re.compile(r"sm_(\d+)[af]?")
_FRONT = ("ttir", "ttgir", "llir")
"""Stages that decide on shared memory; what comes after needs NVIDIA's assembler."""


def version() -> str:
    """The installed version.

    Raises:
        CaptureError: none is installed, or one that is not known.
    """
    return installed("triton", "Triton", KNOWN, digits=2)


@cache
def module(name: str) -> Any:
    """A module of Triton, which prints its allocations from then on.

    Raises:
        CaptureError: it does not load.
    """
    version()
    os.environ["TRITON_ENABLE_LLVM_DEBUG"] = "1"
    os.environ["TRITON_LLVM_DEBUG_ONLY"] = "allocation-shared-memory"
    return attempt("compiler-missing", f"{name} does not load", lambda: import_module(name))


def target_of(name: str) -> Any:
    """The compiler's own target.

    Raises:
        CaptureError: the name is not an NVIDIA target.
    """
    if (found := _TARGET.fullmatch(name)) is None:
        raise CaptureError(
            "capture-target", f"{name!r} is not a target that Triton compiles for", "such as sm_90"
        )
    return module("triton.backends.compiler").GPUTarget("cuda", int(found[1]), 32)


def options_of(options: Mapping[str, Any], target: Any) -> Any:
    """Compile options as Triton's own object.

    Raises:
        CaptureError: there is no such option, or it takes no such value.
    """
    backend = module("triton.compiler.compiler").make_backend(target)
    return checked(options, backend, module("triton.backends.nvidia.compiler").CUDAOptions)


def lower(source: Any, parsed: Any, target: Any) -> dict[str, Any]:
    """Compile as far as LLVM's IR; what Triton then knows of the kernel: `shared` bytes, `num_warps`."""
    compiler, ir = module("triton.compiler.compiler"), module("triton._C.libtriton").ir
    backend = compiler.make_backend(target)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    stages: dict[str, Any] = {}
    backend.add_stages(stages, parsed, source.language)
    found = {"target": target, **parsed.__dict__}
    implementation = backend.get_codegen_implementation(parsed)
    code = source.make_ir(target, parsed, implementation, backend.get_module_map(), context)
    for name in _FRONT:
        code = stages[name](code, found)
    return found
