"""Tile operations: copies, gemms, reductions and the like, each as a statement of the program form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from smemdsl.compilers.tilelang.capture import ir
from smemdsl.compilers.tilelang.capture.accesses import Names, Region, Touched, regions, touched
from smemdsl.compilers.tilelang.capture.copies import can_be_tma, is_bulk
from smemdsl.compilers.tilelang.capture.elements import Statement, compute, load, together
from smemdsl.compilers.tilelang.capture.reductions import Layouts, crosses_warps

PREFIX = "tl.tileop."
_POLICIES = {1: "full_row", 2: "full_col"}
_IM2COL = ("im2col", "c2d_im2col")
_PRODUCTS = ("gemm", "wgmma_gemm", "tcgen05_gemm")
_SPARSE_PRODUCTS = ("gemm_sp", "wgmma_gemm_sp")


class TileOps(NamedTuple):
    """What turns tile operations into statements."""

    names: Names
    layouts: Layouts
    reducers: Mapping[str, tuple[int, ...]]
    """Workspaces at the end of each reducer: elements for each thread."""
    analyzer: Any
    """Knows the ranges of the variables around the operation."""
    doubt: Callable[[str], None]
    aggressive: bool
    """Whether every statement inside loops is a slot of its own."""
    lane: Any = None
    """The variable of threadIdx.x, once the walk is in a launch."""
    block: int = 0
    """Its extent."""

    def statements(self, call: Any) -> list[Statement]:
        """The statements of a tile operation; none where it touches no shared buffer."""
        name = ir.call_name(call)
        if name in ("copy", "async_copy", "tma_copy", *_IM2COL):
            return self.copy(call, name)
        if name in (*_PRODUCTS, *_SPARSE_PRODUCTS):
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
                self.moved(
                    "copy",
                    "to",
                    to,
                    source,
                    target,
                    annotations,
                    [r for r in whole.reads + whole.indexes if r != to],
                )
            ]
        if origin is not None and target.buffer.scope() == "global":
            return [self.moved("store", "from", origin, target, source, annotations, [])]
        if self.aggressive and to is not None and origin is not None:
            return self.within(source, target)
        return self.other(call)

    def within(self, source: Region, target: Region) -> list[Statement]:
        """A copy inside shared memory: under aggressive merge, one that casts reads first and then writes."""
        reads, writes = (str(self.inside(source)),), (str(self.inside(target)),)
        if source.buffer.dtype == target.buffer.dtype:
            return [compute(Touched(reads, writes))]
        return together([compute(Touched(reads, ())), compute(Touched((), writes))])

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
        """A matrix product, with its operands in shared memory; of a sparse A, the metadata too."""
        if name in _SPARSE_PRODUCTS:
            a, e, b, c = regions(call)[:4]
            fields = self.product({"a": a, "e": e, "b": b}, call.args[7:11], (call.args[4], call.args[6]))
        else:
            a, b, c = regions(call)[:3]
            fields = self.product({"a": a, "b": b}, call.args[5:9], call.args[3:5])
        if name.startswith("wgmma"):
            fields["mma"] = "wgmma"
        return [{"gemm": fields}, *self.accumulator(c)]

    def product(
        self, operands: Mapping[str, Region], sizes: Sequence[Any], turned: Sequence[Any]
    ) -> dict[str, Any]:
        """The fields of a product: m, n, k and policy are its sizes."""
        inside = {role: self.inside(part) for role, part in operands.items()}
        fields: dict[str, Any] = {role: name for role, name in inside.items() if name is not None}
        fields |= {role: ir.integer(size) for role, size in zip(("m", "n", "k"), sizes[:3], strict=True)}
        if (policy := _POLICIES.get(ir.constant(sizes[3]) or 0)) is not None:
            fields["policy"] = policy
        flags = zip(("trans_a", "trans_b"), turned, strict=True)
        return fields | {role: True for role, turn in flags if ir.constant(turn)}

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
        if (threads := self.branch_threads()) is not None:
            fields["threads"] = threads
        return [{"reduce": {**fields, "reads": reads} if reads else fields}]

    def branch_threads(self) -> int | None:
        """Threads that the conditions around leave, as `ComputeThreadBounds` asks; None where it is all."""
        if self.lane is None:
            return None
        bound = self.analyzer.const_int_bound(self.lane)
        threads = int(bound.max_value) - int(bound.min_value) + 1
        return threads if 0 < threads < self.block else None

    def finalize(self, call: Any) -> list[Statement]:
        """The end of a reducer: a reduction for each step that crosses warps."""
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
