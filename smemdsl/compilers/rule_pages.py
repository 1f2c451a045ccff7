"""The rules of all compilers by name, each with its page: its module's docstring, and where it comes from."""

from __future__ import annotations

import inspect
from importlib import import_module

from smemdsl.program.rule import page

RULES: dict[str, str] = {
    "pipeline-planning/stages": "smemdsl.compilers.tilelang.rules.pipeline_planning",
    "inject-pipeline/prologue": "smemdsl.compilers.tilelang.rules.inject_pipeline",
    "inject-pipeline/versions": "smemdsl.compilers.tilelang.rules.multi_version_buffer",
    "warp-specialize/split": "smemdsl.compilers.tilelang.rules.warp_specialize",
    "warp-specialize/barriers": "smemdsl.compilers.tilelang.rules.barriers",
    "merge-if/conditions": "smemdsl.compilers.tilelang.rules.merge_if_statements",
    "lower-reduce/workspace": "smemdsl.compilers.tilelang.rules.lower_reduce",
    "merge-shared-memory/liveness": "smemdsl.compilers.tilelang.rules.liveness",
    "merge-shared-memory/alignment": "smemdsl.compilers.tilelang.rules.alignment",
    "lower-loops/versions": "smemdsl.compilers.triton.rules.versions",
    "lower-loops/copies": "smemdsl.compilers.triton.rules.register_copies",
    "lower-loops/mma-barriers": "smemdsl.compilers.triton.rules.mma_barriers",
    "lower-loops/tma-barriers": "smemdsl.compilers.triton.rules.tma_barriers",
    "accelerate-matmul/transposed-tile": "smemdsl.compilers.triton.rules.transposed_tiles",
    "allocate-shared-memory/convert-layout": "smemdsl.compilers.triton.rules.convert_layout",
    "allocate-shared-memory/liveness": "smemdsl.compilers.triton.rules.liveness",
    "allocate-shared-memory/alignment": "smemdsl.compilers.triton.rules.alignment",
}
"""Rule to the module that has it as `RULE`, in the order in which a compiler comes to them."""


def rule_page(name: str) -> str:
    """The page of a rule in `RULES`, as Markdown."""
    module = import_module(RULES[name])
    return page(module.RULE, inspect.getdoc(module) or "")
