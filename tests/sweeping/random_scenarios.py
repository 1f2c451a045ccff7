"""Random scenarios with everything that the format has and a sweep can meet: most sound, few in error."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

ONE = st.sampled_from(["a", "b", "c", "d", "e", "0", "1", "2", "3", "7", "16", "-1"])
OPERATORS = ["+", "-", "*", "//", "%", "**", "+ sizeof(kind) *", "* 4611686018427387904 +", "- +flag *"]
FORMS = [f"{{}} {operator} {{}}" for operator in OPERATORS]
FORMS += [
    "min({}, {})",
    "max({}, {})",
    "ceildiv({}, {})",
    "align_up({}, {})",
    "next_pow2({} + {})",
    "-{} + {}",
]
FORMS += ["{} if flag else {}", "{} if a > 2 else {}"]


def expression(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """An operation on two expressions, in parentheses."""
    return st.builds(lambda form, x, y: f"({form.format(x, y)})", st.sampled_from(FORMS), inner, inner)


def mostly(usual: list[Any], odd: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """One of the usual values; one time in twelve an odd one."""
    return st.integers(0, 11).flatmap(lambda dice: odd if dice == 7 else st.sampled_from(usual))


EXPRESSION = st.one_of(ONE, expression(ONE), expression(expression(ONE)))
NUMBER = mostly(["a", "b", "c", "a * b", 2, "16", "4 * c", "d", "e", "ceildiv(a, c)"], EXPRESSION)
CONDITION = mostly(
    [True, "flag", "not flag", "flag or a > 1", "a < b < 6", "a % 2 == 0", "b % c == 0", "kind == float16"],
    st.builds("{} < {}".format, EXPRESSION, EXPRESSION) | st.just("a"),
)
DEVICE = mostly(["h100-sm-shared-228kb", "sm_80", "sm_90", "sm_75/static"], st.just("gfx942"))
BUDGET = mostly(
    ["h100-sm-shared-228kb", "sm_80", "gfx942", "100 KiB", "512", "64", "a * 64", "128 * b"],
    st.sampled_from(["flag", "a - 3", "1 // a"]),
)
REGION = st.sampled_from(["plain", "loop", "store"])


def timeline(draw: st.DrawFn) -> list[Any]:
    """A plain region, a loop and another plain region."""
    stage = mostly([0, 1, "c - 1", "c"], NUMBER)
    return [
        {"region": "plain", "statements": draw(mostly([2, 3, "c + 1"], st.just("a")))},
        {
            "region": "loop",
            "extent": draw(mostly([1, 4, 16, "b"], st.sampled_from(["a", "a * 2305843009213693951"]))),
            "stages": draw(st.lists(stage, min_size=2, max_size=3)),
        },
        {"region": "store", "statements": 2},
    ]


def size(draw: st.DrawFn) -> dict[str, Any]:
    """How large a buffer is."""
    if draw(st.booleans()):
        return {"bytes": draw(NUMBER)}
    value = {"shape": draw(st.lists(NUMBER, min_size=1, max_size=2))}
    value["dtype"] = draw(st.sampled_from(["float16", "kind", "int4", "float32"]))
    bits = draw(mostly([None], st.sampled_from([6, 8, "a", "b + 1"])))
    return value if bits is None else value | {"storage_bits": bits}


def copies(draw: st.DrawFn) -> dict[str, Any]:
    """How many versions a buffer has."""
    stages = {
        "def_stage": draw(mostly([0], st.just(1))),
        "use_stage": draw(mostly(["c - 1", "c"], st.just("a"))),
    }
    versions = {"versions": draw(mostly(["c", 2], st.just("a")))}
    return draw(st.sampled_from([{}, {}, stages, versions]))


def life(draw: st.DrawFn) -> dict[str, Any]:
    """When a buffer is live."""
    live = {"live": [draw(st.sampled_from([0, 1, "a"])), draw(mostly(["a + b", "a + 2", 9], st.just(1)))]}
    index = mostly([0, 1], st.just("c - 1"))
    access = {"access": {draw(REGION): draw(st.lists(index, min_size=1, max_size=2))}}
    regions = {"access": draw(st.lists(REGION, min_size=1, max_size=2, unique=True))}
    return draw(st.sampled_from([{}, live, access, access, regions]))


def buffer(draw: st.DrawFn, *, plain: bool) -> dict[str, Any]:
    """A buffer; a plain one is live throughout, as tiles are that nobody says more of."""
    value = size(draw) | copies(draw)
    if plain:
        return value
    optional = {
        "align": draw(mostly([16, 64, 128, 1024, "next_pow2(a + 1)"], st.just("a"))),
        "when": draw(CONDITION),
        "scope": "static",
    }
    return value | life(draw) | {key: it for key, it in optional.items() if draw(st.integers(0, 7)) == 0}


@st.composite
def scenarios(draw: st.DrawFn) -> dict[str, Any]:
    """A scenario whose parameters a, b, c, flag and kind may be swept."""
    plain = draw(st.integers(0, 3)) == 0
    optional = {
        "static": draw(mostly([64, "a * 8", "b * 16384"], st.just("b - 2"))),
        "threads": draw(mostly([128, "32 * b", "512 * b"], st.just("a"))),
        "registers": draw(mostly([32, "16 * b", "64 * b"], st.just(300))),
        "request": draw(mostly([65536, 232960, 262144], st.just("a * 1024"))),
        "blocks_per_sm": draw(mostly([1, 2, "b"], st.just("a"))),
    }
    chosen = {key: it for key, it in optional.items() if draw(st.integers(0, 4)) == 0}
    devices = DEVICE if "blocks_per_sm" in chosen else BUDGET
    return {
        "smemdsl": 1,
        "name": "random, with a comma",
        "params": {
            "a": draw(st.integers(1, 9)),
            "b": draw(st.integers(1, 5)),
            "c": draw(st.integers(1, 4)),
            "flag": draw(st.booleans()),
            "kind": draw(mostly(["float16", "int8"], st.just("float4_e2m1fn"))),
            "d": draw(
                mostly(["a + b", "a * 16", "b if flag else 2 * c"], st.sampled_from(["a - 1", "flag"]))
            ),
            "e": draw(mostly(["b", "d + 1", "2 ** b"], st.sampled_from(["16 // a", "a ** 30", "1 - d"]))),
        },
        "policy": draw(
            st.sampled_from(["tilelang", "tilelang", "sequential", "struct", "firstfit", "triton"])
        ),
        "align": draw(mostly([16, 128, 128, "next_pow2(b)"], st.just("b"))),
        "budget": draw(st.lists(devices, min_size=1, max_size=2, unique=True)),
        "constraints": draw(st.lists(CONDITION, max_size=2)),
        "timeline": timeline(draw),
        "buffers": {f"b{i}": buffer(draw, plain=plain) for i in range(draw(st.integers(1, 5)))},
        **chosen,
    }


INTEGERS = st.one_of(
    st.lists(st.integers(1, 9), min_size=1, max_size=4),
    st.lists(st.integers(0, 9), min_size=1, max_size=4),
    st.builds(lambda low, count: [f"{low}..{low + count}"], st.integers(1, 5), st.integers(0, 3)),
    mostly([["1..12"]], st.sampled_from([[4611686018427387904, 3], [1, "b"], ["b + 1"]])),
)
AXES: dict[str, st.SearchStrategy[Any]] = {
    "a": INTEGERS,
    "b": INTEGERS,
    "c": st.lists(st.integers(1, 5), min_size=1, max_size=4) | st.just(["1..20"]),
    "flag": st.sampled_from([[True, False], [False]]),
    "kind": mostly([["float16", "int8"], ["int8"]], st.just(["float4_e2m1fn", "float32"])),
}


@st.composite
def axes(draw: st.DrawFn) -> dict[str, Any]:
    """Up to three axes, in any order."""
    names = draw(st.lists(st.sampled_from(sorted(AXES)), min_size=1, max_size=3, unique=True))
    return {name: draw(AXES[name]) for name in names}


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "a": st.integers(1, 9),
    "b": mostly([1, 2, 3, 5], st.sampled_from([0, "a"])),
    "flag": st.booleans(),
    "kind": st.sampled_from(["int8", "float32"]),
}


@st.composite
def configurations(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A list of configurations, some of which name other parameters than their neighbours."""
    shape = st.lists(st.sampled_from(sorted(VALUES)), max_size=3, unique=True)
    shapes = draw(st.lists(shape, min_size=1, max_size=3))
    return [
        {name: draw(VALUES[name]) for name in names}
        for names in shapes
        for _ in range(draw(st.integers(1, 3)))
    ]
