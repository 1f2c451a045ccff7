"""From a bound program to the interval model, by the rules of the compiler that it is written for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from smemdsl import compilers, devices
from smemdsl.core.buffers import Bytes
from smemdsl.core.errors import Fault, FaultError
from smemdsl.lowering.timeline import IntervalModel, StaticBuffer, alignment, defaults, one_version
from smemdsl.program.statements import (
    AtomicAdd,
    CompilerOptions,
    Compute,
    Copy,
    Declared,
    Gemm,
    If,
    Load,
    Loop,
    Program,
    Reduce,
    Statement,
    Store,
    StoreResult,
)
from smemdsl.scenario.binding import Env, at_least, condition, dtype
from smemdsl.scenario.spec import BufferSpec, ProgramSpec, ScenarioSpec, StatementSpec


def lower_program(
    spec: ScenarioSpec, written: ProgramSpec, env: Env, align: Bytes | None = None
) -> IntervalModel:
    """The interval model of a scenario that has a program; `align` overrides its default alignment.

    Raises:
        FaultError: the program is wrong, or the rules do not cover it.
    """
    file_align, static, faults = defaults(spec, env, align)
    if faults:
        raise FaultError(faults)
    bound = bind_program(spec, written, env, file_align)
    lowered = compilers.lower(bound, compilers.compiler_of(written.target)[0])
    versions = {buffer.name: buffer.versions for buffer in lowered.buffers}
    return IntervalModel(
        tuple(buffer.interval for buffer in lowered.buffers),
        tuple(versions.values()),
        tuple(StaticBuffer(part.name, 1, part.bytes) for part in lowered.static),
        static + lowered.static_bytes,
        lowered.align,
        lowered,
    )


def bind_program(spec: ScenarioSpec, written: ProgramSpec, env: Env, align: Bytes) -> Program:
    """The program with every number an integer; a buffer whose `when` does not hold is in no statement."""
    faults: list[Fault] = []
    declared: list[Declared] = []
    for buffer in spec.buffers:
        try:
            if condition(buffer.when, env):
                declared.append(_declared(buffer, env))
        except FaultError as error:
            faults += error.faults
    if faults:
        raise FaultError(faults)
    threads = env.get("threads") if spec.threads is not None else None  # else a parameter may be called so
    options = {name: condition(value, env) for name, value in written.options.items()}
    by_tma = not written.target.startswith(compilers.TRITON)  # there a descriptor is the exception
    return Program(
        devices.resolve(compilers.compiler_of(written.target)[1]).device.id,  # h100 is sm_90
        tuple(declared),
        tuple(_Binder(env, frozenset(each.name for each in declared), by_tma).statements(written.statements)),
        threads if isinstance(threads, int) else None,
        CompilerOptions(**options, where=("options",)),
        align,
        ("program",),
        ("target",),
    )


def _declared(spec: BufferSpec, env: Env) -> Declared:
    size = one_version(spec, env)
    shape: tuple[int, ...] = (size,)
    bits, floating = 8, False
    if spec.shape is not None and spec.dtype is not None:
        shape = tuple([at_least(0, extent, env, "shape") for extent in spec.shape])
        bits, floating = dtype(spec.dtype, env).bits, "float" in dtype(spec.dtype, env).name
    align = None if spec.align is None else alignment(spec.align, env, (*spec.where, "align"))
    fixed = (align, spec.annotated, spec.static, spec.where)
    return Declared(spec.name, shape, bits, size, *fixed, floating)


class _Binder:
    def __init__(self, env: Env, there: frozenset[str], by_tma: bool) -> None:
        self.env = env
        self.there = there
        self.by_tma = by_tma
        """Whether a copy or store that does not say is by TMA where it can be."""

    def statements(self, specs: tuple[StatementSpec, ...]) -> Iterator[Statement]:
        for spec in specs:
            if (statement := self.statement(spec)) is not None:
                yield statement

    def names(self, spec: StatementSpec, role: str) -> tuple[str, ...]:
        return tuple(name for name in spec.buffers.get(role, ()) if name in self.there)

    def flags(self, spec: StatementSpec, *names: str) -> dict[str, bool]:
        return {name: condition(spec.flags[name], self.env) for name in names if name in spec.flags}

    def numbers(self, spec: StatementSpec, **least: int) -> dict[str, int]:
        return {
            name: at_least(low, spec.numbers[name], self.env, name, (*spec.where, name))
            for name, low in least.items()
            if name in spec.numbers
        }

    def statement(self, spec: StatementSpec) -> Statement | None:
        """The bound statement; None where the buffer that it moves does not exist."""
        if spec.verb == "loop":
            return self.loop(spec)
        if spec.verb == "if":
            orelse = None if spec.orelse is None else tuple(self.statements(spec.orelse))
            return If(tuple(self.statements(spec.body)), orelse, spec.where)
        if spec.verb in ("copy", "load", "store", "atomic_add"):
            return self.move(spec)
        if spec.verb == "gemm":
            return self.gemm(spec)
        reads, writes = self.names(spec, "reads"), self.names(spec, "writes")
        if spec.verb == "compute":
            flags = self.flags(spec, "nest", "scalar")
            reads_global = self.flags(spec, "global").get("global", False)
            indexes = self.names(spec, "indexes")
            return Compute(
                reads, writes, **flags, reads_global=reads_global, where=spec.where, indexes=indexes
            )
        assert spec.dtype is not None
        bits = dtype(spec.dtype, self.env).bits
        fields: dict[str, Any] = {**self.flags(spec, "cross_warp"), **self.numbers(spec, threads=1)}
        return Reduce(**fields, dtype_bits=bits, reads=reads, where=spec.where)

    def move(self, spec: StatementSpec) -> Statement | None:
        if spec.verb == "store" and spec.dtype is not None:
            stored = dtype(spec.dtype, self.env)
            return StoreResult(stored.bits, **self.flags(spec, "trans"), where=spec.where)
        moved = self.names(spec, "to" if spec.verb in ("copy", "load") else "from")
        if not moved:
            return None
        reads = self.names(spec, "reads")
        if spec.verb == "load":
            return Load(moved, reads, spec.where)
        flags = {"tma": self.by_tma, **self.flags(spec, "bulk", "tma")}
        if spec.verb == "copy":
            return Copy(moved[0], **flags, reads=reads, where=spec.where)
        if spec.verb == "store":
            return Store(moved[0], **flags, where=spec.where)
        return AtomicAdd(moved[0], **self.flags(spec, "tma"), where=spec.where)

    def gemm(self, spec: StatementSpec) -> Gemm:
        fields: dict[str, Any] = {role: next(iter(self.names(spec, role)), None) for role in ("a", "b", "e")}
        fields |= (
            self.numbers(spec, m=1, n=1, k=1) | self.flags(spec, "trans_a", "trans_b") | dict(spec.words)
        )
        return Gemm(**fields, where=spec.where)

    def loop(self, spec: StatementSpec) -> Loop:
        bounds: dict[str, Any] = {**spec.words, **self.numbers(spec, extent=1, start=0, num_stages=0)}
        return Loop(
            bounds["loop"],
            bounds["extent"],
            tuple(self.statements(spec.body)),
            bounds.get("start", 0),
            bounds.get("num_stages", 0),
            spec.where,
            self.names(spec, "reads"),
        )
