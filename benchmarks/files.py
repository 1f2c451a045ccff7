"""Scenario files of 40 lines, all different, as a directory of CI has them."""

from __future__ import annotations

from pathlib import Path

TEMPLATE = """\
# yaml-language-server: $schema=scenario.schema.json
smemdsl: 1
name: kernel_{i:04d}
summary: A C tile staged through shared memory after the K loop reuses the storage of A and B.
params:
  block_M: {m}
  block_N: {n}
  block_K: {k}
  num_stages: {stages}
constraints:
  - block_K % 16 == 0
  - block_M * block_N <= 65536
budget: h100-sm-shared-228kb
align: 128
timeline:
  - region: k_loop
    extent: {extent}
    stages: [0, 0, num_stages - 1]
  - region: store
    statements: 2
buffers:
  A_shared:
    shape: [block_M, block_K]
    dtype: float16
    def_stage: 0
    use_stage: num_stages - 1
    access: {{k_loop: [0, 2]}}
  B_shared:
    shape: [block_K, block_N]
    dtype: float16
    def_stage: 0
    use_stage: num_stages - 1
    access: {{k_loop: [1, 2]}}
  C_shared:
    shape: [block_M, block_N]
    dtype: float16
    access: {{store: [0, 1]}}
expect:
  fits: true
"""


def write(folder: Path, count: int) -> list[Path]:
    """Write that many files, each valid and each fitting, and return their paths."""
    paths = []
    for i in range(count):
        text = TEMPLATE.format(
            i=i,
            m=64 + 16 * (i % 5),
            n=64 + 16 * (i // 5 % 5),
            k=16 + 16 * (i // 25 % 4),
            stages=1 + i % 4,
            extent=8 + i,
        )
        path = folder / f"kernel_{i:04d}.yaml"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths
