"""What a bound program consists of: statements, buffer declarations, options.

Every number is an integer already; a loop's bound that depends on data or on the block index is
`COMPUTED`. Each value carries `where`, the way to it in the document, so that a late error still points at
its line.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from smemdsl.core.buffers import Bytes
from smemdsl.core.errors import DocPath

Computed = Literal["computed"]
COMPUTED: Final[Computed] = "computed"
"""Stands for a loop bound that is not known when the kernel is compiled."""
Clamped = Literal["clamped"]
CLAMPED: Final[Clamped] = "clamped"
"""Stands for a computed start, a `max` or `min`, before which the compiler cannot rule iterations out."""


class Copy(NamedTuple):
    """A tile copy from global into shared memory."""

    to: str
    bulk: bool = False
    """One-dimensional, contiguous in global memory and provably in bounds."""
    tma: bool = True
    """Whether TMA could do it: one dtype on both sides, rows of whole 16 B; in Triton, whether it does."""
    reads: tuple[str, ...] = ()
    """Shared buffers that its addresses are read from."""
    where: DocPath = ()


class Load(NamedTuple):
    """An element-wise loop that moves global values into shared buffers; never TMA."""

    to: tuple[str, ...]
    reads: tuple[str, ...] = ()
    """Shared buffers that its addresses are read from."""
    where: DocPath = ()


class Store(NamedTuple):
    """A tile copy from shared into global memory."""

    source: str
    bulk: bool = False
    tma: bool = True
    where: DocPath = ()


class StoreResult(NamedTuple):
    """A store of what the last gemm left in registers, by pointers; of Triton."""

    dtype_bits: int
    """Of an element as it is stored: the result is cast first."""
    trans: bool = False
    """Whether columns lie side by side in global memory."""
    where: DocPath = ()


class AtomicAdd(NamedTuple):
    """A reduction of a shared tile into global memory."""

    source: str
    tma: bool = False
    where: DocPath = ()


class Gemm(NamedTuple):
    """A matrix product; an operand that lives in registers is None."""

    a: str | None = None
    b: str | None = None
    m: int | None = None
    n: int | None = None
    k: int | None = None
    policy: str = "square"
    trans_a: bool = False
    trans_b: bool = False
    mma: str | None = None
    """`wgmma` or `mma` overrides the rule that decides the instruction."""
    input_precision: str = "tf32"
    """How Triton multiplies float32 operands: `tf32`, `tf32x3` or `ieee`, which no tensor core does."""
    where: DocPath = ()
    e: str | None = None
    """Metadata of a sparse A, which then has every other element of K; it has no layout of its own."""

    @property
    def operands(self) -> tuple[str, ...]:
        """The operands in shared memory."""
        return tuple(name for name in (self.a, self.b) if name is not None)


class Reduce(NamedTuple):
    """A reduction; with `cross_warp` its axis is spread over warps, and it needs a workspace."""

    cross_warp: bool = True
    dtype_bits: int = 32
    reads: tuple[str, ...] = ()
    where: DocPath = ()
    threads: int | None = None
    """Threads of the branch that it is in; None where all threads of the block take part."""


class Compute(NamedTuple):
    """Anything else on shared buffers; one that names none still counts in planning."""

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    nest: bool = False
    """An element loop of several statements with more elements than threads."""
    reads_global: bool = False
    """It also reads global memory."""
    where: DocPath = ()
    indexes: tuple[str, ...] = ()
    """Shared buffers that it reads only for an index into another: planning does not see these."""
    scalar: bool = False
    """It reads into a scalar variable."""


class If(NamedTuple):
    """Statements under a condition; `orelse` is None where there is no else."""

    then: tuple[Statement, ...]
    orelse: tuple[Statement, ...] | None = None
    where: DocPath = ()
    condition: str = ""
    """Neighbours with the same condition may be merged; empty: like no other."""


class Loop(NamedTuple):
    """A serial loop; `num_stages` of 1 or more asks for software pipelining."""

    name: str
    extent: int | Computed
    """Iterations, at least 1."""
    body: tuple[Statement, ...]
    start: int | Computed | Clamped = 0
    num_stages: int = 0
    where: DocPath = ()
    reads: tuple[str, ...] = ()
    """Shared buffers that its bounds are read from."""


Statement = Copy | Load | Store | StoreResult | AtomicAdd | Gemm | Reduce | Compute | If | Loop


class Declared(NamedTuple):
    """A buffer as the file declares it."""

    name: str
    shape: tuple[int, ...]
    dtype_bits: int
    bytes: Bytes
    """Size of one version."""
    align: Bytes | None = None
    """From `align` or `swizzle`; wins over what the rules derive."""
    annotated: bool = False
    """The kernel annotates its layout."""
    static: bool = False
    """A static shared array, outside the arena."""
    where: DocPath = ()
    floating: bool = False
    """Whether its elements are floating-point numbers."""


class CompilerOptions(NamedTuple):
    """The compiler's switches, each as its default."""

    warp_specialize: bool = True
    tma: bool = True
    aggressive_merge: bool = False
    specialized_sibling: bool = False
    """Another launch of the same function is warp-specialised."""
    where: DocPath = ()


class Program(NamedTuple):
    """A bound program: what `lower` takes."""

    target: str
    buffers: tuple[Declared, ...]
    """In file order."""
    body: tuple[Statement, ...]
    threads: int | None = None
    options: CompilerOptions = CompilerOptions()
    align: Bytes = 16
    """Least alignment of a buffer in the arena."""
    where: DocPath = ()
    """Way to the statements."""
    target_where: DocPath = ()
