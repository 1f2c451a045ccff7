"""Packing policies: where in the arena each buffer lies.

A policy is a module with `place(buffers, align) -> Packing`; one that can be stopped early also takes the
keyword `time_limit`, in seconds. To add one, write the module and name it in `POLICIES`.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import ModuleType

from smemdsl.core.buffers import Buffer, Bytes, Packing
from smemdsl.core.did_you_mean import did_you_mean
from smemdsl.core.errors import InternalError, UnknownNameError
from smemdsl.packing.validate import violation

POLICIES: dict[str, str] = {
    "tilelang": "smemdsl.compilers.tilelang.merge_shared_memory",
    "sequential": "smemdsl.compilers.tilelang.no_reuse",
    "optimal": "smemdsl.packing.optimal",
    "triton": "smemdsl.compilers.triton.allocate_shared_memory",
    "struct": "smemdsl.packing.struct",
    "firstfit": "smemdsl.packing.firstfit",
}
"""Name to module, imported when it is first asked for. The first is the default."""
MANY = 1_000
"""Buffers from which on garbage collection waits until they are packed."""


def policy_names() -> tuple[str, ...]:
    """The names of all policies, the default first."""
    return tuple(POLICIES)


def pack(policy: str, buffers: Sequence[Buffer], align: Bytes, *, time_limit: float | None = None) -> Packing:
    """Place the buffers by a policy and check the result.

    Args:
        policy: A name in `POLICIES`.
        buffers: In file order; those of 0 bytes get offset 0 and take part in nothing.
        align: The file's default alignment in bytes, to which some policies round the arena.
        time_limit: Seconds a policy that searches may take; None leaves its own limit, others ignore it.

    Raises:
        UnknownNameError: There is no such policy.
        InternalError: The policy broke its promise; the message names the buffers.
    """
    if len(buffers) < MANY:
        return _pack(policy, buffers, align, time_limit)
    with _no_collection():
        return _pack(policy, buffers, align, time_limit)


def _pack(policy: str, buffers: Sequence[Buffer], align: Bytes, time_limit: float | None) -> Packing:
    place = _module(policy).place
    placed = [buffer for buffer in buffers if buffer.bytes]
    packing: Packing
    if time_limit is not None and "time_limit" in (place.__kwdefaults__ or ()):
        packing = place(placed, align, time_limit=time_limit)
    else:
        packing = place(placed, align)
    if problem := violation(placed, packing):
        raise InternalError(f"policy {policy} made an invalid packing: {problem}")
    return packing if len(placed) == len(buffers) else _with_empty(buffers, packing)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Nothing here holds a cycle, and a search for some takes the longer, the more buffers there are."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _with_empty(buffers: Sequence[Buffer], packing: Packing) -> Packing:
    offsets = iter(packing.offsets)
    return packing._replace(offsets=tuple(next(offsets) if buffer.bytes else 0 for buffer in buffers))


@cache
def _module(policy: str) -> ModuleType:
    if policy not in POLICIES:
        raise UnknownNameError(f"unknown policy {policy!r}", did_you_mean(policy, POLICIES))
    return import_module(POLICIES[policy])
