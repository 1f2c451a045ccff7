"""A scenario as written: parameters unbound, a number an integer or an expression that knows its place."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from smemdsl.core.confidence import Uncertainty
from smemdsl.core.dtypes import DType
from smemdsl.core.errors import DocPath
from smemdsl.scenario.expressions import Node

Value = int | bool | DType
"""What a parameter can be."""


class Expr(NamedTuple):
    """An expression, and where in the document it stands."""

    node: Node
    where: DocPath
    text: str


Number = int | Expr
"""Where a size or a count is wanted."""
Condition = bool | Expr
"""Where a condition is wanted."""
Choice = Value | Expr
"""Where a value of a parameter is wanted."""


class RegionSpec(NamedTuple):
    """A region of the timeline: plain, with its statements, or a loop, with its extent and stages."""

    name: str
    where: DocPath
    statements: Number
    extent: Number | None
    stages: tuple[Number, ...]


class Access(NamedTuple):
    """The statements of one region that touch a buffer; `statements` empty: all of them."""

    region: str
    where: DocPath
    statements: tuple[Number, ...]


class BufferSpec(NamedTuple):
    """A buffer: exactly one of `shape` (with `dtype`) and `bytes` is there."""

    name: str
    where: DocPath
    shape: tuple[Number, ...] | None
    dtype: DType | Expr | None
    bytes: Number | None
    storage_bits: Number | None
    versions: Number | None
    stages: tuple[Number, Number] | None
    """`def_stage` and `use_stage`."""
    access: tuple[Access, ...]
    live: tuple[Number, Number] | None
    align: Number | None
    when: Condition
    static: bool
    annotated: bool
    """The kernel annotates its layout."""


class StatementSpec(NamedTuple):
    """A statement of a program: its verb, and what is said of it."""

    verb: str
    """copy, load, store, gemm, reduce, compute, atomic_add, if or loop."""
    where: DocPath
    buffers: Mapping[str, tuple[str, ...]]
    """Buffers by role: to, from, a, b, e, reads, writes, indexes."""
    numbers: Mapping[str, Number]
    """m, n, k; threads of a reduction; extent, start, num_stages of a loop. A computed bound is left out."""
    flags: Mapping[str, Condition]
    """bulk, tma, trans, trans_a, trans_b, cross_warp, nest, global, scalar."""
    words: Mapping[str, str]
    """The loop's name, and the words for bounds that are not numbers; policy, mma, input_precision."""
    dtype: DType | Expr | None
    """Of a reduction's workspace, or of a result that is stored."""
    body: "tuple[StatementSpec, ...]"
    """Of a loop, or the statements of an `if`."""
    orelse: "tuple[StatementSpec, ...] | None"


class ProgramSpec(NamedTuple):
    """What a kernel does."""

    target: str
    statements: tuple[StatementSpec, ...]
    options: Mapping[str, Condition]


RELATIONS: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""How an expected number is written, to whether the number that came out is as expected."""


class ExpectedNumber(NamedTuple):
    """An expectation of a number: `relation` is a key of `RELATIONS`."""

    relation: str
    number: Number
    where: DocPath


class ExpectSpec(NamedTuple):
    """What a scenario promises, of all its budgets or of one device; what is not asked for is empty."""

    where: DocPath
    fits: bool | None
    arena: tuple[ExpectedNumber, ...]
    versions: tuple[tuple[str, ExpectedNumber], ...]
    share: tuple[tuple[tuple[str, ...], DocPath], ...]
    most: tuple[tuple[str, ExpectedNumber], ...]
    blocks_per_sm: ExpectedNumber | None


class BudgetSpec(NamedTuple):
    """A budget as written, and where; `where` is empty for one that the file does not state."""

    text: str | int
    where: DocPath


class Axis(NamedTuple):
    """A parameter and the values that a sweep gives it."""

    name: str
    values: Sequence[Choice]


class ScenarioSpec(NamedTuple):
    """A whole scenario, unbound."""

    name: str
    summary: str
    params: tuple[tuple[str, Choice], ...]
    constraints: tuple[Condition, ...]
    budgets: tuple[BudgetSpec, ...]
    blocks_per_sm: Number | None
    policy: str
    align: Number
    static: Number
    threads: Number | None
    registers: Number | None
    cluster: Number | None
    request: Number | None
    timeline: tuple[RegionSpec, ...]
    program: ProgramSpec | None
    """Instead of a timeline."""
    buffers: tuple[BufferSpec, ...]
    expect: ExpectSpec | None
    device_expect: tuple[tuple[str, ExpectSpec], ...]
    axes: tuple[Axis, ...]
    configs: tuple[tuple[tuple[str, Choice], ...], ...]
    fill: tuple[Axis, ...] = ()
    """Parameters that take the largest value that fits, in this order; the values are integers."""
    uncertain: tuple[Uncertainty, ...] = ()
    """Why the file's own numbers may not be the compiler's, as its key `confidence` says."""
