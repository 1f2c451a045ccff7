"""Sound documents of many shapes, from which mutations start."""

from __future__ import annotations

from typing import Any

from smemdsl.source.document import parse
from tests.texts import GEMM

TEXTS = [
    GEMM,
    "smemdsl: 1\nbuffers: {}\n",
    """\
smemdsl: 1
name: all of the top
summary: text
params: {n: 4, flag: true, type: float16, m: n * 2}
constraints: [n > 1, true]
target: sm_90
budget: [sm_90, sm_90/sm, a100]
blocks_per_sm: 1
policy: triton
align: 16
static: 64 B
threads: 128
registers: n * 8
request: 96 KiB
timeline: [load, {region: mma, statements: n}, {region: k, extent: m, stages: [0, n - 1]}]
buffers:
  a: {shape: [n, 8], dtype: type, access: [load, mma], when: flag}
  b: {bytes: n * 4, live: [0, n], align: 32}
  c: {shape: [8], dtype: float4_e2m1fn, storage_bits: 8, versions: 2, swizzle: 128B}
  d: {bytes: 1 KiB, scope: static}
  e: {shape: [4], dtype: int8, def_stage: 0, use_stage: n - 1, access: {k: [0, 1]}}
expect:
  fits: true
  arena: <= 64 KiB
  arena_max: 64 KiB
  arena_min: 0
  versions: {c: 2, e: ">= 1"}
  share: [[a, e]]
  max: {n: 4}
  blocks_per_sm: ">= 1"
  devices: {sm_86: {fits: false, arena: 0}, sm_80: {}}
configs: [{n: 2}, {n: 4, flag: false, type: int8}]
fill: {n: 1..4}
""",
    """\
smemdsl: 1
params: {block: 64, stages: 3}
target: sm_80
threads: 128
program:
  - copy: [q, idx]
  - loop: k
    extent: 16
    start: 0
    num_stages: stages
    body:
      - copy: {to: kk, tma: false}
      - load: {to: [v], reads: idx}
      - gemm: {a: q, b: kk, m: block, n: block, k: 64, trans_b: true, policy: full_row}
      - if: [{compute: {reads: [v], writes: [o]}}]
        else: [{compute: {}}]
      - reduce: {reads: o, cross_warp: false, dtype: float32}
  - store: {from: o, bulk: false}
  - atomic_add: o
options: {warp_specialize: false, aggressive_merge: true}
buffers:
  q: {shape: [block, 64], dtype: float16}
  kk: {shape: [block, 64], dtype: float16}
  v: {shape: [block, 64], dtype: float16}
  o: {shape: [block, 64], dtype: float16, layout: annotated}
  idx: {shape: [block], dtype: int32}
sweep: {stages: 1..4, block: [32, 64], }
""",
    """\
smemdsl: 1
params: {n: 16}
timeline: [a, b]
budget: [100 KiB, 65536, n * 4096]
buffers: {x: {bytes: 4, access: [a, b]}}
sweep: {n: 16..256*2}
""",
]
SOUND: list[Any] = [parse("sound.yaml", text).value for text in TEXTS]
