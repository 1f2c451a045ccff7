"""What is wrong with a scenario that has the right shape: names, expressions, ranges, budgets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.texts import HEAD, place, problems

CASES = (Path(__file__).parent / "problems.txt").read_text(encoding="utf-8").rstrip("\n").split("\n\n")
"""Each case: the lines below `smemdsl: 1`, then `=> line:column code message | hint` for each problem."""


@pytest.mark.parametrize("case", CASES)
def test_problems(case: str) -> None:
    """Each has its place (inside an expression, that of the part at fault), its code, message and hint."""
    lines = case.split("\n")
    body = [line for line in lines if not line.startswith("=> ")]
    found = problems(HEAD + "\n".join(body) + "\n")
    described = [
        f"=> {d.line}:{d.column} {d.code} {d.message}" + (f" | {d.hint}" if d.hint else "") for d in found
    ]
    assert described == lines[len(body) :]


@pytest.mark.parametrize(
    "body",
    [
        "params: {n: threads}\nthreads: 128\nbuffers: {a: {bytes: n}}",
        "threads: registers\nregisters: 32\nbuffers: {}",
        "params: {threads: true, registers: float16}\nbuffers: {a: {bytes: 4, when: threads}}",
        "params: {n: 1}\nsweep: {n: 1..9000000000000000000}\nbuffers: {}",
        "params: {n: 1}\nsweep: {n: '-9223372036854775807..-1'}\nbuffers: {}",
        "params: {t: fp16}\nbuffers: {a: {shape: [4], dtype: t}}",
        "timeline: [k]\nbuffers: {a: {bytes: 0, access: {k: [0, 0]}}}",
        "budget: [sm_90, H100, '100 KiB', 65536, 2**10, 0x10]\nbuffers: {}",
        "target: sm_90\nbudget: 100 KiB\nbuffers: {}",
        "params: {a: 1, b: a + 1, c: a + b}\nconfigs: [{b: a, c: b}]\nbuffers: {}",
        "buffers: {a: {bytes: 2**62}, b: {bytes: 2**62}, c: {bytes: 2**62}}\nstatic: 2**62",
        "timeline: [{region: k, extent: 2**61, stages: [2**61]}]\nbuffers: {a: {bytes: 4, access: [k]}}",
    ],
)
def test_sound(body: str) -> None:
    """What is near to these and right is not refused."""
    assert problems(f"{HEAD}{body}\n") == ()


def test_a_misspelt_key_hides_nothing() -> None:
    """Where the schema finds no more than misspelt keys below the top, what the rest says is told too."""
    text = f"{HEAD}params: {{n: q}}\nbuffers:\n  a: {{bytes: m, alin: 4}}\n  b: {{bytes: 4 KB}}\n"
    assert [place(d) for d in problems(text)] == [
        "2:13 expr-name",
        "4:14 expr-name",
        "4:17 unknown-key",
        "5:16 size",
    ]
    above = text.replace("params", "param")
    assert [place(d) for d in problems(above)] == ["2:1 unknown-key", "4:17 unknown-key"]
