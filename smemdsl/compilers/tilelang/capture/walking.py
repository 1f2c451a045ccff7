"""A walk over a kernel before it is lowered: its statements in the words of the program form."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from smemdsl.compilers.capture.failing import CaptureError
from smemdsl.compilers.tilelang.capture import ir
from smemdsl.compilers.tilelang.capture.accesses import Touched, reads_any, touched
from smemdsl.compilers.tilelang.capture.bodies import (
    BOUND,
    NOTHING,
    PARALLEL,
    VECTORIZED,
    is_repeated,
    last_nothing,
    marked,
    one_nothing,
    says_global,
)
from smemdsl.compilers.tilelang.capture.compiler import module
from smemdsl.compilers.tilelang.capture.elements import GLOBAL, Statement, compute, element_loop
from smemdsl.compilers.tilelang.capture.reductions import Layouts
from smemdsl.compilers.tilelang.capture.starts import Around, Depths, is_clamped
from smemdsl.compilers.tilelang.capture.tile_ops import PREFIX, TileOps

MAX_UNROLLED = 64


class Known(NamedTuple):
    """What the compiler's passes say of a kernel, of which the walk over its source asks."""

    layouts: Layouts
    reducers: Mapping[str, tuple[int, ...]]
    depths: Depths
    specialised: bool
    """Whether its warps are specialised."""
    dropped: bool = False
    """Its loops are not pipelined, since another launch of its function could not be specialised."""
    read_at_top: frozenset[str] = frozenset()
    """Shared buffers that a scalar outside every loop and `if` of the compiled kernel is read from."""


class Walker:
    """Turns the statements of one kernel into those of a program."""

    def __init__(
        self,
        names: dict[Any, str],
        outside: Container[Any],
        known: Known,
        threads: int,
        *,
        aggressive: bool,
        full: bool = False,
    ) -> None:
        self.names = names
        self.outside = outside
        """Data variables of the arrays in global memory."""
        self.threads = threads
        self.known = known
        self.around: list[Around] = []
        self.nested = 0
        """Loops and `if`s around the statement that is walked."""
        self.written: frozenset[str] = frozenset()
        """Shared buffers that the pipelined loop around it writes."""
        self.aggressive = aggressive
        self.scalars: set[str] = set()
        """Shared buffers of the statements that read scalars at the kernel's top level."""
        self.full = full
        """Keep every statement that planning counts, also where leaving it out changes nothing."""
        self.analyzer = module("tvm").arith.Analyzer()
        self.doubts: dict[str, None] = {}
        self.ops = TileOps(names, known.layouts, known.reducers, self.analyzer, self.doubt, aggressive)

    def doubt(self, reason: str) -> None:
        """Keep a reason why the program may not say all."""
        self.doubts[reason] = None

    def walk(self, node: Any, *, planned: bool = False) -> list[Statement]:
        """The statements of a node; `planned`: directly in a pipelined loop, where each counts."""
        visit = getattr(self, f"walk_{ir.kind(node).lower()}", None)
        found: list[Statement] = visit(node, planned) if visit else self.plain(node)
        return found

    def plain(self, node: Any) -> list[Statement]:
        """A statement that is neither control flow nor a tile operation."""
        whole = touched(node, self.names)
        return [compute(whole)] if whole else []

    def walk_seqstmt(self, node: Any, planned: bool) -> list[Statement]:
        """Statements in order."""
        return [statement for each in node.seq for statement in self.walk(each, planned=planned)]

    def walk_sblockrealize(self, node: Any, planned: bool) -> list[Statement]:
        """A block stands for its body."""
        return self.walk(node.block.body, planned=planned)

    def walk_attrstmt(self, node: Any, planned: bool) -> list[Statement]:
        """An attribute stands for its body; a launch gives its variable a range."""
        if node.attr_key == "thread_extent" and ir.constant(node.value) is not None:
            if str(node.node.thread_tag) == "threadIdx.x":
                self.ops = self.ops._replace(lane=node.node.var, block=ir.integer(node.value))
            with self.ranged(node.node.var, 0, node.value):
                return self.walk(node.body, planned=planned)
        return self.walk(node.body, planned=planned)

    def walk_bind(self, node: Any, planned: bool) -> list[Statement]:
        """A scalar; planning replays it where it is used, unless it reads what the loop may write."""
        whole = touched(node.value, self.names)
        if whole:
            return self.shared_scalar(node, whole, planned)
        loads = [each for each in ir.nodes(node.value) if ir.kind(each) == "BufferLoad"]
        return self.nothing(planned and any(each.buffer.scope() not in GLOBAL for each in loads))

    def shared_scalar(self, node: Any, whole: Touched, planned: bool) -> list[Statement]:
        """A scalar from shared memory, in a pipelined loop that does not write it part of what uses it.

        The allocator counts it with the loop or `if` around it; beside the kernel's own statements, with the
        whole kernel, if it is still there in the compiled kernel.
        """
        replayed = planned and self.written.isdisjoint(whole.reads + whole.indexes)
        if replayed and len(whole.reads) == 1 and not whole.indexes:
            self.names[node.var] = whole.reads[0]
        if replayed:
            return []
        statement = compute(whole)
        if self.aggressive or not self.known.read_at_top.isdisjoint(whole.reads + whole.indexes):
            statement["compute"]["scalar"] = True
            if not self.nested:
                self.scalars.update(whole.reads + whole.indexes)
        return [statement]

    def left_scalars(self) -> list[Statement]:
        """What else lives through the kernel, since a round of a prologue or an epilogue reads a scalar."""
        left = sorted(self.known.read_at_top - self.scalars)
        return [{"compute": {"reads": left, "scalar": True}}] if left else []

    def walk_evaluate(self, node: Any, planned: bool) -> list[Statement]:
        """A tile operation, or a call."""
        call = node.value
        if ir.kind(call) != "Call":
            return []
        if str(getattr(call.op, "name", "")).startswith(PREFIX):
            found = self.ops.statements(call)
        else:
            found = self.plain(call)
        return found or self.nothing(planned)

    def walk_bufferstore(self, node: Any, planned: bool) -> list[Statement]:
        """An assignment of one element."""
        found = element_loop(node, self.names, self.threads, apart=False)
        return self.with_global(found, node, planned) or self.nothing(planned)

    def walk_while(self, node: Any, planned: bool) -> list[Statement]:
        """A loop of unknown length."""
        body = [*self.condition(node.condition), *self.walk(node.body)]
        return [{"loop": "while", "extent": "computed", "body": body}] if body else self.nothing(planned)

    def walk_ifthenelse(self, node: Any, planned: bool) -> list[Statement]:
        """A conditional; what its condition reads stands first inside.

        One whose body is not a plain sequence, as with `T.ws`, is not split into its statements: it is like
        one with an empty else. In it, waiting at barriers is no computation.
        """
        tvm = module("tvm")
        with self.inside(self.written), self.analyzer.constraint_scope(node.condition):
            then = [*self.condition(node.condition, planned), *self.walk(node.then_case, planned=planned)]
        with self.inside(self.written), self.analyzer.constraint_scope(tvm.tirx.Not(node.condition)):
            other = self.walk(node.else_case, planned=planned) if node.else_case is not None else []
        whole = node.else_case is None and ir.kind(node.then_case) == "AttrStmt" and len(then) > 1
        if whole and not any(ir.kind(each) == "BufferStore" for each in ir.nodes(node.then_case)):
            then = [statement for statement in then if statement != NOTHING] or then
        if not self.full:
            then, other = one_nothing(then), one_nothing(other)
        if all(statement == NOTHING for statement in (*then, *other)) and not (
            self.full and planned and then
        ):
            return self.nothing(planned)
        statement: Statement = {"if": then or [NOTHING]}
        if other:
            statement["else"] = other
        elif whole:
            statement["else"] = []
        return [statement]

    def condition(self, node: Any, planned: bool = False) -> list[Statement]:
        """What the condition of an `if` reads: as a statement, which it is not under warp specialisation."""
        whole = touched(node, self.names)
        if whole and planned and self.known.specialised:
            name = (whole.reads + whole.indexes)[0]
            self.doubt(f"a condition reads {name} in shared memory, and the kernel is warp-specialised")
        return [compute(whole)] if whole else []

    def walk_for(self, node: Any, planned: bool) -> list[Statement]:
        """A loop over elements, a bound thread, or a loop of statements."""
        if node.kind in (PARALLEL, VECTORIZED):
            found = element_loop(node, self.names, self.threads, apart=self.aggressive)
            return self.with_global(found, node, planned) or self.nothing(planned)
        with self.ranged(node.loop_var, node.min, node.extent):
            if node.kind == BOUND:
                return self.walk(node.body, planned=planned)
            return self.loop(node, planned) or self.nothing(planned)

    def loop(self, node: Any, planned: bool) -> list[Statement]:
        """A serial loop; none where nothing in it counts."""
        stages = ir.constant(node.annotations["num_stages"]) if "num_stages" in node.annotations else None
        if "num_stages" in node.annotations and stages is None:
            raise CaptureError("no-program", "the number of stages of a loop is only known at run time")
        if "tl_pipeline_stage" in node.annotations or "tl_pipeline_order" in node.annotations:
            self.doubt("a loop whose stages are annotated by hand: the program form plans them itself")
        if self.known.dropped:
            stages = None
        written_here = frozenset(touched(node.body, self.names).writes) if stages else self.written
        with self.inside(written_here):
            body = self.walk(node.body, planned=planned or bool(stages))
        if all(statement == NOTHING for statement in body) and not (self.full and stages and body):
            return []
        if not stages:
            body = self.with_global(body, node, planned)
        if not self.full:
            body = last_nothing(body) if stages else one_nothing(body)
        extent, start = ir.constant(node.extent), ir.constant(node.min)
        if is_repeated(node) and extent is not None and extent <= MAX_UNROLLED:
            return body * extent
        if extent == 0:
            return []
        written: Statement = {"loop": str(node.loop_var.name), "extent": extent or "computed"}
        if start != 0:
            written["start"] = self.unknown_start(node) if start is None or start < 0 else start
        if stages:
            written["num_stages"] = stages
        if bounds := self.bounds(node):
            written["reads"] = bounds
        return [{**written, "body": body}]

    def bounds(self, node: Any) -> list[str]:
        """The shared buffers that the bounds of a loop are read from."""
        both = (touched(bound, self.names) for bound in (node.min, node.extent))
        return list(dict.fromkeys(name for each in both for name in each.reads + each.indexes))

    def unknown_start(self, node: Any) -> str:
        """The word for a start that is not a number."""
        depth = self.known.depths.get(node.loop_var, 0)
        return "clamped" if depth >= 2 and is_clamped(node, depth, self.around) else "computed"

    def with_global(self, found: list[Statement], node: Any, planned: bool) -> list[Statement]:
        """What fills shared memory and reads global memory too says so, in a pipelined loop."""
        if planned and not any(map(says_global, found)) and reads_any(node, self.outside):
            return list(map(marked, found))
        return found

    def nothing(self, planned: bool) -> list[Statement]:
        """A statement that touches no shared buffer: left out, except where planning counts it."""
        return [dict(NOTHING)] if planned else []

    @contextmanager
    def inside(self, written: frozenset[str]) -> Iterator[None]:
        """Within, statements are in a loop or an `if`; `written` is what the pipelined loop around writes."""
        before, self.written = self.written, written
        self.nested += 1
        yield
        self.nested -= 1
        self.written = before

    @contextmanager
    def ranged(self, variable: Any, low: Any, extent: Any) -> Iterator[None]:
        """Within, the analyzer knows the range of a variable."""
        tvm = module("tvm")
        self.analyzer.bind(variable, tvm.ir.Range.from_min_extent(low, extent))
        self.around.append(Around(variable, low, extent))
        yield
        self.around.pop()
