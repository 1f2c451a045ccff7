"""The rules of TileLang 0.1.15, the compiler from PyPI against which they were measured.

From statements to intervals, in this order: `specialise` (W1-W5), `planning` (R2b), `versions` (R6),
`emission` (R1, R2, R4, R5) with `merging` (W6), `liveness` (R3), `alignment` (A1-A5), `barriers` (W7),
`launch` (W3). The rules of another version stand in a package beside this one.

Where a rule gives a count of evidence, that count is over what `tests` hold, all of it compiled with this
version: the recorded programs are `data/tilelang_programs.jsonl` (265 lowerings of public kernels, of which
the 257 marked as covered have the compiler's total), the random kernels `program/random_kernels.jsonl` (90
that compile, 14 that do not), the recorded loops `data/tilelang_loops.jsonl` (29).
"""
