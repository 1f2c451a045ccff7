"""What holds for every program, on random ones."""

from __future__ import annotations

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from smemdsl.compilers import lower
from smemdsl.core.buffers import Buffer
from smemdsl.core.errors import FaultError
from smemdsl.policies import pack
from smemdsl.program.expand import expand
from smemdsl.program.lowered import LoweredProgram
from smemdsl.program.statements import (
    COMPUTED,
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
)
from smemdsl.program.walk import everything
from tests.effort import examples

NAMES = tuple(string.ascii_uppercase[:6])
SIZES = st.sampled_from([16, 32, 64, 128])
NAME = st.sampled_from(NAMES)
FEW = st.lists(NAME, max_size=2, unique=True).map(tuple)
TARGETS = ["sm_75", "sm_80", "sm_90a", "sm_100a", "sm_120a", "gfx942", "gfx950"]

FLAG = st.booleans()
LISTS = st.lists(NAME, min_size=1, max_size=2, unique=True).map(tuple)
LEAVES: st.SearchStrategy[Statement] = st.one_of(
    st.tuples(NAME, FLAG, FLAG).map(lambda each: Copy(*each)),
    LISTS.map(Load),
    st.tuples(NAME, FLAG, FLAG).map(lambda each: Store(*each)),
    st.tuples(NAME, FLAG).map(lambda each: AtomicAdd(*each)),
    st.tuples(NAME | st.none(), NAME | st.none(), SIZES, SIZES, SIZES).map(lambda each: Gemm(*each)),
    st.tuples(FLAG, st.sampled_from([16, 32]), FEW).map(lambda each: Reduce(*each)),
    st.tuples(FEW, FEW, FLAG).map(lambda each: Compute(*each)),
)
BOUNDS = st.integers(1, 9) | st.just(COMPUTED)


def around(inner: st.SearchStrategy[Statement]) -> st.SearchStrategy[Statement]:
    """Loops and conditions around statements."""
    body = st.lists(inner, min_size=1, max_size=5).map(tuple)
    start = st.just(0) | st.just(COMPUTED)
    name = st.sampled_from(["i", "k"])
    return st.one_of(
        st.tuples(name, BOUNDS, body, start, st.integers(0, 4)).map(lambda each: Loop(*each)),
        st.tuples(body, st.none() | body).map(lambda each: If(*each)),
    )


STATEMENTS = st.recursive(LEAVES, around, max_leaves=8)
BUFFER_SHAPES = st.lists(SIZES, min_size=1, max_size=3).map(tuple)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """A program in which every buffer is written first, so that most are sound."""
    buffers = []
    for name in NAMES:
        shape = draw(BUFFER_SHAPES)
        width = draw(st.sampled_from([8, 16, 32]))
        size = width // 8
        for extent in shape:
            size *= extent
        buffers.append(Declared(name, shape, width, size, None, draw(st.booleans()), draw(st.booleans())))
    first: tuple[Statement, ...] = (Load(NAMES),) if draw(st.booleans()) else ()
    body = (*first, *draw(st.lists(STATEMENTS, min_size=1, max_size=4)))
    options = CompilerOptions(draw(FLAG), draw(FLAG), draw(FLAG))
    return Program(
        draw(st.sampled_from(TARGETS)), tuple(buffers), body, draw(st.sampled_from([64, 128, 256])), options
    )


def attempt(program: Program) -> LoweredProgram | None:
    """What a program is lowered to; None where it is refused. Anything but FaultError fails the test."""
    try:
        return lower(program)
    except FaultError as refused:
        assert all(fault.code and fault.message for fault in refused.faults)
        return None


def stages(program: Program) -> int:
    """The largest num_stages of a program."""
    return max((each.num_stages for each in everything(program.body) if isinstance(each, Loop)), default=0)


@settings(deadline=None, max_examples=examples(60))
@given(programs())
def test_a_program_is_lowered_or_refused(program: Program) -> None:
    """Lives are not empty and lie on the line; versions are at most num_stages, squared by two loops."""
    found = attempt(program)
    if found is None:
        return
    most = max(stages(program), 1)
    for buffer in found.buffers:
        assert 0 <= buffer.start < buffer.end <= len(found.slots)
        assert 1 <= buffer.versions <= most * most
        assert buffer.bytes % buffer.versions == 0
        assert buffer.align >= program.align
    packing = pack("tilelang", [buffer.interval for buffer in found.buffers], program.align)
    assert packing.arena >= max((buffer.bytes for buffer in found.buffers), default=0)


@settings(deadline=None, max_examples=examples(40))
@given(programs(), st.permutations(NAMES))
def test_names_mean_nothing_but_order(program: Program, names: list[str]) -> None:
    """Other names in the same file order give the same lives, versions, alignments and barriers."""
    found = attempt(program)
    other = attempt(renamed(program, dict(zip(NAMES, [f"{name}_tile" for name in names], strict=True))))
    assert (found is None) == (other is None)
    if found is not None and other is not None:
        assert facts(found) == facts(other)
        assert found.static_bytes == other.static_bytes
        assert found.loops == other.loops


def facts(found: LoweredProgram) -> list[Buffer]:
    """All of each buffer but its name."""
    return [buffer.interval._replace(name="") for buffer in found.buffers]


def renamed(program: Program, names: dict[str, str]) -> Program:
    """The program with other names for its buffers."""
    buffers = tuple(buffer._replace(name=names[buffer.name]) for buffer in program.buffers)
    return program._replace(buffers=buffers, body=tuple(rename(each, names) for each in program.body))


def rename(statement: Statement, names: dict[str, str]) -> Statement:
    """A statement with other names."""

    def each(old: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names[name] for name in old)

    def inner(old: tuple[Statement, ...]) -> tuple[Statement, ...]:
        return tuple(rename(one, names) for one in old)

    match statement:
        case Copy():
            changed: Statement = statement._replace(to=names[statement.to])
        case Load():
            changed = statement._replace(to=each(statement.to))
        case Store() | AtomicAdd():
            changed = statement._replace(source=names[statement.source])
        case Gemm():
            a, b = (None if name is None else names[name] for name in (statement.a, statement.b))
            changed = statement._replace(a=a, b=b)
        case Reduce():
            changed = statement._replace(reads=each(statement.reads))
        case Compute():
            changed = statement._replace(reads=each(statement.reads), writes=each(statement.writes))
        case If():
            orelse = None if statement.orelse is None else inner(statement.orelse)
            changed = statement._replace(then=inner(statement.then), orelse=orelse)
        case Loop():
            changed = statement._replace(body=inner(statement.body))
    return changed


@settings(deadline=None, max_examples=examples(40))
@given(programs())
def test_the_explicit_form_packs_to_the_same_bytes(program: Program) -> None:
    """`expand` keeps what packing depends on."""
    found = attempt(program)
    if found is None:
        return
    plain = expand(found)
    explicit = [
        Buffer(name, each["bytes"] * each["versions"], each["align"], *each["live"])
        for name, each in plain["buffers"].items()
    ]
    packed = pack("tilelang", explicit, plain["align"])
    assert packed == pack("tilelang", [buffer.interval for buffer in found.buffers], program.align)
    assert plain["static"] == found.static_bytes
