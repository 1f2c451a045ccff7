"""Texts and values that several tests start from."""

from __future__ import annotations

from smemdsl.api import Scenario, loads
from smemdsl.core.errors import Diagnostic, ScenarioError

HEAD = "smemdsl: 1\n"
ONE = HEAD + "buffers: {a: {bytes: 16}}\n"
"""A sound scenario of two lines."""
GEMM = """\
smemdsl: 1
name: gemm
params:
  block_M: 128
  block_N: 128
  block_K: 64
  num_stages: 2
constraints:
  - block_K % 16 == 0
timeline:
  - region: k_loop
    extent: 16
    stages: [0, 0, num_stages - 1]
  - region: store
    statements: 2
buffers:
  A_shared:
    shape: [block_M, block_K]
    dtype: float16
    def_stage: 0
    use_stage: num_stages - 1
    access: {k_loop: [0, 2]}
  B_shared:
    shape: [block_K, block_N]
    dtype: float16
    def_stage: 0
    use_stage: num_stages - 1
    access: {k_loop: [1, 2]}
  C_shared:
    shape: [block_M, block_N]
    dtype: float16
    access: {store: [0, 1]}
sweep:
  num_stages: 1..6
"""
"""A staged GEMM whose C tile reuses storage of A: 65536 B of 98304 B with two stages."""


def scenario(text: str) -> Scenario:
    """A scenario from what stands below the version line."""
    return loads(HEAD + text, "f.yaml")


def problems(text: str, path: str = "f.yaml") -> tuple[Diagnostic, ...]:
    """What is wrong with a scenario's text, also once it is judged as it stands; empty for a sound one."""
    try:
        loads(text, path).own_verdicts()
    except ScenarioError as error:
        return error.diagnostics
    return ()


def place(diagnostic: Diagnostic) -> str:
    """`line:column code`, as the tables of expected problems have it."""
    return f"{diagnostic.line}:{diagnostic.column} {diagnostic.code}"


def places(text: str) -> list[str]:
    """The places and codes of everything that is wrong with a text."""
    return [place(diagnostic) for diagnostic in problems(text)]
