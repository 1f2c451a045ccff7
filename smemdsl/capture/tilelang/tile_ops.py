"""Tile operations: copies, gemms, reductions and the like, each as a statement of the program form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from smemdsl.capture.failing import CaptureError
from smemdsl.capture.tilelang import ir
from smemdsl.capture.tilelang.accesses import Names, Region, regions, touched
from smemdsl.capture.tilelang.copies import can_be_tma, is_bulk
from smemdsl.capture.tilelang.elements import Statement, compute, load
from smemdsl.capture.tilelang.reductions import Layouts, crosses_warps

PREFIX = "tl.tileop."
_POLICIES = {1: "full_row", 2: "full_col"}
_IM2COL = ("im2col", "c2d_im2col")
_SPARSE = "gemm_sp"


class TileOps(NamedTuple):
    """What turns tile operations into statements."""

    names: Names
    layouts: Layouts
    reducers: Mapping[str, tuple[int, ...]]
    """Workspaces at the end of each reducer: elements for each thread."""
    analyzer: Any
    """Knows the ranges of the variables around the operation."""
    doubt: Callable[[str], None]

    def statements(self, call: Any) -> list[Statement]:
        """The statements of a tile operation; none where it touches no shared buffer.

        Raises:
            CaptureError: the program form has no words for it.
        """
        name = ir.call_name(call)
        if name.endswith(_SPARSE):
            raise CaptureError("no-program", "the program form does not cover sparse gemm operands")
        if name in ("copy", "async_copy", "tma_copy", *_IM2COL):
            return self.copy(call, name)
        if name in ("gemm", "wgmma_gemm", "tcgen05_gemm"):
            return self.gemm(call, name)
        if name == "reduce":
            return self.reduce(call)
        if name.startswith("finalize_reducer"):
            return self.finalize(call)
        if name == "atomicadd":
            return self.atomic_add(call)
        return self.other(call)

    def other(self, call: Any) -> list[Statement]:
        """Anything else: what it reads and writes."""
        whole = touched(call, self.names)
        return [compute(whole)] if whole else []

    def inside(self, part: Region) -> str | None:
        """The scenario's name of a region's buffer; None of one that is not in shared memory."""
        return self.names.get(part.buffer.data)

    def copy(self, call: Any, name: str) -> list[Statement]:
        """A copy from global memory, a store to it, or computation between shared memory and registers."""
        source, target = regions(call)[:2]
        annotations = dict(call.annotations) if call.annotations else {}
        if name in _IM2COL:
            self.doubt("an im2col copy: its barrier and alignment are only known inside warp specialisation")
        to, origin = self.inside(target), self.inside(source)
        if to is not None and source.buffer.scope() == "global":
            whole = touched(call, self.names)
            if name == "async_copy":
                return [load([to], whole)]
            return [
                self.moved("copy", "to", to, source, target, annotations, [r for r in whole.reads if r != to])
            ]
        if origin is not None and target.buffer.scope() == "global":
            return [self.moved("store", "from", origin, target, source, annotations, [])]
        return self.other(call)

    def moved(
        self,
        verb: str,
        role: str,
        name: str,
        outside: Region,
        inside: Region,
        annotations: Mapping[str, Any],
        reads: list[str],
    ) -> Statement:
        """A tile copy between global and shared memory; short where nothing is out of the ordinary."""
        fields: dict[str, Any] = {role: name}
        if not can_be_tma(outside, inside, annotations):
            fields["tma"] = False
        if is_bulk(outside, inside, self.analyzer):
            fields["bulk"] = True
        if reads:
            fields["reads"] = reads
        return {verb: fields if len(fields) > 1 else name}

    def gemm(self, call: Any, name: str) -> list[Statement]:
        """A matrix product, with its operands in shared memory."""
        a, b, c = regions(call)[:3]
        fields: dict[str, Any] = {}
        for role, part in (("a", a), ("b", b)):
            if (buffer := self.inside(part)) is not None:
                fields[role] = buffer
        for role, index in (("m", 5), ("n", 6), ("k", 7)):
            fields[role] = ir.integer(call.args[index])
        if (policy := _POLICIES.get(ir.constant(call.args[8]) or 0)) is not None:
            fields["policy"] = policy
        for role, index in (("trans_a", 3), ("trans_b", 4)):
            if ir.constant(call.args[index]):
                fields[role] = True
        if name == "wgmma_gemm":
            fields["mma"] = "wgmma"
        return [{"gemm": fields}, *self.accumulator(c)]

    def accumulator(self, part: Region) -> list[Statement]:
        """A gemm that accumulates in shared memory touches that too."""
        name = self.inside(part)
        return [] if name is None else [{"compute": {"reads": [name], "writes": [name]}}]

    def reduce(self, call: Any) -> list[Statement]:
        """A reduction of a fragment or a shared tile along an axis."""
        source, target = regions(call)[:2]
        if (name := self.inside(target)) is not None:
            self.doubt(f"a reduction into {name} in shared memory: its workspace is not known")
            return self.other(call)
        layout = self.layouts.get(str(source.buffer.name))
        reads = [name for name in (self.inside(source),) if name]
        if layout is None and reads:
            self.doubt(f"a reduction of {reads[0]} in shared memory: whether it crosses warps is not known")
        axis = ir.constant(call.args[3]) or 0
        return self.reduction(
            layout is not None and crosses_warps(layout, axis), str(target.buffer.dtype), reads
        )

    def reduction(self, crosses: bool, dtype: str, reads: list[str]) -> list[Statement]:
        """The statement; none where it touches nothing and needs no workspace."""
        if not crosses:
            return [{"compute": {"reads": reads}}] if reads else []
        fields: dict[str, Any] = {"cross_warp": True, "dtype": dtype}
        return [{"reduce": {**fields, "reads": reads} if reads else fields}]

    def finalize(self, call: Any) -> list[Statement]:
        """R5: the end of a reducer: a reduction for each step that crosses warps."""
        reducer = regions(call)[0].buffer
        steps = self.reducers.get(str(reducer.name))
        if steps is None or any(batch > 1 for batch in steps):
            self.doubt("a reducer whose end has no plan, or takes several elements at once")
            return self.other(call)
        whole = list(touched(call, self.names).reads)
        found = [each for _ in steps for each in self.reduction(True, str(reducer.dtype), whole)]
        return found or self.other(call)

    def atomic_add(self, call: Any) -> list[Statement]:
        """A reduction of a shared tile into global memory."""
        parts = regions(call)
        names = [self.inside(part) for part in parts]
        name = next((each for each in names if each is not None), None)
        if name is None or all(part.buffer.scope() != "global" for part in parts):
            return self.other(call)
        annotations = dict(call.annotations) if call.annotations else {}
        tma = bool(ir.constant(annotations.get("use_tma", 0)))
        return [{"atomic_add": {"from": name, "tma": True} if tma else name}]
