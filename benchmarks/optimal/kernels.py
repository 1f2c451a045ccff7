"""Random instances in the likeness of kernels: few large tiles, many small buffers, three shapes of life."""

from __future__ import annotations

from random import Random

from smemdsl.core.buffers import Buffer

SHAPES = ("nested", "sequential", "pipelined", "mixed")


def kernel(seed: int, count: int, shape: str) -> list[Buffer]:
    """An instance of `count` buffers; the same for the same arguments."""
    random = Random(f"{seed}/{count}/{shape}")
    large = max(1, min(random.randint(2, 6), count // 3))
    buffers = []
    for index in range(count):
        size, align = _tile(random) if index < large else _small(random)
        start, end = _life(random, shape, index, count)
        buffers.append(Buffer(f"b{index}", size, align, start, end))
    random.shuffle(buffers)
    return buffers


def _tile(random: Random) -> tuple[int, int]:
    rows, columns = random.choice((32, 64, 128)), random.choice((32, 64, 128))
    padding = random.choice((0, 0, 0, 8))
    size = random.randint(1, 4) * rows * (columns + padding) * random.choice((1, 2, 2, 4))
    return size, random.choice((16, 128, 1024, 1024))


def _small(random: Random) -> tuple[int, int]:
    size = random.choice(
        (
            random.choice((64, 128, 256, 512, 1024, 2048)),
            4 * random.randint(1, 512),
            16 * random.randint(1, 256),
            random.choice((8, 16, 32)) * random.randint(1, 8),
        )
    )
    return size, random.choice((16, 16, 16, 128, 128, 1024))


def _life(random: Random, shape: str, index: int, count: int) -> tuple[int, int]:
    if shape == "mixed":
        shape = random.choice(SHAPES[:3])
    end = 4 * count
    if shape == "nested":
        depth = random.randint(0, 2 * count - 1)
        return depth, max(depth + 1, end - depth - random.randint(0, count // 2))
    if shape == "sequential":
        start = random.randint(0, end - 2)
        return start, min(end, start + random.choice((1, 2, 4, random.randint(1, count))))
    start = 4 * index + random.randint(0, 3)
    return start, start + random.randint(2, max(3, min(40, count)))
