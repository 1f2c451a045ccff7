"""Instances that an index may stumble over: lives and sizes that all agree, gaps that alignment leaves."""

from __future__ import annotations

from random import Random

from smemdsl.core.buffers import Buffer


def equal_lives(count: int) -> list[Buffer]:
    """All live at once, every other one with a gap before it."""
    return [Buffer(f"b{i}", 16 * (i * 7 % 64 + 1), 1024 if i % 2 else 16, 0, 10) for i in range(count)]


def equal_buffers(count: int) -> list[Buffer]:
    """All alike, each with a gap after it that holds none."""
    return [Buffer(f"b{i}", 1000, 1024, 0, 5) for i in range(count)]


def disjoint(count: int) -> list[Buffer]:
    """One after the other."""
    return [Buffer(f"b{i}", 16 * (i * 7 % 64 + 1), 16, i, i + 1) for i in range(count)]


def nested(count: int) -> list[Buffer]:
    """Each within the life of the one before."""
    return [Buffer(f"b{i}", 16 * (i * 7 % 64 + 1), 16, i, 2 * count - i) for i in range(count)]


def steps(count: int) -> list[Buffer]:
    """One size, up to seven live at once."""
    return [Buffer(f"b{i}", 1024, 16, i, i + 1 + i % 7) for i in range(count)]


def gaps(count: int) -> list[Buffer]:
    """Every other one aligned to 1024 B, of sizes that are mostly no multiple of that."""
    random = Random(count)
    buffers = []
    for i in range(count):
        start, align = random.randrange(count), (16, 1024)[i % 2]
        size = 16 * random.randrange(1, 4 * align // 16 if i % 2 else 64)
        buffers.append(Buffer(f"b{i}", size, align, start, start + random.randrange(1, count // 3)))
    return buffers


SHAPES = (equal_lives, equal_buffers, disjoint, nested, steps, gaps)
