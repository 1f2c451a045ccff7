"""A plan held against budgets: what fits, blocks per SM, warnings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.api import loads
from smemdsl.core.errors import ScenarioError
from smemdsl.judging.judge import occupancy_headroom
from smemdsl.judging.verdict import Verdict
from tests.texts import GEMM, scenario


def verdict(top: str, size: int | str = 16, **asked: Any) -> Verdict:
    """The verdict on one buffer of so many bytes, which is the arena."""
    return scenario(f"{top}buffers: {{a: {{bytes: {size}}}}}\n").check(**asked)


def codes(verdict: Verdict) -> list[str]:
    """Where the warnings stand and what they are."""
    return [f"{'.'.join(map(str, w.where))} {w.code}" for w in verdict.warnings]


# Limits of sm_90: 233472 B an SM, 232448 B a block, 1024 B reserved; 233472 / 2 - 1024 = 115712.
@pytest.mark.parametrize(
    ("top", "size", "word", "limit", "blocks"),
    [
        ("", 65536, "OK", 233472, 3),
        ("", 233473, "OVER", 233472, 0),
        ("budget: sm_90\n", 232448, "OK", 232448, 1),
        ("budget: sm_90\n", 232449, "OVER", 232448, 0),
        ("target: sm_86\n", 101376, "OK", 101376, 1),
        ("target: sm_86\n", 101377, "OVER", 101376, 0),
        ("target: sm_86\nbudget: sm_80\n", 101377, "OK", 166912, 1),
        ("blocks_per_sm: 2\n", 115712, "OK", 115712, 2),
        ("blocks_per_sm: 2\n", 115713, "OVER", 115712, 1),
        ("blocks_per_sm: 2\nbudget: sm_90\n", 115712, "OK", 115712, 2),
        ("blocks_per_sm: 1\nbudget: sm_90\n", 232448, "OK", 232448, 1),
        ("params: {n: 4}\nblocks_per_sm: n // 2\n", 115712, "OK", 115712, 2),
        ("budget: 100\n", 100, "OK", 100, None),
        ("budget: 100\n", 101, "OVER", 100, None),
        ("budget: 1 KiB\n", 1024, "OK", 1024, None),
        ("params: {n: 25}\nbudget: n * 4\n", 100, "OK", 100, None),
        ("budget: 100\nstatic: 40\n", 60, "OK", 100, None),
        ("budget: 100\nstatic: 41\n", 60, "OVER", 100, None),
        ("budget: 100\nrequest: 100\n", 60, "OK", 100, None),
        ("budget: 100\nrequest: 101\n", 60, "OVER", 100, None),
        ("budget: 100\nrequest: 99\nstatic: 2\n", 60, "OVER", 100, None),
        ("budget: gfx942\n", 65536, "OK", 65536, None),
        ("budget: ascend910b-ub\n", 196609, "OVER", 196608, None),
    ],
)
def test_verdicts(top: str, size: int, word: str, limit: int, blocks: int | None) -> None:
    """Arena (or request) and static bytes count against the budget; blocks per SM are a GPU's alone."""
    found = verdict(top, size)
    assert (found.verdict, found.fits, found.budget.bytes, found.blocks_per_sm) == (
        word,
        word == "OK",
        limit,
        blocks,
    )


# sm_90 has 2048 threads and 65536 registers an SM, and runs 32 blocks at most.
@pytest.mark.parametrize(
    ("top", "blocks"),
    [
        ("", 32),
        ("threads: 1024\n", 2),
        ("threads: 1024\nregisters: 64\n", 1),
        ("threads: 512\nregisters: 32\n", 4),
        ("params: {n: 2}\nthreads: 256 * n\nregisters: 16 * n\n", 4),
        ("params: {threads: 1024}\n", 32),
        ("params: {threads: true, registers: float16}\n", 32),
        ("params: {threads: 0}\n", 32),
    ],
)
def test_threads_and_registers(top: str, blocks: int) -> None:
    """They limit the blocks where the file has them; a parameter that is called so does not."""
    assert verdict(f"budget: sm_90\n{top}").blocks_per_sm == blocks


@pytest.mark.parametrize(
    ("top", "size", "expected"),
    [
        ("", 232448, []),
        ("cluster: 16\nthreads: 128\n", 65536, ["cluster non-portable-cluster"]),
        ("cluster: 16\nthreads: 128\n", 229376, ["cluster approximate"]),
        ("budget: sm_90\nrequest: 101376\n", 101376, []),
        ("budget: sm_90\nrequest: 101376\n", 65536, ["request request-costs-blocks"]),
        ("budget: sm_90\nrequest: 60000\n", 58000, []),
        (
            "budget: sm_86\nrequest: 101377\n",
            8192,
            ["request request-over-budget", "request request-costs-blocks"],
        ),
        ("budget: 100\nrequest: 101\n", 16, ["request request-over-budget"]),
        ("budget: 100\nrequest: 102\n", 101, []),
        ("blocks_per_sm: 2\nthreads: 1024\nregisters: 64\n", 16, ["blocks_per_sm fewer-blocks"]),
        ("blocks_per_sm: 2\nthreads: 1024\nregisters: 32\n", 16, []),
    ],
)
def test_warnings(top: str, size: int, expected: list[str]) -> None:
    """What the verdict alone does not say has a warning, at the key that it speaks of."""
    assert codes(verdict(top, size)) == expected


def test_what_the_request_warnings_say() -> None:
    """Both numbers of blocks are told, and the bytes that cost them."""
    (warning,) = verdict("budget: sm_90\nrequest: 101376\n", 65536).warnings
    assert warning.message == (
        "the request of 101376 B costs blocks: 2 on an SM of sm_90, where the arena of 65536 B allows 3"
    )


@pytest.mark.parametrize(
    ("constraints", "failures"),
    [
        ("[1 > 2]", ["the constraint 1 > 2 does not hold"]),
        ("[n % 2 == 0, n > 4, n < 9]", ["the constraint n > 4 does not hold"]),
        ("[false, true]", ["a constraint is false outright"]),
        ("[n == 4, type == float16, type != int8, not flag]", []),
    ],
)
def test_constraints(constraints: str, failures: list[str]) -> None:
    """A constraint that does not hold fails the scenario, whether it fits or not."""
    top = f"params: {{n: 4, type: fp16, flag: false}}\nconstraints: {constraints}\n"
    for budget in ("1 KiB", "1 B"):
        found = verdict(top, budget=budget)
        assert [fault.message for fault in found.failures] == failures
        assert found.verdict == ("FAIL" if failures else "OK" if budget == "1 KiB" else "OVER")


@pytest.mark.parametrize(
    ("stages", "arena", "no_reuse", "word"),
    [
        (2, 65536, 98304, "OK"),
        (4, 131072, 163840, "OK"),
        (6, 196608, 229376, "OK"),
        (8, 262144, 294912, "OVER"),
    ],
)
def test_the_staged_gemm(stages: int, arena: int, no_reuse: int, word: str) -> None:
    """Section 5 of the format's description: C lies where A was."""
    found = loads(GEMM).check(num_stages=stages)
    assert (found.arena_bytes, found.plan.no_reuse, found.verdict) == (arena, no_reuse, word)


def test_steps_of_blocks() -> None:
    """A block less or more: 233472 / 4 - 1024 = 57344 B, 233472 / 2 - 1024 = 115712 B, from 65536 B."""
    steps = occupancy_headroom(verdict("budget: sm_90\n", 65536))
    assert steps == (65536 - 57344, 4, (233472 // 3 // 128 * 128 - 1024) - 65536 + 1, 2)
    assert occupancy_headroom(verdict("budget: 100\n")) is None


@given(st.integers(0, 300_000), st.integers(0, 300_000), st.integers(0, 300_000))
def test_a_larger_budget_never_refuses_what_a_smaller_one_takes(size: int, one: int, other: int) -> None:
    """What fits stays in a larger budget, and a larger need fits no smaller one."""
    low, high = sorted((one, other))
    of_low, of_high = verdict("", size, budget=low), verdict("", size, budget=high)
    assert of_low.fits <= of_high.fits
    assert of_low.fits == (size <= low)
    assert verdict("", low, budget=size).fits >= verdict("", high, budget=size).fits


@given(
    st.integers(0, 240_000), st.integers(0, 240_000), st.sampled_from(["sm_75", "sm_80", "sm_90", "sm_120"])
)
def test_more_bytes_never_run_more_blocks(one: int, other: int, device: str) -> None:
    """Blocks per SM do not rise with the bytes."""
    low, high = sorted((one, other))
    blocks = [verdict("", size, budget=device).blocks_per_sm for size in (low, high)]
    assert blocks[0] is not None
    assert blocks[1] is not None
    assert blocks[0] >= blocks[1]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"budget": "sm_9"}, "unknown-device"),
        ({"budget": "100 KB"}, "size"),
        ({"budget": "q + 1"}, "expr-name"),
        ({"budget": -1}, "size"),
        ({"policy": "best"}, "unknown-policy"),
        ({"align": 48}, "out-of-range"),
        ({"q": 1}, "unknown-parameter"),
        ({"n": "q"}, "expr-name"),
        ({"n": "n"}, "expr-name"),
        ({"n": 1.5}, "expr-type"),
        ({"n": None}, "expr-type"),
        ({"n": "1 // 0"}, "expr-zero-division"),
    ],
)
def test_questions_that_have_no_answer(asked: dict[str, Any], code: str) -> None:
    """What is asked of the library wrongly is a ScenarioError, with what is wrong."""
    with pytest.raises(ScenarioError) as caught:
        verdict("params: {n: 1}\n", "n", **asked)
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == [code]
