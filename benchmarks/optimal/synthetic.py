"""Random kernels, by shape of life, in two classes of size."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.optimal.kernels import SHAPES, kernel
from benchmarks.optimal.row import Row, measured, summary


def rows(instances: int) -> Iterator[Row]:
    """One row a shape and class; the limit is 1 s."""
    for least, most, within in ((2, 20, 0.1), (21, 50, 1.0)):
        for shape in SHAPES:
            counts = [least + seed % (most - least + 1) for seed in range(instances)]
            results = [measured(kernel(seed, count, shape), 1.0) for seed, count in enumerate(counts)]
            yield summary(f"{shape}, {least} to {most} buffers", results, within)
