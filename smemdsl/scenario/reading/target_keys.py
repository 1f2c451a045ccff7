"""Keys of a program that mean something to one compiler only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from smemdsl.core.errors import DocPath

TRITON = "triton:"
TILELANG_KEYS: Mapping[str, tuple[str, ...]] = {
    "copy": ("bulk",),
    "store": ("bulk",),
    "atomic_add": ("bulk", "tma"),
    "gemm": ("e", "policy", "mma"),
    "reduce": ("cross_warp", "dtype"),
    "compute": ("nest", "global", "scalar"),
}
"""Of a statement, by verb: what the rules of Triton do not read."""
TRITON_KEYS: Mapping[str, tuple[str, ...]] = {"store": ("dtype", "trans"), "gemm": ("input_precision",)}
"""Of a statement, by verb: what the rules of TileLang do not read."""

Found = tuple[DocPath, str, str]
"""Place, message and hint of a fault."""


def meaningless_keys(value: Mapping[str, Any]) -> Iterator[Found]:
    """Each key that the compiler of the target does not know."""
    by_triton = value["target"].startswith(TRITON)
    if by_triton:
        for key in value.get("options", {}):
            yield _fault(("options", key), key, value["target"], by_triton)
        for name, buffer in value.get("buffers", {}).items():
            if isinstance(buffer, dict) and "layout" in buffer:
                yield _fault(("buffers", name, "layout"), "layout", value["target"], by_triton)
    for where, key in _of_statements(value["program"], ("program",), by_triton):
        yield _fault(where, key, value["target"], by_triton)


def _of_statements(items: Sequence[Any], where: DocPath, by_triton: bool) -> Iterator[tuple[DocPath, str]]:
    keys = TILELANG_KEYS if by_triton else TRITON_KEYS
    for i, item in enumerate(items):
        for verb, names in keys.items():
            said = item.get(verb)
            if isinstance(said, dict):
                yield from (((*where, i, verb, name), name) for name in names if name in said)
        if by_triton and "reads" in item:
            yield (*where, i, "reads"), "reads"
        for inner in ("body", "if", "else"):
            if isinstance(item.get(inner), list):
                yield from _of_statements(item[inner], (*where, i, inner), by_triton)


def _fault(where: DocPath, key: str, target: str, by_triton: bool) -> Found:
    ours, other = ("Triton", "TileLang") if by_triton else ("TileLang", "Triton")
    message = f"`{key}` means nothing for target {target!r}: it is {other}'s"
    return where, message, f"leave it out; {ours} decides by itself"
