"""The rules of TileLang 0.1.15, the compiler from PyPI against which they were measured.

From statements to intervals, in this order: `warp_specialize`, `pipeline_planning`, `multi_version_buffer`
and `unify_versions`, `emit` with `inject_pipeline`, `linearize`, `lower_reduce` and `merge_if_statements`,
`liveness`, `alignment`, `barriers`, `launch`. A module with a `RULE` is the page of that rule:
`smemdsl explain inject-pipeline/versions`.

Where a rule gives a count of evidence, that count is over what `tests` hold, all of it compiled with this
version: the recorded programs are `data/tilelang_programs.jsonl` (265 lowerings of public kernels, of which
the 257 marked as covered have the compiler's total), the random kernels `program/random_kernels.jsonl` (90
that compile, 14 that do not), the recorded loops `data/tilelang_loops.jsonl` (29).
"""
