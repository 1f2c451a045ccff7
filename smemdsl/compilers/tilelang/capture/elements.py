"""Element loops: what moves global values to shared memory, and what computes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from smemdsl.compilers.tilelang.capture import ir
from smemdsl.compilers.tilelang.capture.accesses import Names, Touched, touched

Statement = dict[str, Any]
GLOBAL = ("global", "")
LOCAL = ("local", "local.var", "local.fragment")


def element_loop(node: Any, names: Names, threads: int, *, apart: bool) -> list[Statement]:
    """The statements of a loop over elements: a load, or computation; none where nothing is touched.

    Only what moves global values to shared memory as they are, casts allowed, is a load. With `apart`,
    as under aggressive merge, every assignment is a statement of its own, which planning still counts as one.
    """
    stores = _stores(node)
    all_touched = touched(node, names)
    if not all_touched:
        return []
    loaded = [s for s in stores if s.buffer.data in names and _from_global(s.value)]
    if loaded and all(_is_pure(store) for store in stores):
        return [load(_names(loaded, names), all_touched)]
    if apart and stores:
        parts = [touched(store, names) for store in stores]
        if len(stores) == 1:
            parts = decoupled(node, stores[0], names)
        return together([compute(part) for part in parts if part])
    statement = compute(all_touched)
    if len(stores) > 1 and _elements(node) > threads:
        statement["compute"]["nest"] = True
    return [statement]


def together(parts: list[Statement]) -> list[Statement]:
    """Parts of one statement, in a loop of one iteration, which vanishes."""
    return [{"loop": "parts", "extent": 1, "body": parts}] if len(parts) > 1 else parts


def decoupled(node: Any, store: Any, names: Names) -> list[Touched]:
    """What the compiler makes of a loop that casts: shared values to registers first, then the rest.

    `DecoupleTypeCast` in TileLang 0.1.15: of a vectorised loop with a cast in its value.
    """
    loads = [each for each in ir.nodes(store.value) if ir.kind(each) == "BufferLoad"]
    casts = any(ir.kind(each) == "Cast" for each in ir.nodes(store.value))
    if not casts or not all(_runs_along(node, each) for each in (store, *loads)):
        return [touched(store, names)]
    parts = [touched(each, names) for each in loads if each.buffer.data in names]
    target = names.get(store.buffer.data)
    return [*parts, Touched((), () if target is None else (target,))]


def _runs_along(node: Any, access: Any) -> bool:
    """Whether an access steps by one element with the innermost loop, or stays: else it is not vectorised."""
    while ir.kind(node.body) == "For":
        node = node.body
    variable, last = node.loop_var, access.indices[-1]
    step = ir.difference(last, variable)
    others = [ir.difference(index, variable) for index in list(access.indices)[:-1]]
    return step in (0, 1) and all(other == 0 for other in others)


def load(to: list[str], whole: Touched) -> Statement:
    """An element-wise load, with the shared buffers that its addresses come from."""
    reads = [name for name in whole.reads + whole.indexes if name not in to]
    if reads:
        return {"load": {"to": to if len(to) > 1 else to[0], "reads": reads}}
    return {"load": to if len(to) > 1 else to[0]}


def compute(whole: Touched) -> Statement:
    """Whatever else reads and writes shared buffers."""
    fields = {"reads": list(whole.reads), "writes": list(whole.writes), "indexes": list(whole.indexes)}
    return {"compute": {key: value for key, value in fields.items() if value}}


def _stores(node: Any) -> list[Any]:
    return [each for each in ir.nodes(node) if ir.kind(each) == "BufferStore"]


def _names(stores: Iterable[Any], names: Names) -> list[str]:
    return list(dict.fromkeys(names[store.buffer.data] for store in stores))


def _is_pure(store: Any) -> bool:
    return _from_global(store.value) and store.buffer.scope().startswith(("shared", *LOCAL))


def _from_global(value: Any) -> bool:
    while ir.kind(value) == "Cast":
        value = value.value
    return ir.kind(value) == "BufferLoad" and value.buffer.scope() in GLOBAL


def _elements(node: Any) -> int:
    """Iterations of the nested parallel loops."""
    count = 1
    while ir.kind(node) == "For":
        count *= ir.constant(node.extent) or 1
        node = node.body
    return count
