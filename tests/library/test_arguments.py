"""Whatever is handed to the library, only its own exceptions come out, and they name the argument."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import smemdsl

SCENARIO = smemdsl.loads(
    """
smemdsl: 1
params: {n: 1, self: 2, options: 3}
budget: sm_90
fill: {n: 1..4}
buffers: {A: {bytes: n * 1024 + self + options, live: [0, 1]}}
"""
)
LAUNCH = ("dynamic_bytes", "static_bytes", "threads", "registers", "carveout", "opt_in")


class Path1:
    """A path of bytes."""

    def __fspath__(self) -> bytes:
        return b"x"


def options(**fields: Any) -> smemdsl.Options:
    return smemdsl.Options(**fields)


def occupancy(**given: Any) -> int:
    return smemdsl.occupancy(**{"device": "sm_90", "dynamic_bytes": 1024, **given})


def launched_with(name: str) -> Callable[[Any], object]:
    return lambda x: occupancy(**{name: x})


CALLS: dict[str, Callable[[Any], object]] = {
    "load path": smemdsl.load,
    "loads text": smemdsl.loads,
    "loads path": lambda x: smemdsl.loads("smemdsl: 1\nbuffers: {A: {bytes: 1}}", x),
    "check budget": lambda x: SCENARIO.check(budget=x),
    "check policy": lambda x: SCENARIO.check(policy=x),
    "check align": lambda x: SCENARIO.check(align=x),
    "check n": lambda x: SCENARIO.check(n=x),
    "fits budget": lambda x: SCENARIO.fits(budget=x),
    "fits n": lambda x: SCENARIO.fits(n=x),
    "plan options": SCENARIO.plan,
    "plan n": lambda x: SCENARIO.plan(n=x),
    "plan policy": lambda x: SCENARIO.plan(options(policy=x)),
    "plan align": lambda x: SCENARIO.plan(options(align=x)),
    "plan time_limit": lambda x: SCENARIO.plan(options(policy="optimal", time_limit=x)),
    "verdicts budgets": SCENARIO.verdicts,
    "verdicts budget": lambda x: SCENARIO.verdicts([x]),
    "verdicts options": lambda x: SCENARIO.verdicts((), x),
    "verdicts n": lambda x: SCENARIO.verdicts(n=x),
    "verdicts_with params": SCENARIO.verdicts_with,
    "verdicts_with n": lambda x: SCENARIO.verdicts_with({"n": x}),
    "own_verdicts options": SCENARIO.own_verdicts,
    "with_fill n": lambda x: SCENARIO.with_fill(n=x),
    "with_fill items n": lambda x: SCENARIO.with_fill(n=[x]),
    "choices params": SCENARIO.choices,
    "choice name": lambda x: SCENARIO.choice(x, 1),
    "choice n": lambda x: SCENARIO.choice("n", x),
    "diagnose faults": SCENARIO.diagnose,
    "diagnose items faults": lambda x: SCENARIO.diagnose([x]),
    "occupancy device": lambda x: smemdsl.occupancy(x, dynamic_bytes=1024),
    **{f"occupancy {name}": launched_with(name) for name in LAUNCH},
}
"""Every argument of every public function and method: how to give it, and its name."""
NOTHING = {"check budget", "check policy", "check align", "fits budget", "plan options", "verdicts options"}
NOTHING |= {"plan policy", "plan align", "plan time_limit", "own_verdicts options"}
NOTHING |= {f"occupancy {name}" for name in LAUNCH[2:]}
"""Arguments that may be None."""
TRUTHS = {"occupancy opt_in"}
"""Arguments that may be True."""
LOOPS: list[Any] = []
LOOPS.append(LOOPS)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "junk",
    [None, True, 1.5, float("nan"), b"x", object(), object, [1.5], [[]], {1: 2}, LOOPS, Path1(), lambda: 1],
    ids=lambda junk: type(junk).__name__,
)
def test_wrong_types(call: str, junk: Any) -> None:
    """Nothing of another type is taken, and the message names the argument."""
    if (junk is None and call in NOTHING) or (junk is True and call in TRUTHS):
        CALLS[call](junk)
    elif call == "plan time_limit" and junk == 1.5:
        assert CALLS[call](junk) == SCENARIO.plan(options(policy="optimal", time_limit=1.5))
    else:
        with pytest.raises(smemdsl.SmemdslError) as caught:
            CALLS[call](junk)
        named = "name" if "params" in call and isinstance(junk, dict) else call.rpartition(" ")[2].rstrip("s")
        assert named in str(caught.value)
        assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("call", "junk", "kind", "said"),
    [
        ("load path", None, TypeError, "path must be a path: a str or an os.PathLike of one, not None"),
        ("check budget", [1], TypeError, "budget must be a device, a size or an expression (a str)"),
        ("check policy", 3, TypeError, "policy must be the name of a policy (a str), not int"),
        ("check policy", "", smemdsl.ScenarioError, "unknown policy ''"),
        ("check align", "16", TypeError, "align must be a power of two, in bytes (an int), not str"),
        ("check align", 48, smemdsl.ScenarioError, "alignment must be a power of two, not 48"),
        ("check align", 2**63, ValueError, "align must be below 2^63"),
        ("check n", 1.5, smemdsl.ScenarioError, "n cannot be of type float"),
        ("check n", 2**63, smemdsl.ScenarioError, "n: the value does not fit into 64 bits"),
        ("plan time_limit", float("nan"), ValueError, "time_limit must be 0 seconds or more, not nan"),
        ("plan time_limit", -1, ValueError, "time_limit must be 0 seconds or more, not -1"),
        ("verdicts budgets", "sm_90", TypeError, "budgets must be a list of budgets, not str"),
        ("with_fill n", 3, TypeError, "n must be a range such as '1..16', or a list of integers"),
        ("with_fill n", [], ValueError, "n must have 1 to 1024 values to choose from"),
        ("with_fill n", range(10**30), ValueError, "n must have 1 to 1024 values to choose from"),
        ("occupancy device", 90, TypeError, "device must be the name of a device (a str), not int"),
        ("occupancy device", "sm_91x", smemdsl.UnknownNameError, "unknown device 'sm_91x'"),
        ("occupancy threads", "128", TypeError, "threads must be an integer or None, not str"),
        ("occupancy opt_in", 1, TypeError, "opt_in must be True, False or None, not int"),
        ("occupancy carveout", 101, smemdsl.FaultError, "carveout is 101, but must be 0 to 100 percent"),
    ],
)
def test_what_is_said(call: str, junk: Any, kind: type[Exception], said: str) -> None:
    """What is wrong and what is wanted; also an error of the kind that Python itself would raise."""
    with pytest.raises(smemdsl.SmemdslError) as caught:
        CALLS[call](junk)
    assert isinstance(caught.value, kind)
    assert said in str(caught.value)


def test_unknown_names() -> None:
    """A parameter that there is not is said to be none, with the nearest."""
    for call in (SCENARIO.check, SCENARIO.fits, SCENARIO.plan, SCENARIO.verdicts, SCENARIO.with_fill):
        with pytest.raises(smemdsl.ScenarioError) as caught:
            call(option="1..2")
        (found,) = caught.value.diagnostics
        assert (found.code, found.hint) == ("unknown-parameter", "did you mean options?")


def test_integers_of_other_libraries() -> None:
    """What Python takes for an index is an integer: NumPy's are."""

    class Integer:
        def __init__(self, value: int) -> None:
            self.value = value

        def __index__(self) -> int:
            return self.value

    def n(value: int) -> Any:
        return Integer(value)

    assert SCENARIO.check(n=n(4), budget=n(5000), align=n(1)) == SCENARIO.check(n=4, budget=5000, align=1)
    assert SCENARIO.with_fill(n=[n(1), n(3)]).check().params["n"] == 3
    assert occupancy(dynamic_bytes=n(65536), threads=n(128)) == occupancy(dynamic_bytes=65536, threads=128)


def test_parameters_called_like_arguments() -> None:
    """They have a way in; `self` needs none."""
    assert SCENARIO.check(self=10).params == {"n": 4, "self": 10, "options": 3}
    (verdict,) = SCENARIO.verdicts_with({"options": 7})
    assert verdict.params == {"n": 4, "self": 2, "options": 7}


junk_values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(st.characters(), max_size=20),
        st.text("0123456789.-+*/%(),abcdefnxKMiB _", max_size=12),
        st.binary(max_size=5),
        st.complex_numbers(),
        st.sampled_from([object(), object, Path("x"), Path1(), range(3), "sm_90", "n", "1..4", 2**63, ...]),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(st.sampled_from(sorted(CALLS.keys() - {"load path"})), junk_values)
def test_only_its_own_exceptions(call: str, junk: Any) -> None:
    """Any value at all in any argument either means something or is refused."""
    if call == "plan time_limit" and isinstance(junk, (int, float)) and junk > 1:
        junk = 1  # the search ends long before
    try:
        CALLS[call](junk)
    except smemdsl.SmemdslError as error:
        assert str(error).strip()
        assert not isinstance(error, smemdsl.InternalError)
