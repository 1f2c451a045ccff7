"""Local variables that are worked out from shared memory and used by the copies of a pipelined loop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from smemdsl.compilers.tilelang.capture import ir
from smemdsl.compilers.tilelang.capture.accesses import accesses

VARIABLE = "local.var"


def read_for_copies(body: Any, names: Mapping[Any, str]) -> list[str]:
    """Shared buffers that a variable is worked out from which a pipelined loop uses.

    Where warps are specialised, the compiler puts what works it out at the head of the producer, in front of
    its loop (measured with TileLang 0.1.15); a program says nothing of variables.

    Args:
        body: the kernel, as its source has it.
        names: its shared buffers, by data variable.
    """
    used = {load.buffer.data for loop in _pipelined(body) for load in _loads(loop.body)}
    stores = (node for node in ir.nodes(body) if ir.kind(node) == "BufferStore" and node.buffer.data in used)
    read = (var for store in stores for var, _ in accesses(store.value))
    return list(dict.fromkeys(names[var] for var in read if var in names))


def _pipelined(body: Any) -> Iterator[Any]:
    return (node for node in ir.nodes(body) if ir.kind(node) == "For" and "num_stages" in node.annotations)


def _loads(body: Any) -> Iterator[Any]:
    """Reads of variables."""
    loads = (node for node in ir.nodes(body) if ir.kind(node) == "BufferLoad")
    return (load for load in loads if str(load.buffer.scope()) == VARIABLE)
