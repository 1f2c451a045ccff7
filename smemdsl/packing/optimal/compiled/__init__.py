"""The same search as in `optimal.search`, compiled by numba, which the extra `smemdsl[solver]` brings.

It takes the same decisions in the same order, some 25 times as fast: what it finds is what the interpreter
would find, only sooner. It is for large instances, where numba's start and the compilation are worth their
time; nothing here is imported for others.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from smemdsl.packing.optimal.clock import Clock
from smemdsl.packing.optimal.instance import Instance

if TYPE_CHECKING:
    from smemdsl.packing.optimal.compiled.search import CompiledSearch

__all__ = ["compiled_search"]

_SECONDS_TO_COMPILE = 8.0
"""The first time on a machine; numba keeps the result, and from then on it loads in less than a second."""
_LARGEST_SUM = 1 << 59
"""Of all sizes, in units: no sum of offsets then leaves 64 bits."""
_MOST_CELLS = 1 << 27
"""Of the states on the way to a placement, 8 bytes each."""


def compiled_search(instance: Instance, blame: list[int], steps: int, clock: Clock) -> CompiledSearch | None:
    """A search that goes on after so many steps of `Search` with the same blame; None if that has to do.

    That is: without numba, with little time left, with buffers that need padding or that are too many.
    """
    is_loaded = _search_class.cache_info().currsize
    if not (is_loaded or clock.left() >= _SECONDS_TO_COMPILE) or not _applies(instance):
        return None
    search = _search_class()
    return search(instance, blame, steps) if search else None


def _applies(instance: Instance) -> bool:
    buffers, live_sets = len(instance.sizes), len(instance.members)
    return (
        instance.period == 1
        and sum(instance.sizes) < _LARGEST_SUM
        and (buffers + 1) * (buffers + 3 * live_sets) <= _MOST_CELLS
    )


@cache
def _search_class() -> type[CompiledSearch] | None:
    try:
        from smemdsl.packing.optimal.compiled.search import CompiledSearch
    except ImportError:  # no numba, or none that suits the numpy that is there
        return None
    return CompiledSearch
