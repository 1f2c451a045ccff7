"""Random kernels, by shape of life, in two classes of size."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.optimal.kernels import SHAPES, kernel
from benchmarks.optimal.row import Row, measured, summary


def rows(instances: int, first: int) -> Iterator[Row]:
    """One row a shape and class; the limit is 1 s. Instances are drawn from this seed on."""
    for least, most, within in ((2, 20, 0.1), (21, 50, 1.0)):
        for shape in SHAPES:
            drawn = [
                kernel(seed, least + seed % (most - least + 1), shape)
                for seed in range(first, first + instances)
            ]
            results = [measured(buffers, 1.0) for buffers in drawn]
            yield summary(f"{shape}, {least} to {most} buffers", results, within)
